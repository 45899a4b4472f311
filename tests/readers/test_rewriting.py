"""The rewritten trees split on the columns that go into the pipeline, and rules say so."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pipelines import (
    LIBRARIES,
    SMALL,
    check,
    conditions,
    ensemble_of,
    mixed,
    numbers,
    on_thresholds,
    own_leaves,
    preparation,
    texts,
)
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from hedgerow import (
    Forest,
    InvalidDataError,
    RuleListClassifier,
    read_forest,
)
from hedgerow.features import Category, Column, ColumnWithGap, Output, Steps, Word
from hedgerow.readers.rewriting import Rewriting
from hedgerow.readers.tracing import Table, trace
from hedgerow.rules.condition import Condition


def test_the_features_are_the_columns_that_go_in():
    X, y = mixed()
    forest = read_forest(make_pipeline(preparation(), RandomForestClassifier(**SMALL)).fit(X, y))
    assert {f.name: type(f) for f in forest.features} == {
        "age": Column,
        "income": Column,
        "rooms": Column,
        "color": Category,
        "city": Category,
    }
    assert forest.inputs.names == list(X.columns)
    assert forest.n_features == 5
    with pytest.raises(InvalidDataError, match="different order"):
        forest.apply(X[X.columns[::-1]])


def test_missing_where_the_ensemble_takes_none():
    X, y = mixed()
    columns = ColumnTransformer([("a", SimpleImputer(), ["age"]), ("b", "passthrough", ["income"])])
    model = make_pipeline(columns, GradientBoostingClassifier(**SMALL)).fit(X, y)
    forest = check(model, X)
    X.loc[5, "income"] = np.nan
    with pytest.raises(InvalidDataError, match=r"NaN \(missing values\) in: income"):
        forest.apply(X)


def test_a_flag_of_missing_values_reads_as_such():
    X, y = mixed()
    tree = DecisionTreeClassifier(max_depth=1)
    for columns in (["age"], ["color"]):
        model = make_pipeline(MissingIndicator(), tree).fit(X[columns], X[columns[0]].isna())
        forest = check(model, X[columns])
        assert conditions(forest) == [f"{columns[0]} is not missing", f"{columns[0]} is missing"]
    # Beside other conditions on the same column it is about the same feature.
    for step, column in ((OneHotEncoder(), "color"), (SimpleImputer(), "age")):
        union = FeatureUnion([("value", step), ("missing", MissingIndicator())])
        model = make_pipeline(union, RandomForestClassifier(**SMALL)).fit(X[[column]], y)
        assert len(check(model, X[[column]]).features) == 1


@pytest.mark.parametrize(
    "scaler",
    [StandardScaler(), FunctionTransformer(np.negative), QuantileTransformer(n_quantiles=9)],
    ids=lambda scaler: type(scaler).__name__,
)
def test_a_flag_after_a_scaler_is_about_the_column_itself(scaler):
    X, _ = numbers(300)
    X[np.random.default_rng(0).random(300) < 0.3, 0] = np.nan
    y = np.isnan(X[:, 0])
    for step in (SimpleImputer(add_indicator=True), MissingIndicator(features="all")):
        ensemble = GradientBoostingClassifier(n_estimators=1, max_depth=1, random_state=0)
        model = make_pipeline(scaler, step, ensemble).fit(X, y)
        assert set(conditions(check(model, X))) == {"x0 is not missing", "x0 is missing"}


def test_a_flag_after_a_scaler_in_a_sparse_table_for_xgboost():
    X, _ = numbers(300)
    X[np.random.default_rng(0).random(300) < 0.3, 0] = np.nan
    columns = ColumnTransformer(
        [("flag", make_pipeline(StandardScaler(), MissingIndicator(features="all")), [0])], sparse_threshold=1
    )
    columns = FeatureUnion([("flag", columns), ("zero", OneHotEncoder(max_categories=2))])
    model = make_pipeline(columns, ensemble_of(*LIBRARIES[0])).fit(X, np.isnan(X[:, 0]).astype(int))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        forest = read_forest(model)
    assert_array_equal(forest.apply(X), own_leaves(model, X))


def test_values_that_stand_for_missing_ones():
    X, y = numbers(300)
    X = np.round(np.abs(X) * 4)
    model = make_pipeline(SimpleImputer(missing_values=0, add_indicator=True), RandomForestClassifier(**SMALL))
    forest = check(model.fit(X, y), X)
    assert {f.absence for f in forest.features} == {"zero or missing"}
    frame, labels = mixed()
    frame["color"] = frame["color"].fillna("?")
    fill = SimpleImputer(missing_values="?", strategy="most_frequent")
    model = make_pipeline(fill, OneHotEncoder(), RandomForestClassifier(**SMALL)).fit(frame[["color"]], labels)
    forest = check(model, frame[["color"]])
    assert "?" in forest.features[0].categories


@pytest.mark.parametrize("encoder", [OneHotEncoder(handle_unknown="ignore"), OrdinalEncoder()], ids=repr)
@pytest.mark.parametrize("fill", ["missing", "unknown", "red"])
def test_a_fill_value_that_says_missing_is_another_word_for_missing(fill, encoder):
    X, y = mixed()
    X = X[["color"]].copy()
    filled = make_pipeline(SimpleImputer(strategy="constant", fill_value=fill), encoder)
    flags = FeatureUnion([("value", filled), ("flag", MissingIndicator())])
    model = make_pipeline(flags, RandomForestClassifier(**SMALL)).fit(X, y)
    forest = check(model, X)
    X.loc[::5, "color"] = fill  # the word itself in the data
    check(model, X, forest)
    assert (fill in forest.features[0].categories) == (fill != "missing")
    one = make_pipeline(filled, RandomForestClassifier(20, random_state=0))
    rules = RuleListClassifier(one, max_rules=5).fit(X, X["color"].isin([fill, "blue"]) | X["color"].isna())
    shown = str(rules.rule_list_)
    if fill == "missing":
        assert "if color is missing " in shown
        assert "or missing)" not in shown
        assert "missing}" not in shown
    else:
        assert f"(color is {fill} or missing)" in shown or f"{fill}}} or missing)" in shown


@pytest.mark.parametrize(("marker", "name"), [(0, "zero"), (-9, "-9")])
def test_a_condition_says_that_it_leaves_out_what_stands_for_a_missing_value(marker, name):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"glucose": rng.normal(120, 20, 400).round()})
    y = X["glucose"] > 130
    X.loc[::4, "glucose"], y[::4] = marker, True
    fill = SimpleImputer(missing_values=marker, strategy="constant", fill_value=999)
    model = make_pipeline(fill, RandomForestClassifier(10, max_depth=1, random_state=0))
    shown = str(RuleListClassifier(model, max_rules=3).fit(X, y).rule_list_)
    assert f"(glucose <= 130.5 but not {name})" in shown


def test_a_condition_says_that_it_leaves_out_what_is_outside_the_domain():
    x = ColumnWithGap(0, "x", -np.inf, -1.0, has_missing=True)
    assert str(Condition(x, upper=2)) == "(x <= 2 but not at most -1)"
    assert str(Condition(x, lower=0, upper=2)) == "0 < x <= 2"
    assert str(Condition(x, upper=2, missing=True)) == "(x <= 2 or at most -1 or missing)"
    x = ColumnWithGap(0, "x", 0.0, 0.0, has_missing=True)
    assert str(Condition(x, upper=0)) == "x < 0"
    assert str(Condition(x, lower=0)) == "x > 0"


def test_native_categories_behind_a_pipeline():
    X, y = mixed()
    X["color"] = X["color"].astype("category")
    columns = ColumnTransformer(
        [("num", StandardScaler(), ["income"]), ("cat", "passthrough", ["color"])], verbose_feature_names_out=False
    ).set_output(transform="pandas")
    model = make_pipeline(columns, HistGradientBoostingClassifier(max_iter=5)).fit(X, y)
    forest = read_forest(model)
    assert {f.name: type(f) for f in forest.features} == {"income": Column, "color": Category}
    assert_allclose(forest.predict(X)[:, 0], model.decision_function(X), rtol=1e-12)
    codes = make_pipeline(
        ColumnTransformer([("cat", OrdinalEncoder(encoded_missing_value=-1), ["color", "city"])]),
        HistGradientBoostingClassifier(max_iter=5, categorical_features=[0]),
    ).fit(X, y)
    assert_allclose(read_forest(codes).predict(X)[:, 0], codes.decision_function(X), rtol=1e-12)


def test_equal_names_of_computed_columns_are_told_apart():
    X, y = numbers()
    X = np.column_stack([X, X[:, ::-1] ** 2])
    columns = ColumnTransformer([("one", PCA(1), [0, 1, 2]), ("two", PCA(1), [3, 4, 5])])
    model = make_pipeline(columns, RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match="one__pca0.*two__pca0"):
        forest = read_forest(model)
    assert {f.name for f in forest.features} == {"one__pca0", "two__pca0"}
    check(model, X, forest)


def test_to_xgboost_what_a_sparse_matrix_does_not_store_is_missing():
    X = sparse.random(300, 6, density=0.3, random_state=0, format="csr")
    y = np.asarray(X[:, [0]].toarray().ravel() > X[:, [1]].toarray().ravel(), dtype=int)
    model = make_pipeline(MaxAbsScaler(), ensemble_of(*LIBRARIES[0])).fit(X, y)
    for ensemble in (model, Pipeline([("inside", model)]), Pipeline([("frozen", FrozenEstimator(model))])):
        forest = read_forest(ensemble)
        with pytest.raises(InvalidDataError, match="NaN where nothing is stored"):
            forest.apply(X)
    with_holes = np.where(X.toarray() == 0, np.nan, X.toarray())
    assert_array_equal(forest.apply(with_holes), own_leaves(model, X))
    with pytest.raises(InvalidDataError, match="NaN where nothing is stored"):
        RuleListClassifier(model).fit(X, y)


def test_sparse_samples_that_are_computed_on_their_way_to_xgboost():
    X = sparse.random(300, 6, density=0.3, random_state=0, format="csr")
    y = np.asarray(X[:, [0]].toarray().ravel() > X[:, [1]].toarray().ravel(), dtype=int)
    for steps in ([TruncatedSVD(3, random_state=0)], [Normalizer()], [Normalizer(), MaxAbsScaler()]):
        model = make_pipeline(*steps, ensemble_of(*LIBRARIES[0])).fit(X, y)
        with pytest.warns(UserWarning, match="cannot be inverted"):
            forest = read_forest(model)
        assert_array_equal(forest.apply(X), own_leaves(model, X))


def test_zeros_that_are_stored_are_not_missing_to_xgboost():
    found, y = texts(400)
    vectorizer = HashingVectorizer(n_features=3, norm=None)  # terms of opposite signs meet and cancel
    stored = vectorizer.transform(found)
    assert (stored.data == 0).any()
    model = make_pipeline(vectorizer, ensemble_of(*LIBRARIES[0])).fit(found, y)
    with pytest.warns(UserWarning, match="HashingVectorizer"):
        forest = read_forest(model)
    assert_array_equal(forest.apply(found), own_leaves(model, found))


def test_zeros_of_a_dense_step_in_a_sparse_table_are_missing_to_xgboost():
    X, y = mixed(missing=False)
    X["rooms"] -= 3
    columns = ColumnTransformer(
        [("abs", FunctionTransformer(np.abs), ["rooms"]), ("cat", OneHotEncoder(), ["color", "city"])],
        sparse_threshold=1,
    )
    model = make_pipeline(columns, ensemble_of(*LIBRARIES[0])).fit(X, (X["rooms"] == 0) ^ (y == "yes"))
    with pytest.warns(UserWarning, match="FunctionTransformer"):
        forest = read_forest(model)
    assert_array_equal(forest.apply(X), own_leaves(model, X))


def test_words_that_are_missing_to_xgboost_where_a_text_does_not_contain_them():
    found, _ = texts(600)
    often = np.array([text.count("refund") for text in found])
    y = np.isin(often, [1, 2]).astype(int)
    model = make_pipeline(CountVectorizer(dtype=np.float32), ensemble_of(*LIBRARIES[0])).fit(found, y)
    rules = RuleListClassifier(model, max_rules=3).fit(found, y)
    assert rules.score(found, y) == 1
    shown = [rule.describe() for rule in rules.rule_list_]
    assert shown == [
        '(text contains "refund" more than 2 times or not at all)',
        'text contains "refund" at most 2 times',
    ]


def test_how_often_a_text_contains_a_word():
    steps = Steps("none", ())
    word = Word(steps, 0, 'count of "so"', nonzero=True, has_missing=True, term="so", column="note")
    said = {
        (-np.inf, np.inf, False): 'note contains "so"',
        (-np.inf, 6, False): 'note contains "so" at most 6 times',
        (0, 1, False): 'note contains "so" once',
        (1, np.inf, False): 'note contains "so" more than once',
        (6, np.inf, True): '(note contains "so" more than 6 times or not at all)',
        (2, 6, False): 'note contains "so" 3 to 6 times',
        (5, 6, False): 'note contains "so" 6 times',
    }
    assert {key: str(Condition(word, key[0], key[1], missing=key[2])) for key in said} == said
    weight = Word(steps, 0, 'tf-idf of "so"', nonzero=True, has_missing=True, term="so", smallest=0.0, is_count=False)
    assert str(Condition(weight, upper=0.5)) == '(tf-idf of "so" <= 0.5 but not zero)'
    assert str(Condition(weight, lower=0.5, missing=True)) == '(tf-idf of "so" > 0.5 or zero)'
    assert str(Condition(weight)) == 'text contains "so"'


def test_a_column_twice_in_the_table_is_one_feature():
    X, y = numbers()
    union = FeatureUnion([("a", StandardScaler()), ("b", MinMaxScaler()), ("c", "passthrough")])
    model = make_pipeline(union, RandomForestRegressor(**SMALL)).fit(X, y)
    forest = check(model, X)
    assert len(forest.features) == 3
    check(model, on_thresholds(forest, X), forest)
    weighted = FeatureUnion([("a", StandardScaler()), ("b", MinMaxScaler())], transformer_weights={"a": 2})
    model = make_pipeline(weighted, DecisionTreeRegressor()).fit(X, y)
    with pytest.warns(UserWarning, match="FeatureUnion"):
        forest = read_forest(model)
    assert all(isinstance(f, Output) for f in forest.features)
    check(model, X, forest)


def stump_behind(step, X, threshold):
    """A stump on the first column that a fitted step makes of X, rewritten in terms of X."""
    n_columns = X.shape[1]
    arrays = {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "threshold": [threshold, 0.0, 0.0]}
    inner = Forest.from_arrays([arrays | {"value": [0.0, 1.0, 2.0]}], [f"f{i}" for i in range(n_columns)])
    table = trace(step.fit(X), Table.of_columns([f"x{i}" for i in range(n_columns)]), "step")
    return Rewriting(inner, table).forest()


def test_a_threshold_becomes_one_on_the_column_that_goes_in():
    X = np.array([[0.0], [5.0], [10.0]])
    forest = stump_behind(MinMaxScaler(), X, 0.3)
    (tree,) = forest.trees
    assert tree.threshold[0] == pytest.approx(3.0)
    assert forest.features == (Column(0, "x0"),)
    assert forest.answer([[3.0 - 1e-9], [3.0 + 1e-9]]).tolist() == [1.0, 2.0]


def test_a_falling_step_swaps_the_children():
    forest = stump_behind(FunctionTransformer(np.negative), np.array([[1.0], [2.0]]), -1.5)
    (tree,) = forest.trees
    assert (tree.left[0], tree.right[0]) == (2, 1)
    assert forest.answer([[1.0], [1.5], [2.0]]).tolist() == [2.0, 1.0, 1.0]


def test_missing_values_go_where_their_fill_value_goes():
    X = np.array([[1.0], [np.nan], [9.0]])  # filled with 5
    assert stump_behind(SimpleImputer(), X, 5.0).answer([[np.nan]]) == [1.0]
    assert stump_behind(SimpleImputer(), X, 4.0).answer([[np.nan]]) == [2.0]
