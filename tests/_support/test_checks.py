"""Parameters are checked."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from hedgerow import InvalidParameterError
from hedgerow._support.checks import check_integer, check_time_limit, is_number


@pytest.mark.parametrize("value", [0, -1.5, np.float32(2), np.int64(3), Fraction(1, 2), float("nan")])
def test_numbers_of_every_library_are_numbers(value):
    assert is_number(value)


@pytest.mark.parametrize("value", [True, np.True_, "1", None, 1j, Decimal(1), [1]])
def test_booleans_and_strings_are_not_numbers(value):
    assert not is_number(value)


@pytest.mark.parametrize("limit", [0, -1, float("nan"), True, "10"])
def test_a_time_limit_is_positive(limit):
    with pytest.raises(InvalidParameterError, match="positive number of seconds, or None"):
        check_time_limit(limit)
    check_time_limit(None)
    check_time_limit(0.5)


@pytest.mark.parametrize(
    ("value", "options", "message"),
    [
        (None, {}, "n must be an integer of at least 1; got None"),
        (0, {"optional": True}, "n must be an integer of at least 1, or None; got 0"),
        (True, {}, "got True"),
        (2.0, {}, "got 2.0"),
        (1, {"least": 2}, "at least 2; got 1"),
    ],
)
def test_what_is_not_such_an_integer_is_refused(value, options, message):
    with pytest.raises(InvalidParameterError, match=message):
        check_integer("n", value, **options)


def test_integers_of_numpy_and_none_where_allowed_pass():
    check_integer("n", np.int32(1))
    check_integer("n", None, optional=True)
    check_integer("n", 0, least=0)
