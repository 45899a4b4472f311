"""A forest comes back from JSON as it was; a document that is inconsistent is refused."""

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
from small_forests import stump_forest

from hedgerow import Forest, InvalidDataError, Tree, read_forest
from hedgerow.features import Category, ColumnOfNonzeros, Inputs

WINE = load_wine(return_X_y=True)


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
    forest = replace(stump_forest(), classes=np.array(["1", 1], dtype=object))
    forest = replace(forest, inputs=replace(forest.inputs, absent="missing", delicate=((0, "f"),)))
    again = Forest.from_json(forest.to_json())
    assert again.labels([[2.5], [2.6]]).tolist() == ["1", 1]
    assert again.inputs == forest.inputs
    small = replace(forest, classes=np.array([3, 7], dtype=np.uint8))
    assert Forest.from_json(small.to_json()).classes.dtype == np.uint8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "not a forest"),
        ('{"format": "hedgerow.forest", "version": 99}', "version 99"),
        ('{"format": "hedgerow.forest", "version": 1}', "incomplete"),
    ],
)
def test_text_that_is_not_a_forest_is_refused(text, message):
    with pytest.raises(InvalidDataError, match=message):
        Forest.from_json(text)


RECORD = json.loads(stump_forest().to_json())


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

    forest = replace(stump_forest(), inputs=Inputs((Other(0, "a"),)))
    with pytest.raises(InvalidDataError, match="cannot be written"):
        forest.to_json()
