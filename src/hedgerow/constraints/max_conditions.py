"""How many conditions a reader has to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow._support.checks import check_integer
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.exceptions import InvalidParameterError
from hedgerow.optimize.problem import LinearRows


@dataclass(frozen=True)
class MaxConditions:
    """The rules have at most so many conditions, all together or each.

    Conditions are counted as they are read: one per feature of a rule, so that ``2 < age <= 5`` is one. The parameter
    ``max_conditions`` of an estimator counts the steps from the root of a tree instead, of which this one has two.

    Parameters
    ----------
    total : int, optional
        The most conditions of all rules together.
    each : int, optional
        The most conditions of each rule.

    Examples
    --------
    >>> print(MaxConditions(total=12, each=3))
    at most 12 conditions in all and at most 3 in each rule
    """

    total: int | None = None
    each: int | None = None

    def __post_init__(self) -> None:
        for name in ("total", "each"):
            check_integer(f"MaxConditions({name})", getattr(self, name), least=0, optional=True)
        if self.total is None and self.each is None:
            raise InvalidParameterError("MaxConditions takes total=..., each=... or both; got neither.")

    def __str__(self) -> str:
        total = [] if self.total is None else [f"at most {self.total} conditions in all"]
        each = [] if self.each is None else [f"at most {self.each} {'' if total else 'conditions '}in each rule"]
        return " and ".join(total + each)

    def parts(self) -> list[MaxConditions]:
        """Return one for all rules together, and one for each."""
        total = [] if self.total is None else [MaxConditions(total=self.total)]
        return total + ([] if self.each is None else [MaxConditions(each=self.each)])

    @property
    def rises(self) -> bool:
        """It gives way by more conditions."""
        return True

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return larger numbers of conditions of each rule; the total is the value of a row."""
        if self.each is None:
            return ()
        return range(self.each + 1, int(candidates.n_conditions.max(initial=0)) + 1)

    def at(self, level: float) -> MaxConditions:
        """Return the constraint with another number."""
        return MaxConditions(total=int(level)) if self.each is None else MaxConditions(each=int(level))

    def demand(self, candidates: Candidates) -> Demand:
        """Return which rules are short enough, and the row of the total."""
        amount = candidates.n_conditions
        allowed = None if self.each is None else amount <= self.each
        if self.total is None:
            return Demand(allowed)
        name = f"at most {self.total} conditions in all"
        return Demand(allowed, LinearRows(amount.astype(np.float64), -np.inf, float(self.total), (name,)))
