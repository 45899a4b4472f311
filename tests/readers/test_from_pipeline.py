"""A forest read from a pipeline routes samples of the columns that go in as the pipeline itself does."""

import pickle
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from pipelines import (
    LIBRARIES,
    SCALERS,
    SMALL,
    Sums,
    check,
    ensemble_of,
    mixed,
    numbers,
    on_thresholds,
    own_leaves,
    preparation,
    texts,
)
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
    TargetEncoder,
)

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)
from hedgerow.features import Category


def test_binary():
    X, y = mixed()
    for ensemble in (RandomForestClassifier(**SMALL), GradientBoostingClassifier(**SMALL)):
        model = make_pipeline(preparation(), ensemble).fit(X, y)
        forest = check(model, X)
        check(model, on_thresholds(forest, X))
        assert_array_equal(forest.labels(X), model.predict(X))


def test_multiclass():
    X, _ = mixed()
    y = np.digitize(X["income"] + 9000 * (X["color"] == "red"), [15000, 30000])
    for ensemble in (ExtraTreesClassifier(**SMALL), GradientBoostingClassifier(**SMALL)):
        model = make_pipeline(preparation(), ensemble).fit(X, y)
        check(model, on_thresholds(check(model, X), X))


def test_regression():
    X, _ = mixed()
    for ensemble in (RandomForestRegressor(**SMALL), GradientBoostingRegressor(**SMALL)):
        model = make_pipeline(preparation(), ensemble).fit(X, np.exp(X["age"].fillna(0) / 10))
        check(model, on_thresholds(check(model, X), X))


def test_histogram_boosting_behind_a_pipeline():
    X, y = mixed()
    model = make_pipeline(preparation(), HistGradientBoostingClassifier(max_iter=8)).fit(X, y)
    forest = read_forest(model)
    for probes in (X, on_thresholds(forest, X)):
        assert_allclose(forest.predict(probes)[:, 0], model.decision_function(probes), rtol=1e-12)


def one_hot_encoders():
    yield OneHotEncoder()
    yield OneHotEncoder(sparse_output=False, handle_unknown="ignore")
    yield OneHotEncoder(drop="first")
    yield OneHotEncoder(drop="if_binary", handle_unknown="ignore")
    yield OneHotEncoder(min_frequency=0.2, handle_unknown="infrequent_if_exist")
    yield OneHotEncoder(max_categories=2, handle_unknown="ignore", dtype=np.float32)
    yield OneHotEncoder(categories=[["red", "black"], ["Oslo", "Bergen"], [1, 5, 9]], handle_unknown="ignore")
    yield OneHotEncoder(min_frequency=0.2, drop="first", handle_unknown="infrequent_if_exist")


def other_encoders():
    yield OrdinalEncoder()
    yield OrdinalEncoder(encoded_missing_value=-7)
    yield OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    yield OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=99, encoded_missing_value=50)
    yield OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, min_frequency=0.2)
    yield OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, encoded_missing_value=-7)
    yield OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, encoded_missing_value=70)
    yield TargetEncoder()


@pytest.mark.parametrize("as_array", [False, True])
@pytest.mark.parametrize("encoder", [*one_hot_encoders(), *other_encoders()], ids=repr)
def test_categorical(encoder, as_array):
    X, y = mixed(missing="categories" not in repr(encoder))
    X = X[["color", "city", "rooms"]]
    unseen = X.copy()
    unseen.loc[::5, "color"] = "violet"
    unseen.loc[::7, "rooms"] = 77
    unseen.loc[1::5, "color"] = np.nan
    if as_array:
        X, unseen = X.to_numpy(dtype=object), unseen.to_numpy(dtype=object)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn says that it found unknown categories
        model = make_pipeline(encoder, ExtraTreesClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
        assert all(isinstance(f, Category) for f in forest.features)
        if getattr(encoder, "handle_unknown", "ignore") != "error":
            check(model, unseen, forest)


def test_missing():
    X, y = mixed()
    imputers = [
        SimpleImputer(),
        SimpleImputer(strategy="median", add_indicator=True),
        SimpleImputer(strategy="constant", fill_value=-3),
        make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()),
        FeatureUnion([("value", SimpleImputer()), ("missing", MissingIndicator())]),
        "passthrough",
    ]
    filled = [
        SimpleImputer(strategy="most_frequent"),
        SimpleImputer(strategy="constant", fill_value="none", add_indicator=False),
        SimpleImputer(strategy="constant", fill_value="red"),
        "passthrough",
    ]
    for k, numeric in enumerate(imputers):
        first = filled[k % len(filled)]
        encode = make_pipeline(clone(first) if first != "passthrough" else first, OneHotEncoder())
        columns = ColumnTransformer([("num", numeric, ["age", "income"]), ("cat", encode, ["color"])])
        model = make_pipeline(columns, RandomForestClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
        check(model, on_thresholds(forest, X), forest)
        everywhere = X.copy()
        everywhere.loc[::3, "age"], everywhere.loc[1::3, "color"] = np.nan, np.nan
        check(model, everywhere, forest)


def test_polars_frames():
    X, y = mixed(missing=False)
    frame = pl.DataFrame({name: X[name].tolist() for name in X})
    model = make_pipeline(preparation(), RandomForestClassifier(**SMALL)).fit(frame, y)
    assert_array_equal(read_forest(model).apply(frame), own_leaves(model, frame))


def test_sparse_samples():
    X = sparse.random(200, 6, density=0.3, random_state=0, format="csr")
    y = np.asarray(X[:, [0]].toarray().ravel() > X[:, [1]].toarray().ravel(), dtype=int)
    model = make_pipeline(MaxAbsScaler(), RandomForestClassifier(**SMALL)).fit(X, y)
    check(model, X)


def test_the_warning_points_at_the_line_that_fits_a_list():
    X, y = numbers()
    with pytest.warns(UserWarning, match="PCA") as caught:
        RuleListClassifier(make_pipeline(PCA(2), RandomForestClassifier(**SMALL, max_depth=2)), max_rules=2).fit(X, y)
    assert {warning.filename for warning in caught} == {__file__}


def test_a_rule_list_on_texts():
    found, y = texts()
    model = make_pipeline(CountVectorizer(), RandomForestClassifier(30, max_depth=3, random_state=0))
    rules = RuleListClassifier(model, max_rules=4).fit(found, y)
    assert rules.score(found, y) == 1
    assert 'contains "refund"' in str(rules.rule_list_)
    assert rules.predict(["a refund, please"]) == [1]
    assert "because" in rules.explain(["so late"])[0]
    again = pickle.loads(pickle.dumps(rules))
    assert_array_equal(again.predict(found), rules.predict(found))
    chosen = RuleListClassifierCV(model, max_rules=[2, 4], cv=2).fit(found, y)
    assert chosen.score(found, y) > 0.9


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("scaler", [StandardScaler(with_mean=False), MinMaxScaler()], ids=repr)
@pytest.mark.parametrize(("library", "name", "settings"), LIBRARIES)
def test_other_libraries_behind_a_pipeline(library, name, settings, scaler, is_sparse):
    X, y = mixed()
    columns = preparation().set_params(num__standardscaler=scaler, sparse_threshold=float(is_sparse))
    model = make_pipeline(columns, ensemble_of(library, name, settings)).fit(X, y == "yes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one of them misses the names that it made up itself
        forest = read_forest(model)
        zeros = X.assign(income=X["income"].min(), rooms=1)
        for probes in (X, zeros, on_thresholds(forest, X)):
            assert_allclose(forest.answer(probes), model.predict_proba(probes), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("library", "name", "settings"), LIBRARIES)
def test_words_behind_other_libraries(library, name, settings):
    found, y = texts()
    for vectorizer in (CountVectorizer(dtype=np.float32), TfidfVectorizer()):
        model = make_pipeline(vectorizer, ensemble_of(library, name, settings)).fit(found, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            forest = read_forest(model)
            assert_allclose(forest.answer(found), model.predict_proba(found), rtol=1e-5, atol=1e-6)


def test_a_list_of_rules_of_a_mixed_frame_in_its_own_units():
    X, y = mixed()
    model = Pipeline([("prepare", preparation()), ("forest", RandomForestClassifier(60, max_depth=3, random_state=0))])
    rules = RuleListClassifier(model, max_rules=8).fit(X, y)  # fits a clone
    with pytest.raises(UnfittedModelError):
        read_forest(model)
    text = str(rules.rule_list_)
    assert "color is red" in text or "color is not red" in text
    assert "age > 4" in text
    assert rules.ensemble_.predict(X).shape == y.shape
    assert rules.fidelity(X, y).trees_by_condition > 0.5
    again = RuleListClassifier(rules.ensemble_, max_rules=8).fit(X, y)
    assert str(again.rule_list_) == text
    new = X.head(3).copy()
    new["color"] = "violet"
    assert_array_equal(rules.forest_.labels(new), rules.ensemble_.predict(new))


def test_a_regression_behind_a_pipeline():
    X, _ = mixed()
    y = np.where(X["color"] == "red", 100, 20) + X["age"].fillna(40)
    rules = RuleListRegressor(make_pipeline(preparation(), RandomForestRegressor(20, max_depth=3, random_state=0)))
    assert rules.fit(X, y).score(X, y) > 0.6
    assert "color is red" in str(rules.rule_list_)


def test_weights():
    X, y = mixed()
    weight = np.where(X["city"] == "Oslo", 3.0, 0.5)
    model = make_pipeline(preparation(), RandomForestClassifier(**SMALL, max_depth=3))
    fitted = clone(model).fit(X, y, randomforestclassifier__sample_weight=weight)
    for ensemble in (model, GridSearchCV(model, {"randomforestclassifier__max_depth": [3]}, cv=2)):
        rules = RuleListClassifier(ensemble).fit(X, y, sample_weight=weight)
        assert_array_equal(rules.forest_.apply(X), read_forest(fitted).apply(X))
    knn = make_pipeline(StandardScaler(), PCA())
    with pytest.raises(InvalidParameterError, match="PCA does not take sample_weight"):
        RuleListClassifier(knn).fit(X[["income"]], y, sample_weight=weight)


@pytest.mark.parametrize("search", [GridSearchCV, RandomizedSearchCV])
def test_a_search_is_read_by_its_best_model(search):
    X, y = mixed()
    model = make_pipeline(preparation(), RandomForestClassifier(**SMALL))
    extra = {"n_iter": 2, "random_state": 0} if search is RandomizedSearchCV else {}
    searched = search(model, {"randomforestclassifier__max_depth": [2, 3]}, cv=2, **extra)
    with pytest.raises(UnfittedModelError):
        read_forest(searched)
    rules = RuleListClassifier(searched).fit(X, y)
    assert_array_equal(rules.forest_.apply(X), own_leaves(rules.ensemble_.best_estimator_, X))
    searched.set_params(refit=False).fit(X, y)
    with pytest.raises(UnsupportedModelError, match="refit=True"):
        read_forest(searched)


def test_a_union_of_pipelines_and_plain_ensembles():
    X, y = mixed(missing=False)
    X = X[["age", "income", "rooms"]]
    plain = RandomForestClassifier(**SMALL).fit(X, y)
    scaled = make_pipeline(StandardScaler(), RandomForestClassifier(3, max_depth=1, random_state=1)).fit(X, y)
    both = read_forest([scaled, plain])
    assert_array_equal(both.apply(X), np.column_stack([own_leaves(scaled, X), plain.apply(X)]))
    assert_allclose(both.answer(X), (scaled.predict_proba(X) + plain.predict_proba(X)) / 2)
    assert len(both.features) == 3


def test_names_given_by_hand_and_plain_arrays():
    X, y = numbers()
    model = make_pipeline(StandardScaler(), RandomForestClassifier(**SMALL)).fit(X, y)
    assert read_forest(model).inputs.names == ["x0", "x1", "x2"]
    assert [f.name for f in read_forest(model, ["a", "b", "c"]).features] == ["a", "b", "c"]
    with pytest.raises(InvalidParameterError, match="2 feature names for a pipeline of 3"):
        read_forest(model, ["a", "b"])
    with pytest.raises(InvalidDataError, match="X has 2 columns"):
        read_forest(model).apply(X[:, :2])
    with pytest.raises(InvalidDataError, match="X has one dimension"):
        read_forest(model).apply(X[:, 0])
    alone = Pipeline([("forest", RandomForestClassifier(**SMALL))]).fit(X, y)
    assert_array_equal(read_forest(alone).apply(X), alone[-1].apply(X))


def test_a_pipeline_that_does_not_know_its_columns_needs_names():
    X, y = numbers()
    model = make_pipeline(Sums(), RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.raises(InvalidParameterError, match="Pass feature_names"):
        read_forest(model)
    with pytest.warns(UserWarning, match="Sums"):
        check(model, X, read_forest(model, ["a", "b", "c"]))


def test_anything_but_a_fitted_pipeline_of_trees_is_refused():
    X, y = numbers()
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        read_forest(make_pipeline(StandardScaler(), RandomForestClassifier()))
    with pytest.raises(UnsupportedModelError, match="last step"):
        read_forest(make_pipeline(StandardScaler(), "passthrough").fit(X, y))
    with pytest.raises(UnsupportedModelError, match="Cannot read a PCA"):
        read_forest(make_pipeline(StandardScaler(), PCA()).fit(X, y))


def test_reading_is_fast():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(1500, 20)), columns=[f"n{i}" for i in range(20)])
    for i in range(5):
        X[f"c{i}"] = rng.choice([f"v{k}" for k in range(10)], 1500)
    columns = ColumnTransformer(
        [
            ("num", make_pipeline(SimpleImputer(), StandardScaler()), [f"n{i}" for i in range(20)]),
            ("cat", OneHotEncoder(), [f"c{i}" for i in range(5)]),
        ]
    )
    model = make_pipeline(columns, RandomForestRegressor(100, max_leaf_nodes=127, random_state=0))
    model.fit(X, rng.normal(size=1500))
    read_forest(model)
    started = time.perf_counter()
    read_forest(model)
    assert time.perf_counter() - started < 1


@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_leaves_on_drawn_pipelines(data, seed):
    X, y = mixed(60, seed)
    numeric = [data.draw(st.sampled_from([SimpleImputer(), SimpleImputer(strategy="median", add_indicator=True)]))]
    numeric += data.draw(st.lists(st.sampled_from([*SCALERS, Binarizer(threshold=0.5)]), max_size=2))
    fill = data.draw(st.sampled_from([None, "most_frequent", "constant"]))
    encoder = data.draw(
        st.sampled_from(
            [
                OneHotEncoder(handle_unknown="ignore"),
                OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=10, sparse_output=False),
                OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2),
            ]
        )
    )
    categories = (
        [] if fill is None else [SimpleImputer(strategy=fill, fill_value="none" if fill == "constant" else None)]
    )
    columns = ColumnTransformer(
        [
            ("num", make_pipeline(*map(clone, numeric)), ["age", "income"]),
            ("cat", make_pipeline(*categories, encoder), ["color", "city"]),
        ],
        remainder=data.draw(st.sampled_from(["drop", "passthrough"])),
        sparse_threshold=data.draw(st.sampled_from([0, 1])),
    )
    kind = data.draw(st.sampled_from([RandomForestClassifier, ExtraTreesClassifier]))
    model = make_pipeline(columns, kind(3, max_depth=data.draw(st.sampled_from([2, None])), random_state=seed))
    model.fit(X, y)
    forest = check(model, X)
    probes = on_thresholds(forest, X, seed)
    probes.loc[::6, "color"], probes.loc[1::6, "color"], probes.loc[2::6, "city"] = "violet", np.nan, "Rome"
    probes.loc[3::6, "age"], probes.loc[4::6, "age"] = np.nan, data.draw(st.floats(-1e30, 1e30))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(model, probes, forest)


def test_the_names_of_columns_are_checked_where_the_pipeline_knows_them():
    X, y = numbers()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    named = make_pipeline(StandardScaler(), RandomForestClassifier(**SMALL)).fit(frame, y)
    plain = make_pipeline(StandardScaler(), RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.raises(ValueError, match="in a different order"):
        read_forest(named).apply(frame[["c", "a", "b"]])
    assert_array_equal(read_forest(plain).apply(frame), read_forest(named).apply(frame))
    assert_array_equal(read_forest(named, feature_names=["p", "q", "r"]).apply(frame), read_forest(named).apply(frame))
