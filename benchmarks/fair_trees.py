"""Accuracy on adult where the shares of women and men who are told to earn more may differ by a limit only.

The tree of pystreed (`STreeDGroupFairnessClassifier`) is the most accurate one of its depth under the limit, over
quantiles of each column, if it ends in time. Lists have as many rules as the tree may have leaves, under `ParityGap`:
one of `RuleListClassifier.accurate`, one from all nodes of forests whose trees differ more (250 trees of depth 3, half
of them with the square root of the columns at each split, half with 30 %; λ = 0), and one of `accurate` without a
limit. All get the same 75 % of the rows; lists at most a minute of search, trees two (of wall time, which is less
processor time on a busy machine).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from benchmarks.datasets import load_table
from benchmarks.wish_times import processor_seconds
from hedgerow import RuleListClassifier
from hedgerow.constraints import ParityGap

KEYS = ("limit", "budget", "seed", "method")
LIMITS, BUDGETS, SEEDS = (0.02, 0.05, 0.1), (4, 8), (0,)
SECONDS, TREE_SECONDS, N_THRESHOLDS, N_TREES = 60.0, 120.0, 10, 125
THEIRS, OURS = "pystreed", "hedgerow, diverse forests"
METHODS = (THEIRS, OURS, "hedgerow, accurate", "hedgerow, no limit")


def cases(_: Path | None) -> list[tuple[Any, ...]]:
    """Return limits, sizes, seeds and methods."""
    return [(limit, n, seed, method) for seed in SEEDS for n in BUDGETS for limit in LIMITS for method in METHODS]


def measure(limit: float, budget: int, seed: int, method: str, data: Path | None) -> Iterator[dict[str, Any]]:
    """Yield a row."""
    table = load_table("adult", "classification", data, seed)
    group = next(name for name in table.X.columns if name.startswith("sex") and name.endswith("_Male"))
    positive = max(np.unique(table.y), key=str)
    seconds, (predict, size, proven) = processor_seconds(lambda: _fitted(method, table, group, limit, budget, seed))
    row: dict[str, Any] = {"limit": limit, "budget": budget, "seed": seed, "method": method, "size": size}
    for part, X, y in (("", table.X, table.y), ("test_", table.X_test, table.y_test)):
        said, men = predict(X), X[group].to_numpy() > 0.5
        row[f"{part}accuracy"] = float(np.mean(said == y))
        row[f"{part}gap"] = float(abs(np.mean(said[men] == positive) - np.mean(said[~men] == positive)))
    yield row | {"seconds": seconds, "proven": proven}


def _fitted(method: str, table: Any, group: str, limit: float, budget: int, seed: int) -> tuple[Any, int, bool]:
    """Return what predicts, its size, and whether it is proven optimal."""
    if method == THEIRS:
        return _tree(table, group, limit, budget, seed)
    more: dict[str, Any] = {"max_rules": budget, "time_limit": SECONDS, "random_state": seed}
    if not method.endswith("no limit"):
        more["constraints"] = (ParityGap(group, limit),)
    if method == OURS:
        forests = [
            RandomForestClassifier(N_TREES, max_depth=3, max_features=k, random_state=seed) for k in ("sqrt", 0.3)
        ]
        rules = RuleListClassifier(forests, candidates="nodes", stability_weight=0.0, **more)
    else:
        rules = RuleListClassifier.accurate(**more)
    rules.fit(table.X, table.y)
    return rules.predict, len(rules.rule_list_), rules.solution_.optimal


def _tree(table: Any, group: str, limit: float, budget: int, seed: int) -> tuple[Any, int, bool]:
    from pystreed import STreeDGroupFairnessClassifier

    labels, codes = np.unique(table.y, return_inverse=True)
    tree = STreeDGroupFairnessClassifier(
        sensitive_feature=group,
        discrimination_limit=limit,
        max_depth=min(budget - 1, max(3, budget.bit_length())),
        max_num_nodes=budget - 1,
        n_thresholds=N_THRESHOLDS,
        n_categories=2,
        time_limit=TREE_SECONDS,
        random_seed=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the speed of pandas, and a search that ends early
        tree.fit(table.X.copy(), codes)

    def predict(X: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return labels[np.asarray(tree.predict(X.copy()), dtype=int)]

    return predict, int(tree.get_n_leaves()), bool(tree.fit_result.is_optimal())


def lines(frame: pd.DataFrame) -> list[list[str]]:
    """Return a line per limit, size and method: means over the seeds."""
    rates = ["accuracy", "gap", "held-out accuracy", "held-out gap"]
    found = [["limit", "size", "method", "leaves or rules", *rates, "proven", "s"]]
    alike = frame["method"].eq(METHODS[-1])  # for any limit
    frame = frame[~(alike & frame.duplicated(["budget", "seed", "method"]))]
    for (limit, budget, method), rows in frame.groupby(["limit", "budget", "method"]):
        mean = rows.mean(numeric_only=True)
        rates = [f"{mean[one]:.4f}" for one in ("accuracy", "gap", "test_accuracy", "test_gap")]
        shown = "none" if method == METHODS[-1] else f"{limit:g}"
        about = [shown, str(budget), str(method), f"{mean['size']:.1f}"]
        found.append([*about, *rates, f"{int(rows['proven'].sum())} of {len(rows)}", f"{mean['seconds']:.0f}"])
    return found


def verdict(frame: pd.DataFrame) -> tuple[str, bool]:
    """Return who is more accurate, and whether the limit is kept."""
    ours, theirs = (frame[frame["method"] == one].set_index(["limit", "budget", "seed"]) for one in (OURS, THEIRS))
    ahead = (ours["test_accuracy"] - theirs["test_accuracy"]).dropna()
    kept = bool((ours["gap"] <= ours.index.get_level_values("limit") + 1e-9).all())
    told = (
        f"On held-out rows, the list is more accurate in {int((ahead > 0).sum())} of {len(ahead)} cases, by "
        f"{ahead.mean():+.4f} on average; on training rows, it keeps the limit in "
        f"{'all' if kept else 'not all'} cases."
    )
    return told, kept
