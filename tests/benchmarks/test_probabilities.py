"""Calibration and ranking of class shares, on samples that fit on a hand."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from benchmarks.probabilities import calibration_error, describe_shares, ranking_quality


def test_shares_that_are_true_have_no_error():
    shares = np.array([[0.75, 0.25]] * 4 + [[0.0, 1.0]] * 4)
    y = ["a", "a", "a", "b"] + ["b"] * 4
    assert calibration_error(y, ["a", "b"], shares, n_bins=2) == 0
    assert calibration_error(y[::-1], ["a", "b"], shares[::-1], n_bins=2) == 0


def test_the_error_is_the_mean_distance_of_the_bins():
    # Sure of 0.6 and never right, sure of 0.9 and always right.
    shares = np.array([[0.6, 0.4], [0.6, 0.4], [0.1, 0.9], [0.1, 0.9]])
    assert calibration_error(["b"] * 4, ["a", "b"], shares, n_bins=2) == pytest.approx((0.6 + 0.1) / 2)
    assert calibration_error(["b"] * 4, ["a", "b"], shares, n_bins=1) == pytest.approx(0.25)


def test_fewer_samples_than_bins_are_a_bin_each():
    assert calibration_error(["a"], ["a", "b"], np.array([[0.8, 0.2]])) == pytest.approx(0.2)


def test_ranking_is_that_of_scikit_learn():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X[::2], y[::2])
    shares = tree.predict_proba(X)
    assert ranking_quality(y, tree.classes_, shares) == pytest.approx(roc_auc_score(y, shares, multi_class="ovr"))
    binary = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(X[50:, :1], y[50:])
    found = describe_shares(binary, X[50:, :1], y[50:])
    assert found["auc"] == pytest.approx(roc_auc_score(y[50:], binary.predict_proba(X[50:, :1])[:, 1]))


def test_a_class_that_the_test_part_lacks_does_not_count():
    shares = np.array([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1]])
    assert ranking_quality(["a", "b", "a"], ["a", "b", "c"], shares) == 1
    assert np.isnan(ranking_quality(["a", "a"], ["a", "b"], shares[:2, :2]))


def test_a_model_without_shares_has_nothing_to_describe():
    assert describe_shares(object(), None, None) == {}
