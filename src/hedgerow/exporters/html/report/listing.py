"""The rules of a list in words, one row per rule."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from hedgerow.features import Feature
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule import TAUGHT, Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_number, format_value


class ConditionText(NamedTuple):
    """A condition in words, and "or missing" if it matters that a missing value passes but the words do not mention it.

    They mention it where the training data had missing values. Elsewhere it is arbitrary where a forest sends them; it
    matters if other rows, such as held-out ones, have missing values there.
    """

    text: str
    or_missing: str


@dataclass(frozen=True)
class RuleRow:
    """A rule in words.

    Attributes
    ----------
    number : int
        Its place in the list, from 1; 0 for the default.
    conditions : tuple of ConditionText
        One per feature; empty if the rule always matches.
    prediction : str
        The label or value.
    certainty : str
        How certain the prediction is: "91 %", "± 3.2", or nothing; of a list that explains a model, also how certain
        the model is.
    coverage : int
        Number of training samples.
    share : float
        Their share of all training samples.
    class_number : int or None
        The position of the predicted class; None for regression.
    level : float
        Where the value lies between the smallest and the largest of the list, from 0 to 1.
    """

    number: int
    conditions: tuple[ConditionText, ...]
    prediction: str
    certainty: str
    coverage: int
    share: float
    class_number: int | None
    level: float


@dataclass(frozen=True)
class Listing:
    """The rules in their order, and what is predicted where none matches."""

    rules: tuple[RuleRow, ...]
    default: RuleRow
    asks_ensemble: bool
    says_taught: bool = False
    says_model: bool = False

    @property
    def is_constant(self) -> bool:
        """Whether the list consists of one rule without conditions, so that it never gets to the default."""
        return len(self.rules) == 1 and not self.rules[0].conditions

    @property
    def says_missing(self) -> bool:
        """Whether some condition has a note on missing values."""
        return any(condition.or_missing for row in self.rules for condition in row.conditions)

    @classmethod
    def of(cls, rule_list: RuleList, gaps: Collection[Feature] = ()) -> Listing:
        """Write all rules of a list; ``gaps`` are the features with missing values in the rows of the report."""
        rows = tuple(_row(rule_list, rule, i, gaps) for i, rule in enumerate(rule_list, start=1))
        taught = any(rule.kind == TAUGHT for rule in rule_list)
        of_model = any(rule.of_model is not None for rule in rule_list)
        default = _row(rule_list, rule_list.default, 0, gaps)
        return cls(rows, default, rule_list.fallback is not None, taught, of_model)


def _row(rule_list: RuleList, rule: Rule, number: int, gaps: Collection[Feature]) -> RuleRow:
    return RuleRow(
        number=number,
        conditions=tuple(_condition(rule_list, condition, gaps) for condition in rule.simplified),
        prediction=format_value(rule.prediction),
        certainty=_certainty(rule),
        coverage=rule.coverage,
        share=rule.share,
        class_number=rule_list.task.labels.index(rule.prediction) if rule_list.task.has_labels else None,
        level=_level(rule_list, rule),
    )


def _condition(rule_list: RuleList, condition: Condition, gaps: Collection[Feature]) -> ConditionText:
    feature, text = condition.feature, condition.describe(rule_list.digits)
    passes = condition.missing and feature in gaps
    is_said = text == condition.describe(rule_list.digits, show_missing=True)
    return ConditionText(text, f"or {feature.absence}" if passes and not is_said else "")


def _certainty(rule: Rule) -> str:
    if rule.class_share is not None:
        model = "" if rule.of_model is None else f", model {100 * rule.of_model:.0f} %"
        return f"{100 * rule.class_share:.0f} %" + (f", {rule.kind}" if rule.kind else "") + model
    if rule.kind or rule.spread is None:
        return rule.kind
    model = "" if rule.of_model is None else f", model ± {format_number(rule.of_model)}"
    return f"± {format_number(rule.spread)}{model}"


def _level(rule_list: RuleList, rule: Rule) -> float:
    if rule_list.task.has_labels:
        return 1.0
    predictions = [float(one.prediction) for one in (*rule_list, rule_list.default)]
    least, most = min(predictions), max(predictions)
    return (float(rule.prediction) - least) / (most - least) if most > least else 1.0
