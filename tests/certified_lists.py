"""Small lists of all kinds whose proofs can be checked again: as JSON, with the rows that they were learned from."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

from hedgerow import InfeasibleError, RuleListClassifier, RuleListRegressor
from hedgerow.constraints import Forbid, MaxConditions, MaxFeatures, MinCoverage, MinRecall, Monotone
from hedgerow.losses import cost_matrix, priced
from hedgerow.teachers import Teacher


@dataclass
class Case:
    """A list, its document, and its rows."""

    name: str
    rules: Any
    X: Any
    y: Any
    weight: Any
    text: str

    @property
    def document(self):
        return json.loads(self.text)

    @property
    def rows(self):
        return self.X, self.y, self.weight


def numbers_and_labels(seed, n=60):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)).round(2), columns=["a", "b", "c"])
    noise = rng.normal(size=n)
    return X, np.where(X["a"] + X["b"] * X["c"] + 0.6 * noise > 0, "yes", "no"), (X["a"] * 2 + noise).round(2), rng


def _labels(seed, **settings):
    X, y, _, _ = numbers_and_labels(seed)
    forest = RandomForestClassifier(12, max_depth=3, random_state=seed)
    return RuleListClassifier(forest, **{"max_rules": 5, "candidates": "nodes"} | settings), X, y, None


def _numbers(seed, forest=RandomForestRegressor, **settings):
    X, _, y, _ = numbers_and_labels(seed)
    trees = forest(12, max_depth=3, random_state=seed)
    return RuleListRegressor(trees, **{"max_rules": 5, "candidates": "nodes"} | settings), X, y.to_numpy(), None


def _leaves(seed):
    return _labels(seed, candidates="leaves", max_rules=8)


def _impurity(seed):
    return _labels(seed, loss="gini", min_coverage=0.05, stability_weight=0.2)


def _log_loss(seed):
    return _labels(seed, loss="log_loss", max_rules=None, max_conditions=2)


def _costs(seed):
    return _labels(seed, loss=cost_matrix({("yes", "no"): 4}))


def _priced(seed):
    parts = [(priced("misclassification", 0.02), 1.0), (priced("gini", 0.0), 0.5)]
    return _labels(seed, loss=parts, stability_weight=0.0, max_rules=6)


def _weighted(seed):
    rules, X, y, _ = _labels(seed)
    weight = np.random.default_rng(seed).uniform(0.5, 3, len(y)).round(2)
    weight[::9] = 0.0
    return rules, X, y, weight


def _weighted_numbers(seed):
    rules, X, y, _ = _numbers(seed, loss="sse")
    return rules, X, y, np.random.default_rng(seed).integers(0, 4, len(y)).astype(float)


def _boosted(seed):
    X, _, y, _ = numbers_and_labels(seed)
    model = GradientBoostingRegressor(n_estimators=15, max_depth=2, random_state=seed)
    return RuleListRegressor(model, max_rules=4, stability_weight=0.0), X, y.to_numpy(), None


def _random_splits(seed):
    return _numbers(seed, ExtraTreesRegressor, stability_weight=0.0, max_rules=6)


def _of_ensemble(seed):
    return _labels(seed, target=0.5)


def _taught(seed):
    return _labels(seed, teacher=Teacher(RandomForestClassifier(20, random_state=0), copies=1), random_state=0)


def _taught_with_gaps(seed):
    rules, X, y, _ = _taught(seed)
    return rules, X.mask(np.random.default_rng(seed).uniform(size=X.shape) < 0.2), y, None


def _taught_numbers(seed):
    teacher = Teacher(RandomForestRegressor(20, random_state=0), copies=1, swap=0.5)
    return _numbers(seed, teacher=teacher, random_state=0, stability_weight=0.0)


def _categories(seed):
    X, y, _, rng = numbers_and_labels(seed)
    X = X.assign(color=rng.choice(["red", "blue", "lime"], len(X)), size=rng.choice(["S", "L"], len(X)))
    X = X.astype({"color": object, "size": object})
    encoder = make_column_transformer(
        (OneHotEncoder(), ["color"]), (OrdinalEncoder(), ["size"]), remainder="passthrough"
    )
    y = np.where((X["color"] == "red") | (X["a"] > 0.8), "yes", y)
    model = make_pipeline(encoder, RandomForestClassifier(12, max_depth=3, random_state=seed))
    return RuleListClassifier(model, max_rules=5, candidates="nodes"), X, y, None


def _with_gaps(seed):
    rules, X, y, _ = _labels(seed)
    return rules, X.mask(np.random.default_rng(seed).uniform(size=X.shape) < 0.2), y, None


def _integers(seed):
    rules, X, y, _ = _labels(seed)
    return rules, X.to_numpy(), (y == "yes").astype(int), None


def _constrained(seed):
    some = (
        MaxFeatures(2),
        MaxConditions(total=6),
        MinCoverage(8),
        Forbid(feature="c"),
        MinRecall({"yes": 0.9}),
        Monotone({"a": 1}),
    )
    return _labels(seed, constraints=some[seed % len(some)], max_rules=6)


def _constrained_numbers(seed):
    return _numbers(seed, constraints=[MaxConditions(total=7), MaxFeatures(2)], stability_weight=0.0, max_rules=6)


KINDS = (
    _labels,
    _numbers,
    _leaves,
    _impurity,
    _log_loss,
    _costs,
    _priced,
    _weighted,
    _weighted_numbers,
    _boosted,
    _random_splits,
    _of_ensemble,
    _taught,
    _taught_with_gaps,
    _taught_numbers,
    _categories,
    _with_gaps,
    _integers,
    _constrained,
    _constrained_numbers,
)


BY_NAME = {kind.__name__[1:]: kind for kind in KINDS}


def certified(kind, seed):
    """The list of a kind, and its document; None if there is no such list."""
    rules, X, y, weight = kind(seed)
    try:
        rules.fit(X, y, weight)
    except InfeasibleError:
        return None
    return Case(f"{kind.__name__[1:]} {seed}", rules, X, y, weight, rules.to_json(certificate=True))
