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
from hedgerow.rules import evaluation
from hedgerow.rules.evaluation import Evaluation
from hedgerow.tasks import task_of

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


ODD = [-np.inf, -1.0, -0.0, 0.0, 0.5, np.nextafter(0.5, 1), float(np.nextafter(np.float32(0.5), 1)), 1.0, np.inf]
COLUMNS = (A, B, Column(2, "c"))


def passes(condition, x):
    """Say whether one value satisfies a condition, by its definition."""
    if np.isnan(x):
        return condition.missing
    if condition.categories is not None:
        return float(x) in condition.categories
    return (condition.lower == -np.inf or condition.lower < float(x)) and float(x) <= condition.upper


@st.composite
def drawn_conditions(draw):
    missing = draw(st.booleans())
    if draw(st.booleans()):
        return Condition(COLUMNS[2], categories=draw(st.frozensets(st.integers(0, 3))), missing=missing)
    lower, upper = draw(st.sampled_from([-np.inf, *ODD])), draw(st.sampled_from([*ODD, np.inf]))
    return Condition(draw(st.sampled_from(COLUMNS[:2])), lower, upper, missing=missing)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(drawn_conditions(), max_size=4), max_size=5), st.integers(0, 10**6))
def test_the_first_match_is_that_of_comparing_value_by_value(dtype, conditions, seed):
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.choice(ODD, (20, 2)), rng.integers(4, size=20)]).astype(dtype)
    rows[rng.random(rows.shape) < 0.2] = np.nan
    rules = tuple(Rule(tuple(listed), float(i)) for i, listed in enumerate(conditions))
    values = {column: rows[:, column.index] for column in COLUMNS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "_BLOCK", 7)
        looked = Evaluation(rules, Rule((), -1.0), None, task_of(None), 4, rows, values)
        fired, predictions = looked.fired.tolist(), looked.predictions.tolist()
    expected = [
        next((i for i, listed in enumerate(conditions) if all(passes(c, row[c.feature.index]) for c in listed)), -1)
        for row in rows
    ]
    assert fired == predictions == expected


def test_a_list_of_more_rules_than_fit_in_a_byte():
    rules = tuple(Rule((Condition(A, i - 0.5, i + 0.5),), float(i)) for i in range(300))
    listed = RuleList(rules, Rule((), -1.0), Inputs((A, B)))
    rows = np.column_stack([np.arange(-1, 301), np.zeros(302)])
    assert listed.predict(rows).tolist() == [-1.0, *range(300), -1.0]
    assert listed.apply(rows).tolist() == [-1, *range(300), -1]


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


def test_rows_without_a_rule_are_answered_and_explained_by_the_ensemble(fitted):
    rules, forest = fitted
    odd = np.random.default_rng(0).uniform(WINE[0].min(axis=0), WINE[0].max(axis=0), size=(60, 13))
    seen, lost = rules.rule_list_.evaluate(odd), rules.apply(odd) < 0
    assert 0 < lost.sum() < len(odd)
    np.testing.assert_allclose(seen.shares[lost], forest.predict_proba(odd)[lost], atol=1e-12)
    of_rules = np.array([rule.distribution for rule in rules.rule_list_])
    assert_array_equal(seen.shares[~lost], of_rules[seen.fired[~lost]])
    for sentence, label, is_lost in zip(seen.sentences(), forest.predict(odd), lost, strict=True):
        assert (sentence == f"No rule matches, so the ensemble decides: {label}.") == is_lost
