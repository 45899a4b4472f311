"""Whether rows are those of an earlier fit: a checksum that a pickle keeps in their place."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.candidates.margins import Gaps
from hedgerow.constraints import ParityGap, check_constraints
from hedgerow.features.frames import column_of
from hedgerow.pipeline.pose import Posed


def row_checksum(posed: Posed) -> str | None:
    """Return a checksum of the training samples in their order; None of samples that were read in chunks.

    It is of the values as the forest compares them, the targets, the weights, and the columns whose groups are compared
    by a constraint, which the forest need not look at.
    """
    learned = posed.learned
    if isinstance(learned.values, Gaps):
        return None
    digest = hashlib.blake2b(digest_size=16)
    samples, values = learned.samples, learned.values[: learned.n_samples]
    digest.update(repr(values.shape).encode())
    for k in range(values.shape[1]):
        digest.update(_bits(values[:, k]))
    for column in (samples.y, samples.counted):
        _add(digest, np.asarray(column))
    for one in check_constraints(posed.settings.constraints):
        if isinstance(one, ParityGap) and not isinstance(one.group, tuple):
            place = posed.candidates.column_named(one.group, "ParityGap")
            _add(digest, np.asarray(column_of(samples.X, place)))
    return digest.hexdigest()


def _add(digest: Any, column: AnyArray) -> None:
    if column.dtype.kind in "biuf":
        digest.update(_bits(column))
        return
    keys, codes = np.unique(column.astype(str), return_inverse=True)
    digest.update(repr(keys.tolist()).encode())
    digest.update(codes.astype(np.int64).tobytes())


def _bits(column: AnyArray) -> bytes:
    """Return the bits of numbers: the same for those that compare as equal, whatever their type, and for all NaN."""
    numbers: FloatArray = column.astype(np.float64) + 0.0  # no negative zero
    numbers[np.isnan(numbers)] = np.nan
    return numbers.tobytes()
