"""Our solver alone on some instances: ``python -m benchmarks.proofs nodes/accurate [--limit 10]``.

The limit counts processor time. Rows are kept in ``results/proofs.csv``, so that a run goes on where the last one
ended; without that file, everything is measured again.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.instances import load, names
from benchmarks.processor_clock import limits_in_processor_time
from benchmarks.results import DIRECTORY, Results
from benchmarks.selection import processor_seconds
from hedgerow import HedgerowError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.solvers import RowGeneration

Row = dict[str, Any]


def measured(start: str, limit: float, results: Results, *, kept: bool = False) -> Iterator[Row]:
    """Yield the rows of the instances whose names start so; those that are not there yet are measured, or left out."""
    for name in names():
        if name.startswith(start) and (not kept or (name, limit) in results):
            if (name, limit) not in results:
                problem = load(name)
                budget = math.nan if problem.max_rules is None else problem.max_rules
                sizes = {"samples": problem.n_samples, "candidates": problem.n_rules, "budget": budget}
                results.add({"name": name, "limit": limit, **sizes, **outcome(problem, limit)})
            yield next(row for row in results.rows if (row["name"], row["limit"]) == (name, limit))


def outcome(problem: PartitionProblem, limit: float) -> Row:
    """Return the gap after the limit, which is not a number if there is no list, and the processor time taken."""

    def gap() -> float:
        try:
            return RowGeneration().solve(problem, limit).gap
        except HedgerowError:
            return math.nan

    with limits_in_processor_time():
        taken, left = processor_seconds(gap)
    return {"gap": left, "seconds": taken}


def by_budget(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line for each budget, and one for all rows: how many are proven."""
    rows = sorted(rows, key=lambda row: (math.isnan(row["budget"]), row["budget"]))
    for budget, some in groupby(rows, key=lambda row: "no budget" if math.isnan(row["budget"]) else row["budget"]):
        yield f"{budget if isinstance(budget, str) else f'{budget:.0f} rules'}: {_proven(list(some))}"
    yield f"proven: {_proven(rows)}"


def _proven(rows: Sequence[Row]) -> str:
    return f"{sum(row['gap'] == 0.0 for row in rows)} of {len(rows)}"


def main(arguments: Sequence[str] | None = None, directory: Path = DIRECTORY) -> None:
    """Solve and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proofs", description=__doc__)
    parser.add_argument("start", help="how the instances' names start")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for each; default: 10")
    parser.add_argument("--kept", action="store_true", help="print what has been measured, and measure nothing")
    options = parser.parse_args(arguments)
    results = Results("proofs", ("name", "limit"), directory)
    found, console = [], Console(highlight=False, soft_wrap=True)
    for row in measured(options.start, options.limit, results, kept=options.kept):
        found.append(row)
        gap = row["gap"]
        console.print(f"{row['name']} {'no list' if math.isnan(gap) else f'gap {100 * gap:.2f} %'}")
    for line in by_budget(found):
        console.print(line)


if __name__ == "__main__":
    main()
