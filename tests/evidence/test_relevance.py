"""Columns that help on unseen rows have a gain above its error; random ones make predictions worse."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from hedgerow.evidence.relevance import column_gains


def samples(n, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"color": rng.choice(["red", "blue", "lime"], n), "luck": rng.normal(size=n)})
    X["age"], X["region"] = rng.uniform(size=n), rng.choice(["north", "south", "east", "west"], n)
    y = 1.0 * (X["color"] == "red") + (X["age"] > 0.5) + rng.normal(size=n)
    return X.astype({"color": object, "region": object}), y.to_numpy()


@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
def test_only_what_matters_has_a_gain_whatever_the_encoder_does_with_the_columns(kind):
    encoder = make_column_transformer((OneHotEncoder(), ["color", "region"]), remainder="passthrough")
    for seed in range(5):
        X, y = samples(1200, seed)
        y = y > 1 if kind is RandomForestClassifier else y
        forest = kind(60, max_leaf_nodes=16, max_features="sqrt", min_samples_leaf=30, random_state=seed)
        gains, errors = column_gains(make_pipeline(encoder, forest).fit(X, y), X, y)
        assert (gains / errors > 2).tolist() == [True, False, True, False]  # color, luck, age, region


def test_the_gains_add_up_to_what_the_trees_gain_over_the_mean_out_of_bag():
    X, y = samples(300, 0)
    X = X[["luck", "age"]].to_numpy()
    forest = RandomForestRegressor(25, max_leaf_nodes=5, random_state=0).fit(X, y)
    gains, _ = column_gains(forest, X, y)
    lost = np.full((25, 300), np.nan)
    for k, (tree, seen) in enumerate(zip(forest.estimators_, forest.estimators_samples_, strict=True)):
        unseen = np.setdiff1d(np.arange(300), seen)
        lost[k, unseen] = (y[unseen] - y[seen].mean()) ** 2 - (y[unseen] - tree.predict(X[unseen])) ** 2
    assert gains.sum() == pytest.approx(np.nanmean(lost, axis=0).mean())
