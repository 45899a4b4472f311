"""Weighted quantiles of all rules at once are what numpy finds rule by rule."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.ensemble import RandomForestRegressor

from hedgerow import read_forest
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.pool import make_pool
from hedgerow.candidates.quantiles import weighted_quantiles


def drawn_forest(seed, n_samples=40, candidates="nodes"):
    """The coverage of a small forest's rules, some of them left out, and targets with ties."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_samples, 3)), 1)
    y = np.round(rng.normal(size=n_samples), 1)
    forest = read_forest(RandomForestRegressor(4, max_depth=4, random_state=seed).fit(X, y))
    pool = make_pool(forest, candidates)
    coverage = cover(pool, forest.inputs.matrix(X))
    kept = np.flatnonzero((coverage.counts > 0) & (rng.random(len(pool)) < 0.8))
    return rng, y, coverage.subset(rng.permutation(kept))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9]), st.sampled_from(["leaves", "nodes"]))
def test_quantiles_of_nodes_and_leaves_are_those_of_repeated_rows(seed, quantile, candidates):
    rng, y, coverage = drawn_forest(seed, candidates=candidates)
    times = rng.integers(1, 4, len(y))
    # Thirds are no binary fractions: sums of them are rounded, and ties must still be ties.
    for weight in (times.astype(float), times / 3):
        found, _ = weighted_quantiles(y, weight, coverage, quantile)
        for j in range(coverage.n_rules):
            rows = coverage.members(j)
            repeated = np.repeat(y[rows], times[rows])
            assert_allclose(found[j], np.quantile(repeated, quantile, method="averaged_inverted_cdf"))


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
def test_the_median_and_the_distances_from_it_are_the_usual_ones(seed):
    _, y, coverage = drawn_forest(seed)
    found, distance = weighted_quantiles(y, np.ones(len(y)), coverage, 0.5)
    medians = [np.median(y[coverage.members(j)]) for j in range(coverage.n_rules)]
    assert_allclose(found, medians)
    assert_allclose(distance, [np.abs(y[coverage.members(j)] - m).sum() for j, m in enumerate(medians)], atol=1e-12)


def test_distances_below_and_above_count_as_they_are_told():
    coverage = Coverage.from_matrix([[1], [1], [1]])
    _, distance = weighted_quantiles(np.array([0.0, 1.0, 4.0]), np.array([1.0, 1.0, 2.0]), coverage, 0.5, 10.0, 1.0)
    assert_allclose(distance, [10 * 2.5 + 10 * 1.5 + 2 * 1.5])  # the median of 0, 1, 4, 4 is 2.5


@pytest.mark.parametrize("shift", [0.0, 1e9])
def test_small_deviations_survive_far_from_all_others(shift):
    noise = np.random.default_rng(0).normal(size=60) * 0.1
    y = noise + np.repeat([0.0, shift, -shift], 20)
    coverage = Coverage.from_matrix(np.repeat(np.eye(3), 20, axis=0))
    distance = weighted_quantiles(y, np.ones(60), coverage, 0.5)[1]
    parts = np.split(y, 3)
    assert_allclose(distance, [np.abs(part - np.median(part)).sum() for part in parts], rtol=1e-7)


def test_no_rules_have_no_quantiles():
    coverage = Coverage.from_matrix([[1], [1]]).subset(np.empty(0, dtype=np.int64))
    found, distance = weighted_quantiles(np.array([1.0, 2.0]), np.ones(2), coverage, 0.5)
    assert len(found) == len(distance) == 0


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.booleans())
def test_the_extreme_quantiles_are_the_lowest_and_the_highest_target_of_each_rule(seed, weighted):
    rng, y, coverage = drawn_forest(seed)
    weight = rng.uniform(0.5, 2.0, len(y)) if weighted else np.ones(len(y))
    for quantile, end in ((0.0, np.min), (1.0, np.max)):
        found, _ = weighted_quantiles(y, weight, coverage, quantile)
        assert_allclose(found, [end(y[coverage.members(j)]) for j in range(coverage.n_rules)])


@pytest.mark.parametrize("quantile", [0.0, 0.3, 1.0])
def test_every_quantile_of_one_sample_is_its_target(quantile):
    found, distance = weighted_quantiles(np.array([7.0]), np.array([2.5]), Coverage.from_matrix([[1]]), quantile)
    assert (found.tolist(), distance.tolist()) == ([7.0], [0.0])
