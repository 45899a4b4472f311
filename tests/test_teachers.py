"""Lists that learn from a stronger model, including in the gaps between samples."""

import sys
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import check_is_fitted
from taught_lists import forest, labels, lesson, rules

from hedgerow import (
    InfeasibleError,
    InvalidParameterError,
    RuleListRegressorCV,
    trace_budgets,
)
from hedgerow.candidates.pool import make_pool
from hedgerow.teachers import Teacher


def test_without_synthetic_rows_and_teacher_predictions_the_list_is_the_plain_one(data):
    taught = rules(Teacher(forest(), share=0, copies=0)).fit(*data)
    plain = rules(None).fit(*data)
    assert list(taught.rule_list_) == list(plain.rule_list_)
    assert taught.rule_list_.default == plain.rule_list_.default


def test_the_same_holds_for_labels(tumours):
    model = RandomForestClassifier(10, max_depth=3, random_state=0)
    taught = labels(Teacher(model, share=0, copies=0), ensemble=model).fit(*tumours)
    plain = labels(None, ensemble=model).fit(*tumours)
    assert list(taught.rule_list_) == list(plain.rule_list_)


@settings(max_examples=8, deadline=None)
@given(copies=st.integers(1, 4), swap=st.floats(0, 1), seed=st.integers(0, 99))
def test_every_sample_and_every_synthetic_row_is_in_one_rule_and_only_samples_count(data, copies, swap, seed):
    X, y = data
    teacher = Teacher(forest(10).fit(X, y), copies=copies, swap=swap)
    taught = rules(teacher, random_state=seed).fit(X, y)
    rows = lesson(teacher, X, y, seed=seed).X
    assert len(rows) == (1 + copies) * len(X)
    matches = taught.rule_list_.matches(rows)
    assert (matches.sum(axis=1) == 1).all()
    counts = matches[: len(X)].sum(axis=0)
    assert_array_equal([rule.coverage for rule in taught.rule_list_], counts)
    assert_allclose([rule.share for rule in taught.rule_list_], counts / len(X))
    assert (np.diff(counts) <= 0).all()
    assert counts.min() > 0
    assert taught.rule_list_.n_samples == len(X)


@pytest.mark.parametrize("weighted", [False, True])
def test_large_rules_predict_by_their_samples_and_small_ones_by_synthetic_rows_too(data, weighted):
    X, y = data
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else None
    teacher = Teacher(forest(), copies=3, weight=0.2, enough=60, alone=12)
    taught = rules(teacher, max_rules=12).fit(X, y, weight)
    learned, model = lesson(teacher, X, y, weight), forest().fit(X, y, weight)
    weight = np.ones(len(y)) if weight is None else weight
    assert_allclose(learned.weight[: len(y)], weight)
    if not weighted:
        assert_allclose(learned.weight[len(y) :], 0.2 * 60 / 120)
    said = np.concatenate([y, model.predict(learned.X[len(y) :])])
    where, sizes = taught.apply(learned.X), []
    for i, rule in enumerate(taught.rule_list_):
        mine = where == i
        own = mine & (np.arange(len(said)) < len(y))
        used = own if own.sum() >= 12 else mine
        assert rule.prediction == pytest.approx(np.average(said[used], weights=learned.weight[used]))
        apart = (said[own] - rule.prediction) ** 2
        assert rule.spread == pytest.approx(np.sqrt(np.average(apart, weights=learned.weight[own])))
        sizes.append(own.sum())
    assert min(sizes) < 12 <= max(sizes)
    assert taught.rule_list_.default.prediction == pytest.approx(np.average(y, weights=weight))


def test_the_minimum_coverage_counts_samples_only(data):
    X, y = data
    taught = rules(Teacher(forest(), copies=5), min_coverage=0.1, max_rules=8).fit(X, y)
    assert (taught.rule_list_.matches(X).mean(axis=0) >= 0.1).all()


def test_rules_that_cover_synthetic_rows_only_are_not_candidates(data):
    X, y = data
    trees = RandomForestRegressor(3, random_state=0)
    taught = rules(Teacher(forest(), copies=20), max_rules=30, ensemble=trees, max_conditions=6).fit(X, y)
    pool, whole = taught.pool_, make_pool(taught.forest_, "nodes", 6)
    covered = [
        [p.rule(j).holds(lambda f: X[f.name].to_numpy(), len(X)).any() for j in range(len(p))] for p in (pool, whole)
    ]
    assert all(covered[0])
    assert sum(covered[1]) == len(pool) < len(whole)


@pytest.mark.parametrize("budget", [8, None])
def test_where_every_tree_has_a_leaf_without_a_sample_auto_takes_nodes_and_leaves_have_no_list(data, budget):
    X, y = (part[:60] for part in data)
    tree = RandomForestRegressor(1, random_state=0)
    given = {"ensemble": tree, "max_rules": budget, "time_limit": 5}
    teacher = Teacher(forest(5), copies=40)
    with pytest.raises(InfeasibleError, match="candidates='nodes'"):
        rules(teacher, **given | {"max_rules": None, "candidates": "leaves"}).fit(X, y)
    found = rules(teacher, candidates="auto", **given).fit(X, y).rule_list_
    assert min(rule.coverage for rule in found) > 0
    assert sum(rule.coverage for rule in found) == 60


def test_clones_are_not_fitted_and_frozen_models_stay(data):
    fitted = forest(5).fit(*data)
    twin = clone(rules(Teacher(fitted, share=0.5)))
    assert twin.teacher.share == 0.5
    with pytest.raises(NotFittedError):
        check_is_fitted(twin.teacher.model)
    frozen = FrozenEstimator(fitted)
    assert clone(rules(Teacher(frozen))).fit(*data).teacher_.estimator is fitted
    model = rules(None)
    assert model.set_params(teacher=Teacher(fitted)).get_params()["teacher"].model is fitted


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_frames_with_categories_and_missing_values_are_taught(kind):
    rng = np.random.default_rng(0)
    number = np.where(rng.random(150) < 0.2, np.nan, rng.normal(size=150))
    colour = rng.choice(["red", "green", "blue"], 150)
    y = np.nan_to_num(number) + 3 * (colour == "red")
    columns = {"number": number, "colour": colour}
    X = kind(columns)
    if kind is pd.DataFrame:
        X["colour"] = X["colour"].astype("category")
        model = HistGradientBoostingRegressor(max_iter=20, categorical_features="from_dtype")
    else:
        encode = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
        model = make_pipeline(encode, RandomForestRegressor(20, random_state=0))
    taught = rules(Teacher(model, copies=3), ensemble=None, max_conditions=3).fit(X, y)
    assert taught.score(X, y) > 0.6
    assert sum(rule.coverage for rule in taught.rule_list_) == 150
    assert "colour" in str(taught.rule_list_)


def test_arrays_of_strings_go_through_pipelines():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.choice(["red", "green"], 80), rng.choice(["big", "small"], 80)]).astype(object)
    y = (X[:, 0] == "red") * 2.0 + (X[:, 1] == "big")
    model = make_pipeline(OneHotEncoder(sparse_output=False), RandomForestRegressor(10, random_state=0))
    assert rules(Teacher(model, copies=2), ensemble=model).fit(X, y).score(X, y) > 0.99


class Watched(RandomForestRegressor):
    """A forest that remembers which samples it has seen."""

    seen: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        Watched.seen.append((np.asarray(X), np.asarray(y)))
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("candidates", ["auto", "nodes"])
def test_folds_teach_with_their_training_samples_only(data, candidates):
    X, y = data[0].to_numpy(), data[1].to_numpy()
    train, test = np.arange(90), np.arange(90, 120)
    Watched.seen.clear()
    teacher = Teacher(Watched(10, min_samples_leaf=3, random_state=0), copies=2)
    chosen = RuleListRegressorCV(
        RandomForestRegressor(5, max_leaf_nodes=10, random_state=0),
        teacher=teacher,
        max_rules=[3, 12],
        min_coverages=(0.0, 0.05),
        stability_weights=(0.0,),
        cv=[(train, test)],
        candidates=candidates,
        loss="sse",
        random_state=0,
    )
    chosen.fit(X, y)
    (of_fold, targets), (of_all, _) = Watched.seen
    assert_array_equal(of_fold, X[train])
    assert_array_equal(targets, y[train])
    assert len(of_all) == len(X)
    assert (chosen.cv_results_["skipped"] == "").all()
    alone = rules(
        teacher,
        max_rules=chosen.best_max_rules_,
        min_coverage=chosen.best_min_coverage_,
        candidates=candidates,
    ).fit(X, y)
    assert list(chosen.rule_list_) == list(alone.rule_list_)
    assert chosen.teacher_ is chosen.best_estimator_.teacher_


def test_budgets_between_bounds_and_traces_work_with_a_teacher(data):
    X, y = data
    teacher = Teacher(forest(10), copies=1)
    small = RandomForestRegressor(2, max_depth=2, random_state=0)
    chosen = RuleListRegressorCV(small, teacher=teacher, cv=2, random_state=0).fit(X, y)
    assert chosen.bounds_[0] <= len(chosen.rule_list_) <= chosen.bounds_[1]
    trace = trace_budgets(rules(teacher), X, y, [2, 4])
    assert trace.column("rules").tolist() == [2, 4]


def test_time_series_have_no_synthetic_rows():
    if sys.version_info < (3, 12):
        pytest.importorskip("wildboar")
    from wildboar import ensemble as wildboar

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), rng.normal(size=40)
    X[y > 0, 10:20] += 3
    model = wildboar.ShapeletForestRegressor(10, max_depth=2, random_state=0)
    with pytest.raises(InvalidParameterError, match="copies=0"):
        rules(Teacher(model), ensemble=None).fit(X, y)
    taught = rules(Teacher(model, copies=0), ensemble=None).fit(X, y)
    assert sum(rule.coverage for rule in taught.rule_list_) == 40


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"share": 1.5}, "between 0 and 1"),
        ({"rows": "drawn"}, "'swap', 'near' or 'scatter'"),
        ({"share": "half"}, "between 0 and 1"),
        ({"swap": np.nan}, "between 0 and 1"),
        ({"weight": 0}, "above 0"),
        ({"weight": np.inf}, "above 0"),
        ({"copies": -1}, "at least 0"),
        ({"copies": True}, "at least 0"),
        ({"most": 2.5}, "integer"),
        ({"enough": 0}, "at least 1"),
        ({"alone": -1}, "at least 0"),
        ({"opinion": -1}, "at least 0"),
    ],
)
def test_invalid_numbers_are_refused(given, said):
    with pytest.raises(InvalidParameterError, match=said):
        Teacher(forest(), **given)


def test_cross_validation_refuses_anything_but_a_teacher(data):
    with pytest.raises(InvalidParameterError, match=r"hedgerow.teachers.Teacher"):
        RuleListRegressorCV(teacher=forest()).fit(*data)
