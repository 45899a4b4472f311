"""Numbers of evidence are written so that none is taken for what it is not."""

import math

from hedgerow.evidence.wording import written_p, written_share, written_test, written_value


def test_only_what_is_nothing_or_all_is_written_as_such():
    assert [written_share(share) for share in (0.0, 1e-9, 0.5, 1 - 1e-9, 1.0)] == [
        "0.0 %",
        "<0.1 %",
        "50.0 %",
        ">99.9 %",
        "100.0 %",
    ]


def test_what_is_not_known_is_a_dash():
    assert {written_share(math.nan), written_p(math.nan), written_value(math.nan, False)} == {"–"}


def test_p_values_that_are_small_are_not_written_in_full():
    assert [written_p(p) for p in (1e-12, 0.00099, 0.001, 0.5)] == ["<0.001", "<0.001", "0.001", "0.5"]
    assert (written_test(1e-12), written_test(0.5)) == ("p < 0.001", "p = 0.5")


def test_ends_of_intervals_may_be_infinite():
    assert [written_value(value, False) for value in (-math.inf, 2.0, math.inf)] == ["−∞", "2", "∞"]
