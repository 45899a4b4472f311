"""The estimators do the whole job, and say clearly what they cannot do."""

import copy
import logging
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from hedgerow import (
    HedgerowError,
    InfeasibleError,
    InvalidDataError,
    InvalidParameterError,
    LinearRows,
    RuleListClassifier,
    RuleListRegressor,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)
from hedgerow.optimize.solvers import Exhaustive

IRIS = load_iris(return_X_y=True)
WINE = load_wine(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
DIGITS = load_digits(return_X_y=True)


def small_forest(X=IRIS[0], y=IRIS[1], depth=2, n=20):
    return RandomForestClassifier(n, max_depth=depth, random_state=0).fit(X, y)


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


ENSEMBLES = [
    ExtraTreesClassifier(10, max_depth=2, random_state=0),
    GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=0),
    HistGradientBoostingClassifier(max_iter=5),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=5, random_state=0),
    DecisionTreeClassifier(),
]


@pytest.mark.parametrize("ensemble", ENSEMBLES, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("labels", [np.array(["x", "y", "z"]), np.array([5, -3, 11])], ids=["text", "numbers"])
def test_any_ensemble_any_labels(ensemble, labels):
    X, y = WINE[0], labels[WINE[1]]
    fitted = RuleListClassifier(ensemble, max_rules=5).fit(X, y)
    assert fitted.solution_.optimal
    assert fitted.predict(X).dtype == labels.dtype
    assert fitted.score(X, y) > 0.6
    assert_array_equal(fitted.classes_, np.unique(y))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_samples=st.integers(6, 40),
    budget=st.integers(1, 5),
    candidates=st.sampled_from(["auto", "nodes"]),
    classify=st.booleans(),
)
def test_every_training_sample_is_in_one_rule_and_gets_its_answer(seed, n_samples, budget, candidates, classify):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_samples, 3)), 1)
    y = rng.integers(0, 3, n_samples) if classify else rng.normal(size=n_samples)
    if classify:
        y[:2] = 0, 1
        ensemble, estimator = RandomForestClassifier(4, max_depth=2, random_state=seed), RuleListClassifier
    else:
        ensemble, estimator = RandomForestRegressor(4, max_depth=2, random_state=seed), RuleListRegressor
    fitted = estimator(ensemble, max_rules=budget, candidates=candidates).fit(X, y)
    matches = fitted.rule_list_.matches(X)
    assert_array_equal(matches.sum(axis=1), 1)
    assert_array_equal(fitted.apply(X), matches.argmax(axis=1))
    for i, rule in enumerate(fitted.rule_list_):
        covered = y[matches[:, i]]
        assert rule.coverage == len(covered) == np.count_nonzero(matches[:, i])
        if classify:
            counts = np.array([np.count_nonzero(covered == c) for c in fitted.classes_])
            assert rule.prediction == fitted.classes_[counts.argmax()]
            assert_allclose(rule.distribution, counts / counts.sum())
        else:
            assert_allclose(rule.prediction, covered.mean(), atol=1e-12)
            assert_allclose(rule.spread, covered.std(), atol=1e-7)
        assert_array_equal(fitted.predict(X)[matches[:, i]], np.full(len(covered), rule.prediction))
    assert_allclose(fitted.solution_.objective, Exhaustive().solve(fitted.problem_).objective, atol=1e-9)


def test_the_list_is_ordered_by_coverage():
    fitted = RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    coverage = [rule.coverage for rule in fitted.rule_list_]
    assert coverage == sorted(coverage, reverse=True)
    assert sum(coverage) == 150
    assert_allclose(sum(rule.share for rule in fitted.rule_list_), 1)


def test_scores_are_kept_and_are_what_was_maximised():
    fitted = RuleListClassifier(small_forest(), max_rules=4, stability_weight=0.3).fit(*IRIS)
    scores = fitted.scores_
    assert len(scores.total) == len(fitted.pool_) == fitted.problem_.n_rules
    assert scores.stability.min() == scores.loss.min() == 0
    assert scores.stability.max() == scores.loss.max() == 1
    assert_allclose(scores.total, 0.3 * scores.stability - 0.7 * scores.loss)
    assert_allclose(fitted.solution_.objective, scores.total[fitted.solution_.chosen].sum())


def test_without_a_budget_there_may_be_more_rules():
    short = RuleListClassifier(small_forest(depth=3), max_rules=4).fit(*IRIS)
    free = RuleListClassifier(small_forest(depth=3), max_rules=None).fit(*IRIS)
    assert len(free.rule_list_) > 4
    assert free.solution_.objective >= short.solution_.objective


def test_min_coverage_is_kept():
    fitted = RuleListClassifier(small_forest(depth=3), max_rules=6, min_coverage=0.1).fit(*IRIS)
    assert min(rule.coverage for rule in fitted.rule_list_) >= 15
    assert fitted.problem_.coverage.counts.min() >= 15


@pytest.mark.parametrize("scale", [1 / 150, 0.01, 1000.0])
def test_min_coverage_does_not_depend_on_the_scale_of_the_weights(scale):
    estimator = RuleListClassifier(small_forest(depth=3), max_rules=6, min_coverage=0.05)
    plain = estimator.fit(*IRIS).solution_.chosen
    assert_array_equal(estimator.fit(*IRIS, sample_weight=np.full(150, scale)).solution_.chosen, plain)


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


def test_the_spread_of_a_rule_is_that_of_its_targets():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.where(X[:, 0] > 0, 1e9, 0.0) + rng.normal(size=300) * 0.1
    fitted = RuleListRegressor(RandomForestRegressor(5, max_depth=2, random_state=0), max_rules=4).fit(X, y)
    which = fitted.apply(X)
    for i, rule in enumerate(fitted.rule_list_):
        assert_allclose(rule.spread, y[which == i].std(), rtol=1e-6)


def test_max_conditions_is_kept():
    deep = RandomForestClassifier(10, random_state=0).fit(*WINE)
    fitted = RuleListClassifier(deep, max_rules=4, max_conditions=2).fit(*WINE)
    assert max(len(rule.conditions) for rule in fitted.rule_list_) <= 2


def test_auto_takes_nodes_if_the_filter_leaves_no_whole_tree():
    fitted = RuleListClassifier(small_forest(depth=3), max_rules=8, min_coverage=0.3).fit(*IRIS)
    assert (fitted.pool_.forest.nodes.left[fitted.pool_.node] >= 0).any()
    assert min(rule.share for rule in fitted.rule_list_) >= 0.3


def test_loss_and_stability_of_ones_own():
    base = RuleListClassifier(small_forest(), max_rules=3).fit(*IRIS)
    mine = RuleListClassifier(
        small_forest(),
        max_rules=3,
        loss=lambda y: len(y) - np.unique(y, return_counts=True)[1].max(),
        stability=[("dice", 1.0)],
    ).fit(*IRIS)
    assert_array_equal(mine.solution_.chosen, base.solution_.chosen)
    short = RuleListClassifier(
        small_forest(depth=3), candidates="nodes", stability=lambda rule: -len(rule.conditions), stability_weight=1.0
    ).fit(*IRIS)
    assert sum(len(rule.conditions) for rule in short.rule_list_) <= 4


def test_a_loss_that_fails_names_the_rule():
    def broken(y):
        return np.nan if len(y) < 20 else 1.0

    with pytest.raises(InvalidParameterError, match=r"'broken' returned nan for rule \d+ \(tree \d+, node \d+: .*x\d"):
        RuleListClassifier(small_forest(), max_rules=4, loss=broken).fit(*IRIS)


def test_a_constraint_of_ones_own():
    class WithoutFeature:
        def __init__(self, index):
            self.index = index

        def __repr__(self):
            return f"without x{self.index}"

        def rows(self, pool, coverage, y):
            rule, branch, _, _ = pool.conditions
            uses = np.zeros(len(pool))
            uses[rule[pool.forest.nodes.feature[branch] == self.index]] = 1
            return LinearRows(uses, -np.inf, 0.0)

    free = RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    used = free.rule_list_[0].conditions[0].feature.index
    without = RuleListClassifier(small_forest(), max_rules=4, constraints=[WithoutFeature(used)]).fit(*IRIS)
    assert used not in {c.feature.index for rule in without.rule_list_ for c in rule.conditions}
    assert without.solution_.optimal
    with pytest.raises(InfeasibleError, match="relax one of: without x0, without x1, without x2, without x3"):
        RuleListClassifier(small_forest(), max_rules=4, constraints=[WithoutFeature(i) for i in range(4)]).fit(*IRIS)
    with pytest.raises(InvalidParameterError, match="has none"):
        RuleListClassifier(small_forest(), constraints=["x0"]).fit(*IRIS)


def test_target_ensemble_explains_the_ensemble():
    X, y = DIABETES
    forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    fitted = RuleListRegressor(forest, max_rules=4, target="ensemble").fit(X, y)
    assert_allclose(fitted.rule_list_.default.prediction, forest.predict(X).mean())
    assert_array_equal(
        RuleListRegressor(forest, max_rules=4, target=1).fit(X, y).solution_.chosen, fitted.solution_.chosen
    )
    mixed = RuleListRegressor(forest, max_rules=4, target=0.5).fit(X, y)
    assert_allclose(mixed.rule_list_.default.prediction, y.mean())
    labels = RuleListClassifier(small_forest(), max_rules=4, target="ensemble").fit(*IRIS)
    assert_allclose(labels.rule_list_.default.distribution, small_forest().predict_proba(IRIS[0]).mean(axis=0))
    assert RuleListClassifier(small_forest(), max_rules=4, target=0.5).fit(*IRIS).solution_.optimal


def test_where_no_rule_fires_the_default_or_the_ensemble_answers():
    # Rules of several trees part the training data, not the whole space.
    X, y = WINE
    forest = RandomForestClassifier(60, max_depth=3, random_state=1).fit(X[::2], y[::2])
    plain = RuleListClassifier(forest, max_rules=6).fit(X[::2], y[::2])
    asking = clone(plain).set_params(ensemble=forest, uncovered="ensemble").fit(X[::2], y[::2])
    rng = np.random.default_rng(0)
    odd = rng.uniform(X.min(axis=0), X.max(axis=0), size=(2000, X.shape[1]))
    lost = plain.apply(odd) == -1
    assert 0 < lost.sum() < len(odd)
    assert_array_equal(plain.predict(odd)[lost], plain.rule_list_.default.prediction)
    assert_array_equal(asking.predict(odd)[lost], forest.predict(odd)[lost])
    assert_allclose(asking.predict_proba(odd)[lost], forest.predict_proba(odd)[lost])
    assert_array_equal(asking.predict(odd)[~lost], plain.predict(odd)[~lost])
    first = int(np.flatnonzero(lost)[0])
    assert plain.explain(odd)[first].startswith("No rule fires, so the default answers")
    assert asking.explain(odd)[first] == f"No rule fires, so the ensemble answers: {forest.predict(odd)[first]}."
    assert "otherwise" in str(asking.rule_list_)
    assert "what the ensemble says" in str(asking.rule_list_)
    assert_allclose(asking.fidelity(odd).disagreement, np.mean(asking.predict(odd) != forest.predict(odd)))


def test_sample_weights_move_the_answers():
    X, y = IRIS
    heavy = np.where(y == 2, 10.0, 1.0)
    forest = small_forest()
    fitted = RuleListClassifier(forest, max_rules=3).fit(X, y, sample_weight=heavy)
    assert_allclose(fitted.rule_list_.default.distribution, np.array([50, 50, 500]) / 600)
    none = np.where(y == 0, 0.0, 1.0)
    left = RuleListClassifier(forest, max_rules=3).fit(X, y, sample_weight=none)
    assert left.rule_list_.n_samples == 100
    assert left.problem_.n_samples == 100


def test_a_class_weight_of_the_ensemble_is_respected():
    forest = RandomForestClassifier(10, max_depth=2, class_weight="balanced", random_state=0)
    fitted = RuleListClassifier(forest, max_rules=4).fit(*IRIS)
    assert fitted.ensemble_.class_weight == "balanced"
    assert fitted.solution_.optimal


def test_what_an_ensemble_may_be():
    X, y = IRIS
    fitted = small_forest()
    assert RuleListClassifier(fitted, max_rules=4).fit(X, y).ensemble_ is fitted
    unfitted = RandomForestClassifier(5, max_depth=2, random_state=0)
    rules = RuleListClassifier(unfitted, max_rules=4).fit(X, y)
    assert rules.ensemble_ is not unfitted
    assert not hasattr(unfitted, "estimators_")
    assert RuleListClassifier(read_forest(fitted), max_rules=4).fit(X, y).forest_.n_trees == 20
    both = RuleListClassifier([fitted, unfitted], max_rules=4).fit(X, y)
    assert both.forest_.n_trees == 25
    frozen = RuleListClassifier(FrozenEstimator(fitted), max_rules=4)
    assert clone(frozen).fit(X, y).forest_.n_trees == 20
    default = RuleListClassifier(max_rules=4, random_state=0, n_jobs=2).fit(X, y)
    assert default.forest_.n_trees == 500
    assert default.forest_.nodes.depth.max() == 3


@pytest.mark.parametrize("frame", [pd.DataFrame, lambda X, columns: pl.DataFrame(X, schema=columns)])
def test_column_names_of_data_frames_are_kept(frame):
    names = ["sepal length", 'the "width"', "π", "petal\nwidth"]
    X, y = frame(IRIS[0], columns=names), IRIS[1]
    fitted = RuleListClassifier(RandomForestClassifier(10, max_depth=2, random_state=0), max_rules=4).fit(X, y)
    assert fitted.feature_names_in_.tolist() == names
    assert {c.feature.name for rule in fitted.rule_list_ for c in rule.conditions} <= set(names)
    assert_array_equal(fitted.predict(X), fitted.rule_list_.predict(IRIS[0]))


def test_names_reach_a_forest_that_was_trained_without():
    X = pd.DataFrame(IRIS[0], columns=list("abcd"))
    fitted = RuleListClassifier(small_forest(), max_rules=4).fit(X, IRIS[1])
    assert {c.feature.name for rule in fitted.rule_list_ for c in rule.conditions} <= set("abcd")


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


def test_scikit_learns_tools_work():
    X, y = WINE
    estimator = RuleListClassifier(RandomForestClassifier(10, max_depth=2, random_state=0), max_rules=4)
    assert cross_val_score(estimator, X, y, cv=3).mean() > 0.6
    piped = make_pipeline(StandardScaler(), clone(estimator)).fit(X, y)
    assert piped.score(X, y) > 0.6
    search = GridSearchCV(estimator, {"max_rules": [3, 4], "ensemble__max_depth": [1, 2]}, cv=2).fit(X, y)
    assert set(search.best_params_) == {"max_rules", "ensemble__max_depth"}
    frozen = RuleListClassifier(FrozenEstimator(small_forest(X, y)), max_rules=4)
    assert len(cross_val_score(frozen, X, y, cv=3)) == 3


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


def test_a_model_that_is_no_tree_ensemble():
    with pytest.raises(UnsupportedModelError, match="Cannot read a LogisticRegression"):
        RuleListClassifier(LogisticRegression()).fit(*IRIS)
    with pytest.raises(UnsupportedModelError, match="Cannot read 'forest'"):
        RuleListClassifier("forest").fit(*IRIS)
    with pytest.raises(InvalidParameterError, match=r"pass an instance of it: RandomForestClassifier\(\)"):
        RuleListClassifier(RandomForestClassifier).fit(*IRIS)
    with pytest.raises(InvalidParameterError, match="use RuleListRegressor"):
        RuleListClassifier(GradientBoostingRegressor(n_estimators=2)).fit(*IRIS)
    with pytest.raises(InvalidParameterError, match="use RuleListClassifier"):
        RuleListRegressor(small_forest()).fit(*IRIS)


def test_other_columns_than_the_ensemble_saw():
    X, y = IRIS
    with pytest.raises(InvalidDataError, match="X has 3 features, but the ensemble was trained on 4"):
        RuleListClassifier(small_forest()).fit(X[:, :3], y)
    frame = pd.DataFrame(X, columns=list("abcd"))
    forest = small_forest(frame, y)
    with pytest.raises(InvalidDataError, match=r"Missing in X: d; unknown to the ensemble: e"):
        RuleListClassifier(forest).fit(frame.rename(columns={"d": "e"}), y)
    with pytest.raises(InvalidDataError, match=r"in a different order.*Reorder them to: a, b, c, d"):
        RuleListClassifier(forest).fit(frame[["b", "a", "c", "d"]], y)
    fitted = RuleListClassifier(forest).fit(frame, y)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame.rename(columns={"d": "e"}))
    with pytest.raises(ValueError, match="X has 2 features, but RuleListClassifier is expecting 4"):
        RuleListClassifier(small_forest()).fit(X, y).predict(X[:, :2])


@pytest.mark.parametrize(("value", "message"), [(np.nan, "contains NaN"), (np.inf, "contains infinity")])
def test_values_the_ensemble_cannot_take(value, message):
    X, y = IRIS
    bad = X.copy()
    bad[3, 1] = value
    model = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    with pytest.raises(ValueError, match=message):
        RuleListClassifier(model).fit(bad, y)
    fitted = RuleListClassifier(model).fit(X, y)
    with pytest.raises(InvalidDataError, match=message):
        fitted.predict(bad)


def test_empty_data():
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        RuleListClassifier(small_forest()).fit(np.empty((0, 4)), [])
    with pytest.raises(InvalidDataError, match="0 samples"):
        RuleListClassifier(small_forest()).fit(pd.DataFrame(columns=list("abcd"), dtype=float), [])


def test_frames_that_are_not_collected():
    with pytest.raises(InvalidDataError, match=r"LazyFrame.*collect"):
        RuleListClassifier(small_forest()).fit(pl.DataFrame(IRIS[0]).lazy(), IRIS[1])


def test_one_class_only():
    with pytest.raises(InvalidDataError, match="only one class, 0"):
        RuleListClassifier(small_forest()).fit(*IRIS, sample_weight=(IRIS[1] == 0).astype(float))
    with pytest.raises(InvalidDataError, match="only one class, 'a'"):
        RuleListClassifier(small_forest()).fit(IRIS[0], ["a"] * 150)


@pytest.mark.parametrize("estimator", [RuleListClassifier(), RuleListRegressor()])
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (IRIS[1][:-1], "inconsistent numbers of samples"),
        (None, "requires y to be passed"),
        (np.column_stack([IRIS[1]] * 2), "y should be a 1d array"),
        (np.where(IRIS[1] == 0, np.nan, 1.0), "Input y contains NaN"),
    ],
    ids=["short", "none", "two columns", "nan"],
)
def test_targets_of_the_wrong_form(estimator, y, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(IRIS[0], y)


def test_targets_of_the_wrong_type():
    with pytest.raises(InvalidDataError, match="must hold numbers"):
        RuleListRegressor().fit(IRIS[0], ["a"] * 150)
    with pytest.raises(InvalidDataError, match="must hold numbers"):
        RuleListRegressor().fit(IRIS[0], np.full(150, "2020-01-01", dtype="datetime64[s]"))
    with pytest.raises(InvalidParameterError, match="does not go with numbers"):
        RuleListRegressor(loss="misclassification").fit(*DIABETES)
    with pytest.raises(ValueError, match="Unknown label type"):
        RuleListClassifier().fit(IRIS[0], np.linspace(0, 1, 150))
    with pytest.raises(InvalidDataError, match=r"not trained on: \['a', 'b'\].*knows: \[0, 1, 2\]"):
        RuleListClassifier(small_forest()).fit(IRIS[0], np.array(["a", "b", "a"])[IRIS[1]])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_rules": 0}, "max_rules must be a whole number of at least 1, or None; got 0"),
        ({"max_rules": -3}, "max_rules"),
        ({"max_rules": 2.5}, "max_rules"),
        ({"max_rules": True}, "max_rules"),
        ({"max_rules": "8"}, "max_rules"),
        ({"max_conditions": 0}, "max_conditions"),
        ({"min_coverage": 1.5}, "min_coverage must be a number between 0 and 1"),
        ({"min_coverage": float("nan")}, "min_coverage"),
        ({"stability_weight": -0.1}, "stability_weight"),
        ({"candidates": "trees"}, "candidates must be one of 'auto', 'leaves', 'nodes'"),
        ({"uncovered": "nobody"}, "uncovered must be one of"),
        ({"target": "y"}, "target must be 'labels', 'ensemble', or"),
        ({"target": 1.2}, "target must be"),
        ({"time_limit": 0}, "time_limit must be a positive number"),
        ({"time_limit": "1 min"}, "time_limit"),
        ({"loss": "mean"}, "Unknown loss 'mean'"),
        ({"stability": None}, "stability must be one of"),
        ({"loss": "mse"}, "The loss 'mse' does not go with labels.*Possible: 'misclassification'"),
        ({"solver": "gurobi"}, "solver must be None or have a method solve"),
        ({"target": np.array([0.5, 1.0])}, "target must be"),
    ],
)
def test_parameters_that_mean_nothing(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        RuleListClassifier(small_forest(), **parameters).fit(*IRIS)


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


def test_a_coverage_that_no_rule_has():
    with pytest.raises(InfeasibleError, match=r"min_coverage=0.9.*Lower min_coverage"):
        RuleListClassifier(small_forest(), candidates="leaves", min_coverage=0.9).fit(*IRIS)
    deep = RandomForestClassifier(5, max_depth=3, min_samples_split=2, random_state=0).fit(*DIGITS)
    with pytest.raises(InfeasibleError, match="raise max_conditions"):
        RuleListClassifier(deep, candidates="leaves", max_conditions=1).fit(*DIGITS)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.full(150, -1.0), "Negative values"),
        (np.zeros(150), "at least one non-zero"),
        (np.ones(149), "sample_weight.shape"),
        (np.full(150, np.nan), "NaN"),
    ],
    ids=["negative", "zero", "short", "nan"],
)
def test_weights_that_cannot_be(weight, message):
    with pytest.raises(ValueError, match=message):
        RuleListClassifier(small_forest()).fit(*IRIS, sample_weight=weight)


def test_an_ensemble_that_takes_no_weights():
    class Stubborn(RandomForestClassifier):
        def fit(self, X, y):
            return super().fit(X, y)

    with pytest.raises(InvalidParameterError, match="Stubborn does not take sample_weight"):
        RuleListClassifier(Stubborn(3)).fit(*IRIS, sample_weight=np.ones(150))


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


def test_bagging_regressor_of_column_subsets():
    X, y = DIABETES
    model = BaggingRegressor(n_estimators=10, max_features=0.5, random_state=0).fit(X, y)
    fitted = RuleListRegressor(model, max_rules=4).fit(X, y)
    assert_array_equal(fitted.rule_list_.matches(X).sum(axis=1), 1)
