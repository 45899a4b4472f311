"""Agreement of a list with a model: values and intervals as others compute them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from releases import needs
from scipy.stats import binomtest, entropy
from sklearn.metrics import brier_score_loss

from hedgerow.evidence.agreement import Agreement, brier, divergence


@pytest.mark.parametrize(("n", "same"), [(10, 0), (10, 7), (10, 10), (1000, 501)])
def test_the_interval_of_labels_is_wilsons(n, same):
    found = Agreement.of_labels("all", np.arange(n) < same)
    wilson = binomtest(same, n).proportion_ci(method="wilson")
    assert (found.n_samples, found.value) == (n, same / n)
    assert_allclose([found.low, found.high], [wilson.low, wilson.high], atol=1e-12)


def test_the_interval_of_numbers_covers_the_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    found = [Agreement.of_numbers("all", rng.exponential(size=200)) for _ in range(400)]
    assert 0.9 < np.mean([one.low <= 1 <= one.high for one in found]) < 0.98
    assert Agreement.of_numbers("all", np.array([2.0])).value == 2
    assert np.isnan(Agreement.of_numbers("all", np.zeros(0)).value)


@needs("scikit-learn", "1.7")  # whose Brier score knows more than two classes
def test_the_distances_of_class_shares_are_those_of_scipy_and_scikit_learn():
    rng = np.random.default_rng(0)
    list_shares, model_shares = rng.dirichlet([1, 1, 1], size=50), rng.dirichlet([1, 1, 1], size=50)
    assert divergence(list_shares, model_shares) == pytest.approx(entropy(model_shares, list_shares, axis=1).mean())
    labels = rng.integers(0, 3, 50)
    expected = brier_score_loss(labels, list_shares, scale_by_half=False)
    assert brier(list_shares, np.eye(3)[labels]) == pytest.approx(expected)
    assert divergence(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])) < 20  # a share of 0 is not beyond all measure


def test_r2_turns_the_interval_around():
    r2 = Agreement("all", 10, value=2.0, low=1.0, high=4.0).as_r2(10.0)
    assert (r2.value, r2.low, r2.high) == pytest.approx((0.8, 0.6, 0.9))
