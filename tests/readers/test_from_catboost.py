"""A forest read from CatBoost routes and answers as the model itself does."""

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from catboost import CatBoost, CatBoostClassifier, CatBoostRanker, CatBoostRegressor, Pool, sum_models
from hypothesis import example, given, settings
from hypothesis import strategies as st
from near_thresholds import around_thresholds
from numpy.testing import assert_allclose, assert_array_equal
from releases import needs
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags

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
from hedgerow.candidates.pool import make_pool
from hedgerow.features import HashedCategory
from hedgerow.features.cityhash import city_hash

BINARY = load_breast_cancer(return_X_y=True)
MULTI = load_wine(return_X_y=True)
REGRESSION = load_diabetes(return_X_y=True)
SKEWED = (REGRESSION[0], np.exp(REGRESSION[1] / 50) + 1)

SMALL = {"iterations": 8, "depth": 4, "verbose": 0, "thread_count": 1, "allow_writing_files": False, "random_seed": 0}
CATEGORIES = ["color", "rooms", "member", "size"]
ONE_HOT = {**SMALL, "cat_features": CATEGORIES, "one_hot_max_size": 10}

POLICIES = pytest.mark.parametrize("policy", ["SymmetricTree", "Depthwise", "Lossguide"])
EXTREMES = np.array([0.0, -0.0, 1e-40, -1e-40, 1e-30, 1e38, -1e38, 3.4e38, -3.4e38, 1e39, np.inf, -np.inf, np.nan])


def own_leaves(model, X, tmp_path=None):
    """The model's own leaf assignment; a model that is not symmetric numbers its leaves in order once it was saved."""
    if tmp_path is not None:
        model.save_model(str(tmp_path / "leaves.json"), format="json")
        model = CatBoost().load_model(str(tmp_path / "leaves.json"), format="json")
    return model.calc_leaf_indexes(X)


def read_leaves(forest, X):
    """The forest's leaves, counted from 0 in each tree."""
    return forest.apply(X) - np.array([tree.n_nodes - tree.n_leaves for tree in forest.trees])


def raw_answer(model, X):
    return CatBoost.predict(model, X, prediction_type="RawFormulaVal")  # a ranker's own predict does not let choose


def check(model, X, tmp_path):
    """Leaves, raw answer, answer and labels of a fitted model, on X and around its thresholds."""
    forest = read_forest(model)
    for rows in (X, around_thresholds(forest, X, extremes=EXTREMES)):
        assert_array_equal(read_leaves(forest, rows), own_leaves(model, rows, tmp_path))
        expected = raw_answer(model, rows)
        assert_allclose(forest.predict(rows).reshape(expected.shape), expected, rtol=1e-9, atol=1e-12)
        if forest.classes is None:
            assert_allclose(forest.answer(rows), model.predict(rows), rtol=1e-9, atol=1e-12)
        else:
            assert_allclose(forest.answer(rows), model.predict_proba(rows), rtol=1e-9, atol=1e-12)
            assert_array_equal(forest.labels(rows), model.predict(rows).ravel())
            assert_array_equal(forest.classes, model.classes_)
    return forest


@POLICIES
@pytest.mark.parametrize("loss", ["Logloss", "CrossEntropy", "Focal:focal_alpha=0.3;focal_gamma=2", "MultiClass"])
def test_binary(policy, loss, tmp_path):
    X, y = BINARY
    forest = check(CatBoostClassifier(loss_function=loss, grow_policy=policy, **SMALL).fit(X, y), X, tmp_path)
    assert forest.n_trees == SMALL["iterations"]


@POLICIES
@pytest.mark.parametrize("loss", ["MultiClass", "MultiClassOneVsAll"])
def test_multiclass(policy, loss, tmp_path):
    X, y = MULTI
    labels = np.array(["low", "middle", "high"])[y]
    check(CatBoostClassifier(loss_function=loss, grow_policy=policy, **SMALL).fit(X, labels), X, tmp_path)


@POLICIES
@pytest.mark.parametrize(
    "loss",
    ["RMSE", "MAE", "Quantile:alpha=0.8", "Poisson", "Tweedie:variance_power=1.5", "MAPE", "Huber:delta=1", "LogCosh"],
)
def test_regression(policy, loss, tmp_path):
    X, y = SKEWED
    forest = check(CatBoostRegressor(loss_function=loss, grow_policy=policy, **SMALL).fit(X, y), X, tmp_path)
    assert forest.link == ("exp" if loss.startswith(("Poisson", "Tweedie")) else "identity")


def test_a_ranker_is_a_regression(tmp_path):
    X, y = MULTI
    model = CatBoostRanker(**SMALL).fit(X, y, group_id=np.arange(len(X)) // 10)
    assert check(model, X, tmp_path).classes is None


@POLICIES
@pytest.mark.parametrize(
    ("mode", "trained_with_missing"),
    [("Min", True), ("Max", True), ("Min", False), ("Max", False), ("Forbidden", False)],
)
def test_missing(policy, mode, trained_with_missing, tmp_path):
    X, y = MULTI
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    model = CatBoostClassifier(nan_mode=mode, grow_policy=policy, **SMALL).fit(holes if trained_with_missing else X, y)
    assert read_forest(model).inputs.allows_missing
    check(model, holes, tmp_path)


@pytest.mark.parametrize("mode", ["Min", "Max"])
def test_a_split_on_missing_alone_reads_so(mode, tmp_path):
    X = np.array([[1.0], [1.0], [np.nan], [np.nan]] * 10)
    y = np.isnan(X[:, 0]).astype(int)
    model = CatBoostClassifier(nan_mode=mode, **{**SMALL, "depth": 1}).fit(X, y)
    check(model, X, tmp_path)
    pool = make_pool(read_forest(model), "leaves")
    assert sorted({str(pool.rule(j)) for j in range(len(pool))}) == ["x0 is missing", "x0 is not missing"]


def houses(n=400, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, n).round(1),
            "color": rng.choice(["red", "blue", "grün", ""], n),
            "rooms": rng.integers(-1, 6, n),
            "member": rng.random(n) < 0.5,
            "size": pd.Categorical(rng.choice(["a size with a name of 33 letters.", "M", "L" * 70], n)),
        }
    )
    frame.loc[::7, "age"] = np.nan
    y = (frame["color"] == "red") ^ (frame["rooms"] == 3) ^ frame["age"].isna() ^ (frame["size"] == "M")
    return frame, np.where(y, "yes", "no")


@POLICIES
@pytest.mark.parametrize("kind", ["object", "string", "category", "array"])
def test_categorical(policy, kind, tmp_path):
    X, y = houses()
    # Categories that training never saw are none of those it did.
    new = X.assign(color=np.where(np.arange(len(X)) % 5, X["color"], "violet"), rooms=X["rooms"] + 2)
    new["size"] = new["size"].astype(object).where(np.arange(len(X)) % 3 > 0, "XL").astype("category")
    settings = {**ONE_HOT, "iterations": 20, "grow_policy": policy}
    if kind == "array":
        X, new = X.to_numpy(dtype=object), new.to_numpy(dtype=object)
        settings["cat_features"] = [1, 2, 3, 4]
    else:
        X, new = X.astype({"color": kind}), new.astype({"color": kind})
    model = CatBoostClassifier(**settings).fit(X, y)
    forest = read_forest(model)
    assert {f.index for f in forest.features if isinstance(f, HashedCategory)} == {1, 2, 3, 4}
    assert (forest.nodes.category >= 0).any()
    for rows in (X, new):
        assert_array_equal(read_leaves(forest, rows), own_leaves(model, rows, tmp_path))
        assert_allclose(forest.answer(rows), model.predict_proba(rows), rtol=1e-9)


@needs("catboost", "1.2.10")
def test_categories_of_other_kinds_than_in_training():
    X, y = houses()
    model = CatBoostClassifier(**ONE_HOT).fit(X, y)
    forest, leaves = read_forest(model), model.calc_leaf_indexes(X)
    as_text = X.astype({"rooms": str, "member": int}).astype({"member": str})
    small = X.astype({"rooms": "int8", "member": "category", "color": "category"})
    whole = X.astype({"rooms": "Int64", "member": "boolean"})
    polars = pl.DataFrame({name: X[name].tolist() for name in X})
    for rows in (as_text, small, whole, polars):
        assert_array_equal(model.calc_leaf_indexes(rows), leaves)
        assert_array_equal(read_leaves(forest, rows), leaves)


def test_categories_are_shown_by_name_once_data_were_seen():
    X, y = houses()
    forest = read_forest(CatBoostClassifier(**{**ONE_HOT, "iterations": 40}).fit(X, y))
    hashed = forest.features[1]
    assert all(re.fullmatch("#[0-9a-f]{8}", name) for name in hashed.categories)
    named = forest.with_values_seen(X)
    assert named.features == forest.features  # the splits are the same
    assert set(named.features[1].categories) <= set(X["color"])
    assert set(named.features[2].categories) <= set(range(-1, 6))
    assert_array_equal(named.apply(X), forest.apply(X))


@pytest.mark.parametrize(("column", "bad"), [("color", None), ("color", np.nan), ("rooms", 2.5), ("rooms", pd.NA)])
def test_a_category_that_is_missing_or_not_an_integer_is_refused(column, bad):
    X, y = houses()
    forest = read_forest(CatBoostClassifier(**ONE_HOT).fit(X, y))
    X[column] = X[column].astype(object)
    X.loc[3, column] = bad
    with pytest.raises(InvalidDataError, match=f"categorical column {column} contains.*strings"):
        forest.apply(X)


def test_the_hash_is_the_librarys(tmp_path):
    rng = np.random.default_rng(0)
    texts = ["é", "日本語", *("".join(chr(c) for c in rng.integers(97, 123, size)) for size in range(1, 200))]
    pool = Pool(pd.DataFrame({"c": texts}), np.arange(len(texts)) % 2, cat_features=["c"])
    model = CatBoostClassifier(**{**SMALL, "iterations": 1}, one_hot_max_size=1000).fit(pool)
    model.save_model(str(tmp_path / "model.py"), format="python", pool=pool)
    listed = re.findall(r'^    "([a-z]+)": (-?\d+),$', (tmp_path / "model.py").read_text(encoding="utf-8"), re.M)
    assert len(listed) == 199
    for text, expected in listed:
        assert city_hash(text.encode()) % 2**32 == int(expected) % 2**32
    codes = HashedCategory.of(0, "c", [city_hash(t.encode()) % 2**32 for t in texts]).compute(np.array([texts]).T)
    assert_array_equal(codes, np.arange(len(texts)))


def test_weights(tmp_path):
    X, y = MULTI
    weight = np.random.default_rng(0).exponential(size=len(X))
    check(CatBoostClassifier(**SMALL).fit(X, y, sample_weight=weight), X, tmp_path)
    check(CatBoostClassifier(class_weights=[1, 5, 0.1], **SMALL).fit(X, y), X, tmp_path)
    check(CatBoostClassifier(auto_class_weights="Balanced", **SMALL).fit(X, y), X, tmp_path)
    check(CatBoostRegressor(**SMALL).fit(X, X[:, 0] ** 3, sample_weight=weight), X, tmp_path)


@pytest.mark.parametrize("suffix", ["json", "cbm"])
@POLICIES
def test_native_file(suffix, policy, tmp_path):
    X, y = houses()
    model = CatBoostClassifier(**ONE_HOT, grow_policy=policy).fit(X, y)
    path = tmp_path / f"model.{suffix}"
    model.save_model(str(path), format=suffix)
    forest = read_forest(path)
    assert_array_equal(read_leaves(forest, X), own_leaves(model, X, tmp_path))
    assert_allclose(forest.answer(X), model.predict_proba(X), rtol=1e-9)
    assert_array_equal(forest.classes, model.classes_)
    assert forest.inputs.names == list(X)
    assert [f.name for f in read_forest(str(path), feature_names="abcde").features] == list("abcde")
    rules = RuleListClassifier(str(path), max_rules=6).fit(X, y)
    assert rules.score(X, y) > 0.6


@pytest.mark.parametrize("suffix", ["json", "cbm"])
def test_native_file_of_every_task(suffix, tmp_path):
    for model, (X, y) in (
        (CatBoostClassifier(loss_function="MultiClassOneVsAll", **SMALL), MULTI),
        (CatBoostRegressor(loss_function="Poisson", **SMALL), SKEWED),
    ):
        path = tmp_path / f"model.{suffix}"
        model.fit(X, y).save_model(str(path), format=suffix)
        assert_allclose(read_forest(path).answer(X), read_forest(model).answer(X), rtol=1e-12)


def test_early_stopping(tmp_path):
    X, y = BINARY
    model = CatBoostClassifier(**{**SMALL, "iterations": 300, "learning_rate": 0.5}, early_stopping_rounds=5)
    model.fit(X[:300], y[:300], eval_set=(X[300:], y[300:]))
    assert model.tree_count_ == model.best_iteration_ + 1 < 300
    assert check(model, X, tmp_path).n_trees == model.tree_count_
    model.shrink(3)
    assert check(model, X, tmp_path).n_trees == 3


def test_scale_bias_and_the_threshold_of_probability(tmp_path):
    X, y = BINARY
    model = CatBoostClassifier(**SMALL).fit(X, y)
    model.set_scale_and_bias(0.3, -0.2)
    model.set_probability_threshold(0.7)
    assert_array_equal(check(model, X, tmp_path).tree_weights, [0.3] * SMALL["iterations"])


@pytest.mark.filterwarnings("ignore:Found only")
def test_a_class_that_training_never_saw(tmp_path):
    X, y = MULTI
    for announced in ({"class_names": ["d", "b", "a", "c"]}, {"classes_count": 5}):
        labels = np.array(["a", "c", "d"])[y] if "class_names" in announced else 2 * y
        model = CatBoostClassifier(**SMALL, **announced).fit(X, labels)
        check(model, X, tmp_path)


@pytest.mark.parametrize("labels", [["b", "a"], [7, -1], [True, False], [2.0, 1.0]])
def test_labels_of_any_kind(labels, tmp_path):
    X, y = BINARY
    model = CatBoostClassifier(**SMALL).fit(X, np.array(labels)[y])
    forest = read_forest(model)
    assert_array_equal(forest.classes, model.classes_)
    assert forest.classes.dtype == model.classes_.dtype
    assert sorted(forest.classes.tolist()) == sorted(labels)
    rules = RuleListClassifier(model, max_rules=4).fit(X, np.array(labels)[y])
    assert set(rules.predict(X)) <= set(labels)


def test_a_tie_goes_where_the_library_sends_it():
    X, y = np.arange(40.0)[:, None] % 2, np.array([0, 0, 1, 1] * 10)
    model = CatBoostClassifier(**SMALL).fit(X, y)
    assert_allclose(model.predict_proba(X), 0.5)
    assert_array_equal(read_forest(model).labels(X), model.predict(X))


def test_a_sum_of_models():
    X, y = BINARY
    models = [CatBoostClassifier(**{**SMALL, "random_seed": seed}).fit(X, y) for seed in (0, 1)]
    total = sum_models(models, weights=[0.5, 0.25])
    forest = read_forest(total)
    assert_allclose(forest.predict(X)[:, 0], raw_answer(total, X), rtol=1e-9)
    assert forest.link == "logistic"


def test_the_plain_class(tmp_path):
    X, y = SKEWED
    model = CatBoost({"loss_function": "RMSE", **SMALL}).fit(X, y)
    check(model, X, tmp_path)
    assert RuleListRegressor(model, max_rules=4).fit(X, y).score(X, y) > 0.1
    with pytest.raises(InvalidParameterError, match="CatBoost cannot be cloned"):
        RuleListRegressor(CatBoost({"loss_function": "RMSE", **SMALL})).fit(X, y)


def test_columns_that_no_tree_looks_at(tmp_path):
    X, y = REGRESSION
    padded = np.column_stack([np.zeros(len(X)), X[:, :3], np.ones(len(X))])
    model = CatBoostRegressor(**SMALL).fit(padded, y)
    assert check(model, padded, tmp_path).n_features == 5
    model.drop_unused_features()
    assert read_forest(model).n_features == 5


def test_names_come_from_the_frame_or_the_caller():
    X, y = MULTI
    names = [f"größe {i}" for i in range(X.shape[1])]
    forest = read_forest(CatBoostClassifier(**SMALL).fit(pd.DataFrame(X, columns=names), y))
    assert [f.name for f in forest.features] == names
    with pytest.raises(InvalidDataError, match="trained on different columns"):
        forest.apply(pd.DataFrame(X))
    plain = CatBoostClassifier(**SMALL).fit(X, y)
    assert [f.name for f in read_forest(plain).features][:2] == ["x0", "x1"]
    assert [f.name for f in read_forest(plain, names).features] == names
    with pytest.raises(InvalidParameterError, match="2 feature names for an ensemble of 13"):
        read_forest(plain, ["a", "b"])


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(5, 60),
    scale=st.sampled_from([1e-40, 1e-30, 1e-3, 1.0, 1e6, 1e30, 1e37]),
    repeats=st.booleans(),
    missing=st.booleans(),
    mode=st.sampled_from(["Min", "Max"]),
    depth=st.integers(1, 7),
    policy=st.sampled_from(["SymmetricTree", "Depthwise", "Lossguide"]),
)
@example(228241, 5, 1.0, False, True, "Min", 1, "SymmetricTree")  # a tree of one leaf
def test_leaves_on_drawn_models(tmp_path_factory, seed, n, scale, repeats, missing, mode, depth, policy):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    X = (np.round(X, 1) if repeats else X) * scale
    y = np.exp(2 * rng.normal(size=n) + X[:, 0] / scale)
    X = np.where(rng.random(X.shape) < 0.3 * missing, np.nan, X)
    model = CatBoostRegressor(
        **{**SMALL, "iterations": 3, "depth": depth}, grow_policy=policy, nan_mode=mode, min_data_in_leaf=1
    ).fit(X, y)
    check(model, X, tmp_path_factory.mktemp("model"))


@settings(max_examples=30, deadline=None)
@given(
    texts=st.lists(st.text(max_size=80), min_size=2, max_size=6, unique=True),
    numbers=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=6, unique=True),
    seed=st.integers(0, 10**6),
)
def test_categories_on_drawn_models(texts, numbers, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"text": rng.choice(np.array(texts, dtype=object), 60), "number": rng.choice(numbers, 60)})
    y = np.where(frame["text"] == texts[0], 3.0, 0.0) + (frame["number"] == numbers[0]) + rng.normal(size=60) / 10
    model = CatBoostRegressor(**SMALL, cat_features=["text", "number"], one_hot_max_size=10)
    model.fit(frame.iloc[:40], y[:40])
    forest = read_forest(model)
    assert_array_equal(read_leaves(forest, frame), model.calc_leaf_indexes(frame))
    assert_allclose(forest.predict(frame)[:, 0], model.predict(frame), rtol=1e-9)


def test_a_union_of_models_that_ask_for_different_categories():
    X, y = houses()
    models = [CatBoostClassifier(**{**ONE_HOT, "iterations": k, "random_seed": k}).fit(X, y) for k in (1, 2, 20)]
    forests = [read_forest(model) for model in models]
    assert len({f.features for f in forests}) > 1
    both = read_forest(models)
    assert_array_equal(both.apply(X), np.hstack([forest.apply(X) for forest in forests]))
    assert_allclose(both.answer(X), np.mean([model.predict_proba(X) for model in models], axis=0), rtol=1e-9)
    assert "#" not in str(RuleListClassifier(models, max_rules=6).fit(X, y).rule_list_)
    with pytest.raises(InvalidDataError, match="same columns"):
        read_forest([models[0], CatBoostClassifier(**SMALL).fit(X[["age"]], y)])


# End to end


def test_rules_show_names_and_missing_values():
    X, y = houses(800)
    rules = RuleListClassifier(CatBoostClassifier(**{**ONE_HOT, "iterations": 60}), max_rules=8).fit(X, y)
    text = str(rules.rule_list_)
    assert "color is red" in text
    assert "color is not red" in text
    assert "rooms is not 3" in text
    assert "#" not in text
    assert "e+38" not in text
    assert rules.score(X, y) > 0.7
    assert_array_equal(rules.ensemble_.predict(X), rules.forest_.labels(X))


def test_an_array_of_objects():
    X, y = houses()
    rows = X.to_numpy(dtype=object)
    model = CatBoostClassifier(**{**ONE_HOT, "cat_features": [1, 2, 3, 4]})
    for ensemble in (model, model.copy().fit(rows, y), FrozenEstimator(model.copy().fit(rows, y))):
        rules = RuleListClassifier(ensemble, max_rules=6).fit(rows, y)
        assert rules.predict(rows[:5]).shape == (5,)
    given_late = CatBoostClassifier(**SMALL, one_hot_max_size=10).fit(rows, y, cat_features=[1, 2, 3, 4])
    assert RuleListClassifier(given_late, max_rules=6).fit(rows, y).score(rows, y) > 0.6


@pytest.mark.parametrize("cat_features", [CATEGORIES, np.array([1, 2, 3, 4]), (1, 2, 3, 4)])
def test_models_with_categories_can_be_cloned(cat_features):
    X, y = houses()
    fitted = CatBoostClassifier(**{**ONE_HOT, "cat_features": cat_features}).fit(X, y)
    for ensemble in (fitted, [fitted]):
        twin = clone(RuleListClassifier(ensemble, max_rules=4, stability_weight=0.3))
        assert twin.stability_weight == 0.3
        inner = twin.ensemble if ensemble is fitted else twin.ensemble[0]
        assert inner is not fitted
        assert not inner.is_fitted()
        assert_array_equal(inner.get_params()["cat_features"], cat_features)
    frozen = FrozenEstimator(fitted)
    assert clone(RuleListClassifier(frozen)).ensemble is frozen
    assert len(cross_val_score(RuleListClassifier(fitted, max_rules=4), X, y, cv=2)) == 2


def test_the_budget_by_cross_validation():
    X, y = houses()
    rules = RuleListClassifierCV(CatBoostClassifier(**ONE_HOT), max_rules=[2, 4], cv=2).fit(X, y)
    assert rules.best_max_rules_ in (2, 4)


def test_regression_with_weights_end_to_end():
    X, _ = houses()
    y = np.where(X["color"] == "red", 5.0, 1.0) + X["rooms"] * (X["age"] > 40)
    weight = np.linspace(0, 1, len(X))
    rules = RuleListRegressor(CatBoostRegressor(**ONE_HOT), max_rules=6).fit(X, y, sample_weight=weight)
    assert rules.score(X, y) > 0.3
    with pytest.raises(InvalidParameterError, match="use RuleListClassifier"):
        RuleListRegressor(CatBoostClassifier(**ONE_HOT).fit(X, y > 3)).fit(X, y)


@needs("catboost", "1.2.10")
def test_tags_tell_that_missing_values_are_taken():
    for model in (CatBoostClassifier(), CatBoostClassifier(cat_features=["a"]), FrozenEstimator(CatBoostClassifier())):
        assert get_tags(RuleListClassifier(model)).input_tags.allow_nan
    assert get_tags(RuleListRegressor(CatBoostRegressor())).input_tags.allow_nan


# What cannot be read


@pytest.mark.parametrize("model", [CatBoostClassifier(), CatBoostRegressor(), CatBoost()])
def test_an_unfitted_model_is_refused(model):
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        read_forest(model)


def test_target_statistics_are_refused(tmp_path):
    X, y = houses()
    X = X[["color"]].assign(street=np.arange(len(X)) // 3)
    model = CatBoostClassifier(**{**SMALL, "iterations": 30}, cat_features=["street", "color"])
    model.fit(X, y)
    model.save_model(str(tmp_path / "model.json"), format="json")
    for given_as in (model, tmp_path / "model.json"):
        with pytest.raises(UnsupportedModelError, match=r"target statistics .*\(.*street.*one_hot_max_size"):
            read_forest(given_as)
    # What the error says helps, for more than 255 categories too.
    X = X.assign(street=np.arange(len(X)) % 300)
    model = CatBoostClassifier(**SMALL, cat_features=["street", "color"], one_hot_max_size=300)
    assert read_forest(model.fit(X, y)).n_trees == SMALL["iterations"]


def test_text_and_embeddings_are_refused():
    y = np.array([0, 1] * 30)
    words = pd.DataFrame({"words": np.where(y, "a good day", "a bad night"), "x": np.arange(60.0)})
    vectors = pd.DataFrame({"vector": [[float(i), 1.0 - i] for i in y], "x": np.arange(60.0)})
    for frame, columns in ((words, {"text_features": ["words"]}), (vectors, {"embedding_features": ["vector"]})):
        with pytest.raises(UnsupportedModelError, match="text or embedding features"):
            read_forest(CatBoostClassifier(**SMALL, **columns).fit(frame, y))


@pytest.mark.parametrize("loss", ["RMSEWithUncertainty", "MultiRMSE", "MultiQuantile:alpha=0.1,0.9"])
def test_several_outputs_are_refused(loss):
    X, y = REGRESSION
    model = CatBoostRegressor(loss_function=loss, **SMALL).fit(X, np.column_stack([y, y]) if loss == "MultiRMSE" else y)
    with pytest.raises(UnsupportedModelError, match="several outputs"):
        read_forest(model)


def test_several_labels_a_sample_are_refused():
    X, y = MULTI
    model = CatBoostClassifier(loss_function="MultiLogloss", **SMALL).fit(
        X, np.column_stack([y > 0, y > 1]).astype(int)
    )
    with pytest.raises(UnsupportedModelError, match="several outputs"):
        read_forest(model)


def test_a_border_at_infinity_is_refused():
    # Half-way from a number to minus infinity is minus infinity.
    X = np.array([[1.0], [-np.inf], [2.0], [3.0]] * 10)
    with pytest.raises(UnsupportedModelError, match=r"cannot save this CatBoostRegressor as JSON.*finite numbers"):
        read_forest(CatBoostRegressor(**SMALL).fit(X, [0, 1, 2, 3] * 10))


def test_anything_but_a_model_is_refused(tmp_path):
    with pytest.raises(UnsupportedModelError, match=r"Cannot read a Pool\. These CatBoost models.*CatBoostClassifier"):
        read_forest(Pool(*BINARY))
    (tmp_path / "other.json").write_text(json.dumps({"a": 1}))
    with pytest.raises(UnsupportedModelError, match="not a model of xgboost or hedgerow or catboost"):
        read_forest(tmp_path / "other.json")
