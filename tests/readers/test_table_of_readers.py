"""Each "yes" in the table of docs/readers.md is a test of that name, and each such test is a "yes"."""

import ast
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from hedgerow import RuleListClassifier, RuleListRegressor

HERE = Path(__file__).parent
COLUMNS = ["binary", "multiclass", "regression", "categorical", "missing", "weights", "native file", "early stopping"]


def rows():
    text = (HERE.parents[1] / "docs" / "readers.md").read_text()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    assert table[0] == ["library", *COLUMNS]
    return [row for row in table[2:] if len(row) == len(table[0])]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_table_is_what_is_tested(row):
    tree = ast.parse((HERE / f"test_from_{row[0]}.py").read_text())
    tested = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    says = {f"test_{column.replace(' ', '_')}" for column, cell in zip(COLUMNS, row[1:], strict=True) if cell == "yes"}
    assert says == tested & {f"test_{column.replace(' ', '_')}" for column in COLUMNS}


def with_categories_and_holes(load, cut, hole, plain):
    """Three columns of a set that comes with scikit-learn: named categories, missing values, and plain numbers."""
    X, y = load(return_X_y=True, as_frame=True)
    X = X[[cut, hole, plain]]
    names = pd.cut(X[cut], 4, labels=["low", "middle", "high", "very high"]).astype(object)
    holes = np.random.default_rng(0).random(len(X)) < 0.2
    return X.assign(**{cut: names, hole: X[hole].mask(holes)}), y


def booster(library, task):
    module = import_module(library)
    kind, settings = {
        "xgboost": ("XGB", {"n_estimators": 30, "enable_categorical": True, "n_jobs": 1}),
        "lightgbm": ("LGBM", {"n_estimators": 30, "n_jobs": 1, "verbose": -1}),
        "catboost": ("CatBoost", {"n_estimators": 30, "one_hot_max_size": 9, "verbose": 0, "thread_count": 1}),
    }[library]
    if library == "catboost":
        settings |= {
            "allow_writing_files": False,
            "cat_features": ["mean concavity" if task == "Classifier" else "bmi"],
        }
    return getattr(module, kind + task)(**settings)


@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "catboost"])
@pytest.mark.parametrize("task", ["Classifier", "Regressor"])
def test_a_booster_becomes_a_list_that_speaks_of_categories_and_missing_values(library, task):
    if task == "Classifier":
        X, y = with_categories_and_holes(load_breast_cancer, "mean concavity", "worst area", "mean texture")
        estimator, cut = RuleListClassifier, "mean concavity"
    else:
        X, y = with_categories_and_holes(load_diabetes, "bmi", "s5", "bp")
        estimator, cut = RuleListRegressor, "bmi"
    if library != "catboost":
        X = X.astype({cut: "category"})
    model = booster(library, task).fit(X, y)
    rules = estimator(model, max_rules=8).fit(X, y)
    assert rules.solution_.optimal
    assert f"{cut} " in str(rules.rule_list_)
    assert "missing" in str(rules.rule_list_)
    baseline = max(np.bincount(y)) / len(y) if task == "Classifier" else 0.0
    assert rules.score(X, y) > baseline + 0.15
    said = np.ravel(model.predict(X))
    ours = rules.forest_.labels(X) if task == "Classifier" else rules.forest_.answer(X)
    assert np.allclose(ours, said, rtol=1e-5)


def test_different_boosters_on_one_frame_are_a_union():
    X, y = with_categories_and_holes(load_breast_cancer, "mean concavity", "worst area", "mean texture")
    X = X.astype({"mean concavity": "category"})
    models = [booster(library, "Classifier").fit(X, y) for library in ("xgboost", "lightgbm")]
    rules = RuleListClassifier(models, max_rules=8).fit(X, y)
    assert rules.solution_.optimal
    shares = np.mean([model.predict_proba(X) for model in models], axis=0)
    assert np.allclose(rules.forest_.answer(X), shares, atol=1e-6)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("library", ["xgboost", "lightgbm", "sklearn"])
def test_printed_thresholds_agree_with_integer_columns(library, scaled):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(18, 90, 400), "visits": rng.integers(0, 9, 400)})
    y = ((X["age"] >= 30) & (X["visits"] < 4)).astype(int)
    model = RandomForestClassifier(20, max_depth=3, random_state=0)
    if library != "sklearn":
        model = booster(library, "Classifier")
    rules = RuleListClassifier(make_pipeline(StandardScaler(), model) if scaled else model, max_rules=6).fit(X, y)
    fired = rules.apply(X)
    for i, rule in enumerate(rules.rule_list_):
        for part in rule.describe().split(" and "):
            text = re.sub(r"^(\S+) (<=?) (\w+) (<=?) (\S+)$", r"(\1 \2 \3) & (\3 \4 \5)", part)
            assert X[fired == i].eval(text).all(), part
