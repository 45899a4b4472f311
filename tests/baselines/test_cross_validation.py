"""Folds keep to the samples there are, and errors are those of scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.model_selection import KFold

from hedgerow.baselines.cross_validation import log_loss, make_folds, mean_squared_error

WEIGHT = np.array([1.0, 2.0, 1.0])


def test_no_more_folds_than_samples_or_than_samples_of_the_rarest_class():
    y = np.array([0, 0, 0, 0, 0, 1, 1])
    assert len(make_folds(5, y, stratified=False)) == 5
    assert len(make_folds(10, y, stratified=False)) == 7
    folds = make_folds(5, y, stratified=True)
    assert len(folds) == 2
    assert all(set(y[test]) == {0, 1} for _, test in folds)


def test_one_sample_of_a_class_has_no_folds():
    assert make_folds(5, np.array([0, 0, 1]), stratified=True) == []
    assert make_folds(5, np.array([3.0]), stratified=False) == []


def test_a_splitter_is_used_as_given():
    found = make_folds(KFold(2), np.arange(4.0), stratified=False)
    assert [test.tolist() for _, test in found] == [[0, 1], [2, 3]]


def test_errors_are_those_of_scikit_learn():
    targets, predicted = np.array([[0.0], [1.0], [1.0]]), np.array([[0.2], [0.7], [0.4]])
    squared = metrics.mean_squared_error(targets, predicted, sample_weight=WEIGHT)
    assert mean_squared_error(predicted, targets, WEIGHT) == pytest.approx(squared)
    expected = metrics.log_loss(targets[:, 0], predicted[:, 0], sample_weight=WEIGHT)
    assert log_loss(predicted, targets, WEIGHT) == pytest.approx(expected)


def test_several_outputs_are_added_up_and_certainty_is_never_infinitely_wrong():
    assert mean_squared_error(np.array([[1.0, 2.0]]), np.array([[0.0, 0.0]]), np.ones(1)) == 5
    assert 10 < log_loss(np.array([[1.0]]), np.array([[0.0]]), np.ones(1)) < 30
