"""Candidates are the leaves or the nodes of the ensemble; what they learn from is decided by target and teacher."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from six_samples import STUMPS, Y, samples_of, settings_of
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.frozen import FrozenEstimator
from small_data import DIABETES, IRIS, WINE, small_forest
from small_forests import FIGURE, forest
from small_series import planted

from hedgerow import (
    InfeasibleError,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    read_forest,
)
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.estimators.validation import check_training
from hedgerow.pipeline.clock import Clock
from hedgerow.pipeline.pose import pose
from hedgerow.pipeline.prepare import learn, prepare, take_candidates
from hedgerow.tasks import Labels


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


def test_the_rows_to_learn_from_are_the_samples_with_weight():
    weight = np.array([1.0, 0.0, 2.0, 1.0, 0.0, 0.5])
    clock = Clock()
    learned = learn(settings_of(), samples_of(weight=weight), clock)
    assert learned.values.tolist() == [[0.0], [2.0], [3.0], [5.0]]
    assert learned.targets.tolist() == learned.answered.tolist() == ["a", "b", "b", "b"]
    assert learned.weight.tolist() == [1.0, 2.0, 1.0, 0.5]
    assert learned.n_samples == 4
    assert (learned.ensemble, learned.teacher) == (STUMPS, None)
    assert set(clock.seconds) == {"ensemble", "values", "targets"}


@pytest.mark.parametrize(("target", "answered_by"), [(0.25, "labels"), (1.0, "ensemble")])
def test_the_targets_are_a_mix_with_the_predictions_of_the_ensemble(target, answered_by):
    # A stump predicts (1, 0) up to its threshold and (0.2, 0.8) above; the thresholds are 1.5, 3.5 and 1.5.
    first = np.repeat([1.0, (0.2 + 1.0 + 0.2) / 3, 0.2], 2)
    said = np.column_stack([first, 1 - first])
    truth = (Y[:, None] == ["a", "b"]).astype(float)
    learned = learn(settings_of(target=target), samples_of(), Clock())
    assert_allclose(learned.targets, (1 - target) * truth + target * said)
    if answered_by == "labels":
        assert_array_equal(learned.answered, Y)
    else:
        assert_allclose(learned.answered, said)


def test_candidates_know_their_samples_and_their_stability():
    prepared = prepare(settings_of(), samples_of())
    assert prepared.coverage.counts.tolist() == [2, 4, 4, 2, 2, 4]
    assert prepared.coverage.members(2).tolist() == [0, 1, 2, 3]
    assert prepared.stability.tolist() == [3, 3, 1, 1, 3, 3]  # each shared split counts 2 * 1 / (1 + 1)
    assert prepared.covers_enough(0.0).all()
    assert prepared.covers_enough(0.34).tolist() == [False, True, True, False, False, True]
    assert prepared.whole_trees(0.3).min() == 2
    assert prepared.whole_trees(0.34).min() == np.inf
    heavy = prepare(settings_of(), samples_of(weight=np.array([3.0, 3, 1, 1, 1, 1])))
    assert heavy.covers_enough(0.5).tolist() == [True, False, True, False, True, False]  # 6, 4, 8, 2, 6 and 4 of 10


def test_candidates_are_leaves_or_all_nodes_down_to_the_longest_rule():
    settings = settings_of(forest(FIGURE), max_conditions=None)
    learned = learn(settings, samples_of(np.zeros((2, 11)), [0, 1]), Clock())
    assert len(take_candidates(settings, learned, "leaves").pool) == 4
    assert len(take_candidates(settings, learned, "nodes").pool) == 7
    short = replace(settings, max_conditions=1)
    assert take_candidates(short, learned, "nodes").pool.n_conditions.tolist() == [0, 1, 1]
    assert len(take_candidates(short, learned, "leaves").pool) == 0


@pytest.mark.parametrize(
    ("given", "longest"),
    [
        ({"max_rules": 4}, [2, 2, 2, 2]),
        ({"max_rules": None}, [2, 2, 2, 2]),
        ({"max_rules": 3}, [0, 1, 2, 2, 1, 2, 2]),
        ({"max_rules": 4, "min_coverage": 0.3}, [0, 1, 2, 2, 1, 2, 2]),
    ],
)
def test_auto_means_leaves_if_a_whole_tree_fits_the_budget_and_nodes_otherwise(given, longest):
    rows = np.zeros((4, 11))
    rows[:, 10], rows[:, 8], rows[:, 2] = [0, 0, 1, 1], [0, 20, 0, 0], [0, 0, 0, 99]
    found = prepare(settings_of(forest(FIGURE), candidates="auto", **given), samples_of(rows, [0, 1, 0, 1]))
    assert sorted(found.pool.n_conditions) == sorted(longest)


def test_the_same_settings_and_samples_are_prepared_the_same():
    settings = settings_of(RandomForestClassifier(5, max_depth=2, random_state=0), candidates="nodes", target=0.5)
    samples = samples_of(*IRIS)
    first, second = prepare(settings, samples), prepare(settings, samples)
    assert first.learned.ensemble is not second.learned.ensemble
    for name in ("values", "targets", "answered", "weight"):
        assert_array_equal(getattr(first.learned, name), getattr(second.learned, name))
    assert_array_equal(first.pool.node, second.pool.node)
    assert_array_equal(first.coverage.matrix().toarray(), second.coverage.matrix().toarray())
    assert_array_equal(first.stability, second.stability)
    assert_array_equal(samples.X, IRIS[0])
    assert not hasattr(settings.ensemble, "estimators_")


def test_other_settings_of_the_problem_fit_nothing_again(monkeypatch):
    fits, fit = [], RandomForestClassifier.fit
    monkeypatch.setattr(RandomForestClassifier, "fit", lambda self, *given, **more: fits.append(1) or fit(self, *given))
    settings = settings_of(RandomForestClassifier(5, max_depth=2, random_state=0), max_rules=4)
    prepared = prepare(settings, samples_of(*IRIS))
    for changed in ({"stability_weight": 0.0}, {"min_coverage": 0.2}, {"max_rules": 3}):
        posed = pose(prepared, replace(settings, **changed))
        assert posed.learned is prepared.learned
    assert len(fits) == 1
    assert len(prepared.pool) > len(pose(prepared, replace(settings, min_coverage=0.2)).pool)


def is_of_leaves(fitted):
    return (fitted.pool_.forest.nodes.left[fitted.pool_.node] < 0).all()


@pytest.mark.parametrize(("depth", "budget"), [(2, 4), (2, 8), (3, 4), (3, 8)])
@pytest.mark.parametrize("data", [IRIS, WINE], ids=["iris", "wine"])
def test_auto_takes_the_leaves_of_ordinary_forests(data, depth, budget):
    forest = RandomForestClassifier(100, max_depth=depth, random_state=0)
    fitted = RuleListClassifier(forest, max_rules=budget).fit(*data)
    fits = min(tree.n_leaves for tree in fitted.forest_.trees) <= budget
    assert is_of_leaves(fitted) == fits


def test_auto_takes_nodes_where_the_trees_that_fit_say_little():
    X, y = IRIS
    boosted = GradientBoostingClassifier(max_depth=6, random_state=0).fit(X, y)
    scores = {c: RuleListClassifier(boosted, candidates=c).fit(X, y).score(X, y) for c in ("auto", "leaves", "nodes")}
    assert scores["auto"] == scores["nodes"] > 0.98
    assert scores["leaves"] < 0.75
    searched = RuleListClassifierCV(boosted, max_rules=[8], min_coverages=[0.0], cv=3).fit(X, y)
    assert not is_of_leaves(searched.best_estimator_)


def test_auto_takes_nodes_where_the_trees_that_fit_say_little_about_numbers():
    X, y = DIABETES
    tiny, large = (RandomForestRegressor(20, max_leaf_nodes=n, max_features=1, random_state=0) for n in (2, 40))
    good = RuleListRegressor(
        [tiny, large.set_params(max_features=1.0)], max_rules=6, stability_weight=0.0, loss="sse"
    ).fit(X, y)
    assert not is_of_leaves(good)
    fitting = large.set_params(max_leaf_nodes=6)
    assert is_of_leaves(RuleListRegressor([tiny, fitting], max_rules=6, stability_weight=0.0, loss="sse").fit(X, y))


@pytest.mark.parametrize(
    ("n_leaves", "budget", "warns"), [(2, 8, True), (2, None, True), (2, 2, False), (3, 8, False), (2, 3, True)]
)
def test_trees_that_are_too_small_for_a_good_list_warn(n_leaves, budget, warns):
    X, y = WINE
    forest = RandomForestClassifier(10, max_leaf_nodes=n_leaves, random_state=0).fit(X, y)
    expected = "No tree of the ensemble has more than 2 leaves.* predicts few of the 3 classes.*accurate"
    for candidates in ("auto", "nodes"):
        with pytest.warns(UserWarning, match=expected) if warns else nullcontext():
            RuleListClassifier(forest, max_rules=budget, candidates=candidates).fit(X, y)


@pytest.mark.parametrize(("depth", "warns"), [(2, True), (3, False)])
def test_a_list_that_is_to_be_accurate_warns_of_trees_with_half_as_many_leaves_as_it_may_have_rules(depth, warns):
    X, y = make_classification(300, 6, n_informative=5, n_redundant=0, n_classes=3, flip_y=0.2, random_state=0)
    forest = RandomForestClassifier(10, max_depth=depth, random_state=0)
    with pytest.warns(UserWarning, match="more than 4 leaves") if warns else nullcontext():
        RuleListClassifier.accurate(forest, max_rules=8, random_state=0).fit(X, y)


def test_small_trees_that_are_right_do_not_warn():
    X = np.arange(40.0)[:, None]
    fitted = RuleListClassifier(RandomForestClassifier(5, random_state=0)).fit(X, X[:, 0] > 20)
    assert max(tree.n_leaves for tree in fitted.forest_.trees) == 2


@pytest.mark.filterwarnings("error")
def test_trees_that_cannot_be_larger_do_not_warn():
    X, y = np.arange(40)[:, None] % 2, np.arange(40) % 3 > 0
    RuleListClassifier.accurate(max_rules=8, random_state=0).fit(X, y)
    RuleListClassifier(RandomForestClassifier(5, random_state=0), max_rules=8).fit(X, y)


def test_boosted_stumps_warn_about_numbers_too():
    stumps = GradientBoostingRegressor(max_depth=1, n_estimators=5, random_state=0)
    with pytest.warns(UserWarning, match=r"more than 2 leaves, so a list of its rules is hardly longer\."):
        RuleListRegressor(stumps).fit(*DIABETES)


def test_trees_that_the_filter_leaves_no_list_of_are_refused_by_the_solver():
    X = np.arange(60.0)[:, None]
    stump = RandomForestRegressor(1, max_depth=1, bootstrap=False, random_state=0).fit(X, X[:, 0] > 50)
    with pytest.raises(InfeasibleError):
        RuleListRegressor(stump, max_rules=None, candidates="leaves", min_coverage=0.3).fit(X, X[:, 0])


def test_trees_on_the_features_of_series_are_learned_from_as_if_they_were_columns():
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted()
    features = FeatureForest(
        TimeSeriesForestClassifier(n_estimators=3, random_state=0),
        RandomForestClassifier(5, max_leaf_nodes=4, random_state=0),
    )
    estimator = RuleListClassifier(features, candidates="nodes")
    learned = prepare(estimator.to_settings(), check_training(estimator, Labels, X, y)).learned
    assert_array_equal(learned.samples.X, X)
    table = learned.ensemble.table(X)
    assert_array_equal(learned.values, table.astype(learned.values.dtype))
    assert_array_equal(learned.forest.labels(X), learned.ensemble.trees_.predict(table))
    # What is fitted already stays the object that it is; what is not is another one afterwards.
    assert learned.ensemble is not features
    again = RuleListClassifier(learned.ensemble, candidates="nodes")
    known = prepare(again.to_settings(), check_training(again, Labels, X, y)).learned
    assert known.ensemble is learned.ensemble
    assert_array_equal(known.values, learned.values)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_what_covers_enough_has_this_share_of_the_weight(share, weighted):
    weight = np.random.default_rng(0).integers(0, 4, len(IRIS[1])).astype(float) if weighted else None
    estimator = RuleListClassifier(small_forest(), candidates="nodes")
    prepared = prepare(estimator.to_settings(), check_training(estimator, Labels, *IRIS, weight))
    counted = np.ones(len(IRIS[1])) if weight is None else weight
    for j, enough in enumerate(prepared.covers_enough(share)):
        held = prepared.pool.rule(j).holds(lambda f: IRIS[0][:, f.index].astype(np.float32), len(counted))
        mine = counted[held]
        assert enough == ((mine > 0).any() and mine.sum() >= share * counted.sum() - 1e-9)
