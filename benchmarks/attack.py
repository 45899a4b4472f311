"""Attack the solver: ``python -m benchmarks.attack [--part small,forests] [--n N] [--seed S]``.

``small``
    15,000 problems of a few rules with odd scores and extra rows (:mod:`benchmarks.attack_draws`), against all their
    lists in exact rational arithmetic (:mod:`benchmarks.exact`).
``forests``
    3,000 drawn forests (:mod:`benchmarks.instances.drawn`), against Gurobi within its free licence.

What can be wrong with an answer to a small problem: "wrong proof" (the list is worse than the best), "wrong bound" (one
below the best), "wrong infeasible", "wrong list" (it violates something), "wrong objective", "wrong advice" (about the
smallest budget that works), "gap" (not a number, or negative), "error", "warning" (of a computation, such as an
overflow) and "no proof". With forests: "disagree", "gap" and "error"; "not proven in time" is counted, but no failure.

Rows are stored for each batch of problems, so that a second call goes on where the first stopped. The summary lists the
seeds that failed; ``--only SEED`` runs one again and shows it. The exit status is 1 if something failed.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

import hedgerow
from benchmarks.attack_draws import draw, written
from benchmarks.exact import faults, faults_of_infeasible, find_truth
from benchmarks.instances.drawn import drawn
from benchmarks.parallel import run_jobs
from benchmarks.race_report import PROVEN, disagreement
from benchmarks.race_sides import SIDES, fingerprint, make_solver, solved
from benchmarks.results import DIRECTORY, Results
from hedgerow.exceptions import InfeasibleError, TimeLimitError

KEYS = ("part", "solver", "code", "start", "size", "kind")
#: How many problems there are.
NUMBERS = {"small": 15_000, "forests": 3_000}
_BATCH = {"small": 250, "forests": 25}
#: Seconds for each problem, by the clock.
_SECONDS = {"small": 10.0, "forests": 10.0}
#: What is counted, but is no failure.
HARMLESS = ("not proven in time",)

Found = list[tuple[int, str, list[str]]]


def small(seed: int, solver: Any) -> tuple[str, list[str]]:
    """Return the kind of a small problem, and what is wrong with the answer."""
    problem, kinds = draw(seed)
    truth = find_truth(problem)
    found = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found += faults(problem, truth, solver.solve(problem, _SECONDS["small"]))
        except InfeasibleError as error:
            found += faults_of_infeasible(problem, truth, str(error))
        except TimeLimitError:
            found.append("no proof")
        except Exception as error:  # whatever a solver raises is what is looked for
            found.append(f"error {type(error).__name__}")
    if any(issubclass(one.category, RuntimeWarning) for one in caught):
        found.append("warning")
    return f"{kinds[0]} covered, {kinds[1]} scores, {kinds[2]} rows", found


def forest(seed: int, solver: Any) -> tuple[str, list[str]]:
    """Return the kind of a drawn forest's problem, and where the solver and Gurobi contradict each other."""
    problem = drawn(np.random.default_rng(seed), most_rows=600, most_trees=200)
    kind = "no budget" if problem.max_rules is None else "few rules" if problem.max_rules <= 8 else "many rules"
    rows = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for side, which in (("left", solver), ("right", make_solver("gurobi"))):
            rows |= {f"{side}_{name}": value for name, value in solved(which, problem, _SECONDS["forests"]).items()}
    found = [f"disagree: {said}"] if (said := disagreement(rows, ("ours", "gurobi"))) else []
    if rows["left_status"] == "failed":
        found.append(f"error {rows['left_message'].partition(':')[0]}")
    elif rows["left_status"] not in PROVEN:
        found.append("not proven in time")
    objective, bound = rows["left_objective"], rows["left_bound"]
    if objective is not None and bound is not None and not bound >= objective:
        found.append("gap")
    return kind, found


PARTS: dict[str, Callable[[int, Any], tuple[str, list[str]]]] = {"small": small, "forests": forest}


def batch(job: tuple[str, str, int, int]) -> Found:
    """Return (seed, kind, what is wrong) for the problems of a batch."""
    part, name, start, number = job
    solver = make_solver(name)
    return [(seed, *PARTS[part](seed, solver)) for seed in range(start, start + number)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack, print the summary, and return the exit status."""
    options = _parse(arguments)
    console = Console(soft_wrap=True, markup=False, highlight=False)
    if options.only is not None:
        return replay(options.parts[0], options.solver, options.only, console)
    results = Results("attack", KEYS, options.directory)
    source = Path(hedgerow.__file__).parents[1]
    code, failed = fingerprint(source), False
    for part in options.parts:
        number = options.n or NUMBERS[part]
        todo = list(_batches(part, number, options.seed))
        _run(part, options, code, todo, results)
        failed |= _summarize(part, _rows_of(results, part, options.solver, code, todo), console)
    return 1 if failed else 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--part", default="small,forests", help="small, forests, or both, which is the default")
    parser.add_argument("--n", type=int, help="how many problems of each part; default: 15000 and 3000")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other problems")
    parser.add_argument("--only", type=int, help="run this problem of the first part, and show it")
    parser.add_argument("--solver", default="ours", choices=SIDES, help="who is attacked; default: ours")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--directory", type=Path, default=DIRECTORY, help="where the results are")
    options = parser.parse_args(arguments)
    options.parts = [part.strip() for part in options.part.split(",")]
    if set(options.parts) - set(PARTS):
        parser.error(f"parts are {', '.join(PARTS)}")
    return options


def _batches(part: str, number: int, seed: int) -> Iterator[tuple[int, int]]:
    """Yield the first seed and the size of each batch."""
    first = seed * 10**6
    for start in range(first, first + number, _BATCH[part]):
        yield start, min(_BATCH[part], first + number - start)


def _run(part: str, options: argparse.Namespace, code: str, todo: Sequence[tuple[int, int]], results: Results) -> None:
    """Run the batches that are not there yet, and store a row for each kind of problem in each."""
    there = {row["start"] for row in _rows_of(results, part, options.solver, code, todo)}
    jobs = [(part, options.solver, start, size) for start, size in todo if start not in there]
    with Progress(console=Console(stderr=True)) as progress:
        for job, found in progress.track(run_jobs(batch, jobs, options.processes), len(jobs), description=part):
            if not isinstance(found, list):
                raise SystemExit(f"The attack itself failed at {job}: {found.details}")
            results.add(*_as_rows(dict(zip(KEYS, (part, options.solver, code, *job[2:]), strict=False)), found))


def _as_rows(key: dict[str, Any], found: Found) -> Iterator[dict[str, Any]]:
    kinds = defaultdict(list)
    for seed, kind, wrong in found:
        kinds[kind].append((seed, wrong))
    for kind, seeds in sorted(kinds.items()):
        told = "; ".join(f"{seed} {what}" for seed, wrong in seeds for what in wrong)
        yield key | {"kind": kind, "problems": len(seeds), "found": told}


def _rows_of(
    results: Results, part: str, solver: str, code: str, todo: Sequence[tuple[int, int]]
) -> list[dict[str, Any]]:
    wanted = {(part, solver, code, *which) for which in todo}
    return [row for row in results.rows if tuple(row[name] for name in KEYS[:-1]) in wanted]


def _summarize(part: str, rows: Sequence[dict[str, Any]], console: Console) -> bool:
    """Print a line per kind of problem and the seeds per kind of failure; return whether something failed."""
    problems: Counter[str] = Counter()
    n_problems = 0
    failures: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seeds: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        kinds = row["kind"].split(", ")
        problems.update(dict.fromkeys(kinds, row["problems"]))
        n_problems += row["problems"]
        for told in str(row["found"]).split("; ") if isinstance(row["found"], str) and row["found"] else []:
            seed, _, what = told.partition(" ")
            for kind in kinds:
                failures[kind][what.partition(":")[0]] += 1
            seeds[what.partition(":")[0]].append(int(seed))
    console.print(f"{part}: {n_problems} problems")
    for kind in sorted(problems, key=lambda kind: (kind.endswith("rows"), kind)):
        told = ", ".join(f"{what} {count}" for what, count in failures[kind].most_common())
        console.print(f"  {kind}: {problems[kind]}{f', of them {told}' if told else ''}")
    for what, which in sorted(seeds.items()):
        console.print(f"{part}: {what}: {len(which)}, seeds {', '.join(map(str, sorted(which)[:40]))}")
    if not set(seeds) - set(HARMLESS):
        console.print(f"{part}: nothing is wrong")
    return bool(set(seeds) - set(HARMLESS))


def replay(part: str, name: str, seed: int, console: Console) -> int:
    """Run one problem again and show it; return the exit status."""
    solver = make_solver(name)
    kind, wrong = PARTS[part](seed, solver)
    console.print(f"{seed}: {kind}: {', '.join(wrong) or 'nothing is wrong'}")
    if part == "small":
        problem, kinds = draw(seed)
        truth = find_truth(problem)
        console.print(f"{', '.join(kinds)}\n{written(problem)}")
        console.print(f"fewest {truth.fewest}, best {truth.best}, optimum {float(truth.optimum)!r}")
        shown = partial(solved, solver, problem, _SECONDS[part])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            console.print(f"{name}: {shown()}")
    return 1 if set(wrong) - set(HARMLESS) else 0


if __name__ == "__main__":
    sys.exit(main())
