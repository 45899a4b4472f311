"""The paper's evaluation: ``python -m benchmarks.run --suite classification,regression,timeseries``.

Rows are stored as they are measured; a second call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from benchmarks.datasets import N_TREES, find_data, paper_sets, series_sets
from benchmarks.methods import DEFAULT, METHODS, complaint
from benchmarks.results import DIRECTORY

#: The suites, and whether they compare methods.
SUITES = {"classification": True, "regression": True, "timeseries": False, "series_sizes": False}
_COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suites that are asked for, write their tables and print them; return 1 if anything failed."""
    options = _options(arguments)
    data, n_failed = find_data(options.data), 0
    options.results.mkdir(parents=True, exist_ok=True)
    with Progress(*_COLUMNS, TimeRemainingColumn(), console=Console(stderr=True)) as progress:

        def show(items: Iterable[Any], n_items: int, what: str) -> Iterable[Any]:
            return progress.track(items, total=n_items, description=what)

        def note(text: str) -> None:
            progress.console.print(text, soft_wrap=True, highlight=False, markup=False)

        for name in options.suite:
            suite = import_module(f"benchmarks.{name}")
            settings: dict[str, Any] = {"sets": options.sets, "directory": options.results}
            settings |= {"n_workers": options.jobs, "n_trees": options.trees}
            if SUITES[name]:
                settings |= {"methods": options.methods, "with_fidelity": options.fidelity}
            results = suite.measure(data, options.seeds, show, note, **settings)
            n_failed += len(results.failures)
            for failure in results.failures:
                note(failure.details)
            text = suite.report(results)
            (options.results / f"{name}.md").write_text(text + "\n")
            note(text)
    return int(n_failed > 0)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--suite", default=",".join(SUITES), help=f"of {', '.join(SUITES)}; several with commas")
    parser.add_argument(
        "--methods", default=",".join(DEFAULT), help=f"for tables, of {', '.join(METHODS)} (default: %(default)s)"
    )
    parser.add_argument("--seeds", type=_at_least(0), nargs="+", default=range(10), help="seeds (default: 0 to 9)")
    parser.add_argument("--sets", nargs="+", help="names of data sets (default: all)")
    parser.add_argument(
        "--data", type=Path, help="the directory with MANIFEST.csv (default: ../shared/data; without it OpenML)"
    )
    parser.add_argument("--results", type=Path, default=DIRECTORY, help="where the rows are (default: %(default)s)")
    parser.add_argument("--jobs", type=_at_least(1), default=1, help="processes of one thread (default: %(default)s)")
    parser.add_argument("--trees", type=_at_least(1), default=N_TREES, help="trees of a forest (default: %(default)s)")
    parser.add_argument(
        "--fidelity", action="store_true", help="fit again where a score is stored, but no fidelity was measured"
    )
    options = parser.parse_args(arguments)
    options.suite, options.methods = options.suite.split(","), options.methods.split(",")
    unknown = sorted(set(options.suite) - set(SUITES))
    wrong = f"no suite {', '.join(unknown)}; there are {', '.join(SUITES)}" if unknown else complaint(options.methods)
    if wrong is None:
        wrong = _unknown_sets(options)
    if wrong is not None:
        parser.error(wrong)
    return options


def _unknown_sets(options: argparse.Namespace) -> str | None:
    """Say which sets none of the suites has, if any."""
    data = find_data(options.data)
    known = {name for name, task in paper_sets(data) if task in options.suite}
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
