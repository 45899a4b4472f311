"""The fixed cases of :mod:`benchmarks.unchanged`: small, seeded, without time limits, on data that need no download.

A case is a function without arguments that fits an estimator and returns an :class:`Outcome`. To add one, name it in
``CASES``. Cases use only the public API that both checkouts have: names from ``hedgerow`` itself and from its modules
``losses``, ``smoothing``, ``teachers``, ``fidelity`` and ``baselines``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn import ensemble as ensembles
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import (
    Forest,
    LinearRows,
    RuleList,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    RuleListRegressorCV,
    baselines,
    budget_path,
    fidelity,
    read_forest,
    rule_bounds,
    trace_budgets,
)
from hedgerow.losses import cost_matrix, pinball
from hedgerow.smoothing import ShrinkAlongPath, ShrinkToDefault
from hedgerow.teachers import Teacher

#: The searches over folds have a time limit by default, which a busy machine might reach.
HOUR = 3600.0
XGBOOST = {"n_estimators": 20, "max_depth": 3, "random_state": 0, "n_jobs": 1}
LIGHTGBM = {"n_estimators": 20, "num_leaves": 6, "min_child_samples": 8, "random_state": 0, "n_jobs": 1, "verbose": -1}
CATBOOST = {
    "iterations": 15,
    "depth": 3,
    "random_seed": 0,
    "thread_count": 1,
    "verbose": 0,
    "allow_writing_files": False,
}
INTERVALS = {"n_estimators": 10, "random_state": 0}


class Data(NamedTuple):
    """Training samples and held-out samples."""

    X: Any
    y: Any
    X_test: Any
    y_test: Any


@dataclass(frozen=True)
class Outcome:
    """A fitted estimator with its data, and whatever else a case yields: rule lists and numbers, by name."""

    fitted: Any
    data: Data
    lists: dict[str, RuleList] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)


# Data


def split(X: Any, y: Any) -> Data:
    """Hold out 30 % of the samples."""
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
    return Data(X_train, y_train, X_test, y_test)


def iris() -> Data:
    """Return three classes in arrays."""
    return split(*load_iris(return_X_y=True))


def wine() -> Data:
    """Return three classes with names, in a data frame."""
    bunch = load_wine(as_frame=True)
    return split(bunch.data, bunch.target_names[bunch.target])


def cancer(labels: Any = np.int64) -> Data:
    """Return two classes, in arrays."""
    X, y = load_breast_cancer(return_X_y=True)
    return split(X, y.astype(labels))


def diabetes() -> Data:
    """Return a regression problem in a data frame."""
    return split(*load_diabetes(return_X_y=True, as_frame=True, scaled=False))


def polars_diabetes() -> Data:
    """Return the same as a polars frame."""
    polars = import_module("polars")
    return on_samples(diabetes(), lambda X: polars.DataFrame({name: X[name].to_numpy() for name in X}))


def on_samples(data: Data, change: Callable[[Any], Any]) -> Data:
    """Return the data with both sets of samples changed."""
    return data._replace(X=change(data.X), X_test=change(data.X_test))


def with_missing(data: Data) -> Data:
    """Return the data with every seventh value missing."""

    def change(X: Any) -> Any:
        missing = np.arange(X.size).reshape(X.shape) % 7 == 3
        return X.mask(missing) if isinstance(X, pd.DataFrame) else np.where(missing, np.nan, X)

    return on_samples(data, change)


def clients(regression: bool = False, categories: bool = False, coded: bool = False) -> Data:
    """Return a table of numbers and strings, with missing values and held-out strings that training does not have.

    With ``categories``, strings are categories, and some of them are missing. With ``coded``, labels are 0 and 1.
    """
    rng = np.random.default_rng(0)
    n = 300
    X = pd.DataFrame({"age": rng.integers(18, 80, n).astype(float), "income": np.round(rng.lognormal(10, 0.5, n))})
    X["colour"] = rng.choice(["red", "green", "blue", "grey"], n)
    X["size"] = rng.choice(["small", "medium", "large"], n)
    y = X["age"] / 10 + 3 * X["colour"].isin(["red", "blue"]) + 2 * (X["size"] == "large") + rng.normal(size=n)
    X.loc[rng.random(n) < 0.15, "income"] = np.nan
    if categories:
        X.loc[rng.random(n) < 0.1, "colour"] = np.nan
        X = X.astype({"colour": "category", "size": "category"})
    above = (y > y.median()).to_numpy()
    data = split(X, y.to_numpy() if regression else 1 * above if coded else np.where(above, "yes", "no"))
    if not categories:
        data.X_test.loc[::9, "colour"] = "violet"
    return data


def series(regression: bool = False, cube: bool = True) -> Data:
    """Return noise with a bump: the class is its place, the regression target its height."""
    rng = np.random.default_rng(0)
    n = 120
    place, height = np.arange(n) % 3, rng.uniform(0.5, 3, n)
    X = rng.normal(scale=0.6, size=(n, 24))
    for i, (start, high) in enumerate(zip(2 + 6 * place, height, strict=True)):
        X[i, start : start + 6] += high * np.array([0.3, 0.7, 1.0, 1.0, 0.7, 0.3])
    return split(X[:, None] if cube else X, height if regression else place)


def anywhere(data: Data) -> Data:
    """Return 100 training samples in arrays; the others are drawn between their extremes, where rules leave gaps."""
    rng = np.random.default_rng(0)
    X, y = np.asarray(data.X)[:100], np.asarray(data.y)[:100]
    return Data(X, y, rng.uniform(X.min(axis=0), X.max(axis=0), (300, X.shape[1])), rng.choice(y, 300))


def weights(data: Data) -> Any:
    """Return sample weights, some of them 0."""
    return np.random.default_rng(0).integers(0, 4, len(data.y)).astype(float)


# Models


def forest(n_trees: int = 60, **settings: Any) -> Any:
    """Return a small classification forest, not fitted."""
    return ensembles.RandomForestClassifier(n_trees, **{"max_depth": 3, "random_state": 0} | settings)


def regression_forest(n_trees: int = 60, **settings: Any) -> Any:
    """Return a small regression forest, not fitted."""
    return ensembles.RandomForestRegressor(n_trees, **{"max_depth": 3, "random_state": 0} | settings)


def model(path: str, **settings: Any) -> Any:
    """Return a model of another library, which is imported only now."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)(**settings)


def pipeline(last: Any) -> Any:
    """Return a pipeline for :func:`clients`."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    strings = OneHotEncoder(handle_unknown="ignore")
    columns = [("strings", strings, ["colour", "size"]), ("numbers", numbers, ["age", "income"])]
    return make_pipeline(ColumnTransformer(columns), last)


def fitted(estimator: Any, data: Data) -> Any:
    """Fit a model to the training samples."""
    return estimator.fit(data.X, data.y)


@dataclass(frozen=True)
class FewConditions:
    """A constraint: all rules together have at most ``most`` conditions."""

    most: int

    def rows(self, pool: Any, coverage: Any, y: Any) -> LinearRows:
        """Return the one row."""
        return LinearRows(pool.n_conditions, -np.inf, self.most)


# Outcomes


def outcome(estimator: Any, data: Data, sample_weight: Any = None) -> Outcome:
    """Fit the estimator of a case."""
    return Outcome(estimator.fit(data.X, data.y, sample_weight), data)


def classify(ensemble: Any, data: Data, sample_weight: Any = None, **settings: Any) -> Outcome:
    """Fit a classification list."""
    return outcome(RuleListClassifier(ensemble, **settings), data, sample_weight)


def regress(ensemble: Any, data: Data, sample_weight: Any = None, **settings: Any) -> Outcome:
    """Fit a regression list."""
    return outcome(RuleListRegressor(ensemble, **settings), data, sample_weight)


def from_file() -> Outcome:
    """Fit a list of the model in a file."""
    data = clients(categories=True, coded=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.ubj"
        fitted(model("xgboost.XGBClassifier", enable_categorical=True, **XGBOOST), data).save_model(path)
        return classify(str(path), data)


def from_json() -> Outcome:
    """Fit a list of a forest that was written and read."""
    data = with_missing(wine())
    read = Forest.from_json(read_forest(fitted(forest(40), data)).to_json())
    numbers = {"leaves": read.apply(data.X_test), "values": read.predict(data.X_test), "weights": read.tree_weights}
    return replace(classify(read, data, stability="dice_by_position"), numbers=numbers)


def fewer_classes() -> Outcome:
    """Fit a list to two of the three classes that the forest knows."""
    data = iris()
    kept, kept_test = data.y != 1, data.y_test != 1
    return classify(
        fitted(forest(), data), Data(data.X[kept], data.y[kept], data.X_test[kept_test], data.y_test[kept_test])
    )


def with_uncovered(found: Outcome) -> Outcome:
    """Return the outcome, provided there are held-out samples that no rule covers."""
    if not (found.fitted.apply(found.data.X_test) < 0).any():
        raise RuntimeError("This case is about samples that no rule covers, but there are none.")
    return found


def with_search(found: Outcome) -> Outcome:
    """Return the outcome with the results of cross-validation; why a row was skipped is text."""
    search = found.fitted
    results = search.cv_results_ | {"skipped": [reason != "" for reason in search.cv_results_["skipped"]]}
    best = ("max_rules", "min_coverage", "stability_weight", "smoothing", "score", "index")
    numbers = {name: getattr(search, f"best_{name}_") for name in best}
    return replace(found, numbers=numbers | {"results": results, "bounds": getattr(search, "bounds_", None)})


def with_path(found: Outcome, budgets: Iterable[int] = range(3, 9)) -> Outcome:
    """Return the outcome with the lists of other budgets."""
    rules = found.fitted
    path = dict(zip(budgets, budget_path(rules.problem_, budgets), strict=True))
    numbers = {f"budget_{budget}": [solution.objective, solution.chosen] for budget, solution in path.items()}
    lists = {f"budget_{budget}": rules.list_of(solution) for budget, solution in path.items()}
    return replace(found, lists=lists, numbers=numbers | {"bounds": rule_bounds(rules.problem_)})


def with_trace(found: Outcome, estimator: Any = None) -> Outcome:
    """Return the outcome with the trace of budgets, and with each measure of fidelity."""
    rules, data = found.fitted, found.data
    validation = (data.X_test, data.y_test)
    trace = trace_budgets(estimator or rules, data.X, data.y, range(1, 8), validation=validation)
    listed, ensemble = rules.rule_list_, rules.ensemble_
    numbers = {
        "rows": trace.rows,
        "ensemble": [trace.ensemble_train_score, trace.ensemble_validation_score],
        "skipped": sorted(trace.skipped),
        "trees": [fidelity.represented_trees(listed, ensemble, by=by) for by in ("condition", "path")],
        "f1": fidelity.feature_f1(listed, ensemble, top=0.3),
        "tau": fidelity.importance_correlation(listed, ensemble),
        "disagreement": fidelity.disagreement(listed, ensemble, data.X_test),
    }
    return replace(found, numbers=numbers)


CASES: dict[str, Callable[[], Outcome]] = {
    # scikit-learn's ensembles
    "random_forest": lambda: classify(fitted(forest(), wine()), wine()),
    "random_forest_deep": lambda: classify(forest(max_depth=None), cancer(), max_rules=5),
    "random_forest_default": lambda: classify(None, iris(), max_rules=4, random_state=0, n_jobs=2),
    "random_forest_frozen": lambda: classify(FrozenEstimator(fitted(forest(), cancer())), cancer(), max_rules=None),
    "random_forest_regression": lambda: regress(fitted(regression_forest(), diabetes()), diabetes()),
    "extra_trees": lambda: classify(
        ensembles.ExtraTreesClassifier(60, max_depth=3, random_state=0), wine(), loss="gini"
    ),
    "extra_trees_regression": lambda: regress(
        ensembles.ExtraTreesRegressor(60, max_depth=3, random_state=0), diabetes(), loss="mae"
    ),
    "gradient_boosting": lambda: classify(
        ensembles.GradientBoostingClassifier(n_estimators=20, max_depth=2, random_state=0), wine(), max_rules=5
    ),
    "gradient_boosting_regression": lambda: regress(
        ensembles.GradientBoostingRegressor(n_estimators=40, random_state=0), diabetes(), loss="sse"
    ),
    "hist_gradient_boosting": lambda: classify(
        ensembles.HistGradientBoostingClassifier(max_iter=20, max_depth=3, random_state=0),
        clients(categories=True),
        max_rules=6,
    ),
    "hist_gradient_boosting_regression": lambda: regress(
        ensembles.HistGradientBoostingRegressor(max_iter=20, max_depth=3, random_state=0),
        clients(regression=True, categories=True),
        max_rules=6,
    ),
    "ada_boost": lambda: classify(
        ensembles.AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=30, random_state=0),
        cancer(np.bool_),
        max_rules=6,
    ),
    "bagging": lambda: classify(
        ensembles.BaggingClassifier(DecisionTreeClassifier(max_depth=3), 30, max_features=0.5, random_state=0), wine()
    ),
    "bagging_regression": lambda: regress(
        ensembles.BaggingRegressor(DecisionTreeRegressor(max_leaf_nodes=6), 30, random_state=0), diabetes()
    ),
    "decision_tree": lambda: classify(
        DecisionTreeClassifier(random_state=0), cancer(), candidates="nodes", max_conditions=5, max_rules=6
    ),
    # Other libraries
    "xgboost": lambda: classify(model("xgboost.XGBClassifier", **XGBOOST), with_missing(cancer())),
    "xgboost_regression": lambda: regress(model("xgboost.XGBRegressor", **XGBOOST), with_missing(diabetes())),
    "xgboost_file": from_file,
    "lightgbm": lambda: classify(model("lightgbm.LGBMClassifier", **LIGHTGBM), clients(categories=True)),
    "lightgbm_three_classes": lambda: classify(model("lightgbm.LGBMClassifier", **LIGHTGBM), wine()),
    "lightgbm_regression": lambda: regress(
        model("lightgbm.LGBMRegressor", **LIGHTGBM), with_missing(diabetes()), uncovered="ensemble"
    ),
    "catboost": lambda: classify(
        model("catboost.CatBoostClassifier", cat_features=["colour", "size"], one_hot_max_size=10, **CATBOOST),
        clients(),
    ),
    "catboost_regression": lambda: regress(
        model("catboost.CatBoostRegressor", grow_policy="Depthwise", **CATBOOST), diabetes()
    ),
    "wildboar": lambda: classify(
        model("wildboar.ensemble.ShapeletForestClassifier", n_estimators=30, max_depth=3, random_state=0),
        series(cube=False),
    ),
    "aeon": lambda: classify(
        model("aeon.classification.interval_based.TimeSeriesForestClassifier", **INTERVALS), series(), max_rules=6
    ),
    "aeon_regression": lambda: regress(
        model("aeon.regression.interval_based.TimeSeriesForestRegressor", **INTERVALS),
        series(regression=True),
        max_rules=5,
        uncovered="ensemble",
    ),
    "sktime": lambda: classify(
        model("sktime.classification.interval_based.TimeSeriesForestClassifier", **INTERVALS), series(), max_rules=6
    ),
    "pipeline": lambda: classify(pipeline(forest()), clients()),
    "pipeline_fitted_regression": lambda: regress(
        fitted(pipeline(regression_forest()), clients(regression=True)), clients(regression=True)
    ),
    "polars_frame": lambda: regress(regression_forest(30), polars_diabetes(), max_rules=5),
    # Candidates, weights, constraints
    "union": lambda: classify(
        [
            fitted(forest(30), wine()),
            fitted(ensembles.ExtraTreesClassifier(30, max_depth=3, random_state=1), wine()),
        ],
        wine(),
    ),
    "union_unfitted_regression": lambda: regress(
        [regression_forest(20), ensembles.GradientBoostingRegressor(n_estimators=20, random_state=0)],
        diabetes(),
        max_rules=6,
    ),
    "forest_from_json": from_json,
    "fewer_classes": fewer_classes,
    "max_candidates": lambda: classify(forest(max_depth=None), cancer(), max_rules=6, max_candidates=300),
    "max_candidates_regression": lambda: regress(
        regression_forest(max_depth=None), diabetes(), max_rules=4, max_conditions=3, max_candidates=200
    ),
    "weights": lambda: classify(forest(), wine(), weights(wine()), min_coverage=0.05, stability_weight=0.2),
    "weights_regression": lambda: regress(
        regression_forest(), diabetes(), weights(diabetes()), min_coverage=0.03, max_rules=None
    ),
    "constraint": lambda: classify(
        forest(), cancer(), constraints=[FewConditions(12)], candidates="nodes", max_rules=6
    ),
    # Targets, losses, predictions
    "uncovered_default": lambda: with_uncovered(
        classify(forest(max_depth=None), anywhere(wine()), candidates="nodes", stability_weight=0.0)
    ),
    "uncovered_ensemble": lambda: with_uncovered(
        classify(
            forest(max_depth=None), anywhere(wine()), candidates="nodes", stability_weight=0.0, uncovered="ensemble"
        )
    ),
    "uncovered_ensemble_regression": lambda: with_uncovered(
        regress(
            regression_forest(max_depth=None, max_features=0.3),
            anywhere(diabetes()),
            max_rules=12,
            loss="sse",
            stability_weight=0.0,
            uncovered="ensemble",
        )
    ),
    "target_ensemble": lambda: classify(forest(), wine(), target="ensemble", loss="log_loss"),
    "target_ensemble_regression": lambda: regress(regression_forest(), diabetes(), target="ensemble"),
    "target_out_of_bag": lambda: classify(forest(oob_score=True), cancer(), target=0.5),
    "target_out_of_bag_regression": lambda: regress(regression_forest(oob_score=True), diabetes(), target=0.5),
    "teacher": lambda: classify(
        forest(20),
        wine(),
        teacher=Teacher(forest(40, max_depth=None, oob_score=True), copies=3),
        smoothing=ShrinkToDefault(5.0),
        max_rules=5,
        random_state=0,
    ),
    "teacher_regression": lambda: regress(
        regression_forest(20),
        diabetes(),
        teacher=Teacher(regression_forest(40, max_depth=None, oob_score=True), copies=3),
        smoothing=ShrinkAlongPath(10.0),
        max_rules=6,
        loss="sse",
        stability_weight=0.0,
        random_state=0,
    ),
    "smoothing": lambda: classify(forest(), cancer(), smoothing=ShrinkAlongPath(20.0)),
    "cost_matrix": lambda: classify(
        forest(), wine(), loss=cost_matrix({("class_0", "class_1"): 5.0, ("class_2", "class_1"): 3.0})
    ),
    "pinball": lambda: regress(regression_forest(), diabetes(), loss=pinball(0.9), max_rules=6),
    "own_loss_and_stability": lambda: regress(
        regression_forest(),
        diabetes(),
        loss=[(lambda y: np.ptp(y), 1.0), ("sse", 2.0)],
        stability=lambda rule: -len(rule.conditions),
    ),
    # Presets
    "accurate": lambda: outcome(RuleListClassifier.accurate(max_rules=5, random_state=0, time_limit=None), wine()),
    "accurate_regression": lambda: outcome(
        RuleListRegressor.accurate(max_rules=5, random_state=0, time_limit=None), diabetes()
    ),
    "accurate_regression_fitted": lambda: outcome(
        RuleListRegressor.accurate(
            fitted(regression_forest(30, max_depth=4), diabetes()), max_rules=4, random_state=0, time_limit=None
        ),
        diabetes(),
    ),
    # Several budgets
    "cv": lambda: with_search(
        outcome(
            RuleListClassifierCV(
                forest(30),
                max_rules=range(2, 7),
                stability_weights=(0.2, 0.5),
                smoothings=[None, ShrinkToDefault(5.0)],
                cv=3,
                time_limit=HOUR,
            ),
            wine(),
        )
    ),
    "cv_between_bounds": lambda: with_search(
        outcome(
            RuleListClassifierCV(
                forest(20, max_depth=2, oob_score=True), target=0.5, cv=3, scoring="neg_log_loss", time_limit=HOUR
            ),
            wine(),
            weights(wine()),
        )
    ),
    "cv_regression": lambda: with_search(
        outcome(
            RuleListRegressorCV(
                regression_forest(30),
                max_rules=[3, 5, 7],
                min_coverages=(0.0, 0.05),
                cv=3,
                one_standard_error=True,
                time_limit=HOUR,
            ),
            diabetes(),
        )
    ),
    "cv_teacher_regression": lambda: with_search(
        outcome(
            RuleListRegressorCV(
                regression_forest(10),
                max_rules=[3, 6],
                loss="sse",
                teacher=Teacher(regression_forest(20, oob_score=True), copies=2),
                cv=3,
                random_state=0,
                time_limit=HOUR,
            ),
            diabetes(),
        )
    ),
    "path": lambda: with_path(classify(forest(), wine(), candidates="nodes", max_rules=5)),
    "path_regression": lambda: with_path(
        regress(
            regression_forest(),
            diabetes(),
            candidates="nodes",
            max_rules=5,
            loss="sse",
            stability_weight=0.1,
            uncovered="ensemble",
        )
    ),
    "trace": lambda: with_trace(classify(forest(30), wine(), max_rules=4)),
    "trace_unfitted_regression": lambda: with_trace(
        regress(regression_forest(30), diabetes(), max_rules=4, candidates="nodes"),
        RuleListRegressor(regression_forest(20), candidates="nodes", loss="sse"),
    ),
    # Other methods
    "rulefit": lambda: outcome(baselines.RuleFitClassifier(forest(30), random_state=0), cancer()),
    "rulefit_regression": lambda: outcome(baselines.RuleFitRegressor(max_rules=10, random_state=0), diabetes()),
    "sirus": lambda: outcome(baselines.SirusClassifier(n_trees=100, p0=0.03, random_state=0), wine()),
    "sirus_regression": lambda: outcome(baselines.SirusRegressor(n_trees=100, cv=3, random_state=0), diabetes()),
    "node_harvest": lambda: outcome(baselines.NodeHarvestClassifier(forest(), random_state=0), cancer()),
    "node_harvest_regression": lambda: outcome(
        baselines.NodeHarvestRegressor(regression_forest(), random_state=0), diabetes()
    ),
    "fire": lambda: outcome(baselines.FireRegressor(regression_forest(30), cv=3, random_state=0), diabetes()),
}
