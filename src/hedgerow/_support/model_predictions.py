"""Reading what a model predicts, which may come in many forms: as class shares, or as one number per row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.frames import is_present

#: By how much class shares may miss 1 in all: libraries work in single precision.
ROUNDING = 1e-3


def shares_or_labels(said: Sequence[AnyArray], labels: Sequence[Any]) -> Literal["labels", "shares"] | None:
    """Return whether numbers are labels or shares of the second of two classes; None if both are the same, or neither.

    All that a model predicts is looked at together, because a part may look like the other: where the labels are 1 and
    2, 1.0 is a label or the largest share. Where all of it may be either, that is an error.

    Examples
    --------
    >>> shares_or_labels([np.array([1.0, 1.0]), np.array([0.3])], [1, 2])
    'shares'
    >>> shares_or_labels([np.array([1.0, 1.0]), np.array([2.0])], [1, 2])
    'labels'
    """
    columns = [part.ravel() for part in said if part.ndim == 1 or part.shape[1:] == (1,)]
    kinds = {part.dtype.kind for part in columns}
    if len(labels) != 2 or len(columns) < len(said) or not kinds <= set("iuf") or "f" not in kinds:
        return None
    values = np.unique(np.concatenate(columns))
    is_share, is_label = (values >= 0) & (values <= 1), np.array([value in labels for value in values.tolist()])
    if not is_label.all():
        return "shares" if is_share.all() else None
    if not is_share.all():
        return "labels"
    twofold = [value for value in values.tolist() if labels.index(value) != value]
    if twofold:
        raise InvalidDataError(
            f"All that the model predicts could be labels or shares of the second class: {twofold[0]!r} is a label of "
            f"y, and as a share it stands for {labels[int(twofold[0])]!r}. Say which: Oracle(model, returns='labels') "
            "or Oracle(model, returns='shares')."
        )
    return None


def class_shares(
    said: AnyArray,
    labels: Sequence[Any],
    known: Sequence[Any],
    row: Callable[[int], str],
    returns: Literal["labels", "shares"] | None = None,
) -> FloatArray:
    """Return what a model predicts as shares of the classes, in the order of the labels.

    Parameters
    ----------
    said : array
        Labels, the share of the second of two classes, or one row of class shares per row.
    labels : sequence
        The classes.
    known : sequence
        The same in the order of the model's shares.
    row : callable
        Names a row for a message.
    returns : "labels", "shares" or None
        What one number per row is; None for labels, unless some of them are none, but could be shares.

    Examples
    --------
    >>> class_shares(np.array([[0.25, 0.75]]), ["a", "b"], ["b", "a"], str)
    array([[0.75, 0.25]])
    >>> class_shares(np.array(["b", "a"]), ["a", "b"], ["a", "b"], str)
    array([[0., 1.],
           [1., 0.]])
    """
    if said.ndim == 2 and said.shape[1] == 1:
        said = said[:, 0]
    if said.ndim == 1:
        return _of_labels(said, labels, row, returns)
    if said.shape[1:] != (len(known),):
        raise InvalidDataError(
            f"The model returned {' x '.join(map(str, said.shape[1:]))} class shares per row, but y has "
            f"{len(known)} classes: {some(map(repr, known))}."
        )
    try:
        shares = said.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(
            f"The model's class shares must be numbers; for {row(0)} they are {said[0].tolist()}."
        ) from None
    wrong = ~(np.abs(shares.sum(axis=1) - 1) <= ROUNDING) | ~(shares >= 0).all(axis=1)  # so that NaN is wrong
    if wrong.any():
        first = int(wrong.argmax())
        raise InvalidDataError(
            f"The model's class shares for {row(first)} are {shares[first].tolist()}; they must be at least 0 and "
            "sum to 1. Of scores, let it return the softmax, or the label."
        )
    return shares[:, [list(known).index(label) for label in labels]]


def _of_labels(said: AnyArray, labels: Sequence[Any], row: Callable[[int], str], returns: str | None) -> FloatArray:
    """Return class shares of 0 and 1 for labels; of two classes, numbers between are the share of the second."""
    listed = said.tolist()
    wrong = [i for i, one in enumerate(listed) if not is_present(one) or one not in labels]
    may_be_shares = len(labels) == 2 and said.dtype.kind in ("f" if returns is None else "iuf")
    if may_be_shares and (returns == "shares" or (returns is None and wrong)):
        outside = np.flatnonzero(~((said >= 0) & (said <= 1)))  # so that NaN is outside
        if not len(outside):
            return np.column_stack([1 - said, said]).astype(np.float64)
        possible = "" if returns == "shares" else f"one of the labels of y, {some(map(repr, labels))}, or "
        raise InvalidDataError(
            f"The model predicts {listed[outside[0]]!r} for {row(int(outside[0]))}; it must be {possible}the share of "
            "the second class, between 0 and 1."
        )
    if wrong:
        raise InvalidDataError(
            f"The model predicts other labels than y has: {listed[wrong[0]]!r} for {row(wrong[0])}; y has "
            f"{some(map(repr, labels))}. Let it predict the labels of y, or pass y as the model writes it."
        )
    return (said[:, None] == np.asarray(labels)).astype(np.float64)


def numbers(said: AnyArray, row: Callable[[int], str]) -> FloatArray:
    """Return what a model predicts as one number per row; refuse anything else. ``row`` names a row."""
    try:
        values = said.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(
            f"The model must predict numbers here; for {row(0)} it predicts {said.ravel().tolist()[0]!r}."
        ) from None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InvalidDataError(f"The model must predict one number per row; it returned {values[0].size}.")
    if not np.isfinite(values).all():
        first = int(np.isfinite(values).argmin())
        raise InvalidDataError(
            f"The model predicts {float(values[first])} for {row(first)}; it must be a finite number."
        )
    return values
