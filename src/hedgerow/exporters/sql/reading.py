"""How SQL reads the cells of a column by their notation: as numbers or strings, NULL where a value is missing.

A database holds what a file writes as strings, or as what it guessed from them. Both are read as the same values, with
one exception: where a guess loses what the file says, such as the zeros of ``007``, a column must be loaded as strings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hedgerow.exporters.sql.dialects import Dialect, called, exp
from hedgerow.features.notation import Kind, Notation
from hedgerow.features.spelled import FALSE_WORDS, TRUE_WORDS

if TYPE_CHECKING:
    from sqlglot.expressions import Expression

#: Strings that databases may guess to be numbers, dates or times.
_NUMERIC = re.compile(r"(?=.*[0-9])[-+.,:/ 0-9eETZ]+|0[xX][0-9a-fA-F]+")


@dataclass(frozen=True)
class Reading:
    """How one column is read.

    Attributes
    ----------
    database : Dialect
    kind : "number" or "text"
        What rules compare.
    notation : Notation
        How the cells are written.
    known : frozenset of str
        The strings that rules compare with.
    """

    database: Dialect
    kind: Kind
    notation: Notation
    known: frozenset[str] = frozenset()

    @property
    def needs_text(self) -> bool:
        """Whether the column must be loaded as strings, since a type that the database guesses would lose something."""
        if self.kind == "number":
            return bool(self.notation.thousands) and self.notation.decimal != "."
        if self._may_be_booleans:
            return any(len(self._spelled(words)) > 1 for words in (TRUE_WORDS, FALSE_WORDS))
        return bool(self.known) and all(_NUMERIC.fullmatch(one) for one in self.known)

    def value(self, cell: Expression) -> Expression:
        """Return the value in a cell, NULL if it is missing."""
        if self.kind == "number":
            value = self.database.number_in(*self._without_signs(cell), self.notation.pattern)
            marks = [self.database.number(number) for number in self.notation.missing_numbers]
        else:
            value = self._text(cell)
            marks = [self.database.text(mark) for mark in dict.fromkeys(("", *self.notation.missing))]
        for mark in marks:
            value = exp.Nullif(this=value, expression=mark)
        return value

    def _without_signs(self, cell: Expression) -> tuple[Expression, Expression]:
        """Return a cell as a plain number would be written, and as the pattern of the notation must match it."""
        notation, literal = self.notation, exp.Literal.string
        if notation.is_plain:
            return cell, cell
        text = self._as_text(cell)
        for sign in filter(None, notation.affixes):
            text = called("REPLACE", text, self.database.text(sign), literal(""))
        written = text
        for mark, instead in ((notation.thousands, ""), (notation.decimal, ".")):
            if mark and mark != instead:
                text = called("REPLACE", text, self.database.text(mark), literal(instead))
        if notation.thousands and self.database.is_grouped is not None:
            test = self.database.is_grouped(written, notation.decimal, notation.thousands)
            text = exp.Case().when(test, text, copy=False)
        if self.database.digits_lost:
            is_text = exp.EQ(this=called("TYPEOF", cell), expression=literal("text"))
            text = exp.Case().when(is_text, text, copy=False).else_(cell.copy(), copy=False)
        return text, written if notation.thousands else text

    def _text(self, cell: Expression) -> Expression:
        text, is_boolean = self._as_text(cell), self.database.is_boolean
        spelled = {name: self._spelled(words) for name, words in (("true", TRUE_WORDS), ("false", FALSE_WORDS))}
        other = {name: words for name, words in spelled.items() if words and words != [name]}
        if is_boolean is None or not other or not self._may_be_booleans or self.needs_text:
            return text
        case = exp.Case().when(exp.Not(this=is_boolean(cell)), text, copy=False)
        for name, words in spelled.items():
            is_this = exp.EQ(this=text.copy(), expression=exp.Literal.string(name))
            case.when(is_this, self.database.text(words[0] if words else name), copy=False)
        return case

    def _as_text(self, cell: Expression) -> Expression:
        # Without a cast, a database refuses a column that must be loaded as strings and is not.
        return cell.copy() if self.needs_text else exp.cast(cell.copy(), "text")

    @property
    def _may_be_booleans(self) -> bool:
        return bool(self.known) and all(one.lower() in TRUE_WORDS | FALSE_WORDS for one in self.known)

    def _spelled(self, words: frozenset[str]) -> list[str]:
        return sorted(one for one in self.known if one.lower() in words)
