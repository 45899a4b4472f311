"""Cells become values, columns of one file decide together, and what is read as missing is told."""

import numpy as np
import pandas as pd
import pytest

from hedgerow.features import Notation
from hedgerow.tables.cells import Cells
from hedgerow.tables.notes import Note
from hedgerow.tables.text_format import TextFormat


def cells_of(columns, known=None, **given):
    """Columns of strings; floats stand for cells that pandas has read as numbers with a point."""
    strings = {name: [str(value) for value in column] for name, column in columns.items()}
    frame = pd.DataFrame({name: pd.Series(column) for name, column in columns.items()})
    again = pd.DataFrame(strings)
    return Cells(TextFormat(**given), dict(frame.items()), lambda names: again[names], known or {})


def test_other_columns_decide_whether_a_comma_separates_thousands():
    doubtful = {"x": ["1,234", "2,345"]}
    assert cells_of(doubtful).values("x").tolist() == [1234, 2345]
    assert cells_of(doubtful | {"y": ["0,5", "1,5"]}).values("x").tolist() == [1.234, 2.345]
    assert cells_of(doubtful, separator=";").values("x").tolist() == [1.234, 2.345]
    assert cells_of(doubtful | {"y": [0.5, 1.5]}, separator=";").values("x").tolist() == [1234, 2345]
    assert cells_of(doubtful).notes("x") == [Note("1,234 in column x is read as 1234", "decimal", (",",))]
    assert cells_of(doubtful, decimal=",").notes("x") == []


def test_other_columns_decide_whether_a_point_separates_thousands():
    doubtful = {"x": [1.234, 2.345]}
    assert cells_of(doubtful).values("x").tolist() == [1.234, 2.345]
    assert cells_of(doubtful | {"y": ["a", "b"]}, separator=";").values("x").tolist() == [1.234, 2.345]
    european = cells_of(doubtful | {"y": ["0,5", "1,5"]})
    assert european.values("x").tolist() == [1234, 2345]
    assert european.notation("x") == Notation(decimal=",", thousands=".")
    assert european.notes("x") == [Note("1.234 in column x is read as 1234", "decimal", (".",))]
    mixed = cells_of(doubtful | {"y": ["0,5", "1,5"], "z": [0.5, 1.5]})
    assert mixed.values("x").tolist() == [1.234, 2.345]


def test_strays_are_missing_and_told_with_the_marks():
    cells = cells_of({"x3": [*(f"{i}.5" for i in range(40)), "Total", "#N/A"]})
    assert np.isnan(cells.values("x3")[40:]).all()
    (note,) = cells.notes("x3")
    assert str(note) == "40 of 42 values of x3 are numbers; the others (Total, #N/A) are read as missing"
    assert cells_of({"x": ["1.5", "2.5", "NA", "?"]}).notes("x") == []


def test_strings_that_are_mostly_numbers_are_told_with_the_way_out():
    cells = cells_of({"x": ["1", "2", "3"] * 20 + ["not known"] * 10})
    assert cells.values("x").tolist()[-1] == "not known"
    (note,) = cells.notes("x")
    assert "read as strings: 60 of 70 values are numbers" in note.text
    assert (note.parameter, note.values) == ("na", ("not known",))
    assert cells_of({"x": ["1", "2", "3"] * 20 + ["not known"] * 10}, na=("not known",)).values("x").sum() == 120


def test_numbers_without_their_sign_are_told():
    (note,) = cells_of({"x": ["12 %", "7 %", "0.5"]}).notes("x")
    assert "some numbers of column x have %" in note.text


def test_large_integers_stay_exact_beside_marks():
    big = 2**53 + 1
    assert cells_of({"x": [str(big), "NA", "5"]}).values("x").tolist() == [big, None, 5]


@pytest.mark.parametrize("column", [["1.5", "x", "NA"], ["1,5", "x", "NA"]])
def test_a_known_notation_is_kept_and_its_strays_are_told(column):
    known = {"x": Notation(decimal=column[0][1])}
    cells = cells_of({"x": column}, known)
    np.testing.assert_array_equal(cells.values("x"), [1.5, np.nan, np.nan])
    assert [str(note) for note in cells.notes("x")] == [
        "1 of 3 values of x are numbers; the others (x, NA) are read as missing"
    ]


def test_marks_that_are_given_add_to_those_that_are_known():
    cells = cells_of({"c": ["a", "b", "c"]}, {"c": Notation("text", missing=("a",))}, na=("b",))
    assert cells.values("c").tolist() == [None, None, "c"]


def test_numbers_in_another_notation_than_the_known_one_are_warned_of():
    known = {"x": Notation(decimal=",", thousands=".")}
    (note,) = cells_of({"x": ["60.25", "4,095.12", "1,7", "NA"]}, known).notes("x")
    assert note.is_warning
    assert str(note) == (
        "only 1 of 3 values of x are numbers written like 1.234,56, as expected; the others, such as '60.25', are read "
        "as missing (decimal='.' to read them, with --thousands if need be)"
    )
    (note,) = cells_of({"x": ["red", "blue"]}, known).notes("x")
    assert note.is_warning
    assert "none of 2 values of x" in note.text
    assert not note.parameter
    assert cells_of({"x": ["NA", "?", "1,5"]}, known).notes("x") == []


@pytest.mark.parametrize(
    "column",
    [
        ["(5,111)", "12", "(7)", "1,234", "(99)"],
        ["−51.11", "−5", "7.5", "−0.25"],
        ["$5", "€7", "£1,234.50"],
        ["36,32,735", "1,00,000"],
    ],
)
def test_numbers_in_an_unknown_notation_are_told(column):
    cells = cells_of({"x": column})
    assert cells.values("x").tolist() == column
    (note,) = cells.notes("x")
    assert note.text.startswith(f"most values of x look like numbers, such as '{column[0]}'")


def test_a_thousands_separator_that_no_number_has_is_told():
    assert "','" in cells_of({"x": ["1.5", "12,34"]}, thousands=",").note_on_thousands()[0].text
    assert cells_of({"x": ["1.5", "1,234"]}, thousands=",").note_on_thousands() == []
    assert cells_of({"x": ["1.5", "12,34"]}).note_on_thousands() == []
