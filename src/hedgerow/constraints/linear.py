"""Any number per rule, added up over the list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow._support.checks import is_number
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import check_bound
from hedgerow.exceptions import InvalidParameterError
from hedgerow.optimize.problem import LinearRows


@dataclass(frozen=True, eq=False)
class Linear:
    """The sum of some number over the chosen rules lies between two bounds.

    Parameters
    ----------
    values : callable, mapping or array
        A function that takes a :class:`~hedgerow.rules.rule.Rule`, with its prediction and coverage, and returns a
        number; or what each feature costs in each rule that uses it, by name; or one number per candidate.
    lower, upper : float
        The bounds; leave one out if there is none.
    name : str, optional
        What to call the constraint in messages.

    Examples
    --------
    At most two rules that predict "refer":

    >>> print(Linear(lambda rule: rule.prediction == "refer", upper=2, name="rules that refer"))
    rules that refer: at most 2
    """

    values: Callable[[Any], Any] | Mapping[Any, float] | Any
    lower: float = -np.inf
    upper: float = np.inf
    name: str = ""

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            object.__setattr__(self, name, check_bound(f"Linear({name})", getattr(self, name)))
        if self.lower == -np.inf and self.upper == np.inf:
            raise InvalidParameterError("Linear takes lower=..., upper=... or both; without a bound it asks nothing.")
        if self.lower > self.upper or self.lower == np.inf or self.upper == -np.inf:
            raise InvalidParameterError(
                f"Linear needs a lower bound that is at most the upper one; got {self.lower:g} and {self.upper:g}."
            )

    def __str__(self) -> str:
        bounds = [f"at least {self.lower:g}"] if self.lower > -np.inf else []
        bounds += [f"at most {self.upper:g}"] if self.upper < np.inf else []
        named = self.name or f"Linear({getattr(self.values, '__name__', type(self.values).__name__)})"
        return f"{named}: {' and '.join(bounds)}"

    def parts(self) -> list[Linear]:
        """Return one per bound."""
        lower = [] if self.lower == -np.inf else [replace(self, upper=np.inf)]
        return lower + ([] if self.upper == np.inf else [replace(self, lower=-np.inf)])

    @property
    def rises(self) -> bool:
        """Whether it gives way by a higher bound."""
        return self.upper < np.inf

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return none: the sum is the value of the row."""
        return ()

    def at(self, level: float) -> Linear:
        """Return the constraint with another bound."""
        return replace(self, upper=level) if self.rises else replace(self, lower=level)

    def demand(self, candidates: Candidates) -> Demand:
        """Return the row."""
        return Demand(rows=LinearRows(self._numbers(candidates), self.lower, self.upper, (str(self),)))

    def _numbers(self, candidates: Candidates) -> FloatArray:
        if isinstance(self.values, Mapping):
            found = np.zeros(len(candidates))
            for name, cost in self.values.items():
                if not is_number(cost) or not np.isfinite(cost):
                    raise InvalidParameterError(f"{self}: {name!r} must cost a finite number; got {cost!r}.")
                found += float(cost) * candidates.using(name, "Linear")
            return found
        if not callable(self.values):
            return self._given(candidates)
        found = np.empty(len(candidates))
        for j, rule in enumerate(candidates.rules):
            value = self.values(rule)
            if not (is_number(value) or isinstance(value, (bool, np.bool_))) or not np.isfinite(float(value)):
                raise InvalidParameterError(
                    f"{self}: the function must return a finite number for each rule; it returned {value!r} for "
                    f"({rule})."
                )
            found[j] = float(value)
        return found

    def _given(self, candidates: Candidates) -> FloatArray:
        try:
            found = np.asarray(self.values, dtype=np.float64)
        except (TypeError, ValueError):
            found = np.empty(0)
        if found.shape != (len(candidates),) or not np.isfinite(found).all():
            raise InvalidParameterError(
                f"{self}: an array must hold one finite number per candidate, of which there are {len(candidates)}; "
                "a function of a rule, or a dictionary of what features cost, fits any candidates."
            )
        return found
