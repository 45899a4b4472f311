"""Lists of at most 4 rules from all nodes of the paper's forest (500 trees), with one constraint of each kind.

Each constraint asks for more than the free list gives, if it can: about half of what is possible. Times are
processor seconds. A fit begins with the fitted forest. The solver's time includes that of writing a constraint down.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from benchmarks.datasets import load_table, paper_forest
from hedgerow import InfeasibleError, RuleListClassifier, RuleListRegressor, TimeLimitError
from hedgerow.constraints import (
    Forbid,
    Linear,
    MaxConditions,
    MaxError,
    MaxFeatures,
    MinCoverage,
    MinPrecision,
    MinRecall,
    Monotone,
    ParityGap,
    Require,
)
from hedgerow.pipeline.pose import constrained, solve

KEYS = ("name", "constraint")
SETS = {
    **dict.fromkeys(("heart-c", "ionosphere", "wdbc", "ilpd", "diabetes", "banknote", "FICO"), "classification"),
    **dict.fromkeys(("autoMpg", "boston", "abalone"), "regression"),
}
BUDGET = 4
#: The bars: times the free problem's time, and seconds. A search ends after twice that.
RATIO, WORST = 10.0, 60.0
LIMIT = 2 * WORST
PROVEN = ("optimal", "InfeasibleError")


def cases(_: Path | None) -> list[tuple[Any, ...]]:
    """Return the names of the sets."""
    return [(name,) for name in SETS]


def free_list(name: str, data: Path | None, budget: int = BUDGET) -> tuple[Any, Any]:
    """Return a set, and the best list of its forest without constraints."""
    task = SETS[name]
    table = load_table(name, task, data)
    kind = RuleListClassifier if task == "classification" else RuleListRegressor
    forest = paper_forest(task).fit(table.X, table.y)
    return table, kind(forest, max_rules=budget, candidates="nodes", time_limit=LIMIT).fit(table.X, table.y)


def measure(name: str, data: Path | None) -> Iterator[dict[str, Any]]:
    """Yield a row per constraint."""
    table, rules = free_list(name, data)
    free, (of_fit, _) = rules.posed_, processor_seconds(lambda: rules.fit(table.X, table.y))
    of_solver, _ = processor_seconds(lambda: solve(free, LIMIT))
    for constraint in wishes(table, rules):
        row: dict[str, Any] = {"name": name, "constraint": type(constraint).__name__, "asks": str(constraint)}
        row |= {"candidates": len(free.pool), "rows": len(table.X), "free_fit": of_fit, "free_solver": of_solver}
        posed = replace(free, settings=free.settings.changed(constraints=(constraint,)))
        row["solver"], outcome = processor_seconds(lambda: _solved(posed))  # noqa: B023
        wished = clone(rules, safe=False).set_params(ensemble=rules.ensemble_, constraints=(constraint,))
        row["fit"], _ = processor_seconds(lambda: _fitted(wished, table))  # noqa: B023
        yield row | {"outcome": outcome}


def _fitted(estimator: Any, table: Any) -> None:
    with suppress(InfeasibleError, TimeLimitError):
        estimator.fit(table.X, table.y)


def _solved(free: Any) -> str:
    try:
        solution = solve(constrained(free), LIMIT)
    except (InfeasibleError, TimeLimitError) as error:
        return type(error).__name__
    return "optimal" if solution.optimal else solution.status


def processor_seconds(function: Any) -> tuple[float, Any]:
    """Return the processor time that a call took, and what it returned."""
    started = time.process_time()
    answer = function()
    return time.process_time() - started, answer


def wishes(table: Any, rules: Any) -> Iterator[Any]:
    """Yield constraints that the list does not satisfy."""
    rule_list = rules.rule_list_
    used = {condition.feature.name for rule in rule_list for condition in rule.conditions}
    n_conditions = sum(len(rule.simplified) for rule in rule_list)
    unused = [name for name in table.X.columns if name not in used]
    correlation = table.X.corrwith(
        pd.Series(pd.factorize(table.y, sort=True)[0] if hasattr(rules, "classes_") else table.y)
    )
    yield MaxFeatures(max(1, len(used) - 1))
    yield MaxConditions(total=n_conditions - 1)
    yield Forbid(feature=next(iter(used)))
    yield Require(feature=unused[0] if unused else next(iter(used)))
    yield MinCoverage(min(rule.coverage for rule in rule_list) + 1)
    yield Linear(lambda rule: len(rule.simplified) ** 2, upper=0.6 * sum(len(r.simplified) ** 2 for r in rule_list))
    yield Monotone({name: -1 if correlation[name] < 0 else 1 for name in list(used)[:2]})
    error = _error(table.y, rules.predict(table.X), rules)
    yield MaxError(_half(rules, MaxError(0.0), error))
    if hasattr(rules, "classes_"):
        yield from _of_labels(table, rules)


def _of_labels(table: Any, rules: Any) -> Iterator[Any]:
    """Yield constraints on labels that the list does not satisfy."""
    said, y = rules.predict(table.X), np.asarray(table.y)
    label = min(rules.classes_, key=lambda one: np.mean(said[y == one] == one))
    yield MinRecall({label: _half(rules, MinRecall({label: 1.0}), float(np.mean(said[y == label] == label)))})
    right = {one: float(np.mean(y[said == one] == one)) for one in np.unique(said)}
    label = min(right, key=right.get)  # type: ignore[arg-type]
    yield MinPrecision({label: _half(rules, MinPrecision({label: 1.0}), right[label])})
    gaps = {}
    for name in table.X.columns:
        group = (table.X[name] > table.X[name].median()).to_numpy()
        if 0.1 < group.mean() < 0.9:
            chosen = said == rules.classes_[1]
            gaps[name] = abs(chosen[group].mean() - chosen[~group].mean())
    name = max(gaps, key=gaps.get)  # type: ignore[arg-type]
    yield ParityGap((table.X[name] > table.X[name].median()).to_numpy(), round(gaps[name] / 2, 4))


def _error(y: Any, said: Any, rules: Any) -> float:
    return float(np.mean(said != y) if hasattr(rules, "classes_") else np.mean((said - y) ** 2))


def _half(rules: Any, strictest: Any, now: float) -> float:
    """Return the bound halfway from what a list has to what is possible."""
    possible = 0.0 if isinstance(strictest, MaxError) else 1.0
    try:
        solve(
            constrained(replace(rules.posed_, settings=rules.posed_.settings.changed(constraints=(strictest,)))), LIMIT
        )
    except InfeasibleError as error:
        own = [one for one in error.conflicts if type(one.constraint) is type(strictest)]
        possible = own[0].possible if own and own[0].possible is not None else now
    return float((now + possible) / 2)


def lines(frame: pd.DataFrame) -> list[list[str]]:
    """Return a line per kind of constraint."""
    columns = ["fit: median ratio", "worst", "worst s", "solver: median ratio", "worst s"]
    found = [["constraint", "sets", "proven", *columns]]
    for kind, rows in frame.groupby("constraint", sort=False):
        fit, solver = rows["fit"] / rows["free_fit"], rows["solver"] / rows["free_solver"]
        numbers = [f"{fit.median():.2f}", f"{fit.max():.1f}", f"{rows['fit'].max():.2f}"]
        numbers += [f"{solver.median():.1f}", f"{rows['solver'].max():.2f}"]
        found.append([f"`{kind}`", str(len(rows)), str(int(rows["outcome"].isin(PROVEN).sum())), *numbers])
    return found


def verdict(frame: pd.DataFrame) -> tuple[str, bool]:
    """Return what the bars say, and whether they are met."""
    fit, solver = frame["fit"] / frame["free_fit"], frame["solver"] / frame["free_solver"]
    proven, of_kinds = frame["outcome"].isin(PROVEN), fit.groupby(frame["constraint"]).median()
    n_without = int((frame["outcome"] == PROVEN[1]).sum())
    told = (
        f"{int(proven.sum())} of {len(frame)} problems are proven ({n_without} of them to have no list). A fit takes "
        f"{fit.median():.2f} times as long as without the constraint (median; bar: {RATIO:g}); for the kind of "
        f"constraint that takes longest, {of_kinds.max():.2f} times. The solver alone takes {solver.median():.1f} "
        f"times as long (median), because the free problem takes it {1000 * frame['free_solver'].median():.0f} ms. The "
        f"worst case is {frame['fit'].max():.1f} s (bar: {WORST:g} s)."
    )
    return told, bool(of_kinds.max() <= RATIO and frame["fit"].max() <= WORST and proven.all())
