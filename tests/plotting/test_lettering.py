"""Lines are broken where people would break them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.plotting.lettering import wrap


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("average_monthly_balance_over_the_year <= 3", ["average_monthly_", "balance_over_the_", "year <=\u00a03"]),
        ("a petal_width of the first", ["a petal_width of", "the first"]),
        ("http://example.org/a/b/c/d > 5", ["http://example.", "org/a/b/c/d >\u00a05"]),
        ("abcdefghijklmnopqrstuvwxyz", ["abcdefghijklmnopqr", "stuvwxyz"]),
    ],
)
def test_long_names_are_broken_after_underscores(text, lines):
    assert wrap(text, 18) == lines


@given(st.text(st.sampled_from("ab_./<= \u200b")), st.integers(5, 20))
@settings(deadline=None)
def test_nothing_is_lost(text, most):
    lines = wrap(text, most)
    assert all(len(line) <= most for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.replace("\u200b", "").split())
