"""Inputs take the samples they were made for, and refuse others by name."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from hedgerow import InvalidDataError
from hedgerow.features import (
    Category,
    Column,
    ColumnOfNonzeros,
    HashedCategory,
    Inputs,
    IntervalStatistic,
    SeriesInputs,
)

A, B = Column(0, "a"), Column(1, "b")
X = np.array([[1.0, 2.0], [3.0, 4.0]])


def test_values_are_rounded_to_the_precision_of_comparison():
    third = np.array([[1 / 3, 1.0]])
    assert float(Inputs((A, B)).matrix(third)[0, 0]) == float(np.float32(1 / 3)) != 1 / 3
    assert Inputs((A, B), np.float64).matrix(third)[0, 0] == 1 / 3


@pytest.mark.parametrize("features", [(A, B), (ColumnOfNonzeros(0, "a"), B)])
def test_some_values_are_columns_of_the_matrix(features):
    inputs = Inputs(features, allows_missing=True)
    for samples in (X, np.array([[0.0, np.nan], [1.0, 2.0]])):
        matrix = inputs.matrix(samples)
        for i, feature in enumerate(features):
            assert_array_equal(inputs.values(samples, [feature])[feature], matrix[:, i])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("odd", [None, np.nan, np.inf, 1e39])
def test_some_values_are_taken_block_by_block(monkeypatch, order, odd):
    monkeypatch.setattr("hedgerow.features.inputs._BLOCK", 3)
    samples = np.asarray(np.arange(16.0).reshape(8, 2) / 3, order=order)
    if odd is not None:
        samples[5, 1] = odd  # in a column that is not used, and not in the first block
    inputs = Inputs((A, B))
    if odd is None or odd == 1e39:
        assert_array_equal(inputs.values(samples, [A])[A], samples[:, 0].astype(np.float32))
    else:
        with pytest.raises(InvalidDataError, match=r"in: b"):
            inputs.values(samples, [A])
    used = Inputs((A, B), allows_missing=True, allows_infinity=True).values(samples, [B])[B]
    with np.errstate(over="ignore"):
        assert_array_equal(used, samples[:, 1].astype(np.float32))


@pytest.mark.parametrize(
    ("samples", "why"),
    [
        (X[:, :1], r"X has 1 column, but the ensemble was trained on 2: a, b\."),
        (pd.DataFrame(X, columns=["b", "a"]), r"different order. Reorder them to: a, b\."),
        (pd.DataFrame(X, columns=["a", "c"]), r"Missing in X: b; unknown to the ensemble: c\."),
        (np.array([[np.nan, 1.0]]), r"contains NaN \(missing values\) in: a\."),
        (np.array([[1.0, 1e39]]), "contains infinity or a value too large for float32 in: b"),
        (sparse.csr_array(X), "dense array is needed"),
    ],
)
def test_other_samples_are_refused(samples, why):
    with pytest.raises(InvalidDataError, match=why):
        Inputs((A, B), has_names=True).matrix(samples)


def test_names_with_spaces_are_those_with_underscores():
    inputs = Inputs((Column(0, "the_age"), B), has_names=True)
    assert inputs.matrix(pd.DataFrame(X, columns=["the age", "b"])).tolist() == X.tolist()


def test_a_feature_can_be_missing_if_the_ensemble_and_its_kind_allow_it():
    color = HashedCategory.of(0, "color", [1, 2])
    inputs = Inputs((A, B, color), allows_missing=True, complete=frozenset([A]))
    assert [inputs.can_be_missing(feature) for feature in inputs.features] == [False, True, False]
    with pytest.raises(InvalidDataError, match=r"NaN .* in: a"):
        Inputs((A, B), allows_missing=True, complete=frozenset([A])).matrix(np.array([[np.nan, np.nan]]))


def test_missing_values_that_were_seen_are_marked():
    inputs = Inputs((A, B)).with_missing_seen(np.array([[1.0, np.nan], [2.0, 3.0]]))
    assert [feature.has_missing for feature in inputs.features] == [False, True]


def test_low_precision_is_a_warning_where_it_matters():
    inputs = Inputs((A, B), np.float64, columns=("a", "b"), delicate=((1, "f"),))
    with pytest.warns(UserWarning, match="less than float64 for: b"):
        inputs.matrix(X.astype(np.float32))
    inputs.matrix(X)


def test_the_shape_of_a_sample_and_its_places():
    inputs = Inputs((A, B, Category(1, "b", ("x",))), columns=("a", "b", "c"))
    assert inputs.sample_shape == (3,)
    assert [inputs.places(feature) for feature in inputs.features] == [(0,), (1,), (1,)]
    series = SeriesInputs((IntervalStatistic(1, 0, 2, "mean"),), n_dimensions=2, length=5)
    assert series.sample_shape == (2, 5)
    assert series.places(series.features[0]) == (1,)
    assert (inputs.of_series, series.of_series) == (False, True)
