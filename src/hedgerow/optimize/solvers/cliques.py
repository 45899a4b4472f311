"""Sets of rules of which a list can have at most one, and which a fractional solution uses more than once.

Two rules that share a sample exclude each other. Where any two rules of a set do, a list has at most one of them, even
if no sample is in all of them: three rules that overlap in pairs can each have the value one half in the relaxation,
but not in a list. Such sets are found greedily among the rules with a fractional value, then enlarged by any other rule
that excludes all of theirs, which makes the row stronger at no cost.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray

_FRACTION = 1e-6
#: A set must be used this much more than once to be worth a row.
_EXCESS = 0.01
_CHUNK = 1024


def conflicts(rows: sparse.csr_array) -> BoolArray:
    """Return which columns share a row: a symmetric matrix, false on its diagonal."""
    columns = np.ascontiguousarray(rows.toarray().T, dtype=np.float32)
    found = np.empty((len(columns), len(columns)), dtype=bool)
    for start in range(0, len(columns), _CHUNK):
        found[start : start + _CHUNK] = columns[start : start + _CHUNK] @ columns.T > 0.5
    np.fill_diagonal(found, val=False)
    return found


def violated_cliques(pairs: BoolArray, z: FloatArray, most: int) -> BoolArray:
    """Return sets of columns that exclude each other and have a total value above 1, the most violated first.

    Parameters
    ----------
    pairs : bool array of shape (n_columns, n_columns)
        Which columns exclude each other.
    z : float array of shape (n_columns,)
        A fractional solution.
    most : int
        The largest number of sets.

    Returns
    -------
    bool array of shape (n_sets, n_columns)
    """
    some = np.flatnonzero((z > _FRACTION) & (z < 1 - _FRACTION))
    among, value = pairs[np.ix_(some, some)], z[some]
    found = [_grown(among, key) for key in (value, value * (among @ value))]
    members = unique_rows(np.concatenate(found))
    total = members @ value
    order = np.lexsort((np.arange(len(total)), -total))
    order = order[total[order] > 1 + _EXCESS][:most]
    # Of two sets with the same rules but a few, one is enough; enlarged, they are often the same.
    cliques = np.zeros((len(order), len(z)), dtype=bool)
    cliques[:, some] = members[order]
    return cliques


def _grown(pairs: BoolArray, key: FloatArray) -> BoolArray:
    """Return for each column a set that contains it: columns are added in the order of the key, as long as they fit."""
    order = np.argsort(-key, kind="stable")
    pairs = pairs[np.ix_(order, order)]
    members, candidates = np.eye(len(key), dtype=bool), pairs.copy()
    growing = np.arange(len(key))
    while len(growing):
        following = candidates[growing].argmax(axis=1)
        found = candidates[growing, following]
        growing, following = growing[found], following[found]
        members[growing, following] = True
        candidates[growing] &= pairs[following]
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return members[:, back]


def enlarged(cliques: BoolArray, pairs: BoolArray, order: IntArray) -> BoolArray:
    """Add to each set every column that excludes all of its columns, in the given order; other columns stay out."""
    bits = _packed(pairs[np.ix_(order, order)])
    members = cliques[:, order]
    candidates = np.empty((len(cliques), bits.shape[1]), dtype=np.uint64)
    for i, clique in enumerate(members):
        candidates[i] = np.bitwise_and.reduce(bits[clique], axis=0)
    inside = cliques.copy()
    # Column by column, so that each is looked at once, for all sets together.
    word, bit = np.divmod(np.arange(len(order)), 64)
    mask = np.left_shift(np.uint64(1), bit.astype(np.uint64))
    wanted = np.unpackbits(np.bitwise_or.reduce(candidates, axis=0).view(np.uint8), bitorder="little")
    for k in np.flatnonzero(wanted[: len(order)]):
        fits = np.flatnonzero(candidates[:, word[k]] & mask[k])
        if len(fits):
            inside[fits, order[k]] = True
            candidates[fits] &= bits[k]
    return unique_rows(inside)


def _packed(pairs: BoolArray) -> AnyArray:
    """Return rows of booleans as rows of 64-bit words."""
    n_bytes = 8 * -(-pairs.shape[1] // 64)
    bits = np.zeros((len(pairs), n_bytes), dtype=np.uint8)
    packed = np.packbits(pairs, axis=1, bitorder="little")
    bits[:, : packed.shape[1]] = packed
    return bits.view(np.uint64)


def unique_rows(rows: BoolArray) -> BoolArray:
    """Return the different rows, in the order in which they first appear."""
    return rows[first_of_each(rows)]


def first_of_each(rows: BoolArray) -> IntArray:
    """Return where each different row appears first, in increasing order."""
    if not rows.size:
        return np.arange(min(1, len(rows)))
    packed = np.ascontiguousarray(np.packbits(rows, axis=1))
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    return np.sort(np.unique(keys, return_index=True)[1])
