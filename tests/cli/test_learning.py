"""The default forest learns from strings, and its rules use the table's own columns."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score

from hedgerow.cli.learning import Learning
from hedgerow.features import Category, Column


def samples(n=200):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(0, 90, n).astype(float), "color": rng.choice(["red", "blue", "green"], n)})
    X["color"] = X["color"].astype(object)
    y = np.where((X["color"] == "red") & (X["age"] <= 45), "yes", "no")
    X.loc[::10, "color"] = None
    X.loc[::7, "age"] = np.nan
    return X, y


@pytest.mark.parametrize("accurate", [False, True])
def test_rules_refer_to_the_columns_and_accept_missing_and_unseen_strings(accurate):
    X, y = samples()
    settings = {"max_rules": 5, "random_state": 0, "n_jobs": 1}
    estimator = Learning(settings, accurate=accurate, trees=60, depth=3).estimator("classification", X).fit(X, y)
    rules = estimator.rule_list_
    kinds = {condition.feature.name: type(condition.feature) for rule in rules for condition in rule.conditions}
    assert set(kinds.items()) <= {("age", Column), ("color", Category)}
    known = X.notna().all(axis=1)
    assert accuracy_score(y[known], rules.predict(X)[known]) > 0.9
    new = pd.DataFrame({"age": [30.0, np.nan, 30.0], "color": ["mauve", None, "red"]}, dtype=object)
    new["age"] = new["age"].astype(float)
    # As the pipeline itself encodes them: an unseen text is none of those that are known.
    leaves = estimator.ensemble_[-1].apply(estimator.ensemble_[0].transform(new))
    np.testing.assert_array_equal(estimator.forest_.apply(new), leaves)


@pytest.mark.parametrize("accurate", [False, True])
def test_a_regression_may_have_strings_and_weights(accurate):
    X, _ = samples()
    y = X["age"].fillna(0) / 10 + (X["color"] == "red")
    settings = {"max_rules": 6, "random_state": 0, "n_jobs": 1}
    estimator = Learning(settings, accurate=accurate, trees=8).estimator("regression", X)
    estimator.fit(X, y.to_numpy(), np.linspace(0.5, 1, len(X)))
    assert estimator.score(X, y) > 0.5


def test_a_forest_of_numbers_needs_no_encoder():
    X, _ = samples()
    learning = Learning({"max_rules": 4, "random_state": 0}, trees=7, depth=2)
    estimator = learning.estimator("classification", X[["age"]])
    assert type(estimator.ensemble).__name__ == "RandomForestClassifier"
    assert estimator.ensemble.get_params()["n_estimators"] == 7


def test_rare_strings_are_grouped():
    frame = pd.DataFrame({"town": [f"t{i % 40}" for i in range(100)] + ["big"] * 100})
    frame["town"] = frame["town"].astype(object)
    y = np.where(frame["town"] == "big", 1, 0)
    learning = Learning({"max_rules": 2, "stability_weight": 0.0, "random_state": 0}, trees=60)
    estimator = learning.estimator("classification", frame).fit(frame, y)
    (town,) = {condition.feature for rule in estimator.rule_list_ for condition in rule.conditions}
    assert len(town.categories) == 30
    assert "big" in town.categories
    np.testing.assert_array_equal(estimator.predict(frame), y)
