"""Chains of moves: their outputs, and the inputs at which these cross a threshold or count as missing.

Chains that are computed together have moves of the same kinds, one chain per column of the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.preprocessing import FunctionTransformer

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.readers.inversions import Encode, Fill, Flag, Monotone, Move

Chain = tuple[Move, ...]
Gap = tuple[float, float]

#: No feature has more than one gap, so these mean that the output has to be computed.
_TOO_MANY_GAPS: list[Gap] = [(-np.inf, np.inf)] * 2


def forward(chains: Sequence[Chain], values: FloatArray) -> FloatArray:
    """Return the outputs for numbers."""
    for moves in zip(*chains, strict=True):
        values = moves[0].numbers(moves, values)
    return values


def evaluate(chain: Iterable[Move], values: Sequence[Any]) -> AnyArray:
    """Return the outputs of one chain for values of any kind."""
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    for move in chain:
        objects = move.objects(objects)
    return objects


def of_missing(chains: Sequence[Chain]) -> FloatArray | None:
    """Return the output of each chain for a missing value; None if they reject it."""
    try:
        return forward(chains, np.full((1, len(chains)), np.nan))[0]
    except ValueError:
        return None


def is_falling(chain: Chain) -> bool:
    """Return whether the output falls as the input grows."""
    return sum(not move.increasing for move in chain) % 2 == 1


def bounds(chains: Sequence[Chain], thresholds: FloatArray) -> FloatArray:
    """Return the largest inputs whose outputs are at most the thresholds; above them, if the chains are falling."""
    plain = _without_fills(chains)
    if is_falling(chains[0]):
        return largest(lambda x: forward(plain, x) > thresholds, thresholds.shape)
    return largest(lambda x: ~(forward(plain, x) > thresholds), thresholds.shape)


def gaps(chains: Sequence[Chain], tiny: FloatArray) -> list[list[Gap]]:
    """Return the ranges of inputs that count as missing, besides NaN, for each chain.

    Those are the values that mark missing ones, those outside a function's domain, and those whose outputs are at most
    ``tiny`` from zero (none if that is negative).
    """
    plain, falling, shape = _without_fills(chains), is_falling(chains[0]), (1, len(chains))
    found = [_marker_gaps(chain) for chain in chains]
    if any(move.restricted for move in chains[0]):
        ends = largest(lambda x: np.isnan(forward(plain, x)), shape)[0]
        for gap, end in zip(found, ends, strict=True):
            gap += [(-np.inf, float(end))] if end > -np.inf else []
            gap += _TOO_MANY_GAPS if falling or _flags_outside_domain(chains[0]) else []
    if (tiny >= 0).any():
        below = largest(lambda x: forward(plain, x) < -tiny, shape)[0]
        within = largest(lambda x: forward(plain, x) <= tiny, shape)[0]
        for k in np.flatnonzero((tiny >= 0) & (below < within)):
            found[k].append((float(np.nextafter(below[k], np.inf)), float(within[k])))
            found[k] += _TOO_MANY_GAPS if falling else []
    return found


def is_flag(chain: Chain) -> bool:
    """Return whether the output only depends on whether a value is missing."""
    return any(isinstance(m, Flag) for m in chain) and not any(isinstance(m, Encode) for m in chain)


def low_precision(chain: Chain) -> str:
    """Return the kinds of dtype for which a chain may compute in less than float64."""
    if not any(isinstance(move, Monotone) for move in chain):
        return ""
    # Scalers and imputers convert integers to float64; numpy's functions do not.
    return "fiub" if isinstance(chain[0], Monotone) and isinstance(chain[0].step, FunctionTransformer) else "f"


def largest(holds: Callable[[FloatArray], BoolArray], shape: tuple[int, ...]) -> FloatArray:
    """Return, for each entry, the largest number for which a condition holds that also holds below it.

    A binary search over all finite float64, ordered by their bits: -inf if the
    condition holds for none of them, +inf if it holds for all.
    """
    most = np.finfo(np.float64).max
    lowest, highest = _reordered(np.array([-most, most]).view(np.int64))
    low, high = np.full(shape, lowest - 1), np.full(shape, highest + 1)
    with config_context(assume_finite=True):  # numbers may overflow between two steps
        for _ in range(64):
            middle = (low >> 1) + (high >> 1) + (low & high & 1)
            yes = holds(np.clip(_reordered(middle).view(np.float64), -most, most)) & (middle > low)
            low, high = np.where(yes, middle, low), np.where(yes | (middle <= low), high, middle)
    found = _reordered(low).view(np.float64)
    return np.where(found == most, np.inf, found)


def _reordered(bits: IntArray) -> IntArray:
    """Return the bits of numbers as integers in the order of the numbers; or, from these, the bits."""
    return np.where(bits >= 0, bits, np.iinfo(np.int64).min - bits)


def _without_fills(chains: Sequence[Chain]) -> list[Chain]:
    """Return the chains without filling, so that numbers outside a function's domain stay missing."""
    return [tuple(move for move in chain if not isinstance(move, Fill)) for chain in chains]


def _flags_outside_domain(chain: Chain) -> bool:
    """Return whether a chain flags missing values after a move that creates them."""
    first = next(i for i, move in enumerate(chain) if move.restricted)
    return any(isinstance(move, Flag) for move in chain[first:])


def _marker_gaps(chain: Chain) -> list[Gap]:
    """Return the value that marks missing ones; too many gaps if earlier moves change it or later ones have another."""
    first = next((i for i, move in enumerate(chain) if move.marker is not None), None)
    if first is None:
        return []
    marker = float(chain[first].marker)
    plain = all(m.marker is None for m in chain[first + 1 :]) and all(isinstance(m, Fill) for m in chain[:first])
    return [(marker, marker)] * (1 if plain else 2)
