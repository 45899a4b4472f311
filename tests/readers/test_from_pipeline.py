"""A forest read from a pipeline routes samples of the columns that go in as the pipeline itself does."""

import importlib
import pickle
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.feature_selection import SelectFromModel, SelectKBest, VarianceThreshold
from sklearn.frozen import FrozenEstimator
from sklearn.impute import IterativeImputer, KNNImputer, MissingIndicator, SimpleImputer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

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
from hedgerow.features import Category, Column, ColumnWithGap, Output, Steps, Word
from hedgerow.rules.rule import Condition

SMALL = {"n_estimators": 8, "random_state": 0}
SCALERS = [StandardScaler(), MinMaxScaler(), MinMaxScaler((2, 5), clip=True), MaxAbsScaler(), RobustScaler()]


def own_leaves(model, X):
    table = model[:-1].transform(X)
    return np.asarray(model[-1].apply(table)).reshape(table.shape[0], -1)


def check(model, X, forest=None):
    """Leaves and answers are the pipeline's own, for every sample."""
    forest = read_forest(model) if forest is None else forest
    assert_array_equal(forest.apply(X), own_leaves(model, X))
    expected = model.predict_proba(X) if forest.classes is not None else model.predict(X)
    assert_allclose(forest.answer(X), expected, rtol=1e-6, atol=1e-12)
    return forest


def on_thresholds(forest, X, seed=0, most=3):
    """Return samples with up to so many numbers just on thresholds, or one float64 beside them."""
    rng = np.random.default_rng(seed)
    X = X.astype({"rooms": float}) if "rooms" in getattr(X, "columns", ()) else X.copy()
    nodes = forest.nodes
    inner = np.flatnonzero((nodes.left >= 0) & np.isfinite(nodes.threshold) & (nodes.category < 0))
    for i in range(len(X)):
        for node in rng.choice(inner, size=min(len(inner), most)):
            feature, t = forest.features[nodes.feature[node]], nodes.threshold[node]
            if hasattr(feature, "index"):
                value = rng.choice([t, np.nextafter(t, np.inf), np.nextafter(t, -np.inf)])
                if isinstance(X, pd.DataFrame):
                    X.iloc[i, feature.index] = value
                else:
                    X[i, feature.index] = value
    return X


def mixed(n=300, seed=0, missing=True):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.normal(40, 10, n).round(1),
            "income": rng.lognormal(10, 1, n),
            "color": rng.choice(["red", "blue", "green", "black"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "city": rng.choice(["Oslo", "Bergen"], n),
            "rooms": rng.integers(1, 6, n),
        }
    )
    y = np.where((X["age"] > 45) ^ (X["color"] == "red") ^ (X["rooms"] > 4), "yes", "no")
    if missing:
        X.loc[rng.random(n) < 0.1, "age"] = np.nan
        X.loc[rng.random(n) < 0.1, "color"] = np.nan
    return X, y


def numbers(n=200, seed=0, scale=1.0, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * scale + scale
    return X, np.digitize(X[:, 0] * np.sign(X[:, 1]) / scale, np.linspace(-1, 1, n_classes + 1)[1:-1])


def preparation():
    return ColumnTransformer(
        [
            ("num", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income", "rooms"]),
            (
                "cat",
                make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
                ["color", "city"],
            ),
        ]
    )


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
    with pytest.raises(InvalidDataError, match="another order"):
        forest.apply(X[X.columns[::-1]])


@pytest.mark.parametrize("scaler", SCALERS, ids=repr)
@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    scale=st.sampled_from([1e-38, 1e-30, 1e-3, 1.0, 1e6, 1e30]),
    depth=st.sampled_from([1, 3, None]),
    extra=st.booleans(),
)
def test_scaled_thresholds_are_the_same_comparison(scaler, seed, scale, depth, extra):
    X, y = numbers(40, seed, scale)
    assume(len(set(y)) == 2)
    kind = ExtraTreesClassifier if extra else RandomForestClassifier
    model = make_pipeline(scaler, kind(4, max_depth=depth, random_state=seed)).fit(X, y)
    forest = check(model, X)
    for k in range(3):
        check(model, on_thresholds(forest, X, seed + k), forest)
    # Where the formula would put the thresholds, and a few numbers beside.
    thresholds = model[-1].estimators_[0].tree_.threshold
    back = model[0].inverse_transform(np.repeat(thresholds[:, None], 3, axis=1))
    for steps in range(-3, 4):
        beside = back.copy()
        for _ in range(abs(steps)):
            beside = np.nextafter(beside, np.sign(steps) * np.inf)
        check(model, beside, forest)
    odd = np.array([0.0, -0.0, 1e-310, -1e-310, 3e37 * min(scale, 1), -3e37 * min(scale, 1)])
    check(model, np.repeat(odd[:, None], 3, axis=1), forest)


@pytest.mark.parametrize(
    "step",
    [
        KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf"),
        Binarizer(threshold=0.3),
        FunctionTransformer(np.negative),
        FunctionTransformer(np.floor),
        FunctionTransformer(),
        VarianceThreshold(),
        make_pipeline(StandardScaler(), FunctionTransformer(np.negative), MinMaxScaler(), RobustScaler()),
        make_pipeline(MinMaxScaler(), Binarizer(threshold=0.4)),
    ],
    ids=repr,
)
def test_other_steps_that_keep_the_order_exactly(step):
    X, y = numbers()
    model = make_pipeline(step, ExtraTreesClassifier(**SMALL)).fit(X, y)
    forest = check(model, X)
    assert all(type(f) is Column for f in forest.features)
    for seed in range(3):
        check(model, on_thresholds(forest, X, seed), forest)


@pytest.mark.parametrize(
    "step",
    [
        PowerTransformer(),
        PowerTransformer("box-cox"),
        QuantileTransformer(n_quantiles=20),
        QuantileTransformer(n_quantiles=20, output_distribution="normal"),
        FunctionTransformer(np.log1p),
        FunctionTransformer(np.log),
        FunctionTransformer(np.sqrt),
        FunctionTransformer(np.exp),
        FunctionTransformer(np.tanh),
        make_pipeline(FunctionTransformer(np.log), StandardScaler()),
    ],
    ids=repr,
)
def test_curved_steps_that_keep_the_order(step):
    X, y = numbers(400)
    X = np.abs(X) + 1e-3
    model = make_pipeline(step, RandomForestClassifier(**SMALL)).fit(X, y)
    forest = check(model, X)
    fresh = np.abs(numbers(5000, seed=1)[0]) + 1e-3
    check(model, fresh, forest)
    assert {f.name for f in forest.features} == {"x0", "x1", "x2"}
    # Their own rounding is not monotone: beside a threshold only a hair's breadth is promised.
    near = on_thresholds(forest, X, most=1)
    hair = np.where(near == X, 0, 64 * np.spacing(np.abs(near)))
    expected = [own_leaves(model, near + shift * hair) for shift in (-1, 0, 1)]
    assert (forest.apply(near) == expected).any(axis=0).all()


def test_what_is_outside_a_functions_domain_is_missing():
    X, y = numbers(300)
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make_pipeline(FunctionTransformer(np.log1p), RandomForestClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
    feature = next(f for f in forest.features if f.name == "x0")
    assert isinstance(feature, ColumnWithGap)
    assert feature.absence == "at most -1 or missing"
    assert feature.highest == np.nextafter(-1, -2)


def test_what_is_filled_is_not_what_is_outside_the_domain():
    X, y = numbers(300)
    X[::9, 0] = np.nan
    with np.errstate(invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        steps = [SimpleImputer(add_indicator=True), FunctionTransformer(np.log1p), StandardScaler()]
        model = make_pipeline(*steps, RandomForestClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
        check(model, on_thresholds(forest, X, most=1)[::9], forest)
        assert not any(isinstance(f, Output) for f in forest.features)
        later = make_pipeline(FunctionTransformer(np.log1p), SimpleImputer(), RandomForestClassifier(**SMALL)).fit(X, y)
        check(later, X)
        flags = FeatureUnion([("value", SimpleImputer()), ("missing", MissingIndicator())])
        check(make_pipeline(FunctionTransformer(np.log1p), flags, RandomForestClassifier(**SMALL)).fit(X, y), X)


def test_float32_samples_are_compared_within_their_rounding():
    X, y = numbers(2000)
    model = make_pipeline(StandardScaler(), RandomForestClassifier(**SMALL, max_depth=5)).fit(X, y)
    forest = read_forest(model)
    X32 = X.astype(np.float32)
    near = on_thresholds(forest, X32.astype(np.float64), most=1).astype(np.float32)
    hair = np.where(near == X32, 0, 4 * np.spacing(np.abs(near) + 1))
    with pytest.warns(UserWarning, match="less than float64 with: x0, x1, x2"):
        leaves = forest.apply(X32)
    assert_array_equal(leaves, own_leaves(model, X32))
    leaves = [forest.apply((near + shift * hair).astype(np.float64)) for shift in (-1, 0, 1)]
    assert (own_leaves(model, near) == leaves).any(axis=0).all()


@pytest.mark.parametrize(
    ("step", "dtype", "is_low"),
    [
        *(
            (StandardScaler(), dtype, dtype in ("float16", "float32"))
            for dtype in ("float16", "float32", "int8", "int64")
        ),
        *((FunctionTransformer(np.log1p), dtype, dtype != "int32") for dtype in ("bool", "uint8", "int16", "int32")),
        (make_pipeline(SimpleImputer(), FunctionTransformer(np.log1p)), "int16", False),
        (SimpleImputer(), "float32", False),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_columns_with_which_the_pipeline_computes_in_less_than_float64_are_named(step, dtype, is_low, kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 90, (200, 1)).astype(dtype)
    frame = X if kind is np.asarray else kind({"age": X[:, 0]})
    model = make_pipeline(step, RandomForestClassifier(**SMALL)).fit(frame, X[:, 0] > X.mean())
    forest = read_forest(model)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        forest.apply(frame)
    assert [w.filename for w in caught if "less than float64 with:" in str(w.message)] == [__file__] * is_low
    if not is_low:
        assert_array_equal(forest.apply(frame), own_leaves(model, frame))


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


def test_a_category_that_an_ordinal_encoder_refuses_is_refused():
    X, y = mixed(missing=False)
    model = make_pipeline(OrdinalEncoder(), RandomForestClassifier(**SMALL)).fit(X[["color", "city"]], y)
    with pytest.raises(InvalidDataError, match="color"):
        read_forest(model).apply(pd.DataFrame({"color": ["violet"], "city": ["Oslo"]}))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_target_encoding_has_an_output_a_class(n_classes):
    X, _ = mixed()
    y = np.arange(len(X)) % n_classes + (X["color"] == "red") * n_classes
    model = make_pipeline(TargetEncoder(), RandomForestClassifier(**SMALL))
    model.fit(X[["color", "city"]], y)
    check(model, X[["color", "city"]])


def test_conditions_on_categories_read_well():
    X, _ = mixed(missing=False)
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), tree).fit(X[["color"]], X["color"] == "red")
    split = read_forest(model)
    assert conditions(split) == ["color is not red", "color is red"]
    model = make_pipeline(OrdinalEncoder(), tree).fit(X[["color"]], X["color"].isin(["black", "blue"]))
    assert conditions(read_forest(model)) == ["color in {black, blue}", "color in {green, red}"]


def conditions(forest):
    """The two sides of the root of the first tree."""
    from hedgerow.candidates.pool import make_pool

    pool = make_pool(forest, "leaves")
    return [str(pool.rule(j).conditions[0]) for j in range(len(pool)) if pool.tree[j] == 0][:: max(1, len(pool) - 1)]


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


def test_a_column_without_any_value_is_left_out():
    X, y = numbers()
    X[:, 1] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make_pipeline(SimpleImputer(), StandardScaler(), RandomForestClassifier(**SMALL)).fit(X, y)
        assert {f.name for f in check(model, X).features} == {"x0", "x2"}


@pytest.mark.parametrize(
    "columns",
    [
        [["age", "rooms"], "income"],
        [[0, 4], slice(1, 2)],
        [slice("age", "income"), [True, False, False, False, True]],
        [make_column_selector(dtype_include="number"), ["age"]],
        [lambda frame: ["income"], np.array([0])],
        [[-1], [0, 1]],
    ],
    ids=["names", "numbers", "slice and mask", "selector", "callable and array", "from the end"],
)
def test_columns_chosen_in_every_way(columns):
    X, y = mixed(missing=False)
    first, second = columns
    second = [second] if isinstance(second, str) else second
    model = make_pipeline(
        ColumnTransformer([("a", StandardScaler(), first), ("b", MinMaxScaler(), second), ("c", "drop", ["city"])]),
        SelectKBest(k=2),
        RandomForestClassifier(**SMALL),
    ).fit(X, y)
    check(model, on_thresholds(check(model, X), X))


def test_the_rest_of_the_columns():
    X, y = mixed(missing=False)
    for rest in ("passthrough", StandardScaler()):
        columns = ColumnTransformer([("cat", OneHotEncoder(), ["color", "city"])], remainder=rest)
        model = make_pipeline(columns, RandomForestClassifier(**SMALL)).fit(X, y)
        forest = check(model, X)
        assert {f.name for f in forest.features} == set(X.columns)
        check(model, on_thresholds(forest, X), forest)


def test_nested_pipelines_selections_and_frames_between_steps():
    X, y = mixed()
    inside = ColumnTransformer(
        [("scaled", StandardScaler(), ["age"]), ("again", make_pipeline("passthrough", MinMaxScaler()), ["income"])],
        verbose_feature_names_out=False,
    )
    model = make_pipeline(
        ColumnTransformer(
            [
                ("num", make_pipeline(SimpleImputer(), inside), ["income", "age"]),
                ("cat", OneHotEncoder(sparse_output=False), make_column_selector(dtype_exclude="number")),
            ],
        ),
        SelectFromModel(DecisionTreeClassifier(random_state=0), threshold=-1, max_features=5),
        RandomForestClassifier(**SMALL),
    ).set_output(transform="pandas")
    model.fit(X, y)
    check(model, on_thresholds(check(model, X), X))


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


# What cannot be undone


class Sums(TransformerMixin, BaseEstimator):
    """A transformer of the user's own, without names."""

    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def transform(self, X):
        X = np.asarray(X)
        return np.column_stack([X[:, 0] + X[:, 1], X[:, 0] - X[:, 1]])


@pytest.mark.parametrize(
    ("steps", "names", "said"),
    [
        ([StandardScaler(), PCA(2)], {"pca0", "pca1"}, r"pca \(PCA\) computes pca"),
        ([PCA(2), StandardScaler()], {"pca0", "pca1"}, r"pca \(PCA\)"),
        ([PolynomialFeatures(2, interaction_only=True)], {"x0", "x1", "x2", "x0 x1", "x0 x2", "x1 x2"}, "x0 x1"),
        ([StandardScaler(), Sums()], {"sums0", "sums1"}, r"sums \(Sums\)"),
        ([KNNImputer()], {f"knnimputer__x{i}" for i in range(3)}, r"knnimputer \(KNNImputer\) computes knnimputer__x"),
        ([IterativeImputer(), StandardScaler()], {f"iterativeimputer__x{i}" for i in range(3)}, "IterativeImputer"),
        ([FunctionTransformer(np.square)], {"functiontransformer0"}, "FunctionTransformer"),
        ([FunctionTransformer(lambda X: X * 2)], {"functiontransformer0"}, "FunctionTransformer"),
        ([Normalizer()], {f"normalizer__x{i}" for i in range(3)}, "Normalizer"),
        ([FeatureUnion([("n", Normalizer()), ("p", "passthrough")])], {"n__x0", "x0"}, "Normalizer"),
        ([KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf")], {"x0_0.0"}, "KBinsDiscretizer"),
    ],
    ids=lambda given: "-".join(type(step).__name__ for step in given) if isinstance(given, list) else "",
)
def test_what_cannot_be_undone_is_computed_and_said(steps, names, said):
    X, y = numbers()
    model = make_pipeline(*steps, RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match=said) as caught:
        forest = read_forest(model)
    assert [warning.filename for warning in caught] == [__file__]
    assert names <= {f.name for f in forest.features}
    check(model, X, forest)


def test_the_warning_points_at_the_line_that_fits_a_list():
    X, y = numbers()
    with pytest.warns(UserWarning, match="PCA") as caught:
        RuleListClassifier(make_pipeline(PCA(2), RandomForestClassifier(**SMALL, max_depth=2)), max_rules=2).fit(X, y)
    assert {warning.filename for warning in caught} == {__file__}


def test_a_step_that_cannot_be_undone_runs_once_for_all_its_outputs():
    X, y = numbers()

    class Counted(PCA):
        runs = 0

        def transform(self, X):
            Counted.runs += 1
            return super().transform(X)

    model = make_pipeline(Counted(3), RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match="Counted"):
        forest = read_forest(model)
    Counted.runs = 0
    forest.apply(X)
    assert Counted.runs == 1


def test_computed_features_are_equal_when_read_again_or_pickled():
    X, y = numbers()
    model = make_pipeline(StandardScaler(), PCA(3), RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match="PCA"):
        forest, again = read_forest(model), read_forest(model)
    assert forest.features == again.features
    loaded = pickle.loads(pickle.dumps(forest))
    assert loaded.features == forest.features
    assert set(loaded.features) == set(forest.features)
    assert_array_equal(loaded.apply(X), forest.apply(X))


def test_equal_names_of_computed_columns_are_told_apart():
    X, y = numbers()
    X = np.column_stack([X, X[:, ::-1] ** 2])
    columns = ColumnTransformer([("one", PCA(1), [0, 1, 2]), ("two", PCA(1), [3, 4, 5])])
    model = make_pipeline(columns, RandomForestClassifier(**SMALL)).fit(X, y)
    with pytest.warns(UserWarning, match="one__pca0.*two__pca0"):
        forest = read_forest(model)
    assert {f.name for f in forest.features} == {"one__pca0", "two__pca0"}
    check(model, X, forest)


# Texts

TEXTS = ["please refund me now", "great product thanks", "refund refund please", "thanks a lot", "no refund please"]


def texts(n=120, seed=0):
    rng = np.random.default_rng(seed)
    words = ["refund", "thanks", "please", "product", "late", "great", "again"]
    found = [" ".join(rng.choice(words, size=rng.integers(1, 9))) for _ in range(n)]
    return found, np.array([("refund" in t) ^ ("late" in t) for t in found]).astype(int)


@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_words_are_contained_or_not(kind):
    found, y = texts()
    found = kind(found)
    model = make_pipeline(CountVectorizer(), RandomForestClassifier(**SMALL, max_depth=3)).fit(found, y)
    forest = check(model, found)
    assert all(isinstance(f, Word) for f in forest.features)
    stump = make_pipeline(CountVectorizer(), DecisionTreeClassifier(max_depth=1))
    labels = [int("refund" in text) for text in found]
    stump.fit(found, labels)
    assert conditions(read_forest(stump)) == ['text does not contain "refund"', 'text contains "refund"']
    assert conditions(read_forest(stump, ["note"])) == ['note does not contain "refund"', 'note contains "refund"']


def test_a_text_that_is_one_column_of_several():
    found, y = texts()
    X = pd.DataFrame({"amount": np.arange(len(found)) / 7, "message": found})
    columns = ColumnTransformer([("text", CountVectorizer(), "message"), ("num", StandardScaler(), ["amount"])])
    model = make_pipeline(columns, RandomForestClassifier(**SMALL)).fit(X, y)
    check(model, on_thresholds(check(model, X), X))
    stump = make_pipeline(columns, DecisionTreeClassifier(max_depth=1)).fit(X, ["refund" in t for t in found])
    assert conditions(read_forest(stump)) == ['message does not contain "refund"', 'message contains "refund"']


def test_counts_above_one_are_counts():
    found, _ = texts()
    y = [text.count("refund") > 1 for text in found]
    model = make_pipeline(CountVectorizer(), DecisionTreeClassifier(max_depth=1)).fit(found, y)
    assert conditions(check(model, found)) == ['count of "refund" <= 1', 'count of "refund" > 1']


@pytest.mark.parametrize("norm", ["l2", None])
def test_weights_of_words_are_contained_or_not_only_if_that_is_exact(norm):
    found, _ = texts()
    y = ["refund" in text for text in found]
    weigh = [TfidfVectorizer(norm=norm)], [CountVectorizer(), TfidfTransformer(norm=norm)]
    for steps in weigh:
        model = make_pipeline(*steps, DecisionTreeClassifier(max_depth=1)).fit(found, y)
        left, right = conditions(check(model, found))
        if norm is None:
            assert (left, right) == ('text does not contain "refund"', 'text contains "refund"')
        else:
            assert left.startswith('tf-idf of "refund" <= 0.')


def test_hashed_words_are_computed():
    found, y = texts()
    model = make_pipeline(HashingVectorizer(n_features=16), RandomForestClassifier(**SMALL)).fit(found, y)
    with pytest.warns(UserWarning, match="HashingVectorizer"):
        forest = read_forest(model)
    check(model, found, forest)


def test_of_many_words_only_those_in_the_trees_are_features():
    rng = np.random.default_rng(0)
    found = [" ".join(f"w{i}" for i in rng.integers(0, 10000, 100)) for _ in range(300)]
    model = make_pipeline(CountVectorizer(), RandomForestClassifier(20, max_depth=4, random_state=0))
    model.fit(found, rng.integers(0, 2, 300))
    forest = check(model, found)
    assert 0 < len(forest.features) <= 20 * 15


def test_a_list_of_rules_of_texts():
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


# Ensembles of other libraries behind a pipeline


LIBRARIES = [
    ("xgboost", "XGBClassifier", {"n_jobs": 1}),
    ("lightgbm", "LGBMClassifier", {"n_jobs": 1, "verbose": -1}),
    ("catboost", "CatBoostClassifier", {"thread_count": 1, "verbose": 0, "allow_writing_files": False}),
]


def ensemble_of(library, name, settings):
    return getattr(importlib.import_module(library), name)(n_estimators=6, max_depth=3, **settings)


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


# The estimators


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
    with pytest.raises(InvalidDataError, match="X has 2 features"):
        read_forest(model).apply(X[:, :2])
    with pytest.raises(InvalidDataError, match="X is a vector"):
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


def test_what_is_no_fitted_pipeline_of_trees_is_refused():
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
