"""A forest of plain arrays or of JSON answers as it should, and what does not fit together is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)

from hedgerow import Forest, InvalidDataError, RuleListClassifier, Tree, read_forest
from hedgerow.features import Category, ColumnOfNonzeros, Inputs

WINE = load_wine(return_X_y=True)
STUMP = {
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "feature": [0, -1, -1],
    "threshold": [2.5, 0.0, 0.0],
    "value": [[0.5, 0.5], [1.0, 0.0], [0.2, 0.8]],
}


def forest_of(**changes):
    return Forest.from_arrays([STUMP | changes], ["age"], classes=["no", "yes"])


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
    assert str(RuleListClassifier(forest).fit(X, y).rule_list_) == str(RuleListClassifier(model).fit(X, y).rule_list_)


def test_one_number_a_node_is_one_output_and_missing_goes_right_by_default():
    forest = Forest.from_arrays([STUMP | {"value": [0.0, 1.0, 2.0]}], ["age"], aggregation="sum", base=[10.0])
    assert forest.answer([[2.5], [3.0], [np.nan]]).tolist() == [11.0, 12.0, 12.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"left": [1, -1, 7], "right": [2, -1, 1]}, "A child is node 7"),
        ({"left": [1, -1, -1], "right": [1, -1, -1]}, "child of exactly one node"),
        ({"left": [0, -1, -1]}, "child of exactly one node"),
        ({"left": [1, -1, -1], "right": [-1, -1, -1]}, "two children or none"),
        ({"left": [-1, 2, 1], "right": [-1, -1, -1]}, "two children or none"),
        ({"left": [], "right": []}, "at least one node"),
        ({"threshold": [np.nan, 0.0, 0.0]}, "NaN"),
        ({"threshold": [2.5]}, "threshold must have one entry per node"),
        ({"feature": [1, 0, 0]}, "splits on feature 1"),
        ({"feature": [-3, 0, 0]}, "splits on feature -3"),
        ({"value": [[0.5, 0.5]]}, "value must have one entry per node"),
        ({"left": [1.5, -1, -1]}, "left must hold integers"),
        ({"left": ["a", -1, -1]}, "left must hold integers"),
        ({"feature": [0.7, 0, 0]}, "feature must hold integers"),
        ({"missing_left": ["False", "", ""]}, "missing_left must hold booleans"),
        ({"value": [[0.5, 0.5], [np.nan, 0.0], [0.2, 0.8]]}, "A leaf predicts NaN"),
        ({"threshold": ["a", 0.0, 0.0]}, "hold one number per node"),
        ({"left": [[1, -1, -1]]}, "one dimension"),
        ({"output": -1}, "output -1"),
        ({"colour": 1}, "unknown: \\['colour'\\]"),
    ],
)
def test_arrays_that_are_no_tree_are_refused(changes, message):
    with pytest.raises(InvalidDataError, match=message):
        forest_of(**changes)


def test_a_circle_beside_the_root_is_refused():
    # 0 -> (1, 2); 3 -> (4, 5), 4 -> (3, 6): each node has one parent, but 3 and 4 go round.
    left, right = [1, -1, -1, 4, 3, -1, -1], [2, -1, -1, 5, 6, -1, -1]
    with pytest.raises(InvalidDataError, match="cycle"):
        Forest.from_arrays([{k: left if k == "left" else right if k == "right" else [0.0] * 7 for k in STUMP}], ["a"])


def test_nodes_in_any_order_are_a_tree():
    # The root's children come last.
    tree = {
        "left": [3, -1, -1, 1, -1],
        "right": [4, -1, -1, 2, -1],
        "feature": [0] * 5,
        "threshold": [5.0, 0, 0, 2.0, 0],
    }
    forest = Forest.from_arrays([tree | {"value": [0.0, 1.0, 2.0, 3.0, 4.0]}], ["age"])
    assert forest.answer([[1.0], [3.0], [6.0]]).tolist() == [1.0, 2.0, 4.0]


def test_weights_and_outputs_must_fit():
    with pytest.raises(InvalidDataError, match="a finite weight per tree"):
        Forest.from_arrays([STUMP], ["age"], tree_weights=[1.0, 2.0])
    with pytest.raises(InvalidDataError, match="base has only 1"):
        Forest.from_arrays([STUMP], ["age"], base=[0.0])
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
            Forest.from_arrays([STUMP], ["age"], **given_)
    with pytest.raises(InvalidDataError, match="at least one tree"):
        Forest.from_arrays([], ["age"])


MODELS = [
    (RandomForestClassifier(5, random_state=0), WINE),
    (GradientBoostingClassifier(n_estimators=4), load_iris(return_X_y=True)),
    (AdaBoostRegressor(n_estimators=5, random_state=0), load_diabetes(return_X_y=True)),
    (HistGradientBoostingClassifier(max_iter=4, categorical_features=[0]), (WINE[0].round(), WINE[1])),
]


@pytest.mark.parametrize(("model", "data"), MODELS, ids=lambda x: type(x).__name__)
def test_json_brings_back_the_same_forest(model, data):
    X, y = data
    forest = read_forest(model.fit(X, y))
    again = Forest.from_json(forest.to_json())
    assert_array_equal(again.apply(X), forest.apply(X))
    assert_array_equal(again.predict(X), forest.predict(X))  # bit by bit
    assert again.to_json() == forest.to_json()
    if forest.classes is not None:
        assert_array_equal(again.labels(X), model.predict(X))


def test_json_keeps_a_union_infinity_and_every_kind_of_feature():
    models = [RandomForestClassifier(3, random_state=i).fit(*WINE) for i in (0, 1)]
    union = read_forest(models)
    assert_array_equal(Forest.from_json(union.to_json()).answer(WINE[0]), union.answer(WINE[0]))
    tree = Tree(
        left=np.array([1, 3, -1, -1, -1]),
        right=np.array([2, 4, -1, -1, -1]),
        feature=np.array([0, 1, 0, 0, 0]),
        threshold=np.array([np.inf, np.nan, np.nan, np.nan, np.nan]),
        missing_left=np.zeros(5, dtype=bool),
        value=np.arange(5.0)[:, None],
        category=np.array([-1, 0, -1, -1, -1]),
        left_codes=np.array([[True, False, True]]),
    )
    features = (ColumnOfNonzeros(0, 'the "first"\n'), Category(1, "color", ("red", "blue"), other=True))
    forest = Forest((tree,), Inputs(features, np.float64, allows_missing=True), np.ones(1))
    X = np.array([[1.0, "red"], [1.0, "blue"], [1.0, "green"], [0.0, "red"]], dtype=object)
    assert forest.answer(X).tolist() == [3.0, 4.0, 3.0, 2.0]
    again = Forest.from_json(forest.to_json())
    assert again.answer(X).tolist() == [3.0, 4.0, 3.0, 2.0]
    assert again.features == forest.features


def test_json_keeps_the_type_of_labels_and_what_is_known_of_the_columns():
    forest = replace(forest_of(), classes=np.array(["1", 1], dtype=object))
    forest = replace(forest, inputs=replace(forest.inputs, absent="missing", delicate=((0, "f"),)))
    again = Forest.from_json(forest.to_json())
    assert again.labels([[2.5], [2.6]]).tolist() == ["1", 1]
    assert again.inputs == forest.inputs
    small = replace(forest, classes=np.array([3, 7], dtype=np.uint8))
    assert Forest.from_json(small.to_json()).classes.dtype == np.uint8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "not a forest"),
        ('{"format": "hedgerow.forest", "version": 99}', "version 99"),
        ('{"format": "hedgerow.forest", "version": 1}', "incomplete"),
    ],
)
def test_text_that_is_no_forest_is_refused(text, message):
    with pytest.raises(InvalidDataError, match=message):
        Forest.from_json(text)


RECORD = json.loads(forest_of().to_json())


@pytest.mark.parametrize("name", ["base", "tree_weights"])
def test_numbers_of_a_forest_are_one_after_the_other(name):
    with pytest.raises(InvalidDataError, match="incomplete"):
        Forest.from_json(json.dumps(RECORD | {name: [[] for _ in RECORD[name]]}))


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_forest_that_was_tampered_with_is_read_or_refused_but_never_crashes(data):
    record = json.loads(json.dumps(RECORD))
    here, path = record, []
    while isinstance(here, (dict, list)) and here:
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        path.append((here, key))
        here = here[key]
    container, key = path[data.draw(st.integers(0, len(path) - 1))]
    container[key] = data.draw(
        st.sampled_from([None, -1, 0, 1, 2, 3, 10**30, -(10**30), 1.5, "nan", "inf", "x", [], {}, [[0]], True])
    )
    try:
        forest = Forest.from_json(json.dumps(record))
    except InvalidDataError:
        return
    forest.apply(np.array([[1.0] * forest.n_features]))


def test_a_feature_that_needs_its_model_cannot_be_written():
    class Other(ColumnOfNonzeros):
        pass

    forest = replace(forest_of(), inputs=Inputs((Other(0, "a"),)))
    with pytest.raises(InvalidDataError, match="cannot be written"):
        forest.to_json()
