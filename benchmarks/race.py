"""Race two solvers, or two commits, on the instances: ``python -m benchmarks.race [--solvers ours,gurobi]``.

``--commits A,B`` checks both commits out into temporary worktrees and runs the default solver of each; "." stands for
the files as they are. Every instance is solved by both sides before the next one begins, each in a process of its own.
Processor time counts, because the clock depends on who else uses the machine. Gurobi gets the paper's formulation with
all rows and one thread, and only instances within its free licence, 2000 rules and 2000 rows.

The solvers stop by the clock. Where a machine is so busy that a process gets a fraction of its seconds, ``--stretch 4``
lets each run for four times as long by the clock; a proof counts only if it took ``--limit`` of the processor's time.

Both are asked the same question: where there is no list, our ``solve`` would also look for the smallest budget that
has one, which its error names; that takes up to two seconds and is left out.

Rows are stored as they are measured in ``results/race_LEFT_RIGHT.csv``; a second call goes on where the first stopped.
Rows of other versions of the code stay in the file and are left out of the summary. Beside the file, a performance
profile (Dolan and Moré) is drawn and a table written.

The exit status is 1 if two sides disagree: if both claim a proof of different objectives, if one has a list better than
the other's bound, or if one says that there is no list and the other has one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console

from benchmarks.instances import FAMILIES, load, names
from benchmarks.instances.storage import CACHE, path_of
from benchmarks.race_report import disagreement, draw_profile, markdown, summary
from benchmarks.race_sides import SIDES, Side, checked_out
from benchmarks.results import DIRECTORY, Results

KEYS = ("name", "limit", "stretch", "left_code", "right_code")
#: Runs that take less than this many seconds are repeated, and the fastest counts.
_SHORT, _REPEATS = 0.3, 3
_LICENCE = 2000


def main(arguments: Sequence[str] | None = None) -> int:
    """Race, print the summary, and return the exit status."""
    options = _parse(arguments)
    console = Console(stderr=True, soft_wrap=True, markup=False, highlight=False)
    with ExitStack() as stack:
        sides = _sides(options, stack)
        label = "_".join(side.label for side in sides)
        results = Results(f"race_{label}", KEYS, options.directory)
        chosen = options.instances or names(options.families, options.seeds)
        for name in chosen:
            row = measure(name, sides, options.limit, results, options.stretch)
            if row is not None:
                console.print(_line(row, sides))
        frame = results.frame()
        keys = [(name, options.limit, options.stretch, *(side.code for side in sides)) for name in chosen]
        frame = _rows(frame, keys)
    return report(frame, tuple(side.label for side in sides), results.path, options.limit)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.race", description=__doc__.partition("\n\n")[0])
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--solvers", default="ours,gurobi", help=f"two of {', '.join(SIDES)}")
    who.add_argument("--commits", help="two commits, such as main,HEAD; . stands for the files as they are")
    parser.add_argument(
        "--families", type=_list, default=None, help=f"of quick, {', '.join(FAMILIES)}; default: all of these"
    )
    parser.add_argument("--instances", type=_list, default=None, help="only these, by name")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for each run; default: 10")
    parser.add_argument(
        "--stretch", type=float, default=1.0, help="seconds by the clock for each second of the limit; default: 1"
    )
    parser.add_argument("--seeds", type=_numbers, default=(0,), help="seeds of the instances, such as 0,1,2")
    parser.add_argument("--directory", type=Path, default=DIRECTORY, help="where the results are")
    options = parser.parse_args(arguments)
    two = _list(options.commits or options.solvers)
    if len(two) != 2:
        parser.error("a race is one of two: --solvers ours,gurobi or --commits A,B")
    if not options.commits and set(two) - set(SIDES):
        parser.error(f"no solver {', '.join(sorted(set(two) - set(SIDES)))}; there are {', '.join(SIDES)}")
    options.two = two
    return options


def _list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in _list(text))


def _sides(options: argparse.Namespace, stack: ExitStack) -> list[Side]:
    """Return the two sides, each with its process."""
    if options.commits:
        return [stack.enter_context(Side.of_commit(stack.enter_context(checked_out(one)), one)) for one in options.two]
    return [stack.enter_context(Side.of_solver(one)) for one in options.two]


def measure(
    name: str, sides: Sequence[Side], limit: float, results: Results, stretch: float = 1.0, cache: Path = CACHE
) -> dict[str, Any] | None:
    """Let both sides solve an instance; return the row, or None if it is there or not for one of them."""
    key = (name, limit, stretch, *(side.code for side in sides))
    if key in results:
        return None
    problem = load(name, cache)
    n_rows = problem.n_samples + (problem.max_rules is not None) + (0 if problem.rows is None else len(problem.rows))
    free = problem.n_rules <= _LICENCE and n_rows <= _LICENCE
    if not free and any(side.licensed for side in sides):
        return None
    row: dict[str, Any] = dict(zip(KEYS, key, strict=True))
    row |= {"family": name.partition("/")[0], "samples": problem.n_samples, "rules": problem.n_rules}
    row |= {"budget": problem.max_rules, "free_licence": free}
    del problem
    # Who starts alternates, so that neither profits from what the other leaves in the processor's cache.
    first = len(results.rows) % 2
    runs: list[list[dict[str, Any]]] = [[], []]
    for _ in range(_REPEATS):
        for k in (first, 1 - first):
            runs[k].append(sides[k].solve(path_of(name, cache), stretch * limit))
        if any(part[-1]["cpu"] > _SHORT or part[-1]["status"] == "failed" for part in runs):
            break
    for which, part in zip(("left", "right"), runs, strict=True):
        row |= {f"{which}_{what}": value for what, value in min(part, key=lambda run: run["cpu"]).items()}
    # Now, because the file has six digits of each number.
    row["disagreement"] = disagreement(row, (sides[0].label, sides[1].label))
    results.add(row)
    return row


def _rows(frame: pd.DataFrame, keys: Sequence[tuple[Any, ...]]) -> pd.DataFrame:
    """Return the rows with these keys."""
    wanted = set(keys)
    found = [tuple(row) in wanted for row in frame[list(KEYS)].itertuples(index=False)] if len(frame) else []
    return frame[found]


def _line(row: dict[str, Any], sides: Sequence[Side]) -> str:
    """Say in a line what came of an instance."""
    parts = [
        f"{side.label} {row[f'{which}_status']} {row[f'{which}_cpu']:.3f} s ({row[f'{which}_clock']:.3f} by the clock)"
        for which, side in zip(("left", "right"), sides, strict=True)
    ]
    return f"{row['name']}: {'; '.join(parts)}" + (
        f"\n    DISAGREE: {row['disagreement']}" if row["disagreement"] else ""
    )


def report(frame: pd.DataFrame, labels: tuple[str, str], path: Path, limit: float) -> int:
    """Print the summary, draw the profile, write the table; return 1 if two sides disagree."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    if frame.empty:
        console.print("Nothing was raced.")
        return 0
    # How long a side takes for a wrong answer does not count.
    wrong = frame[frame["disagreement"].fillna("") != ""]
    agreed = frame.drop(index=wrong.index)
    if len(agreed):
        for line in summary(agreed, labels):
            console.print(line)
        path.with_suffix(".md").write_text(markdown(agreed, labels, limit))
        draw_profile(agreed, labels, path.with_suffix(".png"), limit)
        console.print(f"rows in {path.name}; {path.with_suffix('.md').name}, {path.with_suffix('.png').name}")
    if len(wrong):
        console.print(f"\nERROR: {len(wrong)} DISAGREEMENTS, left out above", style="bold red")
        for name, what in zip(wrong["name"], wrong["disagreement"], strict=True):
            console.print(f"{name}: {what}", style="red")
    return 1 if len(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
