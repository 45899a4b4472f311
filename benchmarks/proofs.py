"""Our solver alone on some instances: ``python -m benchmarks.proofs nodes/accurate [--limit 10]``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from rich.console import Console

from benchmarks.instances import load, names
from hedgerow import HedgerowError
from hedgerow.solvers import RowGeneration


def gaps(start: str, limit: float) -> Iterator[tuple[str, float | None]]:
    """Yield the instances whose names start so, with the gap after the limit; None if there is no list."""
    for name in names():
        if name.startswith(start):
            try:
                yield name, RowGeneration().solve(load(name), limit).gap
            except HedgerowError:
                yield name, None


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proofs", description=__doc__)
    parser.add_argument("start", help="how the instances' names start")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for each; default: 10")
    options = parser.parse_args(arguments)
    found, console = [], Console(highlight=False, soft_wrap=True)
    for name, gap in gaps(options.start, options.limit):
        found.append(gap)
        console.print(f"{name} {'no list' if gap is None else f'gap {100 * gap:.2f} %'}")
    console.print(f"proven: {found.count(0.0)} of {len(found)}")


if __name__ == "__main__":
    main()
