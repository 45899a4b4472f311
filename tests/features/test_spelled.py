"""Strings that spell booleans and numbers."""

import numpy as np
import pytest

from hedgerow.features.spelled import spelling_of


@pytest.mark.parametrize("known", [["a", "b"], [True, 2], ["1", 2], [], [None], [np.nan]])
def test_strings_stay_strings_unless_all_values_are_booleans_or_numbers(known):
    assert spelling_of(known) is None


@pytest.mark.parametrize("known", [[False, True], [np.True_], [None, True]])
def test_booleans_are_read_as_programs_and_databases_spell_them(known):
    read = spelling_of(known)
    assert [read(one) for one in ("True", "false", "TRUE", "1", "0", "1.0")] == [True, False, True, True, False, True]
    assert [read(one) for one in ("", "nan", "None", "<NA>")] == [None] * 4
    assert [read(one) for one in ("yes", 1, True)] == ["yes", 1, True]


@pytest.mark.parametrize("known", [[1, 2], [1.5], [np.int64(3), np.nan]])
def test_numbers_are_read_as_programs_write_them(known):
    read = spelling_of(known)
    assert [read(one) for one in ("3", " 3.0", "-1e2", "three", 3)] == [3, 3, -100, "three", 3]
    assert [read(one) for one in ("", "nan", "None", "<NA>")] == [None] * 4
