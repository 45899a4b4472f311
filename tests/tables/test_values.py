"""The values of a column are recognized."""

import datetime

import numpy as np
import pandas as pd
import pytest

from hedgerow.tables.values import (
    are_single,
    are_whole_objects,
    different_values,
    first_without_number,
    has_leading_zeros,
    numbers_in,
    plain,
)


def objects(*values):
    return pd.Series(values, dtype=object)


def test_numbers_may_be_written_and_missing_ones_marked():
    np.testing.assert_array_equal(
        numbers_in(objects(" 1.5", "?", "NA", None, "-2e3", 7)), [1.5, *[np.nan] * 3, -2000, 7]
    )
    for bad in ("x", "1_000", True, "1,5", datetime.date(2020, 1, 1)):
        assert numbers_in(objects("1", bad)) is None
        assert first_without_number(objects("1", bad)) == bad


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["007", "12"], True),
        (["007", "?", None], True),
        (["0", "12"], False),  # a zero alone is a number
        (["007", "x"], False),
        (["-07", "12"], False),
        (["00.5"], False),
        ([], False),
    ],
)
def test_digits_with_leading_zeros_are_names(values, expected):
    assert has_leading_zeros(objects(*values)) == expected


def test_lists_and_dictionaries_are_not_single_values():
    assert are_single(objects("a", 1, None))
    for container in ([1], {"k": 1}):
        assert not are_single(objects("a", container))
        assert list(different_values(objects(container, None, container))) == [container, container]
    assert list(different_values(objects("a", None, "b", "a"))) == ["a", "b"]


def test_large_integers_with_missing_ones_stay_exact():
    column = plain(pd.Series(pd.array([2**53 + 1, None], dtype="Int64")))
    assert column.tolist() == [2**53 + 1, None]
    assert are_whole_objects(column)
    small = plain(pd.Series(pd.array([1, None], dtype="Int64")))
    assert small.dtype == np.float64
    assert not are_whole_objects(small)


def test_strings_stay_strings():
    assert plain(objects("1", np.nan)).tolist() == ["1", None]
    assert plain(pd.Series(["b", None], dtype="category")).tolist() == ["b", None]
