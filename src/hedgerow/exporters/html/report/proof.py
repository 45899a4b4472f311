"""Whether the list is proven optimal, and how much better another one could be at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class Proof:
    """Objective and bound of the integer program, and the candidates they are about.

    Attributes
    ----------
    is_optimal : bool
    status : str
        "optimal", "time_limit" or "interrupted".
    objective, bound, gap, seconds : float
    n_candidates : int or None
        Number of candidate rules.
    max_rules : int or None
        The budget.
    n_trees : int or None
        Number of trees in the ensemble.
    """

    is_optimal: bool
    status: str
    objective: float
    bound: float
    gap: float
    seconds: float
    n_candidates: int | None = None
    max_rules: int | None = None
    n_trees: int | None = None

    @classmethod
    def of(cls, solution: Solution, estimator: Any = None) -> Proof:
        """Return the proof of a solution; a fitted estimator adds what the solution was chosen from."""
        known: dict[str, Any] = {}
        if estimator is not None:
            problem, n_trees = estimator.problem_, estimator.forest_.n_trees
            known = {"n_candidates": problem.n_rules, "max_rules": problem.max_rules, "n_trees": n_trees}
        return cls(
            solution.optimal,
            solution.status,
            float(solution.objective),
            float(solution.bound),
            float(solution.gap),
            float(solution.seconds),
            **known,
        )
