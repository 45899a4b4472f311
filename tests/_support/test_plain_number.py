"""What looks like a number is one to Python, and nothing else is."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow._support.plain_number import PLAIN_NUMBER


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_numbers_as_python_writes_them_look_like_numbers(number):
    assert re.fullmatch(PLAIN_NUMBER, str(number))


@given(st.from_regex(PLAIN_NUMBER, fullmatch=True))
def test_what_looks_like_a_number_can_be_read(text):
    assert not math.isnan(float(text))


@pytest.mark.parametrize("text", ["", ".", "-", "1e", "1_000", "1,5", "inf", "nan", "0x10", "1.2.3", "--1", "1 2"])
def test_other_strings_do_not(text):
    assert not re.fullmatch(PLAIN_NUMBER, text)
