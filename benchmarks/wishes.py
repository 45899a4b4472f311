"""What wishes cost in time, and whether they are kept: ``python -m benchmarks.wishes``.

- ``time``: on ten sets, lists of at most 4 rules from all nodes of the paper's forest, without constraints and with one
  of each kind. Each constraint asks for more than the free list gives, about half of what is possible. Processor time
  is that of the solver and, for constraints, of writing them down. The bars are a median of 10 times the free problem's
  time, and a worst case of 60 s.
- ``monotone``: on the same sets, lists of several trees under ``Monotone``; a million random pairs of points that
  differ in one feature only, drawn within and around the range of the data. The bar is no violation.
- ``recall``: ``MinRecall({"1": 0.8})`` with 1 % positives: exact on the training rows; on others, what the report says.
- ``parity``: accuracy on adult under a limit on the gap between the sexes, beside the fair trees of pystreed.

Rows are stored as they are measured; a second call goes on where the first stopped. The exit code is 1 if a bar is
missed. ``--page`` writes the tables into docs/constraints.md.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import fair_trees, monotone_pairs, rare_positives, wish_times
from benchmarks.datasets import find_data
from benchmarks.generated_page import fill_page
from benchmarks.results import DIRECTORY, Results
from hedgerow.exceptions import PoorListWarning

PAGE = Path(__file__).parents[1] / "docs" / "constraints.md"


@dataclass(frozen=True)
class Part:
    """A part of the benchmark: where its rows are, what they are called, and how they are measured and told."""

    name: str
    keys: tuple[str, ...]
    cases: Callable[[Path | None], list[tuple[Any, ...]]]
    measure: Callable[..., Iterator[dict[str, Any]]]
    lines: Callable[[Any], list[list[str]]]
    verdict: Callable[[Any], tuple[str, bool]]


PARTS = {
    name: Part(f"wishes_{name}", module.KEYS, module.cases, module.measure, module.lines, module.verdict)
    for name, module in {
        "time": wish_times,
        "monotone": monotone_pairs,
        "recall": rare_positives,
        "parity": fair_trees,
    }.items()
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is not yet stored, and print a table per part; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wishes", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"some of {', '.join(PARTS)}; all if none is given")
    parser.add_argument("--data", type=Path, help="the directory of the data")
    parser.add_argument("--results", type=Path, default=DIRECTORY, help="where the rows go")
    parser.add_argument("--sets", nargs="*", help="some of the sets")
    parser.add_argument("--page", action="store_true", help="write the page from what is stored")
    options = parser.parse_args(arguments)
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    warnings.simplefilter("ignore", PoorListWarning)
    data, console, missed = find_data(options.data), Console(highlight=False, soft_wrap=True), False
    for name in options.parts or PARTS:
        part = PARTS[name]
        results = Results(part.name, part.keys, options.results)
        known = {key[: len(case)] for case in part.cases(data)[:1] for key in results.known}
        for case in part.cases(data):
            if case not in known and not (options.sets and case[0] not in options.sets):
                results.add(*part.measure(*case, data))
        if results.rows:
            told, kept = part.verdict(results.frame())
            for line in table(part.lines(results.frame())):
                console.print(line)
            console.print(told)
            missed |= not kept
    if options.page:
        fill_page(PAGE, page(options.results))
    return int(missed)


def table(lines: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(lines[0])} |"
    yield f"|{'---|' * len(lines[0])}"
    for line in lines[1:]:
        yield f"| {' | '.join(line)} |"


def page(directory: Path) -> dict[str, str]:
    """Return what is written into the page: for each part that is stored, what the bars say, and a table."""
    found = {}
    for name, part in PARTS.items():
        results = Results(part.name, part.keys, directory)
        if results.rows:
            told, _ = part.verdict(results.frame())
            body = "\n".join(table(part.lines(results.frame())))
            found[name] = "\n".join([*textwrap.wrap(told, 120), "", body])
    return found


if __name__ == "__main__":
    sys.exit(main())
