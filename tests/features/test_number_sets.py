"""A comparison after rounding is a comparison of doubles with another threshold."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.features.number_sets import ALL, NumberSet, at_most, ends, rounding_to

NUMBERS = st.one_of(
    st.floats(allow_nan=False),
    st.floats(allow_nan=False, width=32),
    st.sampled_from([3.4028234663852886e38, 3.4028235677973366e38, 1e-45, 7.006492321624085e-46, 16777217.0]),
)
UNHURRIED = settings(deadline=None)


def near(number):
    """Return a number and its neighbours in both precisions, and what is half-way between the latter."""
    with np.errstate(all="ignore"):
        single = np.float32(number)
        singles = [single, np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf))]
        middles = [(float(single) + float(other)) / 2 for other in singles]
    values = [float(value) for value in (number, *singles, *middles) if not math.isnan(value)]
    return [*values, *(math.nextafter(v, math.inf) for v in values), *(math.nextafter(v, -math.inf) for v in values)]


@UNHURRIED
@given(NUMBERS)
def test_at_most_in_single_precision(threshold):
    passing = at_most(threshold, np.float32)
    for number in [*near(threshold), math.inf, -math.inf]:
        with np.errstate(over="ignore"):
            assert (number in passing) == bool(np.float64(np.float32(number)) <= threshold)


@UNHURRIED
@given(NUMBERS)
def test_at_most_in_double_precision(threshold):
    passing = at_most(threshold, np.float64)
    assert all((number in passing) == (number <= threshold) for number in near(threshold))


@UNHURRIED
@given(NUMBERS)
def test_what_rounds_to_a_number(number):
    with np.errstate(over="ignore"):
        same = rounding_to(number, np.float32)
        assert all((value in same) == (np.float32(value) == np.float32(number)) for value in near(number))


@UNHURRIED
@given(st.lists(st.tuples(NUMBERS, NUMBERS)), st.lists(st.tuples(NUMBERS, NUMBERS)), NUMBERS)
def test_sets_behave_like_sets(first, second, number):
    a, b = NumberSet.of(*first), NumberSet.of(*second)
    candidates = [number, *(value for pair in [*first, *second] for end in pair for value in near(end))]
    for x in candidates:
        assert (x in a) == any(lower <= x <= upper for lower, upper in first)
        assert (x in ~a) != (x in a)
        assert (x in a | b) == (x in a or x in b)
        assert (x in a & b) == (x in a and x in b)
    assert ~~a == a
    assert a | ~a == ALL
    assert not (a & ~a).parts


@UNHURRIED
@given(NUMBERS, NUMBERS)
def test_ends_say_the_same_interval(one, other):
    part = (min(one, other) + 0.0, max(one, other) + 0.0)
    lower, upper = ends(part)
    for x in [*near(one), *near(other)]:
        above = lower is None or (x >= lower[0] if lower[1] else x > lower[0])
        below = upper is None or (x <= upper[0] if upper[1] else x < upper[0])
        assert (above and below) == (part[0] <= x <= part[1])


@pytest.mark.parametrize("threshold", [1.0, 0.1, 2.5])
def test_the_middle_of_two_single_numbers_is_written_rather_than_the_double_beside(threshold):
    ((_, upper),) = at_most(threshold, np.float32).parts
    number, _ = ends((-math.inf, upper))[1]
    single = np.float32(number)
    assert (
        number == (float(single) + float(np.nextafter(single, np.float32(np.inf)))) / 2
        or number == (float(single) + float(np.nextafter(single, np.float32(-np.inf)))) / 2
    )
