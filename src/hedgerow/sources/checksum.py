r"""Whether two passes saw the same rows: a checksum per column that adds up over chunks.

With h_i a scrambled form of the bits of row i's value, the checksum of a column is Σ h_i and Σ r^i h_i, modulo
2\ :sup:`64`. The second sum notices rows in another order: a weight that is linear in i would not see that some rows go
down as far as others with the same value go up. Both add up: what rows contribute to the second sum after n others is
r^n times what they would contribute if they came first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow._support.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import column_of

_MODULUS = 1 << 64
#: Odd, with bits all over: the one of splitmix64.
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
#: The ratio r of the weights of adjacent rows: 5 modulo 8, so that 2^62 powers of it are distinct.
_RATIO = 6_364_136_223_846_793_005
#: Values that are summed at a time.
_BLOCK = 1 << 14
#: r^0, r^1, ...
_POWERS = np.cumprod(np.array([1] + [_RATIO] * (_BLOCK - 1), dtype=np.uint64))


@dataclass(eq=False)
class Checksum:
    """The number of rows, and the two sums of each column by its name in messages."""

    n_rows: int = 0
    sums: dict[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, chunk: Any) -> Checksum:
        """Return the checksum of a chunk."""
        n = chunk.n_rows
        checksum = cls(n)
        for position, name in enumerate(chunk.columns):
            label = f"column {name}" if isinstance(name, int) else f"column {name!r}"
            checksum.sums[label] = _sums(column_of(chunk.X, position))
        for label, values in (("the target", chunk.y), ("the weight", chunk.weight)):
            if values is not None:
                for position, column in enumerate(values.reshape(n, -1).T):
                    checksum.sums[f"{label} {position}" if values.ndim > 1 else label] = _sums(column)
        return checksum

    def merge(self, other: Checksum) -> None:
        """Add the checksum of rows that come after these."""
        shift = pow(_RATIO, self.n_rows, _MODULUS)
        for label, (total, ordered) in other.sums.items():
            before, ordered_before = self.sums.get(label, (0, 0))
            self.sums[label] = (before + total) % _MODULUS, (ordered_before + shift * ordered) % _MODULUS
        self.n_rows += other.n_rows


class Record:
    """How many passes over a source there were, and what they saw, column by column."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.n = self.n_rows = 0
        self.first = 0
        self.seen: dict[str, tuple[int, tuple[int, int]]] = {}

    def compare(self, checksum: Checksum, number: int) -> None:
        """Take note of a pass; refuse it if it saw no rows, or other rows than those before."""
        if not self.first and not checksum.n_rows:
            raise InvalidDataError(f"{self.source} has no rows; at least one is needed.")
        if self.first and checksum.n_rows != self.n_rows:
            raise InvalidDataError(
                f"{self.source} changes while it is read: {_rows(self.n_rows)} in pass {self.first}, "
                f"{_rows(checksum.n_rows)} in pass {number}. Every pass must read all rows anew."
            )
        for label, sums in checksum.sums.items():
            earlier, known = self.seen.setdefault(label, (number, sums))
            if known != sums:
                raise InvalidDataError(
                    f"{self.source} changes while it is read: the values of {label} in pass {number} are not those of "
                    f"pass {earlier}. Every pass must read the same rows in the same order."
                )
        self.first, self.n_rows = self.first or number, checksum.n_rows


def _rows(n: int) -> str:
    return f"{n:,} row{'' if n == 1 else 's'}" if n else "no rows"


def _sums(column: Any) -> tuple[int, int]:
    """Return Σ h and Σ r^i h of a column, in blocks that fit in the processor's cache."""
    values = _plain(column)
    total = ordered = 0
    for start in range(0, len(values), _BLOCK):
        scrambled = _scrambled(_bits(values[start : start + _BLOCK]))
        total += int(scrambled.sum())
        ordered += pow(_RATIO, start, _MODULUS) * int(np.dot(_POWERS[: len(scrambled)], scrambled))
    return total % _MODULUS, ordered % _MODULUS


def _scrambled(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the bits scrambled: those of 0.0 and 1.0 differ only at the upper end, which a sum would carry away."""
    scrambled = bits >> np.uint64(32)
    scrambled ^= bits
    scrambled *= _MULTIPLIER
    scrambled ^= scrambled >> np.uint64(29)
    return scrambled


def _bits(values: AnyArray) -> NDArray[np.uint64]:
    """Return the bits of numbers; of dates, the count of their units."""
    if values.dtype.kind == "f":
        return values.view(f"u{values.itemsize}").astype(np.uint64, copy=False)
    return (values.view(np.int64) if values.dtype.kind in "mM" else values).astype(np.uint64, copy=False)


def _plain(column: Any) -> AnyArray:
    """Return a column as an array of numbers or dates; of anything else, a hash of each value."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "biufmM" and dtype.itemsize <= 8:
        return np.ascontiguousarray(column)
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("Columns that are not numbers need pandas: pip install pandas.") from None
    if not hasattr(dtype, "na_value"):  # not one of pandas, which can be hashed
        objects = np.asarray(column, dtype=object)
        try:
            return pd.util.hash_array(objects)
        except TypeError:  # lists and their like, which cannot be hashed
            return pd.util.hash_array(np.array([*map(str, objects)], dtype=object))
    values = column.array
    if isinstance(dtype, pd.StringDtype):  # far faster than to make strings of all values, as there are few distinct
        codes, distinct = pd.factorize(values)
        hashes = pd.util.hash_array(np.asarray(distinct, dtype=object), categorize=False)
        return np.append(hashes, np.uint64(0))[codes]  # the last one for missing values, whose code is -1
    return pd.util.hash_array(values)
