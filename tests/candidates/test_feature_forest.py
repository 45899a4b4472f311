"""Trees on the features of another ensemble give rules on the series themselves."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from small_series import planted

from hedgerow import InvalidParameterError, RuleListClassifier, UnfittedModelError, read_forest
from hedgerow.candidates.ensembles import takes_series
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.teachers import Teacher


def intervals(n_trees=5):
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    return TimeSeriesForestClassifier(n_estimators=n_trees, random_state=0)


def trees(n_trees=10):
    return RandomForestClassifier(n_trees, max_leaf_nodes=6, random_state=0)


@pytest.fixture(scope="module")
def fitted():
    return FeatureForest(intervals(), trees(20)).fit(*planted())


def test_series_reach_the_leaves_that_the_trees_give_to_their_features(fitted):
    X = planted(seed=1)[0]
    assert_array_equal(read_forest(fitted).apply(X), fitted.trees_.apply(fitted.table(X)))
    assert_array_equal(read_forest(fitted).labels(X), fitted.trees_.predict(fitted.table(X)))


def test_the_features_are_those_of_the_ensemble(fitted):
    assert read_forest(fitted).features == read_forest(fitted.ensemble_).features
    assert takes_series(fitted)
    assert not takes_series(FeatureForest(RandomForestClassifier(), trees()))


def test_a_fitted_ensemble_is_used_as_it_is():
    X, y = planted()
    given = intervals().fit(X, y)
    assert FeatureForest(given, trees()).fit(X, y).ensemble_ is given


def test_a_clone_is_not_fitted(fitted):
    twin = clone(fitted)
    assert not hasattr(twin, "trees_")
    with pytest.raises(UnfittedModelError, match="Call fit"):
        read_forest(twin)
    assert clone(FeatureForest(FrozenEstimator(fitted.ensemble_), trees())).ensemble.estimator is fitted.ensemble_


def test_a_list_of_its_rules_partitions_the_series_and_finds_the_pattern():
    X, y = planted()
    rules = RuleListClassifier(FeatureForest(intervals(), trees()), max_rules=3, stability_weight=0.0).fit(X, y)
    assert sum(rule.coverage for rule in rules.rule_list_) == len(X)
    assert rules.score(*planted(seed=1)) > 0.9
    assert isinstance(rules.ensemble_, FeatureForest)
    assert "x[" in str(rules.rule_list_)


def test_an_ensemble_that_is_already_fitted_stays_the_same(fitted):
    X, y = planted()
    rules = RuleListClassifier(fitted, max_rules=4, stability_weight=0.0).fit(X, y)
    assert rules.ensemble_ is fitted
    assert rules.fidelity(X, y).ensemble_score == pytest.approx(np.mean(fitted.trees_.predict(fitted.table(X)) == y))


def test_weights_of_zero_leave_series_out():
    X, y = planted()
    weight = np.r_[np.ones(40), np.zeros(20)]
    rules = RuleListClassifier(FeatureForest(intervals(), trees()), max_rules=3).fit(X, y, sample_weight=None)
    assert rules.rule_list_.n_samples == 60
    given = FrozenEstimator(intervals().fit(X, y))
    rules = RuleListClassifier(FeatureForest(given, trees()), max_rules=3).fit(X, y, sample_weight=weight)
    assert rules.rule_list_.n_samples == 40


@pytest.mark.parametrize("rows", ["swap", "scatter"])
def test_a_teacher_adds_rows_of_features(rows):
    X, y = planted(40)
    teacher = Teacher(trees(), share=0, copies=5, rows=rows)
    made = RuleListClassifier(FeatureForest(intervals(), trees()), max_rules=4, teacher=teacher, random_state=0)
    first, second = (clone(made).fit(X, y) for _ in range(2))
    assert len(first.posed_.learned.values) == 6 * 40
    assert list(first.rule_list_) == list(second.rule_list_)
    assert first.score(*planted(seed=1)) > 0.9


def test_a_teacher_for_series_still_has_no_rows():
    ensemble = FeatureForest(intervals(), trees())
    with pytest.raises(InvalidParameterError, match="synthetic rows of tables"):
        RuleListClassifier(ensemble, teacher=Teacher(intervals())).fit(*planted())


def test_out_of_bag_predictions_are_those_of_the_trees():
    X, y = planted()
    model = FeatureForest(intervals(), clone(trees(40)).set_params(oob_score=True)).fit(X, y)
    assert model.oob_decision_function_ is model.trees_.oob_decision_function_
    alone = clone(model.trees).fit(model.table(X), y)
    assert_array_equal(model.oob_decision_function_, alone.oob_decision_function_)
