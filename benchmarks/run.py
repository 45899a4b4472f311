"""The paper's evaluation: ``python -m benchmarks.run --suite timeseries``.

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
from benchmarks.results import DIRECTORY

SUITES = ("timeseries",)


def main() -> None:
    """Run the suites that are asked for, write their tables and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--suite", default=",".join(SUITES), help=f"of {', '.join(SUITES)}; several with commas")
    parser.add_argument("--seeds", type=int, nargs="+", default=range(10), help="seeds (default: 0 to 9)")
    parser.add_argument("--sets", nargs="+", help="names of data sets (default: all)")
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    options = parser.parse_args()
    wanted = options.suite.split(",")
    unknown = sorted(set(wanted) - set(SUITES))
    if unknown:
        parser.error(f"no suite {', '.join(unknown)}; there are {', '.join(SUITES)}")
    with Progress(console=Console(stderr=True)) as progress:

        def show(items: Iterable[Any], what: str) -> Iterable[Any]:
            return progress.track(list(items), description=what)

        for name in wanted:
            suite = import_module(f"benchmarks.{name}")
            text = suite.report(suite.measure(options.data, options.seeds, show, options.sets))
            (DIRECTORY / f"{name}.md").write_text(text + "\n")
            progress.console.print(text, soft_wrap=True, highlight=False, markup=False)


if __name__ == "__main__":
    main()
