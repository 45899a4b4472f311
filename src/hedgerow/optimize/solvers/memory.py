"""What one budget passes on to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hedgerow._support.arrays import IntArray, RankArray
from hedgerow.optimize.solvers.prunings import Prunings


@dataclass
class Memory:
    """What one budget passes on to the next.

    The rows that mattered, its solution, the mixtures of pruned trees, the samples that were added to the problem, and
    the bound on all lists, in units of the largest score.
    """

    largest: int | None = None
    samples: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    best: IntArray | None = None
    prunings: Prunings | None = None
    more: list[RankArray] = field(default_factory=list)
    bound: float = np.inf
