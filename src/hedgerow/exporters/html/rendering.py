"""How pages are rendered: the templates, and how they write numbers, shares and differences."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from hedgerow._support.palette import MORE_CLASS_COLORS
from hedgerow.exporters.html.charts import draw_examples, draw_histogram
from hedgerow.exporters.html.tree_svg import curve, path
from hedgerow.rules.wording import format_number


def environment() -> Any:
    """Return the templates with their filters; names and labels are escaped."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise ImportError("A page needs Jinja2: pip install 'hedgerow[report]'.") from None
    environment = Environment(
        loader=PackageLoader("hedgerow.exporters.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": format_number,
        "count": lambda n: f"{n:,}".replace(",", "\u202f"),
        "percent": _percent,
        "hundredths": _hundredths,
        "signed": _signed,
        "change": _change,
        "histogram": draw_histogram,
        "examples": draw_examples,
        "curve": curve,
        "path": path,
        "sentence": lambda text: text[:1].upper() + text[1:],
        "unbroken": lambda text: re.sub("(<=|>=|<|>) ", "\\1\u00a0", text),
    }
    return environment


def with_colors(environment: Any, colored: Sequence[int]) -> Any:
    """Return the environment with a color for each of these classes; the others have a neutral one in common."""
    colors = {number: MORE_CLASS_COLORS[i] for i, number in enumerate(colored)} | {None: "var(--accent)"}
    environment.filters["color"] = lambda class_number: colors.get(class_number, "var(--neutral)")
    return environment


def _percent(share: float, digits: int = 1) -> str:
    """Format a share; one that is not zero is never written as 0, and one that is not 1 never as 100."""
    if math.isnan(share):
        return "–"
    text = f"{100 * share:.{digits}f}"
    if share > 0 and float(text) == 0:
        return f"<\u00a0{10**-digits:g}\u00a0%"
    if share < 1 and float(text) == 100:
        return f">\u00a0{100 - 10**-digits:g}\u00a0%"
    return f"{text}\u00a0%"


def _hundredths(value: float) -> str:
    """Write a number with two decimals, and never as -0."""
    return f"{round(value, 2) + 0.0:.2f}"


def _change(difference: float | None, as_share: bool, unit: str = "", sign: int = 1) -> str:
    """Write by how much a number changes; shares in hundredths."""
    if difference is None:
        return "–"
    size = f"{100 * abs(difference):.1f}" if as_share else f"{abs(difference):.3f}"
    if float(size) == 0:
        return "±0"
    return f"{'+' if sign * difference > 0 else '−'}{size}{unit}"


def _signed(difference: float, as_share: bool) -> str:
    """Say how far one score is above or below another; shares in percentage points."""
    size = f"{100 * abs(difference):.1f}" if as_share else _hundredths(abs(difference))
    if float(size) == 0:
        return "equal to"
    return f"{size} {'points ' if as_share else ''}{'above' if difference > 0 else 'below'}"
