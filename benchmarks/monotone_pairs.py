"""A million random pairs of points per set that differ in one feature only, which is larger in one of them.

The list has at most 8 rules from all nodes of 100 trees of depth 4, under `Monotone` for the three columns that are
correlated most with the target, each with the sign of its correlation. Points mix values of the training rows, values
drawn over a range that is wider than theirs, the thresholds of the list themselves, and missing values of other
columns. A violation is a prediction, a probability of the second label or a label that goes the wrong way.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from benchmarks.datasets import load_table
from benchmarks.wish_times import LIMIT, SETS
from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.constraints import Monotone

KEYS = ("name", "feature")
BUDGET, N_FEATURES, N_PAIRS = 8, 3, 1_000_000
_AT_ONCE = 100_000
#: How often a value is taken from the training rows, from a threshold, or missing; the others are drawn over the range.
_KNOWN, _THRESHOLD, _MISSING = 0.4, 0.25, 0.05


def cases(_: Path | None) -> list[tuple[Any, ...]]:
    """Return the names of the sets."""
    return [(name,) for name in SETS]


def measure(name: str, data: Path | None, n_pairs: int = N_PAIRS) -> Iterator[dict[str, Any]]:
    """Yield a row per feature of one set."""
    task = SETS[name]
    table = load_table(name, task, data)
    labels = task == "classification"
    kind = RandomForestClassifier if labels else RandomForestRegressor
    forest = kind(100, max_depth=4, random_state=0).fit(table.X, table.y)
    numbers = pd.factorize(table.y, sort=True)[0] if labels else table.y
    correlation = table.X.corrwith(pd.Series(numbers, index=table.X.index)).dropna()
    signs = {k: int(np.sign(correlation[k])) for k in correlation.abs().nlargest(N_FEATURES).index}
    estimator = (RuleListClassifier if labels else RuleListRegressor)(
        forest, max_rules=BUDGET, candidates="nodes", constraints=[Monotone(signs)], time_limit=LIMIT
    )
    rules = estimator.fit(table.X, table.y)
    n_trees = len(set(rules.pool_.tree[rules.solution_.chosen].tolist()))
    for feature, sign in signs.items():
        counts = np.zeros(3, dtype=np.int64)
        rng = np.random.default_rng(0)
        for _ in range(0, n_pairs // N_FEATURES + 1, _AT_ONCE):
            counts += compare(rules, table.X, feature, sign, min(_AT_ONCE, n_pairs // N_FEATURES + 1), rng)
        about = {"rules": len(rules.rule_list_), "trees": n_trees, "proven": rules.solution_.optimal}
        yield (
            {"name": name, "feature": feature, "sign": sign}
            | about
            | {
                "default": rules.rule_list_.default.kind or "usual",
                "pairs": int(counts[0]),
                "in_gaps": int(counts[1]),
                "violations": int(counts[2]),
            }
        )


def compare(rules: Any, X: Any, feature: str, sign: int, n: int, rng: Any) -> Any:
    """Return the number of drawn pairs, how many have a point that no rule matches, and how many are violations."""
    low, high = points(rules, X, n, rng), points(rules, X, n, rng)
    one, other = (part[feature].to_numpy() for part in (low, high))
    known = ~np.isnan(one) & ~np.isnan(other)
    low, one, other = low[known], one[known], other[known]
    high = low.assign(**{feature: np.maximum(one, other)})
    low = low.assign(**{feature: np.minimum(one, other)})
    gaps = (rules.apply(low) < 0) | (rules.apply(high) < 0)
    wrong = np.zeros(len(low), dtype=bool)
    for said in answers(rules):
        wrong |= sign * (said(high) - said(low)) < 0
    return np.array([len(low), gaps.sum(), wrong.sum()])


def answers(rules: Any) -> list[Any]:
    """Return what must not go the wrong way, as functions of points."""
    if not hasattr(rules, "classes_"):
        return [rules.predict]
    return [lambda X: rules.predict_proba(X)[:, 1], lambda X: (rules.predict(X) == rules.classes_[1]).astype(float)]


def points(rules: Any, X: Any, n: int, rng: Any) -> pd.DataFrame:
    """Return drawn points."""
    found = {}
    allows_missing = rules.forest_.inputs.allows_missing
    for name in X.columns:
        values = X[name].to_numpy(dtype=float)
        margin = 0.2 * (values.max() - values.min()) + 1e-3
        drawn = rng.uniform(values.min() - margin, values.max() + margin, n)
        kind, known = rng.random(n), rng.choice(values, n)
        drawn = np.where(kind < _KNOWN, known, drawn)
        bounds = [
            end
            for rule in rules.rule_list_
            for one in rule.conditions
            if one.feature.name == name
            for end in (one.lower, one.upper)
            if np.isfinite(end)
        ]
        if bounds:
            near = np.nextafter(np.float32(rng.choice(bounds, n)), np.float32(np.inf)).astype(float)
            at = np.where(rng.random(n) < 0.5, rng.choice(bounds, n), near)
            drawn = np.where((kind >= _KNOWN) & (kind < _KNOWN + _THRESHOLD), at, drawn)
        found[name] = np.where((kind > 1 - _MISSING) & allows_missing, np.nan, drawn)
    return pd.DataFrame(found)


def lines(frame: pd.DataFrame) -> list[list[str]]:
    """Return a line per set."""
    found = [["set", "rules", "trees", "default", "pairs", "with a point in a gap", "violations"]]
    for name, rows in frame.groupby("name", sort=False):
        first = rows.iloc[0]
        counts = [f"{int(rows[column].sum()):,}" for column in ("pairs", "in_gaps", "violations")]
        found.append([str(name), str(first["rules"]), str(first["trees"]), str(first["default"]), *counts])
    return found


def verdict(frame: pd.DataFrame) -> tuple[str, bool]:
    """Return what the bar says, and whether it is met."""
    total, pairs, n_sets = int(frame["violations"].sum()), int(frame["pairs"].sum()), frame["name"].nunique()
    told = f"{total} violations among {pairs:,} pairs on {n_sets} sets (bar: none)."
    return told, total == 0
