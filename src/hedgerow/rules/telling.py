"""A condition and the value that it is about, side by side: with as many digits as it takes for both to be true."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.features import Feature
from hedgerow.rules.condition import Condition
from hedgerow.rules.wording import MORE_DIGITS, format_number, format_value


def told(condition: Condition, value: Any, digits: int) -> tuple[str, str]:
    """Return a condition and a value, with enough digits to see on which side the value lies.

    >>> from hedgerow.features import Column
    >>> told(Condition(Column(0, "age"), upper=41.37), np.float64(41.3700004), 4)
    ('age <= 41.37', '41.3700004')
    """
    feature = condition.feature
    if np.isnan(value) or feature.levels is not None:
        return condition.describe(digits, bool(np.isnan(value))), value_text(feature, value)
    holds, x = bool(condition.holds(np.array([value]))[0]), float(value)
    used: int | None = digits
    for used in (digits, *MORE_DIGITS):
        lower, least, upper, excluded = condition.written(used)
        written = float(_number(x, used))
        above = written >= float(lower) if least else written > float(lower)
        below = written < float(upper) if excluded else written <= float(upper)
        if holds == (above and below):
            break
    return condition.describe(used), _number(x, used)


def value_text(feature: Feature, value: Any) -> str:
    """Write the value of a feature."""
    if np.isnan(value):
        return "missing"
    return _number(float(value)) if feature.levels is None else code_text(feature, int(value))


def code_text(feature: Feature, code: int) -> str:
    """Write the category that has this code."""
    names = [*(format_value(level) for level in feature.levels or ()), "another value"]
    return names[min(code, len(names) - 1)]


def _number(x: float, digits: int | None = 6) -> str:
    # Single precision has about seven digits; what comes after them would look like a measurement.
    return format_number(x, max(6, digits)) if digits is not None else repr(x)
