"""Numbers, labels and names as text for people."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hedgerow.features import ColumnOfNonzeros

#: A number smaller than its inputs by this factor is a rounding error.
ROUNDING = 1e-12

#: The numbers of digits with which a bound is written, in turn, until the text is true of a value beside it.
MORE_DIGITS: tuple[int | None, ...] = (6, 9, 12, None)


def printable(text: str) -> str:
    """Write line breaks and other control characters as escapes, so that a name stays in its line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def format_number(x: float, digits: int = 4) -> str:
    """Write a number with ``digits`` significant digits, but never round its whole part.

    >>> format_number(2.4500000476837158), format_number(1058.75), format_number(123456.5), format_number(5.0)
    ('2.45', '1058.8', '123456.5', '5')
    >>> format_number(1.5e-07), format_number(3e20), format_number(-0.0)
    ('1.5e-07', '3e+20', '0')
    """
    if x == 0 or is_next_to_zero(x):
        return "0"
    if not math.isfinite(x):
        return str(x)
    whole = max(0, math.floor(math.log10(abs(x))) + 1)
    return f"{x:.{max(digits, whole + 1) if whole <= 15 else digits}g}"


def is_next_to_zero(x: float) -> bool:
    """Whether a number is where zero ends for libraries that take what is nearly zero for zero."""
    return math.isclose(x, ColumnOfNonzeros.nearly_zero, rel_tol=1e-15)


def format_bound(bound: float, digits: int | None = 4) -> tuple[str, bool]:
    """Write an upper bound of ``x <= bound``, and say whether what is written is itself excluded: ``x < text``.

    Without a number of digits it is written as it is: the shortest text that reads as the same number.

    Some libraries split at ``x < 3``, which is ``x <= 2.9999998`` in single precision; others half-way between two
    values. Rounded for a person that would be ``x <= 3`` and wrong for 3 itself. So if the next number of single
    precision is shorter, or where rounding goes up, ``x < 3`` is said.

    >>> format_bound(2.5), format_bound(2.9999997615814209), format_bound(120.36), format_bound(120.34)
    (('2.5', False), ('3', True), ('120.4', True), ('120.3', False))
    """
    if digits is None or not math.isfinite(bound):
        return repr(float(bound)).removesuffix(".0"), False
    plain = format_number(bound, digits)
    with np.errstate(all="ignore"):
        single = np.float32(bound)
        after = np.nextafter(single, np.float32(np.inf))
        text = format_number(float(after), digits)
        is_next = float(single) == bound and math.isfinite(after) and np.float32(text) == after
    if is_next and (text == plain or len(text) < len(plain)):
        return text, True
    return plain, float(plain) > bound


def format_value(value: Any, digits: int = 4) -> str:
    """Write a label or a number for a person, without numpy's type names."""
    if isinstance(value, (float, np.floating)):
        return format_number(float(value), digits)
    return printable(str(value))
