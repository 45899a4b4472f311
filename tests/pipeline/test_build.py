"""A list has the chosen rules, the largest first, with what they predict."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from six_samples import STUMPS, X, samples_of, settings_of
from sklearn.ensemble import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.frozen import FrozenEstimator
from small_data import IRIS, small_forest
from taught_lists import labels, rules

from hedgerow import (
    InvalidParameterError,
    RuleListClassifier,
    RuleListRegressor,
)
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.pipeline.build import build
from hedgerow.pipeline.pose import pose
from hedgerow.pipeline.prepare import prepare
from hedgerow.rules.solution import Solution
from hedgerow.teachers import Teacher


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_samples=st.integers(6, 40),
    budget=st.integers(1, 5),
    candidates=st.sampled_from(["auto", "nodes"]),
    classify=st.booleans(),
)
def test_every_training_sample_is_in_one_rule_and_gets_its_prediction(seed, n_samples, budget, candidates, classify):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_samples, 3)), 1)
    y = rng.integers(0, 3, n_samples) if classify else rng.normal(size=n_samples)
    if classify:
        y[:2] = 0, 1
        ensemble, estimator = RandomForestClassifier(4, max_depth=2, random_state=seed), RuleListClassifier
    else:
        ensemble, estimator = RandomForestRegressor(4, max_depth=2, random_state=seed), RuleListRegressor
    fitted = estimator(ensemble, max_rules=budget, candidates=candidates).fit(X, y)
    matches = fitted.rule_list_.matches(X)
    assert_array_equal(matches.sum(axis=1), 1)
    assert_array_equal(fitted.apply(X), matches.argmax(axis=1))
    for i, rule in enumerate(fitted.rule_list_):
        covered = y[matches[:, i]]
        assert rule.coverage == len(covered) == np.count_nonzero(matches[:, i])
        if classify:
            counts = np.array([np.count_nonzero(covered == c) for c in fitted.classes_])
            assert rule.prediction == fitted.classes_[counts.argmax()]
            assert_allclose(rule.distribution, counts / counts.sum())
        else:
            assert_allclose(rule.prediction, covered.mean(), atol=1e-12)
            assert_allclose(rule.spread, covered.std(), atol=1e-7)
        assert_array_equal(fitted.predict(X)[matches[:, i]], np.full(len(covered), rule.prediction))
    assert_allclose(fitted.solution_.objective, Exhaustive().solve(fitted.problem_).objective, atol=1e-9)


def test_the_list_is_ordered_by_coverage():
    fitted = RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    coverage = [rule.coverage for rule in fitted.rule_list_]
    assert coverage == sorted(coverage, reverse=True)
    assert sum(coverage) == 150
    assert_allclose(sum(rule.share for rule in fitted.rule_list_), 1)


def test_sample_weights_move_the_predictions():
    X, y = IRIS
    heavy = np.where(y == 2, 10.0, 1.0)
    forest = small_forest()
    fitted = RuleListClassifier(forest, max_rules=3).fit(X, y, sample_weight=heavy)
    assert_allclose(fitted.rule_list_.default.distribution, np.array([50, 50, 500]) / 600)
    none = np.where(y == 0, 0.0, 1.0)
    left = RuleListClassifier(forest, max_rules=3).fit(X, y, sample_weight=none)
    assert left.rule_list_.n_samples == 100
    assert left.problem_.n_samples == 100


def built(*chosen, weight=None, **given):
    settings = settings_of(**given)
    posed = pose(prepare(settings, samples_of(weight=weight)), settings)
    return build(posed, Solution(np.array(chosen), 0.0, 0.0, "optimal", 0.0))


def test_the_rules_of_a_solution_by_hand():
    rules = built(0, 1)
    assert [rule.conditions[0].describe() for rule in rules] == ["x > 1.5", "x <= 1.5"]
    assert [(rule.prediction, rule.coverage, rule.distribution) for rule in rules] == [
        ("b", 4, (0, 1)),
        ("a", 2, (1, 0)),
    ]
    assert_allclose([rule.share for rule in rules], [4 / 6, 2 / 6])
    assert (rules.default.prediction, rules.n_samples, rules.fallback) == ("b", 6, None)
    assert_allclose(rules.default.distribution, [2 / 6, 4 / 6])
    assert rules.predict(X).tolist() == ["a", "a", "b", "b", "b", "b"]


def test_of_labels_that_are_as_frequent_the_first_is_predicted():
    first, second = built(2, 3)
    assert (first.prediction, first.distribution, second.prediction) == ("a", (0.5, 0.5), "b")


def test_weights_decide_the_order_the_shares_and_the_predictions_but_not_the_number_of_samples():
    weight = np.array([3.0, 3.0, 1.0, 1.0, 1.0, 1.0])
    first, second = built(0, 1, weight=weight)
    assert (first.conditions[0].describe(), first.coverage, second.coverage) == ("x <= 1.5", 2, 4)
    assert_allclose([first.share, second.share], [0.6, 0.4])
    mixed, _ = built(2, 3, weight=weight)
    assert_allclose(mixed.distribution, [6 / 8, 2 / 8])


def test_a_list_that_asks_the_ensemble_keeps_its_forest():
    found = built(0, 1, uncovered="ensemble").fallback
    assert_array_equal(found.answer(X), STUMPS.answer(X))


def test_the_opinion_of_a_teacher_counts_like_so_many_samples(tumours):
    X, y = tumours
    weight = np.where(np.arange(len(y)) % 7 == 0, 0.0, 1.0)
    model = RandomForestClassifier(60, oob_score=True, random_state=0)
    taught = labels(Teacher(model, opinion=20, copies=3, alone=0), max_rules=4).fit(X, y, sample_weight=weight)
    used, where = weight > 0, taught.apply(X)
    said = taught.teacher_.oob_decision_function_
    for i, rule in enumerate(taught.rule_list_):
        mine = used & (where == i)
        own = (y[mine, None] == taught.classes_).mean(axis=0)
        n = np.count_nonzero(mine)
        assert_allclose(rule.distribution, (n * own + 20 * said[mine].mean(axis=0)) / (n + 20))
        assert rule.class_share == pytest.approx(own[taught.classes_ == rule.prediction].item())
        assert rule.prediction == taught.classes_[np.argmax(rule.distribution)]
    assert_allclose(taught.predict_proba(X), np.array([rule.distribution for rule in taught.rule_list_])[where])


def test_a_rule_says_that_its_teacher_was_for_another_class():
    # The forest is for "b" everywhere, so with enough weight its opinion outvotes the two samples of "a".
    y = np.array(list("aabbbb"))
    forest = RandomForestClassifier(1, max_depth=1, random_state=0).fit(np.zeros((6, 1)), y)
    teacher = Teacher(FrozenEstimator(forest), opinion=50, copies=0)
    first, second = built(0, 1, teacher=teacher)
    assert (first.prediction, first.kind, first.class_share) == ("b", "", 1.0)
    assert (second.prediction, second.kind, second.class_share) == ("b", "taught", 0.0)
    assert str(second) == "if x <= 1.5 then b (0 %, taught)"


def test_a_tie_among_the_samples_that_the_teacher_breaks_is_not_taught():
    forest = RandomForestClassifier(1, max_depth=1, random_state=0).fit(np.zeros((6, 1)), np.array(list("aabbbb")))
    first, _ = built(2, 3, teacher=Teacher(FrozenEstimator(forest), opinion=50, copies=0))
    assert (first.prediction, first.kind, first.class_share) == ("b", "", 0.5)


def test_numbers_take_no_opinion(data):
    with pytest.raises(InvalidParameterError, match="for labels"):
        rules(Teacher(RandomForestRegressor(5, random_state=0), opinion=1)).fit(*data)
