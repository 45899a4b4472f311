"""Nasty problems are what their names say."""

import numpy as np
import pytest

from benchmarks.instances.nasty import CASES, make
from hedgerow import InfeasibleError
from hedgerow.optimize.solvers import Exhaustive


def test_a_rule_that_is_in_no_list_has_the_largest_score():
    problem = make("impossible-rule", 0)
    best = Exhaustive().solve(problem)
    assert best.objective == 2.0
    assert np.argmax(problem.scores) not in best.chosen


def test_the_wide_row_has_a_list():
    assert Exhaustive().solve(make("wide-row", 0)).chosen.tolist() == [0, 1, 2]


def test_the_empty_row_has_none():
    with pytest.raises(InfeasibleError):
        Exhaustive().solve(make("empty-row", 0))


@pytest.mark.parametrize("case", [case for case in CASES if "row" in case or "scores" in case])
def test_every_case_can_be_made(case):
    problem = make(case, 1)
    assert ("scores" in case) or problem.rows is not None
