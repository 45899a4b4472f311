"""Conditions are values: they merge, they hold, they describe themselves."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from hedgerow import Condition, Split
from hedgerow.features import Category, Column, ColumnOfNonzeros, ColumnWithBlank

A, B = Column(0, "a"), Column(1, "b")
COLOR = Category(2, "color", ("black", "blue", "green", "red"))


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition(A, upper=5), "a <= 5"),
        (Condition(A, lower=5), "a > 5"),
        (Condition(A, lower=2, upper=5), "2 < a <= 5"),
        (Condition(A, upper=math.inf), "a is not missing"),
        (Condition(A, lower=math.inf, missing=True), "a is missing"),
        (Condition(A, upper=5, missing=True), "a <= 5"),  # training had no missing values: nothing to say
        (Condition(Column(0, "a", has_missing=True), upper=5, missing=True), "(a <= 5 or missing)"),
        (Condition(COLOR, categories=frozenset({1})), "color is blue"),
        (Condition(COLOR, categories=frozenset({0, 3})), "color in {black, red}"),
        (Condition(COLOR, categories=frozenset({0, 1, 3})), "color is not green"),
        (Condition(COLOR, categories=frozenset(), missing=True), "color is missing"),
    ],
)
def test_a_condition_describes_itself(condition, text):
    assert condition.describe() == text


@pytest.mark.parametrize(
    ("bound", "digits", "below", "above"),
    [
        (3.0, 4, "a < 3", "a >= 3"),
        (0.5, 4, "a < 0.5", "a >= 0.5"),
        (37.2, 4, "a < 37.2", "a >= 37.2"),
        (0.0, 4, "a < 0", "a >= 0"),
        (43.82757, 4, "a < 43.83", "a >= 43.83"),
        (3.0, 17, "a < 3", "a >= 3"),
        (3.4028235e38, 4, "a < 3.403e+38", "a >= 3.403e+38"),
    ],
)
def test_a_threshold_just_below_a_number_is_not_said_to_take_it_in(bound, digits, below, above):
    # x < 3 is x <= 2.9999998 in single precision; "x <= 3" would be wrong for 3.
    threshold = float(np.nextafter(np.float32(bound), np.float32(-np.inf)))
    assert Condition(A, upper=threshold).describe(digits) == below
    assert Condition(A, lower=threshold).describe(digits) == above
    assert Condition(A, lower=-1, upper=threshold).describe(digits) == f"-1 < {below}"


def test_the_sides_of_a_split_part_all_values():
    values = np.array([-1.0, 0.5, 0.7, 0.70001, np.nan])
    for missing_left in (True, False):
        left, right = Split(A, 0.7).sides(missing_left)
        assert_array_equal(left.holds(values), [True, True, True, False, missing_left])
        assert_array_equal(right.holds(values), ~left.holds(values))
    codes = np.array([0.0, 1.0, 2.0, 3.0, np.nan])
    left, right = Split(COLOR, categories=frozenset({1, 2})).sides(missing_left=False)
    assert_array_equal(left.holds(codes), [False, True, True, False, False])
    assert_array_equal(right.holds(codes), ~left.holds(codes))


def test_a_threshold_is_not_rounded_to_the_precision_of_the_values():
    threshold = 0.1  # lies below float32(0.1)
    values = np.array([0.1], dtype=np.float32)
    assert float(values[0]) > threshold
    assert not Condition(A, upper=threshold).holds(values)[0]
    assert Condition(A, lower=threshold).holds(values)[0]


def test_conditions_on_two_features_do_not_merge():
    with pytest.raises(ValueError, match="a and b"):
        Condition(A, upper=1) & Condition(B, upper=1)


CITY = Category(2, "city", ("Lagos", "Lima", "Lyon", "N'Djamena"), other=True)


@pytest.mark.parametrize(
    ("codes", "missing", "text", "if_missing"),
    [
        ({3, 4}, False, "(city is N'Djamena or unseen)", "(city is N'Djamena or unseen)"),
        ({3, 4}, True, "(city is N'Djamena or unseen)", "(city is N'Djamena, unseen or missing)"),
        ({3}, True, "city is N'Djamena", "(city is N'Djamena or missing)"),
        ({1, 2}, True, "city in {Lima, Lyon}", "(city in {Lima, Lyon} or missing)"),
        ({0, 1, 2, 4}, True, "city is not N'Djamena", "(city is missing or not N'Djamena)"),
        ({0, 1, 2, 4}, False, "city is not N'Djamena", "city not in {N'Djamena, missing}"),
        ({0, 1, 4}, True, "city not in {Lyon, N'Djamena}", "(city is missing or not in {Lyon, N'Djamena})"),
        ({0, 1, 4}, False, "city not in {Lyon, N'Djamena}", "city not in {Lyon, N'Djamena, missing}"),
        ({4}, True, "city not in {Lagos, Lima, Lyon, N'Djamena}",
         "(city is missing or not in {Lagos, Lima, Lyon, N'Djamena})"),
        ({0, 1, 2, 3, 4}, False, "city is not missing", "city is not missing"),
    ],
)  # fmt: skip
def test_where_missing_values_go_is_said_where_there_were_some(codes, missing, text, if_missing):
    condition = Condition(CITY, categories=frozenset(codes), missing=missing)
    assert condition.describe() == text
    assert condition.describe(show_missing=True) == if_missing
    assert replace(condition, feature=CITY.with_missing()).describe() == if_missing


@pytest.mark.parametrize(
    ("category", "shown"),
    [
        ("missing", "'missing'"),
        ("Unseen", "'Unseen'"),
        ("not red", "'not red'"),
        ("a, b", "'a, b'"),
        ("misses", "misses"),
        *((text, repr(text)) for text in ("none", "None", "nan", "NA", "N/A", "null", "<NA>", "anything")),
        ("nano", "nano"),
    ],
)
def test_a_category_that_reads_like_something_else_is_quoted(category, shown):
    feature = Category(0, "color", (category, "red", "blue"), has_missing=True)
    assert Condition(feature, categories=frozenset({0})).describe() == f"color is {shown}"
    assert Condition(feature, categories=frozenset({0}), missing=True).describe() == f"(color is {shown} or missing)"


def test_bounds_that_leave_only_missing_values_are_not_written():
    age = Column(0, "age", has_missing=True)
    assert str(Condition(age, lower=30, upper=29.5, missing=True)) == "age is missing"
    assert str(Condition(age, lower=30, upper=30)) == "age is nothing"


NEAR = ColumnOfNonzeros.nearly_zero
BLANKS = {
    Column(0, "a", has_missing=True): {"missing": np.isnan},
    ColumnOfNonzeros(0, "a", has_missing=True): {"zero": lambda x: abs(x) <= NEAR, "missing": np.isnan},
    ColumnWithBlank(0, "a", blank=-999.0, has_missing=True): {
        "missing": lambda x: np.isnan(x) or x == -999,
        "-999": lambda x: x == -999,
    },
    ColumnWithBlank(0, "a", blank=0.0, has_missing=True): {
        "missing": lambda x: np.isnan(x) or x == 0,
        "zero": lambda x: x == 0,
    },
}
ENDS = (-np.inf, -1000.0, -999.0, -1.0, -NEAR, 0.0, NEAR, 1.0, 5.0, np.inf)
RAW = (-1001.0, -1000.0, -999.0, -998.0, -1.0, -0.5, -1e-34, 0.0, 1e-34, 0.5, 1.0, 3.0, 5.0, 6.0, np.nan)


def is_true_of(text, x, blanks):
    """Say whether a written condition is true of a number, by reading it as a person does."""
    text = text.removeprefix("(").removesuffix(")")
    said, _, left_out = text.partition(" but not ")
    if left_out and blanks[left_out](x):
        return False
    said, *others = said.split(" or ")
    if said.startswith("a is not "):
        return not any(blanks[word](x) for word in (said.removeprefix("a is not "), *others))
    if said == "a is 0":
        return x == 0 or any(blanks[word](x) for word in others)
    if said.startswith("a is "):
        return {"nothing": False, "anything": True}.get(said.removeprefix("a is ")) or any(
            blanks[word](x) for word in (said.removeprefix("a is "), *others) if word in blanks
        )
    return bool(eval(said, {"a": x})) or any(blanks[word](x) for word in others)


@pytest.mark.parametrize("feature", BLANKS, ids=lambda feature: type(feature).__name__)
@pytest.mark.parametrize("missing", [False, True])
def test_what_is_written_is_true_of_the_numbers_that_pass_and_of_no_others(feature, missing):
    passing = feature.compute(np.array(RAW)[:, None])
    for lower, upper in combinations(ENDS, 2):
        condition = Condition(feature, lower, upper, missing=missing)
        text = condition.describe()
        for x, holds in zip(RAW, condition.holds(passing), strict=True):
            assert is_true_of(text, x, BLANKS[feature]) == holds, (text, lower, upper, x)


def test_a_bound_at_the_end_of_what_single_precision_holds_is_no_bound():
    largest = float(np.finfo(np.float32).max)
    assert Condition(A, upper=largest).describe() == "a is not missing"
    assert Condition(A, lower=-largest, missing=True).describe() == "a is anything"
    assert Condition(A, lower=largest, missing=True).describe() == "a is missing"
    assert Condition(A, lower=-largest, upper=5).describe() == "a <= 5"


def test_the_sides_of_a_condition_have_one_bound_each_and_hold_together_where_it_does():
    values = np.array([1.0, 2.0, 3.0, 5.0, 6.0, np.nan])
    both = Condition(A, lower=2, upper=5, missing=True)
    assert both.sides == (Condition(A, lower=2, missing=True), Condition(A, upper=5, missing=True))
    assert_array_equal(np.all([side.holds(values) for side in both.sides], axis=0), both.holds(values))
    for one in (
        Condition(A, lower=2),
        Condition(A, upper=5),
        Condition(A),
        Condition(COLOR, categories=frozenset({1})),
    ):
        assert one.sides == (one,)
