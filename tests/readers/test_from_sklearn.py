"""A forest read from scikit-learn routes and answers as the model itself does."""

import copy

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from near_thresholds import around_thresholds
from numpy.testing import assert_allclose, assert_array_equal
from releases import needs
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from hedgerow import (
    Forest,
    InvalidDataError,
    InvalidParameterError,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)

BINARY = load_breast_cancer(return_X_y=True)
MULTI = load_wine(return_X_y=True)
REGRESSION = load_diabetes(return_X_y=True)
SKEWED = (REGRESSION[0], np.exp(REGRESSION[1] / 30) + 1)

SMALL = {"n_estimators": 12, "random_state": 0}

MODELS = [
    (DecisionTreeClassifier(random_state=0), MULTI),
    (ExtraTreeClassifier(random_state=0), MULTI),
    (DecisionTreeRegressor(random_state=0), REGRESSION),
    (DecisionTreeRegressor(criterion="poisson", max_depth=4), SKEWED),
    (RandomForestClassifier(**SMALL), BINARY),
    (RandomForestClassifier(**SMALL, class_weight="balanced", max_depth=3), MULTI),
    (RandomForestRegressor(**SMALL), SKEWED),
    (ExtraTreesClassifier(**SMALL), MULTI),
    (ExtraTreesRegressor(**SMALL, max_depth=4), REGRESSION),
    (GradientBoostingClassifier(**SMALL), BINARY),
    (GradientBoostingClassifier(**SMALL, loss="exponential", learning_rate=0.3), BINARY),
    (GradientBoostingClassifier(**SMALL, init=DummyClassifier(strategy="prior")), MULTI),
    (GradientBoostingRegressor(**SMALL, init="zero", subsample=0.5), SKEWED),
    (GradientBoostingRegressor(**SMALL, loss="quantile"), SKEWED),
    (HistGradientBoostingClassifier(max_iter=8), BINARY),
    (HistGradientBoostingClassifier(max_iter=8), MULTI),
    (HistGradientBoostingRegressor(max_iter=8), SKEWED),
    (HistGradientBoostingRegressor(max_iter=8, loss="poisson"), SKEWED),
    (HistGradientBoostingRegressor(max_iter=8, loss="gamma"), SKEWED),
    (AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), **SMALL), BINARY),
    (AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), **SMALL), MULTI),
    (AdaBoostRegressor(**SMALL), SKEWED),
    (BaggingClassifier(**SMALL), BINARY),
    (BaggingClassifier(**SMALL, max_features=0.4, max_samples=0.2, bootstrap_features=True), MULTI),
    (BaggingRegressor(**SMALL, max_features=0.5, max_samples=0.5), REGRESSION),
    (BaggingClassifier(**SMALL, max_features=1), MULTI),
    (BaggingRegressor(**SMALL), (REGRESSION[0][:, :1], REGRESSION[1])),
]
IDS = [f"{type(model).__name__}-{i}" for i, (model, _) in enumerate(MODELS)]


def own_leaves(model, X):
    """The model's own leaf assignment, of shape (n_samples, n_trees)."""
    if hasattr(model, "_predictors"):
        return _own_leaves_of_histogram_trees(model, X)
    if hasattr(model, "apply"):
        return np.asarray(model.apply(X)).reshape(len(X), -1)
    columns = getattr(model, "estimators_features_", [slice(None)] * len(model.estimators_))
    return np.column_stack([t.apply(X[:, c]) for t, c in zip(model.estimators_, columns, strict=True)])


def _own_leaves_of_histogram_trees(model, X):
    # There is no apply, but a tree whose leaves answer their own number is one.
    binned = model._preprocess_X(X, reset=False)
    known = model._bin_mapper.make_known_categories_bitsets()
    leaves = []
    for row in model._predictors:
        for predictor in row:
            numbered = copy.deepcopy(predictor)
            numbered.nodes["value"] = np.arange(len(numbered.nodes))
            leaves.append(numbered.predict(binned, *known, 1))
    return np.column_stack(leaves)


def raw_answer(model, X):
    if hasattr(model, "_predictors"):
        return model._raw_predict(X)
    if isinstance(model, GradientBoostingClassifier):
        return model.decision_function(X)
    if isinstance(model, AdaBoostClassifier):
        return model.decision_function(X)
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def final_answer(model, X):
    return model.predict_proba(X) if hasattr(model, "classes_") else model.predict(X)


def models_of(*tasks):
    """The models trained for one of these tasks, named by their kind."""
    return [
        pytest.param(*pair, id=name)
        for pair, name in zip(MODELS, IDS, strict=True)
        if any(pair[1][1] is task[1] for task in tasks)
    ]


def check_leaves_and_answers(model, data, **settings):
    """The forest routes and answers as the model itself does, on its data and around its thresholds."""
    model.fit(*data, **settings)
    forest = read_forest(model)
    for X in (data[0], around_thresholds(forest, data[0])):
        assert_array_equal(forest.apply(X), own_leaves(model, X))
        expected = raw_answer(model, X)
        assert_allclose(forest.predict(X).reshape(expected.shape), expected, rtol=1e-12, atol=1e-12)
        assert_allclose(forest.answer(X), final_answer(model, X), rtol=1e-10, atol=1e-12)
        if forest.classes is not None:
            assert_array_equal(forest.labels(X), model.predict(X))
    return forest


@pytest.mark.parametrize(("model", "data"), models_of(BINARY))
def test_binary(model, data):
    check_leaves_and_answers(model, data)


@pytest.mark.parametrize(("model", "data"), models_of(MULTI))
def test_multiclass(model, data):
    check_leaves_and_answers(model, data)


@pytest.mark.parametrize(("model", "data"), models_of(REGRESSION, SKEWED))
def test_regression(model, data):
    check_leaves_and_answers(model, data)


@pytest.mark.parametrize(
    "model",
    [RandomForestClassifier(**SMALL), HistGradientBoostingClassifier(max_iter=5), GradientBoostingClassifier(**SMALL)],
    ids=lambda model: type(model).__name__,
)
def test_weights(model):
    weights = np.random.default_rng(0).random(len(MULTI[1])) * (MULTI[1] + 1)
    check_leaves_and_answers(model, MULTI, sample_weight=weights)


@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(max_iter=100, early_stopping=True, n_iter_no_change=2, random_state=0),
        GradientBoostingClassifier(n_estimators=100, n_iter_no_change=2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_early_stopping(model):
    assert check_leaves_and_answers(model, BINARY).n_trees < 100


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=0),
        DecisionTreeRegressor(random_state=0),
        RandomForestClassifier(**SMALL),
        RandomForestRegressor(**SMALL),
        ExtraTreesClassifier(**SMALL),
        BaggingClassifier(**SMALL, max_features=0.7),
        HistGradientBoostingClassifier(max_iter=5),
        HistGradientBoostingRegressor(max_iter=5),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("trained_with_missing", [True, False])
def test_missing(model, trained_with_missing):
    X, y = MULTI
    rng = np.random.default_rng(0)
    holes = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    model.fit(holes if trained_with_missing else X, y)
    forest = read_forest(model)
    assert forest.inputs.allows_missing
    assert_array_equal(forest.apply(holes), own_leaves(model, holes))


@needs("scikit-learn", "1.7")
def test_a_split_on_missing_alone():
    # The value tells nothing, its absence everything: scikit-learn then splits at +inf.
    X = np.array([[1.0], [1.0], [1.0], [np.nan], [np.nan]])
    model = DecisionTreeClassifier().fit(X, [0, 0, 0, 1, 1])
    assert np.isinf(model.tree_.threshold[0])
    forest = read_forest(model)
    assert_array_equal(forest.apply(X).ravel(), model.apply(X))


def test_infinity_is_taken_by_histogram_boosting_only():
    X, y = MULTI
    X_inf = X.copy()
    X_inf[0, 0], X_inf[1, 1] = np.inf, -np.inf
    model = HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    assert_array_equal(read_forest(model).apply(X_inf), own_leaves(model, X_inf))
    with pytest.raises(InvalidDataError, match="infinity"):
        read_forest(RandomForestClassifier(5).fit(X, y)).apply(X_inf)
    X_nan = X.copy()
    X_nan[3, 2] = np.nan
    with pytest.raises(InvalidDataError, match=r"NaN \(missing values\) in: x2"):
        read_forest(GradientBoostingClassifier(n_estimators=5).fit(X, y)).apply(X_nan)


def categories(n=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, n),
            "color": pd.Categorical(rng.choice(["red", "blue", "green", "black"], n)),
            "size": rng.choice([1.0, 2.0, 3.0], n),
            "shape": pd.Categorical(rng.choice(["round", "square"], n)),
        }
    )
    y = frame["color"].isin(["red", "black"]) ^ (frame["age"] > 45) ^ (frame["shape"] == "round")
    return frame, np.where(y, "yes", "no")


def test_categorical():
    X, y = categories()
    X.loc[::17, "color"] = None
    model = HistGradientBoostingClassifier(max_iter=10, categorical_features="from_dtype").fit(X, y)
    forest = read_forest(model)
    assert (forest.nodes.category >= 0).any()
    assert [f.name for f in forest.features] == ["age", "color", "size", "shape"]
    # A category that training never saw is missing to the model.
    new = X.copy()
    new["color"] = new["color"].astype(object).where(np.arange(len(X)) % 5 > 0, "violet").astype("category")
    for frame in (X, new):
        assert_array_equal(forest.apply(frame), own_leaves(model, frame))
        assert_allclose(forest.answer(frame), model.predict_proba(frame), atol=1e-12)


def test_categories_of_a_polars_frame():
    X, y = categories()
    frame = pl.DataFrame({name: X[name].tolist() for name in X}).with_columns(
        pl.col("color").cast(pl.Categorical), pl.col("shape").cast(pl.Categorical)
    )
    model = HistGradientBoostingClassifier(max_iter=10, categorical_features=["color", "shape"]).fit(frame, y)
    assert_array_equal(read_forest(model).apply(frame), own_leaves(model, frame))


def test_categories_as_numbers_in_an_array():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=400), rng.integers(2, 9, 400), rng.normal(size=400)])
    y = np.isin(X[:, 1], [3, 5, 8]) * 2.0 + X[:, 0]
    model = HistGradientBoostingRegressor(max_iter=10, categorical_features=[1]).fit(X, y)
    X[:5, 1], X[5:9, 1] = np.nan, 77
    assert_array_equal(read_forest(model).apply(X), own_leaves(model, X))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(5, 60),
    scale=st.sampled_from([1e-30, 1e-3, 1.0, 1e6, 1e30]),
    repeats=st.booleans(),
    depth=st.sampled_from([1, 3, None]),
    kind=st.sampled_from(["forest", "extra", "boosting", "histogram", "ada"]),
)
def test_leaves_on_drawn_models(seed, n, scale, repeats, depth, kind):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * scale
    X = np.round(X / scale, 1) * scale if repeats else X
    y = np.exp(rng.normal(size=n) + X[:, 0] / scale)
    model = {
        "forest": RandomForestRegressor(3, max_depth=depth, random_state=seed),
        "extra": ExtraTreesRegressor(3, max_depth=depth, random_state=seed),
        "boosting": GradientBoostingRegressor(n_estimators=3, max_depth=depth, random_state=seed),
        "histogram": HistGradientBoostingRegressor(max_iter=3, min_samples_leaf=2, max_depth=depth),
        "ada": AdaBoostRegressor(DecisionTreeRegressor(max_depth=depth), n_estimators=3, random_state=seed),
    }[kind].fit(X, y)
    forest = read_forest(model)
    if forest.nodes.depth.max() == 0:
        return
    probes = around_thresholds(forest, X, 50)
    assert_array_equal(forest.apply(probes), own_leaves(model, probes))
    assert_allclose(forest.answer(probes), model.predict(probes), rtol=1e-9)


def test_weights_of_the_trees():
    X, y = BINARY
    boosted = GradientBoostingClassifier(n_estimators=4, learning_rate=0.2).fit(X, y)
    assert_array_equal(read_forest(boosted).tree_weights, [0.2] * 4)
    ada = AdaBoostClassifier(n_estimators=4).fit(X, y)
    assert_array_equal(read_forest(ada).tree_weights, ada.estimator_weights_)
    assert_array_equal(read_forest(RandomForestClassifier(4).fit(X, y)).tree_weights, [1.0] * 4)


@pytest.mark.parametrize("labels", [np.array(["a", "b", "c"]), np.array([7, -1, 3]), np.array([True, False, True])])
def test_labels_of_any_kind(labels):
    X, y = MULTI
    model = RandomForestClassifier(5, random_state=0).fit(X, labels[y])
    assert_array_equal(read_forest(model).classes, model.classes_)


def test_names_come_from_pandas_polars_or_the_caller():
    X, y = MULTI
    names = [f"the column {i}" for i in range(X.shape[1])]
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        forest = read_forest(RandomForestClassifier(3).fit(frame, y))
        assert [f.name for f in forest.features] == names
        assert_array_equal(forest.apply(frame), forest.apply(X))
    plain = RandomForestClassifier(3).fit(X, y)
    assert [f.name for f in read_forest(plain).features][:2] == ["x0", "x1"]
    assert [f.name for f in read_forest(plain, names).features] == names
    with pytest.raises(InvalidParameterError, match="2 feature names for an ensemble of 13"):
        read_forest(plain, ["a", "b"])


def test_a_union_of_forests_routes_as_each_does_alone():
    X, y = MULTI
    one = RandomForestClassifier(4, random_state=0).fit(X, y)
    other = HistGradientBoostingClassifier(max_iter=3).fit(X, y)  # compares in the other precision
    both = read_forest([one, other])
    probes = around_thresholds(both, X)
    expected = np.column_stack([own_leaves(one, probes), own_leaves(other, probes)])
    assert_array_equal(both.apply(probes), expected)
    assert_allclose(both.answer(X), (one.predict_proba(X) + other.predict_proba(X)) / 2, atol=1e-12)


def test_a_union_needs_the_same_columns_and_classes():
    X, y = MULTI
    model = RandomForestClassifier(2).fit(X, y)
    with pytest.raises(InvalidDataError, match="same columns"):
        read_forest([model, RandomForestClassifier(2).fit(X[:, :3], y)])
    with pytest.raises(InvalidDataError, match="same classes"):
        read_forest([model, RandomForestClassifier(2).fit(X, y + 1)])
    with pytest.raises(InvalidParameterError, match="empty"):
        read_forest([])


def test_a_subclass_a_frozen_model_and_a_forest_are_read():
    class Mine(RandomForestClassifier):
        pass

    model = Mine(3).fit(*MULTI)
    forest = read_forest(model)
    assert isinstance(forest, Forest)
    assert read_forest(FrozenEstimator(model)).n_trees == 3
    assert read_forest(forest) is forest


@pytest.mark.parametrize("model", [RandomForestClassifier(), FrozenEstimator(DecisionTreeRegressor())])
def test_an_unfitted_model_is_refused(model):
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        read_forest(model)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LogisticRegression(max_iter=10000), "Cannot read a LogisticRegression.*RandomForestClassifier"),
        (IsolationForest(n_estimators=3), "Cannot read an IsolationForest"),
        (BaggingClassifier(LogisticRegression(max_iter=10000), n_estimators=2), "has a LogisticRegression"),
        (AdaBoostRegressor(LinearRegression(), n_estimators=2), "has a LinearRegression"),
        (GradientBoostingClassifier(n_estimators=2, init=DecisionTreeClassifier()), "init=DecisionTreeClassifier"),
    ],
)
def test_what_has_no_rules_is_refused(model, message):
    X, y = BINARY
    with pytest.raises(UnsupportedModelError, match=message):
        read_forest(model.fit(X / X.std(axis=0), y))


def test_several_outputs_are_refused():
    X, y = REGRESSION
    with pytest.raises(UnsupportedModelError, match="several outputs"):
        read_forest(RandomForestRegressor(2).fit(X, np.column_stack([y, y])))


def test_an_object_that_is_not_a_model_is_refused():
    with pytest.raises(UnsupportedModelError, match=r"Cannot read a dict\. Readers exist for: sklearn"):
        read_forest({"a": 1})


@pytest.mark.parametrize(
    "model", [GradientBoostingClassifier(n_estimators=1), HistGradientBoostingClassifier(max_iter=1)]
)
def test_a_tie_goes_where_the_library_sends_it(model):
    X, y = np.zeros((40, 1)), [0, 1] * 20
    assert_array_equal(read_forest(model.fit(X, y)).labels(X), model.predict(X))


def test_a_list_of_rows_is_checked_like_an_array():
    forest = read_forest(RandomForestClassifier(3).fit(*MULTI))
    with pytest.raises(InvalidDataError, match="X has 2 columns"):
        forest.apply([[1.0, 2.0]])
    with pytest.raises(InvalidDataError, match=r"LazyFrame.*collect"):
        forest.apply(pl.DataFrame(MULTI[0]).lazy())


class TreeOfCategories:
    """A fitted tree as scikit-learn stores it after 1.9: its nodes also have the set of categories that go left."""

    def __init__(self, tree, left_categories):
        self.tree = tree
        old = tree.__getstate__()["nodes"]
        self.nodes = np.zeros(len(old), dtype=[*old.dtype.descr, ("left_cat_bitset", np.uint32, (8,))])
        for name in old.dtype.names:
            self.nodes[name] = old[name]
        self.nodes["left_cat_bitset"][0, 0] = sum(1 << code for code in left_categories)

    def __getattr__(self, name):
        return getattr(self.tree, name)

    def __getstate__(self):
        return self.tree.__getstate__() | {"nodes": self.nodes}


@pytest.mark.parametrize("of_forest", [False, True])
def test_native_categories_are_refused_rather_than_read_as_thresholds(of_forest):
    X, y = MULTI
    model = RandomForestClassifier(2, max_depth=2, random_state=0) if of_forest else DecisionTreeClassifier(max_depth=2)
    model.fit(X, y)
    members = model.estimators_ if of_forest else [model]
    plain = [member.tree_ for member in members]
    for member in members:
        member.tree_ = TreeOfCategories(member.tree_, [])
    assert_array_equal(read_forest(model).predict(X), model.predict_proba(X))
    members[-1].tree_ = TreeOfCategories(plain[-1], [0, 2])
    with pytest.raises(UnsupportedModelError, match=r"splits on categories natively.* behind an OrdinalEncoder"):
        read_forest(model)
    members[-1].tree_ = TreeOfCategories(plain[-1], [])
    model.is_categorical_ = np.arange(X.shape[1]) == 2
    with pytest.raises(UnsupportedModelError, match="without categorical_features"):
        read_forest(model)


def test_boosting_that_knows_a_single_class_is_read():
    X = np.array([[0.0], [1.0], [2.0]])
    model = AdaBoostClassifier(n_estimators=3).fit(X, [7, 7, 7])
    assert_allclose(read_forest(model).predict(X), model.predict_proba(X))


@pytest.mark.parametrize("missing_left", [False, True])
def test_thresholds_that_are_nan_part_missing_values_as_the_library_does(missing_left):
    # scikit-learn before 1.9 makes such splits; here, one is written into a tree.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    X[rng.random(X.shape) < 0.2] = np.nan
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, rng.integers(0, 2, 200))
    state = model.tree_.__getstate__()
    state["nodes"]["threshold"][0], state["nodes"]["missing_go_to_left"][0] = np.nan, missing_left
    model.tree_.__setstate__(state)
    leaves = model.apply(X)
    assert len(np.unique(leaves)) == (4 if missing_left else 2)
    assert_array_equal(read_forest(model).apply(X)[:, 0], leaves)
