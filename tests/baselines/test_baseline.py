"""What all baselines do alike, whatever rules they select."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import NotFittedError

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.baselines import (
    FireRegressor,
    NodeHarvestClassifier,
    NodeHarvestRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SirusClassifier,
    SirusRegressor,
)
from hedgerow.baselines.baseline import Training, distinct_rules, outputs_of
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.pool import make_pool
from hedgerow.readers import read_forest
from hedgerow.tasks import Labels, Numbers

REGRESSORS = [FireRegressor, NodeHarvestRegressor, RuleFitRegressor, SirusRegressor]
CLASSIFIERS = [NodeHarvestClassifier, RuleFitClassifier, SirusClassifier]


def test_two_classes_have_one_output_and_three_have_three():
    two, three = Labels(np.array(["a", "b"])), Labels(np.arange(3))
    assert outputs_of(two, np.array(["b", "a"])).tolist() == [[1], [0]]
    assert outputs_of(three, np.array([2, 0])).tolist() == [[0, 0, 1], [1, 0, 0]]
    assert outputs_of(Numbers(), np.array([5.0, 7.0])).tolist() == [[5], [7]]


def a_training(X, y):
    forest = read_forest(RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, y))
    weight = np.arange(1.0, len(y) + 1)
    return Training(forest, Numbers(), X, y, forest.inputs.matrix(X), y[:, None], weight)


def test_sums_and_means_are_those_of_the_covered_samples(diabetes):
    X, y = diabetes
    training = a_training(X, y)
    pool = make_pool(training.forest, "leaves")
    total, summed = training.sums(training.cover(pool))
    assert training.mean == pytest.approx(np.average(y, weights=training.weight))
    for j in range(len(pool)):
        holds = cover(pool, training.values).holds(j)
        assert total[j] == training.weight[holds].sum()
        assert summed[j] == pytest.approx(training.weight[holds] @ y[holds])


@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame])
def test_a_subset_has_the_same_rows_everywhere(diabetes, container):
    X, y = diabetes
    rows = np.array([5, 2])
    part = a_training(container(X), y).subset(rows)
    np.testing.assert_array_equal(part.X, X[rows])
    np.testing.assert_array_equal(part.values, X[rows].astype(np.float32))
    assert part.y.tolist() == part.targets[:, 0].tolist() == y[rows].tolist()
    assert part.weight.tolist() == [6, 3]


def test_of_rules_for_the_same_samples_the_shortest_stays(diabetes):
    X, y = diabetes
    pool = make_pool(read_forest(RandomForestRegressor(5, max_depth=3, random_state=0).fit(X, y)), "nodes")
    coverage = cover(pool, X.astype(np.float32))
    kept = distinct_rules(pool, coverage, np.arange(len(pool)))
    holds = coverage.matrix().toarray().T
    shortest = {}
    for row, n in zip(holds, pool.n_conditions, strict=True):
        shortest[row.tobytes()] = min(n, shortest.get(row.tobytes(), n))
    assert len(kept) == len(shortest) < len(pool)
    assert all(pool.n_conditions[j] == shortest[holds[j].tobytes()] for j in kept)
    assert (np.diff(kept) > 0).all()


@pytest.mark.parametrize("method", REGRESSORS)
def test_samples_of_weight_zero_are_left_out(method, diabetes):
    X, y = (part[:60] for part in diabetes)
    forest = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, y)
    weight = np.r_[np.ones(50), np.zeros(10)]
    some = method(forest, max_rules=3).fit(X, np.r_[y[:50], np.full(10, 1e6)], weight)
    fewer = method(forest, max_rules=3).fit(X[:50], y[:50])
    np.testing.assert_allclose(some.predict(X), fewer.predict(X))
    assert some.weighted_rules_.n_samples == 50


@pytest.mark.parametrize("scale", [1e155, 1e-160])
@pytest.mark.parametrize("method", REGRESSORS)
def test_targets_whose_squares_do_not_exist_are_rejected_by_all(method, scale):
    with pytest.raises(InvalidDataError, match="cannot be squared in floating point"):
        method().fit([[20.0, 60.0], [20.0, 10.0], [40.0, 60.0], [40.0, 10.0]], scale * np.arange(1, 5))


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_classifiers_have_the_classes_and_the_names_of_the_ensemble(method):
    X, y = load_iris(return_X_y=True, as_frame=True)
    labels = np.array(["setosa", "versicolor", "virginica"])[y]
    forest = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, labels)
    model = method(forest, max_rules=2).fit(X[:100:5], labels[:100:5])  # the ensemble knows a third class
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert {c.feature.name for rule in model.rules_ for c in rule.conditions} <= set(X.columns)


def test_a_clone_is_not_fitted_and_predicts_nothing(diabetes):
    X, y = diabetes
    model = NodeHarvestRegressor(RandomForestRegressor(3, max_depth=2, random_state=0)).fit(X, y)
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    assert not hasattr(SirusClassifier(), "classes_")


def test_the_budget_is_at_least_one(diabetes):
    with pytest.raises(InvalidParameterError, match="max_rules must be an integer of at least 1, or None; got 0"):
        FireRegressor(max_rules=0).fit(*diabetes)
