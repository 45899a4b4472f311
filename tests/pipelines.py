"""Small tables, pipelines over them, and the check that a forest routes samples as its pipeline does."""

import importlib
from inspect import signature

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    RobustScaler,
    StandardScaler,
)

from hedgerow import (
    read_forest,
)

SMALL = {"n_estimators": 8, "random_state": 0}


SCALERS = [StandardScaler(), MinMaxScaler(), MinMaxScaler((2, 5), clip=True), MaxAbsScaler(), RobustScaler()]


def binned(n_bins, **others):
    """Return a KBinsDiscretizer that does not warn of its default; older releases have no such choice."""
    if "quantile_method" in signature(KBinsDiscretizer).parameters:
        others["quantile_method"] = "averaged_inverted_cdf"
    return KBinsDiscretizer(n_bins, **others)


def own_leaves(model, X):
    table = model[:-1].transform(X)
    return np.asarray(model[-1].apply(table)).reshape(table.shape[0], -1)


def check(model, X, forest=None):
    """Leaves and answers are the pipeline's own, for every sample."""
    forest = read_forest(model) if forest is None else forest
    assert_array_equal(forest.apply(X), own_leaves(model, X))
    expected = model.predict_proba(X) if forest.classes is not None else model.predict(X)
    assert_allclose(forest.answer(X), expected, rtol=1e-6, atol=1e-12)
    return forest


def on_thresholds(forest, X, seed=0, most=3):
    """Return samples with up to so many numbers just on thresholds, or one float64 beside them."""
    rng = np.random.default_rng(seed)
    X = X.astype({"rooms": float}) if "rooms" in getattr(X, "columns", ()) else X.copy()
    nodes = forest.nodes
    inner = np.flatnonzero((nodes.left >= 0) & np.isfinite(nodes.threshold) & (nodes.category < 0))
    for i in range(len(X)):
        for node in rng.choice(inner, size=min(len(inner), most)):
            feature, t = forest.features[nodes.feature[node]], nodes.threshold[node]
            if hasattr(feature, "index"):
                value = rng.choice([t, np.nextafter(t, np.inf), np.nextafter(t, -np.inf)])
                if isinstance(X, pd.DataFrame):
                    X.iloc[i, feature.index] = value
                else:
                    X[i, feature.index] = value
    return X


def mixed(n=300, seed=0, missing=True):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.normal(40, 10, n).round(1),
            "income": rng.lognormal(10, 1, n),
            "color": rng.choice(["red", "blue", "green", "black"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "city": rng.choice(["Oslo", "Bergen"], n),
            "rooms": rng.integers(1, 6, n),
        }
    )
    y = np.where((X["age"] > 45) ^ (X["color"] == "red") ^ (X["rooms"] > 4), "yes", "no")
    if missing:
        X.loc[rng.random(n) < 0.1, "age"] = np.nan
        X.loc[rng.random(n) < 0.1, "color"] = np.nan
    return X, y


def numbers(n=200, seed=0, scale=1.0, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * scale + scale
    return X, np.digitize(X[:, 0] * np.sign(X[:, 1]) / scale, np.linspace(-1, 1, n_classes + 1)[1:-1])


def preparation():
    return ColumnTransformer(
        [
            ("num", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income", "rooms"]),
            (
                "cat",
                make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
                ["color", "city"],
            ),
        ]
    )


def conditions(forest):
    """The two sides of the root of the first tree."""
    from hedgerow.candidates.pool import make_pool

    pool = make_pool(forest, "leaves")
    return [str(pool.rule(j).conditions[0]) for j in range(len(pool)) if pool.tree[j] == 0][:: max(1, len(pool) - 1)]


class Sums(TransformerMixin, BaseEstimator):
    """A transformer of the user's own, without names."""

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def transform(self, X):
        X = np.asarray(X)
        return np.column_stack([X[:, 0] + X[:, 1], X[:, 0] - X[:, 1]])


def texts(n=120, seed=0):
    rng = np.random.default_rng(seed)
    words = ["refund", "thanks", "please", "product", "late", "great", "again"]
    found = [" ".join(rng.choice(words, size=rng.integers(1, 9))) for _ in range(n)]
    return found, np.array([("refund" in t) ^ ("late" in t) for t in found]).astype(int)


LIBRARIES = [
    ("xgboost", "XGBClassifier", {"n_jobs": 1}),
    ("lightgbm", "LGBMClassifier", {"n_jobs": 1, "verbose": -1}),
    ("catboost", "CatBoostClassifier", {"thread_count": 1, "verbose": 0, "allow_writing_files": False}),
]


def ensemble_of(library, name, settings):
    return getattr(importlib.import_module(library), name)(n_estimators=6, max_depth=3, **settings)
