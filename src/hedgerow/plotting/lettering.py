"""How wide text is in a matplotlib figure, and how it is broken into lines there."""

from __future__ import annotations

from functools import lru_cache, partial

from hedgerow._support import lettering
from hedgerow.plotting.style import plain

FONT_SIZE = 9.0


@lru_cache(10_000)
def text_width(text: str, size: float | str = FONT_SIZE, weight: str = "normal") -> float:
    """Return the width of text in inches; ``size`` is in points or one of matplotlib's names for sizes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if not text.strip():  # matplotlib makes no path of nothing
        return 0.0
    path = TextPath((0, 0), plain(text), prop=FontProperties(size=size, weight=weight))
    # On a screen letters are moved to whole pixels, which makes text a little wider.
    return 1.06 * float(path.get_extents().x1) / 72 if len(path.vertices) else 0.0


def fit(
    text: str, room: float, size: float | str = FONT_SIZE, weight: str = "normal", most_lines: int | None = None
) -> list[str]:
    """Break text into lines no wider than ``room`` inches; leave out the middle if that takes too many."""
    return lettering.fit(text, room, partial(text_width, size=size, weight=weight), most_lines)
