"""Who satisfies what: samples times rules, without ever writing that matrix.

Each sample ends in one end of each tree, and the ends below any node are
neighbours when counted from left to right. So the number of a sample's end in
each tree, one or two bytes, says for every rule whether it holds: its end must
lie between the rule's first and last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.pool import RulePool


@dataclass(frozen=True, eq=False)
class Coverage:
    """Which sample satisfies which rule.

    Attributes
    ----------
    ranks : unsigned int array of shape (n_samples, n_groups)
        The number of each sample's end in each group; a group is a tree.
    group : int array of shape (n_rules,)
        The group that each rule looks at.
    first, last : int arrays of shape (n_rules,)
        A sample satisfies the rule if ``first <= rank < last``.
    """

    ranks: NDArray[np.unsignedinteger[Any]]
    group: IntArray
    first: IntArray
    last: IntArray

    @classmethod
    def from_matrix(cls, matrix: Any) -> Coverage:
        """Make a coverage of a 0/1 matrix, samples times rules.

        Each rule becomes a group of its own, a byte a sample: for matrices
        that a person writes down, not for those of a forest.

        >>> Coverage.from_matrix([[1, 0], [1, 1]]).counts
        array([2, 1])
        """
        dense = np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix)
        if dense.ndim != 2:
            raise ValueError(f"A coverage matrix has two dimensions, samples and rules; this one has {dense.ndim}.")
        n_rules = dense.shape[1]
        ranks = np.asfortranarray(dense != 0).view(np.uint8)
        return cls(ranks, np.arange(n_rules), np.full(n_rules, 1), np.full(n_rules, 2))

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.ranks)

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.group)

    @cached_property
    def counts(self) -> IntArray:
        """How many samples satisfy each rule."""
        return self.sums().astype(np.int64)

    @cached_property
    def n_ranks(self) -> IntArray:
        """How many ends each group has."""
        n_ranks = np.ones(self.ranks.shape[1], dtype=np.int64)
        if self.n_samples:
            n_ranks = self.ranks.max(axis=0).astype(np.int64) + 1
        np.maximum.at(n_ranks, self.group, self.last)
        return n_ranks

    @cached_property
    def empty_ranks(self) -> list[BoolArray]:
        """For each group, which of its ends no sample reaches."""
        return [np.bincount(self.ranks[:, k], minlength=n) == 0 for k, n in enumerate(self.n_ranks)]

    def sums(self, weight: FloatArray | None = None, codes: IntArray | None = None, n_codes: int = 1) -> FloatArray:
        """Sum a number a sample over the samples of each rule.

        With ``codes``, one sum for each code: an array of shape (n_rules, n_codes).
        """
        n_ranks = self.n_ranks
        starts = np.concatenate([[0], np.cumsum(n_ranks)])
        # One zero more at the end, so that every range has an end inside the array.
        totals = np.zeros((starts[-1] + 1, n_codes))
        for k in np.unique(self.group):
            keys = self.ranks[:, k] if codes is None else self.ranks[:, k].astype(np.intp) * n_codes + codes
            found = np.bincount(keys, weight, minlength=n_ranks[k] * n_codes)
            totals[starts[k] : starts[k + 1]] = found.reshape(-1, n_codes)
        bounds = np.column_stack([starts[self.group] + self.first, starts[self.group] + self.last]).ravel()
        sums: FloatArray = np.add.reduceat(totals, bounds, axis=0)[::2] if len(bounds) else totals[:0]
        return sums[:, 0] if codes is None else sums

    def members(self, j: int) -> IntArray:
        """Return the samples that satisfy the j-th rule."""
        rank = self.ranks[:, self.group[j]]
        return np.flatnonzero((rank >= self.first[j]) & (rank < self.last[j]))

    def rows(self, samples: IntArray) -> sparse.csr_array:
        """Return the matrix of some samples and all rules."""
        parts = [sparse.csr_array((0, self.n_rules))]
        for start in range(0, len(samples), 256):
            ranks = self.ranks[samples[start : start + 256]][:, self.group]
            parts.append(sparse.csr_array(((ranks >= self.first) & (ranks < self.last)).astype(np.float64)))
        return sparse.vstack(parts, format="csr")

    def dot(self, z: FloatArray) -> FloatArray:
        """Return how much of ``z`` each sample has: the matrix times a vector that is mostly zero."""
        total = np.zeros(self.n_samples)
        used = np.flatnonzero(z)
        for k in np.unique(self.group[used]):
            mine = used[self.group[used] == k]
            step = np.zeros(self.n_ranks[k] + 1)
            np.add.at(step, self.first[mine], z[mine])
            np.subtract.at(step, self.last[mine], z[mine])
            total += np.cumsum(step).take(self.ranks[:, k])
        return total

    def counts_of(self, rules: IntArray) -> IntArray:
        """Return in how many of these rules each sample is, counted in whole numbers."""
        total = np.zeros(self.n_samples, dtype=np.int64)
        for j in rules:
            total[self.members(j)] += 1
        return total

    def twins(self) -> IntArray:
        """Number the rules so that two have the same number just if they cover the same samples.

        Random numbers, one a sample and whole, are summed over each rule; equal sums
        are then compared sample by sample.
        """
        bits = 52 - max(1, self.n_samples).bit_length()  # so that float sums stay exact
        rng = np.random.default_rng(0)
        keys = [self.sums(rng.integers(1, 2**bits, self.n_samples).astype(np.float64)) for _ in range(2)]
        keys.append(self.counts.astype(np.float64))
        _, first, number = np.unique(np.column_stack(keys), axis=0, return_index=True, return_inverse=True)
        number = number.ravel()
        next_number = len(first)
        for j in np.flatnonzero(first[number] != np.arange(self.n_rules)):
            if not self._same(int(first[number[j]]), int(j)):
                number[j], next_number = next_number, next_number + 1
        return number

    def _same(self, i: int, j: int) -> bool:
        return bool(np.array_equal(self.members(i), self.members(j)))

    def subset(self, rules: IntArray) -> Coverage:
        """Return the coverage of these rules only."""
        return replace(self, group=self.group[rules], first=self.first[rules], last=self.last[rules])

    def matrix(self) -> sparse.csc_array:
        """Return the whole matrix, samples times rules, for solvers that need it."""
        members = [self.members(j) for j in range(self.n_rules)]
        starts = np.concatenate([[0], np.cumsum([len(m) for m in members])])
        entries = np.concatenate([*members, np.empty(0, dtype=np.int64)])
        return sparse.csc_array((np.ones(len(entries)), entries, starts), shape=(self.n_samples, self.n_rules))


def cover(pool: RulePool, values: FloatArray, n_jobs: int | None = None) -> Coverage:
    """Find out which sample satisfies which rule of the pool.

    ``values`` is what ``forest.inputs.matrix(X)`` returns.
    """
    forest = pool.forest
    sizes = [tree.n_nodes for tree in forest.trees]
    rank_of = np.split(pool.end_rank, np.cumsum(sizes)[:-1])
    reached = forest.route(values, ends=[rank >= 0 for rank in rank_of], n_jobs=n_jobs)
    dtype = np.min_scalar_type(max(int(pool.end_rank.max()), 0))
    ranks = np.empty(reached.shape, dtype=dtype, order="F")
    for k, rank in enumerate(rank_of):
        ranks[:, k] = rank.astype(dtype).take(reached[:, k])
    return Coverage(ranks, pool.tree, pool.first, pool.last)
