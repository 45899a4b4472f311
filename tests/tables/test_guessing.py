"""The notation of a column is guessed from its strings, and in doubt they stay strings."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tables.guessing import guess_notation, is_unusual_number


@pytest.mark.parametrize(
    ("strings", "numbers"),
    [
        (["1", "2.5", " 3 "], [1, 2.5, 3]),
        (["-5", "+3", ".5", "5.", "1e-3"], [-5, 3, 0.5, 5, 0.001]),
        (["12,5", "7", "0,25"], [12.5, 7, 0.25]),
        (["0,123", "1,234"], [0.123, 1.234]),  # no number of thousands starts with 0
        (["1,234", "999", "12,345"], [1234, 999, 12345]),
        (["1,234,567", "1,234"], [1234567, 1234]),
        (["1.234", "2.345"], [1.234, 2.345]),
        (["1.234,5", "1.234", "2"], [1234.5, 1234, 2]),
        (["1.234.567", "12"], [1234567, 12]),
        (["12,5", "1.5"], [12.5, 1.5]),
        (["1 234,5", "12"], [1234.5, 12]),
        (["1\u00a0234", "12"], [1234, 12]),
        (["1\u202f234", "12"], [1234, 12]),
        (["1'234.5", "12"], [1234.5, 12]),
        (["12 %", "7%", "0,5 %"], [12, 7, 0.5]),
        (["$1,234.50", "-$5", "$-6"], [1234.5, -5, -6]),
        (["12.345,67 €", "3 €"], [12345.67, 3]),
        (["1,5 EUR", "2 EUR"], [1.5, 2]),
        (["12 kg", "7 kg"], [12, 7]),
        (["37.5°C", "36°C"], [37.5, 36]),
        (["36 months", "60 months"], [36, 60]),
    ],
)
def test_numbers_of_many_notations(strings, numbers):
    guess = guess_notation(strings)
    assert (guess.n_present, guess.n_numbers, guess.strays) == (len(strings), len(strings), ())
    np.testing.assert_array_equal(guess.notation.read(strings), numbers)


@pytest.mark.parametrize(
    "strings",
    [
        ["red", "blue", "12"],
        ["1", "2", "A"] * 10,  # codes
        ["1", "2", "3"] * 40 + ["A"] * 10,  # one of the codes is rarer than the others
        ["007", "12"],
        ["007", *map(str, range(10, 30)), "Total"],
        ["A1", "A2"],
        ["1A", "2A"],
        ["$5", "€5"],  # amounts that cannot be compared
        ["12 kg", "7 lb", "8 lb"],
        ["12 kg", "7"],
        ["1 234", "12 5"],
        ["1,2,3", "3,4"],
        ["10.0.0.1", "1.2.3.4"],
        ["2020-12-31", "2021-01-01"],
        ["31.12.2020", "01.02.2021"],
        ["12:30", "13:45"],
        ["1-2", "3-5"],
        ["1_000", "2"],
        ["True", "False"],
        ["", " ", "NA"],
        [],
    ],
)
def test_other_strings_stay_strings(strings):
    assert not guess_notation(strings).has_numbers


def test_strays_and_marks_are_told_apart():
    strings = [*(f"{i / 10}" for i in range(50)), "Total", "#N/A", "NA", "", None, "?"]
    guess = guess_notation(pd.Series(strings))
    assert guess.has_numbers
    assert guess.strays == ("Total",)
    assert set(guess.marks) == {"#N/A", "NA", "?"}
    assert (guess.n_present, guess.n_numbers) == (54, 50)


def test_many_strays_make_strings_unless_they_are_rare():
    numbers = [f"{i}.5" for i in range(1000)]
    assert guess_notation([*numbers, *"abcde"]).has_numbers
    assert guess_notation([*numbers, *"abcdefgh"]).has_numbers
    assert not guess_notation([*numbers, *(f"word {i}" for i in range(20))]).has_numbers
    assert not guess_notation([*numbers[:40], *"abcde"]).has_numbers  # more than a tenth


def test_a_thousand_or_one_is_decided_by_the_other_columns_and_by_the_caller():
    commas, points = ["1,234", "2,345"], ["1.234", "2.345"]
    for column, decimal, first in ((commas, ",", 1.234), (points, ",", 1234), (points, ".", 1.234)):
        for how in ({"likely_decimal": decimal}, {"decimal": decimal}):
            assert guess_notation(column, **how).notation.read(column)[0] == first
    assert guess_notation(commas).example == "1,234"
    assert guess_notation(commas, decimal=",").example == ""
    assert guess_notation(points).example == ""
    assert guess_notation(commas, thousands=",").notation.read(commas)[0] == 1234
    assert guess_notation(["12,5"], likely_decimal=".").notation.decimal == ","  # its own evidence counts more


def test_a_given_decimal_mark_leaves_other_strings():
    assert not guess_notation(["12,5", "2,345"], decimal=".").has_numbers


def test_given_marks_are_missing_in_numbers_and_in_strings():
    guess = guess_notation(["1", "2", "-999", "x"], missing=["-999", "x"])
    np.testing.assert_array_equal(guess.notation.read(["1", "-999", "x"]), [1, np.nan, np.nan])
    assert guess_notation(["a", "b", "x"], missing=["x"]).notation.read(["a", "x"]).tolist() == ["a", None]


def test_some_numbers_may_lack_the_sign_which_is_told():
    assert guess_notation(["12%", "7%", "0.5"]).is_mixed
    assert not guess_notation(["12%", "7%"]).is_mixed


def test_numbers_and_strings_may_be_mixed_in_a_column_of_objects():
    column = pd.Series([1, 2.5, None, "3", "NA", float("nan")] * 3, dtype=object)
    guess = guess_notation(column)
    assert (guess.has_numbers, guess.n_present, guess.n_numbers) == (True, 12, 9)


WRITTEN = st.tuples(st.sampled_from([(".", ","), (",", "."), (",", " "), (".", "'")]), st.sampled_from(["", " €", "%"]))


@given(st.lists(st.integers(-(10**9), 10**9), min_size=3, max_size=20), WRITTEN)
def test_amounts_are_read_as_they_were_written(cents, written):
    (decimal, thousands), sign = written
    marks = str.maketrans({",": thousands, ".": decimal})
    strings = [f"{amount / 100:,.2f}".translate(marks) + sign for amount in cents]
    guess = guess_notation(strings)
    np.testing.assert_array_equal(guess.notation.read(strings), [float(f"{amount / 100:.2f}") for amount in cents])


@pytest.mark.parametrize("cells", [["1.234,5\u00a0€", "7,25\u00a0€"], ["1234,5\u202f", "\u00a07,25"]])
def test_no_break_spaces_beside_numbers_are_signs_that_are_removed(cells):
    """Databases do not ignore them around a number, as they do other blanks."""
    notation = guess_notation(cells).notation
    assert notation.read(cells).tolist() == [1234.5, 7.25]


def test_numbers_are_recognized_in_notations_that_are_not_read():
    assert all(map(is_unusual_number, ["(5,111)", "(12)", "−51.11", "36,32,735", "€ 5.10", "$1,234.50", "5-", "12"]))
    others = ["red", "", "()", "-", "007", "02139", "31.12.2020", "2020-12-31", "12:30", "1.2.3", "5 kg", "A1", "1-5"]
    assert not any(map(is_unusual_number, others))
