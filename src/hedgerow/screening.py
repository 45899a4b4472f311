"""Fewer candidates for large pools."""
from __future__ import annotations
from collections.abc import Sequence
from hedgerow.arrays import IntArray
from hedgerow.problem import PartitionProblem
def screen(problem: PartitionProblem, max_candidates: int, budgets: Sequence[int | None]) -> IntArray:
    raise NotImplementedError
