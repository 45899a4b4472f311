"""The best mixture of pruned trees: a partition that needs no integer program.

Any pruning of a tree partitions the samples. Where two trees have nodes with the same samples, the subtree of one can
replace the subtree of the other. So all nodes with the same samples form one set, and each way in which a tree splits
the set is an alternative. The best partition of a set, for each number of rules, follows from those of smaller sets
by dynamic programming, for all sets of a level at once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.candidates.coverage import Coverage, ranges

#: Ways whose tables are computed at once.
_AT_ONCE = 4096


class Prunings:
    """The best mixtures for every number of rules up to the largest budget.

    Parameters
    ----------
    coverage : Coverage
    scores : float array
    best_twin : int array
        For each rule, the one with the best score that covers the same samples: it names their set.
    max_rules : int or None
        The largest budget.
    deadline : float, optional
        When to give up, in terms of ``time.perf_counter()``; there are no mixtures then.
    """

    def __init__(
        self,
        coverage: Coverage,
        scores: FloatArray,
        best_twin: IntArray,
        max_rules: int | None,
        deadline: float | None = None,
    ) -> None:
        self.max_rules = max_rules
        self._rules, set_of = np.unique(best_twin, return_inverse=True)
        ways = _ways(coverage, set_of)
        if max_rules is not None:
            ways = ways.subset(np.flatnonzero(ways.sizes <= max_rules))
        level, width = _levels_and_widths(ways, len(self._rules))
        # Sets of lower levels first, and together what splits the same set.
        by_level = np.append(level, level.max(initial=0) + 1)  # all samples last
        self._ways = ways = ways.subset(np.lexsort((ways.owner, by_level[ways.owner])))
        longest = np.add.reduceat(width[ways.parts], ways.starts).max() if len(ways.owner) else 1
        n_entries = 1 if max_rules is None else min(max_rules, int(longest))
        #: ``_tables[m - 1]``: the best scores of sets partitioned by m rules; without a budget there is a single entry.
        self._tables = np.full((n_entries, len(self._rules)), -np.inf)
        self._tables[0] = self._alone = scores[self._rules]
        self._tops = np.flatnonzero(ways.owner < 0)
        first = np.flatnonzero(np.diff(ways.owner, prepend=-2))
        ends = np.append(first, len(ways.owner))[1:]
        #: Where the ways of each set that is split begin and end.
        self._ways_of = dict(zip(ways.owner[first].tolist(), zip(first, ends, strict=True), strict=True))
        self._values = np.full((n_entries, len(self._tops)), -np.inf)
        self._fill(by_level[ways.owner], deadline)

    def _fill(self, level: IntArray, deadline: float | None) -> None:
        """Compute the tables of all sets, then those of all samples, split at the top."""
        owner, done = self._ways.owner, 0
        while done < len(owner):
            if deadline is not None and time.perf_counter() > deadline:
                return
            end = min(done + _AT_ONCE, int(np.searchsorted(level, level[done], "right")))
            tables = self._tables_of(np.arange(done, end))
            if owner[done] < 0:
                at = done - self._tops[0]
                self._values[:, at : at + end - done] = tables
            else:
                first = np.flatnonzero(np.diff(owner[done:end], prepend=-1))
                sets = owner[done:end][first]
                best = np.maximum.reduceat(tables, first, axis=1)
                self._tables[:, sets] = np.maximum(self._tables[:, sets], best)
            done = end

    def best(self, max_rules: int | None, above: float = -np.inf) -> Iterator[IntArray]:
        """Yield the best mixture for each way in which a tree splits all samples, highest score first.

        Mixtures that score no more than ``above`` are left out.
        """
        values = self._values[:max_rules]
        highest = values.max(axis=0, initial=-np.inf)
        for top in np.argsort(-highest, kind="stable"):
            if not highest[top] > above:
                return
            yield self._rules[self._trace(int(self._tops[top]), int(np.argmax(values[:, top])))]

    def _tables_of(self, ways: IntArray) -> FloatArray:
        """Return the tables of the sets, each split in one of these ways."""
        for tables in self._joined(ways):
            joined = tables
        return joined

    def _joined(self, ways: IntArray) -> Iterator[FloatArray]:
        """Yield the tables of the first parts, of the first two combined, and so on; a way has no more than its own."""
        starts, sizes = self._ways.starts[ways], self._ways.sizes[ways]
        tables = self._tables[:, self._ways.parts[starts]]
        yield tables
        for k in range(1, int(sizes.max())):
            longer = np.flatnonzero(sizes > k)
            part = self._tables[:, self._ways.parts[starts[longer] + k]]
            tables = tables.copy()
            tables[:, longer] = self._join(tables[:, longer], part)
            yield tables

    def _join(self, one: FloatArray, other: FloatArray) -> FloatArray:
        """Return the tables of two sets together, for many pairs of sets."""
        with np.errstate(over="ignore"):
            if self.max_rules is None:
                return one + other
            short, long = sorted((one, other), key=_width)
            table, width = np.full_like(one, -np.inf), _width(long)
            for i in range(min(_width(short), len(table) - 1)):
                into = table[i + 1 : i + 1 + width]
                np.maximum(into, short[i] + long[: len(into)], out=into)
        return table

    def _trace(self, top: int, entry: int) -> IntArray:
        """Return the sets behind an entry of a table, by tracing back which alternative gave it."""
        chosen = []
        open_ways = [(top, entry)]
        while open_ways:
            way, entry = open_ways.pop()
            for name, mine in self._shares(way, entry):
                deeper = self._which(name, mine)
                if deeper is None:
                    chosen.append(name)
                else:
                    open_ways.append((deeper, mine))
        return np.array(chosen, dtype=np.int64)

    def _shares(self, way: int, entry: int) -> Iterator[tuple[int, int]]:
        """Yield the parts of a way, and which entry of each part's table is behind an entry of the way's."""
        joined = [tables[:, 0] for tables in self._joined(np.array([way]))]
        for k in range(len(joined) - 1, -1, -1):
            name, mine = int(self._ways.parts[self._ways.starts[way] + k]), entry
            if k and self.max_rules is not None:
                mine = int(np.argmax(self._tables[:entry, name] + joined[k - 1][:entry][::-1]))
                entry -= mine + 1
            yield name, mine

    def _which(self, name: int, entry: int) -> int | None:
        """Return the best way to split a set, or None if it is best covered by a single rule."""
        if name not in self._ways_of or self._tables[entry, name] == -np.inf:
            return None
        ways = np.arange(*self._ways_of[name])
        found = self._tables_of(ways)[entry]
        return None if entry == 0 and found.max() <= self._alone[name] else int(ways[np.argmax(found)])


@dataclass(frozen=True, eq=False)
class _Ways:
    """Ways to split sets into parts.

    Attributes
    ----------
    owner : int array of shape (n_ways,)
        The set that is split, or -1 for all samples.
    parts : int array
        The parts of all ways, one way after the other.
    starts, sizes : int arrays of shape (n_ways,)
        Where the parts of each way begin, and how many there are.
    """

    owner: IntArray
    parts: IntArray
    starts: IntArray
    sizes: IntArray

    def subset(self, ways: IntArray) -> _Ways:
        """Return some of the ways, in this order."""
        starts, sizes = self.starts[ways], self.sizes[ways]
        return _Ways(self.owner[ways], self.parts[ranges(starts, starts + sizes)], np.cumsum(sizes) - sizes, sizes)


def _ways(coverage: Coverage, set_of: IntArray) -> _Ways:
    """Return the ways in which the trees split all samples and the sets, each once."""
    parents = _parents(coverage)
    # Group the rules directly below the same rule, or at the top of the same tree.
    family = np.where(parents >= 0, parents, -1 - coverage.group)
    members = np.argsort(family, kind="stable")
    starts = np.flatnonzero(np.diff(family[members], prepend=np.iinfo(np.int64).min))
    above = parents[members[starts]]
    owner = np.where(above >= 0, set_of[above], -1)
    ways = _Ways(owner, set_of[members], starts, np.diff(np.append(starts, len(members))))
    whole = np.where(above >= 0, coverage.counts[above], coverage.n_samples)
    splits = np.add.reduceat(coverage.counts[members], starts) == whole
    splits &= (ways.sizes > 1) | (ways.parts[starts] != owner)  # not a rule with the same samples
    # The same way has the same sum of random numbers; that others do as well is out of reach.
    keys = np.random.default_rng(0).integers(0, 2**64, int(set_of.max(initial=0)) + 2, dtype=np.uint64)
    sums = np.add.reduceat(keys[ways.parts], starts) * np.uint64(3) + keys[owner]
    splits = np.flatnonzero(splits)
    return ways.subset(splits[np.unique(sums[splits], return_index=True)[1]])


def _parents(coverage: Coverage) -> IntArray:
    """Return the rule directly above each rule, or -1 at the top of a tree."""
    group, first, last = coverage.group, coverage.first, coverage.last
    order = np.lexsort((-last, first, group))
    offset = coverage.ends.starts[group[order]]
    begin, end = first[order] + offset, last[order] + offset
    # The rule above is the nearest before it that does not end before it begins. What a rule steps over to get there,
    # later ones that begin after it step over, too.
    above = np.arange(-1, len(order) - 1)
    above[1:][np.maximum.accumulate(end)[:-1] <= begin[1:]] = -1  # all before it end before it begins
    while True:
        wrong = np.flatnonzero((above >= 0) & (end[above] <= begin))
        if not len(wrong):
            break
        above[wrong] = above[above[wrong]]
    parents = np.empty(len(order), dtype=np.int64)
    parents[order] = np.where(above >= 0, order[above], -1)
    return parents


def _levels_and_widths(ways: _Ways, n_sets: int) -> tuple[IntArray, IntArray]:
    """Return how often each set can be split, one part after another, and the most rules that it can be split into."""
    level, width = np.zeros(n_sets, dtype=np.int64), np.ones(n_sets, dtype=np.int64)
    ways = ways.subset(np.flatnonzero(ways.owner >= 0))
    while len(ways.owner):
        deeper, wider = level.copy(), width.copy()
        np.maximum.at(deeper, ways.owner, np.maximum.reduceat(level[ways.parts], ways.starts) + 1)
        np.maximum.at(wider, ways.owner, np.add.reduceat(width[ways.parts], ways.starts))
        if np.array_equal(deeper, level) and np.array_equal(wider, width):
            break
        level, width = deeper, wider
    return level, width


def _width(tables: FloatArray) -> int:
    """Return up to which entry some table has a score."""
    return int(np.flatnonzero(tables.max(axis=1) > -np.inf)[-1:].sum()) + 1
