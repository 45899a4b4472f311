"""How often the list is right about a label, or at all, on its training samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow._support.checks import is_number
from hedgerow.candidates.tally import deviations, moments
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.constraints.given import shares_of_labels, thousandths
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.optimize.problem import LinearRows, stack_rows


@dataclass(frozen=True)
class MinRecall:
    """Of the training samples with a label, the list predicts this label for at least such a share.

    Samples count with their weights. What the list predicts elsewhere is not promised: see the held-out recall, with
    its interval, in the report (:meth:`hedgerow.RuleList.to_html`).

    Parameters
    ----------
    shares : dict
        The least recall of each label in question.

    Examples
    --------
    >>> print(MinRecall({"ill": 0.8}))
    at least 80 % of the samples of 'ill' are predicted so
    """

    shares: Mapping[Any, float]
    #: What may help if no list satisfies it.
    advice: ClassVar[str] = (
        "A rule predicts the label that most of its samples have; with loss=cost_matrix(...) or sample_weight, it "
        "predicts a rare one sooner."
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", shares_of_labels("MinRecall", self.shares))

    def __str__(self) -> str:
        return "; ".join(map(self._words, self.shares))

    def _words(self, label: Any) -> str:
        return f"at least {100 * self.shares[label]:.6g} % of the samples of {label!r} are predicted so"

    def __repr__(self) -> str:
        return f"MinRecall({dict(self.shares)!r})"

    def parts(self) -> list[MinRecall]:
        """Return one per label."""
        return [MinRecall({label: share}) for label, share in self.shares.items()]

    @property
    def rises(self) -> bool:
        """It gives way by a lower share."""
        return False

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return none: the recall is the value of the row."""
        return ()

    def at(self, level: float) -> MinRecall:
        """Return the constraint with another share."""
        return MinRecall(dict.fromkeys(self.shares, level))

    def demand(self, candidates: Candidates) -> Demand:
        """Return one row per label: the weight that is found, as a share of the label's."""
        rows = []
        for label, share in self.shares.items():
            k = candidates.label(label, "MinRecall")
            total = float(candidates.class_totals[k])
            if not total:
                raise InvalidDataError(f"MinRecall: no training sample has the label {label!r}. Leave it out.")
            found = np.where(candidates.predicted == k, candidates.class_weights[:, k], 0.0) / total
            rows.append(LinearRows(found, share, np.inf, (self._words(label),)))
        return Demand(rows=stack_rows(rows))


@dataclass(frozen=True)
class MinPrecision:
    """Of the training samples for which the list predicts a label, at least such a share has it; and some rule does.

    A list that never predicts the label would keep the promise by saying nothing. So at least one rule predicts it.

    Parameters
    ----------
    shares : dict
        The least precision of each label in question.

    Examples
    --------
    >>> print(MinPrecision({"ill": 0.5}))
    some rule predicts 'ill', and at least 50 % of the samples for which one does have it
    """

    shares: Mapping[Any, float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", shares_of_labels("MinPrecision", self.shares))

    def __str__(self) -> str:
        return "; ".join(map(self._words, self.shares))

    def _words(self, label: Any) -> str:
        share = f"{100 * self.shares[label]:.6g} %"
        return f"some rule predicts {label!r}, and at least {share} of the samples for which one does have it"

    def __repr__(self) -> str:
        return f"MinPrecision({dict(self.shares)!r})"

    def parts(self) -> list[MinPrecision]:
        """Return one per label."""
        return [MinPrecision({label: share}) for label, share in self.shares.items()]

    @property
    def rises(self) -> bool:
        """It gives way by a lower share."""
        return False

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return lower shares, in thousandths."""
        return thousandths(next(iter(self.shares.values())), 0.001)

    def at(self, level: float) -> MinPrecision:
        """Return the constraint with another share."""
        return MinPrecision(dict.fromkeys(self.shares, level))

    def demand(self, candidates: Candidates) -> Demand:
        """Return two rows per label: what is right beyond the share, and that some rule predicts it."""
        rows = []
        for label, share in self.shares.items():
            k = candidates.label(label, "MinPrecision")
            so = candidates.predicted == k
            beyond = np.where(so, candidates.class_weights[:, k] - share * candidates.sizes, 0.0) / candidates.total
            entries = np.stack([beyond, so.astype(np.float64)])
            rows.append(LinearRows(entries, [0.0, 1.0], np.inf, (self._words(label),) * 2))
        return Demand(rows=stack_rows(rows))


@dataclass(frozen=True)
class MaxError:
    """The list is wrong about at most such a share of its training samples; of numbers, at most so far off.

    Parameters
    ----------
    value : float
        For labels, the share of the samples, with their weights, that get another label. For numbers, the mean squared
        error.

    Examples
    --------
    >>> print(MaxError(0.1))
    an error of at most 0.1 on the training samples
    """

    value: float

    def __post_init__(self) -> None:
        if not is_number(self.value) or not 0 <= self.value < np.inf:
            raise InvalidParameterError(
                "MaxError takes a share of the samples or, for numbers, a mean squared error: a number of at least 0; "
                f"got {self.value!r}."
            )

    def __str__(self) -> str:
        return f"an error of at most {self.value:.6g} on the training samples"

    @property
    def rises(self) -> bool:
        """It gives way by a larger error."""
        return True

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return none: the error is the value of the row."""
        return ()

    def at(self, level: float) -> MaxError:
        """Return the constraint with another error."""
        return MaxError(level)

    def demand(self, candidates: Candidates) -> Demand:
        """Return the row of the error."""
        if candidates.task.has_labels and self.value > 1:
            raise InvalidParameterError(f"MaxError takes a share between 0 and 1 for labels; got {self.value!r}.")
        wrong = candidates.sizes - candidates.right if candidates.task.has_labels else _squares(candidates)
        return Demand(rows=LinearRows(wrong / candidates.total, -np.inf, self.value, (str(self),)))


def _squares(candidates: Candidates) -> FloatArray:
    """Return the weighted sum of squared distances of each rule's targets from what it predicts."""
    rows = candidates.y, candidates.weight, candidates.coverage
    size, about_mean = deviations(*rows)
    said = np.array([told["prediction"] for told in candidates.predictions])
    return about_mean + size * (said - moments(*rows)[0]) ** 2
