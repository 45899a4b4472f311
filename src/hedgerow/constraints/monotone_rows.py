"""The requirement of monotone predictions over some candidates: which rules exclude each other, and which gaps fit.

What is required, and why this is enough, is said in :mod:`hedgerow.constraints.monotone`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.candidates.answers import OfLabels
from hedgerow.candidates.coverage import Coverage
from hedgerow.constraints.boxes import Boxes
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.gaps import Beside, Gaps
from hedgerow.optimize.problem import LinearRows, stack_rows
from hedgerow.optimize.solvers.cliques import enlarged, violated_cliques

#: What is chosen by less counts as not chosen; what is chosen by more, as chosen.
_NOTHING, _WHOLE = 1e-9, 1 - 1e-6
#: So many sets of rules that exclude each other are added at once, each with rules from among so many.
_CLIQUES, _AMONG = 30, 400
#: Of so many rules, all pairs are looked at once.
_MOST_PAIRS = 6000


@dataclass(frozen=True, eq=False)
class MonotoneRows:
    """The requirement over some of the candidates; the methods are those of :class:`LazyRows`.

    Attributes
    ----------
    candidates : Candidates
        All of them.
    rules : int array
        Those that are left.
    values : float array
        What each of these predicts.
    signs : dict
        +1 or -1 for each feature of the forest in question.
    names : tuple of str
    """

    candidates: Candidates
    rules: IntArray
    values: FloatArray
    signs: Mapping[int, int]
    names: tuple[str, ...]

    @cached_property
    def boxes(self) -> Boxes:
        """The rules' boxes."""
        return Boxes.of(self.candidates.pool.subset(self.rules))

    @cached_property
    def sizes(self) -> FloatArray:
        """The weight of each rule's samples: larger rules come first."""
        return self.candidates.sizes[self.rules]

    @cached_property
    def coverage(self) -> Coverage:
        """Which of the solver's samples satisfy which rules."""
        return self.candidates.few.subset(self.rules)

    # Pairs

    def conflicts(self, rules: IntArray, others: IntArray) -> BoolArray:
        """Return which pairs of rules would break the promise by themselves."""
        if self.pairs is not None:
            return self.pairs[np.ix_(rules, others)]
        found = np.zeros((len(rules), len(others)), dtype=bool)
        for feature, sign in self.signs.items():
            found |= self._clashing(rules, others, feature, sign)
        return found

    @cached_property
    def pairs(self) -> BoolArray | None:
        """The same for all pairs; None if there are too many."""
        everything = np.arange(len(self.rules))
        if len(everything) > _MOST_PAIRS:
            return None
        found = np.zeros((len(everything), len(everything)), dtype=bool)
        for feature, sign in self.signs.items():
            low, high = self.boxes.interval(feature)
            some = np.flatnonzero(np.isfinite(low) | np.isfinite(high))  # two others reach equally far
            clashing = self._clashing(some, everything, feature, sign)
            found[some] |= clashing
            found[:, some] |= clashing.T
        return found

    def _clashing(self, rules: IntArray, others: IntArray, feature: int, sign: int) -> BoolArray:
        """Return which pairs clash along one feature.

        Let one come before the other, and both meet on all other features. With +1, they clash if the later one has the
        lower value and reaches higher, or has the higher value and reaches lower. Of rules of the same size, either may
        come first.
        """
        mine, theirs = self.boxes.subset(rules), self.boxes.subset(others)
        one, other = self.sizes[rules][:, None], self.sizes[others][None, :]
        (low, high), (other_low, other_high) = mine.interval(feature), theirs.interval(feature)
        value, other_value = sign * self.values[rules][:, None], sign * self.values[others][None, :]
        less, more = other_value < value, other_value > value
        above, below = other_high > high[:, None], other_low < low[:, None]
        beneath, over = other_high < high[:, None], other_low > low[:, None]
        found: BoolArray = ((one >= other) & ((less & above) | (more & below))) | (
            (one <= other) & ((more & beneath) | (less & over))
        )
        found &= (low < high)[:, None] & (other_low < other_high)
        return found & mine.meet(theirs, feature)

    def fitting(self, chosen: IntArray) -> BoolArray:
        """Return which candidates exclude none of these rules."""
        everything = np.arange(len(self.rules))
        return np.asarray(~self.conflicts(chosen, everything).any(axis=0))

    # Lists

    def hold(self, chosen: IntArray) -> bool:
        """Whether no two of these rules clash, and some answer suits all their gaps."""
        if self.conflicts(chosen, chosen).any():
            return False
        below, above = self._around(chosen)
        return below is None or above is None or below.value <= above.value

    def default(self, chosen: IntArray, usual: dict[str, Any]) -> dict[str, Any]:
        """Return what is predicted in the gaps of a list: the usual default, or what is nearest among what fits."""
        below, above = self._around(chosen)
        told = value_of(usual, self.candidates)
        lowest, highest = (end if bound is None else bound.value for bound, end in ((below, -np.inf), (above, np.inf)))
        fits = float(np.clip(told, lowest, highest))
        return usual if fits == told else _told(fits, usual, self.candidates)

    def _around(self, chosen: IntArray) -> tuple[Beside | None, Beside | None]:
        """Return the highest value that must not be above that of the gaps, and the lowest that must not be below."""
        chosen = self._in_order(chosen)
        boxes, below, above = self.boxes.subset(chosen), list[Beside](), list[Beside]()
        for feature, sign in self.signs.items():
            found = Gaps(boxes, (sign * self.values[chosen]).tolist(), feature).around()
            ends = (found.below, found.above) if sign > 0 else (found.above, found.below)
            for known, end in zip((below, above), ends, strict=True):
                if end is not None:
                    known.append(replace(end, value=sign * end.value, rule=int(chosen[end.rule])))
        highest = max(below, key=lambda one: one.value, default=None)
        return highest, min(above, key=lambda one: one.value, default=None)

    def _in_order(self, chosen: IntArray) -> IntArray:
        """Return rules in the order of a list."""
        chosen = np.sort(chosen)
        return chosen[np.argsort(-self.sizes[chosen], kind="stable")]

    # Rows

    def violated(self, z: FloatArray) -> LinearRows | None:
        """Return sets of rules of which a list has at most one; if nothing suits its gaps, what must change."""
        support = np.flatnonzero(z > _NOTHING)
        clashing = self.conflicts(support, support)
        if clashing.any():
            found = self._cliques(support, clashing, z)
            if found is not None:
                return found
        if (z[support] < _WHOLE).any() or clashing.any():
            return None
        below, above = self._around(support)
        if below is None or above is None or below.value <= above.value:
            return None
        return self._of_gaps(below, above, z)

    def _cliques(self, support: IntArray, clashing: BoolArray, z: FloatArray) -> LinearRows | None:
        """Return sets of rules that exclude each other: they clash, or share a sample."""
        pairs = np.asarray(clashing | self._overlaps(support, support))
        np.fill_diagonal(pairs, val=False)
        sets = list(violated_cliques(pairs, z[support], _CLIQUES))
        for one, other in np.argwhere(np.triu(clashing) & (z[support][:, None] + z[support] > 2 * _WHOLE)):
            pair = np.zeros(len(support), dtype=bool)
            pair[[one, other]] = True
            sets.append(pair)
        if not sets:
            return None
        parts = [self._enlarged(support[members]) for members in sets]
        return stack_rows([LinearRows(self._row(part), -np.inf, 1.0, self.names) for part in parts])

    def _enlarged(self, members: IntArray) -> IntArray:
        """Add to rules that exclude each other some of those that exclude all of them."""
        everything = np.arange(len(self.rules))
        fits = np.asarray((self.conflicts(members, everything) | self._overlaps(members, everything)).all(axis=0))
        fits[members] = False
        more = np.flatnonzero(fits)[:: max(1, int(fits.sum()) // _AMONG)]
        some = np.concatenate([members, more])
        pairs = np.asarray(self.conflicts(some, some) | self._overlaps(some, some))
        np.fill_diagonal(pairs, val=False)
        clique = np.zeros((1, len(some)), dtype=bool)
        clique[0, : len(members)] = True
        return some[enlarged(clique, pairs, np.arange(len(some)))[0]]

    def _overlaps(self, rules: IntArray, others: IntArray) -> BoolArray:
        """Return which pairs of rules share a sample."""
        mine, theirs = (self.coverage.held(some).astype(np.float32) for some in (rules, others))
        return np.asarray(mine @ theirs.T > 0.5)

    def _row(self, rules: IntArray) -> sparse.csr_array:
        entries = np.ones(len(rules)), (np.zeros(len(rules), dtype=np.int64), rules)
        return sparse.csr_array(entries, shape=(1, len(self.rules)))

    def _of_gaps(self, below: Beside, above: Beside, z: FloatArray) -> LinearRows | None:
        """Return the row that a list without any answer for its gaps violates.

        At one point, a value fires that is too high for a gap above it; at another, one that is too low for a gap below
        it. Either a rule with a lower value, or a higher one, covers the points, or some rule covers the gaps.
        """
        entries = np.zeros(len(self.rules))
        for side, sign in ((below, 1.0), (above, -1.0)):
            if not side.at:
                return None
            at_point, in_gap = (self.boxes.contain(point) for point in (side.at, side.gap))
            high_enough = sign * self.values >= sign * side.value
            entries[self._sharing(np.flatnonzero(at_point & high_enough), side.rule)] += 1.0
            entries[at_point & ~high_enough] -= 1.0
            entries[in_gap] -= 1.0
        return LinearRows(entries, -np.inf, 1.0, self.names) if entries @ z > 1.5 else None

    def _sharing(self, rules: IntArray, one: int) -> IntArray:
        """Return the rules that share a sample with one of them, the sample with the most; a list has one at most."""
        samples = self.coverage.members(one)
        held = self.coverage.held(rules)[:, samples]
        return rules[held[:, np.argmax(held.sum(axis=0))]]

    def havens(self, z: FloatArray) -> Iterator[BoolArray]:
        """Yield nothing: no set of rules is known to be safe."""
        yield from ()

    def kinds(self) -> IntArray:
        """Return one number per candidate: those with the same box and value have equal numbers."""
        known: dict[Any, int] = {}
        keys = zip(self.boxes.keys, self.values.tolist(), strict=True)
        return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)

    def subset(self, rules: IntArray) -> MonotoneRows:
        """Return the same over these candidates only."""
        found = replace(self, rules=self.rules[rules], values=self.values[rules])
        vars(found)["boxes"] = self.boxes.subset(rules)
        if self.pairs is not None:
            vars(found)["pairs"] = self.pairs[np.ix_(rules, rules)]
        return found


def value_of(told: dict[str, Any], candidates: Candidates) -> float:
    """Return what is to rise or fall, of a prediction."""
    if candidates.task.has_labels and len(candidates.task.labels) == 2:
        return float(told["distribution"][1])
    return float(told["prediction"])


def _told(value: float, usual: dict[str, Any], candidates: Candidates) -> dict[str, Any]:
    """Return a prediction with another value, which lies between those around it."""
    task, answer = candidates.task, candidates.answer
    between = {"kind": "between"}
    if not task.has_labels:
        return usual | answer.about_samples(task, {"prediction": value, "kind": ""}, usual) | between
    own = {"distribution": tuple((candidates.class_totals / candidates.class_totals.sum()).tolist())}
    if len(task.labels) == 2:
        assert isinstance(answer, OfLabels)
        told = answer.of_shares(task, np.array([[1.0 - value, value]]))[0]
        told["distribution"] = (1.0 - value, value)
    else:
        told = {**usual, "prediction": task.labels[np.flatnonzero(np.asarray(task.classes) == value)[0]]}
    return usual | answer.about_samples(task, told, own) | between
