"""The default forest learns from strings, and its rules use the table's own columns."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score
from sklearn.pipeline import Pipeline

from hedgerow.cli.learning import Learning
from hedgerow.features import Category, Column
from hedgerow.tables.samples import Samples
from hedgerow.teachers import Oracle


def samples(n=200):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.integers(0, 90, n).astype(float), "color": rng.choice(["red", "blue", "green"], n)})
    X["color"] = X["color"].astype(object)
    y = np.where((X["color"] == "red") & (X["age"] <= 45), "yes", "no")
    X.loc[::10, "color"] = None
    X.loc[::7, "age"] = np.nan
    return X, y


@pytest.mark.parametrize("published", [False, True])
def test_rules_refer_to_the_columns_and_accept_missing_and_unseen_strings(published):
    X, y = samples()
    settings = {"max_rules": 5, "random_state": 0, "n_jobs": 1}
    estimator = Learning(settings, published=published, trees=60, depth=3).estimator(samples_of(X, y, "classification"))
    estimator.fit(X, y)
    rules = estimator.rule_list_
    kinds = {condition.feature.name: type(condition.feature) for rule in rules for condition in rule.conditions}
    assert set(kinds.items()) <= {("age", Column), ("color", Category)}
    known = X.notna().all(axis=1)
    assert accuracy_score(y[known], rules.predict(X)[known]) > 0.9
    new = pd.DataFrame({"age": [30.0, np.nan, 30.0], "color": ["mauve", None, "red"]}, dtype=object)
    new["age"] = new["age"].astype(float)
    # As the pipeline itself encodes them: an unseen text is none of those that are known.
    trees = [estimator.ensemble_] if published else estimator.ensemble_
    leaves = [pipeline[-1].apply(pipeline[0].transform(new)).reshape(len(new), -1) for pipeline in trees]
    np.testing.assert_array_equal(estimator.forest_.apply(new), np.hstack(leaves))


@pytest.mark.parametrize("published", [False, True])
def test_a_regression_may_have_strings_and_weights(published):
    X, _ = samples()
    y = X["age"].fillna(0) / 10 + (X["color"] == "red")
    settings = {"max_rules": 6, "random_state": 0, "n_jobs": 1}
    estimator = Learning(settings, published=published, trees=8).estimator(samples_of(X, y.to_numpy(), "regression"))
    estimator.fit(X, y.to_numpy(), np.linspace(0.5, 1, len(X)))
    assert estimator.score(X, y) > 0.5


def test_a_forest_of_numbers_needs_no_encoder():
    X, y = samples()
    learning = Learning({"max_rules": 4, "random_state": 0}, trees=7, depth=2)
    estimator = learning.estimator(samples_of(X[["age"]], y, "classification"))
    kinds = ["RandomForestClassifier", "RootedTrees", "ExtraTreesClassifier"]
    assert [type(one).__name__ for one in estimator.ensemble] == kinds
    assert estimator.ensemble[0].get_params()["n_estimators"] == 7
    assert [getattr(one, "tree", one).max_depth for one in estimator.ensemble] == [2, 2, 2]
    assert estimator.ensemble[1].n_roots == 7


def test_rare_strings_are_grouped():
    frame = pd.DataFrame({"town": [f"t{i % 40}" for i in range(100)] + ["big"] * 100})
    frame["town"] = frame["town"].astype(object)
    y = np.where(frame["town"] == "big", 1, 0)
    learning = Learning({"max_rules": 2, "stability_weight": 0.0, "random_state": 0}, trees=60)
    estimator = learning.estimator(samples_of(frame, y, "classification")).fit(frame, y)
    (town,) = {condition.feature for rule in estimator.rule_list_ for condition in rule.conditions}
    assert len(town.categories) == 30
    assert "big" in town.categories
    np.testing.assert_array_equal(estimator.predict(frame), y)


def with_noise(n, seed):
    """Two columns that matter, and two that do not: one of four strings, one numeric."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"age": rng.integers(0, 90, n).astype(float), "color": rng.choice(["red", "blue", "green"], n)})
    signal = (X["age"] > 40).to_numpy().astype(int) + (X["color"] == "red").to_numpy()
    y = np.where(rng.random(n) < np.array([0.1, 0.5, 0.9])[signal], "yes", "no")
    X["region"], X["luck"] = rng.choice(["north", "south", "east", "west"], n), rng.normal(size=n)
    return X.astype({"color": object, "region": object}), y, signal + rng.normal(size=n)


def samples_of(X, y, task, X_test=None, y_test=None):
    return Samples(X, y, None, X_test, y_test, None, task, None)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_columns_that_do_not_matter_are_not_used(task):
    used = []
    for seed in range(3):
        X, labels, numbers = with_noise(1500, seed)
        y = labels if task == "classification" else numbers
        learning = Learning({"max_rules": 8, "random_state": seed, "n_jobs": 1})
        samples = learning.screened(samples_of(X, y, task, X[:9], y[:9]))
        assert samples.X_test.columns.tolist() == samples.X.columns.tolist()
        estimator = learning.fit(samples)
        used += [condition.feature.name for rule in estimator.rule_list_ for condition in rule.simplified]
    assert used.count("region") + used.count("luck") <= 0.05 * len(used)
    assert {"age", "color"} <= set(used)


def test_a_column_that_is_left_out_is_named_and_by_the_published_method_none_is(capsys):
    X, y, _ = with_noise(1500, 0)
    samples = samples_of(X, y, "classification")
    settings = {"max_rules": 8, "random_state": 0, "n_jobs": 1}
    assert Learning(settings).screened(samples).X.columns.tolist() == ["age", "color"]
    said = capsys.readouterr().err
    assert "columns region, luck are left out: they do not improve predictions" in said
    assert "(--keep region --keep luck to use them)" in said
    assert Learning(settings).screened(samples, ["luck"]).X.columns.tolist() == ["age", "color", "luck"]
    assert Learning(settings, published=True).screened(samples) is samples
    tiny = samples_of(X[:40], y[:40], "classification")
    assert Learning(settings).screened(tiny) is tiny
    useless = replace(samples, X=X[["region", "luck"]])
    assert Learning(settings).screened(useless) is useless


def test_even_nine_rows_have_a_list():
    X, y = pd.DataFrame({"a": np.arange(9.0)}), np.repeat(["p", "q"], [5, 4])
    learning = Learning({"max_rules": 4, "random_state": 0, "n_jobs": 1})
    estimator = learning.estimator(samples_of(X, y, "classification")).fit(X, y)
    assert np.count_nonzero(estimator.predict(X) == y) >= 8  # the forest may be wrong about a row at the border


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_forest_learns_from_some_rows_of_a_large_table_and_the_list_from_all(task, published, monkeypatch, capsys):
    monkeypatch.setattr("hedgerow.cli.learning._MOST_ROWS", 300)
    X, labels, numbers = with_noise(1000, 0)
    labels[7] = "may"  # a class of a single row, which a draw would miss
    y = labels if task == "classification" else numbers
    samples = samples_of(X, y, task)
    learning = Learning({"max_rules": 4, "random_state": 3, "n_jobs": 1}, published=published, trees=40)
    estimator = learning.fit(samples)
    said = capsys.readouterr().err
    assert "of 1000 rows; the list is chosen on all of them" in said
    assert sum(rule.coverage for rule in estimator.rule_list_) == 1000
    if task == "classification":
        assert set(estimator.classes_) == {"may", "no", "yes"}
    forest = (estimator.ensemble_ if published else estimator.teacher_)[-1]
    n_seen = max(tree.tree_.n_node_samples[0] for tree in forest.estimators_)
    assert n_seen <= 301


def test_a_small_table_is_learned_from_as_a_whole(capsys):
    X, y, _ = with_noise(400, 0)
    samples = samples_of(X, y, "classification")
    estimator = Learning({"max_rules": 4, "random_state": 3, "n_jobs": 1}, trees=40).fit(samples)
    assert estimator.teacher_[-1].max_samples is None
    assert capsys.readouterr().err == ""


def test_trees_beside_a_model_that_is_explained_are_put_behind_an_encoder():
    X = samples()[0].dropna().reset_index(drop=True)
    model = Oracle(lambda rows: np.where(rows["color"] == "red", "yes", "no"))
    settings = {"max_rules": 3, "random_state": 0, "n_jobs": 1, "time_limit": 5}
    learning = Learning(settings, model=Path("model.pkl"), explain=True)
    estimator = learning.fit(samples_of(X, np.where(X["color"] == "red", "yes", "no"), "classification"), model)
    assert all(isinstance(trees, Pipeline) for trees in estimator.ensemble)
    assert estimator.agreement(X) == 1
    assert "color is red" in str(estimator.rule_list_)
