"""Rules are read as a person writes them, and as hedgerow writes them itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from hedgerow import Condition, InvalidParameterError, Rule
from hedgerow.features import Category, Column, DatePart, Inputs
from hedgerow.rules.parsing import check_features, parse_rule

AGE, INCOME, WIDTH = Column(0, "age"), Column(1, "income"), Column(2, "petal width (cm)")
COLOR = Category(3, "color", ("blue", "red", "dark green"))
ODD = Category(4, "this and that", ("a, b", "it's", "missing"), other=True)
BAND, DAY = Column(5, "income band"), DatePart.of(6, "day", "days", first="2020-01-01")
INPUTS = Inputs((AGE, INCOME, WIDTH, COLOR, ODD, BAND, DAY), np.float64, allows_missing=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age > 40", [Condition(AGE, lower=40)]),
        ("if age<=40 & income>2e4", [Condition(AGE, upper=40), Condition(INCOME, lower=20000)]),
        ("0.8 < petal width (cm) <= 1.75", [Condition(WIDTH, lower=0.8), Condition(WIDTH, upper=1.75)]),
        ("income band > 2", [Condition(BAND, lower=2)]),
        ("color in {red, dark green}", [Condition(COLOR, categories=frozenset({1, 2}))]),
        ("color is not red", [Condition(COLOR, categories=frozenset({0, 2}))]),
        ("color == 'red'", [Condition(COLOR, categories=frozenset({1}))]),
        ("`this and that` in {'a, b', it's, unseen}", [Condition(ODD, categories=frozenset({0, 1, 3}))]),
        ("this and that is 'missing'", [Condition(ODD, categories=frozenset({2}))]),
        ("this and that is missing", [Condition(ODD, categories=frozenset(), missing=True)]),
        ("age is missing", [Condition(AGE, upper=-np.inf, missing=True)]),
        ("(age <= 40 or missing)", [Condition(AGE, upper=40, missing=True)]),
        ("(color is red or color is missing)", [Condition(COLOR, categories=frozenset({1}), missing=True)]),
        ("day > 2020-02-01", [Condition(DAY, lower=31)]),
        ("5 > age", [Condition(AGE, upper=np.nextafter(5.0, 0))]),
        ("5 <= age", [Condition(AGE, lower=np.nextafter(5.0, 0))]),
        ("age is 5", [Condition(AGE, np.nextafter(5.0, 0), 5.0)]),
        ("age = 5", [Condition(AGE, np.nextafter(5.0, 0), 5.0)]),
        ("age is not missing", [Condition(AGE)]),
        ("color is not missing", [Condition(COLOR, categories=frozenset({0, 1, 2}))]),
        ("color not in {red}", [Condition(COLOR, categories=frozenset({0, 2}))]),
        ("color is not in {red, blue}", [Condition(COLOR, categories=frozenset({2}))]),
        ("color != red", [Condition(COLOR, categories=frozenset({0, 2}))]),
        ("(age <= 40 or age is missing) and income > 2", [
            Condition(AGE, upper=40, missing=True), Condition(INCOME, lower=2)]),
        ("IF age <= 3 AND income ≥ 1_000", [Condition(AGE, upper=3), Condition(INCOME, lower=np.nextafter(1e3, 0))]),
        ("age > -.5e1", [Condition(AGE, lower=-5.0)]),
        ("'age' > 3", [Condition(AGE, lower=3)]),
    ],
)  # fmt: skip
def test_conditions(text, expected):
    assert list(parse_rule(text, INPUTS).conditions) == expected


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("number", [2.4, 0.01, 40.0, -1e-7, 123456.7])
def test_a_number_itself_is_on_the_side_that_the_text_says(dtype, number):
    inputs = Inputs((AGE,), dtype)
    values = inputs.matrix([[number]])[:, 0]
    for sign, holds in (("<=", True), ("<", False), (">", False), (">=", True), ("=", True)):
        rule = parse_rule(f"age {sign} {number}", inputs)
        assert rule.holds(lambda _: values, 1)[0] == holds
        assert sign == "=" or rule.describe() == f"age {sign} {float(number):.7g}"


conditions = st.one_of(
    st.builds(
        lambda feature, ends, missing: Condition(feature, min(ends) / 8, max(ends) / 8 + 1, missing=missing),
        st.sampled_from([AGE.with_missing(), WIDTH.with_missing()]),
        st.tuples(st.integers(-80, 80), st.integers(-80, 80)),
        st.booleans(),
    ),
    st.builds(
        lambda codes, missing: Condition(COLOR.with_missing(), categories=codes, missing=missing),
        st.frozensets(st.integers(0, 2), min_size=1, max_size=2),
        st.booleans(),
    ),
)


@given(st.lists(conditions, min_size=1, max_size=3, unique_by=lambda condition: condition.feature))
def test_what_describe_writes_is_read_back(found):
    rule = Rule(tuple(found))
    again = parse_rule(rule.describe(17), INPUTS)
    assert set(again.simplified) == set(rule.simplified)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ages > 40", "There is no feature 'ages', .* Did you mean 'age'"),
        ("nothing of this kind > 40", "There are: age, income"),
        ("color in {rad}", "color has no category 'rad' in .* Did you mean 'red'"),
        ("age > x", "a number is expected after 'age > '"),
        ("age > 40 or income < 3", "'missing' is expected after .* write a rule for each alternative"),
        ("age > 1,000", "numbers without a separator of thousands"),
        ("age > 1,5 and income < 3", "with a decimal point"),
        ("age > 40 income < 3", "'and', or the end is expected"),
        ("age > 3 then yes", "Leave out what comes after 'then'"),
        ("", "at least one condition"),
        ("always", "at least one condition"),
        ("age > 5 and age < 3", "The rule 'age > 5 and age < 3' never holds: no age satisfies it"),
        ("color > 3", "color has categories"),
        ("age in {a}", "age has no categories"),
        ("age != 3", "cannot leave out a single number"),
        ("> 3", "the name of a feature is expected at the beginning"),
        ("(age > 3", r"'\)' is expected"),
        ("age", "a comparison such as"),
        ("(age <= 40 or age > 50)", r"'missing' is expected after '\(age <= 40 or '"),
        ("(age <= 40 or income is missing)", "'missing' is expected after .* write a rule for each alternative"),
        ("color is unseen", "color has no category 'unseen'"),
        ("color red", "a comparison such as .* is expected after 'color '"),
        ("age2 > 3", "no feature 'age2'"),
        ("age_ > 3", "no feature 'age_'"),
        ("IF Age > 3", "no feature 'Age', .* Did you mean 'age'"),
        ("age > 3x", "a number is expected after 'age > '"),
        ("age is", "a number is expected after 'age is'"),
        ("age is not 5", "cannot leave out a single number"),
        ("age > 2020-02-01", "'and', or the end is expected after 'age > 2020'"),
        ("day > 2020-02-30", "a day of the calendar is expected after 'day > '"),
        ("color in {'red' blue}", "',' or '}' is expected after .*'red' "),
        ("color in {red, blue", "',' or '}' is expected after 'color in {red, blue'"),
    ],
)
def test_what_is_not_understood_is_refused(text, message):
    with pytest.raises(InvalidParameterError, match=message):
        parse_rule(text, INPUTS)


def test_rules_of_other_features_are_refused():
    with pytest.raises(InvalidParameterError, match="no feature 'size'"):
        check_features(Rule((Condition(Column(9, "size"), upper=3),)), INPUTS)
    rule = Rule((Condition(AGE, upper=3),))
    assert check_features(rule, INPUTS) is rule
    assert_array_equal(rule.holds(lambda _: np.array([2.0, 4.0]), 2), [True, False])
