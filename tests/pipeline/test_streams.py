"""Rows in chunks give the list that rows in memory give, to the last bit."""

import copy
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

from hedgerow import RuleListClassifier, RuleListClassifierCV, RuleListRegressor
from hedgerow.candidates import excerpt
from hedgerow.constraints import (
    Forbid,
    MaxConditions,
    MaxError,
    MaxFeatures,
    MinCoverage,
    MinPrecision,
    MinRecall,
    Monotone,
    ParityGap,
    Require,
)
from hedgerow.exceptions import InvalidDataError, InvalidParameterError, UnfittedModelError
from hedgerow.losses import cost_matrix, pinball
from hedgerow.optimize.problem import LinearRows
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.pipeline import streams
from hedgerow.sources import Chunks
from hedgerow.teachers import Teacher


def in_chunks(X, y, weight=None, size=60):
    def chunks():
        for start in range(0, len(y), size):
            rows = slice(start, start + size)
            part = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
            yield (part, y[rows]) if weight is None else (part, y[rows], weight[rows])

    return Chunks(chunks)


def both(estimator, X, y):
    return copy.deepcopy(estimator).fit(X, y), estimator.fit(in_chunks(X, y))


def assert_same(one, other):
    assert one.rule_list_.rules == other.rule_list_.rules
    assert one.rule_list_.default == other.rule_list_.default
    for name in ("objective", "bound", "status"):
        assert getattr(one.solution_, name) == getattr(other.solution_, name)
    assert_array_equal(one.scores_.total, other.scores_.total)


@pytest.fixture(params=["all rows", "an excerpt"])
def few(request, monkeypatch):
    """Have the solver begin with all rows, or with few."""
    if request.param == "an excerpt":
        monkeypatch.setattr(excerpt, "MOST_ROWS", 40)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"candidates": "nodes", "max_rules": 6},
        {"candidates": "nodes", "loss": "log_loss", "stability_weight": 0.1},
        {"candidates": "nodes", "loss": "gini", "min_coverage": 0.05},
        {"candidates": "nodes", "loss": cost_matrix({("no", "yes"): 5, ("yes", "no"): 1})},
        {"candidates": "nodes", "target": 0.3},
        {"candidates": "nodes", "target": "ensemble", "max_candidates": 200},
        {"candidates": "leaves", "max_rules": None, "uncovered": "ensemble"},
    ],
    ids=str,
)
@pytest.mark.usefixtures("few")
def test_labels_in_chunks_give_the_same_list(settings):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    y = np.where(y == 1, "yes", "no")
    forest = RandomForestClassifier(40, max_depth=3, random_state=0).fit(X, y)
    expected = RuleListClassifier(forest, **settings).fit(X, y)
    found = RuleListClassifier(forest, **settings).fit(in_chunks(X, y))
    assert_same(found, expected)
    assert_array_equal(found.predict(X), expected.predict(X))
    assert found.solution_.passes >= 1
    assert expected.solution_.passes is None
    assert_array_equal(found.feature_names_in_, expected.feature_names_in_)


@pytest.mark.parametrize("loss", ["mse", "sse"])
@pytest.mark.parametrize("size", [1, 50, 1000])
@pytest.mark.usefixtures("few")
def test_numbers_in_chunks_give_the_same_list(loss, size):
    X, y = load_diabetes(return_X_y=True)
    y, weight = y / 7, np.random.default_rng(0).random(len(y)) * (np.arange(len(y)) % 5 > 0)
    forest = RandomForestRegressor(30, max_depth=3, random_state=0).fit(X, y)
    rules = {"loss": loss, "candidates": "nodes", "stability_weight": 0.2}
    for w in (None, weight):
        expected = RuleListRegressor(forest, **rules).fit(X, y, w)
        found = RuleListRegressor(forest, **rules).fit(in_chunks(X, y, w, size))
        assert_same(found, expected)
        assert found.rule_list_.n_samples == (len(y) if w is None else np.count_nonzero(w))


@pytest.mark.usefixtures("few")
def test_missing_values_in_the_last_chunk_alone_are_seen():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    X.loc[380:, "b"] = np.nan
    y = np.where(X["b"].fillna(1) + X["a"] > 0, "on", "off")
    forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, y)
    expected, found = both(RuleListClassifier(forest, candidates="nodes"), X, y)
    assert_same(found, expected)
    assert "missing" in str(found.rule_list_)
    assert str(found.rule_list_) == str(expected.rule_list_)


def test_columns_that_no_tree_looks_at_are_not_read():
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(2, max_leaf_nodes=3, random_state=0).fit(X, y)
    seen = []

    class Watched(Chunks):
        def passes(self, reader, columns=None, **others):
            seen.append(list(columns))
            return super().passes(reader, columns, **others)

    RuleListClassifier(forest, max_rules=3).fit(Watched(lambda: iter([(X, y)])))
    used = {i for tree in forest.estimators_ for i in tree.tree_.feature.tolist() if i >= 0}
    assert seen == [[X.columns[i] for i in sorted(used)]]


def test_columns_may_come_in_another_order_and_with_others():
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    mixed = X[X.columns[::-1]].assign(comment="none")
    found = RuleListClassifier(forest, candidates="nodes").fit(in_chunks(mixed, y))
    assert_same(found, RuleListClassifier(forest, candidates="nodes").fit(X, y))


def test_the_accurate_preset_takes_a_fitted_ensemble(monkeypatch):
    from hedgerow import presets

    monkeypatch.setattr(presets, "ENOUGH_ROWS", 300)
    X, y = load_breast_cancer(return_X_y=True)
    forest = ExtraTreesClassifier(30, max_depth=4, random_state=0).fit(X, y)
    expected, found = (
        RuleListClassifier.accurate(forest, max_rules=5, time_limit=None).fit(*data)
        for data in ((X, y), (in_chunks(X, y),))
    )
    assert_same(found, expected)
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(30, max_depth=4, random_state=0).fit(X, y)
    expected, found = (
        RuleListRegressor.accurate(forest, max_rules=5, time_limit=None).fit(*data)
        for data in ((X, y), (in_chunks(X, y),))
    )
    assert_same(found, expected)


def test_a_preset_reads_few_rows_into_memory_for_its_synthetic_rows():
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, y)
    expected, found = both(RuleListClassifier.accurate(forest, max_rules=4, random_state=0), X, y.to_numpy())
    assert_same(found, expected)


def test_predictions_and_fidelity_in_chunks_are_those_in_memory():
    for load, forest, kind in (
        (load_wine, RandomForestClassifier(10, max_depth=3, random_state=0), RuleListClassifier),
        (load_diabetes, RandomForestRegressor(10, max_depth=3, random_state=0), RuleListRegressor),
    ):
        X, y = load(return_X_y=True, as_frame=True)
        rules, source = kind(forest.fit(X, y), candidates="nodes").fit(X, y), in_chunks(X, y.to_numpy())
        assert_array_equal(rules.predict(source), rules.predict(X))
        assert_array_equal(rules.apply(source), rules.apply(X))
        assert str(rules.fidelity(source)) == str(rules.fidelity(X, y.to_numpy()))
        if kind is RuleListClassifier:
            assert_array_equal(rules.predict_proba(source), rules.predict_proba(X))


def test_other_budgets_are_the_same_too():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(30, max_depth=3, random_state=0).fit(X, y)
    expected, found = both(RuleListClassifier(forest, candidates="nodes"), X, y)
    one, other = (rules.lists_of([2, 3, 5]) for rules in (expected, found))
    assert [rules.rules for rules in one.values()] == [rules.rules for rules in other.values()]


@pytest.mark.parametrize(
    "constraint",
    [
        MaxFeatures(2),
        MaxConditions(total=6),
        Forbid(feature="worst area"),
        Require(feature="mean area"),
        MinCoverage(0.1),
        MinRecall({"yes": 0.97}),
        MinPrecision({"no": 0.97}),
        MaxError(0.08),
        Monotone({"worst area": -1}),
    ],
    ids=str,
)
@pytest.mark.usefixtures("few")
def test_constraints_hold_for_rows_in_chunks_and_give_the_same_list(constraint):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    y = np.where(y == 1, "yes", "no")
    forest = RandomForestClassifier(30, max_depth=3, random_state=0).fit(X, y)
    settings = {"candidates": "nodes", "max_rules": 6, "constraints": constraint}
    expected, found = both(RuleListClassifier(forest, **settings), X, y)
    assert_same(found, expected)


@pytest.mark.parametrize("of", ["selection", "opportunity", "error"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.usefixtures("few")
def test_groups_are_counted_in_a_pass_of_their_own(of, weighted):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    group = np.where(X["mean radius"] > 14, 2.0, np.arange(len(X)) % 2)
    X = X.assign(group=np.where(np.arange(len(X)) > 550, np.nan, group))
    y = np.where(y == 1, "yes", "no")
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float) if weighted else None
    forest = RandomForestClassifier(30, max_depth=3, random_state=0).fit(X, y)
    rules = {"candidates": "nodes", "max_rules": 5, "constraints": ParityGap("group", 0.3, of=of, positive="yes")}
    expected = RuleListClassifier(forest, **rules).fit(X, y, weight)
    found = RuleListClassifier(forest, **rules).fit(in_chunks(X, y, weight))
    assert_same(found, expected)
    free = RuleListClassifier(forest, candidates="nodes", max_rules=5).fit(in_chunks(X, y, weight))
    assert found.solution_.passes > free.solution_.passes
    assert found.solution_.objective < free.solution_.objective or of != "selection"


def test_constraints_that_need_each_row_are_refused():
    X, y = load_wine(return_X_y=True)
    own = SimpleNamespace(rows=lambda pool, coverage, y: LinearRows(np.ones(len(pool)), -np.inf, 2))
    for constraint, error, message in (
        (ParityGap(y, 0.1, of="error"), InvalidParameterError, "Name a column"),
        (ParityGap(0, 0.1, of="error"), InvalidDataError, "21 or more different values"),
        (own, InvalidParameterError, "asks about each target"),
    ):
        with pytest.raises(error, match=message):
            RuleListClassifier(FITTED, constraints=constraint).fit(in_chunks(X, y))


FITTED = RandomForestClassifier(5, max_depth=2, random_state=0).fit(*load_wine(return_X_y=True))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ensemble": None}, "trained on rows in memory. Pass a fitted one"),
        ({"ensemble": RandomForestClassifier()}, "trained on rows in memory. Pass a fitted one"),
        ({"teacher": Teacher(FITTED)}, "synthetic rows"),
        ({"teacher": Teacher(RandomForestClassifier(), copies=0)}, "ensemble itself"),
        ({"teacher": Teacher(FITTED, copies=0, opinion=2.0)}, "synthetic rows"),
        ({"loss": lambda y: 0.0}, "losses of your own"),
        ({"solver": Exhaustive()}, "Leave out solver"),
    ],
    ids=["no ensemble", "unfitted", "synthetic rows", "another teacher", "opinion", "own loss", "another solver"],
)
def test_what_needs_all_rows_in_memory_is_refused(settings, message, monkeypatch):
    monkeypatch.setattr(streams, "ENOUGH_ROWS", 100)
    X, y = load_wine(return_X_y=True)
    with pytest.raises((InvalidParameterError, UnfittedModelError), match=message):
        RuleListClassifier(**{"ensemble": FITTED} | settings).fit(in_chunks(X, y))


@pytest.mark.parametrize("preset", [RuleListClassifier.accurate(), RuleListClassifier.faithful(FITTED)], ids=["a", "f"])
def test_a_preset_that_needs_all_rows_in_memory_is_refused_without_words_that_its_user_does_not_know(
    preset, monkeypatch
):
    monkeypatch.setattr(streams, "ENOUGH_ROWS", 100)
    X, y = load_wine(return_X_y=True)
    with pytest.raises((InvalidParameterError, UnfittedModelError)) as raised:
        preset.fit(in_chunks(X, y))
    assert not re.search("teacher|synthetic", str(raised.value))
    assert ("target='ensemble'" in str(raised.value)) == (preset.preset == "faithful")


def test_medians_are_refused():
    X, y = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, y)
    for loss in ("mae", pinball(0.9)):
        with pytest.raises(InvalidParameterError, match="quantiles"):
            RuleListRegressor(forest, loss=loss).fit(in_chunks(X, y))


def test_a_label_that_the_ensemble_does_not_know_is_refused_with_its_place():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InvalidDataError, match=r"chunk 2.*not trained on: \[7\]"):
        RuleListClassifier(FITTED).fit(in_chunks(X, np.append(y[:-1], 7)))


def test_missing_columns_and_other_numbers_of_columns_are_refused():
    X, y = load_wine(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(InvalidDataError, match=r"lacks columns.*proline"):
        RuleListClassifier(forest).fit(in_chunks(X.drop(columns="proline"), y))
    with pytest.raises(InvalidDataError, match=r"12 feature columns.*trained on 13"):
        RuleListClassifier(FITTED).fit(in_chunks(X.to_numpy()[:, :12], y))


def test_the_wrong_task_is_refused():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(InvalidParameterError, match="classifier"):
        RuleListRegressor(FITTED).fit(in_chunks(X, y))


def test_rows_that_change_between_passes_are_noticed(monkeypatch):
    monkeypatch.setattr(excerpt, "MOST_ROWS", 20)
    X, y = load_wine(return_X_y=True)
    times = []

    def chunks():
        times.append(1)
        yield X + (len(times) > 1) * 1e-3, y

    with pytest.raises(InvalidDataError, match="changes while it is read"):
        RuleListClassifier(FITTED, candidates="nodes").fit(Chunks(chunks))


def test_what_takes_no_chunks_says_so():
    X, y = load_wine(return_X_y=True)
    rules = RuleListClassifier(FITTED, candidates="nodes").fit(X, y)
    for call in (rules.explain, rules.agreement, lambda source: RuleListClassifierCV(FITTED).fit(source, None)):
        with pytest.raises(InvalidDataError, match=r"X is Chunks.*all rows must be in memory"):
            call(in_chunks(X, y))


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_weights_that_are_no_weights_are_refused(wrong):
    X, y = load_wine(return_X_y=True)
    weight = np.ones(len(y))
    weight[100] = wrong
    with pytest.raises(InvalidDataError, match=r"chunk 1: a weight is (negative|missing or infinite)\."):
        RuleListClassifier(FITTED).fit(in_chunks(X, y, weight))
    with pytest.raises(InvalidDataError, match="no rows of positive weight; at least one is needed"):
        RuleListClassifier(FITTED).fit(in_chunks(X, y, np.zeros(len(y))))


def test_a_teacher_of_rows_in_chunks_may_be_the_ensemble_itself():
    X, y = load_wine(return_X_y=True)
    y = (y + (np.arange(len(y)) % 7 == 0)) % 3  # so that the forest is often wrong
    taught = RuleListClassifier(FITTED, teacher=Teacher(FITTED, share=1, copies=0), max_rules=4)
    said = RuleListClassifier(FITTED, target="ensemble", max_rules=4)
    one, other = taught.fit(in_chunks(X, y)), said.fit(in_chunks(X, y))
    assert [rule.conditions for rule in one.rule_list_] == [rule.conditions for rule in other.rule_list_]
    assert_array_equal(one.scores_.total, other.scores_.total)
