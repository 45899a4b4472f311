"""Rounded thresholds are shorter, and no sample can tell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from hedgerow import Condition, Rule, RuleList
from hedgerow._support.rounding import n_digits
from hedgerow.features import Category, Column, ColumnOfNonzeros, DatePart, Inputs
from hedgerow.rules.rounding import rounded_rules

A, B = Column(0, "a"), Column(1, "b")
NOTHING = Rule((), "no", distribution=(1.0, 0.0))


def list_of(*conditions, features=(A, B), dtype=np.float32, missing=False):
    rules = tuple(Rule(one if isinstance(one, tuple) else (one,), "yes", 1, 0.1, (0.0, 1.0)) for one in conditions)
    return RuleList(rules, NOTHING, Inputs(features, dtype, allows_missing=missing), np.array(["no", "yes"]), 10)


def uppers(rule_list):
    return [condition.upper for rule in rule_list for condition in rule.conditions]


def test_the_shortest_number_between_the_neighbours_is_taken():
    rounded = list_of(Condition(A, upper=41.37)).rounded([[39.9, 0.0], [41.9, 0.0]])
    assert rounded[0].describe() == "a <= 40"


def test_integers_are_compared_with_integers():
    rounded = list_of(Condition(A, upper=5.5)).rounded([[5.0, 0.0], [6.0, 0.0]])
    assert uppers(rounded) == [5.0]


def test_a_threshold_just_below_a_round_number_stays_if_no_rounder_one_is_left():
    below_three = float(np.nextafter(np.float32(3), np.float32(0)))
    rounded = list_of(Condition(A, upper=below_three)).rounded([[2.7, 0.0], [3.0, 0.0]])
    assert rounded[0].describe() == "a < 3"
    assert list_of(Condition(A, upper=below_three)).rounded([[1.7, 0.0], [3.0, 0.0]])[0].describe() == "a < 3"


def test_thresholds_in_the_same_gap_become_one():
    rounded = list_of(Condition(A, upper=41.3), Condition(A, lower=41.6)).rounded([[39.0, 0.0], [43.0, 0.0]])
    assert [rule.describe() for rule in rounded] == ["a <= 40", "a > 40"]


@pytest.mark.parametrize(("written", "shown"), [([41.6], [41.6, 41.6]), ([41.3, 41.6], [41.3, 41.6])])
def test_a_number_that_is_written_by_someone_stays_and_others_in_its_gap_become_it(written, shown):
    rules = [Rule((Condition(A, upper=upper),), "yes") for upper in (41.3, 41.6)]
    kept = [Rule((Condition(A, lower=number),)) for number in written]
    rounded = rounded_rules(rules, lambda feature, threshold: (39.0, 43.0), np.float64, kept)
    assert [rule.conditions[0].upper for rule in rounded] == shown


def test_beyond_all_samples_a_threshold_moves_as_far_as_it_may_the_other_way():
    assert uppers(list_of(Condition(A, upper=41.37)).rounded([[36.0, 0.0]])) == [40.0]
    assert uppers(list_of(Condition(A, upper=41.37)).rounded([[41.1, 0.0]])) == [41.4]


def test_what_separates_missing_values_or_zero_stays():
    largest, nearly = float(np.finfo(np.float32).max), ColumnOfNonzeros.nearly_zero
    features = (ColumnOfNonzeros(0, "a"), B)
    for threshold in (np.inf, largest, nearly, -nearly):
        before = list_of(Condition(features[0], upper=threshold), features=features, missing=True)
        assert before.rounded([[1.0, 0.0], [-1.0, 0.0]]).rules == before.rules


def test_categories_stay():
    color = Category(0, "color", ("red", "blue"))
    before = list_of(Condition(color, categories=frozenset({0})), features=(color, B), dtype=np.float64)
    assert before.rounded(np.array([["red", 1.0], ["blue", 2.0]], dtype=object)).rules == before.rules


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ("2020-11-20", "2021-02-10", "day <= 2020-12-31"),
        ("2021-01-20", "2021-02-10", "day <= 2021-01-31"),
        ("2021-02-03", "2021-02-10", "day <= 2021-02-06"),
    ],
)
def test_dates_end_with_a_year_or_a_month(first, last, text):
    day = DatePart.of(0, "day", "days", first="2020-01-01")
    low, high = day.compute(np.array([[first], [last]], dtype=object))
    before = list_of(Condition(day, upper=(low + high) / 2), features=(day,), missing=True)
    assert before.rounded(np.array([[first], [last]], dtype=object))[0].describe() == text


def test_a_list_of_single_precision_compares_doubles_if_no_sample_can_tell():
    before = list_of(Condition(A, upper=41.37))
    assert before.rounded([[39.9, 0.0], [41.9, 0.0]]).inputs.dtype is np.float64
    # In single precision this sample is 40, which is the only number between the two.
    samples = [[40.000000001, 0.0], [float(np.nextafter(np.float32(40), np.float32(41))), 0.0]]
    rounded = list_of(Condition(A, upper=40.0)).rounded(samples)
    assert rounded.inputs.dtype is np.float32
    assert_array_equal(rounded.apply(samples), [0, -1])


numbers = st.one_of(st.integers(-50, 50).map(float), st.floats(-1e3, 1e3, width=32), st.sampled_from([0.1, 0.3, 1e-6]))


@settings(max_examples=200, deadline=None)
@given(
    values=st.lists(st.one_of(numbers, st.just(np.nan)), min_size=2, max_size=12),
    pairs=st.lists(st.tuples(numbers, numbers, st.booleans()), min_size=1, max_size=5),
    dtype=st.sampled_from([np.float32, np.float64]),
)
def test_every_sample_matches_the_same_rules_and_no_thresholds_cross(values, pairs, dtype):
    conditions = [Condition(A, min(x, y), max(x, y), missing=m) for x, y, m in pairs]
    before = list_of(*conditions, dtype=dtype, missing=True)
    X = np.column_stack([values, np.zeros(len(values))])
    after = before.rounded(X)
    assert_array_equal(after.matches(X), before.matches(X))
    old = [t for rule in before for c in rule.conditions for t in (c.lower, c.upper)]
    new = [t for rule in after for c in rule.conditions for t in (c.lower, c.upper)]
    assert all(np.diff(np.array(new)[np.argsort(old, kind="stable")]) >= 0)
    moved = [(n_digits(x), n_digits(y)) for x, y in zip(old, new, strict=True) if x != y and old.count(x) == len(old)]
    assert all(few <= many for many, few in moved)


def test_a_threshold_close_below_a_number_of_single_precision_stays():
    after_three = float(np.nextafter(np.float32(3), np.float32(4)))
    threshold = 3 + 0.75 * (after_three - 3)
    rules = list_of(Condition(A, upper=threshold))
    assert uppers(rules.rounded([[3.0, 0.0], [after_three, 0.0]])) == [threshold]


@pytest.mark.parametrize("value", [1.7e308, -1.7e308])
def test_the_largest_numbers_are_no_obstacle(value):
    rules = list_of(Condition(A, upper=1.23456789), dtype=np.float64)
    rounded = rules.rounded([[value, 0.0]])
    assert_array_equal(rounded.matches([[value, 0.0]]), rules.matches([[value, 0.0]]))
    assert np.isfinite(uppers(rounded)).all()
    assert uppers(rounded) != uppers(rules)
