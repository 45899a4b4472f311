"""The paths of penalised models are those of scikit-learn and of their optimality conditions."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_classification
from sklearn.linear_model import Lasso, LinearRegression

from hedgerow.baselines.lasso import Logistic, Path, Squares, largest_penalty, refit, solve_path


def test_the_lasso_agrees_with_scikit_learn_on_the_same_columns(diabetes):
    X, y = diabetes
    rng = np.random.default_rng(0)
    design, weight = (rng.random((len(X), 12)) < 0.4).astype(float), rng.uniform(0.5, 2, len(X))
    path = solve_path(Squares, design, y[:, None], weight, np.array([3.0]))
    other = Lasso(alpha=3.0, tol=1e-10, max_iter=100_000).fit(design, y, sample_weight=weight)
    np.testing.assert_allclose(path.coefficients[0, :, 0], other.coef_, atol=0.05)
    np.testing.assert_allclose(path.decide(design)[0, :, 0], other.predict(design), atol=0.1)


@pytest.mark.parametrize("model", [Squares, Logistic])
def test_at_the_largest_penalty_no_term_is_used_and_below_it_one_is(model):
    rng = np.random.default_rng(1)
    design, targets = rng.normal(size=(60, 5)), (rng.random((60, 1)) < 0.4).astype(float)
    weight = rng.uniform(0.5, 2, 60)
    largest = largest_penalty(design, targets, weight)
    path = solve_path(model, design, targets, weight, largest * np.array([1.0001, 0.98]))
    assert path.n_used.tolist() == [0, 1]


def test_the_logistic_lasso_satisfies_its_optimality_conditions():
    X, y = make_classification(200, 6, random_state=0)
    weight, penalty = np.random.default_rng(0).uniform(0.5, 2, 200), 0.03
    path = solve_path(Logistic, X, y[:, None].astype(float), weight, np.array([penalty]))
    coefficients, raw = path.coefficients[0, :, 0], path.decide(X)[0, :, 0]
    slope = X.T @ (weight * (y - 1 / (1 + np.exp(-raw)))) / weight.sum()
    assert (coefficients != 0).any()
    np.testing.assert_allclose(slope[coefficients != 0], penalty * np.sign(coefficients[coefficients != 0]), atol=1e-4)
    assert np.abs(slope).max() <= penalty + 1e-4
    assert np.average(1 / (1 + np.exp(-raw)) - y, weights=weight) == pytest.approx(0, abs=5e-4)


def test_at_the_largest_penalty_the_logistic_model_predicts_the_shares_of_the_classes():
    rng = np.random.default_rng(3)
    design, targets = rng.normal(size=(60, 5)), (rng.random((60, 1)) < 0.2).astype(float)
    largest = largest_penalty(design, targets, np.ones(60))
    path = solve_path(Logistic, design, targets, np.ones(60), np.array([largest]))
    np.testing.assert_allclose(expit(path.decide(design)), targets.mean())


def test_a_path_stops_far_beyond_the_budget():
    rng = np.random.default_rng(0)
    design, targets, weight = rng.normal(size=(40, 20)), rng.normal(size=(40, 1)), np.ones(40)
    penalties = largest_penalty(design, targets, weight) * np.geomspace(1, 1e-3, 50)
    whole, short = (solve_path(Squares, design, targets, weight, penalties, most) for most in (None, 2))
    assert len(whole.penalties) == 50
    assert len(short.penalties) < 50
    assert short.n_used[-1] > 4
    np.testing.assert_allclose(short.coefficients, whole.coefficients[: len(short.penalties)])


@pytest.mark.parametrize(("model", "shown"), [(Squares, 0.25), (Logistic, np.log(0.25 / 0.75))])
def test_without_terms_the_mean_remains(model, shown):
    path = solve_path(model, np.empty((4, 0)), np.array([[0.0], [0], [0], [1]]), np.ones(4), np.array([1.0]))
    assert path.decide(np.empty((2, 0)))[0, :, 0] == pytest.approx([shown, shown])


def test_outputs_are_the_intercept_plus_the_terms():
    path = Path(np.array([1.0]), np.array([[[2.0], [0.0]]]), np.array([[5.0]]))
    assert path.decide(np.array([[1.0, 9.0], [3.0, 9.0]])).tolist() == [[[7.0], [11.0]]]
    assert path.n_used.tolist() == [1]


def test_refitting_is_least_squares_on_the_terms_that_are_used():
    rng = np.random.default_rng(0)
    design, y, weight = rng.normal(size=(30, 3)), rng.normal(size=30), rng.uniform(0.5, 2, 30)
    used = np.array([[0.1], [0.0], [-0.1]])
    coefficients, intercepts = refit(Squares, design, y[:, None], weight, used)
    other = LinearRegression().fit(design[:, [0, 2]], y, weight)
    np.testing.assert_allclose(coefficients[:, 0], [other.coef_[0], 0, other.coef_[1]])
    np.testing.assert_allclose(intercepts, other.intercept_)
    _, alone = refit(Squares, design, y[:, None], weight, np.zeros((3, 1)))
    np.testing.assert_allclose(alone, np.average(y, weights=weight))
