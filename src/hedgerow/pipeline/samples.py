"""What ``fit`` is given, after it has been checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.sources.source import Chunk, Passes, Source
from hedgerow.tasks import Task


@dataclass(frozen=True, eq=False)
class Heard:
    """What a model has predicted for the samples before any fit, so that no fit asks about them again.

    Attributes
    ----------
    said : array
        One row of class shares per sample, in the order of the task's classes, or one value.
    n_left : int or None
        About how many more rows it may be asked in a fit; None if there is no limit.
    returns : "labels", "shares" or None
        What one number per row of it is, of two classes; None if it makes no difference.
    asked : pair of int
        About how many rows it was asked, and in how many calls.
    """

    said: AnyArray
    n_left: int | None
    returns: Literal["labels", "shares"] | None
    asked: tuple[int, int]

    def about(self, rows: Any) -> Heard:
        """Return the same about some of the samples."""
        return replace(self, said=self.said[rows])

    def shared_by(self, n_fits: int) -> Heard:
        """Return the same for one of so many fits, each of which may ask about equally many more rows."""
        return self if self.n_left is None else replace(self, n_left=self.n_left // n_fits)


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
    heard : Heard or None
        What the teacher has predicted for them, if it was asked before.
    """

    X: Any
    y: AnyArray
    weight: FloatArray | None
    task: Task
    n_features: int | None
    names: Sequence[str] | None = None
    heard: Heard | None = None

    @property
    def n_counted(self) -> int:
        """The number of samples that are not of weight 0."""
        return int(np.count_nonzero(self.counted))

    @property
    def counted(self) -> FloatArray:
        """One weight per sample."""
        return np.ones(len(self.y)) if self.weight is None else self.weight

    @property
    def n_passes(self) -> int | None:
        """The number of passes made over them so far; None if they are in memory."""
        return None


@dataclass(frozen=True, eq=False)
class Streamed(Samples):
    """Training samples that are read in chunks: ``X`` is their source, and ``y`` is empty.

    Attributes
    ----------
    read : list of Passes
        All passes made over them.
    """

    X: Source
    read: list[Passes] = field(default_factory=list)

    @cached_property
    def n_counted(self) -> int:
        """The number of samples that are not of weight 0, which takes a pass if the source cannot tell."""
        if self.X.n_rows is not None and not self.X.has_weights:
            return self.X.n_rows
        passes = self.X.passes(_Bare(), [])
        self.read.append(passes)
        return passes.run(_Count(), targets=self.X.has_weights, what="counting rows").n

    @property
    def n_passes(self) -> int:
        """The number of passes made over them so far."""
        return sum(passes.n for passes in self.read)


class _Bare:
    """Reads nothing of a chunk but how many of its rows count."""

    def rows(self, chunk: Chunk) -> int:
        return chunk.n_rows if chunk.weight is None else int(np.count_nonzero(chunk.weight))


class _Count:
    def __init__(self) -> None:
        self.n = 0

    def empty(self) -> _Count:
        return _Count()

    def add(self, rows: int) -> None:
        self.n += rows

    def merge(self, other: _Count) -> None:
        self.n += other.n
