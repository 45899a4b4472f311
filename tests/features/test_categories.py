"""Categories by their values, whatever else is in the column; and frames in which columns cannot be told apart."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.ensemble import RandomForestClassifier

from hedgerow import InvalidDataError, RuleListClassifier
from hedgerow.features import (
    Category,
    CodedCategory,
    HashedCategory,
    Inputs,
    NumberedCategory,
    NumberSet,
    WholeCategory,
)
from hedgerow.tables.columns import known_notations

NUMBERS = st.sampled_from([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, 2.5, -3.0, 1e300])


@given(
    st.lists(NUMBERS.filter(np.isfinite), min_size=1, max_size=5, unique=True),
    hnp.arrays(np.float64, st.integers(0, 12), elements=NUMBERS),
    st.booleans(),
)
def test_a_number_has_the_place_it_has_among_the_categories(known, values, other):
    codes = Category(0, "grade", tuple(known), other=other).compute(values.reshape(-1, 1))
    unknown = len(known) if other else np.nan
    expected = [np.nan if np.isnan(v) else known.index(v) if v in known else unknown for v in values.tolist()]
    np.testing.assert_array_equal(codes, expected)


CELLS = np.array(["x", "y", "NA", "new", None], dtype=object)
NUMBERS_IN_CELLS = np.array([1, 1.5, 5, 4.9, 0.5, 0, -0.5, 7, np.nan])


@pytest.mark.parametrize("missing", [True, False])
@pytest.mark.parametrize("codes", [(), (0,), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize(
    ("feature", "column"),
    [
        (Category(0, "a", ("x", "y")), CELLS),
        (Category(0, "a", ("x", "y"), other=True), CELLS),
        (Category(0, "a", ("x", "y"), other=True, blanks=("NA",)), CELLS),
        (NumberedCategory(0, "a", ("x", "y")), CELLS),
        (WholeCategory(0, "a", (0, 1, 5)), NUMBERS_IN_CELLS),
        (WholeCategory(0, "a", (1, 5), other=True), NUMBERS_IN_CELLS),
        (CodedCategory(0, "a", (0, 1), other=True), NUMBERS_IN_CELLS),
    ],
)
def test_the_test_of_a_cell_passes_where_the_code_does(feature, column, codes, missing):
    test = feature.cell_test(NumberSet.of(*((code, code) for code in codes)), missing)
    for cell, code in zip(column, feature.compute(column.reshape(-1, 1)), strict=True):
        assert test.passes(cell) == (missing if np.isnan(code) else code in codes), cell


def test_an_unknown_category_is_refused_where_the_library_refuses_it():
    coded = CodedCategory(0, "color", ("red", "blue"))
    frame = pd.DataFrame({"color": ["red", "green"]})
    with pytest.raises(InvalidDataError, match=r"color contains a value that is not among .*: red, blue\."):
        coded.compute(frame)
    refused = coded.refused_cells(is_complete=False)
    assert [refused.passes(cell) for cell in ("red", "green", None)] == [False, True, False]
    with pytest.raises(InvalidDataError, match="integer codes for the categories of color"):
        CodedCategory(0, "color", (0, 1), other=True).compute(np.array([["red"]], dtype=object))


@pytest.mark.parametrize(
    ("feature", "holds"),
    [
        (Category(0, "a", ("x", "y")), str),
        (Category(0, "a", (True, False)), bool),
        (Category(0, "a", (1, 2.5)), float),
        (Category(0, "a", (True, 2)), None),
        (Category(0, "a", ()), None),
        (WholeCategory(0, "a", (1, 2)), float),
        (HashedCategory.of(0, "a", [1]), str),
    ],
)
def test_a_column_holds_what_its_categories_are(feature, holds):
    (column,) = feature.table_columns
    assert column.holds is holds
    assert list(known_notations(Inputs((feature,)))) == (["a"] if holds is str else [])
    assert feature.compute(np.array([[column.filler]], dtype=object)).shape == (1,)


@pytest.mark.parametrize("fitted_on", ["frame", "array"])
def test_columns_of_one_name_are_refused_with_their_names(fitted_on):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=["a", "a", "b"])
    y = np.where(X.iloc[:, 0] > 0, 1, 0)
    rules = RuleListClassifier(RandomForestClassifier(3, max_depth=2, random_state=0), max_rules=3)
    with pytest.raises(InvalidDataError, match=r"several columns with the same name: 'a'\. Rename them"):
        rules.fit(X, y)
    rules.fit(X.set_axis(["a", "c", "b"], axis=1) if fitted_on == "frame" else X.to_numpy(), y)
    for ask in (rules.predict, rules.rule_list_.predict):
        with pytest.raises(InvalidDataError, match="several columns with the same name: 'a'"):
            ask(X)


@pytest.mark.parametrize(
    ("known", "cells", "codes"),
    [
        ((False, True), ["True", "false", "1", " TRUE ", "", "nan", "maybe"], [1, 0, 1, 1, np.nan, np.nan, 2]),
        ((1, 2, 30), ["1", "30", "2.0", "", "4", "x"], [0, 2, 1, np.nan, 3, 3]),
        (("007", "True"), ["007", "True", "7", "true"], [0, 1, 2, 2]),
    ],
)
@pytest.mark.parametrize("made", [pd.DataFrame, np.array, lambda cells: pd.DataFrame(cells, dtype="category")])
def test_strings_are_read_as_booleans_or_numbers_if_the_categories_are(made, known, cells, codes):
    computed = Category(0, "c", known, other=True).compute(made([[cell] for cell in cells]))
    np.testing.assert_array_equal(computed, codes)


@pytest.mark.parametrize("kind", ["boolean", "integers"])
def test_a_list_predicts_the_same_from_a_frame_of_strings(kind):
    random = np.random.default_rng(0)
    column = random.random(80) > 0.5 if kind == "boolean" else pd.Categorical(random.integers(1, 4, 80))
    X = pd.DataFrame({"b": column, "k": random.choice(["r", "g"], 80)})
    y = np.where(X["b"] == (True if kind == "boolean" else 2), "yes", "no")
    rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y)
    for ask in (rules.predict, rules.rule_list_.predict, rules.ensemble_.predict):
        np.testing.assert_array_equal(ask(X.astype(str)), y)


def test_a_column_of_which_no_value_is_known_is_warned_of():
    X = pd.DataFrame({"zip": ["007", "100", "020"] * 20, "n": [0.5, 1.5] * 30})
    rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, X["zip"] == "007").rule_list_
    sentence = r"no value in the column 'zip' of X, such as 7\. They know: '007', '020', '100'\."
    with pytest.warns(UserWarning, match=sentence) as caught:
        rules.predict(X.astype({"zip": int}))
    assert len(caught) == 1
    with pytest.warns(UserWarning, match="such as 'new'"):
        rules.predict(X.assign(zip="new"))


def test_a_new_category_in_a_single_row_is_no_surprise(recwarn):
    X = pd.DataFrame({"zip": ["007", "100", "020"] * 20, "n": [0.5, 1.5] * 30})
    rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, X["zip"] == "007").rule_list_
    rules.predict(X[:1].assign(zip="new"))
    assert not recwarn.list
