"""Calibration takes lists and estimators, and says what is wrong with rows, labels and options."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.svm import SVC

from hedgerow import InvalidDataError, InvalidParameterError, RuleListClassifier, RuleListRegressor
from hedgerow.evidence import PredictionIntervals, PredictionSets, conformal


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    y = y.map({0: "a", 1: "b", 2: "c"})
    return RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X[::2], y[::2]), X, y


def test_the_task_says_what_is_returned_and_an_estimator_stands_for_its_list(wine):
    fitted, X, y = wine
    found = conformal(fitted, X[1::2], y[1::2])
    assert isinstance(found, PredictionSets)
    assert found.to_json() == conformal(fitted.rule_list_, X[1::2], y[1::2]).to_json()
    numbers = RuleListRegressor(max_rules=2, random_state=0)
    X, y = load_diabetes(return_X_y=True)
    assert isinstance(conformal(numbers.fit(X[::2], y[::2]), X[1::2], y[1::2]), PredictionIntervals)


def test_too_few_rows_are_refused_with_the_number_that_is_needed(wine):
    fitted, X, y = wine
    with pytest.raises(InvalidDataError, match="90 % needs at least 9 calibration rows; got 8"):
        conformal(fitted, X[1:17:2], y[1:17:2])
    conformal(fitted, X[1:19:2], y[1:19:2])
    with pytest.raises(InvalidDataError, match="99 % needs at least 99 calibration rows; got 89"):
        conformal(fitted, X[1::2], y[1::2], 0.99)
    X, y = load_diabetes(return_X_y=True)
    fitted = RuleListRegressor(max_rules=2, random_state=0).fit(X[::2], y[::2])
    with pytest.raises(InvalidDataError, match="needs at least 19"):
        conformal(fitted, X[1:37:2], y[1:37:2])


def test_labels_that_the_list_does_not_know_are_warned_of_and_make_sets_larger(wine):
    fitted, X, y = wine
    strange = y[1::2].where(np.arange(len(y[1::2])) % 8 > 0, "d")
    with pytest.warns(UserWarning, match="labels that the list does not know: d. 12 of 89 rows are in no set"):
        found = conformal(fitted, X[1::2], strange)
    assert found.counts[:, -1].sum() == 12
    assert found.predict_set(X).sum() > conformal(fitted, X[1::2], y[1::2]).predict_set(X).sum()
    assert not found.contains(X[1::2], strange)[strange == "d"].any()
    with pytest.raises(InvalidDataError, match="knows none of the labels"):
        conformal(fitted, X[1::2], ["d"] * 89)


def test_training_rows_are_warned_of(wine):
    fitted, X, y = wine
    with pytest.warns(UserWarning, match="These seem to be the training rows.*sets and intervals are too small"):
        conformal(fitted.rule_list_, X[::2], y[::2])
    with pytest.warns(UserWarning, match="of the 178 rows are among the training rows"):
        conformal(fitted, X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        conformal(fitted, X[1::2], y[1::2])


def test_missing_columns_wrong_lengths_and_other_models_are_refused(wine):
    fitted, X, y = wine
    name = fitted.rule_list_[0].conditions[0].feature.name
    with pytest.raises(InvalidDataError, match=name):
        conformal(fitted, X[1::2].drop(columns=name), y[1::2])
    with pytest.raises(InvalidDataError, match="there are 88 targets"):
        conformal(fitted, X[1::2], y[1::2][1:])
    with pytest.raises(InvalidParameterError, match="Only a RuleList"):
        conformal(SVC(), X, y)
    with pytest.raises(TypeError, match="weight"):
        conformal(fitted, X[1::2], y[1::2], weight=np.ones(89))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("level", value) for value in (90, 1.0)),
        ("by_rule", "yes"),
        ("empty", None),
        *(("random_state", value) for value in (-1, 0.5, 2**64, True)),
    ],
)
def test_options_that_make_no_sense_are_named(wine, option, value):
    fitted, X, y = wine
    with pytest.raises(InvalidParameterError, match=option):
        conformal(fitted, X[1::2], y[1::2], **{option: value})


def test_boolean_labels_have_sets(wine):
    _, X, y = wine
    fitted = RuleListClassifier.accurate(max_rules=2, random_state=0).fit(X[::2], (y == "a")[::2])
    found = conformal(fitted, X[1::2], pd.Series((y == "a")[1::2]))
    assert found.predict_set(X).shape == (178, 2)
