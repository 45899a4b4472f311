"""Tests of cells: which values pass, and which tests always or never do."""

import numpy as np
import pytest

from hedgerow.features import NumberSet, NumberTest, ValueTest
from hedgerow.features.number_sets import ALL

SMALL = NumberSet.of((0.0, 1.0))


@pytest.mark.parametrize("empty", [None, np.nan, float("nan")])
@pytest.mark.parametrize("missing", [True, False])
def test_an_empty_cell_passes_if_missing_values_do(empty, missing):
    assert NumberTest(0, SMALL, missing).passes(empty) is missing
    assert ValueTest(0, ("a",), (), missing=missing).passes(empty) is missing


def test_numbers_pass_if_they_are_in_the_set():
    assert [NumberTest(0, SMALL).passes(value) for value in (0, 1.0, True, 2, -0.1)] == [True, True, True, False, False]


def test_values_pass_by_name_and_others_as_told():
    test = ValueTest(0, ("a",), ("b",), others=True)
    assert [test.passes(value) for value in ("a", "b", "c")] == [True, False, True]
    assert [ValueTest(0, ("a",), ("b",)).passes(value) for value in ("a", "b", "c")] == [True, False, False]


def test_integers_may_be_compared_as_strings():
    test = ValueTest(0, ("1", "7"), (), as_text=True)
    assert [test.passes(value) for value in (7, True, "7", 8, "True")] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("test", "is_certain", "is_impossible"),
    [
        (NumberTest(0, ALL, True), True, False),
        (NumberTest(0, ALL, None), True, False),
        (NumberTest(0, ALL, False), False, False),
        (NumberTest(0, NumberSet(), False), False, True),
        (NumberTest(0, NumberSet(), None), False, True),
        (NumberTest(0, NumberSet(), True), False, False),
        (ValueTest(0, (), (), True, True), True, False),
        (ValueTest(0, (), ("a",), True, True), False, False),
        (ValueTest(0, (), ("a",), False, False), False, True),
        (ValueTest(0, ("a",), (), False, False), False, False),
    ],
)
def test_certain_and_impossible_tests_are_known(test, is_certain, is_impossible):
    assert (test.is_certain, test.is_impossible) == (is_certain, is_impossible)


def test_values_that_are_numbers_become_a_test_of_numbers():
    listed, others = ValueTest(2, (1, 3), (2,)).as_numbers(), ValueTest(2, (1,), (2,), others=True).as_numbers()
    assert [listed.passes(value) for value in (1, 2, 3, 4)] == [True, False, True, False]
    assert [others.passes(value) for value in (1, 2, 3, 4)] == [True, False, True, True]
    assert ValueTest(2, (1, "a"), ()).as_numbers() is None
    assert ValueTest(2, (), ()).as_numbers() is None


def test_strings_that_spell_booleans_or_numbers_pass_as_these():
    truth, number = ValueTest(0, (True,), (False,)), ValueTest(0, (2,), (1,), others=True, missing=False)
    assert [truth.passes(value) for value in ("True", "false", "1", "", "x", True)] == [
        *(True, False, True),
        *(False, False, True),
    ]
    assert [number.passes(value) for value in ("2", "1", "1.0", "", "3", 1)] == [True, False, False, False, True, False]
