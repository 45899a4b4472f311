"""With round_thresholds, a fit gives the same list with shorter numbers, wherever its rows come from."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from databases import DOUBLE, in_memory
from near_thresholds import beside
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestRegressor
from small_data import IRIS, WINE, small_forest

from hedgerow import InvalidParameterError, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.sources import Chunks

CANCER = load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize("data", [IRIS, WINE, CANCER])
def test_training_samples_cannot_tell_and_the_text_is_shorter(data):
    X, y = data
    plain = RuleListClassifier(small_forest(X, y, depth=3), max_rules=6).fit(X, y)
    rounded = RuleListClassifier(plain.ensemble_, max_rules=6, round_thresholds=True).fit(X, y)
    assert_array_equal(rounded.rule_list_.matches(X), plain.rule_list_.matches(X))
    assert_array_equal(rounded.predict_proba(X), plain.predict_proba(X))
    assert [rule.coverage for rule in rounded.rule_list_] == [rule.coverage for rule in plain.rule_list_]
    assert rounded.solution_.objective == plain.solution_.objective
    long, short = ("".join(r.describe(17) for r in one.rule_list_) for one in (plain, rounded))
    assert len(short) < len(long)


def test_every_export_has_the_round_numbers():
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    rule_list = RuleListRegressor(forest, max_rules=4, round_thresholds=True).fit(X, y).rule_list_
    conditions = [condition for rule in rule_list for condition in rule.simplified]
    ends = {repr(t).removesuffix(".0") for c in conditions for t in (c.lower, c.upper) if np.isfinite(t)}
    assert ends
    for text in (str(rule_list), rule_list.to_sql(), rule_list.to_python(), rule_list.to_json(), rule_list.to_latex()):
        assert all(end in text for end in ends)
    assert_array_equal(RuleList.from_json(rule_list.to_json()).predict(X), rule_list.predict(X))


def test_rows_in_chunks_give_the_same_list_as_in_memory():
    X, y = WINE
    forest = small_forest(X, y, depth=3)
    in_memory = RuleListClassifier(forest, max_rules=5, round_thresholds=True).fit(X, y)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    source = Chunks(lambda: ((frame[i : i + 50], y[i : i + 50]) for i in range(0, len(y), 50)))
    in_chunks = RuleListClassifier(forest, max_rules=5, round_thresholds=True).fit(source)
    assert in_chunks.rule_list_.rules == in_memory.rule_list_.rules
    assert in_chunks.rule_list_.inputs.dtype is in_memory.rule_list_.inputs.dtype


def test_the_numbers_of_an_expert_stay_as_written_and_what_is_said_is_what_is_printed():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    rules = RuleListClassifier(max_rules=4, round_thresholds=True, random_state=0).fit(X, y)
    edited = rules.resolve(pin="worst area > 865.3")
    assert "worst area > 865.3" in [rule.describe() for rule in edited.rule_list_]
    assert edited.rule_list_.constraints == ("the rule (worst area > 865.3) is chosen",)
    assert clone(edited).fit(X, y).rule_list_.constraints == edited.rule_list_.constraints
    first = rules.rule_list_[0].describe()
    pinned = rules.resolve(pin=0).rule_list_
    assert pinned.constraints == (f"the rule ({first}) is chosen",)
    assert pinned.edits[0].describe() == f"keep ({first})"
    without = rules.resolve(forbid=0).rule_list_
    assert without.constraints == (f"no rule has the samples of ({first})",)
    assert without.edits[0].describe() == f"without ({first})"


def test_a_number_of_an_expert_stays_even_if_a_candidate_has_it():
    X, y = IRIS
    rules = RuleListClassifier(small_forest(X, y), max_rules=3, round_thresholds=True).fit(X, y)
    posed, listed = rules.posed_, set(rules.solution_.chosen)
    others = [posed.pool.rule(j) for j in range(len(posed.pool)) if j not in listed]
    long = next(rule for rule in others if len(rule.conditions) == 1 and len(rule.describe(17)) > 12)
    edited = rules.resolve(pin=long.describe(17))
    assert long.conditions in [rule.conditions for rule in edited.rule_list_]


def test_the_parameter_is_checked():
    with pytest.raises(InvalidParameterError, match="round_thresholds must be True or False; got 'yes'"):
        RuleListClassifier(round_thresholds="yes").fit(*IRIS)


def test_programs_with_round_numbers_predict_the_same_next_to_every_threshold():
    X, y = CANCER
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    forest = small_forest(frame, y, depth=3)
    rule_list = RuleListClassifier(forest, max_rules=5, round_thresholds=True).fit(frame, y).rule_list_
    rng = np.random.default_rng(0)
    rows = X[rng.integers(len(X), size=200)]
    for condition in (c for rule in rule_list for c in rule.simplified):
        for t in (condition.lower, condition.upper):
            if np.isfinite(t):
                picked = rng.integers(len(rows), size=20)
                rows[picked, condition.feature.index] = rng.choice(beside(t), size=20)
    table = pd.DataFrame(rows, columns=frame.columns)
    expected = rule_list.predict(table)
    namespace = {}
    exec(rule_list.to_python(), namespace)
    assert [namespace["predict"](row) for row in rows.tolist()] == expected.tolist()
    for database in in_memory():
        database.fill(list(table.columns), [DOUBLE[database.dialect]] * table.shape[1], rows.tolist())
        query = rule_list.to_sql(database.dialect, table="t")
        assert [row[-1] for row in database.ask(query)] == expected.tolist()
    session = onnxruntime.InferenceSession(rule_list.to_onnx().SerializeToString(), providers=["CPUExecutionProvider"])
    (predicted,) = session.run(["prediction"], {"X": rows})
    assert_array_equal(predicted.ravel(), expected)
