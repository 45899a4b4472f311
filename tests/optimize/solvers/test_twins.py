"""Of rules with the same samples, the one with the best score is kept, then the one with the lowest preference."""

import numpy as np

from hedgerow import LinearRows, PartitionProblem
from hedgerow.optimize.solvers.twins import best_of_twins

#            {0}  {1}  {0}  {0,1} {1}
COVERAGE = [[1, 0, 1, 1, 0], [0, 1, 0, 1, 1]]


def test_the_best_score_then_the_lowest_preference():
    problem = PartitionProblem([1.0, 2.0, 3.0, 0.0, 2.0], COVERAGE, preference=np.array([0.0, 1.0, 0.0, 0.0, 0.5]))
    kept, best = best_of_twins(problem)
    assert kept.tolist() == [2, 3, 4]
    assert best.tolist() == [2, 4, 2, 3, 4]


def test_an_extra_row_tells_twins_apart():
    rows = LinearRows([1.0, 0.0, 0.0, 0.0, 0.0], -np.inf, 1.0)
    kept, _ = best_of_twins(PartitionProblem([1.0, 2.0, 3.0, 0.0, 2.0], COVERAGE, rows=rows))
    assert kept.tolist() == [0, 1, 2, 3]
