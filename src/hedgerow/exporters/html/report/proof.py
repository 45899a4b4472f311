"""Whether the list is proven optimal, and how much better another one could be at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow.rules.solution import Solution
from hedgerow.teachers import unwrapped


@dataclass(frozen=True)
class Proof:
    """Objective and bound of the integer program, and the candidates they are about.

    Attributes
    ----------
    solution : Solution
    n_candidates : int or None
        Number of candidate rules.
    max_rules : int or None
        The budget.
    n_trees : int or None
        Number of trees in the ensemble.
    own_trees : bool
        Whether these are those of the model that the list explains.
    """

    solution: Solution
    n_candidates: int | None = None
    max_rules: int | None = None
    n_trees: int | None = None
    own_trees: bool = False

    @classmethod
    def of(cls, solution: Solution, estimator: Any = None) -> Proof:
        """Return the proof of a solution; a fitted estimator adds what the solution was chosen from."""
        if estimator is None:
            return cls(solution)
        fitted = estimator.without_search
        own = unwrapped(fitted.explained[0]) is fitted.ensemble_
        return cls(solution, len(fitted.pool_), fitted.max_rules, fitted.forest_.n_trees, own)
