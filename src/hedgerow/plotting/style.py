"""The looks that all pictures share: colours that everyone can tell apart, and quiet axes."""

from __future__ import annotations

from typing import Any

#: Of Okabe and Ito's palette.
BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#6B6B6B"
AMBER, SKY, INK = "#E69F00", "#56B4E9", "#222222"


def matplotlib_or_error() -> Any:
    """Return ``matplotlib.pyplot``, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Pictures need matplotlib: pip install 'hedgerow[plot]'.") from error
    return plt


def quiet(axes: Any) -> None:
    """Take off what draws the eye from the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#E6E6E6", linewidth=0.8)
    axes.set_axisbelow(True)


def class_colors(n_classes: int) -> list[Any]:
    """Return one colour a class, the same in every picture."""
    few = [BLUE, ORANGE, GREEN, PINK, AMBER, SKY]
    return (
        few if n_classes <= len(few) else list(matplotlib_or_error().get_cmap("tab20").colors) * (n_classes // 20 + 1)
    )


def for_text(color: Any) -> tuple[float, float, float]:
    """Return a colour, darkened as far as text on white needs it: to a contrast of 4.5 to 1, as WCAG counts it."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    while 1.05 / (_luminance(red, green, blue) + 0.05) < 4.5:
        red, green, blue = 0.97 * red, 0.97 * green, 0.97 * blue
    return red, green, blue


def _luminance(*rgb: float) -> float:
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def plain(text: str) -> str:
    """Return a text such that matplotlib shows its dollar signs instead of taking them for formulas."""
    return text.replace("$", r"\$")
