"""What lies below and above the gaps of a list: values that no rule matches, along one feature.

Fix all other features: what is left is a line. On it, each value belongs to the first rule that matches it, or to a
gap. All lines are looked at, in groups: where every rule either holds for a whole region of the other features or
nowhere in it, its lines are alike. Regions are split by one side of a rule after the other, until they are so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hedgerow.constraints.boxes import Boxes

#: So many regions are looked at; then a gap may be anywhere.
_MOST_REGIONS = 50_000


class _TooManyError(Exception):
    """There are too many regions."""


@dataclass(frozen=True)
class Beside:
    """A rule that fires beside a gap: on the same line, below or above it.

    Attributes
    ----------
    value : float
        What it predicts.
    rule : int
        Its place in the list.
    at, gap : mapping from feature to value
        A point at which it fires, and one in the gap; NaN is missing.
    """

    value: float
    rule: int
    at: Mapping[int, float]
    gap: Mapping[int, float]


@dataclass(frozen=True)
class Around:
    """The highest value below a gap, and the lowest above one; None if there is none.

    Without ``exact``, there were too many regions, and gaps are taken to be everywhere.
    """

    below: Beside | None
    above: Beside | None
    exact: bool = True


class Gaps:
    """The gaps of one list along one feature.

    Parameters
    ----------
    boxes : Boxes
        Of the list's rules, in its order.
    values : sequence of float
        What they predict.
    feature : int
        The feature along which values are compared.
    """

    def __init__(self, boxes: Boxes, values: list[float], feature: int) -> None:
        self.boxes, self.values, self.feature = boxes, values, feature
        self.features = [int(k) for k in np.unique(boxes.feature)]
        self.cells = {k: _Cells(boxes, k) for k in {*self.features, feature}}
        self.others = [k for k in self.features if k != feature]
        self.masks = [{k: self.cells[k].passing(r) for k in self.features} for r in range(len(boxes))]
        self.along = [mask.get(feature, self.cells[feature].numbers) for mask in self.masks]
        self._below: Beside | None = None
        self._above: Beside | None = None
        self._left = _MOST_REGIONS

    def around(self) -> Around:
        """Return what lies around the gaps."""
        everything = {k: self.cells[k].everything for k in self.others}
        try:
            self._look(everything, list(range(len(self.boxes))))
        except _TooManyError:
            return self._anywhere()
        return Around(self._below, self._above)

    def _anywhere(self) -> Around:
        """Return the same as if gaps were wherever a rule ends."""
        lower, upper = self.boxes.interval(self.feature)
        ended = [r for r in range(len(self.boxes)) if upper[r] < np.inf]
        begun = [r for r in range(len(self.boxes)) if lower[r] > -np.inf]
        below = max(ended, key=lambda r: self.values[r], default=None)
        above = min(begun, key=lambda r: self.values[r], default=None)
        return Around(self._somewhere(below), self._somewhere(above), exact=False)

    def _somewhere(self, rule: int | None) -> Beside | None:
        """Return a rule as one beside a gap, without a point."""
        return None if rule is None else Beside(self.values[rule], rule, {}, {})

    def _look(self, region: dict[int, int], rules: list[int]) -> None:
        """Look at all lines of a region, which some rules meet."""
        if not rules or not self._matters(rules):
            return
        self._left -= 1
        if self._left < 0:
            raise _TooManyError
        for r in rules:
            for k in self.others:
                inside = region[k] & self.masks[r][k]
                if inside != region[k]:
                    for part in (inside, region[k] & ~inside):
                        split = region | {k: part}
                        self._look(split, [q for q in rules if self.masks[q][k] & part])
                    return
        self._along_line(region, rules)

    def _matters(self, rules: list[int]) -> bool:
        """Whether some rule could tell more than is known."""
        values = [self.values[r] for r in rules]
        below = self._below is None or max(values) > self._below.value
        return below or self._above is None or min(values) < self._above.value

    def _along_line(self, region: dict[int, int], rules: list[int]) -> None:
        """Look at a line all of whose rules hold in the whole region."""
        free, owner = self.cells[self.feature].numbers, []
        for r in rules:
            mine = self.along[r] & free
            if mine:
                owner.append((mine, r))
                free &= ~mine
        if not free:
            return
        highest_gap, lowest_gap = free.bit_length() - 1, (free & -free).bit_length() - 1
        for mine, r in owner:
            lowest, highest = (mine & -mine).bit_length() - 1, mine.bit_length() - 1
            if lowest < highest_gap and (self._below is None or self.values[r] > self._below.value):
                self._below = self._beside(r, region, lowest, highest_gap)
            if highest > lowest_gap and (self._above is None or self.values[r] < self._above.value):
                self._above = self._beside(r, region, highest, lowest_gap)

    def _beside(self, rule: int, region: dict[int, int], cell: int, gap: int) -> Beside:
        point = {k: self.cells[k].value_in(mask) for k, mask in region.items()}
        along = self.cells[self.feature]
        at, beyond = ({self.feature: along.value_in(1 << place)} for place in (cell, gap))
        return Beside(self.values[rule], rule, point | at, point | beyond)


class _Cells:
    """The values of one feature, as far as some boxes tell them apart: bits, numbers from low to high, then missing."""

    def __init__(self, boxes: Boxes, k: int) -> None:
        self.boxes, self.k = boxes, k
        if boxes.n_codes[k]:
            self.n = int(boxes.n_codes[k])
            self.bounds = np.empty(0)
        else:
            mine = boxes.feature == k
            bounds = np.concatenate([boxes.lower[mine], boxes.upper[mine]])
            self.bounds = np.unique(bounds[np.isfinite(bounds)])
            self.n = len(self.bounds) + 1
        self.numbers = (1 << self.n) - 1
        self.missing = 1 << self.n if boxes.can_miss[k] else 0
        self.everything = self.numbers | self.missing

    def passing(self, rule: int) -> int:
        """Return the cells that a rule lets pass."""
        for side in range(*self.boxes.sides(rule).indices(len(self.boxes.feature))):
            if self.boxes.feature[side] == self.k:
                return self._of_side(side) | (self.missing if self.boxes.missing[side] else 0)
        return self.everything

    def _of_side(self, side: int) -> int:
        if self.boxes.codes[side] >= 0:
            return sum(1 << code for code in self.boxes.known_codes[self.boxes.codes[side]])
        # Cell i holds the values above bounds[i - 1], up to bounds[i].
        first = int(np.searchsorted(self.bounds, self.boxes.lower[side], side="right"))
        last = int(np.searchsorted(self.bounds, self.boxes.upper[side], side="left"))
        return ((1 << (last + 1)) - (1 << first)) & self.numbers if last >= first else 0

    def value_in(self, mask: int) -> float:
        """Return some value in these cells."""
        if not mask & self.numbers:
            return float("nan")
        cell = (mask & -mask).bit_length() - 1
        if self.boxes.n_codes[self.k]:
            return float(cell)
        if cell < len(self.bounds):
            return float(self.bounds[cell])
        return float(np.nextafter(self.bounds[-1], np.inf)) if len(self.bounds) else 0.0
