"""Check a list and its proof for rows in memory, by the functions of the stand-alone script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.evidence import checker
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import column_of, frame_or_array, is_frame, is_present


@dataclass(frozen=True)
class Check:
    """The verdict on a document.

    Attributes
    ----------
    proven : bool
        Whether the list is what it says, and no list of its candidates is better.
    text : str
        What is proven and what was taken as it is stated, or what is wrong first of all.
    """

    proven: bool
    text: str

    def __bool__(self) -> bool:
        return self.proven

    def __str__(self) -> str:
        return self.text


def check(document: str | Mapping[str, Any], X: Any, y: Any, sample_weight: Any = None) -> Check:
    """Prove a rule list again from its JSON and its training rows, without trusting what computed it.

    The work is done by :mod:`hedgerow.evidence.checker`, one file that needs nothing but Python, and that also runs as
    a script of its own.

    Parameters
    ----------
    document : str or mapping
        What ``to_json(certificate=True)`` of an estimator returned, or its content.
    X, y, sample_weight : array or data frame, and arrays
        The training samples.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from hedgerow import RuleListClassifier
    >>> from hedgerow.evidence import check
    >>> X, y = load_iris(return_X_y=True)
    >>> rules = RuleListClassifier(max_rules=4, random_state=0).fit(X, y)
    >>> bool(check(rules.to_json(certificate=True), X, y))
    True
    """
    content = json.loads(document) if isinstance(document, str) else document
    if not isinstance(content, Mapping) or "certificate" not in content:
        raise InvalidDataError(
            "The document has no certificate. Write it with to_json(certificate=True) of the fitted estimator."
        )
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    try:
        said = checker.check(content, _cells(X, content), _targets(y, content), weight.tolist())
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return Check(False, f"not proven: {error if type(error) is ValueError else repr(error)}")
    return Check(True, said)


def _targets(y: Any, content: Mapping[str, Any]) -> list[Any]:
    """Return targets as a list, labels as the document has them: 1 where ``y`` says 1.0."""
    known = {label: label for label in content["classes"] or ()}
    return [known.get(one, one) for one in np.asarray(y).tolist()]


def _cells(X: Any, content: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the cells of a table, row by row, those of missing values as None, in the order of the columns."""
    X, names = frame_or_array(X), content["certificate"]["columns"]
    by_name = is_frame(X) and set(names) <= set(map(str, X.columns))
    places = [list(map(str, X.columns)).index(name) for name in names] if by_name else range(len(names))
    columns = [np.asarray(column_of(X, place)) for place in places]
    if all(column.dtype.kind in "biuf" for column in columns):
        return list(zip(*(column.tolist() for column in columns), strict=True))
    listed = [[cell if is_present(cell) else None for cell in column.tolist()] for column in columns]
    return list(zip(*listed, strict=True))
