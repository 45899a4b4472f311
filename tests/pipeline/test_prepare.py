"""Candidates are the leaves or the nodes of the ensemble; what they learn from is decided by target and teacher."""

from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.frozen import FrozenEstimator
from small_data import DIABETES, IRIS, WINE, small_forest

from hedgerow import (
    RuleListClassifier,
    RuleListRegressor,
    read_forest,
)


def test_max_conditions_is_kept():
    deep = RandomForestClassifier(10, random_state=0).fit(*WINE)
    fitted = RuleListClassifier(deep, max_rules=4, max_conditions=2).fit(*WINE)
    assert max(len(rule.conditions) for rule in fitted.rule_list_) <= 2


def test_auto_takes_nodes_if_the_filter_leaves_no_whole_tree():
    fitted = RuleListClassifier(small_forest(depth=3), max_rules=8, min_coverage=0.3).fit(*IRIS)
    assert (fitted.pool_.forest.nodes.left[fitted.pool_.node] >= 0).any()
    assert min(rule.share for rule in fitted.rule_list_) >= 0.3


def test_target_ensemble_explains_the_ensemble():
    X, y = DIABETES
    forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListRegressor(forest, max_rules=4, target="ensemble").fit(X, y)
    assert_allclose(fitted.rule_list_.default.prediction, forest.predict(X).mean())
    assert_array_equal(
        RuleListRegressor(forest, max_rules=4, target=1).fit(X, y).solution_.chosen, fitted.solution_.chosen
    )
    mixed = RuleListRegressor(forest, max_rules=4, target=0.5).fit(X, y)
    assert_allclose(mixed.rule_list_.default.prediction, y.mean())
    labels = RuleListClassifier(small_forest(), max_rules=4, target="ensemble").fit(*IRIS)
    assert_allclose(labels.rule_list_.default.distribution, small_forest().predict_proba(IRIS[0]).mean(axis=0))
    assert RuleListClassifier(small_forest(), max_rules=4, target=0.5).fit(*IRIS).solution_.optimal


def test_what_an_ensemble_may_be():
    X, y = IRIS
    fitted = small_forest()
    assert RuleListClassifier(fitted, max_rules=4).fit(X, y).ensemble_ is fitted
    unfitted = RandomForestClassifier(5, max_depth=2, random_state=0)
    rules = RuleListClassifier(unfitted, max_rules=4).fit(X, y)
    assert rules.ensemble_ is not unfitted
    assert not hasattr(unfitted, "estimators_")
    assert RuleListClassifier(read_forest(fitted), max_rules=4).fit(X, y).forest_.n_trees == 20
    both = RuleListClassifier([fitted, unfitted], max_rules=4).fit(X, y)
    assert both.forest_.n_trees == 25
    frozen = RuleListClassifier(FrozenEstimator(fitted), max_rules=4)
    assert clone(frozen).fit(X, y).forest_.n_trees == 20
    default = RuleListClassifier(max_rules=4, random_state=0, n_jobs=2).fit(X, y)
    assert default.forest_.n_trees == 500
    assert default.forest_.nodes.depth.max() == 3
