"""A forest read from xgboost routes and answers as the model itself does."""

import json
import time

import numpy as np
import pandas as pd
import pytest
import treelite
import xgboost as xgb
from hypothesis import given, settings
from hypothesis import strategies as st
from near_thresholds import around_thresholds
from numpy.testing import assert_allclose, assert_array_equal
from releases import needs
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleListClassifier,
    RuleListRegressor,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)

BINARY = load_breast_cancer(return_X_y=True)
MULTI = load_wine(return_X_y=True)
REGRESSION = load_diabetes(return_X_y=True)
SKEWED = (REGRESSION[0], np.exp(REGRESSION[1] / 60) + 100)

SMALL = {"n_estimators": 8, "max_depth": 3, "n_jobs": 1}
DROPOUT = {"rate_drop": 0.5, "one_drop": 1}


def booster_of(model):
    return model if isinstance(model, xgb.Booster) else model.get_booster()


def rounds(model):
    """What the model's own predict takes: a Booster all rounds, an estimator those up to the best."""
    return (0, 0) if isinstance(model, xgb.Booster) else model._get_iteration_range(None)


def matrix(model, X):
    booster = booster_of(model)
    is_frame = isinstance(X, pd.DataFrame)
    return xgb.DMatrix(
        X,
        missing=getattr(model, "missing", np.nan),
        enable_categorical=True,
        nthread=1,
        feature_names=None if is_frame else booster.feature_names,
        feature_types=None if is_frame else booster.feature_types,
    )


def own_leaves(model, X):
    leaves = booster_of(model).predict(matrix(model, X), pred_leaf=True, iteration_range=rounds(model))
    return leaves.reshape(len(X), -1)


def own_raw(model, X):
    raw = booster_of(model).predict(matrix(model, X), output_margin=True, iteration_range=rounds(model))
    return raw.reshape(len(X), -1)


def check(model, *samples):
    """Compare the forest with the model, sample by sample; return it."""
    forest = read_forest(model)
    for X in samples:
        assert_array_equal(forest.apply(X), own_leaves(model, X))
        check_answers(forest, model, X)
    return forest


def check_answers(forest, model, X):
    raw = own_raw(model, X)
    # xgboost adds up in single precision.
    assert_allclose(forest.predict(X), raw, rtol=1e-6, atol=1e-6 * np.abs(raw).max())
    if isinstance(model, xgb.Booster):
        return
    if forest.classes is None:
        assert_allclose(forest.answer(X), model.predict(X), rtol=1e-5, atol=1e-6 * np.abs(raw).max())
    else:
        assert_array_equal(forest.classes, model.classes_)
        assert_allclose(forest.answer(X), model.predict_proba(X), atol=2e-6)
        assert_array_equal(forest.labels(X), model.predict(X))


def check_with_treelite(model, forest, X):
    """A third party that reads the same model must say the same."""
    other = treelite.frontend.from_xgboost(booster_of(model))
    X = np.ascontiguousarray(X, dtype=np.float32)
    assert_array_equal(forest.apply(X), treelite.gtil.predict_leaf(other, X))
    raw = treelite.gtil.predict(other, X, pred_margin=True).reshape(len(X), -1)
    assert_allclose(forest.predict(X), raw, rtol=1e-5, atol=1e-6 * np.abs(raw).max())


def with_holes(X, share=0.2):
    return np.where(np.random.default_rng(0).random(X.shape) < share, np.nan, X)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"scale_pos_weight": 9},
        {"base_score": 0.03},
        {"tree_method": "exact"},
        {"grow_policy": "lossguide", "max_leaves": 5},
        {"objective": "binary:hinge"},
        {"objective": "reg:logistic"},
        {"num_parallel_tree": 3, "subsample": 0.5},
        {"objective": lambda y, raw: (raw - y, np.ones_like(y))},
    ],
    ids=lambda settings: next(iter(settings), "default"),
)
def test_binary(settings):
    X, y = BINARY
    model = xgb.XGBClassifier(**SMALL, **settings).fit(X, y)
    forest = check(model, X)
    check(model, around_thresholds(forest, X))
    check_with_treelite(model, forest, around_thresholds(forest, X))
    assert forest.classes.tolist() == [0, 1]


@pytest.mark.parametrize("objective", ["multi:softprob", "multi:softmax"])
@pytest.mark.parametrize(
    "settings",
    [{}, {"num_parallel_tree": 2, "subsample": 0.5}, {"multi_strategy": "multi_output_tree"}, {"base_score": 0.25}],
    ids=lambda settings: next(iter(settings), "default"),
)
def test_multiclass(objective, settings):
    X, y = MULTI
    few = np.concatenate([np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:20], np.flatnonzero(y == 2)[:7]])
    model = xgb.XGBClassifier(**SMALL, objective=objective, **settings).fit(X[few], y[few])
    forest = check(model, X)
    check(model, around_thresholds(forest, X))
    check_with_treelite(model, forest, X)
    assert len(forest.base) == 3


@pytest.mark.parametrize(
    "objective",
    [
        "reg:squarederror",
        "reg:squaredlogerror",
        "reg:absoluteerror",
        "reg:pseudohubererror",
        "reg:quantileerror",
        pytest.param("reg:expectileerror", marks=needs("xgboost-cpu", "3.4")),
        "count:poisson",
        "reg:gamma",
        "reg:tweedie",
        "survival:cox",
        "reg:logistic",
        "binary:logistic",
        "binary:hinge",
    ],
)
def test_regression(objective):
    X, y = SKEWED
    if "logistic" in objective or "hinge" in objective:
        y = (y > 150).astype(float)
    alpha = {"reg:quantileerror": {"quantile_alpha": 0.3}, "reg:expectileerror": {"expectile_alpha": 0.3}}
    model = xgb.XGBRegressor(**SMALL, objective=objective, **alpha.get(objective, {})).fit(X, y)
    forest = check(model, X)
    assert forest.classes is None
    check(model, around_thresholds(forest, X))


@needs("xgboost-cpu", "3.2")
@pytest.mark.parametrize("targets", [0.0, 1.0])
def test_intercept_of_targets_that_are_all_alike(targets):
    X = np.arange(6.0)[:, None]
    check(xgb.XGBRegressor(**SMALL, objective="reg:logistic").fit(X, np.full(6, targets)), X)
    check(xgb.XGBRegressor(**SMALL).fit(X, np.full(6, targets)), X)


@needs("xgboost-cpu", "3.4")
def test_random_forests_of_xgboost():
    X, y = MULTI
    for kind in (xgb.XGBRFClassifier, xgb.XGBRFRegressor):
        with pytest.warns(FutureWarning, match="deprecated"):
            model = kind(**SMALL).fit(X, y)
        assert check(model, X).n_trees == 8 * (3 if kind is xgb.XGBRFClassifier else 1)


def test_a_ranker_is_read_as_the_regression_of_its_score():
    X, y = MULTI
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    for objective in ("rank:ndcg", "rank:map", "rank:pairwise"):
        relevance = np.minimum(y, 1)
        model = xgb.XGBRanker(**SMALL, objective=objective).fit(X, relevance, qid=np.repeat(np.arange(2), 89))
        assert check(model, X).classes is None


@pytest.mark.parametrize(
    ("objective", "classes"),
    [("binary:logistic", [0, 1]), ("binary:logitraw", [0, 1]), ("binary:hinge", [0, 1]), ("survival:aft", None)],
)
def test_a_plain_booster(objective, classes):
    X, y = BINARY
    data = xgb.DMatrix(X, y, nthread=1)
    if objective == "survival:aft":
        data.set_float_info("label_lower_bound", y + 1)
        data.set_float_info("label_upper_bound", y + 2)
    booster = xgb.train({"objective": objective, "max_depth": 3, "nthread": 1}, data, 5)
    forest = check(booster, X, around_thresholds(read_forest(booster), X))
    assert forest.classes is None if classes is None else forest.classes.tolist() == classes
    if objective != "binary:logitraw":
        own = booster.predict(data)
        answers = forest.answer(X) if classes is None else forest.answer(X)[:, 1]
        assert_allclose(answers, own, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_plain_booster_of_several_classes(n_classes):
    X, y = MULTI
    y = np.minimum(y, n_classes - 1)
    data = xgb.DMatrix(X, y, nthread=1)
    settings = {"objective": "multi:softprob", "num_class": n_classes, "max_depth": 2, "nthread": 1}
    booster = xgb.train(settings, data, 4)
    forest = check(booster, X)
    assert_allclose(forest.answer(X), booster.predict(data), atol=1e-6)
    assert_array_equal(forest.labels(X), booster.predict(data).argmax(axis=1))
    assert read_forest(booster[1:3]).n_trees == 2 * n_classes
    check(booster[1:3], X)


@needs("xgboost-cpu", "3.4")
@pytest.mark.parametrize("settings", [{}, {"booster": "dart"}], ids=["gbtree", "dart"])
@pytest.mark.parametrize("kind", ["regression", "classes", "vectors"])
@pytest.mark.filterwarnings("ignore:.*booster=dart.*deprecated:UserWarning")
def test_weights(settings, kind):
    X, y = MULTI
    if kind == "regression":
        model = xgb.XGBRegressor(**SMALL, **DROPOUT, **settings).fit(X, np.exp(y))
    elif kind == "classes":
        model = xgb.XGBClassifier(**SMALL, **DROPOUT, **settings).fit(X, y)
    else:
        model = xgb.XGBClassifier(**SMALL, **DROPOUT, **settings, multi_strategy="multi_output_tree").fit(X, y)
    forest = check(model, X)
    assert len(forest.tree_weights) == forest.n_trees
    assert len(np.unique(forest.tree_weights)) > 1
    assert_array_equal(read_forest(xgb.XGBClassifier(**SMALL).fit(X, y)).tree_weights, np.ones(24))


@pytest.mark.parametrize("trained_with_missing", [True, False])
@pytest.mark.parametrize("kind", [xgb.XGBClassifier, xgb.XGBRegressor])
def test_missing(kind, trained_with_missing):
    X, y = MULTI
    holes = with_holes(X)
    model = kind(**SMALL).fit(holes if trained_with_missing else X, y)
    forest = check(model, holes, X, np.full((1, X.shape[1]), np.nan))
    assert trained_with_missing == forest.nodes.missing_left.any()
    check(model, around_thresholds(forest, holes))


@pytest.mark.parametrize("blank", [-999.0, 0.0, 0.1, 1e-40, np.inf, None])
def test_another_number_for_missing(blank):
    X, y = MULTI
    X = X.round(1)
    number = np.nan if blank is None else blank
    X[::5, 0] = X[1::7, 3] = X[::4, 6] = number
    X[::9, 2] = np.nan  # is missing all the same
    # Values that are the blank only in single precision.
    X[2::50, 6] = np.nextafter(number, 1)
    model = xgb.XGBClassifier(**SMALL, missing=np.nan if blank is None else blank).fit(X, y)
    forest = check(model, X)
    assert np.isnan(forest.inputs.matrix(X)[0, 0])
    shown = str(RuleListClassifier(model, max_rules=4).fit(X, y).rule_list_)
    assert "otherwise" in shown


def test_infinity_and_values_too_large_for_single_precision_go_where_predict_sends_them():
    X, y = MULTI
    model = xgb.XGBClassifier(**SMALL).fit(X, y)
    forest = read_forest(model)
    rng = np.random.default_rng(0)
    extremes = np.array([np.inf, -np.inf, 1e39, -1e39, 3e38, -3e38, 1e-46, -1e-46, 0.0, -0.0])
    probes = np.where(rng.random(X.shape) < 0.5, rng.choice(extremes, X.shape), X)
    # There is no leaf assignment for these (a DMatrix refuses them), but there is the prediction in place.
    assert_allclose(forest.predict(probes), model.predict(probes, output_margin=True), rtol=1e-5, atol=1e-6)


def people(n=300, seed=0):
    rng = np.random.default_rng(seed)
    colors = ["red", "blue", "green", "black", "größe 7", "pink"]
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "color": pd.Categorical(rng.choice(colors[:5], n), categories=colors),
            "income": rng.lognormal(10, 1, n),
            "zone": pd.Categorical(rng.choice([30, 7, 11], n), categories=[30, 11, 7]),
            "member": rng.random(n) < 0.5,
        }
    )
    y = frame["color"].isin(["red", "black"]) ^ (frame["age"] > 45) ^ (frame["zone"] == 7)
    return frame, y.to_numpy().astype(int)


@needs("xgboost-cpu", "3.4")
@pytest.mark.parametrize("one_hot_up_to", [1, 100], ids=["partitions", "one-hot"])
@pytest.mark.parametrize("kind", ["one tree a class", "vectors"])
def test_categorical(one_hot_up_to, kind):
    X, y = people()
    y = y + 2 * (X["age"] > 80).to_numpy() * (1 - y)
    X.loc[::7, "color"] = None
    X.loc[::11, "zone"] = None
    strategy = {} if kind == "one tree a class" else {"multi_strategy": "multi_output_tree"}
    model = xgb.XGBClassifier(**SMALL, enable_categorical=True, max_cat_to_onehot=one_hot_up_to, **strategy).fit(X, y)
    forest = check(model, X)
    assert (forest.nodes.category >= 0).any()
    assert [f.name for f in forest.features] == list(X.columns)
    assert forest.features[1].categories == ("red", "blue", "green", "black", "größe 7", "pink")
    assert forest.features[3].categories == (30, 11, 7)
    # Another order of the same categories is the same data.
    other = X.assign(color=X["color"].cat.reorder_categories(sorted(X["color"].cat.categories)))
    check(model, other[::3])
    # An array holds the codes.
    codes = X.assign(color=X["color"].cat.codes, zone=X["zone"].cat.codes).to_numpy(dtype=float)
    codes[codes == -1] = np.nan
    assert_array_equal(forest.apply(codes), own_leaves(model, X))
    assert_array_equal(own_leaves(model, codes), own_leaves(model, X))


@needs("xgboost-cpu", "3.4")
def test_a_category_that_training_never_saw_is_refused_as_xgboost_refuses_it():
    X, y = people()
    model = xgb.XGBClassifier(**SMALL, enable_categorical=True).fit(X, y)
    new = X.assign(color=pd.Categorical(["violet"] * len(X)))
    with pytest.raises(xgb.core.XGBoostError, match="not in the training set"):
        model.predict(new)
    for wrong in (new, X.assign(color=X["color"].cat.codes)):
        with pytest.raises(
            InvalidDataError, match=r"color contains a value that is not among the categories.*red, blue"
        ):
            read_forest(model).apply(wrong)
    # A category that is only declared, and no sample has, does no harm.
    declared = X.assign(color=X["color"].cat.add_categories(["violet"]))
    assert_array_equal(read_forest(model).apply(declared), own_leaves(model, X))


@needs("xgboost-cpu", "3.4")
@pytest.mark.parametrize("one_hot_up_to", [1, 100], ids=["partitions", "one-hot"])
def test_categories_as_codes(one_hot_up_to):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=400), rng.integers(0, 70, 400), rng.normal(size=400), rng.integers(0, 3, 400)])
    y = np.isin(X[:, 1] % 8, [3, 5, 7]) * 2.0 + X[:, 0] + (X[:, 3] == 1)
    model = xgb.XGBRegressor(
        **SMALL, enable_categorical=True, feature_types=["q", "c", "q", "c"], max_cat_to_onehot=one_hot_up_to
    ).fit(X, y)
    # Codes that are unknown, broken, negative or huge.
    odd = X.copy()
    odd[:, 1] = rng.choice([0, 1, 1.5, 2.999, 69, 70, 71, -1, -0.5, -0.0, 1e4, 2**24 - 1, 2**24, 1e20, np.nan], 400)
    odd[:, 3] = rng.choice([0, 1, 2, 3, 31, 32, 33, 64, np.nan], 400)
    forest = check(model, X, odd)
    assert forest.features[1].other
    whole = np.where(odd >= 0, np.trunc(odd), odd)
    whole[:, [0, 2]] = odd[:, [0, 2]]
    check_with_treelite(model, forest, X)
    assert_array_equal(forest.apply(whole), forest.apply(odd))


def test_categories_of_a_frame_that_the_model_does_not_know_by_name():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=200), rng.integers(0, 6, 200)])
    y = np.isin(X[:, 1], [1, 4]) + X[:, 0]
    model = xgb.XGBRegressor(**SMALL, enable_categorical=True, feature_types=["q", "c"]).fit(X, y)
    forest = read_forest(model)
    frame = pd.DataFrame({"a": X[:, 0], "b": pd.Categorical.from_codes(X[:, 1].astype(int), list("uvwxyz"))})
    frame.loc[::9, "b"] = None
    assert_allclose(forest.answer(frame), model.predict(frame, validate_features=False), rtol=1e-5)
    with pytest.raises(InvalidDataError, match="integer codes for the categories of x1"):
        forest.apply(np.array([["1", "red"]], dtype=object))


def test_categories_that_are_compared_like_numbers_are_refused():
    X, y = MULTI
    booster = xgb.train({"max_depth": 2, "nthread": 1}, xgb.DMatrix(X, y), 2)
    booster.feature_types = ["c"] * X.shape[1]
    with pytest.raises(UnsupportedModelError, match=r"compares the categories of x\d+ like numbers"):
        read_forest(booster)


@needs("xgboost-cpu", "3.4")
@pytest.mark.parametrize("version", [(3, 2, 0), (3, 3, 0)])
def test_names_that_older_versions_may_have_cut_between_letters_are_refused(version, tmp_path):
    X, y = people()
    model = xgb.XGBClassifier(**SMALL, enable_categorical=True).fit(X, y)
    parts = json.loads(model.get_booster().save_raw("json"))
    parts["version"] = version
    (tmp_path / "old.json").write_text(json.dumps(parts))
    with pytest.raises(UnsupportedModelError, match=r"before 3\.4 truncates names that are not ASCII"):
        read_forest(tmp_path / "old.json")
    X["color"] = X["color"].cat.rename_categories({"größe 7": "size 7"})
    parts = json.loads(xgb.XGBClassifier(**SMALL, enable_categorical=True).fit(X, y).get_booster().save_raw("json"))
    parts["version"] = version
    (tmp_path / "old.json").write_text(json.dumps(parts))
    assert "size 7" in read_forest(tmp_path / "old.json").features[1].categories


@needs("xgboost-cpu", "3.4")
def test_names_of_categories_that_were_cut_are_refused():
    # Versions before 3.4 count letters where they should count bytes.
    X, y = people()
    model = xgb.XGBClassifier(**SMALL, enable_categorical=True).fit(X, y)
    parts = json.loads(model.get_booster().save_raw("json"))
    ends = parts["learner"]["gradient_booster"]["model"]["cats"]["enc"][1]["offsets"]
    ends[5] = ends[4] + 3  # in the middle of the letter ö
    broken = xgb.Booster()
    broken.load_model(bytearray(json.dumps(parts).encode()))
    with pytest.raises(UnsupportedModelError, match="names of the categories are damaged"):
        read_forest(broken)


def stopped(kind, X, y, **settings):
    model = kind(n_estimators=60, max_depth=3, learning_rate=1.0, early_stopping_rounds=3, n_jobs=1, **settings)
    model.fit(X[::2], y[::2], eval_set=[(X[1::2], y[1::2])], verbose=False)
    assert model.best_iteration + 1 < model.get_booster().num_boosted_rounds()
    return model


@pytest.mark.parametrize("trees_a_round", [1, 2])
@pytest.mark.parametrize("kind", [xgb.XGBClassifier, xgb.XGBRegressor])
def test_early_stopping(kind, trees_a_round, tmp_path):
    X, y = MULTI if kind is xgb.XGBClassifier else SKEWED
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    model = stopped(kind, X, y, num_parallel_tree=trees_a_round)
    a_round = trees_a_round * (3 if kind is xgb.XGBClassifier else 1)
    assert check(model, X).n_trees == (model.best_iteration + 1) * a_round
    # A Booster answers with all rounds, and so it does from its own file, unlike from an estimator's.
    booster = model.get_booster()
    assert check(booster, X).n_trees == booster.num_boosted_rounds() * a_round
    assert check(booster[: booster.best_iteration + 1], X).n_trees == (model.best_iteration + 1) * a_round
    model.save_model(tmp_path / "estimator.ubj")
    booster.save_model(tmp_path / "booster.ubj")
    assert read_forest(tmp_path / "estimator.ubj").n_trees == read_forest(model).n_trees
    assert read_forest(tmp_path / "booster.ubj").n_trees == read_forest(booster).n_trees


@pytest.mark.parametrize("suffix", [".json", ".ubj"])
def test_native_file(suffix, tmp_path):
    X, y = people()
    path = tmp_path / f"model{suffix}"
    for model in (
        xgb.XGBClassifier(**SMALL, enable_categorical=True).fit(X, y),
        xgb.XGBRegressor(**SMALL, enable_categorical=True, objective="binary:logistic").fit(X, y),
    ):
        model.save_model(path)
        forest = read_forest(str(path))
        check_answers(forest, model, X)
        assert_array_equal(forest.apply(X), own_leaves(model, X))
        assert forest.features == read_forest(model).features
        assert (forest.classes is None) == isinstance(model, xgb.XGBRegressor)
        # A Booster's file says nothing of an estimator; then the objective decides.
        model.get_booster().save_model(path)
        assert read_forest(path).classes.tolist() == [0, 1]
    assert [f.name for f in read_forest(path, list("abcde")).features] == list("abcde")


@pytest.mark.parametrize("name", ["broken.ubj", "broken.json"])
def test_a_file_that_is_not_a_model_is_refused(name, tmp_path):
    path = tmp_path / name
    path.write_text('{"learner": 3}')
    with pytest.raises(UnsupportedModelError, match=rf"'{name}' is not a complete model"):
        read_forest(path)
    with pytest.raises(FileNotFoundError):
        read_forest(tmp_path / f"none-{name}")


def test_trees_that_were_pruned_lose_what_was_cut_off():
    X, y = SKEWED
    model = xgb.XGBRegressor(n_estimators=4, max_depth=6, gamma=3e6, tree_method="exact", n_jobs=1).fit(X, y)
    raw = json.loads(model.get_booster().save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    assert any(int(tree["tree_param"]["num_deleted"]) for tree in raw)
    forest = read_forest(model)
    check_answers(forest, model, X)
    ours, theirs = forest.apply(X), own_leaves(model, X)
    for k, tree in enumerate(forest.trees):
        pairs = set(zip(ours[:, k], theirs[:, k], strict=True))
        assert len(pairs) == len(set(ours[:, k])) == len(set(theirs[:, k])) == tree.n_leaves
        assert tree.n_nodes == 2 * tree.n_leaves - 1


EXTREMES = [0.0, -0.0, 1e-45, 1e-40, -1e-40, 1.2e-38, 1e-20, 1.0, -1.0, 1e20, 1e38, -1e38, 3.4e38]


@needs("xgboost-cpu", "3.4")
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(5, 60),
    scale=st.sampled_from([1e-40, 1e-30, 1e-3, 1.0, 1e6, 1e30, 1e37]),
    repeats=st.booleans(),
    depth=st.sampled_from([1, 3, 6]),
    holes=st.sampled_from([0.0, 0.3]),
    codes=st.sampled_from([0, 2, 5, 40]),
    one_hot_up_to=st.sampled_from([1, 4, 100]),
    task=st.sampled_from(["reg:squarederror", "reg:gamma", "binary:logistic", "multi:softprob", "vectors", "dropout"]),
    method=st.sampled_from(["hist", "approx"]),
)
def test_leaves_on_drawn_models(seed, n, scale, repeats, depth, holes, codes, one_hot_up_to, task, method):
    rng = np.random.default_rng(seed)
    X = np.clip(rng.normal(size=(n, 3)), -3, 3) * scale
    X = np.round(X / scale, 1) * scale if repeats else X
    y = np.exp(2 * rng.normal(size=n) + X[:, 0] / scale)
    types = ["q", "q", "q"]
    if codes:
        types[2], X[:, 2] = "c", rng.integers(codes, size=n)
        y = y * np.where(X[:, 2] % 2, 5, 1)
    X[rng.random(X.shape) < holes] = np.nan
    parameters = {"objective": task, "max_depth": depth, "tree_method": method, "min_child_weight": 0, "nthread": 1}
    parameters |= {"max_cat_to_onehot": one_hot_up_to}
    if task == "binary:logistic":
        y = (y > np.quantile(y, 0.8)).astype(int)
    elif task in ("multi:softprob", "vectors"):
        y = np.digitize(y, np.quantile(y, [0.7, 0.9]))
        strategy = "multi_output_tree" if task == "vectors" else "one_output_per_tree"
        parameters |= {"objective": "multi:softprob", "num_class": 3, "multi_strategy": strategy}
        parameters["tree_method"] = "hist"
    elif task == "dropout":
        parameters |= {"objective": "reg:squarederror", "rate_drop": 0.5, "one_drop": 1}
    data = xgb.DMatrix(X, y, feature_types=types, enable_categorical=True, nthread=1)
    model = xgb.train(parameters, data, 3)
    forest = check(model, X)
    odd = np.where(rng.random((50, 3)) < 0.6, rng.choice(EXTREMES, (50, 3)), X[rng.integers(n, size=50)])
    if codes:
        odd[:, 2] = rng.choice([0, 1, codes - 1, codes, codes + 1, 200, -3, np.nan], 50)
    check(model, odd)
    if ((forest.nodes.left >= 0) & (forest.nodes.category < 0)).any():
        probes = around_thresholds(forest, X, 40, seed)
        assert_array_equal(forest.apply(probes), own_leaves(model, probes))
        check_with_treelite(model, forest, np.where(np.isinf(probes), 0, probes))


def test_names_come_from_the_model_or_the_caller():
    X, y = MULTI
    names = [f"the column {i}" for i in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    forest = read_forest(xgb.XGBClassifier(**SMALL).fit(frame, y))
    assert [f.name for f in forest.features] == names
    with pytest.raises(InvalidDataError, match="in a different order"):
        forest.apply(frame[names[::-1]])
    plain = xgb.XGBClassifier(**SMALL).fit(X, y)
    assert [f.name for f in read_forest(plain).features][:2] == ["x0", "x1"]
    assert [f.name for f in read_forest(plain, names).features] == names
    with pytest.raises(InvalidParameterError, match="2 feature names for an ensemble of 13"):
        read_forest(plain, ["a", "b"])


def test_a_subclass_with_labels_of_its_own():
    class Named(xgb.XGBClassifier):
        @property
        def classes_(self):
            return np.array(["no", "yes"])

        def fit(self, X, y):
            self.n_classes_ = 2
            booster = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(X, y == "yes", nthread=1), 3)
            self._Booster = booster
            return self

    X, y = BINARY
    labels = np.where(y, "yes", "no")
    model = Named().fit(X, labels)
    assert read_forest(model).classes.tolist() == ["no", "yes"]
    assert set(RuleListClassifier(model, max_rules=4).fit(X, labels).predict(X)) == {"no", "yes"}


@pytest.mark.parametrize("model", [xgb.XGBClassifier(), xgb.XGBRegressor(), xgb.XGBRanker()])
def test_an_unfitted_model_is_refused(model):
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        read_forest(model)


X_SMALL, Y_SMALL = np.arange(20.0).reshape(10, 2), np.arange(10) % 2


@pytest.mark.parametrize(
    ("model", "y", "message"),
    [
        (
            xgb.XGBRegressor(n_estimators=2),
            np.column_stack([Y_SMALL] * 2),
            "has several outputs. Train one model per output",
        ),
        (xgb.XGBClassifier(n_estimators=2), np.column_stack([Y_SMALL] * 3), "has several outputs"),
        (
            xgb.XGBRegressor(n_estimators=2, objective="reg:quantileerror", quantile_alpha=[0.1, 0.9]),
            Y_SMALL,
            "has several outputs",
        ),
        (xgb.XGBClassifier(n_estimators=2, objective="binary:logitraw"), Y_SMALL, "Train it for 'binary:logistic'"),
        (xgb.XGBClassifier(n_estimators=2, objective="reg:squarederror"), Y_SMALL, "is not for classes"),
        (
            xgb.XGBRegressor(n_estimators=2, objective="multi:softprob", num_class=2),
            Y_SMALL,
            "Train an XGBClassifier",
        ),
    ],
)
def test_what_has_no_rules_is_refused(model, y, message):
    with pytest.raises(UnsupportedModelError, match=message):
        read_forest(model.fit(X_SMALL, y))


@pytest.mark.filterwarnings("ignore:.*gblinear.*:UserWarning", "ignore:.*gblinear.*:FutureWarning")
def test_a_linear_model_is_refused():
    with pytest.raises(UnsupportedModelError, match=r"linear .*Train it with booster='gbtree'"):
        read_forest(xgb.XGBRegressor(booster="gblinear", n_estimators=2).fit(X_SMALL, Y_SMALL))


def test_a_booster_without_trees_is_refused():
    with pytest.raises(UnsupportedModelError, match="has no model yet"):
        read_forest(xgb.Booster())
    with pytest.raises(UnsupportedModelError, match="has no trees"):
        read_forest(xgb.train({}, xgb.DMatrix(X_SMALL, Y_SMALL), 0))
    with pytest.raises(UnsupportedModelError, match="Cannot read a DMatrix"):
        read_forest(xgb.DMatrix(X_SMALL))


def test_a_number_for_missing_among_categories_is_refused():
    X, y = people()
    model = xgb.XGBClassifier(**SMALL, enable_categorical=True, missing=0).fit(X, y)
    with pytest.raises(UnsupportedModelError, match=r"treats 0 as missing, even among the codes.*missing=nan"):
        read_forest(model)


def test_a_sparse_matrix_leaves_out_what_is_missing():
    X = np.where(np.random.default_rng(0).random(MULTI[0].shape) < 0.4, 0, MULTI[0])
    model = xgb.XGBClassifier(**SMALL).fit(sparse.csr_array(X), MULTI[1])
    raw = model.predict(sparse.csr_array(X), output_margin=True)
    forest = read_forest(model)
    assert_allclose(forest.predict(np.where(X == 0, np.nan, X)), raw, rtol=1e-5, atol=1e-6)
    with pytest.raises(InvalidDataError, match="NaN where nothing is stored"):
        forest.apply(sparse.csr_array(X))
    for ensemble in (model, xgb.XGBClassifier(**SMALL)):
        with pytest.raises(InvalidDataError, match="NaN if the ensemble is from XGBoost"):
            RuleListClassifier(ensemble).fit(sparse.csr_array(X), MULTI[1])


@needs("xgboost-cpu", "3.4")
def test_a_rule_list_of_a_data_frame_with_categories_and_missing_values():
    X, _ = people(400)
    X.loc[::9, "color"] = None
    y = (X["color"].isin(["red", "black"]) ^ (X["age"] > 45)).astype(int)
    unfitted = xgb.XGBClassifier(n_estimators=30, max_depth=3, enable_categorical=True, n_jobs=1)
    rules = RuleListClassifier(unfitted, max_rules=8).fit(X, y)
    fitted = RuleListClassifier(rules.ensemble_, max_rules=8).fit(X, y)
    assert str(rules.rule_list_) == str(fitted.rule_list_)
    shown = str(rules.rule_list_)
    # xgboost splits whole numbers at themselves: 46 is not below 46, and must not be said to be.
    assert "age < 46" in shown
    assert "age >= 46" in shown
    assert "missing or not in" in shown
    assert "black" in shown
    assert rules.solution_.optimal
    assert rules.score(X, y) > 0.9
    for rule, fires in zip(rules.rule_list_, rules.rule_list_.matches(X).T, strict=True):
        leaf = own_leaves(rules.ensemble_, X)[:, rule.tree]
        assert set(leaf[fires]) == {rule.node}  # no tree of depth 3 has more than 8 leaves: no rule is an inner node
    assert rules.fidelity(X, y).ensemble_score == pytest.approx(rules.ensemble_.score(X, y))


@needs("xgboost-cpu", "3.4")
def test_a_rule_list_of_a_regression():
    X, y = people(400)
    y = np.exp(X["age"] / 40) + 2 * y
    model = xgb.XGBRegressor(n_estimators=20, max_depth=3, objective="reg:gamma", enable_categorical=True, n_jobs=1)
    rules = RuleListRegressor(model.fit(X, y), max_rules=6, target=0.5).fit(X, y)
    assert rules.solution_.optimal
    assert rules.score(X, y) > 0.5


def test_a_rule_list_of_a_booster_and_of_a_file(tmp_path):
    X, y = BINARY
    booster = xgb.train({"max_depth": 2, "objective": "binary:logistic", "nthread": 1}, xgb.DMatrix(X, y), 10)
    booster.save_model(tmp_path / "model.json")
    of_booster = RuleListClassifier(booster, max_rules=4).fit(X, y)
    of_file = RuleListClassifier(tmp_path / "model.json", max_rules=4).fit(X, y)
    assert str(of_booster.rule_list_) == str(of_file.rule_list_)
    assert of_booster.score(X, y) > 0.9


def test_reading_500_trees_of_127_leaves_takes_well_under_a_second():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 5))
    model = xgb.XGBRegressor(
        n_estimators=500, max_depth=0, max_leaves=127, grow_policy="lossguide", learning_rate=1e-3, max_bin=16, n_jobs=1
    ).fit(X, rng.normal(size=2000))
    started = time.perf_counter()
    forest = read_forest(model)
    seconds = time.perf_counter() - started
    assert np.mean([tree.n_leaves for tree in forest.trees]) > 120
    assert seconds < 1
