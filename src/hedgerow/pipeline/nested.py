"""What is best among many candidates is best among some of them, too, if these have its rules.

With a larger minimum coverage, there are fewer candidates, but often the same list. Then it need not be searched again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.exceptions import InfeasibleError
from hedgerow.optimize.solvers.solver import Path
from hedgerow.pipeline.pose import Posed
from hedgerow.rules.solution import Solution

#: Scores that differ by no more are equal.
_ROUNDING = 1e-12


class Nested:
    """What is known of problems with the same samples."""

    def __init__(self) -> None:
        self._known: list[tuple[Posed, Path]] = []

    def add(self, posed: Posed, path: Path) -> None:
        """Remember what was found for some budgets."""
        self._known.append((posed, path))

    def path(self, posed: Posed, budgets: Sequence[int]) -> Path:
        """Return for some of the budgets the best list, or why there is none, as far as wider problems tell."""
        found: Path = {}
        for wider, path in self._known:
            asked = [budget for budget in budgets if budget in path and budget not in found]
            places = _places(posed, wider) if asked else None
            if places is None:
                continue
            for budget in asked:
                known = path[budget]
                if isinstance(known, InfeasibleError):
                    found[budget] = known
                elif isinstance(known, Solution) and known.optimal:
                    chosen = np.flatnonzero(np.isin(places, known.chosen))
                    if len(chosen) == len(known.chosen):
                        found[budget] = _taken_over(known, posed, chosen, budget)
        return found


def _places(posed: Posed, wider: Posed) -> IntArray | None:
    """Return where the candidates of a problem are in a wider one; None if that has not all with the same scores."""
    if wider.pool.forest is not posed.pool.forest or len(posed.pool) >= len(wider.pool):
        return None
    if posed.problem.is_constrained or wider.problem.is_constrained:
        return None
    order = np.argsort(wider.pool.node)
    at = np.searchsorted(wider.pool.node, posed.pool.node, sorter=order)
    places: IntArray = order[np.minimum(at, len(order) - 1)]
    if (wider.pool.node[places] != posed.pool.node).any():
        return None
    same = np.allclose(wider.problem.scores[places], posed.problem.scores, rtol=_ROUNDING, atol=_ROUNDING)
    return places if same else None


def _taken_over(known: Solution, posed: Posed, chosen: IntArray, budget: int) -> Solution:
    problem = replace(posed.problem, max_rules=budget)
    objective = problem.objective(chosen)
    return replace(known, chosen=problem.verify(chosen), objective=objective, bound=objective, seconds=0.0)
