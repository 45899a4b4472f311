"""Large models: how long reading takes, and what a deep and wide model costs.

Measured by ``python -m benchmarks.speed read deep``.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

from benchmarks.results import Results, seconds
from hedgerow import RuleListClassifier, read_forest

N_TREES, N_LEAVES = 500, 127


def _models() -> dict[str, Any]:
    """Return one model per library, with 500 trees of (about) 127 leaves."""
    from catboost import CatBoostClassifier
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    quiet = {"verbose": 0, "allow_writing_files": False, "thread_count": 2}
    return {
        "scikit-learn, random forest": RandomForestClassifier(N_TREES, max_leaf_nodes=N_LEAVES, n_jobs=2),
        "scikit-learn, histogram boosting": HistGradientBoostingClassifier(
            max_iter=N_TREES, max_leaf_nodes=N_LEAVES, early_stopping=False
        ),
        "xgboost": XGBClassifier(n_estimators=N_TREES, max_leaves=N_LEAVES, max_depth=0, grow_policy="lossguide"),
        "lightgbm": LGBMClassifier(n_estimators=N_TREES, num_leaves=N_LEAVES, verbose=-1),
        "catboost, symmetric (128 leaves)": CatBoostClassifier(n_estimators=N_TREES, depth=7, **quiet),
        "catboost, lossguide": CatBoostClassifier(
            n_estimators=N_TREES, grow_policy="Lossguide", max_leaves=N_LEAVES, depth=16, **quiet
        ),
    }


def measure_read(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """Time to read 500 trees of 127 leaves; the best of three, as the first also imports."""
    results = Results("speed_read", ("library",))
    # Labels at random, so that boosting never runs out of things to learn.
    X, y = np.random.default_rng(0).normal(size=(20_000, 20)), np.random.default_rng(1).integers(0, 2, 20_000)
    for library, model in show(_models().items(), "read"):
        if (library,) in results:
            continue
        model.fit(X, y)
        times = [seconds(lambda model=model: read_forest(model)) for _ in range(3)]
        forest = times[0][1]
        row = {"library": library, "trees": forest.n_trees, "leaves": np.mean([t.n_leaves for t in forest.trees])}
        results.add(row | {"read_s": min(spent for spent, _ in times)})
    return results


def judge_read(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of reading."""
    for row in frame.itertuples():
        yield f"{row.library}: {row.trees} trees of {row.leaves:.0f} leaves, seconds", row.read_s, "< 1"


DEEP = [(1000, 255, None), (1000, 255, 8), (100, 31, 6)]


def measure_deep(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """Time and memory of what comes before the solver, for deep and wide models; each in a process of its own."""
    results = Results("speed_deep", ("trees", "leaves", "max_conditions"))
    for trees, leaves, longest in show(DEEP, "deep"):
        if (trees, leaves, longest or 4) not in results:
            command = [sys.executable, "-m", "benchmarks.models", str(trees), str(leaves), str(longest or 4)]
            shown = subprocess.run(command, capture_output=True, text=True, check=True)
            results.add(json.loads(shown.stdout.splitlines()[-1]))
    return results


def judge_deep(frame: pd.DataFrame) -> Iterator[tuple[str, Any, Any]]:
    """Yield (what, measured, bar) of deep models."""
    for row in frame.itertuples():
        what = f"{row.trees:.0f} trees of {row.leaves:.0f} leaves, paths up to {row.max_conditions:.0f}, 50,000 rows"
        yield f"{what}: seconds before the solver ({row.candidates:.0f} candidates)", row.before_solver_s, "<= 60"
        yield f"{what}: GiB at most", row.peak_gib, "<= 2"


def one_deep(n_trees: int, n_leaves: int, max_conditions: int) -> dict[str, Any]:
    """Return one row of the deep table."""
    X, y = make_classification(50_000, 30, n_informative=12, random_state=0)
    forest = RandomForestClassifier(n_trees, max_leaf_nodes=n_leaves, max_samples=5000, n_jobs=2, random_state=0)
    forest.fit(X, y)
    rules = RuleListClassifier(forest, max_rules=8, candidates="nodes", max_conditions=max_conditions)
    total, _ = seconds(lambda: rules._pose(rules._prepare(X, y, None)))
    return {
        "trees": n_trees,
        "leaves": n_leaves,
        "max_conditions": max_conditions,
        "candidates": rules.problem_.n_rules,
        "before_solver_s": total,
        "peak_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


if __name__ == "__main__":
    print(json.dumps(one_deep(*map(int, sys.argv[1:]))))  # noqa: T201
