"""The estimators do the whole job, and say clearly what they cannot do."""

import copy
import logging
import pickle
import time

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from small_data import DIABETES, IRIS, WINE, small_forest

from hedgerow import (
    HedgerowError,
    InfeasibleError,
    InvalidDataError,
    InvalidParameterError,
    MissingRowsError,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    UnfittedModelError,
    UnsupportedModelError,
    budget_path,
    read_forest,
)
from hedgerow.estimators.base import RuleListEstimator
from hedgerow.estimators.validation import check_training
from hedgerow.optimize.solvers import Exhaustive
from hedgerow.pipeline.build import build
from hedgerow.pipeline.fold import Extracted
from hedgerow.pipeline.pose import pose
from hedgerow.pipeline.prepare import prepare
from hedgerow.teachers import Teacher

BUNDLED = [
    (load_iris, RandomForestClassifier, RuleListClassifier, 8),
    (load_wine, RandomForestClassifier, RuleListClassifier, 8),
    (load_breast_cancer, RandomForestClassifier, RuleListClassifier, 8),
    (load_digits, RandomForestClassifier, RuleListClassifier, 16),
    (load_diabetes, RandomForestRegressor, RuleListRegressor, 8),
]


@pytest.mark.parametrize(("load", "forest", "rule_list", "budget"), BUNDLED, ids=lambda x: getattr(x, "__name__", x))
def test_bundled_data_sets_are_proven_optimal(load, forest, rule_list, budget):
    X, y = load(return_X_y=True)
    ensemble = forest(100, max_depth=3, random_state=0).fit(X, y)
    fitted = rule_list(ensemble, max_rules=budget).fit(X, y)
    assert fitted.solution_.optimal
    assert fitted.solution_.gap == 0
    assert len(fitted.rule_list_) <= budget
    assert_array_equal(fitted.rule_list_.matches(X).sum(axis=1), 1)


@pytest.mark.parametrize("load", [load_breast_cancer, load_digits, load_diabetes], ids=lambda load: load.__name__)
def test_a_forest_with_default_settings_works_out_of_the_box(load):
    X, y = load(return_X_y=True)
    forest, rule_list = RandomForestClassifier, RuleListClassifier
    if load is load_diabetes:
        forest, rule_list = RandomForestRegressor, RuleListRegressor
    ensemble = forest(random_state=0).fit(X, y)
    assert min(tree.get_n_leaves() for tree in ensemble.estimators_) > 8  # no tree is a list as it is
    fitted = rule_list(ensemble).fit(X, y)
    assert fitted.solution_.optimal
    assert len(fitted.rule_list_) <= 8
    assert_array_equal(fitted.rule_list_.matches(X).sum(axis=1), 1)


def test_without_a_budget_there_may_be_more_rules():
    short = RuleListClassifier(small_forest(depth=3), max_rules=4).fit(*IRIS)
    free = RuleListClassifier(small_forest(depth=3), max_rules=None).fit(*IRIS)
    assert len(free.rule_list_) > 4
    assert free.solution_.objective >= short.solution_.objective


def test_the_same_input_gives_the_same_list_whatever_numpy_has_drawn():
    lists = []
    for seed in range(4):
        np.random.seed(seed)  # noqa: NPY002
        before = np.random.get_state()[1].copy()  # noqa: NPY002
        fitted = RuleListClassifier(small_forest(depth=3, n=100), max_rules=4, stability_weight=0.0).fit(*IRIS)
        lists.append(fitted.solution_.chosen.tolist())
        assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    assert all(chosen == lists[0] for chosen in lists)


@pytest.mark.parametrize("copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy], ids=["pickle", "deepcopy"])
@pytest.mark.parametrize("uncovered", ["default", "ensemble"])
def test_a_fitted_estimator_can_be_stored(copied, uncovered):
    fitted = RuleListClassifier(small_forest(), max_rules=4, uncovered=uncovered).fit(*IRIS)
    again = copied(fitted)
    assert_array_equal(again.predict(IRIS[0]), fitted.predict(IRIS[0]))
    assert str(again.rule_list_) == str(fitted.rule_list_)


def test_categories_and_missing_values_from_fit_to_text():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"color": pd.Categorical(rng.choice(["red", "blue", "green"], 300)), "age": rng.normal(40, 10, 300)}
    )
    X.loc[::10, "age"] = np.nan
    y = np.where((X["color"] == "red") | X["age"].isna(), "yes", "no")
    model = HistGradientBoostingClassifier(max_iter=10, categorical_features="from_dtype")
    fitted = RuleListClassifier(model, max_rules=4).fit(X, y)
    assert fitted.score(X, y) == 1
    text = str(fitted.rule_list_)
    assert "color in {" in text or "color not in {" in text or "color is " in text
    assert "missing" in text
    assert_array_equal(fitted.rule_list_.matches(X).sum(axis=1), 1)


@pytest.mark.parametrize("given_as", [lambda m: m, lambda m: [m], read_forest], ids=["model", "list", "forest"])
def test_an_array_of_text_and_numbers(given_as):
    rng = np.random.default_rng(0)
    X = np.empty((200, 2), dtype=object)
    X[:, 0], X[:, 1] = rng.choice(["red", "blue"], 200), rng.normal(size=200)
    y = (X[:, 0] == "red") ^ (X[:, 1].astype(float) > 0)
    model = HistGradientBoostingClassifier(max_iter=10, categorical_features=[0]).fit(X, y)
    fitted = RuleListClassifier(given_as(model), max_rules=4).fit(X, y)
    assert fitted.score(X, y) > 0.9
    assert fitted.explain(X[:2])


def test_progress_goes_to_standard_error_only_if_asked(capsys):
    RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    assert capsys.readouterr() == ("", "")
    RuleListClassifier(small_forest(), max_rules=4, verbose=True).fit(*IRIS)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "hedgerow: " in shown.err
    assert logging.getLogger("hedgerow").handlers == []


def test_a_solver_of_ones_own():
    forest = RandomForestRegressor(3, max_depth=2, random_state=0).fit(*DIABETES)
    fitted = RuleListRegressor(forest, max_rules=4, solver=Exhaustive()).fit(*DIABETES)
    same = RuleListRegressor(forest, max_rules=4).fit(*DIABETES)
    assert_allclose(fitted.solution_.objective, same.solution_.objective)


# Bad input gets a clear error, and nothing is lost


def test_an_unfitted_model_where_a_fitted_one_is_needed():
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        RuleListClassifier(FrozenEstimator(RandomForestClassifier())).fit(*IRIS)
    with pytest.raises(NotFittedError):
        RuleListClassifier().predict(IRIS[0])


def test_a_model_that_is_not_a_tree_ensemble():
    with pytest.raises(UnsupportedModelError, match="Cannot read a LogisticRegression"):
        RuleListClassifier(LogisticRegression()).fit(*IRIS)
    with pytest.raises(UnsupportedModelError, match="Cannot read 'forest'"):
        RuleListClassifier("forest").fit(*IRIS)
    with pytest.raises(InvalidParameterError, match="use RuleListRegressor"):
        RuleListClassifier(GradientBoostingRegressor(n_estimators=2)).fit(*IRIS)
    with pytest.raises(InvalidParameterError, match="use RuleListClassifier"):
        RuleListRegressor(small_forest()).fit(*IRIS)


def test_a_budget_below_the_smallest_possible():
    forest = small_forest(depth=3)
    with pytest.raises(
        InfeasibleError, match=r"No list of at most 2 rules.*smallest budget that works is max_rules=\d"
    ):
        RuleListClassifier(forest, max_rules=2, candidates="leaves").fit(*IRIS)
    try:
        RuleListClassifier(forest, max_rules=2, candidates="leaves").fit(*IRIS)
    except InfeasibleError as error:
        smallest = int(str(error).rpartition("=")[2].rstrip("."))
    assert RuleListClassifier(forest, max_rules=smallest, candidates="leaves").fit(*IRIS).solution_.optimal
    with pytest.raises(InfeasibleError):
        RuleListClassifier(forest, max_rules=smallest - 1, candidates="leaves").fit(*IRIS)


def test_a_time_limit_keeps_the_best_list():
    X, y = DIABETES
    forest = RandomForestRegressor(60, random_state=0).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="gap"):
        fitted = RuleListRegressor(forest, max_rules=8, time_limit=1e-3).fit(X, y)
    assert fitted.solution_.status == "time_limit"
    assert np.isfinite(fitted.solution_.gap)
    assert_array_equal(fitted.rule_list_.matches(X).sum(axis=1), 1)


def test_every_error_of_the_package_is_one_kind():
    with pytest.raises(HedgerowError):
        RuleListClassifier(max_rules=0).fit(*IRIS)


def test_a_pickle_does_not_grow_with_the_samples():
    rng = np.random.default_rng(0)
    forest = small_forest(rng.normal(size=(200, 3)), rng.integers(0, 2, 200), n=50)
    sizes = []
    for n_samples in (300, 30_000):
        X = rng.normal(size=(n_samples, 3))
        fitted = RuleListClassifier(forest, max_rules=4, candidates="nodes").fit(X, rng.integers(0, 2, n_samples))
        sizes.append(len(pickle.dumps(fitted)))
    assert sizes[1] < 1.05 * sizes[0]


@pytest.mark.parametrize("target", ["labels", 0.5])
def test_what_needs_the_training_rows_says_so_after_loading_and_takes_them(target):
    X, y = WINE
    forest = RandomForestClassifier(60, max_depth=3, oob_score=True, random_state=0)
    fitted = RuleListClassifier(forest, max_rules=5, candidates="nodes", target=target, random_state=0).fit(X, y)
    other = budget_path(fitted.problem_, [3])[0]
    again = pickle.loads(pickle.dumps(fitted))
    assert not hasattr(again, "problem_")
    for ask in (lambda: again.list_of(other), lambda: again.lists_of([3]), lambda: again.problem_):
        with pytest.raises(MissingRowsError, match="needs the training samples"):
            ask()
    assert again.list_of(other, X, y).to_json() == fitted.list_of(other).to_json()
    assert len(again.pool_) == len(fitted.pool_)
    with pytest.raises(InvalidDataError, match="the very samples"):
        again.list_of(other, X[::2], y[::2])
    with pytest.raises(InvalidDataError, match="the very samples"):
        again.list_of(other, X, y[::-1])


def test_lists_of_other_budgets_are_those_of_other_fits():
    X, y = WINE
    fitted = RuleListClassifier(small_forest(X, y, depth=3), max_rules=5, candidates="nodes").fit(X, y)
    lists = fitted.lists_of([3, 5])
    assert lists[5].to_text() == fitted.rule_list_.to_text()
    three = RuleListClassifier(small_forest(X, y, depth=3), max_rules=3, candidates="nodes").fit(X, y)
    assert lists[3].solution.objective == pytest.approx(three.solution_.objective)


def test_an_estimator_made_of_what_the_pipeline_extracted_is_fitted():
    X, y = WINE
    fitted = RuleListClassifier(small_forest(X, y), max_rules=4).fit(X, y)
    extracted = Extracted(fitted.posed_, fitted.solution_, fitted.rule_list_)
    again = RuleListClassifier.of(extracted)
    assert again.get_params(deep=False) == fitted.get_params(deep=False)
    assert_array_equal(again.predict(X), fitted.predict(X))
    assert again.n_features_in_ == 13


@pytest.mark.parametrize("kind", [RuleListClassifier, RuleListRegressor])
def test_a_fit_is_four_calls(kind):
    assert issubclass(kind, RuleListEstimator)
    X, y = WINE
    estimator = kind(kind.task_kind.forest(10, max_depth=2, random_state=0), max_rules=4, random_state=0)
    settings = estimator.to_settings()
    posed = pose(prepare(settings, check_training(kind(), kind.task_kind, X, y)), settings)
    solution = settings.chosen_solver().solve(posed.problem, settings.time_limit)
    fitted = estimator.fit(X, y)
    assert_array_equal(fitted.solution_.chosen, solution.chosen)
    assert list(fitted.rule_list_) == list(build(posed, solution))
    assert list(kind.fitted_with(settings, X, y).rule_list_) == list(fitted.rule_list_)


@pytest.mark.parametrize(
    "settings", [{}, {"target": "ensemble", "candidates": "nodes", "max_candidates": 200}], ids=str
)
def test_the_seconds_of_the_parts_add_up_to_the_whole_fit(settings):
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(100, max_depth=3, random_state=0)
    started = time.perf_counter()
    fitted = RuleListClassifier(forest, max_rules=6, **settings).fit(X, y)
    total = time.perf_counter() - started
    assert sum(fitted.seconds_.values()) == pytest.approx(total, abs=0.002)
    assert {"validation", "ensemble", "coverage", "deduplication", "margins", "solve"} <= set(fitted.seconds_)


def test_a_fit_forgets_what_an_earlier_one_knew():
    frame = pd.DataFrame(IRIS[0], columns=list("abcd"))
    estimator = RuleListClassifier(RandomForestClassifier(5, max_depth=2, random_state=0), max_rules=4)
    assert estimator.fit(frame, IRIS[1]).feature_names_in_.tolist() == list("abcd")
    assert not hasattr(estimator.fit(IRIS[0][:, :3], IRIS[1]), "feature_names_in_")
    assert estimator.n_features_in_ == 3
    teacher = Teacher(small_forest(), copies=0)
    assert estimator.set_params(teacher=teacher).fit(*IRIS).teacher_ is teacher.model
    assert not hasattr(estimator.set_params(teacher=None).fit(*IRIS), "teacher_")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_keeps_the_problem_and_makes_other_lists(copied):
    X, y = WINE
    fitted = RuleListClassifier(small_forest(X, y, depth=3), max_rules=5, candidates="nodes").fit(X, y)
    again = copied(fitted)
    assert_array_equal(again.problem_.scores, fitted.problem_.scores)
    (other,) = budget_path(again.problem_, [3])
    assert again.list_of(other).to_json() == fitted.list_of(other).to_json()
    assert again.lists_of([3])[3].solution.objective == pytest.approx(other.objective)
    again.set_params(max_rules=3).fit(X[::2], y[::2])
    assert (fitted.max_rules, fitted.rule_list_.n_samples, fitted.problem_.n_samples) == (5, 178, 178)


def test_a_loaded_estimator_makes_a_report():
    X, y = WINE
    fitted = RuleListClassifier(small_forest(X, y), max_rules=4).fit(X, y)
    loaded = pickle.loads(pickle.dumps(fitted))
    html = loaded.rule_list_.to_html(estimator=loaded, X=X, y=y)
    assert html == fitted.rule_list_.to_html(estimator=fitted, X=X, y=y)


def test_a_loaded_estimator_builds_lists_as_it_was_fitted_whatever_its_parameters_say_now():
    X, y = IRIS
    fitted = RuleListClassifier(small_forest(), max_rules=4).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted)).set_params(max_rules=2)
    assert again.list_of(again.solution_, X, y).rules == fitted.rule_list_.rules
    with pytest.raises(InvalidDataError, match="the very samples"):
        again.list_of(again.solution_, X, y, sample_weight=np.arange(len(y)) + 1.0)


def test_a_loaded_search_knows_that_its_ensemble_predicts_out_of_bag():
    X, y = IRIS
    forest = RandomForestClassifier(40, oob_score=True, max_depth=3, random_state=0)
    fitted = RuleListClassifierCV(forest, cv=3, target="ensemble", random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.list_of(again.solution_, X, y).rules == fitted.rule_list_.rules


def test_a_loaded_estimator_with_a_teacher_cannot_build_lists_again():
    X, y = DIABETES
    teacher = Teacher(RandomForestRegressor(10, random_state=0), copies=1)
    trees = RandomForestRegressor(5, max_leaf_nodes=6, random_state=0)
    fitted = RuleListRegressor(trees, max_rules=3, teacher=teacher, candidates="nodes").fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    with pytest.raises(MissingRowsError, match="what the preset or the teacher added"):
        again.list_of(again.solution_, X, y)
    with pytest.raises(MissingRowsError, match=r"does not carry\. Fit again"):  # no way out that is refused then
        again.alternatives(2)


def test_a_subclass_may_have_parameters_of_its_own():
    class Short(RuleListClassifier):
        def __init__(self, ensemble=None, *, max_rules=3):
            super().__init__(ensemble, max_rules=max_rules)

    class Noted(RuleListClassifier):
        def __init__(self, ensemble=None, *, max_rules=3, note=""):
            super().__init__(ensemble, max_rules=max_rules)
            self.note = note

    assert len(Short(small_forest()).fit(*IRIS).rule_list_) <= 3
    assert len(Noted(small_forest(), note="x").fit(*IRIS).rule_list_) <= 3


def test_lists_of_other_budgets_do_not_draw_from_the_users_random_state():
    random = np.random.RandomState(0)
    fitted = RuleListClassifier(small_forest(), max_rules=4, candidates="nodes", random_state=random).fit(*IRIS)
    before = random.get_state()[1].copy()
    fitted.lists_of([2, 3])
    assert_array_equal(random.get_state()[1], before)


@pytest.mark.parametrize("estimator", [RuleListClassifier(max_rules=3), RuleListClassifierCV(max_rules=[3], cv=2)])
def test_a_fit_that_fails_leaves_the_estimator_as_it_was(estimator):
    X, y = IRIS
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    estimator.set_params(ensemble=RandomForestClassifier(5, max_depth=2, random_state=0)).fit(frame, y)
    before = estimator.predict(frame)
    with pytest.raises(InvalidDataError, match="only one class"):
        estimator.fit(frame.rename(columns={"a": "other"}), np.zeros(len(y)))
    assert estimator.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert estimator.predict(frame).tolist() == before.tolist()
    estimator.fit(X[:, :2], y)
    assert estimator.n_features_in_ == 2
    assert not hasattr(estimator, "feature_names_in_")
