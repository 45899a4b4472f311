"""Lists from rows that are read in chunks and from Dask: ``python -m benchmarks.scale``.

``same``: on five real sets, for labels and for numbers, the list from memory, from Parquet, from chunks and from Dask
(two processes) is the same: rules, objective, bound, predictions. ``stream``: seconds, passes and peak memory for a
million and ten million rows of Parquet, beside one pass that only finds leaves. ``dask``: a hundred million rows that
two workers make from a seed, never stored. ``killed``: one of two workers is killed in the middle of a fit. ``sent``:
how many bytes move between them.

Each measurement runs in a process of its own. Results are kept in ``benchmarks/results/scale.csv``; what is there is
not measured again. The tables in docs/scaling.md are written at the end, or alone by ``--table``.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from benchmarks.datasets import find_data, load_complete
from benchmarks.results import Results
from benchmarks.scale_report import write_page
from hedgerow import RuleListClassifier, RuleListRegressor, read_forest
from hedgerow.candidates.margins import Gaps
from hedgerow.candidates.pool import make_pool
from hedgerow.pipeline.streams import Router, Survey
from hedgerow.sources import Chunk, Chunks, Parquet, Source
from hedgerow.sources.columns import columns_of

SETS = {
    "adult": "classification",
    "bank-marketing": "classification",
    "MagicTelescope": "classification",
    "house_16H": "regression",
    "houses": "regression",
}
N_COLUMNS, N_TREES, DEPTH, N_RULES = 20, 100, 3, 8
#: Rows of a file's row group, and of a partition that a worker makes.
_GROUP, _PARTITION = 131_072, 250_000
_MILLION = 1_000_000
_LIMIT = "2GiB"
_SETTINGS = {"max_rules": N_RULES, "candidates": "nodes"}


def drawn_rows(start: int, n: int) -> pd.DataFrame:
    """Return rows of a table that are the same whenever they are asked for: twenty columns, and ``y``."""
    rng = np.random.default_rng([7, start])
    X = rng.standard_normal((N_COLUMNS, n), dtype=np.float32)
    noise = rng.standard_normal(n, dtype=np.float32)
    y = X[0] + X[1] * X[2] + 0.5 * (X[3] > 0.3) + 0.7 * noise > 0
    return pd.DataFrame({**{f"x{i}": X[i] for i in range(N_COLUMNS)}, "y": y.astype(np.int8)})


def trained_forest() -> Any:
    """Return the forest of all large measurements, trained on the first rows."""
    rows = drawn_rows(0, 100_000)
    forest = RandomForestClassifier(N_TREES, max_depth=DEPTH, random_state=0, n_jobs=2)
    return forest.fit(rows.drop(columns="y"), rows["y"])


def write_rows(path: Path, n_rows: int) -> None:
    """Write drawn rows to a Parquet file, if it is not there."""
    if path.exists():
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    part, writer = path.with_suffix(".part"), None
    for start in range(0, n_rows, _MILLION):
        table = pa.Table.from_pandas(drawn_rows(start, min(_MILLION, n_rows - start)), preserve_index=False)
        writer = writer or pq.ParquetWriter(part, table.schema)
        writer.write_table(table, row_group_size=_GROUP)
    assert writer is not None
    writer.close()
    part.rename(path)


# What is measured: each takes the arguments and returns a row


def same(name: str, weight: float, data: Path | None, folder: Path) -> dict[str, Any]:
    """Compare the four ways to the list of a real set."""
    import dask.dataframe as dd

    task = SETS[name]
    frame, y = load_complete(name, task, find_data(data))
    X, y = pd.get_dummies(frame, dtype=np.float64), np.asarray(y)
    of_labels = task == "classification"
    forest: Any = (RandomForestClassifier if of_labels else RandomForestRegressor)(50, max_depth=4, random_state=0)
    estimator: Any = RuleListClassifier if of_labels else RuleListRegressor
    forest.fit(X, y)

    def fitted(*rows: Any) -> Any:
        return estimator(forest, stability_weight=weight, **_SETTINGS).fit(*rows)

    path = folder / f"{name}.parquet"
    X.assign(target=y).to_parquet(path, row_group_size=3000)
    starts = range(0, len(y), 3001)
    memory = fitted(X, y)
    with _Cluster():
        frame = dd.from_pandas(X.assign(target=y), npartitions=7)
        ways = {
            "Parquet": (fitted(Parquet(path, "target", batch_rows=2000)), Parquet(path)),
            "chunks": (
                fitted(Chunks(lambda: ((X.iloc[i : i + 3001], y[i : i + 3001]) for i in starts))),
                Chunks(lambda: ((X.iloc[i : i + 3001],) for i in starts)),
            ),
            "Dask": (fitted(frame, "target"), frame.drop(columns="target")),
        }
        expected = memory.predict(X)
        for way, (found, rows) in ways.items():
            same_list = found.rule_list_.rules == memory.rule_list_.rules
            same_proof = _proof(found) == _proof(memory)
            if not (same_list and same_proof and np.array_equal(found.predict(rows), expected)):
                return {"status": f"{way} differs", "rows": len(y)}
    passes = found.solution_.passes
    return {"status": "identical", "rows": len(y), "passes": passes, "rules": len(memory.rule_list_)}


def stream(n_rows: int, weight: float, folder: Path) -> dict[str, Any]:
    """Fit to Parquet."""
    path, forest = folder / f"{n_rows}.parquet", trained_forest()
    write_rows(path, n_rows)
    drawn_rows(0, 10)
    rules = RuleListClassifier(forest, stability_weight=weight, n_jobs=2, **_SETTINGS)
    row = _timed(lambda: rules.fit(Parquet(path, "y")))
    return row | _told(rules) | {"rows": n_rows, "memory_gib": _peak_gib()}


def routing(n_rows: int, folder: Path) -> dict[str, Any]:
    """Make one pass over Parquet that only finds leaves."""
    path = folder / f"{n_rows}.parquet"
    write_rows(path, n_rows)
    source = Parquet(path, "y")
    router, columns = _router(source)
    passes = source.passes(router, columns, n_jobs=2)
    row = _timed(lambda: passes.run(_Leaves()))
    return row | {"rows": n_rows, "memory_gib": _peak_gib(), "status": "one pass of routing", "passes": 1}


class _Leaves:
    """Finds leaves, and forgets them."""

    def empty(self) -> _Leaves:
        return _Leaves()

    def add(self, rows: Any) -> None:
        rows.ranks()

    def merge(self, other: _Leaves) -> None:
        pass


def on_dask(n_rows: int, weight: float) -> dict[str, Any]:
    """Fit to rows that two workers make as they go."""
    forest = trained_forest()
    with _Cluster() as client:
        rules = RuleListClassifier(forest, stability_weight=weight, **_SETTINGS)
        row = _timed(lambda: rules.fit(_drawn_frame(n_rows), "y"))
        of_workers = max(client.run(_peak_gib).values())
        row["processor"] += sum(client.run(time.process_time).values())
    return row | _told(rules) | {"rows": n_rows, "memory_gib": _peak_gib(), "worker_gib": of_workers}


def killed(n_rows: int) -> dict[str, Any]:
    """Kill one of two workers in the middle of a fit, and compare the list with that of an undisturbed one."""
    forest, frame = trained_forest(), _drawn_frame(n_rows)
    with _Cluster() as client:
        calm, rules = (RuleListClassifier(forest, **_SETTINGS) for _ in range(2))
        usual = _timed(lambda: calm.fit(frame, "y"))["seconds"]
        pids = list(client.run(os.getpid).values())
        killer = threading.Timer(usual / 3, os.kill, (pids[0], signal.SIGKILL))
        killer.start()
        row = _timed(lambda: rules.fit(frame, "y"))
        if killer.is_alive():
            raise RuntimeError("The fit was over before a worker could be killed. Take more rows.")
        with suppress(TimeoutError):
            client.wait_for_workers(len(pids), timeout=120)
        fresh = len(set(client.run(os.getpid).values()) - set(pids))
    del row["processor"]  # that of the client alone
    same_list = rules.rule_list_.rules == calm.rule_list_.rules and _proof(rules) == _proof(calm)
    status = "identical" if same_list else "differs"
    return row | {"rows": n_rows, "status": f"{status}, {fresh} worker new", "passes": rules.solution_.passes}


def sent() -> dict[str, Any]:
    """Say how much moves over the network: to each worker once, and from each partition in the first pass."""
    from hedgerow.sources import as_source

    router, columns = _router(as_source(_drawn_frame(_PARTITION), "y"))
    n_ranks = np.array([label.max() + 1 for label in router.labels])
    found = Survey(n_ranks, 2, Gaps(router.forest.nodes, np.flatnonzero(router.forest.nodes.left >= 0)), False)
    rows = drawn_rows(0, _PARTITION)
    found.add(router.rows(Chunk(rows[columns], rows["y"].to_numpy(), None, "", columns)))
    summary, once = (len(pickle.dumps(part)) / 1e6 for part in (found, router))
    return {"rows": _PARTITION, "status": f"{summary:.2f} MB from each partition, {once:.2f} MB to each worker"}


def _router(source: Source) -> tuple[Router, list[str | int]]:
    """Return what finds the leaves of the rows of a source, and the columns that it reads."""
    forest = read_forest(trained_forest())
    pool = make_pool(forest, "nodes", 4)
    labels = np.split(pool.end_rank, np.cumsum([tree.n_nodes for tree in forest.trees])[:-1])
    columns = columns_of(source, forest.inputs, range(N_COLUMNS))
    return Router(forest, labels, forest.task, 0.0, tuple(columns)), columns


def _drawn_frame(n_rows: int) -> Any:
    import dask.dataframe as dd

    starts = list(range(0, n_rows, _PARTITION))
    sizes = [min(_PARTITION, n_rows - start) for start in starts]
    return dd.from_map(drawn_rows, starts, sizes, meta=drawn_rows(0, 1).iloc[:0])


class _Cluster:
    """Two worker processes with a limit on their memory, and a client."""

    def __enter__(self) -> Any:
        import dask
        from distributed import Client, LocalCluster

        # On a busy machine, it may take long until a new worker takes the place of one that died.
        dask.config.set({"distributed.deploy.lost-worker-timeout": "10 minutes"})
        self._cluster = LocalCluster(
            n_workers=2, processes=True, threads_per_worker=1, memory_limit=_LIMIT, dashboard_address=":0"
        )
        self._client = Client(self._cluster)
        return self._client

    def __exit__(self, *error: Any) -> None:
        self._client.close()
        self._cluster.close()


def _timed(call: Callable[[], Any]) -> dict[str, float]:
    clock, processor = time.perf_counter(), time.process_time()
    call()
    return {"seconds": time.perf_counter() - clock, "processor": time.process_time() - processor}


def _told(rules: Any) -> dict[str, Any]:
    solution = rules.solution_
    return {"status": solution.describe(), "passes": solution.passes, "rules": len(rules.rule_list_)}


def _proof(rules: Any) -> tuple[float, float, str]:
    return rules.solution_.objective, rules.solution_.bound, rules.solution_.status


def _peak_gib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


# Which measurements there are


def cases(parts: Sequence[str]) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield the part, the name and the arguments of each measurement."""
    if "same" in parts:
        for name in SETS:
            for weight in (0.5, 0.0):
                yield "same", f"{name}, weight {weight:g}", [name, weight]
    for n in (_MILLION, 10 * _MILLION):
        if "stream" in parts:
            yield "routing", f"{n} rows", [n]
            for weight in (0.5, 0.0):
                yield "stream", f"{n} rows, weight {weight:g}", [n, weight]
    if "killed" in parts:
        yield "killed", "5 million rows", [5 * _MILLION]
    if "dask" in parts:
        yield "dask", "100 million rows", [100 * _MILLION, 0.5]
    if "sent" in parts:
        yield "sent", "one partition", []


def measured(part: str, arguments: Sequence[Any], data: Path | None, folder: Path) -> dict[str, Any]:
    """Return the row of one measurement."""
    if part == "same":
        return same(*arguments, data, folder)
    if part in ("stream", "routing"):
        return {"stream": stream, "routing": routing}[part](*arguments, folder)
    return {"dask": on_dask, "killed": killed, "sent": sent}[part](*arguments)


_COLUMNS = ("part", "case", "rows", "seconds", "processor", "passes", "rules", "memory_gib", "worker_gib", "status")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is missing, and print all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__.split("\n")[0])
    parser.add_argument("--parts", default="same,stream,killed,sent,dask", help="which parts (default: %(default)s)")
    parser.add_argument("--data", type=Path, help="the directory of the data sets")
    parser.add_argument("--folder", type=Path, help="where the Parquet files are kept (default: a temporary folder)")
    parser.add_argument("--table", action="store_true", help="measure nothing; write the table of what there is")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.one is not None:
        part, values = json.loads(given.one)
        sys.stdout.write(json.dumps(measured(part, values, given.data, given.folder)))
        return 0
    results = Results("scale", ("part", "case"))
    console = Console(highlight=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        for part, case, values in () if given.table else cases(given.parts.split(",")):
            if (part, case) not in results:
                results.add(
                    {**dict.fromkeys(_COLUMNS), "part": part, "case": case} | _alone(part, values, given, folder)
                )
                console.print(f"{part}: {case}: {results.rows[-1]['status']}", markup=False)
    console.print(write_page(results.frame()), markup=False)
    return 0


def _alone(part: str, values: list[Any], given: Any, folder: Path) -> dict[str, Any]:
    """Return the row of one measurement, made in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scale", "--one", json.dumps([part, values]), "--folder", str(folder)]
    command += ["--data", str(given.data)] if given.data else []
    ran = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if ran.returncode:
        raise RuntimeError(f"{part} {values} failed.")
    row: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return row


if __name__ == "__main__":
    sys.exit(main())
