"""The best mixture of pruned trees: a partition that needs no integer program.

Any pruning of a tree partitions the samples. Where two trees have nodes with the same samples, the subtree of one can
replace the subtree of the other. So all nodes with the same samples form one set, and each way in which a tree splits
the set is an alternative. The best partition of a set, for each number of rules, follows from those of smaller sets
by dynamic programming.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.candidates.coverage import Coverage

#: ``table[m - 1]`` is the best score of a set partitioned by m rules; without a budget there is a single entry.
Table = FloatArray


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
        self._tables: dict[int, Table] = {}
        self._tops: list[tuple[Table, tuple[int, ...]]] = []
        tops, self._ways = _ways(coverage, best_twin)
        names = np.unique(best_twin)
        # Smaller sets first. A rule and the only rule below it cover the same samples: the one below comes first.
        width = coverage.last[names] - coverage.first[names]
        for i, name in enumerate(names[np.lexsort((width, coverage.counts[names]))].tolist()):
            if deadline is not None and i % 256 == 0 and time.perf_counter() > deadline:
                return
            table = scores[name : name + 1]
            for way in self._ways.get(name, ()):
                table = _better(table, self._joined(way)[-1])
            self._tables[name] = table
        self._tops = [(self._joined(top)[-1], top) for top in tops]

    def best(self, max_rules: int | None, above: float = -np.inf) -> Iterator[IntArray]:
        """Yield the best mixture for each way in which a tree splits all samples, highest score first.

        Mixtures that score no more than ``above`` are left out.
        """
        found = [(table[:max_rules], top) for table, top in self._tops]
        found = [(table, top) for table, top in found if table.max(initial=-np.inf) > above]
        for table, top in sorted(found, key=lambda pair: -pair[0].max()):
            yield np.array(self._trace(top, int(np.argmax(table))), dtype=np.int64)

    def _joined(self, way: tuple[int, ...]) -> list[Table]:
        return _join([self._tables[part] for part in way], self.max_rules)

    def _trace(self, top: tuple[int, ...], entry: int) -> list[int]:
        """Return the rules behind an entry of a table, by tracing back which alternative gave it."""
        chosen = []
        open_ways = [(top, entry)]
        while open_ways:
            way, entry = open_ways.pop()
            joined = self._joined(way)
            for k in range(len(way) - 1, -1, -1):
                mine = self._tables[way[k]]
                if k == 0 or self.max_rules is None:
                    mine_entry = entry
                else:
                    shares = [i for i in range(len(mine)) if 0 <= entry - i - 1 < len(joined[k - 1])]
                    mine_entry = max(shares, key=lambda i: mine[i] + joined[k - 1][entry - i - 1])
                    entry -= mine_entry + 1
                deeper = self._which(way[k], mine_entry)
                if deeper is None:
                    chosen.append(way[k])
                else:
                    open_ways.append((deeper, mine_entry))
        return chosen

    def _which(self, name: int, entry: int) -> tuple[int, ...] | None:
        """Return the best way to split a set, or None if it is best covered by a single rule."""
        for way in self._ways.get(name, ()):
            table = self._joined(way)[-1]
            if entry < len(table) and table[entry] == self._tables[name][entry]:
                return way
        return None


def _ways(coverage: Coverage, best_twin: IntArray) -> tuple[list[tuple[int, ...]], dict[int, list[tuple[int, ...]]]]:
    """Return the ways in which the trees split all samples, and the ways in which they split each set."""
    parents = np.full(coverage.n_rules, -1, dtype=np.int64)
    order = np.lexsort((np.arange(coverage.n_rules), -coverage.last, coverage.first, coverage.group))
    group, first, last = (values.tolist() for values in (coverage.group, coverage.first, coverage.last))
    above: list[int] = []
    for j in order.tolist():
        while above and (group[above[-1]] != group[j] or last[above[-1]] <= first[j]):
            above.pop()
        parents[j] = above[-1] if above else -1
        above.append(j)
    # Group the rules directly below the same rule, or at the top of the same tree.
    owner = np.where(parents >= 0, parents, -1 - coverage.group)
    by_owner = np.argsort(owner, kind="stable")
    starts = np.flatnonzero(np.diff(owner[by_owner], prepend=np.iinfo(np.int64).min))
    tops: set[tuple[int, ...]] = set()
    ways: dict[int, set[tuple[int, ...]]] = {}
    for children in np.split(by_owner, starts[1:]):
        above_them = int(owner[children[0]])
        size = coverage.counts[above_them] if above_them >= 0 else coverage.n_samples
        way = tuple(sorted(best_twin[children].tolist()))
        if coverage.counts[children].sum() != size:
            continue
        if above_them < 0:
            tops.add(way)
        elif way != (best_twin[above_them],):
            ways.setdefault(int(best_twin[above_them]), set()).add(way)
    return sorted(tops), {name: sorted(found) for name, found in ways.items()}


def _join(parts: list[Table], max_rules: int | None) -> list[Table]:
    """Return the tables of the first part, of the first two combined, and so on."""
    joined = parts[:1]
    for part in parts[1:]:
        if max_rules is None:
            joined.append(joined[-1] + part)
            continue
        short, long = sorted((joined[-1], part), key=len)
        table = np.full(min(max_rules, len(short) + len(long)), -np.inf)
        for i, score in enumerate(short.tolist()):
            into = table[i + 1 : i + 1 + len(long)]
            np.maximum(into, score + long[: len(into)], out=into)
        joined.append(table)
    return joined


def _better(one: Table, other: Table) -> Table:
    short, long = sorted((one, other), key=len)
    best = long.copy()
    np.maximum(best[: len(short)], short, out=best[: len(short)])
    return best
