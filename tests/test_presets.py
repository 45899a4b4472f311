"""The settings that win at equal size, and what is said otherwise."""

import pickle
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted
from small_series import planted

from hedgerow import InvalidParameterError, RuleListClassifier, RuleListRegressor
from hedgerow.losses import priced
from hedgerow.presets import PRESETS, WORKED_OUT, Circumstances, screening_forest
from hedgerow.tasks import Labels
from hedgerow.teachers import Teacher

BOTH = [RuleListClassifier, RuleListRegressor]
FEWER = {
    RuleListClassifier: {
        "ensemble": RandomForestClassifier(5, max_leaf_nodes=8, random_state=0),
        "teacher": Teacher(RandomForestClassifier(40, min_samples_leaf=3, oob_score=True, random_state=0), most=500),
    },
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


def test_labels_are_taught_by_a_forest_that_predicts_out_of_bag(samples):
    made = RuleListClassifier.accurate(max_rules=4, random_state=7, n_jobs=2).settled(*samples[RuleListClassifier])
    teacher, trees = made.teacher.model, made.ensemble
    assert (teacher.n_estimators, teacher.min_samples_leaf, teacher.oob_score) == (100, 3, True)
    forest, rooted, random = trees
    assert (forest.n_estimators, forest.max_leaf_nodes, rooted.tree.max_leaf_nodes, rooted.n_roots) == (25, 8, 8, 20)
    assert (type(random), random.n_estimators, random.max_leaf_nodes) == (ExtraTreesClassifier, 150, 8)
    for model in (teacher, forest, random, made):
        assert (model.random_state, model.n_jobs) == (7, 2)
    assert (made.candidates, made.max_conditions, made.min_coverage, made.target) == ("nodes", 12, 0.0075, "labels")
    assert (made.stability_weight, made.time_limit) == (0.0, 10.0)
    assert made.loss == [("misclassification", 1.0), (priced("gini", 1 / 100), 0.5)]


def test_a_fitted_ensemble_has_seen_the_samples_so_its_opinion_counts_less(samples):
    X, y = samples[RuleListClassifier]
    fitted = RandomForestClassifier(20, random_state=0).fit(X, y)
    taught = RuleListClassifier.accurate(fitted).settled(X, y).teacher
    assert (taught.model, taught.share, taught.opinion) == (fitted, 0.25, 0)


def test_noise_is_not_worth_a_rule():
    # One label in twenty is wrong. Synthetic rows that are copies of samples do not teach the teacher's memory of it.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] > 1) ^ (rng.random(300) < 0.05)
    rules = RuleListClassifier.accurate(max_rules=8, random_state=0).fit(X, y).rule_list_
    assert len(rules) <= 4
    assert all(rule.kind == "" for rule in rules)


@pytest.mark.parametrize("n", [10, 15])
def test_a_dozen_samples_are_enough_for_what_is_plain(n):
    X = np.arange(n, dtype=float)[:, None]
    rules = RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, X[:, 0] > n // 2)
    assert rules.score(X, X[:, 0] > n // 2) >= (n - 1) / n  # the forest may be wrong about a sample at the border


def test_two_rules_find_the_split_with_the_fewest_errors():
    # Impurity falls most where the small class c is split off, errors where a and b are told apart.
    labels, where = [], []
    for label, n, low, high in (("a", 300, 0, 9), ("b", 280, 6, 15), ("c", 150, 15, 30)):
        labels += [label] * n
        where += list(np.linspace(low, high, n))
    X, y = np.array(where)[:, None], np.array(labels)
    best = max(_right(y, X[:, 0] <= cut) for cut in np.unique(X))
    rules = RuleListClassifier.accurate(max_rules=2, random_state=0).fit(X, y)
    tree = DecisionTreeClassifier(max_leaf_nodes=2).fit(X, y)
    assert tree.score(X, y) < 0.97 * best / len(y) <= rules.score(X, y)


def _right(y, side):
    """Return how many samples two rules classify correctly, one on each side."""
    return sum(np.unique(part, return_counts=True)[1].max() for part in (y[side], y[~side]) if len(part))


@pytest.mark.parametrize(("n", "rows", "per_tree"), [(100, 5000, None), (5000, 2500, None), (30_000, 0, 20_000)])
def test_the_more_samples_the_fewer_synthetic_rows(n, rows, per_tree):
    here = Circumstances(Labels, 8, 2, n, 10, False, None, 0, 1)
    made = PRESETS["accurate"](here)
    assert made["teacher"].most == rows
    assert made["teacher"].model.max_samples == per_tree


@pytest.mark.parametrize(("shares", "n_rules"), [((0.1, 0.12), 1), ((0.1, 0.3), 2), ((0.1, 0.9), 2)])
def test_neighbours_with_the_same_label_and_like_shares_are_one_rule(shares, n_rules):
    n = 400
    X = np.arange(n)[:, None] // (n // 2)
    y = np.concatenate([np.arange(n // 2) < share * n // 2 for share in shares])
    tree = DecisionTreeClassifier(max_depth=1).fit(X, y)
    made = RuleListClassifier.accurate(tree, max_rules=4, target="labels").fit(X, y)
    assert len(made.rule_list_) == n_rules
    assert made.solution_.optimal


@pytest.mark.parametrize("max_rules", [8, 30, None])
def test_what_is_exact_gets_no_further_rules(max_rules):
    X = np.random.default_rng(0).random((400, 5))
    y = np.floor(X[:, 0] * 8)
    rules = RuleListRegressor.accurate(max_rules=max_rules, random_state=0).fit(X, y)
    assert len(rules.rule_list_) == 8
    assert_array_equal(rules.predict(X), y)


@pytest.mark.filterwarnings("ignore:The time limit ended the search")
def test_no_budget_fits_the_samples_as_well_as_a_large_one():
    X, y = (part[:150] for part in load_breast_cancer(return_X_y=True))
    given = {"random_state": 1, "time_limit": 3, "teacher": FEWER[RuleListClassifier]["teacher"]}
    errors = [1 - RuleListClassifier.accurate(max_rules=b, **given).fit(X, y).score(X, y) for b in (30, None)]
    assert errors[1] <= errors[0] + 0.005


@pytest.mark.filterwarnings("error")
def test_a_forest_with_out_of_bag_scores_does_not_warn_of_those_of_weighted_rows():
    X, y = (part[:200] for part in load_breast_cancer(return_X_y=True))
    forest = RandomForestClassifier(30, oob_score=True, random_state=0)
    RuleListClassifier.accurate(forest, max_rules=3, random_state=0).fit(X, y)


def test_stumps_warn_with_the_way_out():
    X, y = load_breast_cancer(return_X_y=True)
    stumps = AdaBoostClassifier(n_estimators=10, random_state=0)
    with pytest.warns(UserWarning, match="more than 2 leaves.*without an ensemble"):
        RuleListClassifier.accurate(stumps, max_rules=8, random_state=0).fit(X, y)


def test_numbers_are_taught_by_a_forest(samples):
    made = RuleListRegressor.accurate(max_rules=15, random_state=7).settled(*samples[RuleListRegressor])
    teacher = made.teacher.model
    assert (teacher.n_estimators, teacher.min_samples_leaf, teacher.oob_score) == (100, 3, True)
    forest, rooted = made.ensemble
    assert all(one.random_state == 7 for one in (teacher, forest, rooted.tree))
    assert (forest.n_estimators, forest.max_leaf_nodes, forest.bootstrap) == (25, 30, False)
    assert (type(rooted.tree), rooted.tree.max_leaf_nodes) == (DecisionTreeRegressor, 30)
    assert (made.candidates, made.max_conditions, made.min_coverage, made.target) == ("nodes", 12, 0.0, "labels")
    assert (made.loss, made.stability_weight, made.time_limit) == (priced("sse", 0.0005), 0.0, 10.0)


@pytest.mark.parametrize("budget", [2, 6, 20])
def test_a_list_of_numbers_fits_what_it_learns_from_no_worse_than_the_greedy_tree(samples, budget):
    rules = RuleListRegressor.accurate(max_rules=budget, random_state=0).fit(*samples[RuleListRegressor])
    learned, coverage = rules.posed_.learned, rules.problem_.coverage
    rows = (learned.values, learned.targets, learned.weight)
    tree = DecisionTreeRegressor(max_leaf_nodes=budget, random_state=0).fit(*rows)
    error = np.average((tree.predict(learned.values) - learned.targets) ** 2, weights=learned.weight)
    spread = 0.0
    for j in rules.solution_.chosen:
        held = coverage.members(j)
        target, weight = learned.targets[held], learned.weight[held]
        spread += np.sum(weight * (target - np.average(target, weights=weight)) ** 2)
    assert spread / learned.weight.sum() <= error * (1 + 1e-9)


@pytest.mark.parametrize(("n_samples", "share"), [(100, 0.25), (1500, 0.5), (5000, 0.9)])
def test_the_teacher_of_numbers_says_more_the_more_samples_it_has(n_samples, share):
    X = np.arange(float(n_samples))[:, None]
    assert RuleListRegressor.accurate(max_rules=4).settled(X, X[:, 0]).teacher.share == share


@pytest.mark.parametrize("kind", BOTH)
def test_what_is_said_otherwise_counts(kind, samples):
    given = {"min_coverage": 0.1, "stability_weight": 0.2, "max_conditions": 2, "time_limit": None, "target": 0.5}
    given["ensemble"] = FEWER[kind]["ensemble"]
    made = kind.accurate(max_rules=3, **given)
    for found in (made, made.settled(*samples[kind])):
        assert {name: getattr(found, name) for name in given} == given
    assert made.settled(*samples[kind]).teacher is None  # of a target and a teacher, only one says what is learned
    with pytest.raises(InvalidParameterError, match=r"no parameter 'max_rulez'\. Did you mean max_rules"):
        kind.accurate(max_rulez=3)
    with pytest.raises(InvalidParameterError, match="max_rules"):
        kind.accurate(max_rules=0)


@pytest.mark.parametrize("budget", [1, 2, 8, 12, 30, 100, None])
def test_rules_are_long_enough_for_a_whole_tree_of_the_budget(budget, samples):
    made = RuleListClassifier.accurate(max_rules=budget).settled(*samples[RuleListClassifier])
    assert made.max_conditions >= 3
    assert budget is None or 2**made.max_conditions > budget
    trees = RuleListRegressor.accurate(max_rules=budget).settled(*samples[RuleListRegressor]).ensemble
    for one in trees:
        leaves = getattr(one, "tree", one).max_leaf_nodes
        assert leaves is None if budget is None else leaves >= budget


def test_an_ensemble_that_is_fitted_teaches_too_and_another_does_not(samples):
    X, y = samples[RuleListRegressor]
    trees = ExtraTreesRegressor(20, min_samples_leaf=3, random_state=0)
    made = RuleListRegressor.accurate(trees).settled(X, y)
    assert made.ensemble is trees
    assert isinstance(made.teacher.model, RandomForestRegressor)
    fitted = trees.fit(X, y)
    made = RuleListRegressor.accurate(fitted, max_rules=5, random_state=0)
    assert made.settled(X, y).teacher.model is made.ensemble is fitted
    rules = made.fit(X, y)
    assert rules.ensemble_ is rules.teacher_ is fitted
    assert len(rules.rule_list_) <= 5


def test_time_series_have_no_teacher():
    if sys.version_info < (3, 12):
        pytest.importorskip("wildboar")
    from wildboar import ensemble as wildboar

    made = RuleListRegressor.accurate(wildboar.ShapeletForestRegressor(10, max_depth=2, random_state=0), max_rules=4)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), rng.normal(size=40)
    assert made.settled(X, y).teacher is None
    assert len(made.fit(X, y).rule_list_) <= 4


def test_a_list_that_explains_a_model_of_time_series_says_so():
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted(40)
    model = TimeSeriesForestClassifier(n_estimators=5, random_state=0).fit(X, y)
    rules = RuleListClassifier.faithful(model, max_rules=3, random_state=0).fit(X, y)
    assert rules.is_explanation
    assert all(rule.of_model is not None for rule in rules.rule_list_)
    assert str(rules.fidelity(X)).startswith("disagreement with the model")
    assert "How faithful is it to the model?" in rules.rule_list_.to_html(estimator=rules, X=X, y=y)


def test_few_rules_for_numbers_have_candidates_with_other_second_splits(samples):
    X, y = samples[RuleListRegressor]
    model = LinearRegression().fit(X, y)
    second = {}
    for budget in (4, 5, 8, 9):
        made = RuleListRegressor.faithful(model, max_rules=budget).settled(X, y)
        second[budget] = [one.n_second for one in made.ensemble if hasattr(one, "n_second")]
    assert second == {4: [0], 5: [8], 8: [8], 9: [0]}
    accurate = RuleListRegressor.accurate(max_rules=8).settled(X, y)
    assert [one.n_second for one in accurate.ensemble if hasattr(one, "n_second")] == [0]


@pytest.mark.parametrize("kind", BOTH)
def test_the_settings_follow_a_budget_that_is_set_later(kind, samples):
    early, late = kind.accurate(max_rules=9, random_state=0), kind.accurate(max_rules=2, random_state=0)
    late = clone(late).set_params(max_rules=9)
    assert repr(late) == repr(early)
    settings = [one.settled(*samples[kind]).get_params() for one in (early, late)]
    assert repr(settings[0]) == repr(settings[1])
    assert settings[0]["preset"] is None


def test_labels_of_time_series_are_learned_from_the_features_of_the_ensemble():
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted(40)
    intervals = TimeSeriesForestClassifier(n_estimators=5, random_state=0)
    accurate = RuleListClassifier.accurate(intervals, max_rules=4, random_state=7)
    made = accurate.settled(X, y)
    assert made.ensemble.ensemble is intervals
    assert (made.ensemble.trees.max_leaf_nodes, made.ensemble.trees.random_state) == (8, 7)
    assert (made.teacher.rows, made.candidates, made.stability_weight, made.target) == (
        "scatter",
        "nodes",
        0.0,
        "labels",
    )
    rules = accurate.set_params(max_rules=3).fit(X, y)
    assert len(rules.rule_list_) <= 3
    assert sum(rule.coverage for rule in rules.rule_list_) == 40
    assert rules.score(*planted(seed=1)) > 0.9


def test_a_fitted_ensemble_of_time_series_is_not_fitted_again():
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted(40)
    intervals = TimeSeriesForestClassifier(n_estimators=5, random_state=0).fit(X, y)
    rules = RuleListClassifier.accurate(intervals, max_rules=2, random_state=0).fit(X, y)
    assert rules.ensemble_.ensemble_ is intervals


def test_a_search_over_budgets_gives_each_its_own_settings(samples):
    X, y = samples[RuleListRegressor]
    teacher = FEWER[RuleListRegressor]["teacher"]
    search = GridSearchCV(
        RuleListRegressor.accurate(random_state=0, teacher=teacher), {"max_rules": [2, 5]}, cv=2, refit=False
    )
    search.fit(X, y)
    alone = [RuleListRegressor.accurate(max_rules=b, random_state=0, teacher=teacher) for b in (2, 5)]
    scores = [cross_val_score(one, X, y, cv=2).mean() for one in alone]
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], scores, rtol=1e-12)
    pools = [one.fit(X, y).ensemble_[0].max_leaf_nodes for one in alone]
    assert pools == [4, 10]


@pytest.mark.parametrize("kind", BOTH)
def test_a_fitted_preset_pickles_and_keeps_its_parameters(kind, samples):
    made = kind.accurate(max_rules=3, random_state=0, **FEWER[kind])
    before = repr(made)
    fitted = made.fit(*samples[kind])
    assert repr(fitted) == before
    assert fitted.settings_.left_open == frozenset()
    twin = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(twin.predict(samples[kind][0]), fitted.predict(samples[kind][0]))
    assert twin.preset == "accurate"


def test_samples_of_weight_zero_do_not_count(samples):
    X, y = samples[RuleListClassifier]
    seen = []

    def note(here):
        seen.append((here.n_samples, here.n_columns, here.n_classes, here.max_rules, here.series))
        return {}

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PRESETS, "accurate", note)
        made = RuleListClassifier.accurate(max_rules=3)
        made.settled(X, y)
        found = made.settled(X, y, np.arange(len(y)) % 2)
    assert seen == [(200, 30, 2, 3, False), (100, 30, 2, 3, False)]
    # What a preset leaves alone is what the class does without one.
    assert (found.min_coverage, found.target, found.loss) == (0.0, "labels", "misclassification")


def test_a_preset_works_out_only_what_it_may(samples):
    for kind in BOTH:
        X, y = samples[kind]
        n_classes = 2 if kind is RuleListClassifier else 0
        for series in (False, True):
            for preset in PRESETS.values():
                here = Circumstances(kind.task_kind, 5, n_classes, len(y), X.shape[1], series, len, 0, None)
                assert set(preset(here)) <= set(WORKED_OUT)


def test_an_unknown_preset_is_refused(samples):
    with pytest.raises(InvalidParameterError, match="preset must be None or one of 'accurate', 'faithful'; got 'best'"):
        RuleListClassifier(preset="best").fit(*samples[RuleListClassifier])


def test_none_stands_for_the_papers_values_without_a_preset(samples):
    X, y = samples[RuleListClassifier]
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    plain = RuleListClassifier(forest, max_rules=4).fit(X, y)
    nones = RuleListClassifier(forest, max_rules=4, min_coverage=None, target=None, loss=None).fit(X, y)
    assert list(plain.rule_list_) == list(nones.rule_list_)
    assert nones.min_coverage is nones.target is nones.loss is None


def test_leaves_that_screen_columns_are_neither_tiny_nor_huge():
    sizes = [screening_forest(Labels, n, 0, 1).min_samples_leaf for n in (10, 400, 2000, 10**6)]
    assert sizes == [5, 10, 50, 100]
