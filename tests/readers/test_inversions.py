"""A threshold or a category on the output of a transformer is the same comparison on its input."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pipelines import SCALERS, SMALL, binned, check, conditions, mixed, numbers, on_thresholds, own_leaves
from scipy.stats import boxcox
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)
from sklearn.tree import DecisionTreeClassifier

from hedgerow import (
    InvalidDataError,
    read_forest,
)
from hedgerow.features import Column
from hedgerow.readers.inversions import Encode, Fill, Flag, Move, moves_of, unseen


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
        binned(4, encode="ordinal"),
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


def test_a_category_that_an_ordinal_encoder_refuses_is_refused():
    X, y = mixed(missing=False)
    model = make_pipeline(OrdinalEncoder(), RandomForestClassifier(**SMALL)).fit(X[["color", "city"]], y)
    with pytest.raises(InvalidDataError, match="color"):
        read_forest(model).apply(pd.DataFrame({"color": ["violet"], "city": ["Oslo"]}))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_target_encoding_has_one_output_per_class(n_classes):
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


def test_a_column_without_any_value_is_left_out():
    X, y = numbers()
    X[:, 1] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make_pipeline(SimpleImputer(), StandardScaler(), RandomForestClassifier(**SMALL)).fit(X, y)
        assert {f.name for f in check(model, X).features} == {"x0", "x2"}


TABLE = np.array([[1.0, 10.0, 5.0], [2.0, 20.0, 5.0], [4.0, 50.0, 5.0]])


def test_a_selection_moves_columns():
    selected = moves_of(VarianceThreshold().fit(TABLE), 3)
    assert [(type(move), move.source) for move in selected] == [(Move, 0), (Move, 1)]


def test_an_imputer_fills_and_then_flags():
    holes = np.where(TABLE == 20, np.nan, TABLE)
    made = moves_of(SimpleImputer(add_indicator=True).fit(holes), 3)
    assert [(type(move), move.source) for move in made] == [(Fill, 0), (Fill, 1), (Fill, 2), (Flag, 1)]
    assert made[1].value == 30
    assert made[3].objects(np.array([None, 3.0], dtype=object)).tolist() == [1, 0]


def test_products_of_columns_cannot_be_inverted_but_the_columns_beside_them_can():
    made = moves_of(PolynomialFeatures(2, interaction_only=True, include_bias=False).fit(TABLE[:, :2]), 2)
    assert [None if move is None else move.source for move in made] == [0, 1, None]


@pytest.mark.parametrize("step", [FunctionTransformer(np.square), binned(2), PCA(2)])
def test_a_transformer_that_is_not_monotone_by_column_has_no_moves(step):
    assert moves_of(step.fit(TABLE[:, :2]), 2) is None


def test_a_subclass_may_transform_differently_and_has_no_moves():
    class Mine(StandardScaler):
        pass

    Mine.__module__ = "mine"
    assert moves_of(Mine().fit(TABLE), 3) is None


def test_an_encoder_is_evaluated_on_each_category_a_missing_value_and_an_unknown_one():
    colors = np.array([["blue"], ["red"], [np.nan]], dtype=object)
    blue, red = moves_of(OneHotEncoder(handle_unknown="ignore").fit(colors), 1)[:2]
    assert isinstance(red, Encode)
    assert red.categories == ["blue", "red"]
    assert red.names_others
    values = np.array(["red", "blue", np.nan, "violet"], dtype=object)
    assert red.objects(values).tolist() == [1, 0, 0, 0]
    assert blue.objects(values).tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("known", [["a", "b"], [1, 2.5], [True, False], []])
def test_an_unseen_value_is_none_of_the_known(known):
    assert unseen(known) not in known


def test_numbers_that_box_cox_is_not_defined_for_are_missing_after_it():
    X = np.abs(numbers()[0]) + 0.1
    (move, *_) = moves_of(PowerTransformer("box-cox", standardize=False).fit(X), 3)
    found = move.numbers([move], np.array([[-1.0], [0.0], [0.5], [3.0]]))[:, 0]
    assert np.isnan(found[:2]).all()
    np.testing.assert_allclose(found[2:], boxcox([0.5, 3.0], move.step.lambdas_[0]))
