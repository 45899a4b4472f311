"""The paper's evaluation: ``python -m benchmarks.run --suite classification,regression,timeseries``.

``--suite sizes_classification,sizes_regression`` measures all methods from 2 to 30 rules (:mod:`benchmarks.sizes`),
``--suite faithful_classification,faithful_regression,faithful_others`` what explains fitted models
(:mod:`benchmarks.explaining`).
Rows are stored as they are measured; a second call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from benchmarks import explainers, explaining
from benchmarks.case import SECONDS
from benchmarks.datasets import N_TREES, find_data, paper_sets, series_sets, size_sets
from benchmarks.explained_models import KINDS
from benchmarks.methods import DEFAULT, METHODS, complaint
from benchmarks.results import DIRECTORY
from benchmarks.sizes import BUDGETS, LARGE, N_SEEDS, N_SEEDS_LARGE

#: The suites of the paper, and whether they compare methods.
SUITES = {"classification": True, "regression": True, "timeseries": False, "series_sizes": False}
#: The suites of all sizes, and their tasks.
SIZES = {"sizes_classification": "classification", "sizes_regression": "regression"}
#: The suites that explain models, and their tasks.
EXPLAINING = {
    "faithful_classification": "classification",
    "faithful_regression": "regression",
    "faithful_others": "classification",
}
_COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suites that are asked for, write their tables and print them; return 1 if anything failed."""
    options = _options(arguments)
    data, n_failed = find_data(options.data), 0
    options.results.mkdir(parents=True, exist_ok=True)
    with (
        _cluster(options.scheduler),
        Progress(*_COLUMNS, TimeRemainingColumn(), console=Console(stderr=True)) as progress,
    ):

        def show(items: Iterable[Any], n_items: int, what: str) -> Iterable[Any]:
            return progress.track(items, total=n_items, description=what)

        def note(text: str) -> None:
            progress.console.print(text, soft_wrap=True, highlight=False, markup=False)

        for name in options.suite:
            suite = import_module(f"benchmarks.{name}")
            settings: dict[str, Any] = {"sets": options.sets, "directory": options.results}
            settings |= {"n_workers": options.jobs, "n_trees": options.trees}
            seeds = options.seeds
            if name in SIZES or name in EXPLAINING:
                settings |= {"methods": options.methods, "budgets": options.budgets, "seconds": options.limit}
                settings |= {"models": options.models} if name in EXPLAINING else {}
            else:
                seeds = range(N_SEEDS) if seeds is None else seeds
            if SUITES.get(name):
                settings |= {"methods": options.methods or DEFAULT, "with_fidelity": options.fidelity}
            results = suite.measure(data, seeds, show, note, **settings)
            n_failed += len(results.failures)
            for failure in results.failures:
                note(failure.details)
            text = suite.report(results)
            (options.results / f"{name}.md").write_text(text + "\n")
            note(text)
    return int(n_failed > 0)


def _cluster(address: str | None) -> AbstractContextManager[Any]:
    """Connect a client to a scheduler, if there is one."""
    if address is None:
        return nullcontext()
    from distributed import Client

    return Client(address)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__.partition("\n\n")[0])
    known = {**SUITES, **SIZES, **EXPLAINING}
    parser.add_argument("--suite", default=",".join(SUITES), help=f"of {', '.join(known)}; several with commas")
    parser.add_argument(
        "--methods",
        help=f"for tables, of {', '.join(METHODS)} (default: {','.join(DEFAULT)}; of all sizes, every one compared); "
        f"for what explains models, of {', '.join(explainers.EXPLAINERS)} (default: all)",
    )
    parser.add_argument("--models", help=f"the models that are explained, of {', '.join(KINDS)} (default: all)")
    parser.add_argument(
        "--seeds",
        type=_at_least(0),
        nargs="+",
        help=f"seeds (default: {N_SEEDS}, from 0; of all sizes {N_SEEDS_LARGE} for sets of {LARGE:,} rows or more; of "
        f"what explains models, {explaining.N_SEEDS} and {explaining.N_SEEDS_LARGE})",
    )
    parser.add_argument(
        "--budgets",
        type=_at_least(2),
        nargs="+",
        help=f"for suites of all sizes, the most rules (default: {' '.join(map(str, BUDGETS))}; of what explains "
        f"models, {' '.join(map(str, explaining.BUDGETS))})",
    )
    parser.add_argument(
        "--limit", type=float, default=SECONDS, help="for them, rivals' time limit in seconds (default: %(default)s)"
    )
    parser.add_argument("--sets", nargs="+", help="names of data sets (default: all)")
    parser.add_argument(
        "--data", type=Path, help="the directory with MANIFEST.csv (default: ../shared/data; without it OpenML)"
    )
    parser.add_argument("--results", type=Path, default=DIRECTORY, help="where the rows are (default: %(default)s)")
    parser.add_argument("--jobs", type=_at_least(1), default=1, help="processes of one thread (default: %(default)s)")
    parser.add_argument("--scheduler", help="the address of a Dask scheduler whose workers take the jobs instead")
    parser.add_argument("--trees", type=_at_least(1), default=N_TREES, help="trees of a forest (default: %(default)s)")
    parser.add_argument(
        "--fidelity", action="store_true", help="fit again where a score is stored, but no fidelity was measured"
    )
    options = parser.parse_args(arguments)
    options.suite = options.suite.split(",")
    options.methods = None if options.methods is None else options.methods.split(",")
    options.models = None if options.models is None else options.models.split(",")
    unknown = sorted(set(options.suite) - set(known))
    wrong = f"no suite {', '.join(unknown)}; there are {', '.join(known)}" if unknown else _wrong_names(options)
    if wrong is not None:
        parser.error(wrong)
    return options


def _wrong_names(options: argparse.Namespace) -> str | None:
    """Say what is wrong with the methods, models and sets that are asked for, if anything."""
    of_models = [name in EXPLAINING for name in options.suite]
    unknown = sorted(set(options.models or ()) - set(KINDS))
    if unknown:
        return f"no model {', '.join(unknown)}; there are {', '.join(KINDS)}"
    methods = options.methods or ()
    wrong = explainers.complaint(methods) if any(of_models) else None
    wrong = wrong if all(of_models) or wrong is not None else complaint(methods)
    return _unknown_sets(options) if wrong is None else wrong


def _unknown_sets(options: argparse.Namespace) -> str | None:
    """Say which sets none of the suites has, if any."""
    data = find_data(options.data)
    known = {name for name, task in paper_sets(data) if task in options.suite}
    tasks = SIZES | EXPLAINING
    known |= {name for suite in options.suite if suite in tasks for name in size_sets(data, tasks[suite])}
    of_series = {"timeseries", "series_sizes"} & set(options.suite)
    known |= set(series_sets(data)) if of_series and options.sets else set()
    unknown = sorted(set(options.sets or ()) - known)
    return f"no set {', '.join(unknown)}; there are {', '.join(sorted(known))}" if unknown else None


def _at_least(least: int) -> Callable[[str], int]:
    def whole_number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}")
        return int(text)

    return whole_number


if __name__ == "__main__":
    raise SystemExit(main())
