"""A list is looked at once, and every part of what it says is the same as rule by rule."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from small_data import WINE

from hedgerow import Condition, Rule, RuleList, RuleListClassifier
from hedgerow.features import Column, Inputs

A, B = Column(0, "a"), Column(1, "b")


def small_list(fallback=None):
    rules = (
        Rule((Condition(A, upper=5.0),), "yes", 6, 0.6, (0.25, 0.75)),
        Rule((Condition(A, lower=3.0), Condition(B, lower=0.0, missing=True)), "no", 4, 0.4, (1.0, 0.0)),
    )
    default = Rule((), "yes", distribution=(0.45, 0.55))
    inputs = Inputs((A, B), allows_missing=True)
    return RuleList(rules, default, inputs, np.array(["no", "yes"]), n_samples=10, fallback=fallback)


X = np.array([[1.0, 1.0], [4.0, 1.0], [7.0, 1.0], [7.0, -1.0], [7.0, np.nan]])


def test_the_first_match_is_the_first_true_of_a_row():
    looked = small_list().evaluate(X)
    assert looked.matches.tolist() == [[True, False], [True, True], [False, True], [False, False], [False, True]]
    assert looked.fired.tolist() == [0, 0, 1, -1, 1]
    # Whether the matches are known already or not.
    assert small_list().evaluate(X).fired.tolist() == [0, 0, 1, -1, 1]
    assert looked.predictions.tolist() == ["yes", "yes", "no", "yes", "no"]
    assert looked.shares[:, 1].tolist() == [0.75, 0.75, 0.0, 0.55, 0.0]


def test_sentences_say_what_decides_and_what_is_missing():
    sentences = small_list().evaluate(X).sentences()
    assert sentences[3] == "No rule matches, so the default applies: yes (55 %)."
    assert "also matches" in sentences[1]
    assert "also matches" not in sentences[0]
    assert "missing" in sentences[4]
    assert "missing" not in sentences[2]


def test_sentences_agree_in_number():
    rules = tuple(Rule(conditions, 1.0, 1, 0.25) for conditions in ((Condition(A, upper=5.0),), (), (), ()))
    for n_rules, also in [(1, ""), (2, "rule 2, which also matches"), (4, "rules 2, 3 and 4, which also match")]:
        listed = RuleList(rules[:n_rules], Rule((), 0.0), Inputs((A, B)), n_samples=4)
        (sentence,) = listed.evaluate(X[:1]).sentences()
        before = f"; it comes before {also}" if also else ""
        assert sentence == f"Rule 1 predicts 1 because a <= 5 (1 training sample, 25.0 %){before}."
    (sentence,) = RuleList(rules[1:], Rule((), 0.0), Inputs((A, B)), n_samples=4).evaluate(X[:1]).sentences()
    assert "because it has no conditions (1 training sample," in sentence
    assert sentence.endswith("it comes before rules 2 and 3, which also match.")


def test_features_are_computed_once(monkeypatch):
    calls = []
    values = Inputs.values
    monkeypatch.setattr(Inputs, "values", lambda self, *given: calls.append(1) or values(self, *given))
    looked = small_list().evaluate(X)
    for _ in range(2):
        assert len(looked.matches) == len(looked.fired) == len(looked.predictions) == len(looked.sentences()) == 5
    assert calls == [1]


@pytest.fixture(scope="module")
def fitted():
    X, y = WINE[0][::2], WINE[1][::2]
    forest = RandomForestClassifier(60, max_depth=3, random_state=1).fit(X, y)
    return RuleListClassifier(forest, max_rules=6, uncovered="ensemble").fit(X, y), forest


def test_the_ensemble_is_asked_for_uncovered_rows_only(fitted, monkeypatch):
    rules, forest = fitted
    odd = np.random.default_rng(0).uniform(WINE[0].min(axis=0), WINE[0].max(axis=0), size=(500, 13))
    lost = rules.apply(odd) < 0
    assert 0 < lost.sum() < len(odd)
    asked = []
    route = type(rules.forest_).route
    monkeypatch.setattr(
        type(rules.forest_), "route", lambda self, X, *rest: asked.append(len(X)) or route(self, X, *rest)
    )
    assert_array_equal(rules.predict(odd)[lost], forest.predict(odd)[lost])
    assert asked == [lost.sum()]


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6), holes=st.sampled_from([0.0, 0.3]))
def test_sentences_written_once_are_those_written_row_by_row(seed, holes):
    rng = np.random.default_rng(seed)
    rows = np.round(rng.uniform(0, 8, size=(30, 2)) - 1)
    rows[rng.random(rows.shape) < holes] = np.nan
    rules = small_list()
    one_by_one = [rules.evaluate(rows[i : i + 1]).sentences()[0] for i in range(len(rows))]
    assert rules.evaluate(rows).sentences() == one_by_one


def test_a_list_without_rules_explains_by_its_default():
    empty = RuleList((), Rule((), "yes", distribution=(0.45, 0.55)), Inputs((A, B)), np.array(["no", "yes"]))
    assert empty.evaluate(X[:2]).sentences() == ["No rule matches, so the default applies: yes (55 %)."] * 2
