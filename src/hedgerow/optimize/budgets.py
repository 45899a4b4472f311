"""Budgets: between which there is anything to choose, and the best partition of each.

``rule_bounds`` says how few and how many rules a partition can have,
``budget_path`` solves for many budgets, each from the last.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.multiclass import type_of_target

from hedgerow._support.checks import check_time_limit
from hedgerow.exceptions import InfeasibleError, InvalidParameterError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers import RowGeneration, Solver
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.rules.solution import Solution


class RuleBounds(tuple[int, int]):
    """The fewest and the most rules of a partition, as a pair.

    Attributes
    ----------
    proven : bool
        Whether both numbers are exact.
    interval : pair of int
        What is proven in any case: no partition has fewer rules than the first, or more than the second.
    """

    proven: bool
    interval: tuple[int, int]

    def __new__(cls, fewest: int, most: int, interval: tuple[int, int]) -> RuleBounds:
        """Make the pair, with the proven interval around it."""
        self = super().__new__(cls, (fewest, most))
        self.interval = interval
        self.proven = interval == (fewest, most)
        return self

    def __repr__(self) -> str:
        """Show the pair, and what is proven if that is less."""
        pair = super().__repr__()
        return pair if self.proven else f"{pair} not proven, within {self.interval}"

    def __getnewargs__(self) -> tuple[int, int, tuple[int, int]]:
        """Return what makes an equal pair, for copies."""
        return (*self, self.interval)


def rule_bounds(
    problem: PartitionProblem,
    method: str = "exact",
    *,
    data: tuple[Any, Any] | None = None,
    classify: bool | None = None,
    time_limit: float | None = None,
    solver: Solver | None = None,
) -> RuleBounds:
    """Return the fewest and the most rules of any partition of the problem, budget aside.

    Parameters
    ----------
    problem : PartitionProblem
    method : "exact" or "heuristic"
        Exact: by the two bound problems. Heuristic, as in the paper: the
        leaves of the smallest tree that is whole, and the leaves of a decision
        tree of low cost complexity grown on ``data``.
    data : (X, y), optional
        For the upper heuristic; without it, the most rules of a whole tree.
    classify : bool, optional
        Whether ``y`` has labels; if not given, told by scikit-learn's ``type_of_target``.
    time_limit : float, optional
        Seconds for each of the two problems. If they end before the proof,
        ``proven`` is False and ``interval`` says what is known; without any
        list found, the pair is the interval.
    solver : Solver, optional

    Examples
    --------
    >>> from hedgerow import PartitionProblem, rule_bounds
    >>> rule_bounds(PartitionProblem([0.0, 0.0, 0.0], [[1, 0, 1], [0, 1, 1]]))
    (1, 2)
    """
    check_time_limit(time_limit)
    if method == "exact":
        return _exact_bounds(problem, time_limit, RowGeneration() if solver is None else solver)
    if method == "heuristic":
        return _heuristic_bounds(problem, data, classify)
    raise InvalidParameterError(f"method is 'exact' or 'heuristic'; got {method!r}.")


def _exact_bounds(problem: PartitionProblem, time_limit: float | None, solver: Solver) -> RuleBounds:
    fewest = fewest_rules(problem, time_limit, solver)
    most = _extreme(problem, 1.0, time_limit, solver)
    return RuleBounds(fewest[0], most[0], (fewest[1], most[1]))


def fewest_rules(
    problem: PartitionProblem, time_limit: float | None = None, solver: Solver | None = None
) -> tuple[int, int]:
    """Return the fewest rules of a partition that were found, and how few are proven impossible to undercut."""
    return _extreme(problem, -1.0, time_limit, RowGeneration() if solver is None else solver)


def _extreme(problem: PartitionProblem, sign: float, time_limit: float | None, solver: Solver) -> tuple[int, int]:
    """Return the most rules (sign 1) or fewest (-1) that were found, and what is proven; without a list, only that."""
    trivial = 1 if sign < 0 else problem.n_samples  # a rule has a sample at least
    count = replace(problem, scores=np.full(problem.n_rules, sign), max_rules=None)
    try:
        solution = solver.solve(count, time_limit)
    except TimeLimitError:
        return trivial, trivial
    if solution.status == "interrupted":
        raise KeyboardInterrupt
    bound = sign * solution.bound
    proven = round(bound) if np.isfinite(bound) else trivial
    return len(solution.chosen), max(proven, 1) if sign < 0 else min(proven, problem.n_samples)


def _heuristic_bounds(problem: PartitionProblem, data: tuple[Any, Any] | None, classify: bool | None) -> RuleBounds:
    fewest = min(_sizes_of_whole_trees(problem, -1.0), default=0)
    if not fewest:
        raise InfeasibleError("No tree is whole: the heuristic has nothing to count. Take method='exact'.")
    most = max(_sizes_of_whole_trees(problem, 1.0)) if data is None else _leaves_of_low_cost(*data, classify)
    # Nothing is proven but what is trivial.
    return RuleBounds(fewest, max(fewest, most), (1, problem.n_samples))


def _sizes_of_whole_trees(problem: PartitionProblem, sign: float) -> list[int]:
    """Return how many rules each whole tree has, cut back to the fewest (sign -1) or not at all (1)."""
    each_alone = np.arange(problem.n_rules)
    prunings = Prunings(problem.coverage, np.full(problem.n_rules, sign), each_alone, None).best(None)
    without_budget = replace(problem, max_rules=None)
    return [len(pruning) for pruning in prunings if without_budget.accepts(pruning)]


def _leaves_of_low_cost(X: Any, y: Any, classify: bool | None) -> int:
    """Return the leaves of a decision tree that stops where a split no longer gains 1 % of the root's impurity."""
    y = np.asarray(y)
    labels = not type_of_target(y).startswith("continuous") if classify is None else classify
    tree = (DecisionTreeClassifier if labels else DecisionTreeRegressor)(random_state=0)
    root = tree.fit(X, y).tree_.impurity[0]
    return int(tree.set_params(ccp_alpha=0.01 * root).fit(X, y).get_n_leaves())


def budget_path(
    problem: PartitionProblem,
    budgets: Iterable[int],
    *,
    time_limit: float | None = None,
    solver: Solver | None = None,
) -> list[Solution]:
    """Return the best partition for each budget, in the order given.

    Parameters
    ----------
    problem : PartitionProblem
    budgets : iterable of int
    time_limit : float, optional
        Seconds for each budget.
    solver : Solver, optional
        The default one reuses the rows and the partition of the last smaller budget.

    Raises
    ------
    InfeasibleError
        For a budget that no partition keeps; the message says which one works.
    TimeLimitError
        For a budget of which no list was found in time; give a longer limit, or leave it out.
    """
    budgets = check_budgets(budgets)
    check_time_limit(time_limit)
    solver = RowGeneration() if solver is None else solver
    if isinstance(solver, RowGeneration):
        return solver.solve_path(problem, budgets, time_limit)
    return [solver.solve(replace(problem, max_rules=budget), time_limit) for budget in budgets]


def check_budgets(budgets: Any) -> list[int]:
    """Return the budgets as a list; refuse none at all, and what is no whole number of at least 1."""
    try:
        found = [budgets] if isinstance(budgets, Integral) else list(budgets)
    except TypeError:
        raise InvalidParameterError(f"Budgets are whole numbers of at least 1, in a list; got {budgets!r}.") from None
    if not found:
        raise InvalidParameterError("The list of budgets is empty; give at least one.")
    for budget in found:
        if not isinstance(budget, Integral) or isinstance(budget, bool) or budget < 1:
            raise InvalidParameterError(f"A budget is a whole number of at least 1; got {budget!r}.")
    return [int(budget) for budget in found]
