"""How text is broken into lines and shortened, whatever it is drawn with; and how a length of time is written."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any


class _Wrapper(textwrap.TextWrapper):
    """Breaks lines at spaces and at zero-width spaces."""

    wordsep_simple_re = re.compile("([ \t\n]+)|\u200b")


def wrap(text: str, most: int) -> list[str]:
    """Break text into lines, but never between a comparison and its number, nor within ``5.5 ± 0.3`` or ``60 %``.

    A word that is longer than a line is broken after its underscores, periods and slashes, if it has any.
    """
    together = re.sub("(<=|>=|<|>) ", "\\1\u00a0", text).replace(" ± ", "\u00a0±\u00a0").replace(" %", "\u00a0%")
    marked = re.sub(rf"[^ \t\n]{{{most + 1},}}", lambda word: re.sub("([_./])", "\\1\u200b", word[0]), together)
    return _Wrapper(most, break_on_hyphens=False).wrap(marked)


def shorten(text: str, most: int) -> str:
    """Leave out the middle of text that is too long: names usually differ at their ends.

    >>> shorten("the heartbeat of the patient number 12", 20)
    'the hear ... mber 12'
    """
    if len(text) <= most:
        return text
    kept = max(2, most - 5)
    return f"{text[: (kept + 1) // 2].rstrip()} ... {text[len(text) - kept // 2 :].lstrip()}"


def fit(text: str, room: float, width_of: Callable[[str], float], most_lines: int | None = None) -> list[str]:
    """Break text into lines no wider than ``room``, as ``width_of`` measures; shorten it if that takes too many."""
    letters, shown = len(text), text
    lines = _narrow(shown, room, width_of)
    while most_lines is not None and len(lines) > most_lines and letters > most_lines:
        letters = int(letters * min(0.95, 1.2 * most_lines / len(lines)))
        shown = shorten(text, letters)
        lines = _narrow(shown, room, width_of)
    return [line.replace("\u00a0", " ") for line in lines]


def _narrow(text: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    lines, most = wrap(text, max(1, len(text))), len(text)
    while most > 1 and (widest := max(map(width_of, lines), default=0.0)) > room:
        most = max(1, min(most - 1, int(most * room / widest)))
        lines = wrap(text, most)
    return lines


def with_article(name: str) -> str:
    """Return the name of a class behind "a" or "an", as it is spoken; capitals are spelled out.

    >>> [with_article(name) for name in ("SVC", "Oracle", "DMatrix", "Forest", "XGBModel", "UnionModel")]
    ['an SVC', 'an Oracle', 'a DMatrix', 'a Forest', 'an XGBModel', 'a UnionModel']
    """
    spelled = name[:2].isupper()
    return f"{'an' if name[:1].upper() in ('AEFHILMNORSX' if spelled else 'AEIO') else 'a'} {name}"


def some(names: Iterable[Any], most: int = 10) -> str:
    """Return the first names as a string, and how many more there are."""
    names = list(names)
    shown = ", ".join(map(str, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "none"


def close_names(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names most similar to an unknown one, ignoring case.

    >>> close_names("Colour", ["color", "size"])
    ['color']
    """
    lower = {other.lower(): other for other in known}
    return [lower[other] for other in get_close_matches(name.lower(), lower, n=3)]


def duration(seconds: float) -> str:
    """Write a length of time.

    >>> duration(12.3), duration(125), duration(7300)
    ('12 s', '2 min 5 s', '2 h 1 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
