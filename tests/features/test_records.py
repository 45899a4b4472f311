"""Every kind of feature is written as JSON data, and read from it."""

import json

import numpy as np
import pytest

from hedgerow import InvalidDataError
from hedgerow.features import (
    KINDS,
    Category,
    CodedCategory,
    Column,
    ColumnOfNonzeros,
    ColumnWithBlank,
    ColumnWithGap,
    DatePart,
    HashedCategory,
    Inputs,
    IntervalStatistic,
    Notation,
    NumberedCategory,
    Output,
    SeriesInputs,
    ShapeletDistance,
    Steps,
    WholeCategory,
    from_record,
    inputs_from_record,
    inputs_to_record,
    to_record,
)

ONE_OF_EACH = [
    Column(0, "a", has_missing=True),
    ColumnOfNonzeros(0, "a"),
    ColumnWithBlank(0, "a", blank=np.nan),
    ColumnWithGap(0, "a", -np.inf, 2.5, fill=1.0),
    Category(0, "a", ("x", "y"), other=True, blanks=("NA",)),
    NumberedCategory(0, "a", (True, False)),
    WholeCategory(0, "a", (1, 5)),
    CodedCategory(0, "a", ("x",)),
    HashedCategory.of(0, "a", [1, -1]),
    DatePart.of(0, "a", "days", "%d.%m.%Y", "2020-12-31"),
    ShapeletDistance(1, (0.5, 1.0), "adtw", metric_params=(("p", 0.5),)),
    IntervalStatistic(1, 2, 4, "slope"),
]


def test_there_is_one_of_each_kind():
    assert {type(feature) for feature in ONE_OF_EACH} == set(KINDS.values())


@pytest.mark.parametrize("feature", ONE_OF_EACH, ids=lambda feature: type(feature).__name__)
def test_a_feature_is_read_as_it_was_written(feature):
    again = from_record(json.loads(json.dumps(to_record(feature), allow_nan=False)))
    assert repr(again) == repr(feature)
    assert type(again) is type(feature)


def test_the_record_of_a_feature_is_what_documents_have_always_said():
    assert json.dumps(to_record(ONE_OF_EACH[3])) == (
        '{"kind": "ColumnWithGap", "index": 0, "name": "a", "lowest": "-inf", "highest": 2.5, "fill": 1.0, '
        '"has_missing": false}'
    )
    assert json.dumps(to_record(ShapeletDistance(0, (1, 2)))) == (
        '{"kind": "ShapeletDistance", "dimension": 0, "shapelet": [1.0, 2.0], "metric": "euclidean", '
        '"name": "dist(x, s)", "has_missing": false}'
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"kind": "Colum"}, r"feature\.kind must be one of Column, ColumnOfNonzeros"),
        ({"index": 0.5}, r"feature\.index must be an integer; got 0\.5"),
        ({"lowest": None}, r"feature\.lowest"),
        ({"mean": 1}, r"feature\.mean"),
    ],
)
def test_a_member_that_is_wrong_is_named(change, why):
    with pytest.raises(InvalidDataError, match=why):
        from_record(to_record(ONE_OF_EACH[3]) | change)


@pytest.mark.parametrize(
    ("categories", "why"), [(["x", 1], "all strings, all numbers or all booleans"), (["x", "x"], "a category twice")]
)
def test_categories_are_of_one_type_and_different(categories, why):
    with pytest.raises(InvalidDataError, match=why):
        from_record(json.loads(json.dumps(to_record(ONE_OF_EACH[4]) | {"categories": categories})))


def test_what_fitted_steps_compute_is_not_written():
    with pytest.raises(InvalidDataError, match=r"pca0 cannot be written as JSON.*pickle"):
        to_record(Output(Steps("key", ()), 0, "pca0"))


INPUTS = [
    Inputs((Column(0, "a"), Column(1, "b")), np.float64, allows_missing=True, complete=frozenset([Column(1, "b")])),
    Inputs((Column(1, "b"),), columns=("a", "b"), has_names=True, absent="zero", delicate=((1, "f"),)),
    SeriesInputs((IntervalStatistic(1, 2, 4, "slope"),), n_dimensions=2, length=5),
]


@pytest.mark.parametrize("inputs", INPUTS)
def test_inputs_are_read_as_they_were_written(inputs):
    assert repr(inputs_from_record(json.loads(json.dumps(inputs_to_record(inputs))))) == repr(inputs)


@pytest.mark.parametrize(
    ("inputs", "change", "why"),
    [
        (0, {"features": [to_record(Column(1, "a"))], "complete": []}, "'a', of column 1, which does not exist"),
        (0, {"features": [to_record(ONE_OF_EACH[-1])], "complete": []}, "of column None, which does not exist"),
        (1, {"columns": ["a", "c"]}, "'b', of column 1, which is 'c'"),
        (1, {"columns": ["b", "b"]}, "columns contains a name twice"),
        (1, {"delicate": [[4, "f"]]}, "delicate has column 4, of 2"),
        (2, {"series": {"n_dimensions": 1, "length": 5}}, "of dimension 1, which does not exist"),
        (2, {"series": {"n_dimensions": 2, "length": 3}}, "inputs.series: .* needs series longer than 3"),
    ],
)
def test_features_of_columns_that_do_not_exist_are_refused(inputs, change, why):
    with pytest.raises(InvalidDataError, match=why):
        inputs_from_record(json.loads(json.dumps(inputs_to_record(INPUTS[inputs]) | change)))


def test_notations_of_columns_survive_json():
    notation = Notation("number", decimal=",", affixes=("%",), missing=("-999",))
    inputs = Inputs((Column(0, "a"), Column(1, "b")), notations=((1, notation),))
    assert inputs_from_record(inputs_to_record(inputs)).notations == ((1, notation),)


@pytest.mark.parametrize("notations", [[[7, {}]], [[0]], 3])
def test_wrong_notations_are_named(notations):
    record = inputs_to_record(Inputs((Column(0, "a"),))) | {"notations": notations}
    with pytest.raises(InvalidDataError, match=r"inputs\.notations"):
        inputs_from_record(record)
