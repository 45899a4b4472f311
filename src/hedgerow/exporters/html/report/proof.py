"""How sure it is that no better list exists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.rules.solution import Solution


@dataclass(frozen=True)
class Proof:
    """Objective and bound of the integer program, and what they were proven about.

    Attributes
    ----------
    is_optimal : bool
    status : str
        "optimal", "time_limit" or "interrupted".
    objective, bound, gap, seconds : float
    n_candidates : int or None
        How many rules there were to choose from.
    max_rules : int or None
        The budget.
    n_trees : int or None
        Of the ensemble.
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
        """Return the proof of a solution; an estimator tells what it was chosen from."""
        known: dict[str, Any] = {}
        if estimator is not None:
            problem = estimator.problem_
            known = {
                "n_candidates": problem.n_rules,
                "max_rules": problem.max_rules,
                "n_trees": estimator.forest_.n_trees,
            }
        return cls(
            solution.optimal,
            solution.status,
            float(solution.objective),
            float(solution.bound),
            float(solution.gap),
            float(solution.seconds),
            **known,
        )
