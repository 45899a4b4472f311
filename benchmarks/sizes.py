"""Every size from 2 to 30 rules: each method at each budget, on the paper's sets and those of many classes.

A row per set, seed, budget and method, in files of their own; what has no budget, such as a whole forest, is measured
once, as budget 0. The splits are those of :mod:`benchmarks.tabular`. Ten seeds for sets of fewer than 5,000 rows, three
for the others, unless seeds are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.case import SECONDS, Case
from benchmarks.datasets import N_TREES, size_sets
from benchmarks.methods import METHODS, OF_SIZES
from benchmarks.parallel import Failure, run_jobs
from benchmarks.probabilities import describe_shares
from benchmarks.results import DIRECTORY, Note, Results, Show
from benchmarks.tabular import Job, Outcome, able, cached_forest, cached_table, check_trees, measure_one, why_not

#: The sizes that are compared.
BUDGETS = (2, 4, 8, 15, 30)
#: Seeds of small and of large sets, and from how many rows on a set is large.
N_SEEDS, N_SEEDS_LARGE, LARGE = 10, 3, 5000
#: The budget of a row of what has none.
NO_BUDGET = 0


@dataclass(frozen=True)
class SizeJob(Job):
    """One fit at one size."""

    @property
    def key(self) -> dict[str, Any]:
        """The columns that find its row again."""
        budget = self.case.budget if METHODS[self.method].has_budget else NO_BUDGET
        return {"name": self.name, "seed": self.case.seed, "budget": budget, "method": self.method}


def measure(
    task: str,
    data: Path | None,
    seeds: Iterable[int] | None,
    show: Show,
    note: Note,
    methods: Sequence[str] | None = None,
    sets: Sequence[str] | None = None,
    directory: Path = DIRECTORY,
    n_workers: int = 1,
    n_trees: int = N_TREES,
    budgets: Sequence[int] | None = None,
    seconds: float = SECONDS,
) -> Results:
    """Run what is not yet in the results: seed by seed, the smallest sets first, then by budget and method.

    So what is stored of an unfinished run is balanced. What fails is noted, and tried again by the next run; what a
    method cannot do is noted once.
    """
    results = open_sizes(task, directory)
    check_trees(results, n_trees)
    if methods is None:
        methods = [name for name in OF_SIZES if METHODS[name].installed]
        missing = [name for name in OF_SIZES if not METHODS[name].installed]
        if missing:
            note(f"left out: {', '.join(missing)}: not installed")
    known = {name: rows for name, rows in size_sets(data, task).items() if sets is None or name in sets}
    budgets = BUDGETS if budgets is None else budgets
    jobs = [
        job
        for job in _jobs(task, data, seeds, list(able(task, methods, note)), known, n_trees, budgets, seconds)
        if tuple(job.key.values()) not in results
    ]
    told: set[tuple[str, str]] = set()
    for job, outcome in show(run_jobs(run, jobs, n_workers), len(jobs), f"sizes, {task}"):
        if isinstance(outcome, Failure):
            note(
                f"failed: {job.method} on {job.name}, seed {job.case.seed}, {job.case.budget} rules: {outcome.message}"
            )
            results.failures.append(outcome)
        elif outcome.left_out is None:
            results.add(job.key | outcome.row | {"trees": n_trees, "limit": seconds})
        elif (job.method, job.name) not in told:
            told.add((job.method, job.name))
            note(f"left out: {job.method} on {job.name}: {outcome.left_out}")
    return results


def _jobs(
    task: str,
    data: Path | None,
    seeds: Iterable[int] | None,
    methods: Sequence[str],
    sets: dict[str, int],
    n_trees: int,
    budgets: Sequence[int],
    seconds: float,
) -> Iterable[SizeJob]:
    """Yield the jobs in their order."""
    given = None if seeds is None else list(seeds)
    for seed in range(N_SEEDS) if given is None else given:
        for name, n_rows in sets.items():
            if given is None and seed >= (N_SEEDS_LARGE if n_rows >= LARGE else N_SEEDS):
                continue
            once = [method for method in methods if not METHODS[method].has_budget]
            yield from (SizeJob(name, Case(task, seed, n_trees, None, seconds), method, data) for method in once)
            for budget in budgets:
                case = Case(task, seed, n_trees, budget, seconds)
                yield from (SizeJob(name, case, method, data) for method in methods if METHODS[method].has_budget)


def open_sizes(task: str, directory: Path = DIRECTORY) -> Results:
    """Return the stored rows of a task."""
    return Results(f"sizes_{task}", ("name", "seed", "budget", "method"), directory)


def run(job: SizeJob) -> Outcome:
    """Fit a method and measure it."""
    table = cached_table(job.name, job.case.task, job.data, job.case.seed)
    reason = why_not(job, table)
    if reason is not None:
        return Outcome({}, left_out=reason)
    forest = partial(cached_forest, job.name, job.case, job.data)
    row, model = measure_one(job.method, table, job.case, forest)
    return Outcome(row | (describe_shares(model, table.X_test, table.y_test) if job.case.labels else {}))


def report(task: str, results: Results) -> str:
    """Return the tables of a task, as Markdown."""
    from benchmarks.size_tables import size_tables

    frame = results.frame()
    if frame.empty:
        return f"No results of sizes, {task}, yet."
    return "\n\n".join(table.to_markdown() for _, table in size_tables(task, frame))


def suite(task: str) -> tuple[Callable[..., Results], Callable[[Results], str]]:
    """Return the two functions of a suite: what measures, and what reports."""
    return partial(measure, task), partial(report, task)
