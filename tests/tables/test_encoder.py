"""The default forest learns from texts, and its rules speak of the table's own columns."""

import datetime

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score

from hedgerow import InvalidDataError
from hedgerow.cli.learning import make_estimator
from hedgerow.features import Category, Column
from hedgerow.tables.encoder import check_finite, usable_columns


def samples(n=200):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(0, 90, n).astype(float), "color": rng.choice(["red", "blue", "green"], n)})
    X["color"] = X["color"].astype(object)
    y = np.where((X["color"] == "red") & (X["age"] <= 45), "yes", "no")
    X.loc[::10, "color"] = None
    X.loc[::7, "age"] = np.nan
    return X, y


@pytest.mark.parametrize("accurate", [False, True])
def test_rules_speak_of_the_columns_and_take_missing_and_unseen_texts(accurate):
    X, y = samples()
    estimator = make_estimator(
        "classification", X, accurate=accurate, trees=60, depth=3, max_rules=5, random_state=0, n_jobs=1
    ).fit(X, y)
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
def test_a_regression_may_have_texts_and_weights(accurate):
    X, _ = samples()
    y = X["age"].fillna(0) / 10 + (X["color"] == "red")
    estimator = make_estimator("regression", X, accurate=accurate, trees=8, max_rules=6, random_state=0, n_jobs=1)
    estimator.fit(X, y.to_numpy(), np.linspace(0.5, 1, len(X)))
    assert estimator.score(X, y) > 0.5


def test_a_forest_of_numbers_needs_no_encoder():
    X, _ = samples()
    estimator = make_estimator("classification", X[["age"]], trees=7, depth=2, max_rules=4, random_state=0)
    assert type(estimator.ensemble).__name__ == "RandomForestClassifier"
    assert estimator.ensemble.get_params()["n_estimators"] == 7


def test_columns_of_no_use_are_left_out_with_the_reason():
    n = 50
    frame = pd.DataFrame(
        {
            "": range(n),
            "number": np.arange(n) / 2,
            "name": pd.Series([f"person {i}" for i in range(n)], dtype=object),
            "day": [datetime.date(2020, 1, 1)] * n,
            "time": pd.Timestamp("2020-01-01"),
            "nothing": [None] * n,
            "flag": pd.Series([True, False] * (n // 2), dtype=object),
            "mixed": pd.Series(["a", True] * (n // 2), dtype=object),
        }
    )
    usable, left_out = usable_columns(frame)
    assert list(usable.columns) == ["number", "flag", "mixed"]
    assert {name: why.split()[-1] for name, why in left_out.items()} == {
        "(the first)": "name",
        "name": "own",
        "day": "it",
        "time": "it",
        "nothing": "empty",
    }
    with pytest.raises(InvalidDataError, match="no column to learn from"):
        usable_columns(frame[["name"]])
    with pytest.raises(InvalidDataError, match="--drop number"):
        check_finite(frame[["number"]].replace(1.0, np.inf))


@pytest.mark.parametrize(
    "values",
    [
        ["2020-12-31", "2021-02-28"],
        ["2020/12/31", "2021/1/2"],
        ["31/12/2020", "01/02/2021"],
        ["12/31/2020", "01/02/2021"],
        ["31.12.2020", "1.2.2021", None],
        ["31-12-20", "01-02-21"],
        ["2020-12-31T10:00:00Z", "2020-12-31T10:00:00.5+02:00"],
        ["31/12/2020 10:00", "01/02/2021 23:59:59"],
        ["2020-12-31", "NA", "?"],
    ],
)
def test_texts_that_are_dates_are_left_out_with_the_way_out(values):
    frame = pd.DataFrame({"day": pd.Series(values * 20, dtype=object), "x": 1.0})
    usable, left_out = usable_columns(frame)
    assert list(usable.columns) == ["x"]
    assert "make numbers of them" in left_out["day"]


@pytest.mark.parametrize(
    "values",
    [
        ["31/12/2020", "12/31/2020"],  # no order of day and month fits both
        ["2020-13-01", "2020-01-01"],
        ["30/02/2020", "01/01/2020"],
        ["1.0.0", "1.2.10"],
        ["2020-01-01", "soon"],
        ["2020-01", "2020-02"],
        ["555-12-2020", "555-11-2021"],
        ["2020-12/31", "2021-01/01"],
        ["?", "NA"],
    ],
)
def test_texts_that_only_look_like_dates_are_texts(values):
    usable, left_out = usable_columns(pd.DataFrame({"day": pd.Series(values * 20, dtype=object)}))
    assert (list(usable.columns), left_out) == (["day"], {})


def test_rare_texts_are_together():
    frame = pd.DataFrame({"town": [f"t{i % 40}" for i in range(100)] + ["big"] * 100})
    frame["town"] = frame["town"].astype(object)
    y = np.where(frame["town"] == "big", 1, 0)
    estimator = make_estimator("classification", frame, trees=60, max_rules=2, stability_weight=0.0, random_state=0)
    estimator.fit(frame, y)
    (town,) = {condition.feature for rule in estimator.rule_list_ for condition in rule.conditions}
    assert len(town.categories) == 30
    assert "big" in town.categories
    np.testing.assert_array_equal(estimator.predict(frame), y)
