"""Proximal operators of FIRE's two penalties, and of both together.

Implemented here because no well-maintained library has the two combined; the tests compare with general solvers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray

#: The share of a bound by which rounding may exceed it.
_ROUNDING = 1e-10


def mcp(w: float, penalty: float, gamma: float) -> float:
    """Return the minimax concave penalty: λ|w| − w² / 2γ up to |w| = γλ, constant beyond."""
    size = abs(w)
    return penalty * size - size**2 / (2 * gamma) if size <= gamma * penalty else gamma * penalty**2 / 2


def shrink(z: float, penalty: float, gamma: float) -> float:
    """Return the w that minimises ½ (w − z)² + MCP(w), for γ > 1; beyond γλ, nothing changes."""
    size = abs(z)
    if size <= penalty:
        return 0.0
    if size <= gamma * penalty:
        return (size - penalty) / (1 - 1 / gamma) * (1 if z > 0 else -1)
    return z


def fuse(u: Sequence[float], penalty: float) -> list[float]:
    """Return the w that minimises ½ Σ (w_j − u_j)² + λ Σ |w_j − w_{j−1}|.

    As λ grows from 0, neighbours move towards each other, and once they meet they stay together. So groups of
    neighbours are merged one by one until λ is reached.
    """
    values, sizes = list(u), [1] * len(u)
    left = penalty
    while left > 0 and len(values) > 1:
        speeds = _speeds(values, sizes)
        # Among the neighbours that approach each other, find those that meet first.
        meetings = []
        for g in range(len(values) - 1):
            gap, rate = values[g + 1] - values[g], speeds[g + 1] - speeds[g]
            if gap == 0:
                meetings.append((0.0, g))
            elif gap * rate < 0:
                meetings.append((-gap / rate, g))
        time, g = min(meetings)
        step = min(time, left)
        values = [value + step * speed for value, speed in zip(values, speeds, strict=True)]
        left -= step
        if step == time:
            size = sizes[g] + sizes[g + 1]
            values[g] = (sizes[g] * values[g] + sizes[g + 1] * values[g + 1]) / size
            sizes[g] = size
            del values[g + 1], sizes[g + 1]
    return [value for value, size in zip(values, sizes, strict=True) for _ in range(size)]


def _speeds(values: list[float], sizes: list[int]) -> list[float]:
    """Return the speed of each group as λ grows: one step towards each neighbour, shared by its members."""
    last = len(values) - 1
    speeds = []
    for g, (value, size) in enumerate(zip(values, sizes, strict=True)):
        pull = 0
        if g > 0:
            pull += (values[g - 1] > value) - (values[g - 1] < value)
        if g < last:
            pull += (values[g + 1] > value) - (values[g + 1] < value)
        speeds.append(pull / size)
    return speeds


def shrink_and_fuse(u: Sequence[float], sparsity: float, fusion: float, gamma: float) -> list[float]:
    """Return the w that minimises ½ Σ (w_j − u_j)² + Σ MCP(w_j) + λ_f Σ |w_j − w_{j−1}|, for γ > 1.

    Fusing and then shrinking solves both at once: shrinking preserves the order of the numbers, and thus the signs of
    all differences that fusing has settled.
    """
    return [shrink(z, sparsity, gamma) for z in (fuse(u, fusion) if fusion > 0 else u)]


def moves_from_zero(u: FloatArray, sparsity: float, fusion: float) -> bool:
    """Return whether :func:`shrink_and_fuse` of these numbers is non-zero, without computing it.

    It is if the sum over some run of neighbours exceeds the cost of moving the run away from zero: λ_s for each of
    them, and λ_f for each end of the run that has a neighbour.
    """
    length, n_neighbours = _runs(len(u))
    before = np.concatenate([[0.0], np.cumsum(u)])
    gain = np.abs(before[None, :] - before[:, None])
    cost = sparsity * length + fusion * n_neighbours
    return bool((gain > cost * (1 + _ROUNDING) + np.finfo(float).tiny).any())


@lru_cache(maxsize=64)
def _runs(n: int) -> tuple[IntArray, IntArray]:
    """Return the length of the run between any two places, and the number of its ends with a neighbour outside."""
    place = np.arange(n + 1)
    length = np.abs(place[None, :] - place[:, None])
    inside = ((place > 0) & (place < n)).astype(np.int64)
    return length, inside[None, :] + inside[:, None]
