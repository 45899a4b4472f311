"""The samples that a report is about: checked, and evaluated once for all sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import column_or_1d

from hedgerow._support.arrays import AnyArray, IntArray, ValueArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import Feature
from hedgerow.rules.rule_list import RuleList


@dataclass(frozen=True, eq=False)
class Samples:
    """A set of samples and what a rule list makes of it.

    Attributes
    ----------
    name : str
        "training" or "held-out".
    X : array or data frame
    y : array or None
        The targets, if they are given.
    fired : int array
        The position of the first matching rule, -1 if none matches.
    values : mapping of Feature to array
        The values of the features that the rules use.
    predictions : array
    """

    name: str
    X: Any
    y: AnyArray | None
    fired: IntArray
    values: Mapping[Feature, ValueArray]
    predictions: AnyArray

    @classmethod
    def of(cls, rule_list: RuleList, name: str, X: Any, y: AnyArray | None = None) -> Samples:
        """Evaluate a rule list on samples."""
        used = {condition.feature for rule in rule_list for condition in rule.simplified}
        return cls(name, X, y, rule_list.apply(X), rule_list.inputs.values(X, used), rule_list.predict(X))

    def __len__(self) -> int:
        return len(self.fired)


def check_samples(rule_list: RuleList, name: str, argument: str, X: Any, y: Any) -> Samples | None:
    """Return the samples of an argument with their targets, evaluated; None if they are not given."""
    if X is None:
        if y is not None:
            raise InvalidParameterError(f"Targets were given without their samples: give {argument} as well.")
        return None
    X = rule_list.inputs.as_samples(X)
    if not X.shape[0]:
        raise InvalidDataError(f"{argument} has no samples; give at least one, or leave {argument} out.")
    return Samples.of(rule_list, name, X, None if y is None else _targets(rule_list, argument, X.shape[0], y))


def _targets(rule_list: RuleList, argument: str, n_samples: int, y: Any) -> AnyArray:
    targets: AnyArray = column_or_1d(y)
    if len(targets) != n_samples:
        raise InvalidDataError(f"{argument} has {n_samples} samples, but there are {len(targets)} targets for them.")
    if rule_list.classes is not None:
        return targets
    try:
        numbers = targets.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(f"The list predicts numbers, but the targets of {argument} are not numbers.") from None
    if not np.isfinite(numbers).all():
        raise InvalidDataError(f"The targets of {argument} contain NaN or infinity; drop these samples.")
    return numbers
