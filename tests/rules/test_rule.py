"""A rule merges its conditions for reading, holds where all of them hold, and tells what it predicts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from hedgerow import Condition, Rule, Split
from hedgerow.features import Column

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
