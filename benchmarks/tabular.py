"""The paper's experiments on tables, and the same budgets for other methods.

For each set and seed: a random 75/25 split, each method of
:mod:`benchmarks.methods` fitted to the training part, its accuracy or mean
squared error on the test part, its number of rules and the seconds of its fit.
The test targets are seen by nothing but the score.

Methods that give their rules also have rows in a second file: how true they are,
on the test part, to the paper's forest of the same seed (``of`` is "forest"), and,
where theirs is another, to their own ensemble ("own").
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, mean_squared_error

from benchmarks.datasets import N_TREES, Table, load_table, paper_sets
from benchmarks.methods import DEFAULT, METHODS, Case, count_rules, rules_of
from benchmarks.parallel import Failure, run_jobs
from benchmarks.results import DIRECTORY, Note, Results, Show, seconds
from benchmarks.tabular_report import REFERENCES, report
from hedgerow.evidence.fidelity import summarize


@dataclass(frozen=True)
class Job:
    """One fit: a set, a case, a method."""

    name: str
    case: Case
    method: str
    data: Path | None

    @property
    def key(self) -> dict[str, Any]:
        """The columns that find its row again."""
        return {"name": self.name, "seed": self.case.seed, "method": self.method}


@dataclass(frozen=True)
class Outcome:
    """What a job measured: a row, and the rows of fidelity; or why there is nothing to measure."""

    row: dict[str, Any]
    fidelity: tuple[dict[str, Any], ...] = ()
    left_out: str | None = None


def measure(
    task: str,
    data: Path | None,
    seeds: Iterable[int],
    show: Show,
    note: Note,
    methods: Sequence[str] = DEFAULT,
    sets: Sequence[str] | None = None,
    directory: Path = DIRECTORY,
    n_workers: int = 1,
    n_trees: int = N_TREES,
    with_fidelity: bool = False,
) -> Results:
    """Run what is not yet in the results, seed by seed, the smallest sets first.

    With ``with_fidelity`` a row whose fidelity was never measured counts as not yet there: the method is fitted again,
    and the row stays as it is. What fails is noted, and tried again by the next run.
    """
    results, fidelity = open_results(task, directory)
    check_trees(results, n_trees)
    known = [name for name, of in paper_sets(data) if of == task and (sets is None or name in sets)]
    methods = list(able(task, methods, note))
    jobs = [Job(name, Case(task, seed, n_trees), m, data) for seed in seeds for name in known for m in methods]
    measured = {key[:3] for key in fidelity.known}
    jobs = [
        job
        for job in jobs
        if tuple(job.key.values()) not in results
        or (with_fidelity and _has_rules(job.method) and tuple(job.key.values()) not in measured)
    ]
    for job, outcome in show(run_jobs(run, jobs, n_workers), len(jobs), task):
        if isinstance(outcome, Failure):
            note(f"failed: {job.method} on {job.name}, seed {job.case.seed}: {outcome.message}")
            results.failures.append(outcome)
            continue
        if outcome.left_out is not None:
            note(f"left out: {job.method} on {job.name}: {outcome.left_out}")
            continue
        # The score last: what has one has been measured to the end.
        for row in outcome.fidelity:
            if (*job.key.values(), row["of"]) not in fidelity:
                fidelity.add(job.key | row)
        if tuple(job.key.values()) not in results:
            results.add(job.key | outcome.row | {"trees": n_trees})
    return results


def check_trees(results: Results, n_trees: int) -> None:
    """Refuse to mix forests of several sizes in one file; rows of the first runs do not say theirs, the usual one."""
    frame = results.frame()
    said = frame["trees"].fillna(N_TREES) if "trees" in frame else pd.Series(N_TREES, index=frame.index)
    others = sorted(set(said.astype(int)) - {n_trees})
    if others:
        raise SystemExit(
            f"{results.path} has rows of forests of {others[0]} trees, not of {n_trees}. "
            "Say with --results where the others shall go."
        )


def open_results(task: str, directory: Path = DIRECTORY) -> tuple[Results, Results]:
    """Return the stored rows of a task: of the scores, and of fidelity."""
    keys = ("name", "seed", "method")
    return Results(task, keys, directory), Results(f"{task}_fidelity", (*keys, "of"), directory)


def able(task: str, methods: Iterable[str], note: Note) -> Iterator[str]:
    """Yield the methods that are for a task, and note which are not."""
    for name in methods:
        reason = METHODS[name].why_not(task)
        if reason is None:
            yield name
        else:
            note(f"left out: {name} in {task}: {reason}")


def _has_rules(method: str) -> bool:
    """Say whether a method gives its rules in a form whose fidelity can be measured."""
    return method not in REFERENCES and not METHODS[method].packages


def run(job: Job) -> Outcome:
    """Fit a method and measure it."""
    table = cached_table(job.name, job.case.task, job.data, job.case.seed)
    reason = why_not(job, table)
    if reason is not None:
        return Outcome({}, left_out=reason)
    row, model = measure_one(job.method, table, job.case, partial(cached_forest, job.name, job.case, job.data))
    if rules_of(model) is None:
        return Outcome(row)
    return Outcome(row, tuple(measure_fidelity(model, cached_forest(job.name, job.case, job.data).model, table)))


def why_not(job: Job, table: Table) -> str | None:
    """Say why a method cannot do a set, if so."""
    n_classes = len(np.unique(table.y)) if job.case.labels else 0
    return METHODS[job.method].why_not(table.task, n_classes, len(table.X))


# The methods of one set and seed follow each other, and share both.
cached_table = lru_cache(maxsize=1)(load_table)


@dataclass(frozen=True)
class Fitted:
    """A model, and the seconds that its fit took: by the clock, and of the processor."""

    model: Any
    fit_s: float
    cpu_s: float


@lru_cache(maxsize=1)
def cached_forest(name: str, case: Case, data: Path | None) -> Fitted:
    """Return the paper's forest."""
    return fit("forest", cached_table(name, case.task, data, case.seed), case)


def fit(method: str, table: Table, case: Case, forest: Callable[[], Fitted] | None = None) -> Fitted:
    """Fit a method to the training part.

    One that is on the paper's forest gets it from ``forest``, if that is given; its seconds count those of the forest.
    """
    model, before = METHODS[method].make(case), Fitted(None, 0.0, 0.0)
    if forest is not None and METHODS[method].on_forest:
        before = forest()
        model.set_params(ensemble=before.model)
    # What other packages warn of is their business.
    fitted = fit_timed(model, table.X, table.y, Warning if METHODS[method].packages else ConvergenceWarning)
    return Fitted(model, before.fit_s + fitted.fit_s, before.cpu_s + fitted.cpu_s)


def fit_timed(model: Any, X: Any, y: Any, ignored: type[Warning] = Warning) -> Fitted:
    """Fit a model without its warnings of a kind."""
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ignored)
        spent, _ = seconds(lambda: model.fit(X, y))
    return Fitted(model, spent, time.process_time() - started)


def measure_one(
    method: str, table: Table, case: Case, forest: Callable[[], Fitted] | None = None
) -> tuple[dict[str, Any], Any]:
    """Return one row, score on the test part, number of rules, seconds of the fit; and the model.

    Whether a solver proved its answer is in "status", the proved distance in "gap".
    """
    fitted = fit(method, table, case, forest)
    said = fitted.model.predict(table.X_test)
    return {"score": score(table.task, table.y_test, said)} | describe_fit(fitted), fitted.model


def score(task: str, truth: Any, said: Any) -> float:
    """Return the accuracy, or the mean squared error."""
    return float((accuracy_score if task == "classification" else mean_squared_error)(truth, said))


def describe_fit(fitted: Fitted) -> dict[str, Any]:
    """Return the columns that no test row is needed for: rules, seconds, and whether a solver proved its answer."""
    model = fitted.model
    row = {"rules": count_rules(model), "fit_s": fitted.fit_s, "cpu_s": fitted.cpu_s}
    solution = getattr(model, "solution_", None)
    if solution is not None:
        row |= {"status": solution.status, "gap": solution.gap}
    elif hasattr(model, "status_"):
        row["status"] = model.status_
    return row


def measure_fidelity(model: Any, forest: Any, table: Table) -> Iterator[dict[str, Any]]:
    """Yield how true the rules of a model are to the paper's forest, and to their own ensemble if it is another."""
    ensembles = {"forest": forest}
    if not _alike(model.ensemble_, forest):
        ensembles["own"] = model.ensemble_
    for of, ensemble in ensembles.items():
        found = asdict(summarize(rules_of(model), ensemble, table.X_test))
        yield {"of": of} | {name: value for name, value in found.items() if value is not None}


def _alike(one: Any, other: Any) -> bool:
    """Say whether two ensembles are of one kind with the same settings; fitted to the same data, they are the same."""
    return type(one) is type(other) and one.get_params() == other.get_params()


def suite(task: str) -> tuple[Callable[..., Results], Callable[[Results], str]]:
    """Return the two functions of a suite: what measures, and what reports."""
    return partial(measure, task), partial(report, task)
