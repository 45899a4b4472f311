"""A rule: conditions, and what is predicted where they hold."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features import Feature
from hedgerow.rules.condition import Condition
from hedgerow.rules.wording import ROUNDING, format_number, format_value

#: The kind of a prediction that a teacher is for, and most of the rule's samples are not; and what it means, in words.
TAUGHT = "taught"
ABOUT_TAUGHT = "taught: the teacher is for this class, most of the rule's few samples are not"


@dataclass(frozen=True)
class Rule:
    """The ordered conditions from the root of a tree to a node, and what is predicted where they hold.

    Attributes
    ----------
    conditions : tuple of Condition
        The path as the tree has it. :attr:`simplified` is the same for reading.
    prediction : object
        Label of the most frequent class, or mean of the covered targets; or what ``kind`` says.
    coverage : int
        Training samples that satisfy the rule.
    share : float
        Their share of all training samples (of the total weight, if weighted).
    distribution : tuple of float or None
        How likely each class is for a new sample: its share among the covered samples, smoothed if the estimator
        smooths, and with the opinion of a teacher if there is one. None for regression.
    class_share : float or None
        The share of the predicted class among the covered samples; if not given, the largest of ``distribution``.
    spread : float or None
        Standard deviation of the covered targets; for a small rule with a teacher, the root mean square of their
        distances from its prediction. None for classification.
    of_model : float or None
        Of a list that explains a model: the model's own mean share of the predicted class over the covered samples, or
        the standard deviation of its predictions for them. ``prediction`` and ``distribution`` are then the model's,
        ``class_share`` and ``spread`` are about ``y``.
    kind : str
        What the prediction is, if not the usual one: "median", "90 % quantile", "least cost"; "taught" if a teacher
        is for another class than most of the samples.
    tree, node : int
        Where in the forest the rule comes from.
    """

    conditions: tuple[Condition, ...]
    prediction: Any = None
    coverage: int = 0
    share: float = 0.0
    distribution: tuple[float, ...] | None = None
    spread: float | None = None
    tree: int = -1
    node: int = -1
    class_share: float | None = None
    kind: str = ""
    of_model: float | None = None

    def __post_init__(self) -> None:
        if self.distribution is not None and self.class_share is None:
            object.__setattr__(self, "class_share", max(self.distribution))

    @property
    def simplified(self) -> tuple[Condition, ...]:
        """One condition per feature, in the order in which the path first names them."""
        merged: dict[Feature, Condition] = {}
        for condition in self.conditions:
            known = merged.get(condition.feature)
            merged[condition.feature] = condition if known is None else known & condition
        return tuple(merged.values())

    def with_bounds(self, feature: str | Feature, *, lower: float | None = None, upper: float | None = None) -> Rule:
        """Return the conditions with other thresholds of one feature, and no prediction: that of the new rule differs.

        Parameters
        ----------
        feature : str or Feature
            One that the rule looks at, by its name.
        lower, upper : float, optional
            The new thresholds of ``lower < x <= upper``; what is not given stays.

        Examples
        --------
        >>> from hedgerow.features import Column
        >>> print(Rule((Condition(Column(0, "age"), upper=41.37),)).with_bounds("age", upper=40))
        age <= 40
        """
        name = feature if isinstance(feature, str) else feature.name
        known = [condition.feature.name for condition in self.simplified]
        if name not in known:
            raise InvalidParameterError(
                f"The rule does not look at {name!r}. It looks at: {', '.join(known) or 'nothing'}."
            )
        changed = []
        for condition in self.simplified:
            if condition.feature.name == name:
                if condition.categories is not None:
                    raise InvalidParameterError(
                        f"{name} has categories, not thresholds. Write the rule as text instead."
                    )
                low, high = condition.lower if lower is None else lower, condition.upper if upper is None else upper
                condition = replace(condition, lower=float(low), upper=float(high))
            changed.append(condition)
        return Rule(tuple(changed))

    def holds(self, values_of: Callable[[Feature], AnyArray], n_samples: int) -> BoolArray:
        """Return a mask of the samples that satisfy every condition."""
        passes = np.ones(n_samples, dtype=bool)
        for condition in self.simplified:
            passes &= condition.holds(values_of(condition.feature))
        return passes

    def describe(self, digits: int = 4, missing_in: Collection[Feature] = ()) -> str:
        """Write the conditions for a person, merged and joined by "and".

        Where missing values go is said for features that were missing in training, and for those in ``missing_in``.
        """
        return " and ".join(c.describe(digits, c.feature in missing_in) for c in self.simplified) or "always"

    @property
    def _predicts_nothing(self) -> bool:
        """Whether the prediction is a mean that only rounding keeps from 0."""
        return self.spread is not None and 0 < abs(self.prediction) < ROUNDING * self.spread

    def describe_prediction(self, digits: int = 4) -> str:
        """Write the prediction with the share of its class, or the spread of the targets about their mean."""
        text = "0" if self._predicts_nothing else format_value(self.prediction, digits)
        if self.class_share is not None:
            model = "" if self.of_model is None else f", model {100 * self.of_model:.0f} %"
            return f"{text} ({100 * self.class_share:.0f} %{f', {self.kind}' if self.kind else ''}{model})"
        model = "" if self.of_model is None else f" (model ± {format_number(self.of_model, digits)})"
        if self.kind:
            return f"{self.kind} {text}{model}"
        return f"{text if self.spread is None else f'{text} ± {format_number(self.spread, digits)}'}{model}"

    def sentence(self, digits: int = 4) -> str:
        """Write conditions and prediction. JSON documents contain it, so another wording needs another version."""
        if not self.conditions:
            return f"always predict {self.describe_prediction()}"
        return f"if {self.describe(digits)} then {self.describe_prediction()}"

    def __str__(self) -> str:
        return self.describe() if self.prediction is None else self.sentence()
