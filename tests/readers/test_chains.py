"""Chains of moves: where their outputs cross a threshold, and what counts as missing."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from pipelines import SMALL, check, numbers, on_thresholds, own_leaves
from sklearn.ensemble import (
    RandomForestClassifier,
)
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    StandardScaler,
)

from hedgerow import (
    read_forest,
)
from hedgerow.features import ColumnWithGap, Output


def test_what_is_outside_a_functions_domain_is_missing():
    X, y = numbers(300)
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make_pipeline(FunctionTransformer(np.log1p), RandomForestClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
    feature = next(f for f in forest.features if f.name == "x0")
    assert isinstance(feature, ColumnWithGap)
    assert feature.absence == "at most -1 or missing"
    assert feature.highest == np.nextafter(-1, -2)


def test_what_is_filled_is_not_what_is_outside_the_domain():
    X, y = numbers(300)
    X[::9, 0] = np.nan
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        steps = [SimpleImputer(add_indicator=True), FunctionTransformer(np.log1p), StandardScaler()]
        model = make_pipeline(*steps, RandomForestClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
        check(model, on_thresholds(forest, X, most=1)[::9], forest)
        assert not any(isinstance(f, Output) for f in forest.features)
        later = make_pipeline(FunctionTransformer(np.log1p), SimpleImputer(), RandomForestClassifier(**SMALL)).fit(X, y)
        check(later, X)
        flags = FeatureUnion([("value", SimpleImputer()), ("missing", MissingIndicator())])
        check(make_pipeline(FunctionTransformer(np.log1p), flags, RandomForestClassifier(**SMALL)).fit(X, y), X)


def test_float32_samples_are_compared_within_their_rounding():
    X, y = numbers(2000)
    model = make_pipeline(StandardScaler(), RandomForestClassifier(**SMALL, max_depth=5)).fit(X, y)
    forest = read_forest(model)
    X32 = X.astype(np.float32)
    near = on_thresholds(forest, X32.astype(np.float64), most=1).astype(np.float32)
    hair = np.where(near == X32, 0, 4 * np.spacing(np.abs(near) + 1))
    with pytest.warns(UserWarning, match="less than float64 with: x0, x1, x2"):
        leaves = forest.apply(X32)
    assert_array_equal(leaves, own_leaves(model, X32))
    leaves = [forest.apply((near + shift * hair).astype(np.float64)) for shift in (-1, 0, 1)]
    assert (own_leaves(model, near) == leaves).any(axis=0).all()


@pytest.mark.parametrize(
    ("step", "dtype", "is_low"),
    [
        *(
            (StandardScaler(), dtype, dtype in ("float16", "float32"))
            for dtype in ("float16", "float32", "int8", "int64")
        ),
        *((FunctionTransformer(np.log1p), dtype, dtype != "int32") for dtype in ("bool", "uint8", "int16", "int32")),
        (make_pipeline(SimpleImputer(), FunctionTransformer(np.log1p)), "int16", False),
        (SimpleImputer(), "float32", False),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_columns_with_which_the_pipeline_computes_in_less_than_float64_are_named(step, dtype, is_low, kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 90, (200, 1)).astype(dtype)
    frame = X if kind is np.asarray else kind({"age": X[:, 0]})
    model = make_pipeline(step, RandomForestClassifier(**SMALL)).fit(frame, X[:, 0] > X.mean())
    forest = read_forest(model)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        forest.apply(frame)
    assert [w.filename for w in caught if "less than float64 with:" in str(w.message)] == [__file__] * is_low
    if not is_low:
        assert_array_equal(forest.apply(frame), own_leaves(model, frame))
