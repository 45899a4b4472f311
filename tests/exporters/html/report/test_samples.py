"""Samples are checked and evaluated once."""

import numpy as np
import pytest

from hedgerow import Condition, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.exporters.html.report import summarize
from hedgerow.exporters.html.report.samples import check_samples
from hedgerow.features import Column, Inputs

A = Column(0, "a")
NUMBERS = RuleList((Rule((Condition(A, upper=1),), 5.0, 2, 0.5),), Rule((), 7.0), Inputs((A,)))
LABELS = RuleList((Rule((), "x", 2, 1.0, (1.0,)),), Rule((), "x", distribution=(1.0,)), Inputs((A,)), np.array(["x"]))
X = [[0.0], [1.0], [2.0]]


def test_samples_come_with_their_evaluation_and_targets():
    found = check_samples(NUMBERS, "training", "X", X, [1, 2, 3])
    assert found.name == "training"
    assert found.seen.fired.tolist() == [0, 0, -1]
    assert found.seen.predictions.tolist() == [5, 5, 7]
    assert found.y.dtype == np.float64
    assert check_samples(NUMBERS, "training", "X", X, None).y is None
    assert check_samples(NUMBERS, "held-out", "X_test", None, None) is None
    assert check_samples(LABELS, "training", "X", X, ["x", "y", "x"]).y.tolist() == ["x", "y", "x"]


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        (None, [1], InvalidParameterError, "give X_test as well"),
        (X, [1, 2], InvalidDataError, "X_test has 3 samples, but there are 2 targets"),
        (np.empty((0, 1)), None, InvalidDataError, "X_test has no samples"),
        (X, ["a", "b", "c"], InvalidDataError, "the targets of X_test are not numbers"),
        (X, [1, np.nan, 3], InvalidDataError, "NaN or infinity"),
    ],
)
def test_what_does_not_fit_together_is_refused(X, y, error, message):
    with pytest.raises(error, match=message):
        check_samples(NUMBERS, "held-out", "X_test", X, y)


def test_a_report_evaluates_each_set_of_samples_once(monkeypatch):
    evaluate, calls = RuleList.evaluate, []
    monkeypatch.setattr(RuleList, "evaluate", lambda self, X: calls.append(len(X)) or evaluate(self, X))
    report = summarize(NUMBERS, X=X, y=[1, 2, 3], X_test=X[:2], y_test=[1, 2])
    assert calls == [3, 2]
    assert len(report.cards) == 1
    assert report.what_if.samples.rule == (0, 0, -1)
