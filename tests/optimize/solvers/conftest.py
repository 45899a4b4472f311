import time

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from small_problems import drawn_forest

from hedgerow import InfeasibleError, LinearRows, PartitionProblem, RuleListClassifier, RuleListRegressor
from hedgerow.optimize.solvers import Exhaustive


@pytest.fixture(scope="session")
def fitted():
    """Lists found by the default solver: of labels, with a tight budget, and of numbers."""
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(40, max_depth=2, random_state=0).fit(X, y)
    lists = [
        RuleListClassifier(forest, max_rules=4).fit(X, y),
        RuleListClassifier(forest, max_rules=3, candidates="leaves").fit(X, y),
    ]
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(10, max_depth=3, random_state=0).fit(X, y)
    numbers = RuleListRegressor(forest, max_rules=10, candidates="nodes", stability_weight=0.1, loss="sse")
    return [*lists, numbers.fit(X, y)]


@pytest.fixture
def assert_same_objectives(fitted):
    """A check that a solver proves the objectives that the default solver has found."""

    def check(solver):
        for one in fitted:
            found = solver.solve(one.problem_)
            assert found.optimal
            assert one.solution_.optimal
            assert_allclose(found.objective, one.solution_.objective, atol=1e-7)
        assert {_compared(solver, seed) for seed in range(12)} == {"solved", "none"}

    return check


def _compared(solver, seed):
    """Compare a solver with all lists of a small problem with rows that have a lower bound, an upper one, or both."""
    coverage, scores = drawn_forest(seed, 10, 3, "nodes")
    rng = np.random.default_rng(seed)
    entries = rng.integers(0, 4, (3, len(scores))).astype(float)
    rows = LinearRows(entries, [2.0, -np.inf, 3.0], [np.inf, 4.0, 6.0 if seed % 2 else 3.0])
    problem = PartitionProblem(scores, coverage, 4, rows)
    try:
        expected = Exhaustive().solve(problem)
    except InfeasibleError:
        with pytest.raises(InfeasibleError, match="within the constraints"):
            solver.solve(problem)
        return "none"
    started = time.perf_counter()
    found = solver.solve(problem, time_limit=100.0)
    assert (found.status, found.bound) == ("optimal", found.objective)
    assert 0.0 < found.seconds <= time.perf_counter() - started
    assert_allclose(found.objective, expected.objective)
    return "solved"


@pytest.fixture
def large_problem(fitted):
    """A problem that takes a solver more than no time."""
    return fitted[2].problem_
