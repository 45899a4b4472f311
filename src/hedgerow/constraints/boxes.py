"""Rules as boxes: for each feature of a rule, an interval or a set of categories, and whether a missing value passes.

Two rules can match the same sample if their boxes meet, whether or not a training sample shows it.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.candidates.coverage import ranges
from hedgerow.candidates.pool import RulePool


@dataclass(frozen=True, eq=False)
class Boxes:
    """The sides of some rules' boxes, one rule after the other: a side per feature that the rule uses.

    Attributes
    ----------
    starts : int array of shape (n_rules + 1,)
        Where the sides of each rule begin.
    feature : int array of shape (n_sides,)
    lower, upper : float arrays of shape (n_sides,)
        Values in ``lower < x <= upper`` pass.
    codes : int array of shape (n_sides,)
        The position of the categories that pass in ``known_codes``; -1 for numbers.
    missing : bool array of shape (n_sides,)
        Whether a missing value passes.
    known_codes : tuple of frozenset of int
    can_miss : bool array of shape (n_features,)
        Which features of the forest can be missing at all.
    n_codes : int array of shape (n_features,)
        The number of categories of each feature, 0 for numbers.
    """

    starts: IntArray
    feature: IntArray
    lower: FloatArray
    upper: FloatArray
    codes: IntArray
    missing: BoolArray
    known_codes: tuple[frozenset[int], ...]
    can_miss: BoolArray
    n_codes: IntArray

    @classmethod
    def of(cls, pool: RulePool) -> Boxes:
        """Return the boxes of a pool's rules."""
        nodes, inputs = pool.forest.nodes, pool.forest.inputs
        rule, branch, is_left, _ = pool.conditions
        feature = nodes.feature[branch]
        order = np.lexsort((feature, rule))
        rule, branch, is_left, feature = rule[order], branch[order], is_left[order], feature[order]
        new = np.ones(len(rule), dtype=bool)
        new[1:] = (rule[1:] != rule[:-1]) | (feature[1:] != feature[:-1])
        first = np.flatnonzero(new)
        on_codes = nodes.category[branch] >= 0
        threshold = nodes.threshold[branch]
        lower = np.where(is_left | on_codes, -np.inf, threshold)
        upper = np.where(is_left & ~on_codes, threshold, np.inf)
        passes = is_left == nodes.missing_left[branch]
        can_miss = np.array([inputs.can_be_missing(one) for one in inputs.features], dtype=bool)
        codes, known = _codes(pool, branch, is_left, first)
        none = np.zeros(0)
        return cls(
            starts=np.searchsorted(rule[first], np.arange(len(pool) + 1)),
            feature=feature[first],
            lower=np.maximum.reduceat(lower, first) if len(first) else none,
            upper=np.minimum.reduceat(upper, first) if len(first) else none,
            codes=codes,
            missing=(np.logical_and.reduceat(passes, first) if len(first) else none.astype(bool))
            & can_miss[feature[first]],
            known_codes=known,
            can_miss=can_miss,
            n_codes=np.array(
                [one.n_codes if on else 0 for one, on in zip(inputs.features, _on_codes(pool), strict=True)],
                dtype=np.int64,
            ),
        )

    def __len__(self) -> int:
        return len(self.starts) - 1

    def subset(self, rules: IntArray) -> Boxes:
        """Return the boxes of these rules only."""
        starts, ends = self.starts[:-1][rules], self.starts[1:][rules]
        sides = ranges(starts, ends)
        parts = {name: getattr(self, name)[sides] for name in ("feature", "lower", "upper", "codes", "missing")}
        return replace(self, starts=np.concatenate([[0], np.cumsum(ends - starts)]), **parts)

    def sides(self, rule: int) -> slice:
        """Return which sides are those of a rule."""
        return slice(int(self.starts[rule]), int(self.starts[rule + 1]))

    @cached_property
    def keys(self) -> list[tuple[bytes, ...]]:
        """One key per rule, equal for equal boxes."""
        parts = [
            np.ascontiguousarray(part) for part in (self.feature, self.lower, self.upper, self.codes, self.missing)
        ]
        ends = [slice(start, end) for start, end in itertools.pairwise(self.starts.tolist())]
        return [tuple(part[here].tobytes() for part in parts) for here in ends]

    def interval(self, feature: int) -> tuple[FloatArray, FloatArray]:
        """Return the bounds of each rule for a feature."""
        lower, upper = np.full(len(self), -np.inf), np.full(len(self), np.inf)
        mine = np.flatnonzero(self.feature == feature)
        rule = np.searchsorted(self.starts, mine, side="right") - 1
        lower[rule], upper[rule] = self.lower[mine], self.upper[mine]
        return lower, upper

    def meet(self, others: Boxes, but: int) -> BoolArray:
        """Return which pairs of boxes meet on all features but one, of shape (n_rules, n_others)."""
        found = np.ones((len(self), len(others)), dtype=bool)
        for k in np.intersect1d(self.feature, others.feature):
            if k != but:  # a rule that does not use a feature meets every other on it
                mine, theirs = self.using(int(k)), others.using(int(k))
                found[np.ix_(mine, theirs)] &= self.subset(mine).meet_on(int(k), others.subset(theirs))
        return found

    def using(self, feature: int) -> IntArray:
        """Return which rules use a feature."""
        return np.searchsorted(self.starts, np.flatnonzero(self.feature == feature), side="right") - 1

    def meet_on(self, k: int, others: Boxes) -> BoolArray:
        """Return which pairs of boxes meet on one feature."""
        (low, high), (other_low, other_high) = self.interval(k), others.interval(k)
        both = np.maximum(low[:, None], other_low) < np.minimum(high[:, None], other_high)
        if self.n_codes[k]:
            mine, theirs = (one.allowed(k).astype(np.float32) for one in (self, others))
            both &= mine @ theirs.T > 0
        return np.asarray(both | (self.missing_passes(k)[:, None] & others.missing_passes(k)))

    def allowed(self, k: int) -> BoolArray:
        """Return which categories of a feature each rule lets pass."""
        found = np.ones((len(self), int(self.n_codes[k])), dtype=bool)
        for side in np.flatnonzero((self.feature == k) & (self.codes >= 0)):
            rule = int(np.searchsorted(self.starts, side, side="right")) - 1
            found[rule] = False
            found[rule, list(self.known_codes[self.codes[side]])] = True
        return found

    def missing_passes(self, k: int) -> BoolArray:
        """Return whether each rule lets a missing value of a feature pass."""
        found = np.full(len(self), bool(self.can_miss[k]))
        mine = np.flatnonzero(self.feature == k)
        found[np.searchsorted(self.starts, mine, side="right") - 1] = self.missing[mine]
        return found

    def contain(self, point: Mapping[int, float]) -> BoolArray:
        """Return which boxes contain a point: a value per feature, a code for categories, NaN if it is missing."""
        value = np.array([point.get(k, np.nan) for k in range(len(self.can_miss))])[self.feature]
        passes = np.where(np.isnan(value), self.missing, (value > self.lower) & (value <= self.upper))
        for side in np.flatnonzero((self.codes >= 0) & ~np.isnan(value)):
            passes[side] = int(value[side]) in self.known_codes[self.codes[side]]
        n_failed = np.add.reduceat(np.append(~passes, False).astype(np.int64), self.starts[:-1])
        return np.asarray(np.where(np.diff(self.starts) > 0, n_failed, 0) == 0)


def _on_codes(pool: RulePool) -> BoolArray:
    """Return which features of a pool's forest are split on categories."""
    nodes, found = pool.forest.nodes, np.zeros(len(pool.forest.features), dtype=bool)
    found[nodes.feature[nodes.category >= 0]] = True
    return found


def _codes(
    pool: RulePool, branch: IntArray, is_left: BoolArray, first: IntArray
) -> tuple[IntArray, tuple[frozenset[int], ...]]:
    """Return which categories pass on each side, as positions among different sets, and these sets."""
    nodes, known = pool.forest.nodes, dict[frozenset[int], int]()
    codes = np.full(len(first), -1, dtype=np.int64)
    side = np.searchsorted(first, np.arange(len(branch)), side="right") - 1
    passing: dict[int, frozenset[int]] = {}
    for at in np.flatnonzero(nodes.category[branch] >= 0):
        found = pool.condition(int(branch[at]), bool(is_left[at])).categories
        assert found is not None
        here = int(side[at])
        passing[here] = passing[here] & found if here in passing else found
    for here, found in passing.items():
        codes[here] = known.setdefault(found, len(known))
    return codes, tuple(known)
