"""Lists do not depend on what scikit-learn's transformers return: arrays, or frames of pandas or polars."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context, get_config, set_config
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from hedgerow import RuleListClassifier, RuleListClassifierCV

RANDOM = np.random.default_rng(0)
CITIES = pd.DataFrame(
    {"city": RANDOM.choice(["Lagos", "Lima", "Lyon"], 120), "age": RANDOM.normal(40, 10, 120)}
).assign(kind=RANDOM.choice(["new", "old"], 120))
LABELS = np.where((CITIES["city"] == "Lima") | (CITIES["age"] > 45), "yes", "no")
CATEGORIES = CITIES.astype({"city": "category", "kind": "category"})


def forest():
    return RandomForestClassifier(10, max_depth=3, random_state=0)


def encoders():
    texts = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(sparse_output=False))
    return make_column_transformer((texts, ["city"]), (OrdinalEncoder(), ["kind"]), remainder="passthrough")


MODELS = {
    "encoders": (lambda: make_pipeline(encoders(), forest()), CITIES),
    "categories": (lambda: HistGradientBoostingClassifier(max_iter=4, max_depth=3, random_state=0), CATEGORIES),
}
ESTIMATORS = {
    "list": lambda model: RuleListClassifier(model, max_rules=4),
    "accurate": lambda model: RuleListClassifier.accurate(model, max_rules=4, random_state=0),
    "cv": lambda model: RuleListClassifierCV(model, max_rules=[3, 4], cv=2),
    "fitted": lambda model: RuleListClassifier(model.fit(*MODELS_DATA[type(model)]), max_rules=4),
}
MODELS_DATA = {type(make()): (X, LABELS) for make, X in MODELS.values()}


@pytest.fixture(params=["pandas", "polars"])
def container(request):
    before = get_config()["transform_output"]
    set_config(transform_output=request.param)
    yield request.param
    set_config(transform_output=before)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("model", MODELS)
def test_lists_with_categories_are_the_same_for_every_output(model, estimator, container):
    make, X = MODELS[model]
    found = ESTIMATORS[estimator](make()).fit(X, LABELS)
    said, why = found.predict(X), found.explain(X)
    with config_context(transform_output="default"):
        usual = ESTIMATORS[estimator](make()).fit(X, LABELS)
        assert str(found.rule_list_) == str(usual.rule_list_)
        assert found.predict(X).tolist() == usual.predict(X).tolist() == said.tolist()
    assert usual.predict(pl.from_pandas(X)).tolist() == said.tolist()
    assert found.explain(X) == why
    assert found.fidelity(X, LABELS).disagreement == usual.fidelity(X, LABELS).disagreement


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_folds_fit_pipelines_that_need_frames(n_jobs):
    """The booster tells the categories by their dtype, which only a frame keeps, also in another process."""
    scaled = ColumnTransformer([("age", StandardScaler(), ["age"])], remainder="passthrough")
    model = make_pipeline(scaled, HistGradientBoostingClassifier(max_iter=4, max_depth=3, random_state=0))
    with config_context(transform_output="pandas"):
        found = RuleListClassifierCV(model, max_rules=[3, 4], cv=2, n_jobs=n_jobs).fit(CATEGORIES, LABELS)
    assert found.best_score_ > 0.75
    assert (found.predict(CATEGORIES) == LABELS).mean() > 0.95


def test_a_list_after_transformers_that_return_frames(container):
    X = CATEGORIES if container == "pandas" else pl.from_pandas(CATEGORIES)
    scaled = ColumnTransformer([("age", StandardScaler(), ["age"])], remainder="passthrough")
    booster = HistGradientBoostingClassifier(max_iter=4, max_depth=3, random_state=0)
    found = make_pipeline(scaled, RuleListClassifier(booster, max_rules=4)).fit(X, LABELS)
    assert found.score(X, LABELS) > 0.95
    assert "remainder__city" in str(found[-1].rule_list_)
