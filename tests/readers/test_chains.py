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
    MaxAbsScaler,
    MinMaxScaler,
    StandardScaler,
)

from hedgerow import (
    read_forest,
)
from hedgerow.features import ColumnWithGap, Output
from hedgerow.readers.chains import (
    bounds,
    evaluate,
    forward,
    gaps,
    is_falling,
    is_flag,
    largest,
    low_precision,
    of_missing,
)
from hedgerow.readers.inversions import moves_of


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
    with pytest.warns(UserWarning, match="less than float64 for: x0, x1, x2"):
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
    assert [w.filename for w in caught if "less than float64 for:" in str(w.message)] == [__file__] * is_low
    if not is_low:
        assert_array_equal(forest.apply(frame), own_leaves(model, frame))


def moves(*steps):
    """Chains of fitted steps, one per column of two."""
    X = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 50.0]])
    return list(zip(*(moves_of(step.fit(X), 2) for step in steps), strict=True))


def test_the_largest_number_that_satisfies_a_condition_is_found_to_the_last_bit():
    bounds = np.array([0.1, -3.5, 0.0, 5e-324, 1e308, -1e-310])
    assert_array_equal(largest(lambda x: x <= bounds, bounds.shape), bounds)
    assert_array_equal(largest(lambda x: x < bounds, bounds.shape), np.nextafter(bounds, -np.inf))
    assert largest(lambda x: x > 2 * x.max(initial=0) + np.inf, (1,)) == [-np.inf]
    assert largest(lambda x: x == x, (1,)) == [np.inf]


def test_a_bound_on_the_input_is_the_last_that_the_steps_send_below_the_threshold():
    scaled = moves(MinMaxScaler(), StandardScaler())
    thresholds = np.array([[-0.5, 0.25]])
    found = bounds(scaled, thresholds)
    above = np.nextafter(found, np.inf)
    assert (forward(scaled, found) <= thresholds).all()
    assert (forward(scaled, above) > thresholds).all()


def test_a_falling_chain_turns_the_comparison_around():
    (one, _) = moves(FunctionTransformer(np.negative))
    assert is_falling(one)
    assert not is_falling((*one, *one))
    assert bounds([one], np.array([[3.0]])).tolist() == [[np.nextafter(-3.0, -np.inf)]]  # above it, -x <= 3


def test_missing_values_are_filled_or_stay_missing():
    assert of_missing(moves(SimpleImputer())).tolist() == pytest.approx([7 / 3, 80 / 3])
    assert np.isnan(of_missing(moves(StandardScaler()))).all()
    (chain, _) = moves(SimpleImputer(), FunctionTransformer(np.log1p))
    assert evaluate(chain, [None, 0.0]).tolist() == pytest.approx([np.log(10 / 3), 0.0])


NOT_TINY = np.array([-1.0, -1.0])


def test_gaps_are_markers_numbers_outside_a_domain_and_zeros_of_sparse_tables():
    assert gaps(moves(StandardScaler()), NOT_TINY) == [[], []]
    assert gaps(moves(SimpleImputer(missing_values=2.0)), NOT_TINY) == [[(2.0, 2.0)]] * 2
    assert gaps(moves(FunctionTransformer(np.sqrt)), NOT_TINY) == [[(-np.inf, -5e-324)]] * 2
    ((zero,), none) = gaps(moves(MaxAbsScaler()), np.array([0.0, -1.0]))
    assert zero[0] <= 0 <= zero[1] < 1e-300
    assert none == []


def test_what_no_feature_can_say_has_more_than_one_gap():
    marked_after_scaling = moves(StandardScaler(), SimpleImputer(missing_values=2.0))
    assert all(len(found) > 1 for found in gaps(marked_after_scaling, NOT_TINY))
    flagged_outside_domain = moves(FunctionTransformer(np.log), MissingIndicator(features="all"))
    assert all(len(found) > 1 for found in gaps(flagged_outside_domain, NOT_TINY))


def test_a_chain_that_only_asks_for_missing_values_is_a_flag():
    (flag, _) = moves(StandardScaler(), MissingIndicator(features="all"))
    (number, _) = moves(StandardScaler())
    assert is_flag(flag)
    assert not is_flag(number)


def test_functions_of_numpy_compute_small_integers_in_low_precision_and_scalers_do_not():
    (function, _) = moves(FunctionTransformer(np.log1p))
    (scaled, _) = moves(StandardScaler())
    (filled, _) = moves(SimpleImputer())
    assert low_precision(function) == "fiub"
    assert low_precision(scaled) == "f"
    assert low_precision(filled) == ""
