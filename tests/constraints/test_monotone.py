"""Predictions only rise, or only fall, with a feature: for every pair of points, told from the predictions alone."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from wishes import NAMES, Small, a_monotone, monotone, rises, smalls

from hedgerow import InfeasibleError, InvalidParameterError, RuleListClassifier, RuleListRegressor
from hedgerow.constraints import Forbid, Monotone, Require
from hedgerow.losses import cost_matrix
from hedgerow.smoothing import ShrinkAlongPath, ShrinkToDefault
from hedgerow.teachers import Teacher


def check_promise(small, rules, signs):
    """Look at a point of every kind: each cell of the grid of all thresholds, with and without a missing value."""
    points = pd.DataFrame(small.grid, columns=NAMES)
    said = [rules.predict_proba(points)[:, 1]] if small.n_labels else []
    said.append((rules.predict(points) == "good").astype(float) if small.n_labels else rules.predict(points))
    for name, sign in signs.items():
        for one in said:
            assert rises(small.lines(one, name), sign), f"{rules.rule_list_}"


@settings(max_examples=60, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(0, 2)))
def test_the_best_list_that_keeps_the_promise_is_found_and_keeps_it(data, small):
    wish = a_monotone(small, data.draw)
    rules = small.check(wish)
    if rules is not None:
        check_promise(small, rules, wish[0].signs)


VARIANTS = [
    {"smoothing": ShrinkToDefault(5)},
    {"smoothing": ShrinkAlongPath(5)},
    {"round_thresholds": True},
    {"loss": cost_matrix([[0, 1], [3, 0]])},
    {"teacher": "its forest"},
]


@settings(max_examples=40, deadline=None)
@given(
    data=st.data(),
    small=st.builds(
        Small, seed=st.integers(0, 1000), n_labels=st.sampled_from([0, 2]), n=st.just(30), depth=st.just(3)
    ),
    variant=st.sampled_from(VARIANTS),
)
def test_it_keeps_the_promise_however_rules_predict(data, small, variant):
    if "loss" in variant and not small.n_labels:
        return
    if "teacher" in variant:
        variant = {"teacher": Teacher(small.forest)}
    signs = a_monotone(small, data.draw)[0].signs
    try:
        rules = small.fit([Monotone(signs)], max_rules=data.draw(st.sampled_from([3, 6, None])), **variant)
    except InfeasibleError:
        return
    check_promise(small, rules, signs)


@pytest.mark.parametrize("task", ["numbers", "labels"])
def test_ten_thousand_pairs_of_points_on_drawn_data(task):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 4)), columns=["a", "b", "c", "d"])
    y = X["a"] - X["b"] + np.sin(3 * X["c"]) + rng.normal(0, 0.7, 400)
    if task == "labels":
        forest = RandomForestClassifier(20, max_depth=4, random_state=0).fit(X, y > 0)
        kind, y = RuleListClassifier, y > 0
    else:
        forest, kind = RandomForestRegressor(20, max_depth=4, random_state=0).fit(X, y), RuleListRegressor
    rules = kind(forest, max_rules=8, candidates="nodes", constraints=[Monotone({"a": 1, "b": -1})]).fit(X, y)
    assert rules.solution_.optimal
    assert len(set(rules.pool_.tree[rules.solution_.chosen].tolist())) > 1  # rules of several trees leave gaps
    for name, sign in (("a", 1), ("b", -1)):
        low = pd.DataFrame(rng.normal(size=(10_000, 4)) * 1.5, columns=X.columns)
        high = low.copy()
        high[name] += rng.exponential(1.0, len(low))
        said = [rules.predict_proba(one)[:, 1] if task == "labels" else rules.predict(one) for one in (low, high)]
        assert (sign * (said[1] - said[0]) >= 0).all()
        assert (said[1] != said[0]).any()


def test_an_answer_for_gaps_that_does_not_fit_gives_way_to_the_nearest_that_does():
    moved = 0
    for seed in range(60):
        small = Small(seed, n_labels=0, n=20, max_rules=4)
        try:
            rules = small.fit([Monotone({"age": 1, "income": -1})])
        except InfeasibleError:
            continue
        check_promise(small, rules, {"age": 1, "income": -1})
        usual = float(np.mean(small.data[1]))
        default = rules.rule_list_.default
        if default.kind == "between":
            moved += 1
            assert default.prediction != pytest.approx(usual)
            assert default.prediction in [pytest.approx(rule.prediction) for rule in rules.rule_list_]
        else:
            assert default.prediction == pytest.approx(usual)
    assert moved


@settings(max_examples=20, deadline=None)
@given(small=smalls(n_labels=(2,)), data=st.data())
def test_several_are_kept_together(small, data):
    signs = {name: data.draw(st.sampled_from([1, -1])) for name in ("age", "debt")}
    apart = [(Monotone({name: sign}), lambda small, chosen: True) for name, sign in signs.items()]
    apart[0] = apart[0][0], monotone(signs)
    rules = small.check(*apart)
    if rules is not None:
        check_promise(small, rules, signs)


def test_labels_that_are_ordered_numbers_rise():
    X, y, _ = Small(3, n_labels=3, n=40).data
    numbers = np.searchsorted(["bad", "best", "good"], y)
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, numbers)
    small = Small(3, n_labels=3, n=40)
    rules = RuleListClassifier(forest, max_rules=5, candidates="nodes", constraints=[Monotone({"age": 1})])
    said = rules.fit(X, numbers).predict(pd.DataFrame(small.grid, columns=NAMES))
    assert rises(small.lines(said.astype(float), "age"), 1)
    assert len(set(said)) > 1


@pytest.mark.parametrize(
    "signs", [{"age": 2}, {"age": 0}, {"age": "up"}, {"age": True}, {"age": None}, {}, "age", None]
)
def test_signs_are_plus_or_minus_one(signs):
    with pytest.raises(InvalidParameterError, match=r"a dictionary from features to \+1 or -1, such as"):
        Monotone(signs)


@pytest.mark.parametrize("constraints", [[Monotone({"age": 1}), Monotone({"age": -1})], [Monotone({"age": 1, 0: -1})]])
def test_a_feature_cannot_both_rise_and_fall(constraints):
    with pytest.raises(InvalidParameterError, match=r"'age' is given both \+1 and -1. Leave one out"):
        Small(0, max_rules=4).fit(constraints)


def test_labels_without_an_order_are_refused():
    with pytest.raises(InvalidParameterError, match=r"there are 3 labels such as 'bad'. Put them into two groups, or"):
        Small(0, n_labels=3, max_rules=4).fit([Monotone({"age": 1})])


def test_the_ensemble_cannot_answer_in_gaps():
    with pytest.raises(InvalidParameterError, match=r"the ensemble does, which promises nothing. Take uncovered='def"):
        Small(0, max_rules=4).fit([Monotone({"age": 1})], uncovered="ensemble")


def test_an_unknown_feature_is_refused():
    with pytest.raises(InvalidParameterError, match=r"Monotone names the feature 'agee'.*Did you mean 'age'"):
        Small(0, max_rules=4).fit([Monotone({"agee": 1})])


def test_costs_that_turn_the_order_of_labels_around_are_refused():
    with pytest.raises(InvalidParameterError, match=r"Make it cost more to be wrong than to be right"):
        Small(0, max_rules=4).fit([Monotone({"age": 1})], loss=cost_matrix([[1, 0], [0, 1]]))


def test_a_feature_that_no_rule_uses_asks_nothing():
    small = Small(0, max_rules=4)
    free = small.fit([Forbid(feature="age")])
    assert small.fit([Forbid(feature="age"), Monotone({"age": 1})]).solution_.objective == free.solution_.objective


def test_a_list_of_one_rule_keeps_every_promise():
    small = Small(0, max_rules=1, candidates="nodes")
    assert len(small.fit([Monotone(dict.fromkeys(NAMES, 1))]).rule_list_) == 1
    with pytest.raises(InfeasibleError):
        small.fit([Monotone({"age": 1}), Require(feature="age")])


def test_it_is_said_in_words():
    assert (
        str(Monotone({"income": 1, "debt": -1, "age": 1})) == "predictions rise with income and age and fall with debt"
    )
