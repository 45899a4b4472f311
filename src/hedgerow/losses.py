"""How costly a rule's answer is on the samples it covers.

A loss takes the targets, the sample weights and the coverage and returns one
number a rule. To add one, write it here and name it in ``LOSSES``; or pass your
own callable: ``f(y, weight, coverage)`` returning one number a rule, or a plain
``f(y_covered)`` or ``f(y_covered, weight_covered)`` returning a number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hedgerow.arrays import AnyArray, FloatArray
from hedgerow.coverage import Coverage
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.scores import Function, check_vector, mix, parse_spec, required_arguments, rule_by_rule


def misclassification(y: AnyArray, weight: FloatArray, coverage: Coverage) -> FloatArray:
    """N_j - max_c N_cj: the weight of the covered samples that are not of the most frequent class.

    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [1, 1]])
    >>> misclassification(np.array(["a", "a", "b"]), np.ones(3), coverage)
    array([1., 0.])
    """
    counts = class_weights(y, weight, coverage)
    missed: FloatArray = counts.sum(axis=1) - counts.max(axis=1)
    return missed


def sse(y: AnyArray, weight: FloatArray, coverage: Coverage) -> FloatArray:
    """Sum of squared errors of the covered targets about their mean."""
    return _deviations(y, weight, coverage)[1]


def mse(y: AnyArray, weight: FloatArray, coverage: Coverage) -> FloatArray:
    """Mean squared error of the covered targets about their mean.

    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [0, 1]])
    >>> mse(np.array([1.0, 3.0, 5.0]), np.ones(3), coverage)
    array([1., 0.])
    """
    total, squared = _deviations(y, weight, coverage)
    return squared / total


#: Losses by name.
LOSSES: dict[str, Function] = {"misclassification": misclassification, "mse": mse, "sse": sse}
#: Which of them count labels; the others measure numbers.
OF_LABELS = frozenset({"misclassification"})


def class_weights(y: AnyArray, weight: FloatArray, coverage: Coverage) -> FloatArray:
    """Return the weight of each class among each rule's samples, of shape (n_rules, n_classes).

    ``y`` holds a label a sample, or a row of class shares a sample.
    """
    if y.ndim == 2:
        return coverage.many_sums([weight * shares for shares in y.T])
    classes, codes = np.unique(y, return_inverse=True)
    return coverage.sums(weight, codes, len(classes))


def check_loss_of_task(spec: Any, labels: bool) -> None:
    """Refuse a loss of numbers for labels, and a loss of labels for numbers."""
    for name, function, _ in parse_spec(spec, LOSSES, "loss"):
        if LOSSES.get(name) is function and (name in OF_LABELS) != labels:
            fitting = ", ".join(repr(known) for known in LOSSES if (known in OF_LABELS) == labels)
            kind = "labels" if labels else "numbers"
            raise InvalidParameterError(f"The loss {name!r} does not go with {kind} as targets. Possible: {fitting}.")


def evaluate_loss(
    spec: Any, y: AnyArray, weight: FloatArray, coverage: Coverage, describe: Callable[[int], str]
) -> FloatArray:
    """Return the loss of each rule by name, by callable or by a weighted list of them.

    ``describe`` names a rule in the message about a callable that failed on it.
    """
    parts = []
    for name, function, share in parse_spec(spec, LOSSES, "loss"):
        title = f"The loss {name!r}"
        values = _call(title, function, y, weight, coverage, describe)
        parts.append((check_vector(values, coverage.n_rules, title, describe), share))
    return mix(parts)


def _call(
    title: str,
    function: Function,
    y: AnyArray,
    weight: FloatArray,
    coverage: Coverage,
    describe: Callable[[int], str],
) -> Any:
    n_arguments = len(required_arguments(function))
    if n_arguments == 3:
        return function(y, weight, coverage)
    if n_arguments not in (1, 2):
        raise InvalidParameterError(
            f"{title} takes {n_arguments} arguments. A loss is f(y, weight, coverage), one number a rule, "
            "or f(y_covered) or f(y_covered, weight_covered), one number."
        )

    def of_rule(j: int) -> Any:
        rows = coverage.members(j)
        return function(y[rows]) if n_arguments == 1 else function(y[rows], weight[rows])

    return rule_by_rule(of_rule, coverage.n_rules, title, describe)


def _deviations(y: AnyArray, weight: FloatArray, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
    """Return the total weight of each rule and its weighted sum of squared deviations."""
    scale = float(np.max(np.abs(y), initial=0.0)) or 1.0
    if not 1e-150 < scale < 1e150:
        raise InvalidDataError(f"Targets of size {scale:.1g} cannot be squared in floating point. Rescale y.")
    return coverage.deviations(np.asarray(y, dtype=np.float64), weight)
