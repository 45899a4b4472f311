"""A condition and the value beside it are both true as they are written."""

import numpy as np
import pytest

from hedgerow import Condition
from hedgerow.features import Category, Column
from hedgerow.rules.telling import code_text, told, value_text

A, COLOR = Column(0, "a"), Category(1, "color", ("blue", "red"), other=True)


@pytest.mark.parametrize("bound", [0.8, 0.80000123, 41.37, 1e-7, 123456.5])
@pytest.mark.parametrize("step", [0, 1e-9, 1e-6, 1e-3, 0.06])
@pytest.mark.parametrize("sign", [-1, 1])
def test_digits_suffice_for_the_written_condition_to_say_what_is_true_of_the_written_value(bound, step, sign):
    value = np.float64(bound + sign * step)
    text, shown = told(Condition(A, upper=bound), value, 4)
    _, relation, number = text.split()
    reads = float(shown) < float(number) if relation == "<" else float(shown) <= float(number)
    assert reads == (value <= bound)


def test_missing_values_and_categories_have_names():
    assert told(Condition(A, upper=1.0, missing=True), np.float64(np.nan), 4) == ("(a <= 1 or missing)", "missing")
    assert told(Condition(COLOR, categories=frozenset({0})), np.float64(1), 4) == ("color is blue", "red")
    assert [code_text(COLOR, code) for code in range(4)] == ["blue", "red", "another value", "another value"]
    assert value_text(A, np.float64(1 / 3)) == "0.333333"
