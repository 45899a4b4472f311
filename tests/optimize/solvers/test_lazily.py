"""Solvers that take all rows at once find the best list under requirements that are asked for rows, too."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import COVERAGE, SCORES
from wishes import Small, a_max_features, a_monotone, smalls

from hedgerow import PartitionProblem, TimeLimitError
from hedgerow.constraints import MaxFeatures
from hedgerow.optimize.solvers import Exhaustive, Highs
from hedgerow.optimize.solvers.lazily import solve_lazily
from hedgerow.rules.solution import Solution


@settings(max_examples=30, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(0, 2)), kind=st.sampled_from([a_max_features, a_monotone]))
def test_highs_finds_the_best_list(data, small, kind):
    small.check(kind(small, data.draw), solver=Highs())


def test_a_time_limit_that_leaves_no_list_says_what_was_asked():
    problem = Small(0, max_rules=4).fit([MaxFeatures(1)]).posed_.problem
    free = Exhaustive().solve(Small(0, max_rules=4).fit().posed_.problem)
    unfinished = Solution(free.chosen, free.objective, free.objective + 1, "time_limit", 0.0)

    def never_fits(written, limit):
        chosen = next(np.array([j, k]) for j in range(problem.n_rules) for k in range(j) if not fits(j, k))
        return Solution(chosen, unfinished.objective, unfinished.bound, "time_limit", 0.0)

    def fits(j, k):
        return problem.satisfies_extra(np.array([j, k]))

    with pytest.raises(TimeLimitError, match=r"No list that satisfies at most 1 feature in all was found within 5.0 s"):
        solve_lazily(problem, 5.0, never_fits)


def test_what_takes_too_long_is_an_error_that_names_the_constraint():
    problem = PartitionProblem(SCORES, COVERAGE, lazy=(NotTheBest(),))

    def slow(written, left):
        lefts.append(left)
        time.sleep(0.05)
        return Exhaustive().solve(written)

    lefts = []
    with pytest.raises(TimeLimitError, match=r"not the best was found within 0\.0 s"):
        solve_lazily(problem, 0.02, slow)
    assert lefts == [0.02]
    lefts.clear()
    found = solve_lazily(problem, 60.0, slow)
    assert found.chosen.tolist() == [2, 3]
    assert lefts[0] == 60.0
    assert 20.0 < lefts[1] < 59.96
    assert 0.1 <= found.seconds < 40.0


class NotTheBest:
    """A requirement that only says whether it holds."""

    names = ("not the best",)

    def hold(self, chosen):
        return sorted(chosen.tolist()) != [0, 1]

    def violated(self, z):
        return None

    def kinds(self):
        return np.arange(4)
