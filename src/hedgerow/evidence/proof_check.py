"""Check a list and its proof for rows in memory, by the functions of the stand-alone script."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.lettering import some
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
    digest : str
        What ``digest_of`` returns for the list that was checked; empty if that is not known.
    """

    proven: bool
    text: str
    digest: str = ""

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
    content = _content(document)
    for name, given, n_dimensions in (("X", X, 2), ("y", y, 1)):
        if len(np.shape(given)) != n_dimensions:
            what = "a table, with one row per sample" if n_dimensions == 2 else "an array, with one target per row"
            raise InvalidDataError(f"{name} must be {what}; its shape is {np.shape(given)}.")
    if not isinstance(content, Mapping) or "certificate" not in content:
        raise InvalidDataError(
            "The document has no certificate. Write it with to_json(certificate=True) of the fitted estimator."
        )
    digest = digest_of(content)
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    try:
        cells, targets = _cells(X, content), _targets(y, content)
        _check_lengths({"X": len(cells), "y": len(targets), "sample_weight": len(weight)})
        said = checker.check(content, cells, targets, weight.tolist())
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return Check(False, f"not proven: {error if type(error) is ValueError else repr(error)}", digest)
    return Check(True, said, digest)


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a list as JSON, without its certificate and the time of the search, which both may vary."""
    told = {name: value for name, value in content.items() if name != "certificate"}
    if isinstance(told.get("solution"), Mapping):
        told["solution"] = {name: value for name, value in told["solution"].items() if name != "seconds"}
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()


def _content(document: str | Mapping[str, Any]) -> Any:
    if not isinstance(document, str):
        return document
    try:
        return json.loads(document)
    except ValueError as error:
        raise InvalidDataError(
            f"The document is not JSON: {error}. Pass what to_json(certificate=True) of the fitted estimator returned, "
            "or the text of a file with it."
        ) from None


def _check_lengths(lengths: Mapping[str, int]) -> None:
    if len(set(lengths.values())) > 1:
        raise ValueError(f"the numbers of rows differ: {', '.join(f'{n} in {name}' for name, n in lengths.items())}")


def _targets(y: Any, content: Mapping[str, Any]) -> list[Any]:
    """Return targets as a list, labels as the document has them: 1 where ``y`` says 1.0."""
    known = {label: label for label in content["classes"] or ()}
    targets = [known.get(one, one) for one in np.asarray(y).tolist()]
    texts = set(map(str, known))
    wrong = [one for one in targets if (str(one) not in texts if known else not is_present(one))]
    if wrong:
        what = f"y contains {wrong[0]!r}, which is not a class of the list" if known else "y has missing values"
        raise ValueError(f"these are not the training rows: {what}")
    return targets


def _cells(X: Any, content: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the cells of a table, row by row, those of missing values as None, in the order of the columns."""
    X, names = frame_or_array(X), content["certificate"]["columns"]
    by_name = is_frame(X) and set(names) <= set(map(str, X.columns))
    if not by_name and X.shape[1] < len(names):
        raise ValueError(f"the list was learned from {len(names)} columns, X has {X.shape[1]}; pass {some(names)}")
    places = [list(map(str, X.columns)).index(name) for name in names] if by_name else range(len(names))
    columns = [np.asarray(column_of(X, place)) for place in places]
    if all(column.dtype.kind in "biuf" for column in columns):
        return list(zip(*(column.tolist() for column in columns), strict=True))
    listed = [[cell if is_present(cell) else None for cell in column.tolist()] for column in columns]
    return list(zip(*listed, strict=True))
