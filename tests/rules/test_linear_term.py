"""A linear term: a clipped feature times a slope."""

import numpy as np

from hedgerow.features import Column
from hedgerow.rules.linear_term import LinearTerm

TERM = LinearTerm(Column(1, "income"), np.array([0.5, -1.0]), low=20.0, high=50.0, center=30.0, spread=12.0)


def test_values_are_clipped_and_centred_and_missing_ones_contribute_nothing():
    found = TERM.contribution(np.array([60.0, 10.0, 34.0, np.nan]))
    assert found.tolist() == [[10, -20], [-5, 10], [2, -4], [0, 0]]


def test_single_precision_is_widened_before_it_is_used():
    assert TERM.contribution(np.array([34.0], dtype=np.float32)).dtype == np.float64


def test_a_term_reads_as_a_factor():
    assert TERM.describe() == "times income minus 30, income clipped to [20, 50]"
