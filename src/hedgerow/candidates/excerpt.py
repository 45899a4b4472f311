"""A few of the rows, with which the integer program begins; the others are asked only whether a list holds for them.

An excerpt of many rows consists of the distinct ones with the lowest hashes, which is a random sample, and of the first
row that reaches each end, so that no rule is without a row. It does not depend on how the rows are cut into chunks, nor
on their order, but for the first rows. So data in memory, from files and on several machines have the same excerpt.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, IntArray, RankArray
from hedgerow.candidates.coverage import Coverage, Ends

#: Up to so many rows, all are kept, in their order. Of more, so many are drawn.
MOST_ROWS = 20_000
#: So many rows that contradict a list are added to an excerpt.
MORE_ROWS = 2000
#: Rows of an array in memory are added so many at a time.
_BLOCK = 1 << 17
#: So many rows usually contain most of a chunk's ends.
_GLANCE = 1 << 12
_HIGHEST = (1 << 64) - 1
#: Rows are hashed so many at a time, which fit in the processor's cache.
_HASHED = 1 << 14


class LowestHashes:
    """The distinct rows with the lowest hashes.

    Parameters
    ----------
    limit : int
        How many.
    highest : int
        Rows with higher hashes are not wanted.
    """

    def __init__(self, limit: int, highest: int = _HIGHEST) -> None:
        self.limit, self.highest = limit, highest
        self.hashes: AnyArray = np.empty(0, dtype=np.uint64)
        self.ranks: RankArray | None = None

    def empty(self) -> LowestHashes:
        """Return a sample of no rows, which takes only those that this one may still take."""
        return LowestHashes(self.limit, self._highest_wanted())

    def _highest_wanted(self) -> int:
        hashes = self.hashes  # read once: rows may be added meanwhile
        return int(hashes[-1]) if len(hashes) == self.limit else self.highest

    def add(self, ranks: RankArray) -> None:
        """Add the ends that rows reach."""
        hashes = row_hashes(ranks)
        low = np.flatnonzero(hashes <= self._highest_wanted())
        if len(low) > self.limit:  # only rows that may be among the lowest are copied
            low = low[hashes[low] <= _nth_lowest(hashes[low], self.limit)]
        self._take(hashes[low], ranks[low])

    def merge(self, other: LowestHashes) -> None:
        """Add the rows of another sample."""
        if other.ranks is not None:
            self._take(other.hashes, other.ranks)

    def _take(self, hashes: AnyArray, ranks: RankArray) -> None:
        if len(self.hashes) == self.limit:
            low = np.flatnonzero(hashes < self.hashes[-1])
            hashes, ranks = hashes[low], ranks[low]
        together = np.concatenate([self.hashes, hashes])
        distinct, first = np.unique(together, return_index=True)
        distinct, first = distinct[: self.limit], first[: self.limit]
        old = first < len(self.hashes)
        chosen = np.empty((len(first), ranks.shape[1]), dtype=ranks.dtype)
        if self.ranks is not None:
            chosen[old] = self.ranks[first[old]]
        chosen[~old] = ranks[first[~old] - len(self.hashes)]
        self.hashes, self.ranks = distinct, chosen


class FirstRows:
    """The first row that reaches each end.

    Parameters
    ----------
    n_ranks : int array
        The number of ends of each tree.
    known : bool array, optional
        The ends of which rows are at hand already.
    """

    def __init__(self, n_ranks: IntArray, known: BoolArray | None = None) -> None:
        self.n_ranks = n_ranks
        self.starts = np.concatenate([[0], np.cumsum(n_ranks)])
        #: Ends of which no row is wanted.
        self.known = np.zeros(self.starts[-1], dtype=bool) if known is None else known
        #: For each end, the place of its row; -1 if no row has reached it.
        self.place: IntArray = np.full(self.starts[-1], -1)
        self.ranks: RankArray | None = None

    def empty(self) -> FirstRows:
        """Return the same before any rows, which looks only for ends that no row of this one reaches."""
        return FirstRows(self.n_ranks, self.known | (self.place >= 0))

    def add(self, ranks: RankArray, reached: BoolArray) -> None:
        """Add rows; ``reached`` tells which ends they reach."""
        reached = reached & ~self.known & (self.place < 0)
        if not reached.any():
            return
        first: IntArray = np.full(len(self.place), -1)
        some = ranks[:_GLANCE]
        for k in range(ranks.shape[1]):
            here = first[self.starts[k] : self.starts[k + 1]]
            here[some[::-1, k]] = np.arange(len(some))[::-1]  # of equals, the last one written stays
        for end in np.flatnonzero(reached & (first < 0)):
            k = int(np.searchsorted(self.starts, end, side="right")) - 1
            first[end] = np.argmax(ranks[:, k] == end - self.starts[k])
        self._take(first, ranks)

    def merge(self, other: FirstRows) -> None:
        """Add the rows of another part of the data, which comes after this one."""
        if other.ranks is not None:
            self._take(other.place, other.ranks)

    def _take(self, place: IntArray, ranks: RankArray) -> None:
        new = np.flatnonzero((self.place < 0) & (place >= 0) & ~self.known)
        rows, among = np.unique(place[new], return_inverse=True)
        if self.ranks is None:
            self.ranks = np.empty((0, ranks.shape[1]), dtype=ranks.dtype)
        self.place[new] = len(self.ranks) + among
        self.ranks = np.concatenate([self.ranks, ranks[rows]])


class Excerpt:
    """The rows with which the integer program begins.

    Parameters
    ----------
    n_ranks : int array
        The number of ends of each tree.
    limit : int, optional
        Up to so many rows are all kept.
    """

    def __init__(self, n_ranks: Any, limit: int | None = None) -> None:
        self.n_ranks, self.limit = np.asarray(n_ranks), MOST_ROWS if limit is None else limit
        self.n_rows = 0
        self.kept: list[RankArray] | None = []
        self.drawn, self.firsts = LowestHashes(self.limit), FirstRows(self.n_ranks)

    def empty(self) -> Excerpt:
        """Return an excerpt of no rows, which keeps only what this one may still take from it."""
        other = Excerpt(self.n_ranks, self.limit)
        other.drawn, other.firsts = self.drawn.empty(), self.firsts.empty()
        return other

    @property
    def is_whole(self) -> bool:
        """Whether all rows are in it."""
        return self.kept is not None

    def add(self, ranks: RankArray, reached: BoolArray) -> None:
        """Add rows; ``reached`` tells which ends they reach."""
        self._keep([ranks], len(ranks))
        self.drawn.add(ranks)
        self.firsts.add(ranks, reached)

    def merge(self, other: Excerpt) -> None:
        """Add the rows of another part of the data, which comes after this one."""
        self._keep(other.kept, other.n_rows)
        self.drawn.merge(other.drawn)
        self.firsts.merge(other.firsts)

    def _keep(self, parts: list[RankArray] | None, n_rows: int) -> None:
        self.n_rows += n_rows
        if self.kept is None or parts is None or self.n_rows > self.limit:
            self.kept = None
        else:
            self.kept = [*self.kept, *parts]

    def ranks(self) -> RankArray:
        """Return the ends that the rows of the excerpt reach."""
        if self.kept is not None:
            return np.asfortranarray(np.concatenate(self.kept))
        found = LowestHashes(self.limit + len(self.firsts.place))
        found.merge(self.drawn)
        assert self.firsts.ranks is not None
        found.add(self.firsts.ranks)
        return np.asfortranarray(found.ranks)


def reduced(coverage: Coverage) -> Coverage:
    """Return the coverage of an excerpt of the samples, if they are many; the others are asked about later."""
    ends = coverage.ends
    if ends.rest is not None or coverage.n_samples <= MOST_ROWS:
        return coverage
    return Coverage(_reduced_ends(ends), coverage.group, coverage.first, coverage.last)


def _reduced_ends(ends: Ends) -> Ends:
    if ends.excerpt is None:
        excerpt = Excerpt(ends.n_ranks)
        for start in range(0, len(ends.ranks), _BLOCK):
            part = Ends(ends.ranks[start : start + _BLOCK], ends.n_ranks)
            excerpt.add(part.ranks, part.counts > 0)
        vars(ends)["excerpt"] = Ends(excerpt.ranks(), ends.n_ranks, RowsInMemory(ends))
    assert ends.excerpt is not None
    return ends.excerpt


class RowsInMemory:
    """All samples of which some are in an excerpt.

    Parameters
    ----------
    ends : Ends
        Of all samples.
    """

    def __init__(self, ends: Ends) -> None:
        self._ends, self.n_rows = ends, len(ends.ranks)

    def ends(self) -> Ends:
        """Return the ends of all samples."""
        return self._ends

    def against(self, rules: Coverage) -> RankArray:
        """Return the ends of some samples that do not satisfy exactly one of these rules."""
        found = LowestHashes(MORE_ROWS)
        counts = Coverage(self._ends, rules.group, rules.first, rules.last).counts_of(np.arange(rules.n_rules))
        found.add(self._ends.ranks[np.flatnonzero(counts != 1)])
        assert found.ranks is not None
        return found.ranks


def row_hashes(ranks: RankArray) -> AnyArray:
    """Return a number of 64 bits per row; equal rows have equal numbers, and others as good as never.

    It is Σ_k rank_k c_k modulo 2^64, with a random odd c_k for each tree, and then mixed.
    """
    random: Any = np.random.default_rng(0).integers(0, 1 << 63, ranks.shape[1], dtype=np.uint64)
    odd = random * np.uint64(2) + np.uint64(1)
    found = np.empty(len(ranks), dtype=np.uint64)
    for start in range(0, len(ranks), _HASHED):
        block = ranks[start : start + _HASHED]
        total = np.zeros(len(block), dtype=np.uint64)
        part = np.empty_like(total)
        for column, factor in zip(block.T, odd, strict=True):
            total += np.multiply(column, factor, out=part)
        found[start : start + _HASHED] = mixed(total)
    return found


def _nth_lowest(hashes: AnyArray, n: int) -> int:
    """Return the n-th lowest of the distinct hashes, or the highest possible one if there are fewer."""
    if len(hashes) <= n:
        return _HIGHEST
    ordered = np.sort(hashes)
    distinct = ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - np.uint64(1)))]
    return int(distinct[n - 1]) if len(distinct) >= n else _HIGHEST


def mixed(numbers: AnyArray) -> AnyArray:
    """Return numbers of 64 bits in which every bit depends on all bits of the given ones, one to one."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))
