"""Rules see through an encoder of tables: forest, list, JSON and pipeline agree on every row of messy frames."""

import numpy as np
import pandas as pd
import pytest
from messy_frames import labels, messy
from numpy.testing import assert_array_equal
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from hedgerow import RuleList, RuleListClassifier, UnsupportedModelError, read_forest
from hedgerow.features import Category, Column, DatePart, is_present
from hedgerow.readers.inversions import Encode, Move, TakePart
from hedgerow.readers.table_moves import moves_of_table
from hedgerow.tables import TableEncoder, table_pipeline


def forest(**others):
    return RandomForestClassifier(**{"n_estimators": 12, "max_depth": 4, "random_state": 0} | others)


@pytest.mark.parametrize("seed", range(8))
def test_everyone_agrees_on_every_row_of_messy_frames(seed):
    X, new = messy(seed), messy(seed, new=True)
    y = labels(X, seed)
    model = table_pipeline(forest(random_state=seed), dates=True).fit(X, y)
    read = read_forest(model)
    rules = RuleListClassifier(model, max_rules=6, candidates="nodes", time_limit=2).fit(X, y).rule_list_
    reloaded = RuleList.from_json(rules.to_json())
    for frame in (X, new):
        assert_array_equal(read.apply(frame), model[-1].apply(model[0].transform(frame)))
        assert_array_equal(reloaded.apply(frame), rules.apply(frame))
        assert_array_equal(reloaded.predict(frame), rules.predict(frame))
    assert {type(feature) for feature in read.features} == {Column, Category, DatePart}


def test_frames_of_polars_are_read_as_those_of_pandas():
    pl = pytest.importorskip("polars")
    X = messy(3).astype({"floor": str, "heating": str})
    y = labels(X)
    frame = pl.DataFrame({name: [value if is_present(value) else None for value in X[name]] for name in X})
    model = table_pipeline(forest(), dates=True).fit(frame, y)
    read = read_forest(model)
    assert_array_equal(read.apply(frame), model[-1].apply(model[0].transform(frame)))
    assert_array_equal(read.apply(frame), read.apply(X))


def test_steps_after_the_encoder_are_inverted_too():
    X = messy(1)
    y = labels(X)
    encoder = TableEncoder(dates=True)
    for model in (
        make_pipeline(encoder, StandardScaler(), forest()),
        table_pipeline(HistGradientBoostingClassifier(max_iter=4)),
    ):
        model.fit(X, y)
        read = read_forest(model)
        assert_array_equal(read.predictions(X), model.predict(X))
        assert_array_equal(read.predictions(messy(1, new=True)), model.predict(messy(1, new=True)))
        assert all(feature.table_columns for feature in read.features)


def test_an_encoder_of_some_columns_sees_these():
    X = messy(2)
    y = labels(X)
    parts = ColumnTransformer(
        [("table", TableEncoder(dates=True), ["price", "built", "color"]), ("number", StandardScaler(), ["size"])]
    )
    model = make_pipeline(parts, forest()).fit(X, y)
    read = read_forest(model)
    assert_array_equal(read.apply(X), model[-1].apply(parts.fit(X, y).transform(X)))
    assert {X.columns[i] for i, _ in read.inputs.notations} == {"price"}
    assert {feature.index for feature in read.features} <= {0, 1, 2, 8}


def test_a_column_that_is_read_in_two_ways_is_refused():
    X = pd.DataFrame({"a": ["1,5", "2", "7", "1,5"] * 20})
    y = [0, 1, 1, 0] * 20
    both = ColumnTransformer([("number", TableEncoder(), ["a"]), ("text", OneHotEncoder(), ["a"])])
    with pytest.raises(UnsupportedModelError, match="read the column 'a' in different ways"):
        read_forest(make_pipeline(both, forest(max_features=None)).fit(X, y))


def test_what_an_encoder_makes_of_a_computed_column_is_computed():
    X = pd.DataFrame({"a": ["x", "y"] * 20, "b": ["1,5", "2", "3", "4"] * 10})

    class Shout(OneHotEncoder):
        def fit(self, X, y=None):
            return self

        def transform(self, X):
            return X.assign(a=X["a"].str.upper())

        def get_feature_names_out(self, names=None):
            return np.array(["a", "b"], dtype=object)

    y = [0, 1] * 20
    model = make_pipeline(Shout(), TableEncoder(), forest()).fit(X, y)
    with pytest.warns(UserWarning, match="Rules are about columns that the pipeline computes"):
        read = read_forest(model, feature_names=["a", "b"])
    assert_array_equal(read.apply(X), model[-1].apply(model[1].transform(model[0].transform(X))))


def test_moves_are_those_of_the_outputs():
    X = messy(0)
    encoder = TableEncoder(dates=True).fit(X)
    moves = moves_of_table(encoder)
    assert len(moves) == encoder.transform(X).shape[1]
    names = encoder.get_feature_names_out()
    assert all(name.startswith(X.columns[move.source]) for name, move in zip(names, moves, strict=True))
    assert {type(move) for move in moves} == {Encode, Move, TakePart}
    assert moves_of_table(StandardScaler()) is None
