"""An encoder of tables is a transformer like any other of scikit-learn's."""

import pickle

import numpy as np
import pandas as pd
import pytest
from messy_frames import labels, messy
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

from hedgerow import InvalidDataError
from hedgerow.features import Notation
from hedgerow.tables import TableEncoder, table_pipeline
from hedgerow.tables.encoder import encoded, has_more_than_numbers


def small(n=40):
    return pd.DataFrame(
        {
            "color": ["red", "blue", None, "red"] * (n // 4),
            "price": ["1,5", "2", "n/a", "1.000,25"] * (n // 4),
            "age": [30.0, np.nan, 50.0, 20.0] * (n // 4),
            "row": range(n),
            "day": ["31/12/2020", "01/02/2021", "24/12/2021", None] * (n // 4),
        }
    )


def test_columns_become_numbers():
    encoder = TableEncoder(dates=True).fit(small())
    assert encoder.get_feature_names_out().tolist() == [
        *("color_blue", "color_red", "color_None", "price", "age"),
        *("day_year", "day_month", "day_weekday", "day_days"),
    ]
    nan = np.nan
    assert_array_equal(
        encoder.transform(small()[:4]),
        [
            [0, 1, 0, 1.5, 30, 2020, 12, 4, 0],
            [1, 0, 0, 2, nan, 2021, 2, 1, 32],
            [0, 0, 1, nan, 50, 2021, 12, 5, 358],
            [0, 1, 0, 1000.25, 20, nan, nan, nan, nan],
        ],
    )
    assert encoder.left_out_ == {"row": "it looks like a row number"}
    assert encoder.feature_names_in_.tolist() == list(small().columns)


def test_what_is_left_out_is_told_and_can_be_kept():
    assert list(TableEncoder().fit(small()).left_out_) == ["day", "row"]
    kept = TableEncoder(keep=["row"]).fit(small())
    assert list(kept.left_out_) == ["day"]
    assert kept.get_feature_names_out()[-1] == "row"
    assert TableEncoder().fit(small()[["row"]]).left_out_ == {}  # better than nothing
    with pytest.raises(
        InvalidDataError, match=r"no column left to learn from: day: it contains dates.*; one: it has the"
    ):
        TableEncoder().fit(small()[["day"]].assign(one=1))


def test_parameters_limit_the_categories():
    frame = pd.DataFrame({"x": ["a"] * 50 + ["b"] * 30 + ["c"] * 20})
    assert TableEncoder(max_categories=2).fit(frame).get_feature_names_out().tolist() == ["x_a", "x_b"]
    assert TableEncoder(min_share=0.4).fit(frame).get_feature_names_out().tolist() == ["x_a"]


def test_known_notations_are_used():
    frame = pd.DataFrame({"x": ["1,5", "2,5", "-", "NA"] * 5, "y": [1, -9, 2, 3] * 5})
    known = {"x": Notation("text", missing=("NA",)), "y": Notation(missing=("-9",))}
    encoder = TableEncoder(notations=known).fit(frame)
    assert encoder.get_feature_names_out().tolist() == ["x_-", "x_1,5", "x_2,5", "x_None", "y"]
    assert_array_equal(encoder.transform(frame)[:, -1], [1, np.nan, 2, 3] * 5)


def test_it_is_cloned_pickled_and_searched_like_any_transformer():
    X = messy(0)
    y = labels(X)
    model = table_pipeline(RandomForestClassifier(5, random_state=0), dates=True)
    assert clone(model).get_params()["tableencoder__dates"] is True
    fitted = clone(model).fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(X), fitted.predict_proba(X))
    search = GridSearchCV(model, {"tableencoder__max_categories": [1, 30]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.5
    parts = ColumnTransformer([("table", TableEncoder(), ["color", "price"])], remainder="drop")
    assert len(cross_val_score(parts.fit(X) and model.set_params(tableencoder=parts), X, y, cv=2)) == 2
    with pytest.raises(NotFittedError):
        TableEncoder().transform(X)


def test_the_output_is_a_frame_if_asked_for():
    X = small()
    plain = TableEncoder().fit_transform(X)
    named = TableEncoder().set_output(transform="pandas").fit(X)
    assert named.transform(X).columns.tolist() == named.get_feature_names_out().tolist()
    assert_array_equal(named.transform(X), plain)
    with config_context(transform_output="pandas"):
        assert_array_equal(TableEncoder().fit_transform(X), plain)
    assert TableEncoder().set_output(transform="polars").fit_transform(X).shape == plain.shape


def test_only_the_frames_of_the_fit_are_taken():
    encoder = TableEncoder().fit(small())
    with pytest.raises(InvalidDataError, match=r"takes a data frame of pandas or polars, but X is a ndarray"):
        encoder.transform(small().to_numpy())
    with pytest.raises(ValueError, match="feature names"):
        encoder.transform(small().rename(columns={"age": "Age"}))
    with pytest.raises(InvalidDataError, match="several columns with the same name"):
        TableEncoder().fit(small().rename(columns={"age": "row"}))


def test_columns_may_have_numbers_as_names():
    X = small()[["color", "age"]].set_axis([7, 8], axis=1)
    assert TableEncoder().fit(X).get_feature_names_out().tolist() == ["7_blue", "7_red", "7_None", "8"]


@pytest.mark.parametrize(
    ("column", "strange"),
    [
        ([1, 2], False),
        ([True, False], False),
        (pd.array([1, None], dtype="Int64"), False),
        (pd.array([True, None], dtype="boolean"), False),
        (pd.Series([1, None, 2.5], dtype=object), False),
        (["a", "b"], True),
        (pd.Categorical([1, 2]), True),
        (pd.to_datetime(["2020-01-01", None]), True),
        (pd.Series([None, "5"], dtype=object), True),
        (pd.Series([[1], [2]], dtype=object), True),
    ],
    ids=str,
)
def test_only_frames_with_more_than_numbers_need_an_encoder(column, strange):
    assert has_more_than_numbers(pd.DataFrame({"x": column})) is strange
    assert not has_more_than_numbers(np.array([["a"]]))


def test_a_table_from_a_file_is_encoded_as_it_was_read():
    forest = RandomForestClassifier()
    assert encoded(forest, pd.DataFrame({"x": [1.0, 2.0]})) is forest
    frame = pd.DataFrame({"x": pd.Series(["1", "2"] * 20, dtype=object), "id": range(40)})
    encoder = encoded(forest, frame)[0].fit(frame)
    assert encoder.get_feature_names_out().tolist() == ["x_1", "x_2", "id"]


def test_strings_and_dates_in_a_column_of_numbers_are_refused_by_its_name():
    frame = pd.DataFrame({"x": np.linspace(0, 1, 40), "c": ["r", "g"] * 20})
    encoder = TableEncoder().fit(frame)
    with pytest.raises(
        InvalidDataError, match=r"The column 'x' of X contains strings, such as 'abc'.* as was done for"
    ):
        encoder.transform(frame.assign(x="abc"))
    with pytest.raises(InvalidDataError, match="The column 'x' of X contains dates, such as 2020"):
        encoder.transform(frame.assign(x=pd.Timestamp("2020")))


def test_a_column_to_keep_must_exist():
    frame = pd.DataFrame({"color": ["r", "g"] * 20})
    with pytest.raises(InvalidDataError, match=r"no column 'colour'\. Did you mean 'color'\?"):
        TableEncoder(keep=["colour"]).fit(frame)


def test_booleans_and_integers_of_categories_may_come_as_strings():
    frame = pd.DataFrame({"b": [True, False] * 20, "i": pd.Categorical([1, 2, 3, 3] * 10), "t": ["1", "x"] * 20})
    encoder = TableEncoder().fit(frame)
    assert_array_equal(encoder.transform(frame.astype(str)), encoder.transform(frame))
