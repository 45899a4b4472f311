"""A forest made from plain arrays predicts as it should, and parts that do not fit together are refused."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine
from sklearn.ensemble import (
    RandomForestClassifier,
)
from small_forests import STUMP_ARRAYS, stump_forest

from hedgerow import Forest, InvalidDataError, RuleListClassifier
from hedgerow.features import Inputs, make_columns

WINE = load_wine(return_X_y=True)


def test_an_unknown_library_needs_no_more_than_its_arrays():
    X, y = WINE
    model = RandomForestClassifier(10, max_depth=3, random_state=0).fit(X, y)
    trees = [
        {
            "left": member.tree_.children_left,
            "right": member.tree_.children_right,
            "feature": member.tree_.feature,
            "threshold": member.tree_.threshold,
            "value": member.tree_.value[:, 0],
        }
        for member in model.estimators_
    ]
    forest = Forest.from_arrays(trees, [f"x{i}" for i in range(13)], classes=model.classes_, dtype=np.float32)
    assert_array_equal(forest.apply(X), model.apply(X))
    assert_array_equal(forest.labels(X), model.predict(X))
    assert_array_equal(forest.predictions_of(forest.inputs.matrix(X)), model.predict(X))
    assert str(RuleListClassifier(forest).fit(X, y).rule_list_) == str(RuleListClassifier(model).fit(X, y).rule_list_)


def test_one_number_a_node_is_one_output_and_missing_goes_right_by_default():
    forest = Forest.from_arrays([STUMP_ARRAYS | {"value": [0.0, 1.0, 2.0]}], ["age"], aggregation="sum", base=[10.0])
    assert forest.answer([[2.5], [3.0], [np.nan]]).tolist() == [11.0, 12.0, 12.0]


def test_weights_and_outputs_must_fit():
    with pytest.raises(InvalidDataError, match="a finite weight per tree"):
        Forest.from_arrays([STUMP_ARRAYS], ["age"], tree_weights=[1.0, 2.0])
    with pytest.raises(InvalidDataError, match="base has only 1"):
        Forest.from_arrays([STUMP_ARRAYS], ["age"], base=[0.0])
    for given_, message in (
        ({"classes": ["a", "b", "c"]}, "3 classes need 3 outputs"),
        ({"classes": ["a", "a"]}, "distinct labels"),
        ({}, "A regression forest has one output"),
        ({"classes": ["a", "b"], "aggregation": "max"}, "aggregation must be one of"),
        ({"classes": ["a", "b"], "aggregation": "median"}, "for regression"),
        ({"classes": ["a", "b"], "link": "cauchit"}, "link must be one of"),
        ({"classes": ["a", "b"], "dtype": "int32"}, "dtype must be float32 or float64"),
        ({"classes": ["a", "b"], "base": [np.nan, 0.0]}, "base contains NaN"),
    ):
        with pytest.raises(InvalidDataError, match=message):
            Forest.from_arrays([STUMP_ARRAYS], ["age"], **given_)
    with pytest.raises(InvalidDataError, match="at least one tree"):
        Forest.from_arrays([], ["age"])


def test_predictions_are_labels_or_values_whichever_the_forest_has():
    assert stump_forest().task.has_labels
    assert stump_forest().predictions([[2.5], [2.6]]).tolist() == ["no", "yes"]
    numbers = Forest.from_arrays([STUMP_ARRAYS | {"value": [0.0, 1.0, 2.0]}], ["age"])
    assert not numbers.task.has_labels
    assert numbers.predictions([[2.5], [2.6]]).tolist() == [1.0, 2.0]
    with pytest.raises(AttributeError, match="use answer"):
        numbers.labels([[2.5]])


def test_other_inputs_keep_the_trees_but_must_have_their_features():
    forest = stump_forest()
    wider = replace(forest, inputs=Inputs(make_columns(3, None)))
    assert wider.trees[0] is forest.trees[0]
    with pytest.raises(InvalidDataError, match="splits on feature 0, but the features are numbered from 0 to -1"):
        replace(forest, inputs=Inputs(()))


def test_the_median_is_weighted():
    trees = [STUMP_ARRAYS | {"value": [0.0, low, low + 10]} for low in (1.0, 2.0, 3.0)]
    forest = Forest.from_arrays(trees, ["age"], aggregation="median", tree_weights=[1.0, 1.0, 3.0])
    assert forest.answer([[0.0], [9.0]]).tolist() == [3.0, 13.0]


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("identity", -2.0),
        ("exp", np.exp(-2.0)),
        ("logistic", 1 / (1 + np.exp(2.0))),
        ("softplus", np.log1p(np.exp(-2.0))),
        ("signed_square", -4.0),
        ("step", 0.0),
    ],
)
def test_links_from_the_raw_prediction_to_the_value(link, expected):
    forest = Forest.from_arrays([STUMP_ARRAYS | {"value": [0.0, -2.0, 2.0]}], ["age"], link=link)
    assert forest.answer([[0.0]]) == pytest.approx([expected])


@pytest.mark.parametrize(("ties_to_second", "label"), [(False, "no"), (True, "yes")])
def test_a_raw_prediction_on_the_cutoff_is_a_tie(ties_to_second, label):
    forest = Forest.from_arrays(
        [STUMP_ARRAYS | {"value": [0.0, -1.0, 1.0]}], ["age"], classes=["no", "yes"], link="logistic"
    )
    tied = replace(forest, cutoff=1.0, ties_to_second=ties_to_second)
    assert tied.labels([[0.0], [9.0]]).tolist() == ["no", label]
