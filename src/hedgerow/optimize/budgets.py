"""How many rules a list can have, and the best partition for each budget.

``rule_bounds`` gives the fewest and the most rules of any partition. ``budget_path``
finds the best partition for several budgets; ``feasible_path`` does the same and
returns, for a budget that has none, the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.multiclass import type_of_target

from hedgerow._support.checks import check_integer, check_time_limit
from hedgerow.exceptions import HedgerowError, InfeasibleError, InvalidParameterError, TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.row_generation import RowGeneration
from hedgerow.optimize.solvers.solver import ContinuesPaths, Path, Solver, SolvesPaths
from hedgerow.rules.solution import Solution


class RuleBounds(tuple[int, int]):
    """The fewest and the most rules of a partition, as a pair.

    Attributes
    ----------
    proven : bool
        Whether both numbers are exact.
    interval : pair of int
        What is proven in any case: no partition has fewer rules than the first number, or more than the second.
    """

    proven: bool
    interval: tuple[int, int]

    def __new__(cls, fewest: int, most: int, interval: tuple[int, int], found: bool = True) -> RuleBounds:
        """Make the pair with the proven interval around it; ``found``: whether partitions of both sizes are known."""
        self = super().__new__(cls, (fewest, most))
        self.interval = interval
        self.proven = found and interval == (fewest, most)
        return self

    def __repr__(self) -> str:
        """Show the pair, and the interval if only that is proven."""
        pair = super().__repr__()
        return pair if self.proven else f"{pair} not proven, within {self.interval}"

    def __getnewargs__(self) -> tuple[int, int, tuple[int, int], bool]:
        """Return the arguments that make an equal pair, for copies and pickles."""
        return (*self, self.interval, self.proven)


def rule_bounds(
    problem: PartitionProblem,
    method: str = "exact",
    *,
    data: tuple[Any, Any] | None = None,
    classify: bool | None = None,
    time_limit: float | None = None,
    solver: Solver | None = None,
) -> RuleBounds:
    """Return the fewest and the most rules of any partition of the problem; its budget is ignored.

    Parameters
    ----------
    problem : PartitionProblem
    method : "exact" or "heuristic"
        "exact" solves the problem for the fewest and for the most rules. "heuristic", as in the paper, takes the
        number of leaves of the smallest whole tree and of a decision tree with low cost complexity, grown on ``data``.
    data : (X, y), optional
        For the heuristic upper bound. If None, it is the largest number of rules of a whole tree.
    classify : bool, optional
        Whether ``y`` holds labels. If None, scikit-learn's ``type_of_target`` decides.
    time_limit : float, optional
        Seconds for each of the two problems. If a limit is reached before the proof, ``proven`` is False and
        ``interval`` holds what is known. If no list is found at all, the pair equals the interval.
    solver : Solver, optional

    Examples
    --------
    >>> from hedgerow import PartitionProblem, rule_bounds
    >>> rule_bounds(PartitionProblem([0.0, 0.0, 0.0], [[1, 0, 1], [0, 1, 1]]))
    (1, 2)
    """
    check_time_limit(time_limit)
    if method == "exact":
        fewest, most = (_extreme(problem, sign, time_limit, solver) for sign in (-1.0, 1.0))
        return RuleBounds(fewest[0], most[0], (fewest[1], most[1]), found=fewest[2] and most[2])
    if method == "heuristic":
        return _heuristic_bounds(problem, data, classify)
    raise InvalidParameterError(f"method must be 'exact' or 'heuristic'; got {method!r}.")


def fewest_rules(
    problem: PartitionProblem, time_limit: float | None = None, solver: Solver | None = None
) -> tuple[int, int]:
    """Return the fewest rules of a partition found, and the proven lower bound."""
    return _extreme(problem, -1.0, time_limit, solver)[:2]


def _extreme(
    problem: PartitionProblem, sign: float, time_limit: float | None, solver: Solver | None
) -> tuple[int, int, bool]:
    """Return the most (sign 1) or fewest (-1) rules found, what is proven, and whether any are found.

    If none are, the first number is the second.
    """
    trivial = 1 if sign < 0 else problem.coverage.n_rows  # every rule covers at least one sample
    count = replace(problem, scores=np.full(problem.n_rules, sign), max_rules=None)
    try:
        solution = _or_default(solver).solve(count, time_limit)
    except TimeLimitError:
        return trivial, trivial, False
    if solution.status == "interrupted":
        raise KeyboardInterrupt
    bound = sign * solution.bound
    proven = round(bound) if np.isfinite(bound) else trivial
    return len(solution.chosen), max(proven, 1) if sign < 0 else min(proven, problem.coverage.n_rows), True


def _heuristic_bounds(problem: PartitionProblem, data: tuple[Any, Any] | None, classify: bool | None) -> RuleBounds:
    fewest = min(_sizes_of_whole_trees(problem, -1.0), default=0)
    if not fewest:
        raise InfeasibleError("No tree is a whole partition, so the heuristic fails. Use method='exact'.")
    most = max(_sizes_of_whole_trees(problem, 1.0)) if data is None else _leaves_of_low_cost(*data, classify)
    # Only the trivial interval is proven.
    return RuleBounds(fewest, max(fewest, most), (1, problem.coverage.n_rows))


def _sizes_of_whole_trees(problem: PartitionProblem, sign: float) -> list[int]:
    """Return the number of rules of each whole tree, pruned to the fewest (sign -1) or not at all (1)."""
    each_alone = np.arange(problem.n_rules)
    prunings = Prunings(problem.coverage, np.full(problem.n_rules, sign), each_alone, None).best(None)
    without_budget = replace(problem, max_rules=None)
    return [len(pruning) for pruning in prunings if without_budget.accepts(pruning)]


def _leaves_of_low_cost(X: Any, y: Any, classify: bool | None) -> int:
    """Return the leaves of a decision tree pruned where a split gains less than 1 % of the root's impurity."""
    y = np.asarray(y)
    labels = not type_of_target(y).startswith("continuous") if classify is None else classify
    tree = (DecisionTreeClassifier if labels else DecisionTreeRegressor)(random_state=0)
    root = tree.fit(X, y).tree_.impurity[0]
    return int(tree.set_params(ccp_alpha=0.01 * root).fit(X, y).get_n_leaves())


def budget_path(
    problem: PartitionProblem, budgets: Iterable[int], *, time_limit: float | None = None, solver: Solver | None = None
) -> list[Solution]:
    """Return the best partition for each budget, in the order given.

    Parameters
    ----------
    problem : PartitionProblem
    budgets : iterable of int
    time_limit : float, optional
        Seconds for each budget.
    solver : Solver, optional
        The default solver starts each budget from what it found for the others.

    Raises
    ------
    InfeasibleError
        If a budget has no partition; the message says which budget works.
    TimeLimitError
        If no list was found in time for a budget. Raise the limit, or leave the budget out.
    """
    budgets = check_budgets(budgets)
    check_time_limit(time_limit)
    path = feasible_path(problem, budgets, time_limit=time_limit, solver=solver)
    solutions = []
    for budget in budgets:
        solution = path[budget]
        if isinstance(solution, InfeasibleError):
            # For a single budget, a solver takes the time to find out which one would work.
            solution = _or_default(solver).solve(replace(problem, max_rules=budget), time_limit)
        if isinstance(solution, HedgerowError):
            raise solution
        solutions.append(solution)
    return solutions


def feasible_path(
    problem: PartitionProblem,
    budgets: Iterable[int],
    *,
    time_limit: float | None = None,
    solver: Solver | None = None,
    memory: Any = None,
) -> Path:
    """Return the best partition for each budget, or the error that says why there is none.

    A solver that can solve for several budgets together does so; any other solves one budget after the other. With the
    ``memory`` of an earlier call (:func:`path_memory`), larger budgets start from what the smaller ones have found.
    """
    solver = _or_default(solver)
    if memory is not None and isinstance(solver, ContinuesPaths):
        return solver.feasible_path(problem, budgets, time_limit, memory)
    if isinstance(solver, SolvesPaths):
        return solver.feasible_path(problem, budgets, time_limit)
    found: Path = {}
    for budget in sorted(set(budgets)):
        try:
            found[budget] = solver.solve(replace(problem, max_rules=budget), time_limit)
        except (InfeasibleError, TimeLimitError) as error:
            found[budget] = error
    return found


def path_memory(largest: int, solver: Solver | None = None) -> Any:
    """Return what calls of :func:`feasible_path` with larger and larger budgets share, or None if the solver cannot."""
    solver = _or_default(solver)
    return solver.memory(largest) if isinstance(solver, ContinuesPaths) else None


def _or_default(solver: Solver | None) -> Solver:
    return RowGeneration() if solver is None else solver


def check_budgets(budgets: Any) -> list[int]:
    """Return the budgets as a list; raise if it is empty or holds anything but integers of at least 1."""
    try:
        found = [budgets] if isinstance(budgets, Integral) else list(budgets)
    except TypeError:
        raise InvalidParameterError(f"Budgets must be a list of integers of at least 1; got {budgets!r}.") from None
    if not found:
        raise InvalidParameterError("The list of budgets is empty; give at least one.")
    for budget in found:
        check_integer("A budget", budget)
    return [int(budget) for budget in found]
