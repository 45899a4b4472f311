"""Forests that have seen the rows are told from those that have not."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import train_test_split

from hedgerow.tables.known_rows import seems_to_know
from hedgerow.tasks import Labels, Numbers


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_wine, load_diabetes])
def test_a_forest_seems_to_know_the_rows_that_it_was_trained_on_and_no_others(load):
    X, y = load(return_X_y=True)
    task, forest = Labels(np.unique(y)), RandomForestClassifier(50, random_state=0)
    if load is load_diabetes:
        task, forest = Numbers(), RandomForestRegressor(50, random_state=0)
    known, other, y_known, y_other = train_test_split(X, y, test_size=0.5, random_state=0)
    forest.fit(known, y_known)
    assert seems_to_know(forest.score(known, y_known), 0.8, task)
    assert not seems_to_know(forest.score(other, y_other), 0.8, task)


def test_a_score_that_is_not_defined_tells_nothing():
    assert not seems_to_know(float("nan"), 0.5, Numbers())


def test_rows_that_are_easy_to_predict_tell_nothing():
    assert not seems_to_know(1.0, 1.0, Numbers())
    assert not seems_to_know(1.0, 0.995, Labels(np.arange(2)))
