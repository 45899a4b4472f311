"""A rule merges its conditions for reading, holds where all of them hold, and tells what it predicts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from hedgerow import Condition, InvalidParameterError, Rule, Split
from hedgerow.features import Category, Column

A, B = Column(0, "a"), Column(1, "b")


def test_redundant_conditions_are_merged_but_the_path_stays():
    path = (Condition(A, upper=10), Condition(B, lower=1), Condition(A, upper=5), Condition(A, lower=2))
    rule = Rule(path)
    assert rule.describe() == "2 < a <= 5 and b > 1"
    assert rule.conditions == path


numbers = st.floats(-100, 100)


@given(st.lists(st.tuples(numbers, st.booleans(), st.booleans()), min_size=1, max_size=6), st.lists(numbers))
def test_merged_conditions_hold_where_all_hold(splits, values):
    conditions = [Split(A, t).sides(missing)[side] for t, side, missing in splits]
    values = np.array([*values, *(t for t, _, _ in splits), np.nan])
    merged = Rule(tuple(conditions)).simplified
    assert len(merged) == 1
    assert_array_equal(merged[0].holds(values), np.all([c.holds(values) for c in conditions], axis=0))


def test_a_rule_shows_its_prediction():
    rule = Rule((Condition(A, upper=5),), prediction="yes", distribution=(0.25, 0.75))
    assert str(rule) == "if a <= 5 then yes (75 %)"
    assert str(Rule((), prediction=3.25, spread=0.5)) == "always predict 3.25 ± 0.5"


@pytest.mark.parametrize(("prediction", "text"), [(-1.11e-16, "0 ± 1"), (-1e-6, "-1e-06 ± 1"), (0.0, "0 ± 1")])
def test_a_mean_that_only_rounding_keeps_from_zero_reads_as_zero(prediction, text):
    assert Rule((), prediction, spread=1.0).describe_prediction() == text
    assert Rule((), 1e-300, spread=2e-300).describe_prediction() == "1e-300 ± 2e-300"


AT_MOST_5 = (Condition(A, upper=5),)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (Rule((), 3.0, kind="median", of_model=0.25), "median 3 (model ± 0.25)"),
        (Rule((), 3.0, kind="median"), "median 3"),
        (Rule((), 2.0, spread=0.5, of_model=0.125), "2 ± 0.5 (model ± 0.125)"),
        (Rule((), "yes", distribution=(0.2, 0.8), kind="taught", of_model=0.61), "yes (80 %, taught, model 61 %)"),
        (Rule((), "no", distribution=(0.2, 0.8), class_share=0.35), "no (35 %)"),
        (Rule((), 1.23456), "1.235"),
    ],
)
def test_the_prediction_says_what_it_is_and_what_the_model_says(rule, text):
    assert rule.describe_prediction() == text
    assert rule.sentence() == f"always predict {text}"


def test_a_rule_has_the_digits_that_are_asked_for():
    rule = Rule((Condition(A, upper=1.23456789),), 1.23456789, spread=2.3456789)
    assert rule.sentence() == "if a < 1.235 then 1.235 ± 2.346"
    assert rule.sentence(6) == "if a < 1.23457 then 1.235 ± 2.346"
    assert rule.describe_prediction(6) == "1.23457 ± 2.34568"


def test_other_thresholds_of_one_feature_leave_the_rest_as_it_was():
    rule = Rule((Condition(A, lower=2), Condition(B, lower=1), Condition(A, upper=5)), 1.0, 7, 0.5, spread=2.0)
    assert str(rule.with_bounds("a", upper=4)) == "2 < a <= 4 and b > 1"
    assert str(rule.with_bounds(A, lower=3)) == "3 < a <= 5 and b > 1"
    moved = rule.with_bounds("b", lower=0, upper=9)
    assert str(moved) == "2 < a <= 5 and 0 < b <= 9"
    assert (moved.prediction, moved.coverage, moved.spread) == (None, 0, None)


def test_thresholds_of_a_feature_without_any_are_refused():
    color = Category(2, "color", ("blue", "red"))
    rule = Rule((*AT_MOST_5, Condition(color, categories=frozenset({1}))))
    with pytest.raises(InvalidParameterError, match=r"does not look at 'b'\. It looks at: a, color"):
        rule.with_bounds("b", upper=4)
    with pytest.raises(InvalidParameterError, match=r"does not look at 'b'\. It looks at: nothing"):
        Rule(()).with_bounds(B, upper=4)
    with pytest.raises(InvalidParameterError, match="color has categories, not thresholds"):
        rule.with_bounds("color", upper=4)
