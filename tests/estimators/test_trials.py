"""Settings are tried in every fold, and the best row of the results is chosen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import KFold
from small_data import DIABETES, IRIS, WINE
from small_data import unfitted_forest as small_forest

from hedgerow import (
    InfeasibleError,
    InvalidDataError,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    RuleListRegressorCV,
)
from hedgerow.estimators.trials import Tried, best_row
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.pipeline.fold import Fold
from hedgerow.smoothing import ShrinkAlongPath, ShrinkToDefault


def test_the_best_row_of_the_results_is_what_was_chosen():
    fitted = RuleListClassifierCV(
        small_forest(), max_rules=[2, 3, 4], min_coverages=[0.0, 0.05], stability_weights=[0.1, 0.5], cv=3
    ).fit(*WINE)
    results = fitted.cv_results_
    assert len(results["mean_test_score"]) == 12
    splits = np.column_stack([results[f"split{i}_test_score"] for i in range(3)])
    assert_allclose(results["mean_test_score"], splits.mean(axis=1))
    assert fitted.best_score_ == np.nanmax(results["mean_test_score"])
    assert results["rank_test_score"][fitted.best_index_] == 1
    assert results["param_max_rules"][fitted.best_index_] == fitted.best_max_rules_
    tied = results["mean_test_score"] == fitted.best_score_
    assert fitted.best_max_rules_ == results["param_max_rules"][tied].min()  # of equal ones the smaller budget
    plain = RuleListClassifier(
        small_forest(),
        max_rules=fitted.best_max_rules_,
        min_coverage=fitted.best_min_coverage_,
        stability_weight=fitted.best_stability_weight_,
    ).fit(*WINE)
    assert_array_equal(fitted.predict(WINE[0]), plain.predict(WINE[0]))


def test_a_fold_scores_what_a_list_fitted_without_it_scores():
    X, y = WINE
    splitter = KFold(3, shuffle=True, random_state=0)
    fitted = RuleListClassifierCV(small_forest(), max_rules=[4], min_coverages=[0.0], cv=splitter).fit(X, y)
    for i, (train, test) in enumerate(splitter.split(X)):
        alone = RuleListClassifier(small_forest(), max_rules=4, candidates="leaves").fit(X[train], y[train])
        assert_allclose(fitted.cv_results_[f"split{i}_test_score"], [alone.score(X[test], y[test])])


def test_one_standard_error_takes_the_simplest_list_that_is_as_good():
    settings = {"ensemble": small_forest(30, 3), "max_rules": list(range(2, 9)), "cv": 3, "candidates": "nodes"}
    best = RuleListClassifierCV(**settings).fit(*WINE)
    simple = RuleListClassifierCV(**settings, one_standard_error=True).fit(*WINE)
    assert simple.best_max_rules_ <= best.best_max_rules_
    results = best.cv_results_
    error = results["std_test_score"][best.best_index_] / np.sqrt(3)
    assert simple.best_score_ >= best.best_score_ - error


def test_a_setting_that_is_impossible_is_skipped_with_its_reason():
    fitted = RuleListClassifierCV(
        small_forest(), max_rules=[1, 4], min_coverages=[0.0, 0.9], candidates="leaves", cv=2
    ).fit(*IRIS)
    skipped = fitted.cv_results_["skipped"]
    assert "No list of at most 1 rules" in skipped[0]
    assert skipped[1] == ""
    assert "Lower min_coverage" in skipped[2]
    assert np.isnan(fitted.cv_results_["mean_test_score"][[0, 2, 3]]).all()
    with pytest.raises(InfeasibleError, match="No setting could be tried"):
        RuleListClassifierCV(small_forest(), max_rules=[1], candidates="leaves", cv=2).fit(*IRIS)


def test_a_fold_without_a_class_is_skipped_or_refused():
    X, y = IRIS[0][:100], IRIS[1][:100]
    with pytest.raises(InfeasibleError, match="Fold 0: The training part has no sample of class 0"):
        RuleListClassifierCV(small_forest(), max_rules=[2], cv=KFold(2)).fit(X, y)
    with pytest.raises(InvalidDataError, match="only one class"):
        RuleListClassifierCV(small_forest(), max_rules=[2], cv=KFold(2)).fit(X, np.zeros(100))
    with pytest.raises(ValueError, match="n_splits=60"):
        RuleListClassifierCV(small_forest(), max_rules=[2], cv=60).fit(X, y)


def test_coverages_that_leave_the_same_candidates_are_tried_once_and_shown_each(monkeypatch):
    tried = []
    lists = Fold.lists
    monkeypatch.setattr(Fold, "lists", lambda *given: tried.append(1) or lists(*given))
    fitted = RuleListClassifierCV(small_forest(), max_rules=[4], min_coverages=[0.0, 0.001, 0.01, 0.1], cv=2).fit(*IRIS)
    assert len(tried) == 2 * 2  # of 75 samples, 0, 0.1 % and 1 % are all one
    scores = fitted.cv_results_["mean_test_score"]
    assert_array_equal(scores[:3], scores[0])
    assert fitted.cv_results_["param_min_coverage"].tolist() == [0.0, 0.001, 0.01, 0.1]


def test_jobs_change_nothing():
    settings = {"max_rules": [2, 4], "min_coverages": [0.0, 0.1], "cv": 3}
    one, two = (RuleListClassifierCV(small_forest(), **settings, n_jobs=n).fit(*WINE) for n in (1, 2))
    assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])
    assert str(one.rule_list_) == str(two.rule_list_)


def test_a_score_that_is_nan_or_fails_is_recorded():
    for scoring, reason in ((lambda *_: float("nan"), "is NaN"), (_refuse, "scoring failed: no")):
        search = RuleListClassifierCV(small_forest(), max_rules=[3, 4], cv=2, scoring=scoring)
        with pytest.raises(InfeasibleError, match=reason):
            search.fit(*IRIS)


def stops_after(mean, patience):
    """Return how many budgets a search tries that looks at one after the other."""
    best, since = -np.inf, 0
    for tried, score in enumerate(mean, 1):
        if score > best + 1e-12:
            best, since = score, 0
        elif np.isfinite(best):
            since += 1
        if since == patience:
            return tried
    return len(mean)


@settings(deadline=None, max_examples=15)
@given(st.lists(st.sampled_from([0.1, 0.5, 0.7, 0.9]), min_size=12, max_size=12), st.integers(1, 5), st.booleans())
def test_a_search_stops_as_if_it_looked_at_one_budget_after_the_other(curve, patience, one_standard_error):
    frozen = FrozenEstimator(RandomForestClassifier(5, max_depth=4, random_state=0).fit(*IRIS))
    search = {
        "max_rules": range(1, 11),  # of leaves, the smallest budgets have no list
        "candidates": "leaves",
        "cv": 2,
        "scoring": lambda rules, X, y: curve[len(rules.rule_list_)],
        "one_standard_error": one_standard_error,
    }
    whole = RuleListClassifierCV(frozen, patience=None, **search).fit(*IRIS)
    short = RuleListClassifierCV(frozen, patience=patience, **search).fit(*IRIS)
    mean = np.where(whole.cv_results_["skipped"] == "", whole.cv_results_["mean_test_score"], np.nan).reshape(2, 10)
    best = np.fmax(*mean)  # of two minimum coverages
    n_tried = stops_after(np.where(np.isnan(best), -np.inf, best), patience)
    tried = np.tile(np.arange(10) < n_tried, 2)
    for name in ("mean_test_score", "skipped", "proven"):
        assert_array_equal(short.cv_results_[name][tried], whole.cv_results_[name][tried])
    assert np.isnan(short.cv_results_["mean_test_score"][~tried]).all()
    assert all(reason.startswith("Not tried. ") for reason in short.cv_results_["skipped"][~tried])
    assert whole.stopped_ is None
    assert (short.stopped_ is None) == (n_tried == 10)
    if short.stopped_ is not None:
        assert (short.stopped_.budget, short.stopped_.score) == (n_tried, np.nanmax(best[:n_tried]))
        assert short.stopped_.best == short.stopped_.budget - patience
        assert f"The search stopped at max_rules={n_tried}" in short.cv_results_["skipped"][-1]


def test_a_search_that_stops_is_the_same_with_several_jobs():
    search = {"max_rules": range(2, 14), "min_coverages": [0.0], "cv": 3, "candidates": "nodes", "patience": 2}
    one, two = (RuleListClassifierCV(small_forest(), **search, n_jobs=n).fit(*WINE) for n in (1, 2))
    assert one.stopped_ == two.stopped_ is not None
    assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


def _refuse(*_):
    raise ValueError("no")


def test_equal_means_are_ties_whatever_their_rounding():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + rng.normal(size=60) * 1.2 > 0).astype(int)
    forest = RandomForestClassifier(8, max_depth=3, random_state=0)
    fitted = RuleListClassifierCV(
        forest, max_rules=range(1, 9), min_coverages=[0], candidates="nodes", cv=KFold(6), patience=None
    ).fit(X, y)
    mean = fitted.cv_results_["mean_test_score"]
    assert fitted.best_max_rules_ == 1 + np.flatnonzero(np.isclose(mean, mean.max(), atol=1e-9))[0]


def test_smoothings_are_solved_for_once_and_scored_each(monkeypatch):
    X, y = DIABETES
    solved = []
    solve = RowGeneration.feasible_path
    monkeypatch.setattr(RowGeneration, "feasible_path", lambda *given: solved.append(1) or solve(*given))
    smoothings = [None, ShrinkToDefault(30.0), ShrinkAlongPath(30.0), ShrinkToDefault(30.0)]
    forest = RandomForestRegressor(10, max_depth=3, random_state=0)
    splitter = KFold(3, shuffle=True, random_state=0)
    settings = {"candidates": "nodes", "loss": "sse", "stability_weight": 0.0}
    found = RuleListRegressorCV(
        forest, max_rules=[3, 6], min_coverages=[0.02], stability_weights=[0.0], smoothings=smoothings, cv=splitter,
        candidates="nodes", loss="sse",
    ).fit(X, y)  # fmt: skip
    assert len(solved) == 3  # once a fold
    results = found.cv_results_
    assert results["param_smoothing"].tolist() == [s for s in smoothings[:3] for _ in range(2)]
    for i, (train, test) in enumerate(splitter.split(X, y)):
        for row in range(6):
            alone = RuleListRegressor(
                forest, max_rules=results["param_max_rules"][row], min_coverage=0.02,
                smoothing=results["param_smoothing"][row], **settings,
            ).fit(X[train], y[train])  # fmt: skip
            assert_allclose(results[f"split{i}_test_score"][row], alone.score(X[test], y[test]))
    assert found.best_smoothing_ == results["param_smoothing"][found.best_index_]
    assert found.best_estimator_.smoothing == found.best_smoothing_


def results_of(*rows, n_folds=4):
    """Results of (budget, mean, standard deviation, reason for skipping)."""
    budgets, mean, std, skipped = zip(*rows, strict=True)
    return {
        "param_max_rules": np.array(budgets),
        "mean_test_score": np.array(mean),
        "std_test_score": np.array(std),
        "skipped": np.array(skipped, dtype=object),
        **{f"split{i}_test_score": np.array(mean) for i in range(n_folds)},
    }


ROWS = [
    (2, 0.70, 0.10, ""),
    (3, 0.85, 0.10, ""),
    (4, 0.86, 0.02, ""),
    (5, 0.90, 0.10, ""),
    (6, 0.95, 0.10, "Fold 2: no list"),
    (6, np.nan, np.nan, "Fold 0: no list"),
]


@pytest.mark.parametrize(
    ("rows", "one_standard_error", "expected"),
    [
        (ROWS, False, 3),  # 0.95 was skipped
        (ROWS, True, 1),  # within 0.1 / sqrt(4) = 0.05 of 0.9 are 0.85 and 0.86; 0.85 has fewer rules
        ([(2, 0.849, 0.1, ""), *ROWS[1:]], True, 1),  # just outside
        ([(5, 0.9, 0.0, ""), (3, 0.9, 0.0, ""), (4, 0.9, 0.0, "")], False, 1),  # ties go to the smaller budget
        ([(3, 0.89, 0.1, ""), (3, 0.9, 0.1, ""), (3, 0.9, 0.1, "")], True, 1),  # then to the score, then the first
        ([(2, 0.1 + 0.2, 0.0, ""), (3, 0.3, 0.0, "")], False, 0),
        ([(3, 0.1 + 0.2, 0.0, ""), (2, 0.3, 0.0, "")], False, 1),  # a tie but for rounding
    ],
)
def test_the_best_row_by_hand(rows, one_standard_error, expected):
    assert best_row(results_of(*rows), one_standard_error) == expected


def test_the_standard_error_falls_with_the_number_of_folds():
    assert best_row(results_of(*ROWS, n_folds=100), True) == 3


@pytest.mark.parametrize(
    ("rows", "reason"),
    [(ROWS[4:], "Fold 2: no list"), ([(2, np.nan, np.nan, "")], "every score is NaN")],
)
def test_without_any_row_the_first_reason_is_told(rows, reason):
    with pytest.raises(InfeasibleError, match=reason):
        best_row(results_of(*rows), False)


def test_before_a_budget_is_tried_nothing_is_known():
    nothing = Tried.nothing([2, 3], "too few samples")
    assert np.isnan(nothing.scores).all()
    assert not nothing.proven.any()
    assert nothing.reasons == {2: "too few samples", 3: "too few samples"}
    assert Tried.nothing([2]).reasons == {}
