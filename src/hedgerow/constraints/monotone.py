"""Predictions that only rise, or only fall, with a feature: for every pair of samples, not only those of training.

What is promised. Take any two samples that differ in the feature alone, and neither misses it. With +1, the sample with
the larger value never gets the lower prediction; with -1, never the higher one. Of numbers, that is the prediction; of
two labels, the probability of the second and thus the label; of more labels, which must be numbers, the label.

How it is kept. Rules are boxes, and the first of a list that matches a sample predicts.

- *Two rules exclude each other* if they alone, in their order in a list, would break the promise: their boxes meet on
  all other features, and one reaches further in the feature than the order of their predictions allows. So rules may
  overlap where the one that comes first also has the right of it.
- *A gap*, where no rule matches, is answered by the default. The highest value that fires below a gap and the lowest
  that fires above one, on any line along the feature, are found exactly, by splitting all other features into regions
  in which the rules are the same. A list is possible only if the first is not above the second. Then the default
  predicts what it always does, if that lies between the two, and otherwise the nearer of the two.

A list that two rules rule out could be rescued by a third that hides where they clash; such lists are not looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.checks import is_number
from hedgerow._support.lettering import some
from hedgerow.candidates.answers import OfLabels
from hedgerow.candidates.coverage import Coverage
from hedgerow.constraints.boxes import Boxes
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.gaps import Beside, Gaps
from hedgerow.constraints.given import Values
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features.columns import NumberColumn
from hedgerow.features.series import SeriesFeature
from hedgerow.optimize.problem import LinearRows, stack_rows
from hedgerow.optimize.solvers.cliques import enlarged, violated_cliques

#: What is chosen by less counts as not chosen; what is chosen by more, as chosen.
_NOTHING, _WHOLE = 1e-9, 1 - 1e-6
#: So many sets of rules that exclude each other are added at once, each with rules from among so many.
_CLIQUES, _AMONG = 30, 400


@dataclass(frozen=True)
class Monotone:
    """Predictions only rise (+1) or only fall (-1) with a feature, for every pair of samples.

    What exactly is promised, and how it is kept, is said in :mod:`hedgerow.constraints.monotone`.

    Parameters
    ----------
    signs : dict
        +1 or -1 for each feature in question, by name or position. It must be a number, not a category.

    Examples
    --------
    >>> print(Monotone({"income": 1, "debt": -1}))
    predictions rise with income and fall with debt
    """

    signs: Mapping[Any, int]

    def __post_init__(self) -> None:
        given = self.signs
        if not isinstance(given, Mapping) or not given or not all(map(_is_sign, given.values())):
            raise InvalidParameterError(
                f"Monotone takes a dictionary from features to +1 or -1, such as {{'income': 1}}; got {given!r}."
            )
        object.__setattr__(self, "signs", Values({name: int(sign) for name, sign in given.items()}))

    def __str__(self) -> str:
        parts = []
        for verb, sign in (("rise", 1), ("fall", -1)):
            named = [name for name, one in self.signs.items() if one == sign]
            if named:
                parts.append(f"{verb} with {' and '.join(map(str, named))}")
        return f"predictions {' and '.join(parts)}"

    @classmethod
    def together(cls, constraints: Sequence[Monotone]) -> Monotone:
        """Return one constraint for several: a gap's answer must suit all of them."""
        signs: dict[Any, int] = {}
        for name, sign in (pair for one in constraints for pair in one.signs.items()):
            if signs.setdefault(name, sign) != sign:
                raise InvalidParameterError(f"Monotone: {name!r} is given both +1 and -1. Leave one out.")
        return cls(signs)

    def parts(self) -> list[Monotone]:
        """Return one per feature; together they are merged again."""
        return [Monotone({name: sign}) for name, sign in self.signs.items()]

    def demand(self, candidates: Candidates) -> Demand:
        """Return the requirement, which is asked about pairs of rules and about gaps."""
        if candidates.uncovered == "ensemble":
            raise InvalidParameterError(
                "Monotone says what answers where no rule matches, but with uncovered='ensemble' the ensemble does, "
                "which promises nothing. Take uncovered='default'."
            )
        signs: dict[int, int] = {}
        for name, sign in self.signs.items():
            for k in _ordered(candidates, name):
                if signs.setdefault(k, sign) != sign:
                    raise InvalidParameterError(f"Monotone: {name!r} is given both +1 and -1. Leave one out.")
        if not signs:
            return Demand()
        values = _values(candidates)
        rows = MonotoneRows(candidates, np.arange(len(candidates)), values, signs, (str(self),))
        return Demand(lazy=(rows,), default=rows.default)


def _is_sign(given: Any) -> bool:
    return is_number(given) and given in (1, -1)


def _ordered(candidates: Candidates, name: Any) -> list[int]:
    """Return the feature of the forest that a name stands for, if some rule uses it; refuse one without an order."""
    inputs = candidates.pool.forest.inputs
    used = np.flatnonzero(np.bincount(candidates.uses.indices, minlength=len(inputs.features)))
    found = np.intersect1d(candidates.features_named(name, "Monotone"), used)
    for k in found:
        feature = inputs.features[k]
        if not isinstance(feature, (NumberColumn, SeriesFeature)):
            raise InvalidParameterError(
                f"Monotone needs a feature with an order, but {feature.name} is a {type(feature).__name__}. Encode its "
                "categories as numbers in their order, before the ensemble is trained."
            )
        columns = set(inputs.places(feature))
        others = [inputs.features[i].name for i in used if i != k and columns & set(inputs.places(inputs.features[i]))]
        if others:
            raise InvalidParameterError(
                f"Monotone: besides {feature.name}, rules use {some(others)}, which changes with the same column. "
                f"Add Forbid(feature=...) for it, or train the ensemble without it."
            )
    return [int(k) for k in found]


def _values(candidates: Candidates) -> FloatArray:
    """Return what is to rise or fall: one number per rule."""
    told, task = candidates.predictions, candidates.task
    if not task.has_labels:
        return np.array([one["prediction"] for one in told])
    labels = np.asarray(task.classes)
    if len(labels) != 2:
        if labels.dtype.kind not in "iuf":
            raise InvalidParameterError(
                f"Monotone is for numbers, for two labels, or for labels that are ordered numbers; there are "
                f"{len(labels)} labels such as {task.labels[0]!r}. Put them into two groups, or number them in order."
            )
        return labels[candidates.predicted].astype(np.float64)
    values = np.array([one["distribution"][1] for one in told])
    order = np.lexsort((candidates.predicted, values))
    if (np.diff(candidates.predicted[order]) < 0).any():
        raise InvalidParameterError(
            "Monotone: with these costs, a rule may predict the less likely label the likelier it is. Make it cost "
            "more to be wrong than to be right."
        )
    return values


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
        """Return which pairs of rules would break the promise by themselves.

        Let one come before the other, and both meet on all other features. With +1, they clash if the later one has the
        lower value and reaches higher, or has the higher value and reaches lower. Of rules of the same size, either may
        come first.
        """
        mine, theirs = self.boxes.subset(rules), self.boxes.subset(others)
        one, other = self.sizes[rules][:, None], self.sizes[others][None, :]
        found: BoolArray = np.zeros((len(rules), len(others)), dtype=bool)
        for feature, sign in self.signs.items():
            (low, high), (other_low, other_high) = mine.interval(feature), theirs.interval(feature)
            value, other_value = sign * self.values[rules][:, None], sign * self.values[others][None, :]
            less, more = other_value < value, other_value > value
            above, below = other_high > high[:, None], other_low < low[:, None]
            beneath, over = other_high < high[:, None], other_low > low[:, None]
            clash = ((one >= other) & ((less & above) | (more & below))) | (
                (one <= other) & ((more & beneath) | (less & over))
            )
            clash &= (low < high)[:, None] & (other_low < other_high)
            rows, columns = np.flatnonzero(clash.any(axis=1)), np.flatnonzero(clash.any(axis=0))
            if len(rows):
                meeting = mine.subset(rows).meet(theirs.subset(columns), feature)
                found[np.ix_(rows, columns)] |= clash[np.ix_(rows, columns)] & meeting
        return found

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
        told = _value_of(usual, self.candidates)
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
        return found


def _value_of(told: dict[str, Any], candidates: Candidates) -> float:
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
