"""Texts of numbers are short, and what they say is true of the number."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.rules.wording import MORE_DIGITS, format_bound, format_number, format_value, printable

finite = st.floats(-1e12, 1e12).filter(lambda x: abs(x) > 1e-30)


@given(finite, st.sampled_from((4, *MORE_DIGITS)))
def test_a_written_bound_excludes_itself_exactly_if_it_lies_above_the_bound(bound, digits):
    text, is_excluded = format_bound(bound, digits)
    assert is_excluded == (float(text) > bound)
    assert float(text) == pytest.approx(bound, rel=1e-3)


@given(finite)
def test_a_bound_without_a_number_of_digits_reads_as_the_same_number(bound):
    assert float(format_bound(bound, None)[0]) == bound


@given(st.integers(-(10**14), 10**14))
def test_the_whole_part_of_a_number_is_never_rounded(number):
    assert float(format_number(float(number))) == number


def test_infinity_does_not_count_as_rounded():
    assert format_bound(math.inf) == ("inf", False)
    assert format_number(-math.inf) == "-inf"


@pytest.mark.parametrize(
    ("value", "text"), [(np.float64(0.25), "0.25"), (np.int64(3), "3"), (np.str_("a\nb"), "a\\nb"), (True, "True")]
)
def test_a_label_or_number_is_written_without_the_names_of_types(value, text):
    assert format_value(value) == text


def test_a_name_stays_in_its_line_and_in_its_alphabet():
    assert printable("größe\t\u2028") == "größe\\t\\u2028"


def test_a_value_has_four_significant_digits_unless_more_are_asked_for():
    assert format_value(1.23456) == format_number(1.23456) == "1.235"
    assert format_value(1.23456, 5) == format_number(1.23456, 5) == "1.2346"
    assert format_bound(-1.23456)[0] == "-1.235"
    assert [format_number(x) for x in (1e14 + 0.5, 123456789012345.0, 1e15 + 2, 1.5e16)] == [
        "100000000000000.5",
        "123456789012345",
        "1e+15",
        "1.5e+16",
    ]
