"""The looks that all pictures share: colours that everyone can tell apart, and quiet axes."""

from __future__ import annotations

from typing import Any

#: Of Okabe and Ito's palette.
BLUE, ORANGE, GREEN, PINK, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#6B6B6B"


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
