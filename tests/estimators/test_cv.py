"""Bounds are those of all partitions, a path is that of each budget alone, and no test row chooses anything."""

import re
import time
import warnings

import joblib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from small_data import DIABETES, IRIS, WINE
from small_data import unfitted_forest as small_forest

from hedgerow import (
    InfeasibleError,
    InvalidDataError,
    InvalidParameterError,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    RuleListRegressorCV,
)
from hedgerow.constraints import MaxError, MaxFeatures, ParityGap
from hedgerow.losses import cost_matrix, priced
from hedgerow.smoothing import ShrinkToDefault
from hedgerow.teachers import Teacher


@pytest.mark.parametrize(
    ("budgets", "message"), [([], "empty"), ([0], "at least 1; got 0"), ([2.5], "got 2.5"), ([True], "got True")]
)
def test_invalid_budgets_are_refused(budgets, message):
    with pytest.raises(InvalidParameterError, match=message):
        RuleListClassifierCV(small_forest(), max_rules=budgets).fit(*IRIS)


def test_a_budget_that_no_tree_fits_is_tried_with_nodes_as_the_plain_estimator_does():
    X, y = WINE
    splitter = KFold(3, shuffle=True, random_state=0)
    fitted = RuleListClassifierCV(small_forest(depth=3), max_rules=[2, 8], min_coverages=[0.0], cv=splitter).fit(X, y)
    for i, (train, test) in enumerate(splitter.split(X)):
        alone = [RuleListClassifier(small_forest(depth=3), max_rules=b).fit(X[train], y[train]) for b in (2, 8)]
        assert_allclose(fitted.cv_results_[f"split{i}_test_score"], [a.score(X[test], y[test]) for a in alone])


def test_budgets_come_from_the_bounds_if_none_are_given():
    for bounds in ("exact", "heuristic"):
        fitted = RuleListClassifierCV(small_forest(8), bounds=bounds, min_coverages=[0.0], cv=2).fit(*IRIS)
        low, high = fitted.bounds_
        assert fitted.cv_results_["param_max_rules"].tolist() == list(range(low, high + 1))
    with pytest.raises(InvalidParameterError, match="bounds must be"):
        RuleListClassifierCV(small_forest(8), bounds="wide").fit(*IRIS)


def test_a_frozen_ensemble_is_not_fitted_again():
    forest = small_forest().fit(*IRIS)
    fitted = RuleListClassifierCV(FrozenEstimator(forest), max_rules=[3, 4], cv=2).fit(*IRIS)
    assert fitted.ensemble_.estimator is forest


def test_regression_with_any_scoring():
    forest = RandomForestRegressor(15, max_depth=3, random_state=0)
    fitted = RuleListRegressorCV(
        forest, max_rules=[6, 8], min_coverages=[0.01, 0.05], cv=3, scoring="neg_mean_absolute_error", n_jobs=2
    ).fit(*DIABETES)
    assert fitted.best_score_ < 0
    assert fitted.best_estimator_.loss == "mse"
    assert fitted.score(*DIABETES) > 0.2


@pytest.mark.parametrize("on_terminal", [True, False])
def test_a_search_shows_its_progress_on_standard_error_only_if_asked(capsys, monkeypatch, on_terminal):
    if on_terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
    search = RuleListClassifierCV(small_forest(5), max_rules=[4], cv=2)
    search.fit(*IRIS)
    assert capsys.readouterr() == ("", "")
    search.set_params(verbose=True).fit(*IRIS)
    shown = capsys.readouterr()
    assert shown.out == ""
    parts = ["to try: 2 settings and 1 budgets in 2 folds", "trying settings", "2 of 2, ", "fitting to all samples"]
    assert [part for part in parts if part in shown.err] == parts
    assert ("━" in shown.err) is on_terminal


@pytest.mark.parametrize(
    "settings",
    [
        {"stability_weights": [0.5, 5.0]},
        {"min_coverages": [-1.0]},
        {"min_coverages": [np.nan]},
        {"min_coverages": "a"},
        {"min_coverages": []},
        {"max_rules": 2.5},
        {"max_rules": [0]},
        {"max_rules": []},
        {"candidates": "x"},
        {"loss": "mse"},
        {"time_limit": -1},
        {"patience": 0},
        {"patience": 2.5},
        {"cv": []},
    ],
    ids=str,
)
def test_invalid_parameters_are_refused_before_the_search(settings):
    given = {"max_rules": [4], "cv": 2} | settings
    with pytest.raises(InvalidParameterError):
        RuleListClassifierCV(small_forest(), **given).fit(*IRIS)


def test_weights_are_checked_before_the_search():
    for weight in (np.ones(3), -np.ones(len(IRIS[1]))):
        with pytest.raises(ValueError, match=r"(?i)weight"):
            RuleListClassifierCV(small_forest(), max_rules=[4], cv=2).fit(*IRIS, sample_weight=weight)
    fitted = RuleListClassifierCV(small_forest(), max_rules=[4], cv=2).fit(*IRIS, sample_weight=2.0)
    assert fitted.best_max_rules_ == 4


def test_the_seconds_of_a_search_add_up_to_the_whole():
    started = time.perf_counter()
    fitted = RuleListClassifierCV(small_forest(30), min_coverages=[0.0], cv=3, candidates="nodes").fit(*WINE)
    total = time.perf_counter() - started
    assert sum(fitted.seconds_.values()) == pytest.approx(total, abs=0.002)
    assert {"bounds", "search", "solve"} <= set(fitted.seconds_)
    assert "search" not in fitted.best_estimator_.seconds_


def test_groups_stay_together():
    X, y = IRIS
    groups = np.arange(len(y)) % 10
    searched = RuleListClassifierCV(small_forest(), max_rules=[4], cv=GroupKFold(5)).fit(X, y, groups=groups)
    given = RuleListClassifierCV(small_forest(), max_rules=[4], cv=list(GroupKFold(5).split(X, y, groups))).fit(X, y)
    assert searched.best_score_ == given.best_score_


def test_a_row_without_a_list_on_all_samples_is_skipped_for_the_next_best():
    frozen = FrozenEstimator(RandomForestClassifier(10, max_depth=4, random_state=1).fit(*WINE))
    fitted = RuleListClassifierCV(
        frozen, max_rules=range(4, 10), candidates="leaves", min_coverages=[0.0], cv=2, one_standard_error=True
    ).fit(*WINE)
    skipped = fitted.cv_results_["skipped"]
    assert any(reason.startswith("On all samples: No list of at most") for reason in skipped)
    assert skipped[fitted.best_index_] == ""
    assert len(fitted.rule_list_) <= fitted.best_max_rules_


def test_bounds_that_are_not_proven_warn_and_show_it():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(100, max_depth=3, random_state=0)
    search = RuleListClassifierCV(forest, min_coverages=[0.0], time_limit=0.05, cv=2)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        search.fit(X, y)
    assert any(re.search("search for the bounds: .* not proven, within", str(warning.message)) for warning in said)


def test_heuristic_bounds_know_the_task():
    forest = RandomForestClassifier(30, max_depth=3, random_state=0)
    for labels in (WINE[1], WINE[1].astype(float)):
        search = RuleListClassifierCV(forest, bounds="heuristic", min_coverages=[0.0], cv=2).fit(WINE[0], labels)
        assert search.bounds_[1] > 5


def test_nested_cross_validation_works():
    estimator = RuleListClassifierCV(small_forest(8), max_rules=[3, 4], cv=2)
    assert cross_val_score(estimator, *WINE, cv=2).mean() > 0.5


def test_samples_and_targets_of_different_length():
    with pytest.raises((InvalidDataError, ValueError), match="150 rows, but y has 149"):
        RuleListClassifierCV(small_forest()).fit(IRIS[0], IRIS[1][:-1])


@pytest.mark.parametrize("smoothings", [(), "path", None, ShrinkToDefault(1.0)])
def test_smoothings_are_a_list(smoothings):
    with pytest.raises(InvalidParameterError, match="smoothings must be a list"):
        RuleListRegressorCV(max_rules=[4], smoothings=smoothings).fit(*DIABETES)


def test_a_fold_keeps_its_out_of_bag_targets_for_nodes():
    X, y = DIABETES
    forest = RandomForestRegressor(40, oob_score=True, random_state=0)
    settings = {"loss": "sse", "target": "ensemble"}  # so that the answers tell, too
    splitter = KFold(2)
    found = RuleListRegressorCV(forest, max_rules=[2], min_coverages=[0.02], cv=splitter, **settings).fit(X, y)
    for i, (train, test) in enumerate(splitter.split(X, y)):
        alone = RuleListRegressor(forest, max_rules=2, min_coverage=0.02, **settings).fit(X[train], y[train])
        assert_allclose(found.cv_results_[f"split{i}_test_score"], alone.score(X[test], y[test]))


def test_the_final_list_learns_from_out_of_bag_predictions_as_the_folds_do():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(60, max_depth=3, oob_score=True, random_state=0)
    search = RuleListClassifierCV(forest, max_rules=[3, 5], target="ensemble", cv=3, min_coverages=[0.0]).fit(X, y)
    alone = RuleListClassifier(forest, max_rules=search.best_max_rules_, target="ensemble").fit(X, y)
    assert search.solution_.objective == pytest.approx(alone.solution_.objective)
    assert [r.distribution for r in search.rule_list_] == [r.distribution for r in alone.rule_list_]


def test_fewer_candidates_than_rules_are_refused():
    with pytest.raises(InvalidParameterError, match="max_candidates=2 is less than max_rules=4"):
        RuleListClassifierCV(small_forest(), max_rules=[3, 4], max_candidates=2).fit(*IRIS)


@pytest.mark.parametrize("costs", [{(2, 0): 5.0}, [[0, 1, 1], [1, 0, 1], [5, 1, 0]]], ids=["named", "array"])
def test_costs_of_a_class_that_a_fold_lacks(costs):
    X, y = IRIS
    few = np.concatenate([np.arange(100), [100, 101]])
    splits = [(np.arange(0, 100, 2), np.arange(1, 100, 2)), (few[::2], few[1::2])]
    fitted = RuleListClassifierCV(small_forest(), max_rules=[3], cv=splits, loss=cost_matrix(costs)).fit(X, y)
    assert fitted.cv_results_["skipped"].tolist() == ["", ""]
    assert fitted.cv_results_["split0_test_score"].max() == 1
    with pytest.raises(InvalidParameterError, match=r"labels that do not occur: \['rose'"):
        RuleListClassifierCV(small_forest(), max_rules=[3], loss=cost_matrix({("rose", 0): 2})).fit(X, y)


def test_the_preset_chooses_the_budget_with_the_settings_of_each():
    X, y = WINE
    splitter = KFold(2, shuffle=True, random_state=0)
    forest = RandomForestClassifier(20, min_samples_leaf=3, random_state=0)
    teacher = Teacher(RandomForestClassifier(30, min_samples_leaf=3, oob_score=True, random_state=0), most=500)
    given = {"random_state": 0, "time_limit": 600.0, "teacher": teacher}
    made = RuleListClassifierCV.accurate(forest, max_rules=[2, 3, 8], cv=splitter, **given)
    assert (made.preset, made.min_coverages, made.stability_weights) == ("accurate", (None,), (0.0,))
    fitted = clone(made).fit(X, y)
    for i, (train, test) in enumerate(splitter.split(X)):
        alone = [RuleListClassifier.accurate(forest, max_rules=b, **given).fit(X[train], y[train]) for b in (2, 3, 8)]
        assert_allclose(fitted.cv_results_[f"split{i}_test_score"], [a.score(X[test], y[test]) for a in alone])
    same = RuleListClassifier.accurate(forest, max_rules=fitted.best_max_rules_, **given).fit(X, y)
    assert list(fitted.rule_list_) == list(same.rule_list_)
    assert fitted.best_min_coverage_ == same.settings_.min_coverage == 0.03 / 8
    assert (fitted.best_estimator_.preset, fitted.best_estimator_.min_coverage) == ("accurate", None)


def test_the_preset_for_numbers_has_a_pool_per_budget():
    X, y = DIABETES
    teacher = Teacher(RandomForestRegressor(30, min_samples_leaf=3, oob_score=True, random_state=0), most=300)
    made = RuleListRegressorCV.accurate(max_rules=[2, 5], cv=2, random_state=0, teacher=teacher).fit(X, y)
    assert made.ensemble_[0].max_leaf_nodes == 2 * made.best_max_rules_
    assert made.settings_.loss == priced("sse", 0.1 / len(X))
    assert np.isfinite(made.cv_results_["mean_test_score"]).all()
    with pytest.raises(InvalidParameterError, match="RuleListRegressorCV has no parameter 'min_coverage'"):
        RuleListRegressorCV.accurate(min_coverage=0.1)
    assert RuleListRegressorCV.accurate().max_rules[0] == 2


def test_a_preset_within_bounds():
    fitted = RuleListClassifierCV.accurate(small_forest(6), max_rules=None, cv=2, bounds="heuristic").fit(*IRIS)
    low, high = fitted.bounds_
    assert fitted.cv_results_["param_max_rules"].tolist() == list(range(low, high + 1))


def test_every_backend_of_joblib_gives_the_same_list():
    distributed = pytest.importorskip("distributed")
    X, y = load_iris(return_X_y=True)
    search = RuleListClassifierCV(RandomForestClassifier(10, max_depth=2, random_state=0), n_jobs=2, random_state=0)
    expected = clone(search).set_params(n_jobs=1).fit(X, y).rule_list_.rules
    with joblib.parallel_config(backend="loky"):
        assert clone(search).fit(X, y).rule_list_.rules == expected
    with (
        distributed.LocalCluster(2, processes=True, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        assert clone(search).fit(X, y).rule_list_.rules == expected


def test_constraints_that_contradict_each_other_in_all_folds_are_named():
    wishes = [MaxError(0.0), MaxFeatures(1)]
    search = RuleListClassifierCV(small_forest(), max_rules=[2, 3], cv=2, constraints=wishes)
    with pytest.raises(InfeasibleError, match=r"No setting could be tried .* On all samples: No list") as caught:
        search.fit(*IRIS)
    assert MaxError(0.0) in [conflict.constraint for conflict in caught.value.conflicts]


def test_one_group_per_sample_is_refused_before_anything_is_fitted():
    search = RuleListClassifierCV(max_rules=[2], constraints=ParityGap(np.resize([0, 1], 150), 0.1, positive=1))
    with pytest.raises(InvalidDataError, match="the folds of cross-validation have fewer samples"):
        search.fit(*IRIS)
