"""Sets of rules of which a list can have at most one, and which a fractional solution uses more than once.

Two rules that share a sample exclude each other. Where any two rules of a set do, a list has at most one of them, even
if no sample is in all of them: three rules that overlap in pairs can each have the value one half in the relaxation,
but not in a list. Such sets are found greedily among the rules with a fractional value, then enlarged by any other rule
that excludes all of theirs, which makes the row stronger at no cost.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.equal_rows import unique_rows
from hedgerow.optimize.solvers.bits import among, as_integers, as_rows

_FRACTION = 1e-6
#: A set must be used this much more than once to be worth a row.
_EXCESS = 0.01
_CHUNK = 256


def conflicts(rows: sparse.csr_array) -> BoolArray:
    """Return which columns share a row: a symmetric matrix, false on its diagonal."""
    columns = np.ascontiguousarray(rows.toarray().T, dtype=np.float32)
    found = np.empty((len(columns), len(columns)), dtype=bool)
    for start in range(0, len(columns), _CHUNK):
        here, rest = slice(start, start + _CHUNK), slice(start, None)
        found[here, rest] = columns[here] @ columns[rest].T > 0.5
        found[rest, here] = found[here, rest].T
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
    mine, value = among(pairs, some), z[some]
    found = [_grown(mine, key) for key in (value, value * (mine @ value))]
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
    bits = as_integers(among(pairs, order))
    members = np.empty((len(bits), len(key)), dtype=bool)
    members[:, order] = as_rows([_with_all_that_fit(1 << k, fits, bits) for k, fits in enumerate(bits)], len(key))
    return members


def enlarged(cliques: BoolArray, pairs: BoolArray, order: IntArray) -> BoolArray:
    """Add to each set every column that excludes all of its columns, in the given order; other columns stay out."""
    fits = np.array([pairs[clique].all(axis=0) for clique in cliques])
    order = order[fits[:, order].any(axis=0)]  # mostly a small part of all columns
    bits = as_integers(among(pairs, order))
    found = [_with_all_that_fit(0, fitting, bits) for fitting in as_integers(fits[:, order])]
    inside = cliques.copy()
    inside[:, order] |= as_rows(found, len(order))
    return unique_rows(inside)


def _with_all_that_fit(members: int, fits: int, bits: list[int]) -> int:
    """Add to a set the first column that fits, then the first that still does, and so on."""
    while fits:
        first = fits & -fits
        members |= first
        fits &= bits[first.bit_length() - 1]
    return members
