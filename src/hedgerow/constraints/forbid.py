"""Rules and features that a list must do without."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.lettering import some
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import check_rule, only_one
from hedgerow.exceptions import InvalidParameterError


@dataclass(frozen=True)
class Forbid:
    """No rule of the list uses a feature, or all of several features together, or is a certain rule.

    Parameters
    ----------
    feature : str, int or Feature, optional
        The name of a column or feature, or the position of a column: no rule may use it.
    features : sequence of these, optional
        No rule may use all of them together. To forbid each of them, give one constraint per feature.
    rule : Rule, optional
        Such as one of ``rule_list_``. The rule with the same conditions is not chosen, in whatever order it has them.

    Examples
    --------
    >>> Forbid(feature="age")
    Forbid(feature='age')
    >>> print(Forbid(features=["age", "income"]))
    no rule uses age and income together
    """

    feature: Any = None
    features: Any = None
    rule: Any = None

    def __post_init__(self) -> None:
        only_one(self, "Forbid", ("feature", "features", "rule"))
        check_rule("Forbid", self.rule)
        if self.features is None:
            return
        alone = isinstance(self.features, str) or not isinstance(self.features, Iterable)
        if alone or len(list(self.features)) < 2:
            raise InvalidParameterError(
                f"Forbid(features=...) takes at least two features, which no rule may use together; got "
                f"{self.features!r}. For a single one, take Forbid(feature=...)."
            )
        object.__setattr__(self, "features", tuple(self.features))

    def __repr__(self) -> str:
        given = {name: value for name, value in vars(self).items() if value is not None}
        return f"Forbid({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    def __str__(self) -> str:
        if self.rule is not None:
            return f"the rule ({self.rule.describe()}) is not chosen"
        if self.features is not None:
            return f"no rule uses {' and '.join(map(_named, self.features))} together"
        return f"no rule uses {_named(self.feature)}"

    def demand(self, candidates: Candidates) -> Demand:
        """Return which rules may be chosen."""
        if self.rule is not None:
            allowed = np.ones(len(candidates), dtype=bool)
            allowed[candidates.like(self.rule)] = False
            return Demand(allowed)
        named = [self.feature] if self.features is None else self.features
        using = np.logical_and.reduce([candidates.using(name, "Forbid") for name in named])
        return Demand(~using)


def _named(feature: Any) -> str:
    return some([f"column {feature}" if isinstance(feature, int) else getattr(feature, "name", feature)])
