"""What the list of the command extract must satisfy: options as constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.constraints import Forbid, MaxFeatures, MinRecall, Monotone, Require
from hedgerow.exceptions import InvalidParameterError

#: How a direction is written.
SIGNS = {"+": 1, "+1": 1, "rising": 1, "-": -1, "-1": -1, "falling": -1}


@dataclass(frozen=True)
class Conditions:
    """The options as they are given.

    Attributes
    ----------
    forbid, require : sequences of str
        Columns that no rule may use, and that some rule must use.
    monotone : sequence of str
        ``column:+`` or ``column:-``.
    max_features : int or None
    min_recall : sequence of str
        ``label=share``.
    round_thresholds : bool
    """

    forbid: Sequence[str] = ()
    require: Sequence[str] = ()
    monotone: Sequence[str] = ()
    max_features: int | None = None
    min_recall: Sequence[str] = ()
    round_thresholds: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters of an estimator that they stand for; those that are not given are absent."""
        constraints: list[Any] = [Forbid(feature=name) for name in self.forbid]
        constraints += [Require(feature=name) for name in self.require]
        if self.monotone:
            constraints.append(Monotone(dict(map(_sign, self.monotone))))
        if self.max_features is not None:
            constraints.append(MaxFeatures(self.max_features))
        if self.min_recall:
            constraints.append(MinRecall(dict(map(_recall, self.min_recall))))
        found: dict[str, Any] = {"constraints": tuple(constraints)} if constraints else {}
        return found | ({"round_thresholds": True} if self.round_thresholds else {})

    @property
    def columns(self) -> list[str]:
        """The columns that the list must be able to use."""
        return [*self.require, *(_sign(one)[0] for one in self.monotone)]


def _sign(text: str) -> tuple[str, int]:
    name, colon, sign = text.rpartition(":")
    if not colon or not name or sign not in SIGNS:
        raise InvalidParameterError(
            f"--monotone takes a column and a direction, such as income:+ if predictions must not fall when income "
            f"rises, or debt:- for the opposite; got {text!r}."
        )
    return name, SIGNS[sign]


def _recall(text: str) -> tuple[str, float]:
    label, equals, share = text.rpartition("=")
    try:
        value = float(share.removesuffix("%")) / (100 if share.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not equals or not label or not 0 < value <= 1:
        raise InvalidParameterError(
            f"--min-recall takes a label and a share above 0 and at most 1, such as yes=0.8; got {text!r}."
        )
    return label, value
