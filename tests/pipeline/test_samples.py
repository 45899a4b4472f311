"""Samples without weights count the same."""

import numpy as np

from hedgerow.pipeline.samples import Samples
from hedgerow.tasks import Numbers


def test_without_weights_each_sample_counts_one():
    samples = Samples(np.zeros((3, 1)), np.zeros(3), None, Numbers(), 1)
    assert samples.counted.tolist() == [1, 1, 1]


def test_given_weights_count_as_they_are():
    samples = Samples(np.zeros((2, 1)), np.zeros(2), np.array([0.0, 2.5]), Numbers(), 1)
    assert samples.counted.tolist() == [0.0, 2.5]
