"""What ``fit`` is given, after it has been checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.tasks import Task


@dataclass(frozen=True, eq=False)
class Samples:
    """Training samples.

    Attributes
    ----------
    X : array, data frame or series
    y : array
        The targets: labels or numbers.
    weight : float array or None
        None if all samples count the same.
    task : Task
        What is predicted, by the targets alone.
    n_features : int or None
        As scikit-learn counts them; None for samples that are not a table, such as strings.
    names : sequence of str or None
        The names of the columns, if they have names.
    """

    X: Any
    y: AnyArray
    weight: FloatArray | None
    task: Task
    n_features: int | None
    names: Sequence[str] | None = None

    @property
    def counted(self) -> FloatArray:
        """One weight per sample."""
        return np.ones(len(self.y)) if self.weight is None else self.weight
