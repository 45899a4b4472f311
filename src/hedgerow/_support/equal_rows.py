"""Which rows of a matrix are equal, told by one number for each."""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, IntArray

_FACTOR, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


def first_equal(*keys: AnyArray) -> IntArray:
    """Return for each position the first at which all keys are the same as there.

    >>> first_equal(np.array([7, 5, 7, 7]), np.array([1, 1, 1, 2]))
    array([0, 1, 0, 3])
    """
    order = np.lexsort(keys) if len(keys) > 1 else np.argsort(keys[0], kind="stable")
    new = np.zeros(len(order), dtype=bool)
    new[:1] = True
    for key in keys:
        in_order = key[order]
        new[1:] |= in_order[1:] != in_order[:-1]
    found = np.empty(len(order), dtype=np.int64)
    found[order] = order[new][np.cumsum(new) - 1]
    return found


def first_equal_rows(rows: AnyArray) -> IntArray:
    """Return for each row of booleans or of integers the first row that is equal to it.

    >>> first_equal_rows(np.array([[True, False], [True, True], [True, False]]))
    array([0, 1, 0])
    """
    words = _words(rows)
    mixed = words ^ (words >> _SHIFT)
    # Numbers modulo 2**64; different rows rarely have equal ones, and then the rows themselves tell.
    factors = np.multiply.accumulate(np.full(words.shape[1], _FACTOR))
    first = first_equal(mixed @ factors)
    different = _different(words, first)
    while len(different):
        first[different] = different[first_equal(first[different])]
        different = _different(words, first)
    return first


def first_of_each(rows: AnyArray) -> IntArray:
    """Return where each different row of booleans or of integers appears first, in increasing order."""
    first = first_equal_rows(rows)
    return np.flatnonzero(first == np.arange(len(first)))


def unique_rows(rows: BoolArray) -> BoolArray:
    """Return the different rows, in the order in which they first appear."""
    return rows[first_of_each(rows)]


def _different(words: AnyArray, first: IntArray) -> IntArray:
    """Return the rows that differ from the one that is said to be equal."""
    later = np.flatnonzero(first != np.arange(len(first)))
    return later[(words[later] != words[first[later]]).any(axis=1)]


def _words(rows: AnyArray) -> AnyArray:
    """Return each row as integers of 64 bits."""
    packed = np.packbits(rows, axis=1) if rows.dtype == np.bool_ else np.ascontiguousarray(rows).view(np.uint8)
    n_words = max(1, -(-packed.shape[1] // 8))
    words = np.zeros((len(rows), n_words), dtype=np.uint64)
    words.view(np.uint8)[:, : packed.shape[1]] = packed
    return words
