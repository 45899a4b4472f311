"""A threshold rounded down splits the numbers of a dtype in the same way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow._support.rounding import round_down

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
