"""How wide texts are, and how they are broken into lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from hedgerow.plotting.style import plain
from hedgerow.rules.series_examples import shorten

FONT_SIZE = 9.0


@lru_cache(10_000)
def text_width(text: str, size: Any = FONT_SIZE, weight: str = "normal") -> float:
    """Return how wide a text is, in inches; ``size`` in points or by name."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), plain(text), prop=FontProperties(size=size, weight=weight))
    # On a screen letters are moved to whole pixels, which makes texts a little wider.
    return 1.06 * float(path.get_extents().x1) / 72 if len(path.vertices) else 0.0


class _Wrapper(textwrap.TextWrapper):
    """Breaks lines at spaces, and at marks that are not shown."""

    wordsep_simple_re = re.compile("([ \t\n]+)|\u200b")


def wrap(text: str, most: int) -> list[str]:
    """Break a text into lines, but never between a comparison and its number, nor within ``5.5 ± 0.3`` or ``60 %``.

    A word that is longer than a line is broken after its underscores and points, if it has some.
    """
    together = re.sub("(<=|>=|<|>) ", "\\1\u00a0", text).replace(" ± ", "\u00a0±\u00a0").replace(" %", "\u00a0%")
    marked = re.sub(rf"[^ \t\n]{{{most + 1},}}", lambda word: re.sub("([_./])", "\\1\u200b", word[0]), together)
    return _Wrapper(most, break_on_hyphens=False).wrap(marked)


def fit(
    text: str, room: float, size: Any = FONT_SIZE, weight: str = "normal", most_lines: int | None = None
) -> list[str]:
    """Break a text into lines no wider than ``room`` inches; of one that needs too many, leave out the middle."""
    return fit_by(partial(text_width, size=size, weight=weight), text, room, most_lines)


def fit_by(width_of: Callable[[str], float], text: str, room: float, most_lines: int | None = None) -> list[str]:
    """Break a text into lines no wider than ``room``, as this function measures; leave out the middle of a long one."""
    letters, shown = len(text), text
    lines = _narrow(width_of, shown, room)
    while most_lines is not None and len(lines) > most_lines and letters > most_lines:
        letters = int(letters * min(0.95, 1.2 * most_lines / len(lines)))
        shown = shorten(text, letters)
        lines = _narrow(width_of, shown, room)
    return [line.replace("\u00a0", " ") for line in lines]


def _narrow(width_of: Callable[[str], float], text: str, room: float) -> list[str]:
    lines, most = wrap(text, max(1, len(text))), len(text)
    while most > 1 and (widest := max(map(width_of, lines))) > room:
        most = max(1, min(most - 1, int(most * room / widest)))
        lines = wrap(text, most)
    return lines
