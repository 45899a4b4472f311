"""A table gives an ensemble or a list what it takes."""

import numpy as np
import pandas as pd
import pytest
from rule_lists import KINDS, make

from hedgerow import InvalidDataError, RuleList
from hedgerow.features import Category, Column, HashedCategory, Inputs, SeriesInputs, WholeCategory
from hedgerow.tables.columns import as_labels, fit_columns, known_notations, take_targets, take_weights
from hedgerow.tables.files import read_table


@pytest.mark.parametrize(
    "kind", [name for name in KINDS if "dimension" not in name and name not in ("aeon", "wildboar intervals")]
)
@pytest.mark.parametrize("fallback", [False, True])
def test_a_table_from_a_file_gets_the_same_predictions(kind, fallback, tmp_path):
    rules, X = make(kind, fallback)
    rules = RuleList.from_json(rules.to_json())
    frame = X if hasattr(X, "columns") else pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    frame.to_csv(tmp_path / "table.csv", index=False)
    table = fit_columns(read_table(tmp_path / "table.csv", notations=known_notations(rules.inputs)).frame, rules.inputs)
    np.testing.assert_array_equal(rules.predict(table), rules.predict(X))
    np.testing.assert_array_equal(rules.apply(table), rules.apply(X))


@pytest.mark.parametrize(
    ("values", "task", "labels"),
    [
        (["a", "b", None, "a"], "classification", ["a", "b", "a"]),
        ([1.0, 2.0, np.nan, 1.0], "classification", [1, 2, 1]),
        ([True, False, None, True], "classification", [True, False, True]),
        ([0.5, 2.0, np.nan, 1.0], "regression", [0.5, 2.0, 1.0]),
        (list(range(30)), "regression", list(range(30))),
        ([0, 1] * 30, "classification", [0, 1] * 30),
        ([2**53 + 1, 2**53, None], "classification", [2**53 + 1, 2**53]),
        ([2**70 + 1, 2**70, None], "classification", [str(2**70 + 1), str(2**70)]),
        ([2**64 - 1, 2], "classification", [str(2**64 - 1), "2"]),
        ([1e300, 2.0], "classification", [1e300, 2.0]),
    ],
)
def test_the_task_is_guessed_from_the_target(values, task, labels):
    as_objects = {type(v) for v in values} & {str, bool} or (None in values and max(v or 0 for v in values) > 2**53)
    column = pd.Series(values, dtype=object if as_objects else None)
    targets = take_targets(pd.DataFrame({"y": column}), "y")
    assert targets.task == task
    assert targets.values.tolist() == labels
    assert len(targets.rows) == len(labels)


@pytest.mark.parametrize(
    ("values", "classes", "labels"),
    [
        (["007", "012"], [7, 12], [7, 12]),
        ([0, 1], ["0", "1"], ["0", "1"]),
        (["a", "b"], ["a", "b"], ["a", "b"]),
        (["a", "7"], [7, 12], ["a", "7"]),
        ([0, 1], [0, 1], [0, 1]),
    ],
)
def test_labels_become_those_that_a_model_knows(values, classes, labels):
    assert as_labels(np.array(values), np.array(classes)).tolist() == labels
    assert as_labels(np.array(values), None).tolist() == values


def test_the_task_that_is_told_counts():
    frame = pd.DataFrame({"y": [0, 1, 1, 0]})
    assert take_targets(frame, "y", "regression").values.dtype == np.float64
    with pytest.raises(InvalidDataError, match="too many for classes"):
        take_targets(pd.DataFrame({"y": np.arange(9) / 2}), "y", "classification")


@pytest.mark.parametrize("weights", [[1, -1], [1, np.nan], [0, 0], ["a", "b"]])
def test_weights_are_numbers_of_at_least_zero(weights):
    with pytest.raises(InvalidDataError, match="weight column 'w'"):
        take_weights(pd.DataFrame({"w": weights}), "w")
    assert take_weights(pd.DataFrame({"w": ["2", "0"]}), "w").tolist() == [2.0, 0.0]


FEATURES = (
    Column(0, "age"),
    Category(1, "zip", ("01", "1")),
    Category(2, "flag", (False, True)),
    Category(3, "grade", (1, 2)),
    WholeCategory(4, "store", (3, 7)),
    HashedCategory.of(5, "hashed", [1, 2]),
)
INPUTS = Inputs(FEATURES, allows_missing=True, has_names=True)


def test_columns_become_what_the_list_knows(tmp_path):
    (tmp_path / "t.csv").write_text("hashed,store,grade,flag,zip,age,more\n5,7,2,true,01,?,x\n6,3,1,FALSE,1,30,y\n")
    assert list(known_notations(INPUTS)) == ["zip", "hashed"]
    table = fit_columns(read_table(tmp_path / "t.csv", notations=known_notations(INPUTS)).frame, INPUTS)
    assert list(table.columns) == INPUTS.names
    values = INPUTS.matrix(table)
    np.testing.assert_array_equal(values[:, :5], [[np.nan, 0, 1, 1, 1], [30, 1, 0, 0, 0]])
    assert table["hashed"].tolist() == ["5", "6"]


def test_only_columns_that_are_looked_at_must_be_there():
    frame = pd.DataFrame({"zip": ["01"], "age": [30.0]})
    table = fit_columns(frame, INPUTS, needed=FEATURES[:2])
    assert INPUTS.values(table, FEATURES[:2])[FEATURES[1]].tolist() == [0]
    with pytest.raises(InvalidDataError, match=r"lacks the columns 'flag', 'grade'"):
        fit_columns(frame, INPUTS)
    with pytest.raises(InvalidDataError, match=r"lacks the column 'zip'.* called 'ZIP' there"):
        fit_columns(frame.rename(columns={"zip": "ZIP"}), INPUTS, needed=FEATURES[:2])


def test_a_text_where_a_number_belongs_is_named():
    with pytest.raises(InvalidDataError, match="'age' must contain numbers, but it contains 'old'"):
        fit_columns(pd.DataFrame({"age": ["30", "old"]}), INPUTS, needed=FEATURES[:1])


def test_columns_without_names_go_by_position():
    inputs = Inputs((Column(0, "x0"), Column(1, "x1")))
    assert fit_columns(pd.DataFrame({"a": [1], "b": ["2"]}), inputs).to_numpy().tolist() == [[1.0, 2.0]]
    with pytest.raises(InvalidDataError, match="2 columns without names; the table has 1"):
        fit_columns(pd.DataFrame({"a": [1]}), inputs)


def test_spaces_may_have_become_underscores():
    inputs = Inputs((Column(0, "the_age"),), has_names=True)
    table = fit_columns(pd.DataFrame({"the age": [1.0], "more": [2.0]}), inputs)
    assert inputs.matrix(table).tolist() == [[1.0]]


def test_a_table_of_series_has_the_length_that_is_wanted():
    inputs = SeriesInputs((), length=3)
    assert fit_columns(pd.DataFrame({"a": [1], "b": [2], "c": ["3"]}), inputs).tolist() == [[1, 2, 3]]
    with pytest.raises(InvalidDataError, match="length 2"):
        fit_columns(pd.DataFrame({"a": [1], "b": [2]}), inputs)
    with pytest.raises(InvalidDataError, match="only numbers"):
        fit_columns(pd.DataFrame({"a": [1], "b": [2], "c": ["x"]}), inputs)


def test_labels_are_written_as_in_the_table():
    complete = pd.DataFrame({"y": [-1.0, 1.0, 1.0, -1.0]})
    assert list(map(str, take_targets(complete, "y").values)) == ["-1.0", "1.0", "1.0", "-1.0"]
    whole = pd.DataFrame({"y": [-1, 1, 1, -1]})
    assert list(map(str, take_targets(whole, "y").values)) == ["-1", "1", "1", "-1"]
    with_holes = pd.DataFrame({"y": [-1, 1, None, 1, -1]})  # integers, which pandas reads as floats here
    assert list(map(str, take_targets(with_holes, "y").values)) == ["-1", "1", "1", "-1"]


def test_booleans_that_a_text_file_spells_are_numbers_where_these_are_needed():
    inputs = Inputs((Column(0, "b"),), has_names=True)
    made = fit_columns(pd.DataFrame({"b": ["True", "false", None]}), inputs)
    np.testing.assert_array_equal(made["b"], [1, 0, np.nan])
    with pytest.raises(InvalidDataError, match="must contain numbers, but it contains"):
        fit_columns(pd.DataFrame({"b": ["True", "maybe"]}), inputs)
