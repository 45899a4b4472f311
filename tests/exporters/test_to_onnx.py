"""ONNX models predict what the rule list does, in a runtime and in the reference implementation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from rule_lists import UNKNOWN_VALUES, make
from table_lists import drawn_table_lists, expected, probes

from hedgerow import Condition, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.features import Column, Inputs

A = Column(0, "a")


def answers(rules, X):
    """Return what the model says, from two programs that must agree."""
    import onnxruntime
    from onnx.reference import ReferenceEvaluator

    model = rules.to_onnx()
    names = [output.name for output in model.graph.output]
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    said = dict(zip(names, session.run(names, {"X": X}), strict=True))
    for name, theirs in zip(names, ReferenceEvaluator(model).run(names, {"X": X}), strict=True):
        assert said[name].tolist() == theirs.tolist()
    return said


def check(rules, rows):
    said = answers(rules, rows.to_numpy(dtype=np.float64))
    theirs = expected(rules, rows)
    assert [None if no else one for no, one in zip(said["refused"], said["prediction"].tolist(), strict=True)] == theirs
    taken = rows[~said["refused"]]
    assert said["rule"][~said["refused"]].tolist() == rules.apply(taken).tolist()
    if rules.classes is not None:
        assert said["probabilities"][~said["refused"]].tolist() == rules.predict_proba(taken).tolist()


@pytest.mark.filterwarnings(UNKNOWN_VALUES)
@given(drawn_table_lists(of_numbers=True))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_drawn_lists_predict_alike_on_thresholds_and_beside(rules):
    check(rules, probes(rules))


@pytest.mark.parametrize("kind", ["random forest", "regression", "union"])
def test_lists_of_numbers_predict_alike(kind):
    rules, X = make(kind, False)
    check(rules, probes(rules))
    check(rules, pd.DataFrame(X).set_axis(rules.inputs.names, axis=1))


def test_what_a_matrix_of_numbers_does_not_hold_is_refused():
    rules, _ = make("pipeline", False)
    with pytest.raises(InvalidDataError, match=r"categories of color.*to_python"):
        rules.to_onnx()
    rules, _ = make("aeon", False)
    with pytest.raises(InvalidDataError, match="column of a table"):
        rules.to_onnx()
    rules, _ = make("random forest", True)
    with pytest.raises(InvalidParameterError, match="asks its ensemble"):
        rules.to_onnx()
    rule = Rule((Condition(A, upper=1.0),), "a", distribution=(1.0, 0.0))
    mixed = RuleList((rule,), Rule((), 1, distribution=(0.0, 1.0)), Inputs((A,)), np.array(["a", 1], dtype=object))
    with pytest.raises(InvalidDataError, match="labels of one type"):
        mixed.to_onnx()


def test_without_onnx_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    rules, _ = make("random forest", False)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[onnx\]'"):
        rules.to_onnx()
