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
