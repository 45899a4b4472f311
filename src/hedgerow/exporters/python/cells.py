"""Tests of cells, labels and numbers as Python source that needs no library.

Cells are read as :class:`hedgerow.features.Notation` reads them, by a few short functions at the head of the source.
"""

from __future__ import annotations

import builtins
import keyword
import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from hedgerow._support.plain_number import BLANKS, PLAIN_NUMBER
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.exporters.cells import TableRules
from hedgerow.exporters.python.dates import DATE, PART_READERS, date_arguments
from hedgerow.features import CellTest, Inputs, Notation, NumberTest, ValueTest, is_present
from hedgerow.features.dates import DateReading
from hedgerow.features.number_sets import ALL, ends
from hedgerow.features.spelled import NOTHING, TRUTH, spelling_of
from hedgerow.rules.wording import printable
from hedgerow.tables.values import MARKS

#: Names that the generated source itself uses.
_TAKEN = {
    *("COLUMNS", "_MARKS", "_TRUTH", "_NUMBER", "math", "re", "datetime"),
    *("_value", "_number", "_text", "_boolean", "_figure", "_date"),
    *("date", "patterns", "pattern", "found", "first", "year", "month", "day", *PART_READERS),
    *("row", "column", "value", "name", "number", "sign", "remove", "decimal", "thousands", "missing"),
    *("d", "t", "whole", "is_right"),
}
_WIDTH = 120

_VALUE = '''

def _value(row, column, missing=()):
    """Return a cell of a row, None if it is missing."""
    value = row[COLUMNS[column]] if hasattr(row, "keys") else row[column]
    try:
        return value if value is not None and value == value and value not in missing else None
    except TypeError:  # pandas.NA equals nothing, not even itself
        return None
'''
_NUMBER = '''

def _number(row, column):
    """Return a number of a row, NaN if it is missing."""
    value = _value(row, column)
    try:
        return math.nan if value is None else float(value)
    except ValueError:
        if value.strip().lower() in _MARKS:
            return math.nan
        raise ValueError(f"{COLUMNS[column]!r} must be a number, or None if it is missing; got {value!r}.") from None
'''
_NUMBER_AS_WRITTEN = '''

def _number(row, column, remove=(), decimal=".", thousands="", missing=()):
    """Return a number of a row, NaN if there is none in the cell."""
    value = _value(row, column)
    if isinstance(value, str):
        for sign in remove:
            value = value.replace(sign, "")
        value = value.strip(BLANKS)
        if thousands:  # only between groups of three digits
            d, t = re.escape(decimal), re.escape(thousands)
            whole = f"([0-9]+|[1-9][0-9]?[0-9]?({t}[0-9][0-9][0-9])+)"
            is_right = re.fullmatch(f"[-+]?({whole}({d}[0-9]*)?|{d}[0-9]+)([eE][-+]?[0-9]+)?", value)
            value = value.replace(thousands, "") if is_right else ""
        value = value.replace(decimal, ".")
        value = value if re.fullmatch(_NUMBER, value) else None
    number = math.nan if value is None else float(value)
    return math.nan if number in missing else number
'''.replace("BLANKS", f'"{repr(BLANKS)[1:-1]}"')
_TEXT = '''

def _text(row, column, missing=()):
    """Return a category of a row as a string; an integer as its digits."""
    value = _value(row, column, missing)
    return value if value is None or isinstance(value, str) else str(int(value))
'''
_BOOLEAN = '''

def _boolean(row, column, missing=()):
    """Return a boolean of a row, None if it is missing."""
    value = _value(row, column, missing)
    return _TRUTH.get(value.strip().lower(), value) if isinstance(value, str) else value
'''
_FIGURE = '''

def _figure(row, column, missing=()):
    """Return a number of a row that is a category, None if it is missing."""
    value = _value(row, column, missing)
    if not isinstance(value, str):
        return value
    try:
        return None if value.strip().lower() in NOTHING else float(value)
    except ValueError:
        return value
'''.replace("NOTHING", str(NOTHING).replace("'", '"'))


class Cells:
    """Variables for the cells that rules look at, and the source of the tests on them.

    Parameters
    ----------
    inputs : Inputs
        The columns of the table, and how their cells are written.
    rules : TableRules
    function : str
        The name of the function that is written.
    """

    def __init__(self, inputs: Inputs, rules: TableRules, function: str) -> None:
        if not function.isidentifier() or keyword.iskeyword(function) or function in _TAKEN:
            raise InvalidParameterError(
                f"name must be a valid name of a Python function, other than {', '.join(sorted(_TAKEN))}; got "
                f"{function!r}."
            )
        self.names, self.refused = inputs.names, rules.refused
        used = sorted({_cell(test) for tests in (rules.refused, *rules.rules) for test in tests})
        self.variables = _variables(self.names, used, {*_TAKEN, function})
        found = {column: inputs.notation_of(column) for column, _ in used}
        self.notations = {column: notation for column, notation in found.items() if notation is not None}
        tests = (test for tests in (rules.refused, *rules.rules) for test in tests if isinstance(test, NumberTest))
        self.dates: dict[tuple[int, str], DateReading] = {_cell(t): t.date for t in tests if t.date is not None}

    def head(self) -> str:
        """Return the source before the function."""
        readers = {reader for _, reader in self.variables}
        are_written = any(reader == "_number" and column in self.notations for column, reader in self.variables)
        parts = ["import datetime\n"] if self.dates else []
        parts += ["import math\n"] if "_number" in readers or self.dates else []
        parts += ["import re\n"] if are_written or self.dates else []
        parts += ["\n"] if parts else []
        parts.append(f"COLUMNS = {_tuple(self.names)}\n")
        if are_written:
            parts.append(f'_NUMBER = r"{PLAIN_NUMBER}"\n')
        elif "_number" in readers:
            parts.append(f"_MARKS = {_tuple(sorted(MARKS))}\n")
        if "_boolean" in readers:
            spelled = {**TRUTH, **dict.fromkeys(NOTHING)}
            parts.append(f"_TRUTH = {str(spelled).replace(chr(39), chr(34))}\n")
        parts += [_VALUE] if readers else []
        parts += [_NUMBER_AS_WRITTEN if are_written else _NUMBER] if "_number" in readers else []
        parts += [_TEXT] if "_text" in readers else []
        parts += [_BOOLEAN] if "_boolean" in readers else []
        parts += [_FIGURE] if "_figure" in readers else []
        parts += [DATE] if self.dates else []
        parts += [part for reader, part in PART_READERS.items() if reader in readers]
        return "".join([*parts, "\n\n"])

    def reading(self) -> list[str]:
        """Return the lines that read the cells of the row."""
        return [
            f"    {variable} = {reader}({', '.join(['row', str(column), *self._options(column, reader)])})"
            for (column, reader), variable in self.variables.items()
        ]

    def _options(self, column: int, reader: str) -> list[str]:
        """Return how the cells of a column are written, as arguments."""
        if (column, reader) in self.dates:
            return date_arguments(self.dates[column, reader])
        notation = self.notations.get(column)
        if notation is None:
            return []
        return _of_numbers(notation) if reader == "_number" else [f"missing={_several(('', *notation.missing))}"]

    def refusals(self) -> list[str]:
        """Return the lines that refuse values that the ensemble cannot handle."""
        lines = []
        for test in self.refused:
            message = f"The ensemble cannot handle this value of {printable(self.names[test.column])}: "
            lines += [
                f"    if {self._source(test, alone=True)}:",
                f"        raise ValueError({_quoted(message)} + repr({self.variables[_cell(test)]}))",
            ]
        return lines

    def branch(self, tests: tuple[CellTest, ...], then: str) -> list[str]:
        """Return the lines of a rule: the statement ``then`` if all tests are passed."""
        if any(test.is_impossible for test in tests):
            return ["    # (never: no value satisfies this)"]
        sources = [self._source(test, alone=len(tests) == 1) for test in tests]
        flat, inside = f"    if {' and '.join(sources) or 'True'}:", f"        {then}"
        if len(flat) <= _WIDTH or len(tests) == 1:
            return [flat, inside]
        lines = [f"        {'and ' * bool(i)}{source}" for i, source in enumerate(sources)]
        return ["    if (", *lines, "    ):", inside]

    def _source(self, test: CellTest, alone: bool) -> str:
        variable = self.variables[_cell(test)]
        ways = _of_number(test, variable) if isinstance(test, NumberTest) else _of_value(test, variable)
        together = " or ".join(ways)
        return together if len(ways) == 1 or alone else f"({together})"


def _cell(test: CellTest) -> tuple[int, str]:
    """Return the column of a test, and the name of the function that reads it."""
    if isinstance(test, NumberTest):
        return test.column, "_number" if test.date is None else f"_{test.date.part}"
    known = [one for one in (*test.passing, *test.failing) if is_present(one)]
    if test.as_text or spelling_of(known) is None:
        return test.column, "_text" if test.as_text else "_value"
    return test.column, "_boolean" if type(known[0]) in (bool, np.bool_) else "_figure"


def _of_numbers(notation: Notation) -> list[str]:
    signs = [sign for sign in notation.affixes if sign]
    options = [f"remove={_several(signs)}"] if signs else []
    options += [f"decimal={literal(notation.decimal)}"] if notation.decimal != "." else []
    options += [f"thousands={literal(notation.thousands)}"] if notation.thousands else []
    return options + ([f"missing={_several(notation.missing_numbers)}"] if notation.missing_numbers else [])


def _several(values: Iterable[Any]) -> str:
    """Return a tuple of literals."""
    inside = list(map(literal, dict.fromkeys(values)))
    return f"({', '.join(inside)}{',' * (len(inside) == 1)})"


def _of_number(test: NumberTest, variable: str) -> list[str]:
    """Return comparisons of which one must hold; NaN passes none of them."""
    if test.numbers == ALL:
        return [f"not math.isnan({variable})"]
    points, holes = test.numbers.points, (~test.numbers).points
    ways = [_between(part, variable) for part in test.numbers.parts]
    if points and len(points) > 1:
        ways = [f"{variable} in ({', '.join(map(literal, points))})"]
    elif holes and len(holes) > 1:
        ways = [f"not (math.isnan({variable}) or {variable} in ({', '.join(map(literal, holes))}))"]
    return [*ways, f"math.isnan({variable})"] if test.missing else ways


def _between(part: tuple[float, float], variable: str) -> str:
    lower, upper = ends(part)
    if part[0] == part[1]:
        return f"{variable} == {literal(part[0])}"
    if lower is None:
        assert upper is not None
        return f"{variable} {'<=' if upper[1] else '<'} {literal(upper[0])}"
    if upper is None:
        return f"{variable} {'>=' if lower[1] else '>'} {literal(lower[0])}"
    below, above = ("<=" if end[1] else "<" for end in (lower, upper))
    return f"{literal(lower[0])} {below} {variable} {above} {literal(upper[0])}"


def _of_value(test: ValueTest, variable: str) -> list[str]:
    """Return expressions of which one must be true; a missing value is None."""
    listed = [literal(value) for value in (test.failing if test.others else test.passing)]
    ways = []
    if listed:
        equal = ("!=" if test.others else "==") if len(listed) == 1 else "not in" if test.others else "in"
        ways = [f"{variable} {equal} {listed[0] if len(listed) == 1 else '(' + ', '.join(listed) + ')'}"]
    if test.others and test.missing is False:
        return [" and ".join([*ways, f"{variable} is not None"])]
    # With `others` every value passes that is not listed, and None is not.
    return [*ways, f"{variable} is None"] if test.missing and not test.others else ways


def literal(value: Any) -> str:
    """Return the Python literal of a label, a category or a number."""
    value = value.item() if isinstance(value, np.generic) else value
    if type(value) not in (str, bool, int, float, bytes):
        raise InvalidDataError(
            f"{value!r} is a {type(value).__qualname__}; plain Python can write strings, bytes, numbers and booleans. "
            "Convert it before training."
        )
    if type(value) is str:
        return _quoted(value)
    return repr(value) if type(value) is not float or math.isfinite(value) else f'float("{value}")'


def _quoted(text: str) -> str:
    """Return a string literal, in double quotes where these need no backslash, as formatters write it."""
    return repr(text) if '"' in text or "'" in text else f'"{repr(text)[1:-1]}"'


def _tuple(names: list[str]) -> str:
    inside = [_quoted(name) for name in names]
    flat = f"({', '.join(inside)}{',' * (len(inside) == 1)})"
    return flat if len(flat) <= _WIDTH else "(\n" + "".join(f"    {one},\n" for one in inside) + ")"


def _variables(names: list[str], cells: list[tuple[int, str]], taken: set[str]) -> dict[tuple[int, str], str]:
    """Return a variable for each cell that resembles the column's name."""
    variables: dict[tuple[int, str], str] = {}
    for column, reader in cells:
        plain = re.sub(r"\W+", "_", names[column].lower(), flags=re.ASCII).strip("_")
        plain = f"{plain}{reader}".strip("_") if reader in PART_READERS else plain
        stem = plain if plain and not plain[0].isdigit() else f"x{column}_{plain}".strip("_")
        variable, count = stem, 1
        while variable in taken or keyword.iskeyword(variable) or hasattr(builtins, variable):
            count += 1
            variable = f"{stem}_{count}"
        taken.add(variable)
        variables[column, reader] = variable
    return variables
