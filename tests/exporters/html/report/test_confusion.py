"""Right and wrong predictions are apart, whatever the number of classes."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import confusion_matrix, precision_score, recall_score

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.confusion import (
    ENOUGH_CLASSES,
    MOST_IN_TABLE,
    MOST_PREDICTED,
    Confusion,
    confuse,
    rate_classes,
)
from hedgerow.features import Column, Inputs

A = Column(0, "a")


def make_list(classes, answers, default=None):
    """A list with one rule per answer: the value k of the column gets the k-th answer."""
    shares = tuple(np.eye(len(classes))[0])
    rules = tuple(Rule((Condition(A, k - 1, k),), one, 1, 0.1, shares) for k, one in enumerate(answers))
    last = answers[-1] if default is None else default
    return RuleList(rules, Rule((), last, distribution=shares), Inputs((A,)), np.array(classes))


def letters(n):
    return [chr(65 + i) if i < 26 else f"Z{i:02}" for i in range(n)]


def predicted_as_right(confusion):
    return sum(row[j] for row, j in zip(confusion.counts, confusion.right, strict=True) if j is not None)


def test_few_classes_are_counted_as_scikit_learn_counts_them():
    rng = np.random.default_rng(0)
    y, predicted = (np.array(list("abc"))[rng.integers(0, 3, 90)] for _ in range(2))
    confusion = confuse(make_list("abc", ["a", "b", "c"]), y, predicted)
    assert confusion.counts == tuple(map(tuple, confusion_matrix(y, predicted, labels=list("abc"))))
    assert (confusion.truths, confusion.columns) == (("a", "b", "c"), ("a", "b", "c"))
    assert (confusion.right, confusion.notes, confusion.n_shared) == ((0, 1, 2), (), 0)


def test_of_26_classes_every_one_that_the_list_predicts_is_shown_and_no_other_is_called_right():
    classes = letters(26)
    answers = ["B", "Z", "A", "M", "B"]  # A is rare; the 22 other classes are never predicted
    y = np.repeat(classes, np.arange(1, 27))
    rng = np.random.default_rng(1)
    predicted = np.array(answers)[rng.integers(0, 5, len(y))]
    confusion = confuse(make_list(classes, answers), y, predicted)
    assert confusion.columns == ("A", "B", "M", "Z")
    frequent = classes[-9:-1]  # R to Y, the most frequent of the others
    assert confusion.truths == ("A", "B", "M", *frequent, "Z", "14 other classes")
    assert len(confusion.truths) == ENOUGH_CLASSES + 1
    assert np.sum(confusion.counts) == len(y)
    assert predicted_as_right(confusion) == np.sum(y == predicted)
    assert confusion.right == (0, 1, 2, *[None] * 8, 3, None)
    for name, row in zip(confusion.truths[:-1], confusion.counts, strict=False):
        assert list(row) == [np.sum((y == name) & (predicted == column)) for column in confusion.columns]
    assert confusion.notes == ("22 classes are never predicted, so their rows are all wrong.",)


def test_classes_that_are_put_together_have_a_column_for_right_and_one_for_wrong_predictions():
    classes = letters(40)
    y = np.repeat(classes, 1 + np.arange(40))
    predicted = np.where(np.arange(len(y)) % 3 == 0, np.roll(y, 7), y)
    confusion = confuse(make_list(classes, classes), y, predicted)
    assert len(confusion.columns) == MOST_PREDICTED + 2
    assert confusion.columns[-2:] == ("others, right", "others, wrong")
    assert np.sum(confusion.counts) == len(y)
    assert predicted_as_right(confusion) == np.sum(y == predicted)
    hidden = sorted(set(classes) - set(confusion.columns))
    *_, right, wrong = confusion.counts[-1]
    assert confusion.truths[-1] == f"{len(hidden)} other classes"
    assert right == np.sum(np.isin(y, hidden) & (y == predicted))
    assert wrong == np.sum(np.isin(y, hidden) & np.isin(predicted, hidden) & (y != predicted))
    assert "predicts 10 more classes" in confusion.notes[0]


def test_labels_that_the_list_does_not_know_are_wrong():
    y, predicted = np.array(["a", "new", "new", "b"]), np.array(["a", "a", "b", "a"])
    confusion = confuse(make_list("ab", ["a", "b"]), y, predicted)
    assert confusion.truths == ("a", "b", "new")
    assert confusion.counts == ((1, 0), (1, 0), (1, 1))
    assert confusion.right == (0, 1, None)


@pytest.mark.parametrize("n_classes", [2, 26])
def test_precision_and_recall_are_those_of_scikit_learn(n_classes):
    classes, rng = letters(n_classes), np.random.default_rng(2)
    y = np.array(classes)[rng.integers(0, n_classes, 500)]
    predicted = np.where(rng.random(500) < 0.5, y, "A")
    found = rate_classes(make_list(classes, classes), y, predicted)
    assert [one.name for one in found.rows] == classes
    precision = precision_score(y, predicted, labels=classes, average=None, zero_division=np.nan)
    recall = recall_score(y, predicted, labels=classes, average=None, zero_division=np.nan)
    np.testing.assert_allclose([one.precision for one in found.rows], precision)
    np.testing.assert_allclose([one.recall for one in found.rows], recall)
    assert [one.n_true for one in found.rows] == [np.sum(y == name) for name in classes]
    assert found.n_more == 0


def test_their_intervals_are_those_of_scipy():
    classes, rng = letters(3), np.random.default_rng(2)
    y = np.array(classes)[rng.integers(0, 2, 80)]  # C never occurs
    predicted = np.where(rng.random(80) < 0.7, y, "A")
    found = rate_classes(make_list(classes, classes), y, predicted).rows
    for one in found[:2]:
        n_right = round(one.recall * one.n_true)
        expected = binomtest(n_right, one.n_true).proportion_ci(method="wilson")
        np.testing.assert_allclose(one.recall_interval, expected, rtol=1e-4)
        expected = binomtest(n_right, one.n_predicted).proportion_ci(method="wilson")
        np.testing.assert_allclose(one.precision_interval, expected, rtol=1e-4)
    assert found[2].recall_interval is None
    assert found[2].precision_interval is None


def test_the_table_of_very_many_classes_keeps_those_that_are_predicted():
    classes = letters(100)
    y = np.repeat(classes, 2)
    found = rate_classes(make_list(classes, [classes[-1], classes[50]]), y, np.full(len(y), classes[50]))
    assert len(found.rows) == MOST_IN_TABLE
    assert found.n_more == 40
    assert {classes[50], classes[-1]} <= {one.name for one in found.rows}


def test_long_names_make_way_for_numbers_sooner_if_there_are_many():
    def is_numbered(n_classes, length):
        names = ("w" * length, *["a"] * (n_classes - 1))
        return Confusion(names, names, (), tuple(range(n_classes))).is_numbered

    assert [is_numbered(2, 12), is_numbered(2, 13), is_numbered(5, 6), is_numbered(5, 7)] == [False, True, False, True]


def test_a_column_has_the_number_of_the_row_of_its_class():
    confusion = Confusion(("a", "b", "c"), ("a", "c"), ((1, 0), (1, 0), (0, 1)), (0, None, 1))
    assert confusion.numbers == ("1", "3")
