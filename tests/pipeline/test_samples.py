"""Samples without weights count the same."""

import numpy as np
import pytest

from hedgerow.pipeline.samples import Heard, Samples, Streamed
from hedgerow.sources import Chunks
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


def test_samples_of_weight_zero_do_not_count():
    assert Samples(np.zeros((2, 1)), np.zeros(2), np.array([0.0, 2.5]), Numbers(), 1).n_counted == 1
    assert Samples(np.zeros((2, 1)), np.zeros(2), None, Numbers(), 1).n_counted == 2


@pytest.mark.parametrize("weighted", [False, True])
def test_rows_in_chunks_are_counted_as_in_memory(weighted):
    weight = np.array([0.0, 1.0, 2.0, 0.0, 3.0])
    rows = [
        (np.zeros((n, 1)), np.zeros(n), *([part] if weighted else [])) for n, part in ((2, weight[:2]), (3, weight[2:]))
    ]
    samples = Streamed(Chunks(lambda: iter(rows)), np.empty(0), None, Numbers(), 1)
    assert samples.n_passes == 0
    assert samples.n_counted == (3 if weighted else 5)
    assert samples.n_passes == 1
    assert samples.n_counted == (3 if weighted else 5)
    assert samples.n_passes == 1  # counted once


def test_samples_are_compared_as_the_ones_they_are():
    one, other = (Samples(np.zeros((2, 1)), np.zeros(2), None, Numbers(), 1) for _ in range(2))
    assert one == one
    assert len({one, other, one}) == 2
