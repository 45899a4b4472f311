"""Which values a column could have instead of the one in a row: one per cell that the conditions of a list tell apart.

Of each cell it is the value that is nearest to that of the row. Candidates are generous: both sides of every threshold,
all known categories, all dates in question. Then the list itself computes its features for them, so that whatever makes
no difference, or counts as missing, falls out.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, ValueArray
from hedgerow.evidence.changed_rows import Row
from hedgerow.evidence.places import Measure, Place, PlaceCells
from hedgerow.evidence.spreads import Spread
from hedgerow.features import Feature, Inputs
from hedgerow.features.columns import NumberColumn
from hedgerow.features.date_parts import DatePart
from hedgerow.features.frames import is_present
from hedgerow.features.number_sets import at_most
from hedgerow.rules.condition import Condition
from hedgerow.rules.telling import code_text
from hedgerow.rules.wording import format_number, printable

#: A value that is easier to read may be farther away by this share of the change.
_FARTHER = 0.01
#: The digits with which the row's own number is written: the fewest that leave it in its cell.
_DIGITS = (6, 9, 12)
#: The most dates that are tried.
_MOST_DAYS = 200_000


@dataclass(frozen=True)
class Candidate:
    """A value, how far its cell is from the value of the row, and whether it is larger (1) or smaller (-1)."""

    value: Any
    cost: float
    sign: int = 0


def cells_of(place: Place, row: Row, spread: Spread, sign: int | None) -> PlaceCells:
    """Return the cells of a place.

    Parameters
    ----------
    place : Place
    row : Row
    spread : Spread
        Of the place, as far as it is known.
    sign : int or None
        1 if the value may only rise, -1 if it may only fall, 0 for both; None if it may not change.
    """
    own, measure = row.own(place), _measure(place, row, spread)
    candidates = [Candidate(own, 0.0)]
    if place.kind != "category":
        make = _dates if place.kind == "date" else _numbers
        candidates += make(place, row, own, replace(spread, is_whole=spread.is_whole or _is_whole(place, row, spread)))
    if place.column is not None:
        known = [*(one for feature in place.features for one in row.levels(feature)), *row.categories(place.column)]
        candidates += [Candidate(value, 1.0) for value in dict.fromkeys(known)]
    candidates = [one for one in candidates if math.isfinite(one.cost)]
    if sign is None:
        kept = candidates[:1]
    else:
        kept = [one for i, one in enumerate(candidates) if not i or not sign or one.sign == sign]
    return _told_apart(place, row, sorted(kept, key=lambda one: one.cost), measure)


def _told_apart(place: Place, row: Row, candidates: list[Candidate], measure: Measure) -> PlaceCells:
    """Keep the first candidate of each cell, and none that makes a value missing or unknown."""
    if len(candidates) == 1:
        values = {feature: row.values[feature] for feature in place.features}
    else:
        values = row.tried(place, [one.value for one in candidates])
        for feature in place.features:  # the row itself, as the list sees it
            values[feature] = np.concatenate([row.values[feature][:1], values[feature][1:]])
    held = np.array([condition.holds(values[condition.feature]) for condition in place.conditions])
    first: dict[bytes, int] = {}
    for i in range(len(candidates)):
        if i == 0 or all(_is_known(feature, values[feature], i) for feature in place.features):
            first.setdefault(held[:, i].tobytes(), i)
    kept = list(first.values())
    passing = {
        condition: sum(1 << k for k, i in enumerate(kept) if held[c, i]) for c, condition in enumerate(place.conditions)
    }
    chosen = [candidates[i] for i in kept]
    own, *others = (_text(place, candidates[i].value, values, i) for i in kept)
    texts = (_rounded(place, candidates[0].value, own, row.inputs), *others)
    given, costs = tuple(one.value for one in chosen), tuple(one.cost for one in chosen)
    return PlaceCells(place, given, costs, passing, measure, texts)


def _text(place: Place, value: Any, values: dict[Feature, ValueArray], i: int) -> str:
    feature = place.features[0]
    if place.kind == "category" and not np.isnan(values[feature][i]):
        return code_text(feature, int(values[feature][i]))
    if not is_present(value):
        return "missing"
    if isinstance(value, float):
        return format_number(value, 15)
    return value.isoformat() if isinstance(value, datetime.date) else printable(str(value))


def _rounded(place: Place, own: Any, text: str, inputs: Inputs) -> str:
    """Write the row's own number with few digits, as beside a condition, unless they lie in another cell."""
    if place.kind != "number" or not isinstance(own, float) or not math.isfinite(own):
        return text
    conditions = [condition for condition in place.conditions if condition.feature.levels is None]
    for digits in _DIGITS:
        shorter = format_number(own, digits)
        with np.errstate(over="ignore"):
            both = np.array([own, float(shorter)]).astype(inputs.dtype)
        if all(len(set(condition.holds(both).tolist())) == 1 for condition in conditions):
            return shorter
    return text


def _is_known(feature: Feature, values: AnyArray, i: int) -> bool:
    if np.isnan(values[i]):
        return bool(np.isnan(values[0]))
    return feature.levels is None or values[i] < len(feature.levels)


def _measure(place: Place, row: Row, spread: Spread) -> Measure:
    if place.kind == "category" or row.is_missing(place):
        return "any"
    if not math.isnan(spread.unit):
        return "spreads"
    return "any" if place.kind == "date" else "thresholds"


def _is_whole(place: Place, row: Row, spread: Spread) -> bool:
    return not spread.is_known and row.is_whole(place)


def _numbers(place: Place, row: Row, own: float, spread: Spread) -> list[Candidate]:
    """Return a number on either side of every threshold: the nearest, or an easier one that is hardly farther."""
    bounds = bounds_of(place.features, place.conditions, row.inputs)
    parts = bounds.parts(spread.is_whole)
    if isinstance(own, bool):
        parts = [(max(low, 0.0), min(high, 1.0)) for low, high in parts]
    is_missing = row.is_missing(place) or not math.isfinite(own)
    center = float(own) if not is_missing else 0.0 if math.isnan(spread.middle) else spread.middle
    home = sum(end < center for end in bounds.ends)
    found = []
    for i, (low, high) in enumerate(parts):
        if low > high:
            continue
        nearest = min(max(center, low), high)
        away = abs(nearest - center)  # from the median, if the value is missing
        steps = float(abs(i - home)) if math.isnan(spread.unit) else away / spread.unit
        cost = 1.0 if is_missing else steps
        value = nearest if spread.is_whole else easier(nearest, center, low, high)
        sign = 0 if is_missing else (value > center) - (value < center)
        found.append((away, Candidate(_as_given(value, own, spread), cost, sign)))
    return [candidate for _, candidate in sorted(found, key=lambda one: one[0])]


def easier(nearest: float, center: float, low: float, high: float) -> float:
    """Return a number with few digits in ``low <= x <= high``, at most 1 % farther from the center than the nearest.

    The report's script computes the same number in the same way.

    >>> easier(1.7500000000000002, 0.2, 1.7500000000000002, 9.0), easier(2.45000009, 5.0, 0.0, 2.45000009)
    (1.76, 2.45)
    """
    if nearest in (0.0, center):
        return nearest
    up, farthest = nearest > center, _FARTHER * abs(nearest - center)
    exponent = int(f"{nearest:e}".partition("e")[2])
    for digits in range(1, 16):
        power = exponent - digits + 1
        scaled = nearest / float(f"1e{power}") if power >= 0 else nearest * float(f"1e{-power}")
        if not math.isfinite(scaled):
            continue
        whole = math.ceil(scaled) if up else math.floor(scaled)
        made = float(f"{whole}e{power}")
        if low <= made <= high and abs(made - nearest) <= farthest:
            return made + 0.0
    return nearest


def _as_given(value: float, own: Any, spread: Spread) -> Any:
    if isinstance(own, bool):
        return bool(value)
    return int(value) if spread.is_whole and abs(value) < 2**53 else value + 0.0


@dataclass(frozen=True)
class Bounds:
    """The largest numbers of cells, in increasing order, and the least and largest number that is accepted at all."""

    ends: tuple[float, ...]
    least: float
    most: float

    def parts(self, is_whole: bool) -> list[tuple[float, float]]:
        """Return the least and the largest number of each cell, or integer; the first is larger if there is none.

        >>> Bounds((0.5, 0.7), -9.0, 9.0).parts(is_whole=True)
        [(-9.0, 0.0), (1.0, 0.0), (1.0, 9.0)]
        """
        starts = [self.least, *(math.nextafter(end, math.inf) for end in self.ends)]
        parts = list(zip(starts, [*self.ends, self.most], strict=True))
        return [(float(math.ceil(low)), float(math.floor(high))) for low, high in parts] if is_whole else parts


def bounds_of(features: Sequence[Feature], conditions: Sequence[Condition], inputs: Inputs) -> Bounds:
    """Return where the cells of a column of numbers end, as doubles: before they are rounded as the list rounds."""
    thresholds = {t for c in conditions for t in (c.lower, c.upper) if c.categories is None and math.isfinite(t)}
    ends = {end for t in thresholds for _, end in at_most(t, inputs.dtype).parts}
    for feature in features:
        if isinstance(feature, NumberColumn):
            for lowest, highest in feature.missing_numbers.parts:
                ends |= {math.nextafter(lowest, -math.inf), highest}
    most = float(np.finfo(np.float64 if inputs.allows_infinity else inputs.dtype).max)
    return Bounds(tuple(sorted(end for end in ends if -most <= end < most)), -most, most)


def _dates(place: Place, row: Row, own: datetime.date | None, spread: Spread) -> list[Candidate]:
    """Return all dates between the thresholds and that of the row, and a year around them."""
    readings = {feature: feature.reading for feature in place.features if isinstance(feature, DatePart)}
    days = [] if own is None else [own.toordinal()]
    for condition in place.conditions:
        for end in (condition.lower, condition.upper):
            reading = readings.get(condition.feature)  # type: ignore[call-overload]
            if reading is not None and math.isfinite(end) and reading.part in ("days", "year"):
                first = reading.origin.toordinal() if reading.part == "days" else 0
                days.append(first + math.floor(end if reading.part == "days" else 365.2425 * end))
    days = days or [datetime.date(2000, 1, 1).toordinal()]
    low, high = max(min(days) - 732, 1), min(max(days) + 732, datetime.date.max.toordinal())
    center = own.toordinal() if own is not None else int((low + high) // 2)
    near = sorted(range(low, high + 1), key=lambda day: (abs(day - center), day))[:_MOST_DAYS]
    found = []
    for day in near:
        cost = 1.0 if own is None or math.isnan(spread.unit) else abs(day - center) / spread.unit
        sign = 0 if own is None else (day > center) - (day < center)
        if day != center or own is None:
            found.append(Candidate(datetime.date.fromordinal(day), cost, sign))
    return found
