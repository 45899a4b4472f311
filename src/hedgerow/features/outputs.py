"""What fitted transformers make of the columns, and words in a text."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow.features.feature import Feature, Gap
from hedgerow.features.tables import dense, part_of


@dataclass(frozen=True)
class Steps:
    """Fitted transformers to run one after the other on samples.

    Attributes
    ----------
    stages : tuple of (columns, transformer)
        Which columns of the table before go in (all if None, a plain vector if
        a number), and who transforms them (nobody if None).
    key : str
        What the steps are: equal for equal steps.
    """

    key: str
    stages: tuple[tuple[tuple[int, ...] | int | None, Any], ...] = field(compare=False, repr=False)

    def compute(self, X: Any, positions: Sequence[int]) -> tuple[FloatArray, BoolArray | None]:
        """Return some columns of what the last step makes of X; and where it stores nothing, if that is sparse."""
        with warnings.catch_warnings():
            # That names are there in one place and not in the other was looked at by `Inputs`.
            warnings.filterwarnings("ignore", message="X (does not have valid|has) feature names")
            for columns, transformer in self.stages:
                X = part_of(X, columns)
                X = X if transformer is None else transformer.transform(X)
        if len(X.shape) == 1:
            X = np.asarray(X).reshape(-1, 1)
        made = part_of(X, tuple(positions))
        if not sparse.issparse(made):
            return dense(made), None
        entries, absent = made.tocoo(), np.ones(made.shape, dtype=bool)
        absent[entries.row, entries.col] = False
        return dense(made), absent


@dataclass(frozen=True)
class Output:
    """What fitted transformers make of the samples: one column of it.

    With ``nonzero`` a zero stands for a missing value. With ``unstored``, if the
    transformers make a sparse matrix, that which it does not store does instead.
    """

    steps: Steps
    position: int
    name: str
    nonzero: bool = False
    unstored: bool = False
    has_missing: bool = field(default=False, compare=False)

    @property
    def absence(self) -> str:
        """What to call a value that becomes NaN."""
        return "zero or missing" if self.nonzero else "missing"

    @property
    def gap(self) -> Gap | None:
        """The numbers that count as missing."""
        return Gap(0.0, 0.0, "zero") if self.nonzero else None

    def compute(self, X: Any) -> AnyArray:
        """Return the column's values."""
        return compute_together(X, [self])[:, 0]


@dataclass(frozen=True)
class Word(Output):
    """How often a text contains a term, or the term's weight in it.

    ``smallest`` is what the value cannot be below if the text contains the term.
    With ``nonzero`` the value is missing if the text does not.
    """

    term: str = ""
    column: str = "text"
    smallest: float = 1.0
    is_count: bool = True

    @property
    def absence(self) -> str:
        """What to call that a text does not contain the term."""
        return "not at all" if self.is_count else "zero"

    def phrase(self, lower: float, upper: float) -> str | None:
        """Say in words that the value lies between two numbers, if there are words for it."""
        contains = f'{self.column} contains "{self.term}"'
        if self.nonzero:
            if upper == math.inf and (lower <= 0 or lower < self.smallest):
                return contains
            times = _times(math.floor(max(lower, 0)), upper) if self.is_count else None
            return times and f"{contains} {times}"
        if lower == -math.inf and self._parts(upper):
            return f'{self.column} does not contain "{self.term}"'
        return contains if upper == math.inf and self._parts(lower) else None

    def _parts(self, threshold: float) -> bool:
        """Whether a threshold tells texts with the term from those without."""
        return threshold == 0 or 0 <= threshold < self.smallest


def _times(more_than: int, at_most: float) -> str | None:
    """Say how often, None for never."""
    if at_most == math.inf:
        return "more than once" if more_than == 1 else f"more than {more_than} times"
    least, most = more_than + 1, math.floor(at_most)
    if least >= most:
        return None if least > most else "once" if most == 1 else f"{most} times"
    return f"at most {most} times" if least == 1 else f"{least} to {most} times"


def compute_together(X: Any, features: Sequence[Feature], dtype: Any = np.float64) -> FloatArray:
    """Return the features of X, one a column; steps that several of them need run once."""
    values = np.empty((X.shape[0], len(features)), dtype=dtype, order="F")
    together: dict[Steps, list[int]] = {}
    for i, feature in enumerate(features):
        if isinstance(feature, Output):
            together.setdefault(feature.steps, []).append(i)
        else:
            values[:, i] = feature.compute(X)
    for steps, where in together.items():
        outputs = [f for i in where if isinstance(f := features[i], Output)]
        made, absent = steps.compute(X, [f.position for f in outputs])
        of_zero = np.array([f.nonzero for f in outputs]) & (made == 0)
        of_unstored = np.array([f.unstored for f in outputs])
        missing = of_zero if absent is None else np.where(of_unstored, absent, of_zero)
        values[:, where] = np.where(missing, np.nan, made)
    return values
