"""The next best lists beside the list of the report: how good they are, on what they rely, which rules they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.evidence.wish_prices import is_cheap
from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.html.report.samples import TRAINING, Samples
from hedgerow.rules.alternatives import Alternatives
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value

#: How many lists are shown unasked, and by what share of the training rows they then differ at least.
USUAL, APART = 6, 0.05
#: Seconds for the search.
SECONDS = 6.0
#: More lists than this do not fit beside each other.
MOST = 12


@dataclass(frozen=True)
class OneList:
    """A column: one of the lists.

    Attributes
    ----------
    number : int
    below : float
        By how much its objective is below that of the best list, as a share of its size.
    scores : tuple of float
        On each set of samples that has targets, in the order of ``SideBySide.scored``.
    n_rules : int
    is_shown : bool
        Whether it is the list of the report.
    """

    number: int
    below: float
    scores: tuple[float, ...]
    n_rules: int
    is_shown: bool


@dataclass(frozen=True)
class FeatureRow:
    """A feature: by how much the training score drops without it, for each list that looks at it."""

    name: str
    drops: tuple[str | None, ...]
    lowest: str
    highest: str


@dataclass(frozen=True)
class RuleRow:
    """A rule, what it predicts, and which lists have it."""

    text: str
    prediction: str
    class_number: int | None
    of: tuple[bool, ...]


@dataclass(frozen=True)
class SideBySide:
    """The lists, as the columns of a table.

    Attributes
    ----------
    told : str
        What these lists are, and what is proven.
    score : str
        The name of the score.
    scored : tuple of str
        The sets of samples that scores are of.
    lists : tuple of OneList
    features : tuple of FeatureRow
    rules : tuple of RuleRow
    n_left_out : int
        How many further lists were found that are not shown.
    """

    told: str
    score: str
    scored: tuple[str, ...]
    lists: tuple[OneList, ...]
    features: tuple[FeatureRow, ...]
    rules: tuple[RuleRow, ...]
    n_left_out: int


def lay_side_by_side(
    rule_list: RuleList, estimator: Any, alternatives: bool | int | Alternatives | None, samples: Sequence[Samples]
) -> SideBySide | None:
    """Show alternatives: those that are given, so many, or a few if that is cheap or asked for."""
    found = _find(estimator, alternatives)
    if found is None or len(found) < 2:
        return None
    shown = found.rule_lists[:MOST]
    n_classes = len(rule_list.task.labels)
    rows = [one for one in samples if one.y is not None and one.name != TRAINING]
    trained = any(score is not None for score in found.scores)
    lists = tuple(
        OneList(
            number=i + 1,
            below=found.shares[i],
            scores=(*((score,) if (score := found.scores[i]) is not None else ()), *_scores(one, rows)),
            n_rules=len(one),
            is_shown=one.rules == rule_list.rules,
        )
        for i, one in enumerate(shown)
    )
    return SideBySide(
        told=found.describe(),
        score=found.score_name,
        scored=(*((TRAINING,) if trained else ()), *(one.name for one in rows)),
        lists=lists,
        features=tuple(_features(found, len(shown), in_points=n_classes > 0)),
        rules=tuple(_rules(rule_list, found, len(shown))),
        n_left_out=len(found) - len(shown),
    )


def _find(estimator: Any, wanted: bool | int | Alternatives | None) -> Alternatives | None:
    if isinstance(wanted, Alternatives):
        return wanted
    if wanted is False or estimator is None or (wanted is None and not is_cheap(estimator)):
        return None
    if wanted is None or wanted is True:
        found: Alternatives = estimator.without_search.alternatives(USUAL, differ_by=APART, time_limit=SECONDS)
        return found
    if not isinstance(wanted, int):
        raise InvalidParameterError(
            "alternatives must be what estimator.alternatives(...) returned, a number of lists, True or False; got "
            f"{wanted!r}."
        )
    counted: Alternatives = estimator.without_search.alternatives(wanted, time_limit=SECONDS)
    return counted


def _scores(one: RuleList, rows: Sequence[Samples]) -> Iterable[float]:
    return (one.task.score(of.y, one.predict(of.seen.X)) for of in rows)


def _features(found: Alternatives, n_lists: int, in_points: bool) -> Iterable[FeatureRow]:
    """Yield a row per feature, the one with the highest reliance first."""
    used = {one.text: set(one.lists) for one in found.features}

    def written(drop: float) -> str:
        text = f"{100 * drop:.1f}" if in_points else f"{drop:.2f}"
        return "0" if float(text) == 0 else text.replace("-", "−")

    if found.reliances:
        for one in found.reliances:
            drops = tuple(written(one.of[i]) if i in used[one.name] else None for i in range(n_lists))
            if any(drop is not None for drop in drops):
                yield FeatureRow(one.name, drops, written(one.lowest), written(one.highest))
        return
    for name, lists in used.items():
        yield FeatureRow(name, tuple("✓" if i in lists else None for i in range(n_lists)), "", "")


def _rules(rule_list: RuleList, found: Alternatives, n_lists: int) -> Iterable[RuleRow]:
    """Yield a row per rule: those of the first list first, then those of the second that are new, and so on."""
    labels = rule_list.task.labels
    digits = max(one.digits for one in found)
    places: dict[Any, set[int]] = {}
    for i, one in enumerate(found.rule_lists[:n_lists]):
        for rule in one:
            places.setdefault((frozenset(rule.simplified), rule.prediction), set()).add(i)
    seen = set()
    for one in found.rule_lists[:n_lists]:
        for rule in one:
            key = (frozenset(rule.simplified), rule.prediction)
            if key in seen:
                continue
            seen.add(key)
            number = labels.index(rule.prediction) if labels else None
            of = tuple(i in places[key] for i in range(n_lists))
            yield RuleRow(rule.describe(digits), format_value(rule.prediction), number, of)
