"""A task knows its targets, mixes them, and scores predictions as scikit-learn does."""

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import DataConversionWarning
from sklearn.metrics import accuracy_score, r2_score

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.tasks import Labels, Numbers, task_of

COLOURS = np.array(["blue", "green", "red"])


def test_labels_are_the_sorted_different_targets():
    task, y = Labels.of(["red", "blue", "red"], "An estimator")
    assert task.classes.tolist() == ["blue", "red"]
    assert y.tolist() == ["red", "blue", "red"]


def test_booleans_that_pandas_keeps_as_objects_are_labels():
    task, y = Labels.of(np.array([True, np.False_, True], dtype=object), "An estimator")
    assert (task.classes.dtype, y.dtype) == (bool, bool)
    assert y.tolist() == [True, False, True]


def test_numbers_become_doubles():
    _, y = Numbers.of(np.array(["1", "2.5"], dtype=object), "An estimator")
    assert y.dtype == np.float64
    assert y.tolist() == [1.0, 2.5]


@pytest.mark.parametrize(
    ("kind", "y", "message"),
    [
        (Labels, None, "An estimator requires y"),
        (Labels, [0.5, 1.5], "continuous"),
        (Numbers, ["a", "b"], "must contain numbers"),
        (Numbers, np.array(["2020-01-01"], dtype="M8[D]"), "must contain numbers"),
        (Numbers, [1.0, np.nan], "NaN"),
        (Numbers, [1.0, 2.0, -np.inf, np.inf], r"infinity in 2 of 4 rows, first in row 2\. Drop"),
        (Numbers, np.array([1.0, np.inf], dtype=object), "infinity in 1 of 2 rows, first in row 1"),
        (Labels, [0.0, 1.0, np.inf], "infinity in 1 of 3 rows, first in row 2"),
        (Labels, np.array(["a", None, "b", None], dtype=object), "missing value in 2 of 4 rows, first in row 1. Drop"),
        (Labels, ["a", None], "missing value in 1 of 2 rows"),
        (Labels, pd.Series(["a", pd.NA], dtype="string"), "missing value in 1 of 2 rows"),
        (Labels, np.array(["2020-01-01", "NaT"], dtype="M8[D]"), "missing value in 1 of 2 rows"),
        (Labels, np.array(["a", 1], dtype=object), "both strings and other values, such as 'a' and 1. Convert"),
        (Labels, ["a", 1, True], "both strings and other values, such as 'a' and True"),
        (Labels, np.array([True, None], dtype=object), "missing value in 1 of 2 rows, first in row 1"),
        (
            Labels,
            [Decimal("0.5"), Decimal(1)],
            "y contains Decimal, such as '0.5'. Convert the labels to strings or int",
        ),
        (Labels, [0.5, 1.0], "not integers, such as 0.5; these are not classes. Use RuleListRegressor"),
        (Labels, np.eye(2), r"got an array of shape \(2, 2\). If it has one column per class, pass y.argmax"),
        (Labels, "label", r"y is 'label'. .* pass X\['label'\], and X without it"),
        (Numbers, 3, "y is 3. Pass an array with one target per sample"),
    ],
)
def test_targets_of_another_kind_are_refused(kind, y, message):
    with pytest.raises(ValueError, match=message):
        kind.of(y, "An estimator")


def test_one_class_cannot_be_learned_but_one_number_can():
    with pytest.raises(InvalidDataError, match="only one class, 'red'"):
        Labels(COLOURS).check_learnable(np.array(["red", "red"]))
    Numbers().check_learnable(np.zeros(3))


def test_the_classes_of_an_ensemble_may_be_more_but_not_fewer():
    few = Labels(COLOURS[:2])
    assert few.among(Labels(COLOURS)).classes.tolist() == COLOURS.tolist()
    with pytest.raises(InvalidDataError, match=r"not trained on: \['red'\]"):
        Labels(COLOURS).among(few)
    with pytest.raises(InvalidParameterError, match="is a regressor; use X, or give a classifier"):
        few.among(Numbers(), "use X, or ")
    with pytest.raises(InvalidParameterError, match="is a classifier; give a regressor"):
        Numbers().among(few, "")


def test_labels_mix_as_class_shares_and_numbers_as_they_are():
    said = np.array([[0.2, 0.8, 0.0]])
    assert_allclose(Labels(COLOURS).mix(np.array(["blue"]), said, 0.25), [[0.8, 0.2, 0.0]])
    assert_allclose(Numbers().mix(np.array([1.0]), np.array([3.0]), 0.25), [1.5])


def test_shares_harden_to_the_likeliest_label_with_its_lead():
    labels, lead = Labels(COLOURS).hardened(np.array([[0.5, 0.2, 0.3], [0.0, 0.9, 0.1]]))
    assert labels.tolist() == ["blue", "green"]
    assert_allclose(lead, [0.2, 0.8])


def test_picked_predictions_keep_the_type_of_the_classes():
    picked = Labels(COLOURS).pick(["red", "blue"], np.array([1, 0, -1]))
    assert picked.dtype == COLOURS.dtype
    assert picked.tolist() == ["blue", "red", "blue"]
    assert_array_equal(Numbers().pick([1, 2.5], np.array([1, 0])), [2.5, 1.0])


def test_scores_are_those_of_scikit_learn():
    y, said = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0])
    assert Labels(np.array([0, 1])).score(y, said) == accuracy_score(y, said)
    assert Labels(np.array([0, 1])).disagreement(y, said) == 0.25
    assert Numbers().score(y, said + 0.5) == r2_score(y, said + 0.5)
    assert Numbers().disagreement(np.array([0.0, 2.0]), np.array([1.0, 5.0])) == 5.0


def test_a_class_that_training_lacks_cannot_be_tested():
    assert "class 'red'" in Labels(COLOURS).why_not_tested(COLOURS[:2], COLOURS)
    assert Labels(COLOURS).why_not_tested(COLOURS, COLOURS[:1]) is None
    assert Numbers().why_not_tested(np.zeros(2), np.ones(2)) is None


def test_what_has_classes_predicts_labels():
    assert task_of(COLOURS).classes is COLOURS
    assert task_of(None).classes is None


def test_classes_that_only_the_model_knows_are_named_with_a_way_out():
    task = Labels(np.array(["a", "b"]))
    with pytest.raises(InvalidDataError, match="y lacks class 'c', which the model knows"):
        task.order_of_shares(["a", "b", "c"])
    with pytest.raises(InvalidDataError, match="y lacks classes 'c', 'd'"):
        task.order_of_shares(["c", "a", "d", "b"])
    with pytest.raises(InvalidDataError, match="trained on other labels than y has"):
        task.order_of_shares(["a", "c"])


def test_the_parts_of_a_score_add_up_to_it_up_to_a_constant():
    y, weight = np.array([0, 1, 1, 0]), np.array([1.0, 2.0, 1.0, 0.5])
    for task, told in ((Labels(np.array([0, 1])), [0, 1]), (Numbers(), [0.2, 0.7])):
        parts = task.parts_of_score(y, np.array(told), weight)
        one, other = (parts[which, np.arange(4)].sum() for which in ([0, 0, 1, 0], [1, 0, 1, 1]))
        scores = [task.score(y, np.array(told)[which], weight) for which in ([0, 0, 1, 0], [1, 0, 1, 1])]
        assert one - other == pytest.approx(scores[0] - scores[1])


def test_numbers_that_are_all_equal_have_no_parts():
    assert not Numbers().parts_of_score(np.ones(3), np.array([0.5]), np.ones(3)).any()


@pytest.mark.parametrize("labels", [["a", "longer"], [0, 1], [False, True], [0.0, 1.0]], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_score_of_labels_is_the_accuracy_of_scikit_learn(labels, weighted):
    rng = np.random.default_rng(0)
    y, predicted = np.array(labels)[rng.integers(0, 2, (2, 30))]
    weight = rng.random(30) if weighted else None
    expected = accuracy_score(y, predicted, sample_weight=weight)
    for given in (y, y.tolist(), y[:, None], pd.Series(y)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataConversionWarning)  # a column as a matrix
            assert Labels(np.unique(y)).score(given, predicted, weight) == expected


def test_labels_of_another_kind_than_the_predictions_are_refused_as_scikit_learn_does():
    with pytest.raises((ValueError, TypeError)):
        Labels(np.array([0, 1])).score(np.array(["0", "1"]), np.array([0, 1]))
