"""Columns of a data frame are found by name, in any order; those that nothing needs may be absent."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hedgerow import InvalidDataError
from hedgerow.features import Category, Column, Inputs, Output, Steps
from hedgerow.features.choosing import choose_columns, columns_by_name, names_needed

AGE, CITY, PAY = Column(0, "age"), Category(1, "city", ("Lima", "Lyon")), Column(2, "net pay")
INPUTS = Inputs((AGE, CITY, PAY), has_names=True)
FRAME = pd.DataFrame({"age": [30, 40], "city": ["Lyon", "Lima"], "net pay": [1.5, 2.5]})
MIXED = FRAME.assign(other=["?", "!"])[["net pay", "other", "city", "age"]]


@pytest.mark.parametrize("made", [lambda frame: frame, pl.from_pandas], ids=["pandas", "polars"])
def test_columns_are_found_by_name(made):
    chosen = choose_columns(made(MIXED), INPUTS)
    assert list(chosen.columns) == ["age", "city", "net pay"]
    np.testing.assert_array_equal(INPUTS.matrix(chosen), [[30, 1, 1.5], [40, 0, 2.5]])
    only = choose_columns(made(FRAME[["net pay"]]), INPUTS, [PAY])
    assert INPUTS.values(only, [PAY])[PAY].tolist() == [1.5, 2.5]


def test_what_fits_is_returned_as_it_is():
    assert choose_columns(FRAME, INPUTS) is FRAME
    array = np.zeros((2, 3))
    assert choose_columns(array, INPUTS) is array
    nameless = Inputs((AGE, PAY))
    other = FRAME.set_axis(["a", "b", "c"], axis=1)
    assert choose_columns(other, nameless) is other
    assert choose_columns(other, nameless, []) is other
    twins = Inputs((Column(0, "a"), Column(1, "a")))
    assert choose_columns(other[["b", "a"]], twins, [twins.features[0]]).columns.tolist() == ["b", "a"]


def test_names_of_columns_count_even_if_the_ensemble_does_not_insist_on_them():
    nameless = Inputs((Column(0, "x0"), Column(1, "x1")))
    frame = pd.DataFrame({"x1": [1.0], "more": [0.0], "x0": [2.0]})
    assert choose_columns(frame, nameless).to_numpy().tolist() == [[2.0, 1.0]]


def test_columns_that_are_needed_and_absent_are_named():
    with pytest.raises(InvalidDataError, match=r"^The table lacks the column 'age'\. Is 'age' called 'Age' there\?$"):
        choose_columns(FRAME.rename(columns={"age": "Age"}), INPUTS, called="The table")
    with pytest.raises(InvalidDataError, match=r"^X lacks the columns 'age', 'city'\.$"):
        choose_columns(FRAME[["net pay"]], INPUTS, [AGE, CITY])
    alike = Inputs((Column(0, "preg"), Column(1, "pres")), columns=("preg", "pres"), has_names=True)
    with pytest.raises(InvalidDataError, match=r"^X lacks the column 'preg'\.$"):  # 'pres' is another column
        choose_columns(pd.DataFrame({"pres": [1.0]}), alike)


def test_steps_of_a_pipeline_may_look_at_any_column():
    output = Output(Steps("all", ()), 0, "pca0")
    inputs = Inputs((output, AGE), columns=("age", "city"), has_names=True)
    assert names_needed(inputs, [output]) == {"age", "city"}
    assert names_needed(inputs, [AGE]) == {"age"}
    assert names_needed(inputs, None) == {"age", "city"}


def test_names_with_underscores_find_their_columns():
    assert columns_by_name(["net pay", "a_b"]) == {"net_pay": "net pay", "net pay": "net pay", "a_b": "a_b"}
    inputs = Inputs((Column(0, "net_pay"), AGE), has_names=True)
    assert list(choose_columns(FRAME, inputs).columns) == ["net pay", "age"]


def test_columns_called_by_integers_are_refused_in_another_order():
    inputs = Inputs((Column(0, "x5"), Column(1, "x2")))
    frame = pd.DataFrame({5: [0.5], 2: [1.5]})
    assert choose_columns(frame, inputs, [inputs.features[0]]) is frame
    with pytest.raises(InvalidDataError, match=r"than in training, which was: 5, 2\..*X\.columns\.astype\(str\)"):
        choose_columns(frame[[2, 5]], inputs, [inputs.features[0]])
    others = frame.set_axis([7, 6], axis=1)
    assert choose_columns(others, inputs) is others
