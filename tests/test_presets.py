"""The settings that win at equal size, and what is said otherwise."""

import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, make_friedman1
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted
from small_series import planted

from hedgerow import InvalidParameterError, RuleListClassifier, RuleListRegressor
from hedgerow.presets import quick_labels, quick_numbers, screening_forest
from hedgerow.tasks import Labels
from hedgerow.teachers import Teacher

BOTH = [RuleListClassifier, RuleListRegressor]
FEWER = {
    RuleListClassifier: {"ensemble": RandomForestClassifier(40, min_samples_leaf=3, oob_score=True, random_state=0)},
    RuleListRegressor: {
        "ensemble": RandomForestRegressor(5, max_leaf_nodes=8, random_state=0),
        "teacher": Teacher(RandomForestRegressor(40, min_samples_leaf=3, oob_score=True, random_state=0), most=500),
    },
}


@pytest.fixture(scope="module")
def samples():
    (X, y), (Z, v) = load_breast_cancer(return_X_y=True), load_diabetes(return_X_y=True)
    return {RuleListClassifier: (X[:200], y[:200]), RuleListRegressor: (Z[:200], v[:200])}


@pytest.mark.parametrize("kind", BOTH)
def test_the_preset_is_an_unfitted_estimator_that_clones_and_is_reproducible(kind, samples):
    made = kind.accurate(max_rules=4, random_state=3, **FEWER[kind])
    with pytest.raises(NotFittedError):
        check_is_fitted(made)
    first, second = (clone(made).fit(*samples[kind]).rule_list_ for _ in range(2))
    assert list(first) == list(second)
    assert len(first) <= 4
    assert sum(rule.coverage for rule in first) == 200


@pytest.mark.parametrize("kind", BOTH)
def test_the_class_itself_stays_the_papers(kind):
    plain = kind()
    assert (plain.stability_weight, plain.candidates, plain.teacher, plain.target) == (0.5, "auto", None, "labels")


def test_labels_are_chosen_by_a_forest_that_predicts_out_of_bag():
    made = RuleListClassifier.accurate(max_rules=4, random_state=7, n_jobs=2)
    forest = made.ensemble
    assert (forest.n_estimators, forest.min_samples_leaf, forest.oob_score) == (300, 3, True)
    assert (forest.random_state, forest.n_jobs, made.random_state, made.n_jobs) == (7, 2, 7, 2)
    assert (made.candidates, made.max_conditions, made.min_coverage, made.target) == ("nodes", 3, 0.02, 0.75)
    assert (made.loss, made.stability_weight, made.time_limit) == ("misclassification", 0.0, 10.0)


def test_numbers_are_taught_by_a_forest():
    made = RuleListRegressor.accurate(max_rules=15, random_state=7)
    teacher, trees = made.teacher.model, made.ensemble
    assert (teacher.n_estimators, teacher.min_samples_leaf, teacher.oob_score, teacher.random_state) == (
        100,
        3,
        True,
        7,
    )
    assert (trees.n_estimators, trees.max_leaf_nodes, trees.random_state) == (50, 30, 7)
    assert (made.candidates, made.max_conditions, made.min_coverage, made.target) == ("nodes", 8, 0.0, "labels")
    assert (made.loss, made.stability_weight, made.time_limit) == ("sse", 0.0, 10.0)


@pytest.mark.parametrize("kind", BOTH)
def test_what_is_said_otherwise_counts(kind):
    made = kind.accurate(max_rules=3, min_coverage=0.1, stability_weight=0.2, max_conditions=2, time_limit=None)
    assert (made.min_coverage, made.stability_weight, made.max_conditions, made.time_limit) == (0.1, 0.2, 2, None)
    with pytest.raises(InvalidParameterError, match=r"no parameter 'max_rulez'\. Did you mean max_rules"):
        kind.accurate(max_rulez=3)
    with pytest.raises(InvalidParameterError, match="max_rules"):
        kind.accurate(max_rules=0)


@pytest.mark.parametrize("budget", [1, 2, 8, 12, 30, 100, None])
def test_rules_are_long_enough_for_a_whole_tree_of_the_budget(budget):
    made = RuleListClassifier.accurate(max_rules=budget)
    assert made.max_conditions >= 3
    assert budget is None or 2**made.max_conditions > budget
    trees = RuleListRegressor.accurate(max_rules=budget).ensemble
    assert trees.max_leaf_nodes is None if budget is None else trees.max_leaf_nodes >= budget


def test_an_ensemble_that_is_fitted_teaches_too_and_another_does_not(samples):
    X, y = samples[RuleListRegressor]
    trees = ExtraTreesRegressor(20, min_samples_leaf=3, random_state=0)
    made = RuleListRegressor.accurate(trees)
    assert made.ensemble is trees
    assert isinstance(made.teacher.model, RandomForestRegressor)
    fitted = trees.fit(X, y)
    made = RuleListRegressor.accurate(fitted, max_rules=5, random_state=0)
    assert made.teacher.model is made.ensemble is fitted
    rules = made.fit(X, y)
    assert rules.ensemble_ is rules.teacher_ is fitted
    assert len(rules.rule_list_) <= 5


def test_time_series_have_no_teacher():
    if sys.version_info < (3, 12):
        pytest.importorskip("wildboar")
    from wildboar import ensemble as wildboar

    made = RuleListRegressor.accurate(wildboar.ShapeletForestRegressor(10, max_depth=2, random_state=0), max_rules=4)
    assert made.teacher is None
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), rng.normal(size=40)
    assert len(made.fit(X, y).rule_list_) <= 4


def test_labels_of_time_series_are_learned_from_the_features_of_the_ensemble():
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted(40)
    intervals = TimeSeriesForestClassifier(n_estimators=5, random_state=0)
    made = RuleListClassifier.accurate(intervals, max_rules=4, random_state=7)
    assert made.ensemble.ensemble is intervals
    assert (made.ensemble.trees.max_leaf_nodes, made.ensemble.trees.random_state) == (8, 7)
    assert (made.teacher.rows, made.candidates, made.stability_weight, made.target) == (
        "scatter",
        "nodes",
        0.0,
        "labels",
    )
    rules = made.set_params(max_rules=3).fit(X, y)
    assert len(rules.rule_list_) <= 3
    assert sum(rule.coverage for rule in rules.rule_list_) == 40
    assert rules.score(*planted(seed=1)) > 0.9


def test_a_fitted_ensemble_of_time_series_is_not_fitted_again():
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted(40)
    intervals = TimeSeriesForestClassifier(n_estimators=5, random_state=0).fit(X, y)
    rules = RuleListClassifier.accurate(intervals, max_rules=2, random_state=0).fit(X, y)
    assert rules.ensemble_.ensemble_ is intervals


def test_the_quick_settings_beat_a_tree_of_the_same_size():
    lists, trees = [], []
    for seed in range(3):
        X, X_test, y, y_test = train_test_split(*make_friedman1(800, random_state=seed), random_state=seed)
        rules = RuleListRegressor(**quick_numbers(len(X), 8, seed, 1)).fit(X, y)
        tree = DecisionTreeRegressor(max_leaf_nodes=8, random_state=seed).fit(X, y)
        lists.append(rules.score(X_test, y_test))
        trees.append(tree.score(X_test, y_test))
    assert np.mean(lists) > np.mean(trees)


def test_the_quick_settings_do_not_depend_on_the_unit_of_the_targets():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = X[:, 0] + 0.5 * (X[:, 1] > 0) + 0.3 * rng.normal(size=400)
    settings = quick_numbers(len(y), 6, 0, 1)
    assert quick_labels(len(y), 6, 0, 1)["loss"] != settings["loss"]
    lists = [RuleListRegressor(**settings).fit(X, y * unit).rule_list_ for unit in (1.0, 1024.0)]
    assert [rule.conditions for rule in lists[0]] == [rule.conditions for rule in lists[1]]


def test_the_quick_settings_grow_trees_of_a_large_table_on_some_rows():
    assert quick_numbers(100, 4, 0, 1)["ensemble"].max_samples is None
    assert quick_numbers(100_000, 4, 0, 1)["ensemble"].max_samples == 20_000


def test_leaves_that_screen_columns_are_neither_tiny_nor_huge():
    sizes = [screening_forest(Labels, n, 0, 1).min_samples_leaf for n in (10, 400, 2000, 10**6)]
    assert sizes == [5, 10, 50, 100]
