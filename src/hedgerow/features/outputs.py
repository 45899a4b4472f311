"""What fitted transformers make of the columns, and words in a text."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, is_sparse
from hedgerow.features.feature import Feature, Gap
from hedgerow.features.frames import dense, part_of


@dataclass(frozen=True)
class Steps:
    """Fitted transformers to run one after the other on samples.

    Attributes
    ----------
    stages : tuple of (columns, transformer)
        The columns of the previous table that go in (all if None, a plain vector if an integer), and the transformer
        (None to take them as they are).
    key : str
        Identifies the steps: equal for equal steps.
    container : str
        In what scikit-learn's configuration made transformers return their output (``transform_output``) when the
        steps were read: a step may need the names of the columns that the one before it returns.
    """

    key: str
    stages: tuple[tuple[tuple[int, ...] | int | None, Any], ...] = field(compare=False, repr=False)
    container: str = field(default="default", compare=False, repr=False)

    def compute(self, X: Any, positions: Sequence[int]) -> tuple[FloatArray, BoolArray | None]:
        """Return some columns of the last step's output; and, if that is sparse, a mask of the entries it omits."""
        from sklearn import config_context

        with warnings.catch_warnings(), config_context(transform_output=self.container):
            # `Inputs` has already compared the names of the columns.
            warnings.filterwarnings("ignore", message="X (does not have valid|has) feature names")
            for columns, transformer in self.stages:
                X = part_of(X, columns)
                X = X if transformer is None else transformer.transform(X)
        if len(X.shape) == 1:
            X = np.asarray(X).reshape(-1, 1)
        made = part_of(X, tuple(positions))
        if not is_sparse(made):
            return dense(made), None
        entries, absent = made.tocoo(), np.ones(made.shape, dtype=bool)
        absent[entries.row, entries.col] = False
        return dense(made), absent


@dataclass(frozen=True)
class Output(Feature):
    """One column of what fitted transformers make of the samples.

    With ``nonzero``, zero stands for a missing value. With ``unstored``, if the
    transformers return a sparse matrix, the entries it does not store are the
    missing values instead.
    """

    steps: Steps
    position: int
    name: str
    nonzero: bool = False
    unstored: bool = False
    has_missing: bool = field(default=False, compare=False)

    takes_sparse: ClassVar[bool] = True

    @property
    def source(self) -> tuple[Steps, int]:
        return self.steps, self.position

    @property
    def gap(self) -> Gap | None:
        return Gap(0.0, 0.0, "zero") if self.nonzero else None

    @property
    def batch(self) -> Steps:
        """Steps that several features need run once."""
        return self.steps

    @classmethod
    def compute_batch(cls, X: Any, features: Sequence[Output]) -> FloatArray:
        made, absent = features[0].steps.compute(X, [f.position for f in features])
        of_zero = np.array([f.nonzero for f in features]) & (made == 0)
        of_unstored = np.array([f.unstored for f in features])
        return np.where(of_zero if absent is None else np.where(of_unstored, absent, of_zero), np.nan, made)


@dataclass(frozen=True)
class Word(Output):
    """How often a text contains a term, or the weight of the term in it.

    ``smallest`` is the smallest possible value for a text that contains the term.
    With ``nonzero``, the value is missing if the text does not contain it.
    """

    term: str = ""
    column: str = "text"
    smallest: float = 1.0
    is_count: bool = True

    @property
    def absence(self) -> str:
        return "not at all" if self.is_count else "zero"

    def phrase(self, lower: float, upper: float) -> str | None:
        contains = f'{self.column} contains "{self.term}"'
        if self.nonzero:
            if upper == math.inf and (lower <= 0 or lower < self.smallest):
                return contains
            times = _times(math.floor(max(lower, 0)), upper) if self.is_count else None
            return times and f"{contains} {times}"
        if lower == -math.inf and self._separates(upper):
            return f'{self.column} does not contain "{self.term}"'
        return contains if upper == math.inf and self._separates(lower) else None

    def _separates(self, threshold: float) -> bool:
        """Return whether a threshold separates texts with the term from those without."""
        return threshold == 0 or 0 <= threshold < self.smallest


def _times(more_than: int, at_most: float) -> str | None:
    """Return how often in words, None for never."""
    if at_most == math.inf:
        return "more than once" if more_than == 1 else f"more than {more_than} times"
    least, most = more_than + 1, math.floor(at_most)
    if least >= most:
        return None if least > most else "once" if most == 1 else f"{most} times"
    return f"at most {most} times" if least == 1 else f"{least} to {most} times"
