"""Explaining a fitted model: how far lists, trees and other rules of 4 to 30 rules agree with it on unseen rows.

For each set, seed and kind of model: the model with its library's defaults on the training part of the usual 75/25
split, and each explainer of :mod:`benchmarks.explainers` at each budget. A row has

- ``to_model``: the share of test rows with the model's label; for numbers 1 - R² to the model, the mean squared
  difference from the model's values, divided by their variance;
- ``score``, ``model_score``: accuracy or mean squared error on the true targets, of the explainer and of the model;
- ``brier``, ``divergence``: how far class shares are from the model's (:mod:`hedgerow.evidence.agreement`);
- ``by_condition``, ``by_path``: the share of the model's trees that the rules represent;
- ``fit_s``, ``cpu_s``: seconds beyond the model's own fit, of which ``asking_s`` are the model's predictions. Trees on
  the same rows share these predictions: the first of them has the seconds.

What has no budget is measured once, as budget 0, and what explains nothing as model "labels". Three seeds for sets of
fewer than 5,000 rows, one for the others, unless seeds are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.case import SECONDS, Case
from benchmarks.datasets import N_TREES, Table, size_sets
from benchmarks.explained_models import KINDS, coded_table, n_classes, predicted
from benchmarks.explainers import EXPLAINERS, ModelCase
from benchmarks.methods import rules_of
from benchmarks.parallel import Failure, attempt, run_jobs
from benchmarks.results import DIRECTORY, Note, Results, Show
from benchmarks.sizes import LARGE, NO_BUDGET
from benchmarks.tabular import Fitted, check_trees, describe_fit, fit_timed, score
from benchmarks.taught_trees import Lessons
from hedgerow import read_forest
from hedgerow.evidence.agreement import brier, divergence
from hedgerow.evidence.fidelity import represented_trees

#: The sizes that are compared.
BUDGETS = (4, 8, 15, 30)
#: Seeds of small and of large sets.
N_SEEDS, N_SEEDS_LARGE = 3, 1
#: The model of a row of what explains none.
NO_MODEL = "labels"
#: Paths of more leaves than this are not compared with the rules.
MOST_LEAVES = 100_000


@dataclass(frozen=True)
class Wanted:
    """What explains a model, and with how many rules."""

    method: str
    budget: int


@dataclass(frozen=True)
class ModelJob:
    """One model on one split, and all that is to explain it: so the model is fitted once."""

    name: str
    case: Case
    kind: str
    wanted: tuple[Wanted, ...]
    data: Path | None

    def key(self, wanted: Wanted) -> dict[str, Any]:
        """The columns that find a row again."""
        budget = wanted.budget if EXPLAINERS[wanted.method].has_budget else NO_BUDGET
        found = {"name": self.name, "seed": self.case.seed, "model": self.kind}
        return found | {"budget": budget, "method": wanted.method}


@dataclass(frozen=True)
class Explained:
    """A fitted model, its seconds, and what it predicts for the rows of a table.

    Attributes
    ----------
    trees : Forest or None
        Its neutral form, if its leaves are not too many to be compared with rules.
    lessons : Lessons
        What it said about the rows that trees learn from.
    """

    fitted: Fitted
    said: Any
    said_test: Any
    shares_test: Any
    trees: Any
    lessons: Lessons = field(default_factory=Lessons)


def measure(
    task: str,
    suite: str,
    kinds: Sequence[str],
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
    models: Sequence[str] | None = None,
    among: Sequence[str] | None = None,
) -> Results:
    """Run what is not yet in the results: seed by seed, the smallest sets first, model by model.

    What fails is noted, and tried again by the next run; what a method cannot do is noted once. ``among`` are the sets
    that are taken unless others are asked for: all if None, or if the data have none of them.
    """
    results = open_explained(suite, directory)
    check_trees(results, n_trees)
    chosen = [name for name in kinds if KINDS[name].installed and (models is None or name in models)]
    missing = [name for name in kinds if not KINDS[name].installed]
    methods = list(EXPLAINERS) if methods is None else methods
    missing += [name for name in methods if not EXPLAINERS[name].installed]
    if missing:
        note(f"left out: {', '.join(missing)}: not installed")
    methods = [name for name in methods if name not in missing and EXPLAINERS[name].why_not(task) is None]
    known = size_sets(data, task)
    among = [name for name in known if among is None or name in among] or list(known)
    known = {name: rows for name, rows in known.items() if name in (among if sets is None else sets)}
    case = Case(task, 0, n_trees, None, seconds)
    jobs = list(_jobs(case, data, seeds, chosen, methods, known, budgets or BUDGETS, results))
    told: set[str] = set()
    for job, outcome in show(run_jobs(run, jobs, n_workers), len(jobs), suite):
        if isinstance(outcome, Failure):
            note(f"failed: {job.kind} on {job.name}, seed {job.case.seed}: {outcome.message}")
            results.failures.append(outcome)
            continue
        rows = [job.key(wanted) | found for wanted, found in outcome if isinstance(found, dict)]
        if rows:
            results.add(*(row | {"trees": n_trees, "limit": seconds} for row in rows))
        for wanted, found in outcome:
            where = f"{wanted.method} of {job.kind} on {job.name}"
            if isinstance(found, Failure):
                note(f"failed: {where}, seed {job.case.seed}, {wanted.budget} rules: {found.message}")
                results.failures.append(found)
            elif isinstance(found, str) and where not in told:
                told.add(where)
                note(f"left out: {where}: {found}")
    return results


def _jobs(
    case: Case,
    data: Path | None,
    seeds: Iterable[int] | None,
    kinds: Sequence[str],
    methods: Sequence[str],
    sets: dict[str, int],
    budgets: Sequence[int],
    results: Results,
) -> Iterator[ModelJob]:
    """Yield the jobs that are not yet done, in their order."""
    given = None if seeds is None else list(seeds)
    for seed in range(N_SEEDS) if given is None else given:
        for name, n_rows in sets.items():
            if given is None and seed >= (N_SEEDS_LARGE if n_rows >= LARGE else N_SEEDS):
                continue
            at_seed = Case(case.task, seed, case.n_trees, None, case.seconds)
            for kind in (NO_MODEL, *kinds):
                job = ModelJob(name, at_seed, kind, tuple(_wanted(kind, methods, budgets)), data)
                missing = tuple(one for one in job.wanted if tuple(job.key(one).values()) not in results)
                if missing:
                    yield ModelJob(name, at_seed, kind, missing, data)


def _wanted(kind: str, methods: Sequence[str], budgets: Sequence[int]) -> Iterator[Wanted]:
    """Yield what is to explain a kind of model; of no model, what neither sees one nor has a budget."""
    for name in methods:
        method = EXPLAINERS[name]
        if kind == NO_MODEL:
            if not method.needs_model and not method.has_budget:
                yield Wanted(name, NO_BUDGET)
        elif method.takes(kind, KINDS[kind].has_trees):
            if method.has_budget:
                yield from (Wanted(name, b) for b in budgets if not method.budgets or b in method.budgets)
            elif method.needs_model:
                yield Wanted(name, NO_BUDGET)


def open_explained(suite: str, directory: Path = DIRECTORY) -> Results:
    """Return the stored rows of a suite."""
    return Results(suite, ("name", "seed", "model", "budget", "method"), directory)


def run(job: ModelJob) -> list[tuple[Wanted, Any]]:
    """Fit a model, and measure all that explains it: each with its row, its failure, or why it cannot be done."""
    with threadpool_limits(1):
        table = coded_table(job.name, job.case.task, job.data, job.case.seed)
        if job.kind == NO_MODEL:
            return [(one, attempt(partial(_of_no_model, job), one)) for one in job.wanted]
        explained = explain(job.kind, table, job.case)
        return [(one, attempt(partial(_one, job, table, explained), one)) for one in job.wanted]


def explain(kind: str, table: Table, case: Case) -> Explained:
    """Fit a model, and let it predict."""
    fitted = fit_timed(KINDS[kind].make(case.labels, case.seed), table.X, table.y)
    model, trees = fitted.model, None
    shares = model.predict_proba(table.X_test) if case.labels and hasattr(model, "predict_proba") else None
    if KINDS[kind].has_trees:
        forest = read_forest(model)
        trees = forest if sum(tree.n_leaves for tree in forest.trees) <= MOST_LEAVES else None
    return Explained(fitted, predicted(model, table.X), predicted(model, table.X_test), shares, trees)


def _of_no_model(job: ModelJob, wanted: Wanted) -> dict[str, Any]:
    """Return the row of what explains no model."""
    fitted = _on_labels(wanted.method, job.name, job.case, job.data)
    table = coded_table(job.name, job.case.task, job.data, job.case.seed)
    said = fitted.model.predict(table.X_test)
    return {"score": score(table.task, table.y_test, said)} | describe_fit(fitted)


# Those that see no model are fitted once for all kinds of it.
@lru_cache(maxsize=8)
def _on_labels(method: str, name: str, case: Case, data: Path | None) -> Fitted:
    table = coded_table(name, case.task, data, case.seed)
    return fit_timed(EXPLAINERS[method].make(case), table.X, table.y)


def _one(job: ModelJob, table: Table, explained: Explained, wanted: Wanted) -> dict[str, Any] | str:
    """Return the row of one explainer, or why it cannot explain this model."""
    method, base = EXPLAINERS[wanted.method], job.case
    reason = method.why_not(table.task, n_classes(table), len(table.X))
    if reason is not None:
        return reason
    settings = (base.task, base.seed, base.n_trees, wanted.budget, base.seconds)
    if not method.needs_model:
        fitted = _on_labels(wanted.method, job.name, Case(*settings), job.data)
    else:
        case = ModelCase(*settings, explained.fitted.model, explained.lessons)
        try:
            fitted = fit_timed(method.make(case), table.X, explained.said if method.on_predictions else table.y)
        except TimeoutError as error:
            return str(error)
    row = compare(table, explained, fitted)
    if method.needs_model and hasattr(fitted.model, "n_calls_"):
        found = fitted.model
        row |= {"asked": found.n_rows_asked_, "calls": found.n_calls_, "asking_s": found.seconds_["teacher"]}
    return row


def compare(table: Table, explained: Explained, fitted: Fitted) -> dict[str, Any]:
    """Return how well a fitted explainer explains a model."""
    said, model = predicted(fitted.model, table.X_test), fitted.model
    row = {"to_model": to_model(table.task, said, explained.said_test)}
    row |= {"score": score(table.task, table.y_test, said)}
    row |= {"model_score": score(table.task, table.y_test, explained.said_test)}
    row |= describe_fit(fitted) | {"model_cpu_s": explained.fitted.cpu_s}
    if explained.shares_test is not None and hasattr(model, "predict_proba"):
        shares = np.zeros(explained.shares_test.shape)
        shares[:, np.asarray(model.classes_, dtype=int)] = model.predict_proba(table.X_test)
        row |= {"brier": brier(shares, explained.shares_test), "divergence": divergence(shares, explained.shares_test)}
    if explained.trees is not None and rules_of(model) is not None:
        for by in ("condition", "path"):
            row[f"by_{by}"] = represented_trees(rules_of(model), explained.trees, by)
    return row


def to_model(task: str, said: Any, of_model: Any) -> float:
    """Return the share of equal labels, or 1 - R² to the model's values; NaN if these are all the same."""
    if task == "classification":
        return float(np.mean(said == of_model))
    spread = float(np.var(of_model))
    return float(np.mean((said - of_model) ** 2)) / spread if spread else float("nan")


def report(name: str, results: Results) -> str:
    """Return the tables of a suite, as Markdown."""
    from benchmarks.explaining_bars import bar_table
    from benchmarks.explaining_tables import explaining_tables

    frame, of = results.frame(), name.removeprefix("faithful_")
    if frame.empty or "to_model" not in frame:
        return f"No results of {name} yet."
    made = [bar_table(of, frame), *(table for _, table in explaining_tables(of, frame))]
    return "\n\n".join(table.to_markdown() for table in made)


def suite(
    task: str, name: str, kinds: Sequence[str], among: Sequence[str] | None = None
) -> tuple[Callable[..., Results], Callable[[Results], str]]:
    """Return the two functions of a suite: what measures, and what reports."""
    return partial(measure, task, name, kinds, among=among), partial(report, name)
