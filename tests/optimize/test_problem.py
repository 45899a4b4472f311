"""A partition problem refuses what cannot be solved, and knows a solution when it sees one."""

import numpy as np
import pytest

from hedgerow import InvalidParameterError, LinearRows, PartitionProblem, SolverError

#             {0} {1,2} {0,1} {2}
COVERAGE = [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
SCORES = [1.0, 2.0, 0.5, 0.5]


def test_it_knows_a_partition():
    problem = PartitionProblem(SCORES, COVERAGE, max_rules=2)
    assert problem.accepts(np.array([0, 1]))
    assert problem.accepts(np.array([2, 3]))
    assert not problem.accepts(np.array([0, 3]))  # nobody has sample 1
    assert not problem.accepts(np.array([1, 2]))  # sample 1 is in both
    assert not PartitionProblem(SCORES, COVERAGE, max_rules=1).accepts(np.array([0, 1]))
    assert problem.objective(np.array([0, 1])) == 3.0


def test_it_knows_the_extra_rows():
    rows = LinearRows([[1, 0, 0, 0]], -np.inf, 0.0)
    problem = PartitionProblem(SCORES, COVERAGE, rows=rows)
    assert not problem.accepts(np.array([0, 1]))
    assert problem.accepts(np.array([2, 3]))


def test_a_wrong_answer_does_not_leave():
    problem = PartitionProblem(SCORES, COVERAGE)
    assert problem.verify(np.array([1, 0])).tolist() == [0, 1]
    with pytest.raises(SolverError, match="does not partition"):
        problem.verify(np.array([1]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SCORES[:2], COVERAGE), "as many scores"),
        (([1.0, np.nan, 0.0, 0.0], COVERAGE), "finite"),
        (([1.0, 1.0], [[1, 0], [1, 0]]), "Rule 1 covers no sample"),
        (([], np.zeros((3, 0))), "at least one rule and one sample"),
        ((SCORES, COVERAGE, 0), "max_rules must be an integer"),
        ((SCORES, COVERAGE, 1.5), "max_rules must be an integer"),
        ((SCORES, COVERAGE, 2, LinearRows([[1.0, 0.0]], 0, 1)), "one column per rule"),
    ],
)
def test_it_refuses(arguments, message):
    with pytest.raises(InvalidParameterError, match=message):
        PartitionProblem(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[np.nan, 0, 0, 0]], 0, 1), "finite entries"),
        (([[1, 0, 0, 0]], np.nan, 1), "numbers"),
        (([[1]], np.inf, np.inf), "never"),
    ],
)
def test_rows_that_mean_nothing(arguments, message):
    with pytest.raises(InvalidParameterError, match=message):
        LinearRows(*arguments)
