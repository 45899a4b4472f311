"""The first rules of all lists, each set of them once.

A list has exactly one rule for each sample. So to continue a list, take a sample that it does not cover yet, and try
every rule that covers this sample and none that is covered already. The fewer such rules, the fewer lists: each
beginning takes its own sample, the one with the fewest of them. A beginning ends if there is a sample with none.

Which rules are disjoint is told by some hundred samples, the witnesses. That rules share no witness is a necessary
condition for a list with both; whoever completes a list checks all samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.optimize.solvers.fingerprints import KeyArray, check_clock, fingerprints

# Beginnings kept at once, at about 60 bytes each.
_MOST_BEGINNINGS = 2_000_000
# Samples that tell which rules are disjoint, and of these the ones to branch on.
_WITNESSES, _BRANCHED = 512, 128
# Entries of the matrices that are computed at once, and of the one that is kept.
_BLOCK, _MOST_DISJOINT = 2_000_000, 150_000_000
# To find out whether two rules are disjoint takes about as long as to look at so many pairs.
_COMPARED = 2


@dataclass(frozen=True, eq=False)
class Beginnings:
    """The first rules of lists.

    Attributes
    ----------
    rules : int array of shape (n_beginnings, n_rules)
    left : array of shape (n_beginnings,)
        The fingerprint of the samples that they leave.
    counts, scores, regrets : arrays of shape (n_beginnings,)
        The sums over their rules.
    """

    rules: IntArray
    left: KeyArray
    counts: IntArray
    scores: FloatArray
    regrets: FloatArray

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def n_rules(self) -> int:
        """Number of rules of each."""
        return int(self.rules.shape[1])

    def subset(self, rows: IntArray) -> Beginnings:
        """Return some of them."""
        return Beginnings(self.rules[rows], self.left[rows], self.counts[rows], self.scores[rows], self.regrets[rows])


class Nursery:
    """Grows beginnings, rule by rule.

    Parameters
    ----------
    coverage : Coverage
    scores : float array of shape (n_rules,)
    regrets : float array of shape (n_rules,)
        What a list loses by a rule, at least; none is negative.
    deadline : float, optional
    """

    def __init__(
        self, coverage: Coverage, scores: FloatArray, regrets: FloatArray, deadline: float | None = None
    ) -> None:
        self.scores, self.regrets, self.deadline = scores, regrets, deadline
        self.least_regret = regrets.min()
        self.n_samples, self.counts = coverage.n_samples, coverage.counts
        self.keys, self.total = fingerprints(coverage)
        amounts = coverage.dot(np.ones(coverage.n_rules))
        witnesses = _rare_and_drawn(amounts)
        covered = coverage.rows(witnesses).toarray() > 0
        self._covers = np.ascontiguousarray(covered.T, dtype=np.float32)
        self._covered = np.concatenate([covered, np.ones((1, coverage.n_rules), dtype=bool)])
        self._disjoint = np.empty((0, coverage.n_rules), dtype=bool)
        self._row_of = np.full(coverage.n_rules, -1)
        self._start = 0

    def none(self) -> Beginnings:
        """Return the beginning without rules."""
        rules, zero = np.empty((1, 0), dtype=np.int64), np.zeros(1)
        return Beginnings(rules, np.array([self.total]), np.zeros(1, dtype=np.int64), zero, zero)

    def later_rules(self) -> IntArray:
        """Return the rules that do not cover the sample of the first rules, so come later in a list, if at all."""
        return np.flatnonzero(~self._covered[self._start])

    def effort(self, begun: Beginnings) -> int:
        """Return how many pairs of a beginning and a rule it takes to grow these beginnings."""
        n_rules = len(self.counts)
        n_new = int(np.count_nonzero(self._row_of[np.unique(begun.rules)] < 0))
        if begun.n_rules < 2:
            n_pairs = len(begun) * n_rules
        else:
            n_pairs = int(self._disjoint.sum(axis=1)[self._row_of[begun.rules[:, 0]]].sum())
        return int(n_pairs + _COMPARED * n_new * n_rules)

    def grow(self, begun: Beginnings, n_more: int, slack: float = np.inf) -> Beginnings | None:
        """Add one rule to each beginning, in all ways in which at most ``n_more`` rules can follow.

        The regrets add up to at most ``slack``. Return None if there are too many ways.
        """
        if not self._compare(np.unique(begun.rules)):
            return None
        rows, rules, n_found = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)], 0
        for block, some in self._blocks(begun):
            check_clock(self.deadline)
            row, rule = self._next_rules(begun, block, some, n_more, slack)
            rows.append(block[row])
            rules.append(some[rule])
            n_found += len(row)
            if n_found > _MOST_BEGINNINGS:
                return None
        return self._longer(begun, np.concatenate(rows), np.concatenate(rules))

    def _longer(self, begun: Beginnings, row: IntArray, rule: IntArray) -> Beginnings:
        return Beginnings(
            np.column_stack([begun.rules[row], rule]),
            begun.left[row] - self.keys[rule],
            begun.counts[row] + self.counts[rule],
            begun.scores[row] + self.scores[rule],
            begun.regrets[row] + self.regrets[rule],
        )

    def _blocks(self, begun: Beginnings) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield some of the beginnings, with the rules that may follow them: those disjoint from a common first one."""
        every = np.argsort(-self.counts, kind="stable")
        if begun.n_rules < 2:
            groups = [np.arange(len(begun))]
        else:
            groups = np.split(np.arange(len(begun)), np.flatnonzero(np.diff(begun.rules[:, 0])) + 1)
        for group in groups:
            if not len(group):
                continue
            some = every
            if begun.n_rules >= 2:
                some = every[self._disjoint[self._row_of[begun.rules[group[0], 0]]][every]]
            step = max(1, _BLOCK // max(1, len(some)))
            for start in range(0, len(group), step):
                yield group[start : start + step], some

    def _next_rules(
        self, begun: Beginnings, block: IntArray, some: IntArray, n_more: int, slack: float
    ) -> tuple[IntArray, IntArray]:
        """Return pairs of a beginning of the block and one of some rules that continues it."""
        possible = self._possible(begun, block, some, n_more, slack)
        covers = self._covers[:, :_BRANCHED]
        amount = possible.astype(np.float32) @ covers[some]
        for k in range(begun.n_rules):
            amount[covers[begun.rules[block, k]] > 0] = np.inf
        fewest = np.argmin(amount, axis=1)
        # Without a witness to branch on, any rule may come next.
        fewest[np.isinf(amount[np.arange(len(block)), fewest])] = -1
        if not begun.n_rules:
            self._start = int(fewest[0])
        possible &= self._covered[fewest][:, some]
        row, rule = np.nonzero(possible)
        return row, rule

    def _possible(self, begun: Beginnings, block: IntArray, some: IntArray, n_more: int, slack: float) -> BoolArray:
        """Return which of some rules, the largest first, can be in a list with which beginning."""
        counts = self.counts[some].astype(np.int32)  # half as long as IntArray, so twice as fast
        left = self.n_samples - begun.counts[block, None]
        possible: BoolArray = counts < left.astype(np.int32)
        for k in range(begun.n_rules):
            rows, which = np.unique(self._row_of[begun.rules[block, k]], return_inverse=True)
            possible &= self._disjoint[rows][:, some].take(which, axis=0)
        if slack < np.inf:
            # Another rule follows, with a regret of its own.
            possible &= self.regrets[some] <= slack - self.least_regret - begun.regrets[block, None]
        largest = self.counts[some[possible.argmax(axis=1)]][:, None]
        possible &= counts >= np.maximum(left - n_more * largest, 0).astype(np.int32)
        return possible

    def _compare(self, rules: IntArray) -> bool:
        """Find out which rules are disjoint from these; return False if that takes too much memory."""
        new = rules[self._row_of[rules] < 0]
        n_rules = len(self.counts)
        if (len(self._disjoint) + len(new)) * n_rules > _MOST_DISJOINT:
            return False
        self._row_of[new] = len(self._disjoint) + np.arange(len(new))
        parts = [self._disjoint]
        step = max(1, _BLOCK // n_rules)
        for start in range(0, len(new), step):
            check_clock(self.deadline)
            parts.append(self._covers[new[start : start + step]] @ self._covers.T < 0.5)
        self._disjoint = np.concatenate(parts)
        return True


def _rare_and_drawn(amounts: FloatArray) -> IntArray:
    """Return the witnesses: the samples that the fewest rules cover, in this order, then others at random."""
    order = np.argsort(amounts, kind="stable")
    rare, others = order[: _BRANCHED // 2], order[_BRANCHED // 2 :]
    drawn = np.random.default_rng(0).permutation(len(others))[: _WITNESSES - len(rare)]
    return np.concatenate([rare, others[drawn]])
