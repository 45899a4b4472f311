"""A model is called by the method that says most, and its classes have one meaning."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier

from hedgerow import InvalidParameterError
from hedgerow.pipeline.asking import Questions, forest_of
from hedgerow.pipeline.model_calls import Call, as_array, classes_named
from hedgerow.tasks import Labels
from hedgerow.teachers import Oracle

AB = Labels(np.array(["a", "b"]))
ROWS = np.arange(10.0)[:, None]


def ask(function, **given):
    return Questions(function, AB, Oracle(function, **given))(ROWS)


class Numbered:
    """A model that knows the classes 0 and 1, and is for the second from 5 on."""

    def __init__(self, way, classes=(0, 1)):
        self.classes_ = np.array(classes)
        setattr(self, way, getattr(self, f"_{way}"))

    def _predict(self, X):
        return self.classes_[(X[:, 0] > 4).astype(int)]

    def _predict_proba(self, X):
        return np.eye(2)[(X[:, 0] > 4).astype(int)]


@pytest.mark.parametrize("way", ["predict", "predict_proba"])
@pytest.mark.parametrize(("names", "second"), [(["a", "b"], 1), (["b", "a"], 0)])
def test_classes_name_the_numbers_of_a_model(way, names, second):
    expected = [0.0] * 5 + [1.0] * 5
    for classes in ([0, 1], [0.0, 1.0], [False, True]):
        model = Numbered(way, classes)
        assert Questions(model, AB, Oracle(model, classes=names))(ROWS)[:, second].tolist() == expected
    numbered = ask(lambda X: (X[:, 0] > 4).astype(int), classes=names)
    assert numbered[:, second].tolist() == expected
    by_name = ask(lambda X: np.where(X[:, 0] > 4, "b", "a"), classes=names)
    assert by_name[:, 1].tolist() == expected


@pytest.mark.parametrize("way", ["predict", "predict_proba"])
def test_classes_that_contradict_those_of_the_model_are_refused(way):
    for own, given in ((["a", "b"], ["b", "a"]), (["x", "y"], ["a", "b"]), ([0, 1], [1, 0]), ([1, 2], ["a", "b"])):
        model = Numbered(way, own)
        with pytest.raises(InvalidParameterError, match="contradicts the model, whose classes are"):
            Questions(model, Labels(np.unique(given)), Oracle(model, classes=given))
    model = Numbered(way, ["a", "b"])
    assert Questions(model, AB, Oracle(model, classes=["a", "b"]))(ROWS)[:, 1].sum() == 5


def test_a_forest_gets_the_names_too():
    y = (ROWS[:, 0] > 4).astype(int)
    model = RandomForestClassifier(3, bootstrap=False).fit(ROWS, y)
    forest = forest_of(Oracle(model, classes=["b", "a"]))
    assert_array_equal(forest.predictions(ROWS), np.where(y == 1, "a", "b"))
    assert forest_of(Oracle(model, classes=[0, 1])).classes.tolist() == [0, 1]
    with pytest.raises(InvalidParameterError, match="contradicts"):
        forest_of(Oracle(model, classes=[1, 0]))


def test_the_order_of_classes_is_the_models_own_unless_it_has_none():
    assert classes_named(None, None) is None
    assert classes_named(["x", "y"], None) == ["x", "y"]
    assert classes_named(None, ("y", "x")) == ["y", "x"]


def test_what_is_called_is_the_method_that_says_most():
    model = RandomForestClassifier(3).fit(ROWS, np.where(ROWS[:, 0] > 4, "b", "a"))
    call = Call.of(model, AB, Oracle(model))
    assert call.predict == model.predict_proba
    assert call.known == ["a", "b"]
    assert call.returns is None
    assert_array_equal(call.read([[0.5, 0.5]]), [[0.5, 0.5]])
    for nothing in (None, "a", {}):
        assert as_array(nothing, call.known) is None
