"""The samples that a report is about: checked, and evaluated once for all sections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import column_or_1d

from hedgerow._support.arrays import AnyArray
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.features import Feature
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList

#: What sets of samples are called: those that the list was learned from, those that were set aside, and others that
#: are tested, of which it is not known whether the list was learned from some of them.
TRAINING, HELD_OUT, TESTED = "training", "held-out", "tested"


@dataclass(frozen=True, eq=False)
class Samples:
    """A named set of samples, what the list makes of it, and the targets, if they are given."""

    name: str
    seen: Evaluation
    y: AnyArray | None = None

    @property
    def gaps(self) -> frozenset[Feature]:
        """The features of the list that have missing values in these samples."""
        return frozenset(feature for feature, values in self.seen.values.items() if np.isnan(values).any())


def check_samples(rule_list: RuleList, name: str, argument: str, X: Any, y: Any) -> Samples | None:
    """Return the samples of an argument with their targets, evaluated; None if they are not given."""
    if X is None:
        if y is not None:
            raise InvalidParameterError(f"Targets were given without their samples: give {argument} as well.")
        return None
    X = rule_list.inputs.as_samples(X)
    if not X.shape[0]:
        raise InvalidDataError(f"{argument} has no samples; give at least one, or leave {argument} out.")
    return Samples(name, rule_list.evaluate(X), None if y is None else _targets(rule_list, argument, X.shape[0], y))


def _targets(rule_list: RuleList, argument: str, n_samples: int, y: Any) -> AnyArray:
    targets: AnyArray = column_or_1d(y)
    if len(targets) != n_samples:
        raise InvalidDataError(f"{argument} has {n_samples} samples, but there are {len(targets)} targets for them.")
    if rule_list.task.has_labels:
        return targets
    try:
        numbers = targets.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(f"The list predicts numbers, but the targets of {argument} are not numbers.") from None
    if not np.isfinite(numbers).all():
        raise InvalidDataError(f"The targets of {argument} contain NaN or infinity; drop these samples.")
    return numbers
