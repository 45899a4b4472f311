"""The paper's evaluation: ``python -m benchmarks.run --suite classification,regression,timeseries``.

Rows are stored as they are measured; a second call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from benchmarks.datasets import DEFAULT_DIRECTORY
from benchmarks.methods import DEFAULT, METHODS
from benchmarks.results import DIRECTORY

#: The suites, and whether they compare methods.
SUITES = {"classification": True, "regression": True, "timeseries": False}


def main() -> None:
    """Run the suites that are asked for, write their tables and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--suite", default=",".join(SUITES), help=f"of {', '.join(SUITES)}; several with commas")
    parser.add_argument(
        "--methods", default=",".join(DEFAULT), help=f"for tables, of {', '.join(METHODS)} (default: %(default)s)"
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=range(10), help="seeds (default: 0 to 9)")
    parser.add_argument("--sets", nargs="+", help="names of data sets (default: all)")
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    options = parser.parse_args()
    wanted, methods = options.suite.split(","), options.methods.split(",")
    for what, asked, known in (("suite", wanted, SUITES), ("method", methods, METHODS)):
        unknown = sorted(set(asked) - set(known))
        if unknown:
            parser.error(f"no {what} {', '.join(unknown)}; there are {', '.join(known)}")
    with Progress(console=Console(stderr=True)) as progress:

        def show(items: Iterable[Any], what: str) -> Iterable[Any]:
            return progress.track(list(items), description=what)

        for name in wanted:
            suite = import_module(f"benchmarks.{name}")
            compared = {"methods": methods} if SUITES[name] else {}
            text = suite.report(suite.measure(options.data, options.seeds, show, sets=options.sets, **compared))
            (DIRECTORY / f"{name}.md").write_text(text + "\n")
            progress.console.print(text, soft_wrap=True, highlight=False, markup=False)


if __name__ == "__main__":
    main()
