"""Cells as they are written, and the values they stand for."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from hedgerow._support.json_field import Field
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Column, Inputs, Notation

EUROPEAN = Notation("number", decimal=",", thousands=".", affixes=("€", "EUR"))


@pytest.mark.parametrize(
    ("notation", "cell", "number"),
    [
        (Notation(), " 12.5 ", 12.5),
        (Notation(), "-.5e3", -500.0),
        (Notation(), "5.", 5.0),
        (Notation(thousands=","), "1,234,567", 1234567.0),
        (Notation(thousands="\u00a0", decimal=","), "1\u00a0234,5", 1234.5),
        (Notation(affixes=("%",)), "12 %", 12.0),
        (Notation(affixes=("$",), thousands=","), "-$1,234.50", -1234.5),
        (EUROPEAN, "1.234,5 EUR", 1234.5),
        (Notation(), 7, 7.0),
    ],
)
def test_a_number_is_read_as_it_is_written(notation, cell, number):
    assert notation.number(cell) == number


@pytest.mark.parametrize(
    "cell", ["", " ", "NA", "n/a", "?", "-", ".", "Total", "1_000", "0x1F", "1 2", "2024-01-02", None]
)
def test_what_is_not_a_number_is_missing(cell):
    assert np.isnan(Notation().number(cell))


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("60.25", None),
        ("4,095.12", None),
        ("1234.567", None),
        ("12.34.567", None),
        ("1.234.56", None),
        ("1.234,567.890", None),
        ("0.123", None),
        (".123", None),
        ("1.234.", None),
        ("1..234", None),
        ("1.234", 1234.0),
        ("1234567,5", 1234567.5),
        (" -12.345.678,9e1 ", -123456789.0),
        (",5", 0.5),
        ("5,", 5.0),
    ],
)
def test_thousands_separators_stand_between_groups_of_three_digits(cell, number):
    assert EUROPEAN.number(cell) == number or (number is None and np.isnan(EUROPEAN.number(cell)))


@given(st.integers(-(10**15), 10**15), st.sampled_from([",.", ".,", " ,", "'.", "\u00a0,"]))
def test_integers_with_groups_are_read_back(number, marks):
    thousands, decimal = marks
    written = f"{number:,}".replace(",", thousands)
    assert Notation(decimal=decimal, thousands=thousands).number(written) == number


def test_a_mark_that_looks_like_a_number_is_compared_as_one():
    assert np.isnan(Notation(missing=("-999",)).read(["-999", "-999.0", " -999", -999])).all()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_python_writes_is_read_back(number):
    assert Notation().number(repr(number)) == number


def test_strings_are_taken_as_written_and_empty_ones_are_missing():
    assert Notation("text", missing=("NA",)).read(["a ", "NA", "", "na"]).tolist() == ["a ", None, None, "na"]


@pytest.mark.parametrize("notation", [EUROPEAN, Notation("text", missing=("?",))])
def test_a_notation_survives_json(notation):
    assert Notation.from_record(Field(notation.to_record(), "notation")) == notation


@pytest.mark.parametrize("signs", [(".", "."), ("", ","), (",", "..")])
def test_signs_that_cannot_be_told_apart_are_refused(signs):
    with pytest.raises(InvalidDataError, match="two different characters"):
        Notation("number", *signs)


@pytest.mark.parametrize("as_table", [pd.DataFrame, pl.DataFrame, lambda columns: pd.DataFrame(columns).to_numpy()])
def test_inputs_read_cells_of_any_table(as_table):
    X = as_table({"price": ["1,5", "n/a", "2.000"], "size": [1.0, 2.0, 3.0]})
    inputs = Inputs((Column(0, "price"), Column(1, "size")), allows_missing=True, notations=((0, EUROPEAN),))
    assert_array_equal(inputs.matrix(X)[:, 0], [1.5, np.nan, 2000.0])
