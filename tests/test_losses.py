"""Losses are what their formulas say, by name, by callable, mixed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.coverage import Coverage
from hedgerow.losses import evaluate_loss, misclassification, mse, sse
from hedgerow.scores import combine_scores, min_max


def drawn(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 2, (9, 6))
    matrix[0] = 1  # no rule is empty
    return rng, matrix, Coverage.from_matrix(matrix)


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_misclassification_counts_all_but_the_most_frequent_class(seed):
    rng, matrix, coverage = drawn(seed)
    y, weight = rng.choice(["u", "v", "w"], 9), rng.random(9)
    expected = [weight[m].sum() - max(weight[m & (y == c)].sum() for c in "uvw") for m in (matrix == 1).T]
    assert_allclose(misclassification(y, weight, coverage), expected, atol=1e-12)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 1e6, -1e9]))
def test_mse_is_the_variance_of_the_covered_targets(seed, shift):
    rng, matrix, coverage = drawn(seed)
    y, weight = rng.normal(size=9) + shift, rng.random(9) + 0.01
    members = (matrix == 1).T
    expected = [np.average((y[m] - np.average(y[m], weights=weight[m])) ** 2, weights=weight[m]) for m in members]
    assert_allclose(mse(y, weight, coverage), expected, rtol=1e-5, atol=1e-9)
    assert_allclose(sse(y, weight, coverage), np.array(expected) * (weight @ matrix), rtol=1e-5, atol=1e-9)


def test_constant_targets_have_no_loss_at_all():
    coverage = Coverage.from_matrix([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]])
    y = np.array([0.1, 0.1, 0.1, 1e6, 1e6])
    assert mse(y, np.ones(5), coverage).tolist() == [0, 0]


def test_small_deviations_survive_far_from_all_others():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=60) * 0.1
    y = noise + np.repeat([0.0, 1e9, -1e9], 20)
    coverage = Coverage.from_matrix(np.repeat(np.eye(3), 20, axis=0))
    expected = [np.var(y[20 * k : 20 * k + 20]) for k in range(3)]
    assert_allclose(mse(y, np.ones(60), coverage), expected, rtol=1e-6)


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_targets_whose_squares_do_not_exist_are_refused(scale):
    with pytest.raises(InvalidDataError, match="Rescale y"):
        mse(np.array([1.0, 2.0]) * scale, np.ones(2), Coverage.from_matrix([[1], [1]]))


def test_soft_targets_count_by_their_shares():
    coverage = Coverage.from_matrix([[1, 1], [1, 0]])
    shares = np.array([[0.9, 0.1], [0.4, 0.6]])
    assert_allclose(misclassification(shares, np.ones(2), coverage), [0.7, 0.1])


def call(spec, y=(1.0, 2.0, 4.0)):
    coverage = Coverage.from_matrix([[1, 0], [1, 0], [0, 1]])
    return evaluate_loss(spec, np.array(y), np.array([1.0, 3.0, 1.0]), coverage, lambda j: f"rule {j}")


def test_a_callable_may_take_the_covered_targets_the_weights_or_everything():
    assert_allclose(call(np.var), [0.25, 0])
    assert_allclose(call(lambda y: y.max()), [2, 4])
    assert_allclose(call(lambda y, weight: weight.sum()), [4, 1])
    assert_allclose(call(lambda y, weight, coverage: coverage.counts), [2, 1])


def test_a_weighted_list_mixes_the_scaled_parts():
    assert_allclose(call([("mse", 1.0), (lambda y: y.max(), 0.25)]), [1, 0.25])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("log", "Unknown loss 'log'. Possible: 'misclassification', 'mse', 'sse'"),
        (lambda y: np.nan if len(y) == 1 else 0.0, "returned nan for rule 1"),
        (lambda y: np.inf, "returned inf for rule 0 and is not finite for 1 more"),
        (lambda y, weight, coverage: [1.0], r"shape \(2,\)"),
        (lambda a, b, c, d: 0, "takes 4 arguments"),
        (lambda y: y, "must return one number for a rule; for rule 0 it returned 2"),
        (lambda y: 1 / 0, "failed on rule 0: ZeroDivisionError"),
        (lambda y: "much", "must return a number; for rule 0: 'much'"),
        (lambda y, weight, coverage: np.array([1j, 2.0]), "must return numbers; it returned complex128"),
        ([([], 1.0)], "Unknown loss"),
    ],
)
def test_a_bad_loss_is_refused(spec, message):
    with pytest.raises(InvalidParameterError, match=message):
        call(spec)


def test_scores_are_scaled_and_weighed():
    scores = combine_scores(np.array([1.0, 3.0, 2.0]), np.array([10.0, 10.0, 0.0]), 0.25)
    assert_allclose(scores.stability, [0, 1, 0.5])
    assert_allclose(scores.loss, [1, 1, 0])
    assert_allclose(scores.total, [-0.75, -0.5, 0.125])
    assert_allclose(scores.raw_loss, [10, 10, 0])
    assert_allclose(min_max(np.array([-1e308, 1e308])), [0, 1])
