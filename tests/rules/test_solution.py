"""A solution says how far it is from proven."""

import numpy as np
import pytest

from hedgerow import Solution


def found(objective, bound, status="time_limit"):
    return Solution(np.array([0]), objective, bound, status, 0.1)


@pytest.mark.parametrize(
    ("objective", "bound", "gap"),
    [(1.0, 1.0, 0.0), (1.0, 2.0, 0.5), (-2.0, -1.0, 0.5), (-1.0, 1.0, 2.0), (0.0, 0.0, 0.0), (0.0, 4.0, 1.0)],
)
def test_the_gap_is_relative_to_the_larger_of_objective_and_bound(objective, bound, gap):
    assert found(objective, bound).gap == pytest.approx(gap)


def test_only_a_proof_is_called_optimal():
    assert found(1.0, 1.0, "optimal").optimal
    assert found(1.0, 1.0, "optimal").describe().endswith("proven optimal")
    assert not found(1.0, 2.0, "interrupted").optimal
    assert "gap 50 %, not proven" in found(1.0, 2.0).describe()


@pytest.mark.parametrize(
    ("objective", "bound", "status", "text"),
    [
        (1.0, 1.0, "optimal", "objective 1, bound 1: proven optimal"),
        (2.0, 2.0, "alternative", "objective 2, that of the best list: an alternative"),
        (1.5, 2.0, "alternative", "objective 1.5, 25 % below that of the best list: an alternative"),
        (1.5, 2.0, "time_limit", "objective 1.5, bound 2: gap 25 %, not proven optimal"),
    ],
)
def test_the_proof_is_one_line(objective, bound, status, text):
    assert found(objective, bound, status).describe() == text


def test_nothing_is_known_if_a_bound_is_infinite_unless_the_objective_is():
    assert found(1.0, np.inf).gap == found(-np.inf, 1.0).gap == np.inf
    assert found(np.inf, np.inf).gap == found(-np.inf, -np.inf).gap == 0.0
