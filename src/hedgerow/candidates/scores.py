"""One number per rule: from a name, a callable or a weighted list to a checked vector.

Losses and stabilities share this code: how users specify them, the checks of what a callable returns, and the scaling
to [0, 1].
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow.exceptions import InvalidParameterError

Function = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Scores:
    """How good each candidate is, before and after scaling to [0, 1].

    Attributes
    ----------
    raw_stability, raw_loss : float arrays
        As the functions return them; for a weighted list, the weighted sum of the scaled parts.
    stability, loss : float arrays
        The same, min-max scaled over the candidates; a loss with a price per rule is scaled from zero.
    total : float array
        ``stability_weight * stability - (1 - stability_weight) * loss``:
        the objective of the integer program.
    """

    raw_stability: FloatArray
    raw_loss: FloatArray
    stability: FloatArray
    loss: FloatArray
    total: FloatArray

    def subset(self, rules: IntArray) -> Scores:
        """Return the scores of these rules only, without scaling them again."""
        return Scores(*(getattr(self, field.name)[rules] for field in fields(self)))


def combine_scores(
    raw_stability: FloatArray, raw_loss: FloatArray, stability_weight: float, from_zero: bool = False
) -> Scores:
    """Scale both to [0, 1] and combine them; with ``from_zero``, a loss of 0 stays 0."""
    stability, loss = min_max(raw_stability), share_of_largest(raw_loss) if from_zero else min_max(raw_loss)
    total = stability_weight * stability - (1 - stability_weight) * loss
    return Scores(raw_stability, raw_loss, stability, loss, total)


def scaled_alike(known: FloatArray, scaled: FloatArray, others: FloatArray) -> FloatArray:
    """Scale other values as some known ones were scaled; their results may lie outside of [0, 1].

    >>> scaled_alike(np.array([2.0, 4.0]), np.array([0.0, 1.0]), np.array([3.0, 6.0]))
    array([0.5, 2. ])
    """
    if not len(known):
        return np.zeros_like(others)
    low, high = int(np.argmin(known)), int(np.argmax(known))
    span = known[high] - known[low]
    if span == 0 or not np.isfinite(span):
        return np.full_like(others, scaled[low])
    return scaled[low] + (others - known[low]) / span * (scaled[high] - scaled[low])


def min_max(values: FloatArray) -> FloatArray:
    """Scale linearly to [0, 1]; a constant vector becomes 0.

    >>> min_max(np.array([2.0, 4.0, 3.0]))
    array([0. , 1. , 0.5])
    >>> min_max(np.array([7.0, 7.0]))
    array([0., 0.])
    """
    if not len(values):
        return values
    low, high = values.min(), values.max()
    if high == low:
        return np.zeros_like(values)
    with np.errstate(over="ignore"):
        span = high - low
    if np.isfinite(span):
        return (values - low) / span
    return (values / 2 - low / 2) / (high / 2 - low / 2)


def share_of_largest(values: FloatArray) -> FloatArray:
    """Divide by the largest size, so that sums of values keep their order.

    >>> share_of_largest(np.array([2.0, 4.0, 3.0]))
    array([0.5 , 1.  , 0.75])
    """
    largest = np.max(np.abs(values), initial=0.0)
    return values / largest if largest > 0 else values


def parse_spec(spec: Any, known: Mapping[str, Function], what: str) -> list[tuple[str, Function, float]]:
    """Return (name, function, weight) for each part of a spec."""
    parts = [(spec, 1.0)] if isinstance(spec, str) or callable(spec) else spec
    try:
        parts = [(part, float(weight)) for part, weight in parts]
    except (TypeError, ValueError):
        raise InvalidParameterError(
            f"{what} must be one of {', '.join(map(repr, known))}, a callable, or a list of (name or callable, "
            f"weight); got {spec!r}."
        ) from None
    weights = np.array([weight for _, weight in parts])
    if not len(parts) or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise InvalidParameterError(
            f"The weights in a list for {what} must be finite, not negative and not all zero; got {weights.tolist()}."
        )
    return [(*_lookup(part, known, what), weight) for part, weight in parts]


def _lookup(part: Any, known: Mapping[str, Function], what: str) -> tuple[str, Function]:
    if callable(part):
        return getattr(part, "__name__", type(part).__name__), part
    if not isinstance(part, str) or part not in known:
        more = " such as hedgerow.losses.pinball(0.9) or cost_matrix(costs)" if what == "loss" else " of your own"
        raise InvalidParameterError(
            f"Unknown {what} {part!r}. Possible: {', '.join(map(repr, known))}, or a callable{more}."
        )
    return part, known[part]


def mix(parts: Sequence[tuple[FloatArray, float]], scale: Callable[[FloatArray], FloatArray] = min_max) -> FloatArray:
    """Return the weighted sum of the scaled parts; a single part is returned unchanged."""
    if len(parts) == 1:
        return parts[0][0]
    return np.sum([weight * scale(values) for values, weight in parts], axis=0)


def check_vector(values: Any, n_rules: int, name: str, describe: Callable[[int], str]) -> FloatArray:
    """Return the result of a function as a float array; raise if its length is wrong or it is not finite."""
    vector: AnyArray = np.asarray(values)
    if vector.shape != (n_rules,):
        raise InvalidParameterError(
            f"{name} must return one number per rule, an array of shape ({n_rules},); "
            f"it returned one of shape {vector.shape}."
        )
    try:
        numbers = vector.astype(np.float64) if vector.dtype.kind in "biufO" else None
    except (TypeError, ValueError):
        numbers = None
    if numbers is None:
        raise InvalidParameterError(f"{name} must return numbers; it returned {vector.dtype}.")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise InvalidParameterError(
            f"{name} returned {numbers[bad[0]]} for {describe(int(bad[0]))}"
            + (f" and is not finite for {len(bad) - 1} more rules" if len(bad) > 1 else "")
            + ". It must return a finite number for every rule: a large loss, say, for one that should not be chosen."
        )
    return numbers


def rule_by_rule(of_rule: Callable[[int], Any], n_rules: int, name: str, describe: Callable[[int], str]) -> FloatArray:
    """Call a function for each rule; an error names the rule it failed on."""
    values = np.empty(n_rules)
    for j in range(n_rules):
        try:
            answer = of_rule(j)
        except Exception as error:
            raise InvalidParameterError(f"{name} failed on {describe(j)}: {error!r}") from error
        if not np.isscalar(answer) and np.shape(answer) != ():
            raise InvalidParameterError(
                f"{name} must return one number for a rule; for {describe(j)} it returned {np.size(answer)}."
            )
        try:
            values[j] = float(answer)
        except (TypeError, ValueError):
            raise InvalidParameterError(f"{name} must return a number; for {describe(j)}: {answer!r}.") from None
    return values


def required_arguments(function: Function) -> list[str]:
    """Return the names of the positional parameters that have no default."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some builtins have no signature
        return ["y"]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in positional and p.default is inspect.Parameter.empty]
