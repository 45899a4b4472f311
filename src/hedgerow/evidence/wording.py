"""How evidence writes shares, means and p-values."""

from __future__ import annotations

import math

from hedgerow.rules.wording import format_number

#: How far rounding may take a sum of shares from 0 or 1.
_ROUNDING = 1e-12


def written_p(p: float) -> str:
    """Write a p-value.

    >>> written_p(0.0432), written_p(1e-9), written_p(1.0), written_p(float("nan"))
    ('0.043', '<0.001', '1', '–')
    """
    if math.isnan(p):
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.2g}"


def written_share(share: float) -> str:
    """Write a share in percent; one that is not 0 or 1, but for rounding, is never written as such.

    >>> written_share(0.0312), written_share(1e-5), written_share(0.99999), written_share(1.0 - 2**-53)
    ('3.1 %', '<0.1 %', '>99.9 %', '100.0 %')
    """
    if math.isnan(share):
        return "–"
    if _ROUNDING < share < 0.0005:
        return "<0.1 %"
    return ">99.9 %" if 0.9995 <= share < 1 - _ROUNDING else f"{100 * share:.1f} %"


def written_value(value: float, is_share: bool) -> str:
    """Write a share or a mean."""
    if is_share or math.isnan(value):
        return written_share(value)
    return format_number(value) if math.isfinite(value) else ("∞" if value > 0 else "−∞")


def written_test(p: float) -> str:
    """Write a p-value in a sentence.

    >>> written_test(0.0432), written_test(1e-9)
    ('p = 0.043', 'p < 0.001')
    """
    text = written_p(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"
