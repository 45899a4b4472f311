"""A threshold rounded down splits the numbers of a dtype in the same way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow._support.rounding import n_digits, round_down, shortest_between

SINGLES = st.floats(width=32, allow_nan=False)


@given(st.floats(allow_nan=False), st.lists(SINGLES, max_size=5))
def test_no_sample_changes_sides(threshold, samples):
    rounded = round_down(np.float64(threshold), np.float32)
    assert rounded.dtype == np.float32
    nearest = np.float32(np.clip(threshold, -3e38, 3e38))
    samples = [*samples, nearest, np.nextafter(nearest, np.float32(np.inf)), np.nextafter(nearest, np.float32(-np.inf))]
    for sample in np.array(samples, dtype=np.float32):
        assert (sample <= rounded) == (np.float64(sample) <= threshold)


def test_arrays_are_rounded_element_by_element():
    thresholds = np.array([0.1, 0.5, -0.1, 1e300, -1e300])
    rounded = round_down(thresholds, np.float32)
    assert (rounded.astype(float) <= thresholds).all()
    assert rounded[1] == 0.5
    assert rounded[3] == np.finfo(np.float32).max
    assert rounded[4] == -np.inf


CENTS = st.integers(-1500, 1500)


@given(CENTS, CENTS, CENTS)
def test_of_all_numbers_between_the_shortest_and_then_the_nearest_is_taken(x, y, z):
    low, near, high = (number / 100 for number in sorted((x, y, z)))
    if near == high:
        return
    between = [k / 100 for k in range(min(x, y, z), max(x, y, z))]
    assert shortest_between(low, high, near) == min(between, key=lambda t: (n_digits(t), abs(t - near), t))


def test_the_nearest_of_equally_short_numbers_is_taken():
    assert shortest_between(1230.0, 1250.0, 1234.9) == 1230.0
    assert shortest_between(1230.0, 1250.0, 1235.1) == 1240.0
    assert shortest_between(0.5, 9.5, 7.3) == 7.0
    assert shortest_between(1e-310, 3e-310, 2.17e-310) == 2e-310
