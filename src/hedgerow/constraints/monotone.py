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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow._support.checks import is_number
from hedgerow._support.lettering import some
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import Values
from hedgerow.constraints.monotone_rows import MonotoneRows
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features.columns import NumberColumn
from hedgerow.features.series import SeriesFeature


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
                    shown = candidates.pool.forest.features[k].name
                    raise InvalidParameterError(f"Monotone: {shown!r} is given both +1 and -1. Leave one out.")
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
