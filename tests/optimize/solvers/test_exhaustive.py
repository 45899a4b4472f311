"""The oracle itself, on a problem that fits on a hand."""

import pytest

from hedgerow import InfeasibleError, PartitionProblem
from hedgerow.optimize.solvers.exhaustive import Exhaustive, partitions

#             {0} {1,2} {0,1} {2}
COVERAGE = [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


def test_best_partition_of_three_samples():
    problem = PartitionProblem([1.0, 2.0, 0.5, 0.5], COVERAGE, max_rules=2)
    assert sorted(partitions(problem)) == [(0, 1), (2, 3)]
    solution = Exhaustive().solve(problem)
    assert solution.chosen.tolist() == [0, 1]
    assert solution.objective == solution.bound == 3.0
    assert solution.optimal


def test_no_partition():
    with pytest.raises(InfeasibleError):
        Exhaustive().solve(PartitionProblem([1.0, 2.0], [[1, 0], [1, 1], [0, 1]]))
