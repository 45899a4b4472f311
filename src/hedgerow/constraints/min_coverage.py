"""How many samples each rule must rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

from hedgerow._support.checks import is_number
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import thousandths
from hedgerow.exceptions import InvalidParameterError

#: Shares that differ by less are equal.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class MinCoverage:
    """Every chosen rule covers at least so many training samples, or such a share of their weight.

    The parameter ``min_coverage`` of an estimator does the same before losses are scaled. So it changes what the
    objective means, which this constraint does not: objectives with and without it can be compared.

    Parameters
    ----------
    value : int or float
        An integer of at least 1 is a number of samples, a float below 1 a share of the samples' weight.

    Examples
    --------
    >>> print(MinCoverage(0.05))
    every rule covers at least 5 % of the samples
    >>> print(MinCoverage(20))
    every rule covers at least 20 samples
    """

    value: float

    def __post_init__(self) -> None:
        is_count = isinstance(self.value, Integral) and not isinstance(self.value, bool) and self.value >= 1
        if not is_count and not (is_number(self.value) and 0 <= self.value < 1):
            raise InvalidParameterError(
                f"MinCoverage takes a number of samples, at least 1, or a share below 1; got {self.value!r}."
            )

    def __str__(self) -> str:
        least = f"{self.value} samples" if self.value >= 1 else f"{100 * self.value:.6g} % of the samples"
        return f"every rule covers at least {least}"

    @property
    def rises(self) -> bool:
        """It gives way by a lower coverage."""
        return False

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return smaller numbers of samples, or shares in thousandths."""
        if self.value >= 1:
            return range(int(self.value) - 1, 0, -1)
        return thousandths(self.value, 0.0)

    def at(self, level: float) -> MinCoverage:
        """Return the constraint with another number or share."""
        return MinCoverage(int(level) if self.value >= 1 else level)

    def demand(self, candidates: Candidates) -> Demand:
        """Return which rules cover enough."""
        if self.value >= 1:
            return Demand(candidates.counts >= self.value)
        return Demand(candidates.sizes >= self.value * candidates.total * (1 - _ROUNDING))
