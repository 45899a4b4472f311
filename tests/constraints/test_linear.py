"""Any number per rule, added up over the list."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import Small, a_linear, linear, smalls

from hedgerow import InvalidParameterError
from hedgerow.constraints import Linear


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_the_best_list_within_the_bounds_is_found(data, small):
    small.check(a_linear(small, data.draw))


@settings(max_examples=20, deadline=None)
@given(small=smalls(), upper=st.sampled_from([0.4, 1.0, 2.5]))
def test_an_array_has_one_number_per_candidate(small, upper):
    numbers = np.random.default_rng(small.seed).random(len(small.rules))
    of = {tuple(rule.conditions): number for rule, number in zip(small.rules, numbers, strict=True)}
    if len(of) == len(small.rules):  # the same rule in several trees has several numbers
        small.check((Linear(numbers, upper=upper), linear(lambda rule, _: of[tuple(rule.conditions)], -np.inf, upper)))


def test_a_function_sees_what_a_rule_predicts_and_covers():
    small = Small(0, max_rules=4)
    seen = []
    small.fit([Linear(lambda rule: seen.append(rule) or 0.0, upper=1)])
    assert [rule.prediction for rule in seen] == small.answers
    assert [rule.coverage for rule in seen] == small.held.sum(axis=1).tolist()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "much", None])
def test_a_function_must_return_finite_numbers(value):
    with pytest.raises(InvalidParameterError, match="must return a finite number for each rule; it returned"):
        Small(0, max_rules=4).fit([Linear(lambda rule: value, upper=1)])


@pytest.mark.parametrize("values", [[1.0, 2.0], np.full(17, np.nan), "age", None])
def test_an_array_must_fit_the_candidates(values):
    small = Small(0, max_rules=4)
    assert len(small.rules) == 17
    with pytest.raises(InvalidParameterError, match="must hold one finite number per candidate, of which there are 17"):
        small.fit([Linear(values, upper=1)])


def test_what_features_cost_is_finite_and_the_features_are_known():
    for cost in (float("nan"), float("inf"), "much", None):
        with pytest.raises(InvalidParameterError, match="'age' must cost a finite number"):
            Small(0, max_rules=4).fit([Linear({"age": cost}, upper=1)])
    with pytest.raises(InvalidParameterError, match=r"Linear names the feature 'agee'.*Did you mean 'age'"):
        Small(0, max_rules=4).fit([Linear({"agee": 1}, upper=1)])


@pytest.mark.parametrize(
    "bounds",
    [{"lower": 2, "upper": 1}, {"lower": float("nan")}, {"upper": "1"}, {}, {"lower": np.inf}, {"upper": -np.inf}],
)
def test_bounds_must_make_sense(bounds):
    with pytest.raises(InvalidParameterError, match="Linear"):
        Linear(len, **bounds)


def test_it_is_said_in_words():
    assert str(Linear(len, lower=1, upper=3, name="effort")) == "effort: at least 1 and at most 3"
    assert str(Linear(len, upper=3)) == "Linear(len): at most 3"
