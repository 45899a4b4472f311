"""Rules are put together by what they expect, and draws of rows are even, and the same wherever a row stands."""

import numpy as np
import pytest
from scipy.stats import kstest

from hedgerow import Condition, Rule, RuleList
from hedgerow.evidence.calibration import draws, groups_of, n_needed
from hedgerow.features import Column, Inputs

A, B = Column(0, "a"), Column(1, "b")


def list_with(*shares):
    """Return a list with rules of these shares, on two columns."""
    rules = [
        Rule((Condition(A, upper=float(i)), Condition(B, upper=9.0)), float(i), 10, share, spread=1.0)
        for i, share in enumerate(shares)
    ]
    return RuleList(tuple(rules), Rule((), 0.0), Inputs((A, B), np.float64), n_samples=100)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 2 / 3])
@pytest.mark.parametrize("ends", [1, 2])
def test_the_rows_needed_are_the_fewest_of_which_so_many_may_be_missed(level, ends):
    n = n_needed(ends, level)
    assert (n + 1) * (1 - level) >= ends - 1e-9
    assert n * (1 - level) < ends - 1e-9


@pytest.mark.parametrize(
    ("shares", "n_rows", "groups"),
    [
        ((0.5, 0.3, 0.2), 1000, [1, 2, 3, 0]),  # all are large, and no rule is in group 0
        ((0.5, 0.47, 0.02, 0.01), 1000, [1, 0, 0, 0, 0]),  # the two small ones are not enough without the next
        ((0.02, 0.6, 0.34, 0.04), 2000, [0, 1, 2, 0, 0]),
        ((0.5, 0.5), 50, [0, 0, 0]),  # too few for two groups
        ((0.0, 0.0), 5000, [0, 0, 0]),  # a list that does not know its shares
    ],
)
def test_the_smallest_rules_share_a_group_until_they_expect_enough(shares, n_rows, groups):
    assert groups_of(list_with(*shares), n_rows, True, 9).tolist() == groups
    assert groups_of(list_with(*shares), n_rows, False, 9).tolist() == [0] * len(groups)


def test_draws_are_even_and_go_with_the_row():
    rules = list_with(0.5, 0.5)
    X = np.random.default_rng(0).normal(size=(5000, 2)).round(3)
    values = {A: X[:, 0], B: X[:, 1]}
    u = draws(values, rules, len(X), 0)
    assert kstest(u, "uniform").pvalue > 0.01
    order = np.random.default_rng(1).permutation(len(X))
    assert (draws({A: X[order, 0], B: X[order, 1]}, rules, len(X), 0) == u[order]).all()
    assert abs(np.corrcoef(u, draws(values, rules, len(X), 1))[0, 1]) < 0.05
    assert abs(np.corrcoef(u, X[:, 0])[0, 1]) < 0.05


def test_equal_values_have_equal_draws_however_they_are_stored():
    rules = list_with(1.0)
    first = draws({A: np.array([0.0, np.nan]), B: np.array([1.5, 2.0])}, rules, 2, 3)
    other = np.array([0x7FF8000000000001], dtype=np.uint64).view(np.float64)[0]
    again = draws({A: np.array([-0.0, other]), B: np.array([1.5, 2.0], dtype=np.float32)}, rules, 2, 3)
    assert (first == again).all()
