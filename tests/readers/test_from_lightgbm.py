"""A forest read from LightGBM routes and answers as the model itself does."""

import subprocess
import sys
from functools import partial

import lightgbm as lgb
import numpy as np
import pandas as pd
import polars as pl
import pytest
import treelite
from hypothesis import example, given, settings
from hypothesis import strategies as st
from near_thresholds import around_thresholds
from numpy.testing import assert_allclose, assert_array_equal
from releases import needs
from sklearn.frozen import FrozenEstimator

from hedgerow import RuleListClassifier, RuleListRegressor, read_forest
from hedgerow.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    UnfittedModelError,
    UnsupportedModelError,
)
from hedgerow.features import ColumnOfNonzeros, NumberedCategory, WholeCategory

SMALL = {"n_estimators": 6, "num_leaves": 7, "min_child_samples": 5, "n_jobs": 1, "verbose": -1}
Classifier, Regressor = partial(lgb.LGBMClassifier, **SMALL), partial(lgb.LGBMRegressor, **SMALL)
FOREST = {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}
DART = {"boosting_type": "dart", "drop_rate": 0.9, "skip_drop": 0.0}
NEARLY_ZERO = float(np.float32(1e-35))


def numbers(n=300, seed=0):
    """Columns of numbers: dense, with zeros, whole, large; a skewed target."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 1] = np.where(rng.random(n) < 0.4, 0, X[:, 1])
    X[:, 2] = rng.integers(-3, 4, n)
    X[:, 3] *= 1e30
    return X, np.exp(X[:, 0] + (X[:, 1] > 0) + 0.3 * X[:, 2] + rng.normal(size=n) / 4)


X, SKEWED = numbers()
BINARY = np.where(SKEWED > 1.5, "yes", "no")
MULTI = np.digitize(SKEWED, [0.7, 2.0, 9.0]) * 10 - 7


def booster_of(model):
    return model if isinstance(model, lgb.Booster) else model.booster_


def own_leaves(model, X):
    """LightGBM's leaves, in the numbering of the forest: the leaves come after the branches."""
    booster = booster_of(model)
    leaves = booster.predict(X, pred_leaf=True).reshape(len(X), -1)
    text = booster.model_to_string()
    n_leaves = [int(line[11:]) for line in text.split("\n") if line.startswith("num_leaves=")]
    return leaves + np.array(n_leaves) - 1


def assert_same(model, X, forest=None):
    """Check leaves, raw scores and answers; return the forest."""
    forest = read_forest(model) if forest is None else forest
    booster = booster_of(model)
    assert_array_equal(forest.apply(X), own_leaves(model, X))
    raw = booster.predict(X, raw_score=True)
    if forest.aggregation == "mean":  # LightGBM averages only what it does not call raw
        raw = raw / (forest.n_trees / len(forest.base))
    assert_allclose(forest.predict(X).reshape(raw.shape), raw, rtol=1e-12, atol=1e-14)
    answer = forest.answer(X)
    if isinstance(model, lgb.LGBMClassifier):
        assert_allclose(answer, model.predict_proba(X), rtol=1e-9, atol=1e-14)
        best = np.sort(answer, axis=1)
        is_clear = best[:, -1] - best[:, -2] > 1e-12  # of a tie the last digit of a sum decides
        assert_array_equal(forest.labels(X)[is_clear], model.predict(X)[is_clear])
    else:
        expected = booster.predict(X)
        assert_allclose(answer[:, 1] if answer.ndim > expected.ndim else answer, expected, rtol=1e-9, atol=1e-14)
    return forest


EXTREMES = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e38, -1e38, 1e300, 1e-40, -1e-40, 5e-324]
EXTREMES += [sign * np.nextafter(NEARLY_ZERO, to) for sign in (1, -1) for to in (0, NEARLY_ZERO, 1)]


def assert_same_everywhere(model, X):
    forest = assert_same(model, X)
    return assert_same(model, around_thresholds(forest, X, extremes=EXTREMES), forest)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"sigmoid": 2.5},
        {"is_unbalance": True},
        {"scale_pos_weight": 3.0},
        {"objective": "cross_entropy"},
        {"objective": "cross_entropy_lambda"},
        {"objective": "regression"},
        {"objective": "multiclass", "num_class": 2},
        {"data_sample_strategy": "goss"},
        {"extra_trees": True, "max_depth": 3},
        DART,
        FOREST,
    ],
    ids=str,
)
def test_binary(settings):
    forest = assert_same_everywhere(Classifier(**settings).fit(X, BINARY), X)
    assert_array_equal(forest.classes, ["no", "yes"])


@pytest.mark.parametrize(
    "settings",
    [{}, {"objective": "multiclassova", "sigmoid": 0.7}, {"class_weight": "balanced"}, DART, FOREST],
    ids=str,
)
def test_multiclass(settings):
    forest = assert_same_everywhere(Classifier(**settings).fit(X, MULTI), X)
    assert forest.n_trees == 4 * 6
    assert_array_equal(forest.classes, [-7, 3, 13, 23])


OBJECTIVES = ["regression", "regression_l1", "huber", "fair", "quantile", "mape", "poisson", "gamma", "tweedie"]


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("settings", [{}, {"reg_sqrt": True}, DART, FOREST], ids=str)
def test_regression(objective, settings):
    model = Regressor(objective=objective, **settings).fit(X, SKEWED)
    forest = assert_same_everywhere(model, X)
    assert_allclose(forest.answer(X), model.predict(X), rtol=1e-9)


def test_negative_targets_under_the_square_root():
    model = Regressor(reg_sqrt=True).fit(X, X[:, 0] * 5)
    assert_allclose(read_forest(model).answer(X), model.predict(X), rtol=1e-9)


@pytest.mark.parametrize("objective", ["cross_entropy", "cross_entropy_lambda", "binary"])
def test_shares_as_targets_of_a_regression(objective):
    share = SKEWED / (1 + SKEWED)
    model = Regressor(objective=objective).fit(X, share if objective != "binary" else share > 0.5)
    forest = assert_same_everywhere(model, X)
    assert forest.classes is None


def test_a_ranker_is_a_regression_of_its_scores():
    relevance = np.digitize(SKEWED, [1.0, 4.0])
    model = lgb.LGBMRanker(**SMALL).fit(X, relevance, group=[100, 100, 100])
    assert assert_same_everywhere(model, X).classes is None


def test_an_objective_of_ones_own_gives_log_odds_or_values():
    def squared(y, raw):
        return raw - y, np.ones_like(raw)

    def logistic(y, raw):
        p = 1 / (1 + np.exp(-raw))
        return p - y, p * (1 - p)

    regression = Regressor(objective=squared).fit(X, SKEWED)
    assert_allclose(read_forest(regression).answer(X), regression.predict(X), rtol=1e-12)
    model = Classifier(objective=logistic).fit(X, BINARY)
    raw = model.booster_.predict(X, raw_score=True)
    assert_allclose(read_forest(model).answer(X)[:, 1], 1 / (1 + np.exp(-raw)), rtol=1e-9)


MISSING = {
    "none": {},
    "nan": {},
    "zero": {"zero_as_missing": True},
    "unused": {"use_missing": False},
}


@pytest.mark.parametrize("kind", MISSING)
@pytest.mark.parametrize("trained_with_missing", [True, False])
def test_missing(kind, trained_with_missing):
    rng = np.random.default_rng(0)
    holes = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    model = Regressor(**MISSING[kind], n_estimators=12).fit(holes if trained_with_missing else X, SKEWED)
    forest = assert_same_everywhere(model, holes)
    assert forest.inputs.allows_missing
    assert any(isinstance(f, ColumnOfNonzeros) for f in forest.features) == (kind == "zero")


def test_a_split_on_missing_alone():
    column = np.array([1.0, np.nan] * 30)[:, None]
    model = Regressor().fit(column, np.isnan(column[:, 0]))
    forest = assert_same(model, np.array([[np.nan], [1.0], [-5.0], [0.0], [9.0]]))
    assert forest.trees[0].n_leaves == 2


def test_a_column_seen_in_several_ways_after_further_training():
    column = np.concatenate([np.zeros(100), np.arange(1.0, 201)])[:, None]
    y = np.where(column[:, 0] == 0, 3.0, column[:, 0] / 100)
    first = Regressor().fit(column, y)
    second = Regressor(zero_as_missing=True).fit(column, y**2, init_model=first)
    third = Regressor().fit(column, y**3, init_model=second, categorical_feature=[0])
    forest = assert_same_everywhere(third, column)
    assert [type(f).__name__ for f in forest.features] == ["Column", "ColumnOfNonzeros", "WholeCategory"]
    assert forest.n_features == 1
    rules = RuleListRegressor(third, max_rules=4).fit(column, y)
    assert rules.predict(column).shape == (300,)


def codes(n=400, seed=0):
    """A column of numbers and three of whole codes, one of them far apart and one of them rarely there."""
    rng = np.random.default_rng(seed)
    table = np.column_stack(
        [rng.normal(size=n), rng.integers(0, 9, n), rng.choice([3, 40, 1000, 90210], n), rng.poisson(2, n)]
    )
    y = np.isin(table[:, 1], [0, 4, 5]) * 2.0 + (table[:, 2] == 1000) + table[:, 0] + (table[:, 3] > 2)
    return table, np.exp(y)


CATEGORICAL = {"categorical_feature": [1, 2, 3]}


@pytest.mark.parametrize("kind", MISSING)
@pytest.mark.parametrize("trained_with_missing", [True, False])
@pytest.mark.parametrize("one_hot", [True, False])
def test_categorical(kind, trained_with_missing, one_hot):
    table, y = codes()
    rng = np.random.default_rng(1)
    holes = np.where(rng.random(table.shape) < 0.15, np.nan, table)
    settings = {"max_cat_to_onehot": 99} if one_hot else {"min_data_per_group": 5, "cat_smooth": 1.0}
    model = Regressor(**MISSING[kind], **settings).fit(holes if trained_with_missing else table, y, **CATEGORICAL)
    forest = assert_same(model, holes)
    assert [type(f) for f in forest.features[1:3]] == [WholeCategory] * 2
    assert_array_equal(np.unique(forest.nodes.feature[forest.nodes.category >= 0])[:2], [1, 2])
    # Unknown, negative, fractional and huge codes.
    odd = [-0.5, -1, -1.5, 1e-40, 0.9, 4.7, 8.999, 9, 77, 90210.5, 2.0**31, 2.0**32 + 4, 1e300, np.inf, -np.inf, -0.0]
    probes = holes[rng.integers(len(holes), size=500)]
    probes[np.arange(500), rng.integers(1, 4, 500)] = rng.choice(odd, 500)
    assert_same(model, probes, forest)


def shop(n=400, seed=0):
    """A data frame with categories of text, of numbers and of truth values, and missing values."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, n).round(1),
            "color": pd.Categorical(rng.choice(["red", "blue", "green", "black"], n)),
            "visits": rng.poisson(1.0, n),
            "store": pd.Categorical(rng.choice([30, 10, 20], n)),
            "member": pd.Categorical(rng.choice([True, False], n)),
        }
    )
    likes = (frame["color"].isin(["red", "black"])) * 2.0 + (frame["age"] > 45) + (frame["store"] == 20)
    y = likes + (frame["visits"] > 0) * (frame["member"] == True)  # noqa: E712
    frame.loc[::17, "color"] = None
    frame.loc[::23, "age"] = np.nan
    frame.loc[::29, "store"] = np.nan
    return frame, np.where(y > 2, "buys", "leaves")


def test_categories_of_a_data_frame_have_their_names():
    frame, y = shop()
    model = Classifier(min_data_per_group=5).fit(frame, y)
    forest = assert_same(model, frame)
    assert [type(forest.features[i]) for i in (1, 3, 4)] == [NumberedCategory] * 3
    assert [forest.features[i].categories for i in (1, 3, 4)] == [
        ("black", "blue", "green", "red"),
        (10, 20, 30),
        (False, True),
    ]
    new = frame.copy()
    new["color"] = new["color"].astype(object).where(np.arange(len(new)) % 5 > 0, "violet").astype("category")
    new["store"] = new["store"].cat.set_categories([20, 99, 10])
    new.loc[::3, "store"] = 99
    assert_same(model, new, forest)


def test_an_array_holds_codes_where_the_data_frame_had_names():
    frame, y = shop()
    model = Classifier(min_data_per_group=5).fit(frame, y)
    forest = read_forest(model)
    coded = frame.assign(**{c: frame[c].cat.codes for c in ("color", "store", "member")}).to_numpy(dtype=float)
    assert_array_equal(forest.apply(coded), own_leaves(model, coded))
    assert_array_equal(forest.apply(coded)[::17], own_leaves(model, frame)[::17])


def test_plain_text_in_a_frame_is_looked_up_too():
    frame, y = shop()
    frame = frame.drop(columns=["store", "member"])
    model = Classifier(min_data_per_group=5).fit(frame, y)
    forest = read_forest(model)
    text = frame.assign(color=frame["color"].astype(object))
    assert_array_equal(forest.apply(text), own_leaves(model, frame))
    table = text.astype(object).where(text.notna(), None)
    in_polars = pl.DataFrame({name: table[name].tolist() for name in table})
    assert_array_equal(forest.apply(in_polars), own_leaves(model, frame))


def test_ordered_categories_are_sets_of_names():
    frame, y = shop()
    sizes = np.array(["S", "M", "L", "XL"])[np.digitize(frame["age"].fillna(40), [30, 40, 50])]
    frame["size"] = pd.Categorical(sizes, categories=["S", "M", "L", "XL"], ordered=True)
    frame.loc[::13, "size"] = None
    frame = frame.drop(columns=["age", "visits"])
    for kind in MISSING:
        model = Classifier(min_data_per_group=5, **MISSING[kind]).fit(frame, y)
        forest = assert_same(model, frame)
        assert forest.features[-1].categories == ("S", "M", "L", "XL")
        assert any((t.feature == 3).any() for t in forest.trees)
        complete = frame.assign(size=frame["size"].fillna("S"))
        assert_same(model, complete, forest)


def test_categories_that_fit_several_columns_are_refused():
    frame, y = shop()
    frame["size"] = pd.Categorical(frame["visits"].clip(0, 2), ordered=True)
    frame["other size"] = frame["visits"].clip(0, 2)
    with pytest.raises(UnsupportedModelError, match=r"is ambiguous which columns.*\{10, 20, 30\}.*as_unordered"):
        read_forest(Classifier().fit(frame, y))


def test_numbers_declared_as_categories_beside_those_of_the_frame():
    frame, y = shop()
    frame["shelf"] = np.arange(len(frame)) % 7
    y = np.where(frame["shelf"].isin([0, 3, 4]), y, "waits")
    model = Classifier(min_data_per_group=5).fit(frame, y, categorical_feature=["color", "store", "member", "shelf"])
    forest = assert_same(model, frame)
    assert isinstance(forest.features[5], WholeCategory)


def test_a_category_that_never_occurs_and_a_constant_column():
    frame, y = shop()
    frame["color"] = frame["color"].cat.add_categories(["never"])
    frame["same"] = pd.Categorical(["x"] * len(frame))
    model = Classifier(min_data_per_group=5).fit(frame, y)
    forest = assert_same(model, frame)
    assert "never" in forest.features[1].categories
    new = frame.copy()
    new.loc[::4, "color"] = "never"
    assert_same(model, new, forest)


def test_weights():
    weight = np.where(SKEWED > 3, 5.0, 0.1)
    plain, weighted = Regressor().fit(X, SKEWED), Regressor().fit(X, SKEWED, sample_weight=weight)
    assert_same_everywhere(weighted, X)
    assert not np.allclose(read_forest(plain).predict(X), read_forest(weighted).predict(X))
    # What a tree weighs is in its leaves already, in dart too.
    for model in (weighted, Regressor(learning_rate=0.7, **DART).fit(X, SKEWED, sample_weight=weight)):
        assert_array_equal(assert_same(model, X).tree_weights, np.ones(6))
    assert_same(Classifier(class_weight={"no": 1, "yes": 20}).fit(X, BINARY), X)


def test_native_file(tmp_path):
    frame, y = shop()
    for model, table in (
        (Classifier().fit(X, BINARY), X),
        (Classifier(**FOREST).fit(X, MULTI), X),
        (Regressor(objective="poisson", zero_as_missing=True).fit(X, SKEWED), X),
        (Classifier(min_data_per_group=5).fit(frame, y), frame),
        (Regressor().fit(codes()[0], codes()[1], **CATEGORICAL), codes()[0]),
    ):
        path = tmp_path / "model.txt"
        model.booster_.save_model(path)
        forest = read_forest(path)
        assert_same(lgb.Booster(model_file=path), table, forest)
        if isinstance(model, lgb.LGBMClassifier):
            assert_array_equal(forest.classes, np.arange(len(model.classes_)))
            assert_allclose(forest.answer(table), model.predict_proba(table), rtol=1e-9)


def test_a_file_is_read_without_the_library(tmp_path):
    path = tmp_path / "model.TXT"
    Regressor().fit(X, SKEWED).booster_.save_model(path)
    script = "import sys, hedgerow; print(hedgerow.read_forest(sys.argv[1]), 'lightgbm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "Forest(6 trees, 4 features, regression) False\n"


@pytest.mark.parametrize("lines", ["\r\n", "\n"])
def test_a_file_with_the_line_ends_of_any_system(tmp_path, lines):
    model = Regressor().fit(X, SKEWED)
    path = tmp_path / "model.txt"
    path.write_bytes(model.booster_.model_to_string().replace("\n", lines).encode())
    assert_same(model, X, read_forest(path))


@needs("lightgbm", "4.7")
def test_early_stopping():
    half = len(X) // 2
    stop = lgb.early_stopping(2, verbose=False)
    model = Regressor(n_estimators=200, learning_rate=0.5)
    model.fit(X[:half], SKEWED[:half], eval_X=X[half:], eval_y=SKEWED[half:], callbacks=[stop])
    forest = assert_same_everywhere(model, X)
    assert forest.n_trees == model.best_iteration_ < 200
    assert_allclose(forest.answer(X), model.predict(X))
    several = Classifier(n_estimators=200, learning_rate=0.5)
    several.fit(X[:half], MULTI[:half], eval_X=X[half:], eval_y=MULTI[half:], callbacks=[stop])
    assert assert_same(several, X).n_trees == 4 * several.best_iteration_
    # A booster that can be trained on keeps the trees after the best iteration, and does not use them.
    data, held_out = lgb.Dataset(X[:half], SKEWED[:half]), lgb.Dataset(X[half:], SKEWED[half:])
    parameters = {"num_leaves": 7, "learning_rate": 0.5, "verbose": -1, "num_threads": 1}
    booster = lgb.train(parameters, data, 200, valid_sets=[held_out], callbacks=[stop], keep_training_booster=True)
    assert assert_same(booster, X).n_trees == booster.best_iteration < booster.num_trees()


@pytest.mark.parametrize(
    "parameters",
    [
        {"objective": "binary", "sigmoid": 0.5},
        {"objective": "multiclass", "num_class": 4},
        {"objective": "multiclassova", "num_class": 4},
        {"objective": "l1"},
        {"objective": "xentropy"},
        {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5, "objective": "regression"},
    ],
    ids=str,
)
def test_a_booster_with_classes_by_number(parameters):
    labels = (MULTI + 7) // 10
    y = {"l1": SKEWED, "regression": SKEWED, "xentropy": SKEWED / (1 + SKEWED), "binary": labels > 1}
    data = lgb.Dataset(X, y.get(parameters["objective"], labels))
    booster = lgb.train({"num_leaves": 5, "verbose": -1, "num_threads": 1, **parameters}, data, 5)
    forest = assert_same_everywhere(booster, X)
    expected = {"binary": 2, "multiclass": 4, "multiclassova": 4}.get(parameters["objective"])
    assert (forest.classes is None) if expected is None else forest.classes.tolist() == list(range(expected))


def test_trees_of_a_single_leaf():
    for y in (np.full(40, 3.5), np.array([0.0, 1.0] * 20)):
        model = Regressor().fit(np.zeros((40, 2)), y)
        forest = assert_same(model, np.array([[0.0, 1.0], [np.nan, 5.0]]))
        assert {tree.n_nodes for tree in forest.trees} == {1}
    model = Classifier().fit(np.zeros((40, 2)), [0, 1] * 20)
    assert_same(model, np.zeros((3, 2)))
    # A tree that cannot grow beside one that can: the third class is too rare to split off.
    rare = np.array([0, 1] * 149 + [2, 2])
    assert_same(Classifier(min_child_samples=20).fit(X, rare), X)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(10, 80),
    scale=st.sampled_from([1e-40, 1e-35, 1e-30, 1e-3, 1.0, 1e6, 1e38]),
    repeats=st.booleans(),
    kind=st.sampled_from(sorted(MISSING)),
    holes=st.sampled_from([0.0, 0.3]),
    categories=st.booleans(),
    single=st.booleans(),
    boosting=st.sampled_from([{}, DART, FOREST, {"data_sample_strategy": "goss"}]),
    objective=st.sampled_from(["regression", "quantile", "poisson", "binary", "multiclass"]),
)
@example(893, 75, 1e38, False, "nan", 0.0, False, True, {}, "binary")  # infinity in training
@example(0, 80, 1e-35, True, "zero", 0.3, True, True, {}, "regression")
def test_leaves_on_drawn_models(seed, n, scale, repeats, kind, holes, categories, single, boosting, objective):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(n, 3)) * scale
    table = np.round(table / scale, 0) * scale if repeats else table
    y = np.exp(rng.normal(size=n) + np.nan_to_num(table[:, 0] / scale))
    if categories:
        table[:, 2] = rng.integers(0, 40, n)
        y += np.isin(table[:, 2], [0, 3, 33, 34])
    table[rng.random(table.shape) < holes] = np.nan
    with np.errstate(over="ignore"):
        table = table.astype(np.float32 if single else np.float64)
    settings = {"min_child_samples": 1, "min_data_in_bin": 1, "min_data_per_group": 1, "min_child_weight": 0}
    settings |= {"n_estimators": 4, "random_state": seed % 1000, **MISSING[kind], **boosting}
    if objective in ("binary", "multiclass"):
        model, y = Classifier(**settings), np.digitize(y, np.quantile(y, [0.4, 0.8][: 1 + (objective == "multiclass")]))
    else:
        model = Regressor(objective=objective, **settings)
    model.fit(table, y, categorical_feature=[2] if categories else "auto")
    assert_same_everywhere(model, table)


@pytest.mark.parametrize("kind", ["none", "nan", "unused"])  # with zero_as_missing treelite goes other ways
def test_treelite_agrees(kind):
    table, y = codes()
    table = np.where(np.random.default_rng(0).random(table.shape) < 0.1, np.nan, table) if kind == "nan" else table
    model = Regressor(**MISSING[kind], min_data_per_group=5).fit(table, y, **CATEGORICAL)
    oracle = treelite.frontend.from_lightgbm(model.booster_)
    forest = read_forest(model)
    probes = table[np.random.default_rng(1).integers(len(table), size=300)]
    probes[:, 0] = around_thresholds(forest, table, extremes=EXTREMES)[:, 0]
    for rows in (table, probes):
        expected = treelite.gtil.predict(oracle, rows, nthread=1, pred_margin=True)
        assert_allclose(forest.predict(rows).ravel(), expected.ravel(), rtol=1e-6)


@needs("lightgbm", "4.7")
def test_names_come_from_the_frame_or_the_caller():
    names = ["age", "the size", "visits per day", "x_y"]
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        model = Classifier().fit(frame, BINARY)
        forest = read_forest(model)
        # LightGBM itself keeps names without spaces only; the frame's own columns fit them all the same.
        assert forest.inputs.names == ["age", "the_size", "visits_per_day", "x_y"]
        assert_array_equal(forest.apply(frame), own_leaves(model, X))
        with pytest.raises(InvalidDataError, match="trained on different columns"):
            forest.apply(frame[names[::-1]])
        rules = RuleListClassifier(model, max_rules=4).fit(frame, BINARY)
        assert rules.forest_.inputs.names == names
        assert_array_equal(rules.predict(frame), rules.rule_list_.predict(frame))
    plain = Classifier().fit(X, BINARY)
    assert read_forest(plain).inputs.names == ["x0", "x1", "x2", "x3"]
    assert not read_forest(plain).inputs.has_names
    assert read_forest(plain, names).inputs.names == names
    with pytest.raises(InvalidParameterError, match="2 feature names for an ensemble of 4"):
        read_forest(plain, ["a", "b"])


@needs("lightgbm", "4.7")
def test_single_and_nullable_numbers_of_frames():
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    frame["a"] = frame["a"].astype(np.float32)
    frame["c"] = frame["c"].astype("Int64")
    frame.loc[::7, "c"] = pd.NA
    assert_same(Regressor().fit(frame, SKEWED), frame)
    holes = pl.DataFrame({"a": [None if i % 5 == 0 else float(v) for i, v in enumerate(X[:, 0])], "b": X[:, 2]})
    assert_same(Regressor().fit(holes, SKEWED), holes)


def test_a_subclass_a_frozen_model_and_a_list_are_read():
    class Mine(lgb.LGBMRegressor):
        pass

    model = Mine(**SMALL).fit(X, SKEWED)
    assert read_forest(model).n_trees == 6
    assert read_forest(FrozenEstimator(model)).n_trees == 6
    assert read_forest([model, model.booster_]).n_trees == 12


@pytest.mark.parametrize("model", [lgb.LGBMClassifier(), lgb.LGBMRegressor(), FrozenEstimator(lgb.LGBMRanker())])
def test_an_unfitted_model_is_refused(model):
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        read_forest(model)


def test_what_has_no_rules_is_refused(tmp_path):
    with pytest.raises(UnsupportedModelError, match=r"linear models.*linear_tree=False"):
        read_forest(Regressor(linear_tree=True).fit(X[:, :3], SKEWED))
    with pytest.raises(UnsupportedModelError, match="has no trees"):
        read_forest(lgb.Booster({"verbose": -1}, lgb.Dataset(X, SKEWED)))
    with pytest.raises(UnsupportedModelError, match=r"Cannot read a CVBooster.*list of boosters"):
        read_forest(lgb.CVBooster())
    with pytest.raises(UnsupportedModelError, match="a regressor, give 3 scores"):
        read_forest(Regressor(objective="multiclass", num_class=3).fit(X, MULTI > 3))
    with pytest.raises(UnsupportedModelError, match="a classifier of 1 classes, give 1 scores"):
        read_forest(Classifier().fit(X, np.ones(len(X))))
    text = Regressor().fit(X, SKEWED).booster_.model_to_string()
    for wrong, message in (
        ("", "not a complete LightGBM model"),
        ("age,size\n1,2\n", "'model.txt' is not a complete LightGBM model"),
        (text[: len(text) // 3], "not a complete LightGBM model"),
        (text.replace("version=v4", "version=v2"), "version v2.*save it again"),
        (text.replace("objective=regression", "objective=newest"), "'newest'.*Train it with one of: regression, "),
    ):
        path = tmp_path / "model.txt"
        path.write_text(wrong)
        with pytest.raises(UnsupportedModelError, match=message):
            read_forest(path)


def test_a_list_of_rules_from_a_data_frame_with_categories():
    frame, y = shop()
    for model in (
        Classifier(min_data_per_group=5, max_depth=2).fit(frame, y),
        Classifier(min_data_per_group=5, max_depth=2),
    ):
        rules = RuleListClassifier(model, max_rules=4).fit(frame, y)
        assert rules.solution_.optimal
        assert rules.score(frame, y) > 0.7
        assert len(rules.rule_list_) <= 4
        text = str(rules.rule_list_)
        assert any(name in text for name in ("color in {black, red}", "color in {blue, green}"))
        assert_allclose(rules.predict_proba(frame).sum(axis=1), 1)
        new = frame.assign(color=frame["color"].cat.add_categories(["violet"]).fillna("violet"))
        assert_array_equal(rules.predict(new), rules.predict(frame))


def test_a_list_of_rules_of_a_regression_a_booster_and_a_file(tmp_path):
    model = Regressor(max_depth=2).fit(X, SKEWED)
    path = tmp_path / "model.txt"
    model.booster_.save_model(path)
    lists = [
        RuleListRegressor(one, max_rules=4).fit(X, SKEWED)
        for one in (model, model.booster_, path, Regressor(max_depth=2))
    ]
    assert lists[0].score(X, SKEWED) > 0.3
    for other in lists[1:]:
        assert str(other.rule_list_) == str(lists[0].rule_list_)
    explained = RuleListRegressor(model, max_rules=4, target="ensemble").fit(X, SKEWED)
    assert explained.fidelity(X, SKEWED).ensemble_score == pytest.approx(model.score(X, SKEWED))


def test_steps_at_zero_are_written_as_a_person_would():
    visits = np.repeat([0.0, 3.0, -2.0], 60)[:, None]
    for y, expected in (
        (visits[:, 0] > 0, {"x0 <= 0", "x0 > 0"}),
        (visits[:, 0] < 0, {"x0 < 0", "x0 >= 0"}),
    ):
        rules = RuleListRegressor(Regressor(num_leaves=2, n_estimators=1), max_rules=2).fit(visits, y)
        assert {rule.describe() for rule in rules.rule_list_} == expected
    rules = RuleListRegressor(Regressor(num_leaves=3, n_estimators=1), max_rules=3).fit(visits, visits[:, 0] == 0)
    assert {rule.describe() for rule in rules.rule_list_} == {"x0 is 0", "x0 < 0", "x0 > 0"}


def test_where_zero_is_missing_the_rules_say_so():
    visits = np.repeat([0.0, 1.0, 2.0, -3.0], 60)[:, None]
    model = Regressor(num_leaves=3, n_estimators=1, zero_as_missing=True)
    rules = RuleListRegressor(model, max_rules=3).fit(visits, (visits[:, 0] != 1) * 1.0 + (visits[:, 0] < 0))
    assert {r.describe() for r in rules.rule_list_} == {"x0 < 0", "0 < x0 <= 1.5", "(x0 > 1.5 or zero or missing)"}
    model = Regressor(num_leaves=2, n_estimators=1, zero_as_missing=True)
    rules = RuleListRegressor(model, max_rules=2).fit(visits, np.isin(visits[:, 0], [0, 2]))
    assert {r.describe() for r in rules.rule_list_} == {"(x0 <= 1.5 but not zero)", "(x0 > 1.5 or zero or missing)"}
