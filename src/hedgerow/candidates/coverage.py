"""Which samples satisfy which rules, without the matrix of samples times rules.

Each sample reaches one end (leaf) of each tree. When the ends are numbered from left to right, those below any node are
consecutive. So the number of a sample's end in each tree, stored in one or two bytes, is enough: a sample satisfies a
rule if its end lies in the rule's range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray, RankArray, ValueArray
from hedgerow._support.equal_rows import first_equal, first_equal_rows
from hedgerow.candidates.pool import RulePool

_BLOCK = 1 << 15
_AT_ONCE = 1 << 20
# Of so few samples, many groups are summed in one pass.
_FEW_SAMPLES = 2048
# So few entries of the matrix are written out to add them up.
_FEW_ENTRIES = 1 << 18
# So many pairs of a sample and a rule are written out to compare the rules.
_FEW_PAIRS = 1 << 22


class Rest(Protocol):
    """Samples of which only some are at hand."""

    #: How many there are in all.
    n_rows: int

    def ends(self) -> Ends:
        """Return the ends of all of them, or say why these are not at hand."""

    def against(self, rules: Coverage) -> RankArray:
        """Return the ends of some samples that do not satisfy exactly one of these rules; none if all do."""


@dataclass(frozen=True, eq=False)
class Ends:
    """The end that each sample reaches in each group; a group is a tree.

    Attributes
    ----------
    ranks : unsigned int array of shape (n_samples, n_groups), in Fortran order
        The number of each sample's end, counted from left to right.
    n_ranks : int array of shape (n_groups,)
        Number of ends of each group.
    rest : Rest or None
        The other samples, if these are only some of them.
    excerpt : Ends or None
        Some of these samples, once they have been chosen (:func:`hedgerow.candidates.excerpt.reduced`).
    """

    ranks: RankArray
    n_ranks: IntArray
    rest: Rest | None = None
    excerpt: Ends | None = field(default=None, repr=False)

    @cached_property
    def starts(self) -> IntArray:
        """The position of each group's first end among the ends of all groups."""
        return np.concatenate([[0], np.cumsum(self.n_ranks)])

    @cached_property
    def counts(self) -> IntArray:
        """Number of samples that reach each end, one group after the other."""
        return self.totals(range(len(self.n_ranks)), [None])[:, 0].astype(np.int64)

    def totals(
        self,
        groups: Iterable[int],
        columns: Sequence[FloatArray | None],
        codes: IntArray | None = None,
        n_codes: int = 1,
    ) -> FloatArray:
        """Sum columns over the samples that reach each end of some groups; the sums of other groups are zero.

        Returns an array of shape (n_ends, n_columns), or (n_ends, n_codes) with ``codes``, which takes a single column.
        A column of None counts the samples.
        """
        totals = np.zeros((self.starts[-1], n_codes if codes is not None else len(columns)))
        if codes is None and len(self.ranks) <= _FEW_SAMPLES:
            self._add_together(np.fromiter(groups, dtype=np.int64), columns, totals)
            return totals
        for rows in self.blocks():
            parts = [None if column is None else column[rows] for column in columns]
            for k in groups:
                n, keys = self.n_ranks[k], self.ranks[rows, k].astype(np.intp)
                here = slice(self.starts[k], self.starts[k + 1])
                if codes is not None:
                    found = np.bincount(keys * n_codes + codes[rows], parts[0], minlength=n * n_codes)
                    totals[here] += found.reshape(n, n_codes)
                else:
                    for c, part in enumerate(parts):
                        totals[here, c] += np.bincount(keys, part, minlength=n)
        return totals

    def _add_together(self, groups: IntArray, columns: Sequence[FloatArray | None], totals: FloatArray) -> None:
        """Add the sums of columns over few samples, for many groups in one pass."""
        step = max(1, _BLOCK // max(1, len(self.ranks)))
        for start in range(0, len(groups), step):
            some = groups[start : start + step]
            keys = (self.ranks.T[some] + self.starts[some, None]).ravel()
            for c, column in enumerate(columns):
                weight = None if column is None else np.tile(column, len(some))
                totals[:, c] += np.bincount(keys, weight, minlength=len(totals))

    def blocks(self) -> Iterator[slice]:
        """Yield ranges of samples short enough for their data to stay in the processor's cache."""
        for start in range(0, len(self.ranks), _BLOCK):
            yield slice(start, start + _BLOCK)


@dataclass(frozen=True, eq=False)
class Coverage:
    """Which samples satisfy which rules.

    Attributes
    ----------
    ends : Ends
        The end that each sample reaches in each group.
    group : int array of shape (n_rules,)
        The group of each rule.
    first, last : int arrays of shape (n_rules,)
        A sample satisfies the rule if its end in the rule's group is in ``range(first, last)``.
    """

    ends: Ends
    group: IntArray
    first: IntArray
    last: IntArray

    @classmethod
    def from_matrix(cls, matrix: Any) -> Coverage:
        """Make a coverage from a 0/1 matrix, samples times rules.

        Each rule becomes a group of its own, at one byte per sample. This is for small matrices, not for forests.

        >>> Coverage.from_matrix([[1, 0], [1, 1]]).counts
        array([2, 1])
        """
        dense = np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix)
        if dense.ndim != 2:
            raise ValueError(f"A coverage matrix must have two dimensions, samples and rules; got {dense.ndim}.")
        n_rules = dense.shape[1]
        ranks = np.asfortranarray(dense != 0).view(np.uint8)
        ends = Ends(ranks, np.full(n_rules, 2))
        return cls(ends, np.arange(n_rules), np.full(n_rules, 1), np.full(n_rules, 2))

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.ends.ranks)

    @property
    def n_rows(self) -> int:
        """Number of samples, with those that are not at hand."""
        return self.n_samples if self.ends.rest is None else self.ends.rest.n_rows

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.group)

    @cached_property
    def counts(self) -> IntArray:
        """Number of samples that satisfy each rule."""
        return self._over_ranges(self.ends.counts[:, None])[:, 0]

    def sums(self, weight: FloatArray | None = None, codes: IntArray | None = None, n_codes: int = 1) -> FloatArray:
        """Sum one weight per sample over the samples of each rule.

        With ``codes``, there is one sum for each code: an array of shape (n_rules, n_codes).
        """
        sums = self._over_ranges(self.ends.totals(self._groups, [weight], codes, n_codes))
        return sums[:, 0] if codes is None else sums

    def quick_sums(self, weight: FloatArray) -> FloatArray:
        """Sum one weight per sample over the samples of each rule, in half the time of :meth:`sums`.

        The sums are differences of running sums over all groups, and have their rounding errors.
        """
        running = np.zeros(self.ends.starts[-1] + 1)
        np.cumsum(self.ends.totals(self._groups, [weight])[:, 0], out=running[1:])
        first, last = self._range
        sums: FloatArray = running.take(last)
        sums -= running.take(first)
        return sums

    @cached_property
    def _groups(self) -> IntArray:
        """The groups that have rules."""
        return np.unique(self.group)

    @cached_property
    def _range(self) -> tuple[IntArray, IntArray]:
        """The range of each rule among the ends of all groups."""
        starts = self.ends.starts[self.group]
        return starts + self.first, starts + self.last

    def many_sums(self, columns: Sequence[FloatArray]) -> FloatArray:
        """Sum several columns over the samples of each rule: shape (n_rules, n_columns)."""
        return self._over_ranges(self.ends.totals(self._groups, columns))

    def everything(self) -> Coverage:
        """Return the coverage of a single rule that every sample satisfies."""
        one = np.zeros(1, dtype=np.int64)
        return Coverage(self.ends, one, one, self.ends.n_ranks[:1].astype(np.int64))

    def _over_ranges(self, totals: AnyArray) -> AnyArray:
        """Sum the totals over the ends of each rule."""
        starts = self.ends.starts[self.group]
        if np.all(self.last - self.first == 1):
            return totals[starts + self.first]
        # One more row, so that the end of every range is a valid index.
        totals = np.concatenate([totals, np.zeros_like(totals[:1])])
        bounds = np.column_stack([starts + self.first, starts + self.last]).ravel()
        return np.add.reduceat(totals, bounds, axis=0)[::2]

    def holds(self, j: int) -> BoolArray:
        """Return a boolean mask of the samples that satisfy the j-th rule."""
        rank, first, last = self.ends.ranks[:, self.group[j]], self.first[j], self.last[j]
        if last - first == 1:
            return rank == first
        return (rank >= first) & (rank < last)

    def held(self, rules: IntArray) -> BoolArray:
        """Return which samples satisfy some rules: a row per rule."""
        return self._held(rules, slice(0, self.n_samples))

    def members(self, j: int) -> IntArray:
        """Return the indices of the samples that satisfy the j-th rule."""
        return np.flatnonzero(self.holds(j))

    def rows(self, samples: IntArray) -> sparse.csr_array:
        """Return the rows of the matrix for some samples."""
        starts, columns = [np.zeros(1, dtype=np.int64)], [np.empty(0, dtype=np.int32)]
        for start in range(0, len(samples), 256):
            some = samples[start : start + 256]
            ranks = self.ends.ranks.T[:, some][self.group]
            held = np.ascontiguousarray(_between(ranks, self.first, self.last).T)
            entries = np.flatnonzero(held)
            begin = np.arange(len(some)) * self.n_rules
            starts.append(starts[-1][-1] + np.searchsorted(entries, begin + self.n_rules))
            columns.append((entries - np.repeat(begin, np.diff(starts[-1], prepend=starts[-2][-1]))).astype(np.int32))
        entries, ends = np.concatenate(columns), np.concatenate(starts).astype(np.int32)
        return sparse.csr_array((np.ones(len(entries)), entries, ends), shape=(len(samples), self.n_rules))

    def dot(self, z: FloatArray) -> FloatArray:
        """Return the matrix times a vector that is mostly zero."""
        total = np.zeros(self.n_samples)
        used = np.flatnonzero(z)
        if len(used) * self.n_samples <= _FEW_ENTRIES:
            return z[used] @ self.held(used).astype(np.float64)
        at_rank = {}
        for k in np.unique(self.group[used]):
            mine = used[self.group[used] == k]
            step = np.zeros(self.ends.n_ranks[k] + 1)
            np.add.at(step, self.first[mine], z[mine])
            np.subtract.at(step, self.last[mine], z[mine])
            at_rank[k] = np.cumsum(step)
        for rows in self.ends.blocks():
            for k, amount in at_rank.items():
                total[rows] += amount.take(self.ends.ranks[rows, k])
        return total

    def counts_of(self, rules: IntArray) -> IntArray:
        """Return how many of these rules each sample satisfies."""
        total = np.zeros(self.n_samples, dtype=np.int64)
        for j in rules:
            total += self.holds(j)
        return total

    @cached_property
    def twins(self) -> IntArray:
        """Number the rules so that two have the same number if and only if they cover the same samples.

        The number is that of the first such rule. Only rules that cover equally many samples can be twins. Of these,
        all that cover every sample are, and all that cover none. For the others, random integers, one per sample, are
        summed, first over a part of the samples. Rules whose sums are equal as well are compared sample by sample.
        """
        if self.n_samples * self.n_rules <= _FEW_PAIRS:
            return first_equal_rows(self.held(np.arange(self.n_rules)))
        n, first = self.n_samples, first_equal(self.counts)
        suspects = np.flatnonzero((self.counts > 0) & (self.counts < n))
        bits = 52 - max(1, n).bit_length()  # so that float sums stay exact
        key = np.random.default_rng(0).integers(1, 2**bits, n).astype(np.float64)
        for size in sorted({min(_BLOCK, n), n}):
            suspects = suspects[np.bincount(first)[first[suspects]] > 1]
            sums = self.subset(suspects).of_first(size).sums(key[:size])
            first[suspects] = suspects[first_equal(first[suspects], sums)]
        suspects = suspects[first[suspects] != suspects]
        while len(suspects):  # once, unless sums of different samples are equal
            different = suspects[~self._same(suspects, first[suspects])]
            first[different] = different[first_equal(first[different])]
            suspects = different[first[different] != different]
        return first

    def _same(self, some: IntArray, others: IntArray) -> BoolArray:
        """Return whether each of some rules covers the same samples as the rule at its place among others."""
        same = np.ones(len(some), dtype=bool)
        width = max(1, _AT_ONCE // max(1, min(_BLOCK, self.n_samples)))
        for start in range(0, len(some), width):
            pairs = slice(start, start + width)
            for rows in self.ends.blocks():
                same[pairs] &= (self._held(some[pairs], rows) == self._held(others[pairs], rows)).all(axis=1)
        return same

    def _held(self, rules: IntArray, rows: slice) -> BoolArray:
        """Return which of the samples satisfy the rules: a row per rule."""
        return _between(self.ends.ranks.T[self.group[rules], rows], self.first[rules], self.last[rules])

    def subset(self, rules: IntArray) -> Coverage:
        """Return the coverage of these rules only."""
        return replace(self, group=self.group[rules], first=self.first[rules], last=self.last[rules])

    def whole(self) -> Coverage:
        """Return the coverage of all samples."""
        return self if self.ends.rest is None else replace(self, ends=self.ends.rest.ends())

    def with_samples(self, ranks: RankArray) -> Coverage:
        """Return the coverage of more samples: those that reach these ends are added."""
        more = np.asfortranarray(np.concatenate([self.ends.ranks, ranks]))
        return replace(self, ends=Ends(more, self.ends.n_ranks, self.ends.rest))

    def of_first(self, n_samples: int) -> Coverage:
        """Return the coverage of the first samples only, of all if there are fewer."""
        if n_samples >= self.n_samples:
            return self
        return replace(self, ends=Ends(self.ends.ranks[:n_samples], self.ends.n_ranks))

    def matrix(self) -> sparse.csc_array:
        """Return the full matrix, samples times rules, for solvers that need it."""
        members = [self.members(j) for j in range(self.n_rules)]
        starts = np.concatenate([[0], np.cumsum([len(m) for m in members])])
        entries = np.concatenate([*members, np.empty(0, dtype=np.int64)])
        return sparse.csc_array((np.ones(len(entries)), entries, starts), shape=(self.n_samples, self.n_rules))


def ranges(first: IntArray, last: IntArray) -> IntArray:
    """Return the integers of each ``range(first, last)``, one range after the other.

    >>> ranges(np.array([3, 7]), np.array([5, 8]))
    array([3, 4, 7])
    """
    lengths = last - first
    return np.arange(lengths.sum()) + np.repeat(last - np.cumsum(lengths), lengths)


def _between(ranks: RankArray, first: IntArray, last: IntArray) -> BoolArray:
    """Return which ranks are in ``range(first, last)``, row by row."""
    low, high = (ends.astype(ranks.dtype)[:, None] for ends in (first, last - 1))
    within: BoolArray = ranks == low if np.array_equal(first, last - 1) else (ranks >= low) & (ranks <= high)
    return within


def cover(pool: RulePool, values: ValueArray, n_jobs: int | None = None) -> Coverage:
    """Return which samples satisfy which rules of the pool; ``values`` is ``forest.inputs.matrix(X)``."""
    labels = pool.forest.by_tree(pool.end_rank)
    ranks, starts = pool.forest.route(values, labels, n_jobs), np.cumsum([0, *map(len, labels[:-1])])
    n_ranks = np.maximum.reduceat(pool.end_rank, starts) + 1
    return Coverage(Ends(ranks, n_ranks), pool.tree, pool.first, pool.last)
