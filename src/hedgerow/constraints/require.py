"""Rules and features that a list must have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import check_rule, only_one
from hedgerow.exceptions import InfeasibleError
from hedgerow.optimize.problem import LinearRows


@dataclass(frozen=True)
class Require:
    """Some rule of the list uses a feature, or is a certain rule.

    Parameters
    ----------
    feature : str, int or Feature, optional
        The name of a column or feature, or the position of a column.
    rule : Rule, optional
        Such as one of ``rule_list_``: the rule with the same conditions is chosen, in whatever order it has them.

    Examples
    --------
    >>> print(Require(feature="age"))
    some rule uses age
    """

    feature: Any = None
    rule: Any = None

    def __post_init__(self) -> None:
        only_one(self, "Require", ("feature", "rule"))
        check_rule("Require", self.rule)

    def __repr__(self) -> str:
        given = {name: value for name, value in vars(self).items() if value is not None}
        return f"Require({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    def __str__(self) -> str:
        if self.rule is not None:
            return f"the rule ({self.rule.describe()}) is chosen"
        named = f"column {self.feature}" if isinstance(self.feature, int) else getattr(self.feature, "name", None)
        return f"some rule uses {named or self.feature}"

    def demand(self, candidates: Candidates) -> Demand:
        """Return the row that one of the rules in question is chosen."""
        if self.rule is None:
            wanted = candidates.using(self.feature, "Require").astype(np.float64)
            what = f"No candidate uses {self.feature!r}"
        else:
            wanted = np.zeros(len(candidates))
            wanted[candidates.like(self.rule)] = 1.0
            what = f"No candidate has the conditions of the rule ({self.rule.describe()})"
        if not wanted.any():
            raise InfeasibleError(
                f"{what}, so that no list can have it. Take an ensemble that has such rules, candidates='nodes', or a "
                "lower min_coverage, or leave the constraint out."
            )
        return Demand(rows=LinearRows(wanted, 1.0, np.inf, (str(self),)))
