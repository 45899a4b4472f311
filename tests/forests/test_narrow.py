import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestRegressor

from hedgerow.forests.narrow import narrow
from hedgerow.readers import read_forest


def leaves(forest):
    return [np.where(tree.left < 0, np.arange(tree.n_nodes), -1) for tree in forest.trees]


def test_a_narrow_forest_sends_rows_to_the_same_leaves():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 9))
    forest = read_forest(RandomForestRegressor(3, max_depth=2, random_state=0).fit(X, X[:, 4] + X[:, 7]))
    found = narrow(forest)
    assert 0 < len(found.columns) < 9
    assert {4, 7} <= set(found.columns)
    assert_array_equal(found.forest.apply(X[:, found.columns]), forest.apply(X))
    assert_array_equal(found.forest.predict(X[:, found.columns]), forest.predict(X))


def test_categories_and_missing_values_stay_what_they_are():
    rng = np.random.default_rng(0)
    color = pd.Categorical(rng.choice(["red", "green", "blue"], 400))
    noise = rng.normal(size=400)
    X = pd.DataFrame({"noise": noise * 0, "size": rng.normal(size=400), "color": color})
    X.loc[::7, "size"] = np.nan
    y = (X["color"].isin(["red"]) | X["size"].isna()).astype(int)
    model = HistGradientBoostingClassifier(max_iter=5, categorical_features="from_dtype", random_state=0).fit(X, y)
    forest = read_forest(model)
    found = narrow(forest)
    assert [forest.inputs.names[i] for i in found.columns] == ["size", "color"]
    assert_array_equal(found.forest.apply(X[["size", "color"]]), forest.apply(X))


def test_a_forest_without_splits_keeps_one_column():
    X = np.zeros((20, 4))
    forest = read_forest(RandomForestRegressor(2, random_state=0).fit(X, np.arange(20)))
    found = narrow(forest)
    assert len(found.columns) == 1
    assert_array_equal(found.forest.apply(X[:, :1]), 0)


@pytest.mark.parametrize("columns", [["b", "a"]])
def test_the_names_of_the_columns_are_kept(columns):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 2)), columns=columns)
    forest = read_forest(RandomForestRegressor(2, max_depth=1, max_features=None, random_state=0).fit(X, X["a"]))
    assert narrow(forest).forest.inputs.names == ["a"]
