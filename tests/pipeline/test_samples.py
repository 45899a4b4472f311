"""Samples without weights count the same."""

import numpy as np

from hedgerow.pipeline.samples import Heard, Samples
from hedgerow.tasks import Numbers


def test_without_weights_each_sample_counts_one():
    samples = Samples(np.zeros((3, 1)), np.zeros(3), None, Numbers(), 1)
    assert samples.counted.tolist() == [1, 1, 1]


def test_given_weights_count_as_they_are():
    samples = Samples(np.zeros((2, 1)), np.zeros(2), np.array([0.0, 2.5]), Numbers(), 1)
    assert samples.counted.tolist() == [0.0, 2.5]


def test_what_was_heard_is_kept_by_row_and_the_rest_of_the_limit_is_shared():
    heard = Heard(np.arange(4.0), 11, None, (4, 1))
    assert heard.about(np.array([2, 0])).said.tolist() == [2, 0]
    assert heard.shared_by(3).n_left == 3  # 3 * 3 <= 11
    assert Heard(heard.said, None, "shares", (4, 1)).shared_by(3).n_left is None
