"""What a solver found, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hedgerow._support.arrays import IntArray

Status = Literal["optimal", "time_limit", "interrupted", "alternative"]


@dataclass(frozen=True)
class Step:
    """What a solver knew at the end of a phase.

    Attributes
    ----------
    phase : str
    seconds : float
        Since the solver started.
    rows, columns : int
        The size of the linear program.
    bound : float
        What was proven.
    objective : float or None
        That of the best list so far.
    """

    phase: str
    seconds: float
    rows: int
    columns: int
    bound: float
    objective: float | None


@dataclass(frozen=True, eq=False)
class Solution:
    """The chosen rules with their proof.

    Attributes
    ----------
    chosen : int array
        The chosen columns of the problem, in increasing order.
    objective : float
        Their total score.
    bound : float
        No solution has a higher objective; equal to it when proven optimal.
    status : "optimal", "time_limit", "interrupted" or "alternative"
        An alternative is one of several lists that were asked for; the bound is then the objective of the best list.
    seconds : float
        How long the solver took.
    log : tuple of Step
        How the search went, for solvers that tell.
    passes : int or None
        How often the rows were read, if they are not in memory.
    """

    chosen: IntArray
    objective: float
    bound: float
    status: Status
    seconds: float
    log: tuple[Step, ...] = ()
    passes: int | None = None

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no better solution exists."""
        return self.status == "optimal"

    @property
    def gap(self) -> float:
        """How far the bound is from the objective, relative to the larger of the two in size."""
        return gap_between(self.objective, self.bound)

    def describe(self) -> str:
        """Write the proof in one line."""
        if self.optimal:
            return f"objective {self.objective:.6g}, bound {self.bound:.6g}: proven optimal"
        if self.status == "alternative":
            worse = f"{100 * self.gap:.3g} % below that of the best list" if self.gap > 0 else "that of the best list"
            return f"objective {self.objective:.6g}, {worse}: an alternative"
        return f"objective {self.objective:.6g}, bound {self.bound:.6g}: gap {100 * self.gap:.3g} %, not proven optimal"


def gap_between(objective: float, bound: float) -> float:
    """Return how far a bound is from an objective, relative to the larger of the two in size."""
    size = max(abs(bound), abs(objective))
    if np.isinf(size):
        return 0.0 if bound == objective else np.inf
    return (bound - objective) / size if size > 0 else 0.0
