"""What plots share: the rule list that is drawn, colors and quiet axes."""

from __future__ import annotations

from typing import Any

from hedgerow._support.palette import CLASS_COLORS
from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.rule_list import RuleList


def matplotlib_or_error() -> Any:
    """Return ``matplotlib.pyplot``, or raise an error that says how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Plots need matplotlib: pip install 'hedgerow[plot]'.") from error
    return plt


def rule_list_of(given: Any) -> RuleList:
    """Return a rule list as it is, or that of a fitted estimator."""
    rule_list = getattr(given, "rule_list_", given)
    if isinstance(rule_list, RuleList):
        return rule_list
    raise InvalidParameterError(
        "Only a RuleList, or a fitted estimator with a rule_list_, can be drawn; this "
        f"{type(given).__qualname__} has none. Fit a RuleListClassifier or RuleListRegressor and pass it."
    )


def quiet(axes: Any) -> None:
    """Remove what distracts from the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#E6E6E6", linewidth=0.8)
    axes.set_axisbelow(True)


def class_colors(n_classes: int) -> list[Any]:
    """Return at least one color per class, the same in every plot."""
    if n_classes <= len(CLASS_COLORS):
        return list(CLASS_COLORS)
    return list(matplotlib_or_error().get_cmap("tab20").colors) * (n_classes // 20 + 1)


def for_text(color: Any) -> tuple[float, float, float]:
    """Return a color, darkened until text in it has a contrast of 4.5 to 1 on white, as WCAG defines it."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    while 1.05 / (_luminance(red, green, blue) + 0.05) < 4.5:
        red, green, blue = 0.97 * red, 0.97 * green, 0.97 * blue
    return red, green, blue


def _luminance(*rgb: float) -> float:
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def plain(text: str) -> str:
    """Return text with its dollar signs escaped, so that matplotlib shows them instead of reading a formula."""
    return text.replace("$", r"\$")
