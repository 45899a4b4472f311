"""Sets of columns as the bits of integers: operations on a few thousand of them take less than a microsecond."""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray


def as_integers(rows: BoolArray) -> list[int]:
    """Return each row of booleans as the bits of an integer, the first as the lowest."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def as_rows(integers: list[int], n_columns: int) -> BoolArray:
    """Return the bits of integers as rows of booleans."""
    n_bytes = -(-n_columns // 8)
    packed = np.frombuffer(b"".join(one.to_bytes(n_bytes, "little") for one in integers), dtype=np.uint8)
    rows = packed.reshape(len(integers), n_bytes)
    return np.unpackbits(rows, axis=1, count=n_columns, bitorder="little").view(np.bool_)


def among(pairs: BoolArray, columns: IntArray) -> BoolArray:
    """Return the pairs of some columns: to take rows, then columns, is several times as fast as both at once."""
    return pairs.take(columns, 0).take(columns, 1)
