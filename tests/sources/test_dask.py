import os
import signal
import threading
import time
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from row_statistics import AsRead, Failing, Rows, Slow
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier

from hedgerow import RuleListClassifier
from hedgerow._support.progress import counting_with
from hedgerow.candidates import excerpt
from hedgerow.exceptions import InvalidDataError
from hedgerow.sources import as_source

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

N = 60
TABLE = pd.DataFrame(
    {"a": np.arange(N) / 2, "s": [f"s{i % 3}" for i in range(N)], "y": np.arange(N) % 2, "w": np.arange(N) + 1.0}
)
NUMBERS = TABLE[["a", "w"]].to_numpy()


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, memory_limit="1GiB", dashboard_address=":0"
    ) as cluster:
        yield cluster


@pytest.fixture
def scheduler(request):
    """Work is done by threads of this process, or by two other processes."""
    if request.param == "threads":
        yield None
        return
    with distributed.Client(request.getfixturevalue("cluster")) as client:
        yield client


def table(npartitions=7):
    return dd.from_pandas(TABLE, npartitions=npartitions)


def unknown(collection):
    return collection.clear_divisions()


def given(kind):
    """Return features, targets and weights in one of the ways in which they may come."""
    frame, X = table(), table()[["a", "w"]]
    return {
        "names": (frame, "y", "w"),
        "series": (X, frame["y"], frame["w"]),
        "frame of one column": (X, frame[["y"]], None),
        "other divisions": (X, table(3)["y"], table(11)["w"]),
        "unknown divisions": (unknown(X), unknown(frame["y"]), unknown(frame["w"])),
        "array beside frame": (X, frame["y"].values, None),
        "arrays": (da.from_array(NUMBERS, chunks=(9, 1)), da.from_array(TABLE["y"].to_numpy(), chunks=20), None),
        "arrays of unknown sizes": (X.values, frame["y"].values, frame["w"].values),
        "series beside array": (X.values, frame["y"], None),
        "column of an array": (X.values, frame[["y"]].values, None),
    }[kind]


KINDS = [
    "names",
    "series",
    "frame of one column",
    "other divisions",
    "unknown divisions",
    "array beside frame",
    "arrays",
    "arrays of unknown sizes",
    "series beside array",
    "column of an array",
]


SCHEDULERS = pytest.mark.parametrize("scheduler", ["threads", "workers"], indirect=True)
QUICK = {"names", "arrays of unknown sizes"}


@pytest.mark.parametrize(
    ("kind", "scheduler"),
    [
        *((kind, "threads") for kind in KINDS),
        *(pytest.param(kind, "workers", marks=[] if kind in QUICK else pytest.mark.slow) for kind in KINDS),
    ],
    indirect=["scheduler"],
)
def test_rows_targets_and_weights_belong_together(scheduler, kind):
    X, y, weight = given(kind)
    source = as_source(X, y, weight)
    source.batch_rows = 4
    passes = source.passes(AsRead())
    rows = passes.run(Rows())
    expected = TABLE[["a", "s"]].to_numpy() if kind == "names" else NUMBERS
    assert (rows.values, rows.targets) == (expected.tolist(), TABLE["y"].tolist())
    assert rows.weights == ([] if weight is None else TABLE["w"].tolist())
    last = source.names[-1:] if source.names else [1]
    assert passes.run(Rows(), columns=last, targets=False).values == expected[:, 1:].tolist()
    assert [x for part in passes.map(first_column) for x in part] == TABLE["a"].tolist()
    assert (passes.n, passes.n_rows, source.n_rows) == (3, N, N if kind == "arrays" else None)


def first_column(chunk):
    return np.asarray(chunk.X)[:, 0].tolist()


@SCHEDULERS
def test_only_the_wanted_columns_are_read_and_partitions_stay(tmp_path, scheduler):
    table().to_parquet(tmp_path)
    frame = dd.read_parquet(tmp_path)
    source = as_source(frame[["a", "s"]], frame["y"])
    passes = source.passes(AsRead())
    places = [list(passes.map(place, columns=columns)) for columns in (None, ["a"], ["s"])]
    assert places == [[f"partition {i}" for i in range(7)]] * 3
    assert passes.run(Rows(), columns=["a"]).targets == TABLE["y"].tolist()


def place(chunk):
    return chunk.place


def test_a_result_is_yielded_before_all_are_computed(cluster, tmp_path):
    with distributed.Client(cluster):
        passes = as_source(table(30)).passes(AsRead())
        results = passes.map(Touching(tmp_path))
        assert next(results).startswith("partition 0")
        time.sleep(1)
        assert len(list(tmp_path.iterdir())) <= 6  # two for each of the workers' threads, one more, and the first
        assert [place.split(",")[0] for place in results] == [f"partition {i}" for i in range(1, 30)]


class Touching:
    def __init__(self, folder):
        self.folder = folder

    def __call__(self, chunk):
        (self.folder / chunk.place).touch()
        return chunk.place


@pytest.mark.parametrize("n_killed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_workers_that_die_change_nothing(cluster, tmp_path, n_killed):
    """If both die, nobody has the reader any more; it is sent again."""
    sign = tmp_path / "begun"
    with distributed.Client(cluster):
        passes = as_source(table(12), "y").passes(Slow(str(sign), 0.3))

        def kill():
            deadline = time.monotonic() + 30
            while not sign.exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            for worker in list(cluster.workers.values())[:n_killed]:
                os.kill(worker.pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        rows = passes.run(Rows())
        killer.join()
        assert rows.values == TABLE[["a", "s", "w"]].to_numpy().tolist()
        assert passes.run(Rows()).targets == TABLE["y"].tolist()


@SCHEDULERS
def test_errors_come_from_the_first_bad_rows_and_are_not_tried_again(scheduler):
    with pytest.raises(InvalidDataError, match=r"^partition \d+: ValueError: no$"):
        as_source(table(), "y").passes(Failing(11.0, ValueError("no"))).run(Rows())
    passes = as_source(table(), "y").passes(Failing(11.0, ValueError("no")))
    with pytest.raises(InvalidDataError, match=r"^partition \d+: ValueError: no$"):
        list(passes.map(first_column))


def disk(part):
    if (part["a"] > 20).any():
        raise RuntimeError("the disk")
    return part


def without_s(part):
    return part.drop(columns="s") if (part["a"] > 20).any() else part


@SCHEDULERS
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda: table().map_partitions(disk, meta=TABLE), r"cannot be computed: RuntimeError: the disk"),
        (lambda: table().map_partitions(without_s, meta=TABLE), r"cannot be computed: ValueError: [^$]*metadata"),
        (lambda: table().map_partitions(without_s, meta=TABLE, enforce_metadata=False), r"cannot be computed: KeyErr"),
    ],
)
def test_a_partition_that_cannot_be_computed_is_named(scheduler, broken, said):
    first = next(i for i, part in enumerate(table().partitions) if (part.compute()["a"] > 20).any())
    passes = as_source(broken(), "y").passes(AsRead())
    for read in (lambda: passes.run(Rows()), lambda: list(passes.map(first_column))):
        with pytest.raises(InvalidDataError, match=rf"^partition {first} of The Dask data frame {said}"):
            read()


@pytest.mark.parametrize("change", ["cut short", "without a column"])
def test_a_file_that_cannot_be_read_is_named_by_its_partition(tmp_path, change):
    for i in range(3):
        TABLE.iloc[20 * i : 20 * (i + 1)].to_parquet(tmp_path / f"{i}.parquet")
    frame = dd.read_parquet(tmp_path)
    if change == "cut short":
        (tmp_path / "2.parquet").write_bytes((tmp_path / "2.parquet").read_bytes()[:900])
    else:
        TABLE.iloc[40:].drop(columns="s").to_parquet(tmp_path / "2.parquet")
    with pytest.raises(InvalidDataError, match=r"^partition 2 of The Dask data frame cannot be computed: \w+: "):
        as_source(frame, "y").passes(AsRead()).run(Rows())


def test_each_pass_is_made_by_the_client_of_the_moment(cluster):
    passes = as_source(table(), "y").passes(AsRead())
    with distributed.Client(cluster):
        first = passes.run(Rows())
    for _ in range(2):
        assert passes.run(Rows()).values == first.values
        with distributed.Client(cluster):
            assert passes.run(Rows()).values == first.values
            assert len(list(passes.map(first_column))) == 7


def test_a_list_can_be_edited_after_its_client_was_closed(cluster, monkeypatch):
    monkeypatch.setattr(excerpt, "MOST_ROWS", 30)
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(9, max_depth=3, random_state=0).fit(X, y)
    with distributed.Client(cluster):
        rules = RuleListClassifier(forest, max_rules=4).fit(dd.from_pandas(X.assign(y=y), npartitions=3), "y")
    expected = RuleListClassifier(forest, max_rules=4).fit(X, y).resolve(forbid=0)
    resolved = rules.resolve(forbid=0)
    assert resolved.solution_.passes > 0
    assert resolved.rule_list_.rules == expected.rule_list_.rules


@SCHEDULERS
def test_rows_that_change_between_passes_are_refused(scheduler):
    def draw(seed):
        return pd.DataFrame({"a": np.random.default_rng().normal(size=3) + seed})

    frame = dd.from_map(draw, range(4), meta={"a": float})
    passes = as_source(frame).passes(AsRead())
    passes.run(Rows(), targets=False)
    with pytest.raises(InvalidDataError, match=r"The Dask data frame changes .* column 'a' in pass 2 .* pass 1"):
        passes.run(Rows(), targets=False)


@SCHEDULERS
def test_empty_partitions_are_fine_but_not_all(scheduler):
    frame = table()
    kept = frame[frame["a"] > 20]
    assert as_source(kept, "y").passes(AsRead()).run(Rows()).targets == TABLE["y"][TABLE["a"] > 20].tolist()
    with pytest.raises(InvalidDataError, match="The Dask data frame has no rows"):
        as_source(frame[frame["a"] > 99], "y").passes(AsRead()).run(Rows())


def test_categories_are_the_same_in_all_partitions():
    strings = dd.from_pandas(TABLE[["s"]].assign(s=[f"s{i // 10}" for i in range(N)]), npartitions=6)
    passes = as_source(strings.astype("category")).passes(AsRead())
    dtypes = list(passes.map(lambda chunk: chunk.X["s"].dtype))
    assert len(set(dtypes)) == 1
    assert dtypes[0].categories.tolist() == [f"s{i}" for i in range(6)]


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        (lambda: table(), lambda: "z", "The Dask data frame has no column 'z'. It has: 'a', 's', 'y', 'w'"),
        (lambda: da.ones((6, 2)), lambda: "z", "The Dask array has no column 'z'. An array has no names"),
        (lambda: table(), lambda: TABLE["y"], "y is a Series.* pass a Dask series or array or the name of a column"),
        (lambda: unknown(table()), lambda: unknown(table(3)["y"]), "y has 3 partitions, but X has 7"),
        (lambda: table().values, lambda: da.ones(N, chunks=20), "y has 3 partitions, but X has 7"),
        (lambda: da.ones(6), lambda: None, r"The Dask array has 1 dimension\(s\)"),
        (lambda: table()["a"], lambda: None, r"has 1 dimension\(s\)|is a Dask Series"),
        (lambda: dask.delayed(TABLE), lambda: None, r"X is a Dask Delayed\w*\. Pass a Dask data frame or array"),
    ],
)
def test_what_does_not_fit_is_refused(X, y, said):
    with pytest.raises(InvalidDataError, match=said):
        as_source(X(), y())


def test_one_column_is_not_target_and_weight():
    with pytest.raises(InvalidDataError, match="'y' is named as y and as sample_weight"):
        as_source(table(), "y", "y")


def test_partitions_with_other_numbers_of_rows_are_refused():
    X, y = unknown(table()[["a"]]), unknown(table()["y"])
    y = y.map_partitions(lambda part: part[part.index != 11], meta=("y", int))
    with pytest.raises(InvalidDataError, match=r"partition 1 has 9 rows in X, but 8 targets"):
        as_source(X, y).passes(AsRead()).run(Rows())


def test_targets_are_asked_for_where_there_are_none():
    with pytest.raises(InvalidDataError, match=r"The Dask data frame has no targets\. Pass y"):
        as_source(table()).passes(AsRead()).run(Rows())


def test_progress_shows_the_pass(capsys):
    as_source(table(), "y").passes(AsRead(), verbose=True).run(Rows(), what="coverage")
    assert "hedgerow: Pass 1, coverage: 60 rows, " in capsys.readouterr().err


@SCHEDULERS
def test_progress_counts_each_row_once_while_workers_are_at_it(scheduler):
    counts = []

    @contextmanager
    def counter(total, unit, what):
        yield counts.append

    with counting_with(counter):
        as_source(table(), "y").passes(AsRead(), verbose=True).run(Rows())
    assert sum(counts) == N
    assert len(counts) == (1 if scheduler is None else 8)  # partitions, and what is left at the end


@pytest.mark.parametrize("npartitions", [1, 9])
@SCHEDULERS
def test_the_list_of_all_rows_is_the_one_from_memory(scheduler, npartitions, monkeypatch):
    monkeypatch.setattr(excerpt, "MOST_ROWS", 30)
    X, y = load_wine(return_X_y=True, as_frame=True)
    y, weight = np.array(["c", "a", "b"])[y], np.random.default_rng(0).random(len(y))
    forest = RandomForestClassifier(9, max_depth=3, random_state=0).fit(X, y)
    frame = dd.from_pandas(X.assign(y=y, w=weight), npartitions=npartitions)
    expected, found = (
        RuleListClassifier(forest, max_rules=5, candidates="nodes", loss="gini").fit(*rows)
        for rows in ((X, y, weight), (frame, "y", "w"))
    )
    assert found.rule_list_.rules == expected.rule_list_.rules
    assert (found.solution_.objective, found.solution_.bound) == (
        expected.solution_.objective,
        expected.solution_.bound,
    )
    assert found.solution_.passes >= 1
    features = frame[list(X.columns)]
    np.testing.assert_array_equal(found.predict(features), expected.predict(X))
    np.testing.assert_array_equal(found.predict_proba(features), expected.predict_proba(X))
    assert str(found.fidelity(features, frame["y"])) == str(expected.fidelity(X, y))
