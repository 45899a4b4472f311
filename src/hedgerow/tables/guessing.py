"""How the numbers of a column are written, guessed from its distinct strings.

A column is one of numbers if nearly all of its strings are numbers in the same notation, such as ``1234.5``,
``1.234,5 €`` or ``12 %``. The few others are read as missing. In doubt a column keeps its strings.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hedgerow._support.plain_number import BLANKS, grouped_number
from hedgerow.features.frames import is_present
from hedgerow.features.notation import Notation
from hedgerow.tables.values import MARKS

#: A column is one of numbers if at least this share of its values are, and if the others are few or rare.
_LEAST_NUMBERS, _MOST_STRAYS, _RARE = 0.9, 5, 0.01
#: With at most this many distinct numbers, a string that is not rare is one more category, not a stray.
_FEW_NUMBERS = 20
#: So many distinct strings are looked at first; if few of them are numbers, the column is one of strings.
_GLANCE = 1000

_WIDE_BLANKS = "\u00a0\u202f"
_BLANKS = " " + _WIDE_BLANKS
_THOUSANDS = ("", ",", ".", *_BLANKS, "'", "’")
_CURRENCIES = (
    *("$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "₪", "R$", "US$", "C$", "A$", "zł", "Kč", "kr", "kr.", "Fr.", "Rs"),
    *("EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF"),
    *("BRL", "MXN", "ZAR", "TRY", "RUB", "KRW", "SGD", "HKD"),
)
_SIGNS = {"%", "‰", *_CURRENCIES}
#: Units that may follow a number without a blank.
_UNITS = frozenset(
    (
        *("mg", "g", "kg", "t", "mm", "cm", "m", "km", "ms", "s", "sec", "min", "h", "hr", "ml"),
        *("mL", "cl", "dl", "l", "L", "°C", "°F", "°", "W", "kW", "MW", "Wh", "kWh", "V", "mV"),
        *("kV", "mA", "Hz", "kHz", "MHz", "GHz", "B", "kB", "KB", "MB", "GB", "TB", "px", "pt", "bpm"),
        *("rpm", "mmHg", "hPa", "kPa", "Pa", "bar", "ppm", "m²", "m³", "km²", "km/h", "mph", "kcal", "kJ", "lb"),
        *("lbs", "oz", "ft", "mi"),
    )
)
_PARTED = re.compile(
    rf"(?P<head>[^0-9.,]*)(?P<body>[.,]?[0-9](?:[0-9.,'’{_BLANKS}]*[0-9])?[.,]?(?:[eE][-+]?[0-9]+)?)(?P<tail>[^0-9]*)"
)
_UNIT = re.compile(r"(?P<blank>\s*)(?P<unit>[^\W\d_][\w²³°/·µμ]{0,11}|°[CF]?)")
_MONEY = re.compile("|".join(map(re.escape, sorted(_CURRENCIES, key=len, reverse=True))))
#: A number in parentheses, with any minus in front or behind, or with groups of two digits before one of three.
_UNUSUAL = re.compile(
    rf"[-+−–]?[(]?[-+−–]?\s*(?:(?:0|[1-9][0-9]*)(?:[.,][0-9]*)?|[1-9][0-9]{{0,2}}(?:[.,'’{_BLANKS}][0-9]{{2,3}})*"
    rf"[.,'’{_BLANKS}][0-9]{{3}}(?:[.,][0-9]+)?)\s*%?[)]?[-−–]?"
)
#: Numbers look alike up to their digits; a zero matters only in front.
_ALIKE = str.maketrans("23456789", "1" * 8)


@dataclass(frozen=True)
class Guess:
    """What the strings of a column are, and how the numbers among them are written.

    Attributes
    ----------
    notation : Notation
        Of kind "number" or "text".
    n_present : int
        The number of values that are not empty.
    n_numbers : int
        How many of them are numbers; in a column of strings, 0 if they are the minority.
    strays : tuple of str
        The distinct values that are neither numbers nor marks for missing ones, the most frequent first.
    marks : tuple of str
        The distinct marks for missing values, such as ``NA``.
    example : str
        A number that could also be read in another way, such as ``1,234``; empty if there is no doubt.
    decimal_seen : str
        The decimal mark that some number shows without doubt; empty if none does.
    is_mixed : bool
        Whether some of the numbers lack the sign that the others have, such as ``%``.
    """

    notation: Notation
    n_present: int
    n_numbers: int
    strays: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    example: str = ""
    decimal_seen: str = ""
    is_mixed: bool = False

    @property
    def has_numbers(self) -> bool:
        """Whether the column is one of numbers."""
        return self.notation.kind == "number"


@dataclass(frozen=True)
class _Parts:
    """A string that looks like a number: its digits and marks, and what stands beside them."""

    body: str
    signs: tuple[str, ...] = ()


def guess_notation(
    column: Iterable[Any],
    *,
    decimal: str | None = None,
    thousands: str | None = None,
    missing: Iterable[str] = (),
    likely_decimal: str | None = None,
) -> Guess:
    """Return how the values of a column are written.

    Parameters
    ----------
    column : pandas.Series or iterable
        Strings; numbers and missing values may be among them.
    decimal, thousands : str, optional
        The decimal mark and the thousands separator, if they are known.
    missing : iterable of str
        Further marks for missing values, also in a column of strings.
    likely_decimal : str, optional
        The decimal mark of other columns, which decides about ``1,234`` and ``1.234``. Without it, the comma separates
        thousands and the point is the decimal mark.

    Examples
    --------
    >>> guess_notation(["12,5", "7", "NA"]).notation.read(["0,25"])
    array([0.25])
    >>> guess_notation([*"1234567890", "Total"]).strays
    ('Total',)
    """
    missing = tuple(missing)
    counts, n_given = _counted(column)
    marks = tuple(text for text in counts if text and (text in missing or text.strip().lower() in MARKS))
    present = {text: n for text, n in counts.items() if text not in marks and text}
    n_present = n_given + sum(n for text, n in counts.items() if text)
    as_text = Notation("text", missing=missing)
    glance = list(islice(present, _GLANCE))
    if 2 * sum(_parted(text) is not None for text in glance) < len(glance) or not (present or n_given):
        return Guess(as_text, n_present, n_given, tuple(present), marks)
    shapes = _Shapes(present)
    found = shapes.best(decimal, thousands, likely_decimal)
    if found is None:
        return Guess(as_text, n_present, n_given, tuple(present), marks)
    strays = {text: n for text, n in present.items() if shapes.shape[text] not in found.matched}
    n_numbers = n_given + sum(present.values()) - sum(strays.values())
    frequent_first = tuple(sorted(strays, key=lambda text: -strays[text]))
    n_different = len(present) - len(strays)
    if not are_nearly_all(n_numbers, strays, n_different + n_given) or shapes.have_leading_zeros(found.matched):
        return Guess(as_text, n_present, n_numbers, frequent_first, marks)
    notation = Notation("number", found.decimal, found.thousands, found.affixes, missing)
    example = next((text for text in present if shapes.shape[text] in found.doubtful), "")
    seen = notation.decimal if found.is_certain else ""
    return Guess(notation, n_present, n_numbers, frequent_first, marks, example, seen, found.is_mixed)


def is_unusual_number(text: str) -> bool:
    """Return whether a string looks like a number to a person, in whatever notation.

    Examples
    --------
    >>> [is_unusual_number(text) for text in ("(5,111)", "−51.11", "36,32,735", "US$ 5", "31.12.2020", "red", "007")]
    [True, True, True, True, False, False, False]
    """
    bare = _MONEY.sub("", text).strip(BLANKS + _WIDE_BLANKS)
    return _UNUSUAL.fullmatch(bare) is not None


def _counted(column: Iterable[Any]) -> tuple[dict[str, int], int]:
    """Return how often each string occurs, without blanks at its ends, and the number of values that are numbers."""
    if hasattr(column, "value_counts"):
        found = column.value_counts()
        pairs = dict(zip(found.index.astype(object), found.tolist(), strict=True))
    else:
        pairs = Counter(column)
    if all(type(value) is str for value in pairs):
        stripped = dict(zip((text.strip(BLANKS) for text in pairs), pairs.values(), strict=True))
        if len(stripped) == len(pairs):
            return stripped, 0
    counts: Counter[str] = Counter()
    n_given = 0
    for value, n in pairs.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            n_given += n * is_present(value)
        elif is_present(value):
            counts[str(value).strip(BLANKS)] += n
    return counts, n_given


def are_nearly_all(n_numbers: int, strays: Mapping[str, int], n_different: int) -> bool:
    """Return whether a column with so many numbers, or dates, is one of these, and all else is missing.

    Parameters
    ----------
    n_numbers, n_different : int
        The number of them, and of distinct ones.
    strays : mapping of str to int
        All other values, and how often each occurs.
    """
    n_strays = sum(strays.values())
    n_all = n_numbers + n_strays
    if n_numbers < _LEAST_NUMBERS * n_all or not n_numbers:
        return False
    if n_different <= _FEW_NUMBERS and max(strays.values(), default=0) > max(2, _RARE * n_all):
        return False
    return len(strays) <= _MOST_STRAYS or n_strays < _RARE * n_all


def _parted(text: str) -> _Parts | None:
    """Return the parts of a string that looks like a number, None for any other."""
    found = _PARTED.fullmatch(text)
    if found is None:
        return None
    head, tail = found["head"].strip(), found["tail"]
    if head[:1] in ("-", "+"):
        head = head[1:]
    elif head[-1:] in ("-", "+"):
        head = head[:-1]
    unit = _UNIT.fullmatch(tail)
    is_sign = not tail.strip() or tail.strip() in _SIGNS
    is_unit = unit is not None and (unit["blank"] or unit["unit"] in _UNITS) and unit["unit"] not in ("e", "E")
    if head.strip() not in ("", *_CURRENCIES) or not (is_sign or is_unit):
        return None
    return _Parts(found["body"], tuple(sign for sign in (head.strip(), tail.strip()) if sign))


@dataclass(frozen=True)
class _Found:
    """A notation, and the shapes of strings that are numbers in it."""

    decimal: str
    thousands: str
    affixes: tuple[str, ...]
    matched: frozenset[str]
    n_matched: int
    n_usual: int
    doubtful: frozenset[str] = frozenset()
    is_certain: bool = False
    is_mixed: bool = False


class _Shapes:
    """The strings of a column up to their digits, of which there are few."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.shape = {text: text.translate(_ALIKE) for text in counts}
        self.counts: dict[str, int] = defaultdict(int)
        for shape, n in zip(self.shape.values(), counts.values(), strict=True):
            self.counts[shape] += n
        parted = {shape: _parted(shape) for shape in self.counts}
        self.parts = {shape: parts for shape, parts in parted.items() if parts is not None}

    def best(self, decimal: str | None, thousands: str | None, likely: str | None) -> _Found | None:
        """Return the notation in which most strings are numbers."""
        signs = self._common_signs()
        if signs is None:
            return None
        decimals = (decimal,) if decimal is not None else (",", ".") if likely == "," else (".", ",")
        separators = _THOUSANDS if thousands is None else ("", thousands)
        tried = [self._tried(d, t, signs) for t in separators for d in decimals if d != t]
        valid = [found for found in tried if found is not None and found.n_matched]
        if not valid:
            return None
        most = max((found.n_matched, found.n_usual) for found in valid)
        best = [found for found in valid if (found.n_matched, found.n_usual) == most]
        chosen = self._preferred(best, likely)
        others = [found for found in best if self._differ(found, chosen)]
        is_in_doubt = bool(others) and (chosen.decimal, chosen.thousands) != (".", "") and decimal is None
        bare = {shape for shape in chosen.matched if self.parts[shape].signs != signs}
        return _Found(
            *(chosen.decimal, chosen.thousands, chosen.affixes, chosen.matched, chosen.n_matched, chosen.n_usual),
            doubtful=frozenset(s for s in chosen.matched if is_in_doubt and re.search("[.,]", self.parts[s].body)),
            is_certain=not others and any(chosen.decimal in self.parts[shape].body for shape in chosen.matched),
            is_mixed=bool(bare) and len(bare) < len(chosen.matched),
        )

    def have_leading_zeros(self, shapes: Iterable[str]) -> bool:
        """Return whether all of these are digits only, some with leading zeros: ``007`` is a name, not a number."""
        shapes = list(shapes)
        return all(shape.isdigit() for shape in shapes) and any(len(s) > 1 and s[0] == "0" for s in shapes)

    def _common_signs(self) -> tuple[str, ...] | None:
        """Return the signs beside the numbers, such as a currency; None if these are different quantities."""
        counts: Counter[tuple[str, ...]] = Counter()
        for shape, parts in self.parts.items():
            counts[parts.signs] += self.counts[shape]
        signed = [(signs, n) for signs, n in counts.most_common() if signs]
        if not signed or signed[0][1] < 0.1 * counts[()]:
            return ()
        signs, n = signed[0]
        is_unit = not set(signs) <= _SIGNS
        if n < (counts.total() if is_unit else counts.total() / 2):
            return None
        return signs

    def _tried(self, decimal: str, thousands: str, signs: tuple[str, ...]) -> _Found | None:
        """Return the strings that are numbers in a notation, None if it would also read others as numbers."""
        # Databases do not ignore these blanks around a number as they do others.
        blanks = [one for one in _WIDE_BLANKS if one != thousands and any(one in shape for shape in self.parts)]
        notation = Notation("number", decimal, thousands, tuple(dict.fromkeys([*signs, *blanks])))
        usual = re.compile(grouped_number(decimal, thousands))
        matched, n_usual = set(), 0
        for shape, n in self.counts.items():
            if notation.number(shape) != notation.number(shape):
                continue
            parts = self.parts.get(shape)
            if parts is None or parts.signs not in ((), signs):
                return None
            matched.add(shape)
            n_usual += n * bool(usual.fullmatch(parts.body))
        n_matched = sum(self.counts[shape] for shape in matched)
        return _Found(decimal, thousands, notation.affixes, frozenset(matched), n_matched, n_usual)

    def _preferred(self, best: list[_Found], likely: str | None) -> _Found:
        """Return the notation to use of those that fit equally well."""
        plain = next((found for found in best if (found.decimal, found.thousands) == (".", "")), None)
        if plain is not None and (likely != "," or not any(self._differ(plain, other) for other in best)):
            return plain
        if likely == ",":
            return next((found for found in best if found.decimal == ","), best[0])
        # Without other evidence, 1,234 is more than a thousand.
        return next((found for found in best if (found.decimal, found.thousands) == (".", ",")), best[0])

    def _differ(self, one: _Found, other: _Found) -> bool:
        """Return whether two notations read some string as different numbers."""
        first, second = (Notation("number", found.decimal, found.thousands, found.affixes) for found in (one, other))
        return any(first.number(shape) != second.number(shape) for shape in one.matched)
