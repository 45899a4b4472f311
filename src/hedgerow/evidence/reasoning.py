"""Why a list predicts what it predicts for a row, why not something else, and the smallest changes that lead there.

What may change is divided into cells (:mod:`hedgerow.evidence.cell_values`), and an exact search finds the cheapest way
to another answer (:mod:`hedgerow.evidence.least_changes`). Every change that is returned was put into the row, and the
list was asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from hedgerow._support.arrays import is_sparse
from hedgerow._support.lettering import close_names, some
from hedgerow.evidence.cell_values import cells_of
from hedgerow.evidence.changed_rows import Row, numbers_in
from hedgerow.evidence.explanation import Change, ColumnChange, Held, OtherAnswer, Reasons, shown_before
from hedgerow.evidence.least_changes import Cells, Point, least_changes
from hedgerow.evidence.places import Place, PlaceCells
from hedgerow.evidence.spreads import Spread
from hedgerow.evidence.validating import rule_list_of
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features.frames import check_in_memory
from hedgerow.pipeline.samples import Streamed
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.telling import told
from hedgerow.rules.wording import format_value

#: The answers of a list of numbers.
_DIRECTIONS = ("higher", "lower")


def reasons(
    rule_list: Any,
    x: Any,
    *,
    reference: Any = None,
    changeable: Sequence[str | int] | Mapping[Any, int | None] | None = None,
    answer: Any = None,
) -> Reasons:
    """Say why a list predicts what it predicts for a row, why not something else, and what would have to change.

    The changes are the smallest: the sum over the columns of how far each value is from where the new one begins, in
    spreads of the column. They are about the list, not about the world: whether a column can be changed on its own, and
    whether that changes anything but the prediction, is for others to say.

    Parameters
    ----------
    rule_list : RuleList, or a fitted estimator that has one
    x : table with one row, or one row of it as an array, a list, a dictionary or a pandas Series
    reference : array or data frame, optional
        Rows from which the spread of each column is taken: the distance between the 5 % and the 95 % quantile. By
        default, the training rows of an estimator that has them still. Without any, a change counts the thresholds of
        the list that it crosses. A change of a category, and of a missing value, counts 1 in any case.
    changeable : sequence of str, or dict, optional
        The columns that may change, by name or position; by default, all. In a dictionary, 1 says that a value may only
        rise, -1 that it may only fall, 0 that it may do both.
    answer : object, optional
        The class wanted; or "higher" or "lower" for a list of numbers. By default, all others.

    Returns
    -------
    Reasons

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from hedgerow import RuleListClassifier
    >>> from hedgerow.evidence import reasons
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y).rule_list_
    >>> print(reasons(rules, X.iloc[[70]], reference=X, answer=1))
    Rule 3 predicts 2 (98 %):
      petal width (cm) > 1.75   is 1.8
      petal length (cm) > 4.75  is 4.8
    <BLANKLINE>
    Not 1: rule 1 predicts 1 (91 %), but this fails: 0.8 < petal width (cm) <= 1.75 (is 1.8).
      To 1: petal width (cm) from 1.8 to 1.75 (-0.02 spreads); then rule 1 matches.
    """
    return Reasoner.of(rule_list, reference, changeable).reasons(x, answer)


@dataclass(frozen=True, eq=False)
class Reasoner:
    """A list with what is known about its columns, to be asked about one row after the other.

    Attributes
    ----------
    rules : RuleList
    places : tuple of Place
        What may change on its own.
    spreads : tuple of Spread
        Of each place.
    signs : tuple
        Of each place: 1, -1, 0, or None if it may not change.
    """

    rules: RuleList
    places: tuple[Place, ...]
    spreads: tuple[Spread, ...]
    signs: tuple[int | None, ...]

    @classmethod
    def of(cls, rule_list: Any, reference: Any = None, changeable: Any = None) -> Reasoner:
        """Return the reasoner of a list; :func:`reasons` describes the parameters."""
        rules = rule_list_of(rule_list)
        places = _places(rules)
        reference = _training_rows(rule_list) if reference is None else reference
        spreads = tuple(Spread() for _ in places)
        if reference is not None:
            seen = rules.evaluate(reference)
            values = dict(seen.values)
            spreads = tuple(
                Spread() if place.kind == "category" else Spread.of(numbers_in(place, seen.X, rules.inputs, values))
                for place in places
            )
        return cls(rules, places, spreads, _signs(rules, places, changeable))

    def reasons(self, x: Any, answer: Any = None) -> Reasons:
        """Return the reasons for a row."""
        seen = self.rules.evaluate(_one_row(self.rules, x))
        return _OfRow(self, seen, Row(self.rules.inputs, seen.X, dict(seen.values))).reasons(answer)


class _OfRow:
    """The reasons for one row."""

    def __init__(self, reasoner: Reasoner, seen: Evaluation, row: Row) -> None:
        self.rules, self.seen, self.row, self.reasoner = reasoner.rules, seen, row, reasoner
        self.parts = [
            cells_of(place, row, spread, sign)
            for place, spread, sign in zip(reasoner.places, reasoner.spreads, reasoner.signs, strict=True)
        ]
        self.cells = Cells([part.costs for part in self.parts], [self._allowed(rule) for rule in self.rules])
        self.fired = int(seen.fired[0])
        self.prediction = seen.predictions[0]

    def reasons(self, answer: Any) -> Reasons:
        """Return the reasons."""
        rule = self.rules[self.fired] if self.fired >= 0 else self.rules.default
        said = rule.describe_prediction()
        if self.fired < 0 and self.rules.fallback is not None:
            said = f"what the ensemble says, {format_value(self.prediction)}"
        matching = np.flatnonzero(self.seen.matches[0]).tolist()
        return Reasons(
            prediction=self.prediction,
            rule=self.fired,
            said=said,
            why=tuple(self._held(rule)),
            later=tuple(matching[1:]),
            others=tuple(self._about(name, wanted) for name, wanted in self._wanted(answer).items()),
            is_labels=self.rules.task.has_labels,
            notes=tuple(self._notes(answer)),
        )

    def _allowed(self, rule: Rule) -> dict[int, int]:
        found: dict[int, list[int]] = {}
        for condition in rule.simplified:
            j = next(j for j, part in enumerate(self.parts) if condition in part.passing)
            found.setdefault(j, []).append(self.parts[j].passing[condition])
        return {j: reduce(and_, masks) for j, masks in found.items()}

    def _held(self, rule: Rule) -> list[Held]:
        found = []
        for condition in rule.simplified:
            value = self.seen.values[condition.feature][0]
            found.append(Held(*told(condition, value, self.rules.digits), bool(condition.holds(np.array([value]))[0])))
        return found

    def _wanted(self, answer: Any) -> dict[str, list[int]]:
        """Return the positions of the rules that give each of the answers in question; -1 is the default."""
        given = [(i, rule.prediction) for i, rule in enumerate(self.rules)]
        if self.rules.fallback is None:
            given.append((-1, self.rules.default.prediction))
        found: dict[Any, list[int]] = {}
        if not self.rules.task.has_labels:
            ways = _DIRECTIONS if answer is None else (answer,)
            if answer not in (None, *_DIRECTIONS):
                raise InvalidParameterError(
                    f'answer must be "higher" or "lower", as the list predicts numbers; got {answer!r}.',
                    parameter="answer",
                )
            now = float(self.prediction)
            for way in ways:
                found[way] = [i for i, value in given if (value > now if way == "higher" else value < now)]
        else:
            labels = list(self.rules.task.labels) if answer is None else [self._label(answer)]
            for label in labels:
                found[format_value(label)] = [i for i, value in given if value == label and label != self.prediction]
        now_said = format_value(self.prediction)
        return {name: wanted for name, wanted in found.items() if wanted or (answer is not None and name != now_said)}

    def _label(self, answer: Any) -> Any:
        labels = list(self.rules.task.labels)
        known = [label for label in labels if label == answer or format_value(label) == answer]
        if not known:
            raise InvalidParameterError(f"answer must be one of {some(labels)}; got {answer!r}.", parameter="answer")
        return known[0]

    def _about(self, name: str, wanted: list[int]) -> OtherAnswer:
        if not wanted:
            return OtherAnswer(name, -1, "nothing: no rule gives it", (), ())
        nearest = min(wanted, key=self._distance)
        rule = self.rules[nearest] if nearest >= 0 else self.rules.default
        fails = tuple(held for held in self._held(rule) if not held.holds)
        points, is_complete = least_changes(self.cells, wanted)
        changes = self._confirmed(points, wanted)
        is_complete = is_complete and len(changes) == len(points)
        return OtherAnswer(name, nearest, rule.describe_prediction(), fails, tuple(changes), is_complete)

    def _distance(self, i: int) -> tuple[int, int]:
        """Return by how many conditions a rule fails, and its position; the default comes last."""
        if i < 0:
            return len(self.rules) + sum(len(rule.simplified) for rule in self.rules), 0
        return sum(not held.holds for held in self._held(self.rules[i])), i

    def _confirmed(self, points: list[Point], wanted: list[int]) -> list[Change]:
        """Return the changes for which the list gives a wanted answer when it is asked about the changed row."""
        found = []
        for point in points:
            seen = self._asked(point)
            rule = int(seen.fired[0])
            if rule in wanted:
                parts = tuple(_change(self.parts[j], cell) for j, cell in enumerate(point.cells) if cell)
                found.append(Change(parts, seen.predictions[0], rule, point.cost))
        return found

    def _asked(self, point: Point) -> Evaluation:
        new = {part.place: part.values[cell] for part, cell in zip(self.parts, point.cells, strict=True) if cell}
        X = self.row.changed([{place.column: value for place, value in new.items() if place.column is not None}])
        if all(place.column is not None for place in new):
            return self.rules.evaluate(X)
        values = dict(self.row.values)
        for place, value in new.items():
            values |= self.row.tried(place, [value])
        return replace(self.seen, X=X, values=values)

    def _notes(self, answer: Any) -> list[str]:
        notes = []
        if answer is not None and format_value(answer) == format_value(self.prediction):
            notes.append(f"{format_value(answer)} is what the list predicts already.")
        computed = [place.name for place in self.reasoner.places if place.column is None]
        if computed:
            what = "a series" if self.rules.inputs.of_series else "several columns or by fitted steps"
            notes.append(
                f"These values are computed from {what}: {some(computed)}. Changes are about the values themselves, "
                "and were confirmed for these; whether any row has all of them at once is not known."
            )
        unknown = [part.place.name for part in self.parts if part.measure == "thresholds" and len(part.values) > 1]
        if unknown and not any(spread.is_known for spread in self.reasoner.spreads):
            notes.append(
                "Without reference rows, the spreads of the columns are not known: a change counts the thresholds that "
                "it crosses."
            )
        elif unknown:
            notes.append(f"The spread of {some(unknown)} is not known: a change counts the thresholds that it crosses.")
        if self.rules.fallback is not None:
            notes.append("Where no rule matches, the ensemble decides; changes that lead there were not looked for.")
        return notes


def _change(part: PlaceCells, cell: int) -> ColumnChange:
    before = shown_before(part.values[0], part.texts[0])
    written = part.texts[0], part.texts[cell]
    return ColumnChange(part.place.name, before, part.values[cell], part.costs[cell], part.measure, written)


def _places(rules: RuleList) -> tuple[Place, ...]:
    """Return what may change on its own: columns, and features that do not come from a single one."""
    together: dict[Any, list[Any]] = {}
    conditions = dict.fromkeys(condition for rule in rules for condition in rule.simplified)
    for condition in conditions:
        columns = condition.feature.table_columns
        key = columns[0].index if len(columns) == 1 else condition.feature
        together.setdefault(key, []).append(condition)
    places = []
    for key, of_place in together.items():
        features = tuple(dict.fromkeys(condition.feature for condition in of_place))
        column = key if isinstance(key, int) else None
        name = features[0].name if column is None else rules.inputs.names[column]
        places.append(Place(name, column, features, tuple(of_place)))
    return tuple(places)


def _signs(rules: RuleList, places: tuple[Place, ...], changeable: Any) -> tuple[int | None, ...]:
    """Return in which direction each place may change."""
    if changeable is None:
        return (0,) * len(places)
    if isinstance(changeable, (str, int)):
        changeable = [changeable]
    given = dict(changeable) if isinstance(changeable, Mapping) else dict.fromkeys(changeable, 0)
    columns, computed = rules.inputs.names, [place.name for place in places if place.column is None]
    signs: dict[str, int] = {}
    for one, sign in given.items():
        is_position = isinstance(one, (int, np.integer)) and not isinstance(one, bool)
        name = columns[one] if is_position and -len(columns) <= one < len(columns) else one
        if name not in columns and name not in computed:
            close = close_names(str(name), [*columns, *computed])
            hint = f" Did you mean {close[0]!r}?" if close else f" The columns are: {some([*columns, *computed])}."
            raise InvalidParameterError(f"{name!r} is to change, but is not a column of the list.{hint}")
        if sign not in (0, 1, -1, None):
            raise InvalidParameterError(f"changeable takes 1, -1 or 0 for {name!r}; got {sign!r}.")
        signs[str(name)] = int(sign or 0)
    categories = _categories(rules) | {place.name for place in places if place.kind == "category"}
    for name, sign in signs.items():
        if sign and name in categories:
            raise InvalidParameterError(f"{name} has categories, which neither rise nor fall. Leave out the direction.")
    return tuple(signs.get(place.name) for place in places)


def _categories(rules: RuleList) -> set[str]:
    """Return the columns that the ensemble reads as categories alone, whether or not the list looks at them."""
    read: dict[str, bool] = {}
    for feature in rules.inputs.features:
        for column in feature.table_columns:
            name = rules.inputs.names[column.index]
            read[name] = read.get(name, True) and feature.levels is not None
    return {name for name, is_category in read.items() if is_category}


def _one_row(rules: RuleList, x: Any) -> Any:
    """Return a table with the row."""
    check_in_memory(x)
    if isinstance(x, Mapping):
        import pandas as pd

        return pd.DataFrame([dict(x)])
    if hasattr(x, "to_frame") and hasattr(x, "index") and not hasattr(x, "columns"):  # a pandas Series
        x = x.to_frame().T.infer_objects()
    if is_sparse(x) and rules.inputs.absent == "zero":
        x = x.toarray()
    if not hasattr(x, "shape"):
        cells = list(x) if isinstance(x, (list, tuple)) else [x]
        plain = all(not isinstance(cell, str) and cell is not None for cell in cells)
        x = np.asarray(cells, dtype=None if plain else object)
    shape = rules.inputs.sample_shape
    if not hasattr(x, "columns") and (len(x.shape) == 1 or (rules.inputs.of_series and x.shape == shape)):
        x = x[None]
    if len(x.shape) > 0 and x.shape[0] != 1:
        raise InvalidDataError(f"reasons is about one row; x has {x.shape[0]}. Pass one, such as X[:1] or X.iloc[[0]].")
    return x


def _training_rows(estimator: Any) -> Any:
    """Return the training rows of an estimator that has them, else None."""
    posed = vars(getattr(estimator, "without_search", estimator)).get("posed_")
    samples = None if posed is None else posed.learned.samples
    return None if samples is None or isinstance(samples, Streamed) else samples.X
