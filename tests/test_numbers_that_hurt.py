"""Numbers, tables and labels that break what is careless with them: fitted and predicted, or refused in words."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from lightgbm import LGBMClassifier, LGBMRegressor
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from xgboost import XGBClassifier, XGBRegressor

from hedgerow import (
    Condition,
    Forest,
    InvalidDataError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListRegressor,
    read_forest,
)
from hedgerow.features import Column, Inputs

RNG = np.random.default_rng(0)
BASE = (RNG.integers(-64, 64, (80, 3)) / 16).astype(np.float64)  # exact in every type of numbers below
Y = (BASE[:, 0] + BASE[:, 1] ** 2 / 4 > 0.5).astype(int)
FRAME = pd.DataFrame(BASE, columns=["a", "b", "c"])
WHOLE = pd.DataFrame((BASE * 16).astype(int), columns=["a", "b", "c"])


def fitted(X, y=Y, **settings):
    return RuleListClassifier(RandomForestClassifier(15, max_depth=3, random_state=0), max_rules=4, **settings).fit(
        X, y
    )


def shape_of(model):
    """Return the rules without their thresholds: columns, sides, predictions and coverage."""
    return [
        (
            [(c.feature.index, c.lower > -np.inf, c.upper < np.inf) for c in rule.conditions],
            rule.prediction,
            rule.coverage,
        )
        for rule in model.rule_list_
    ]


# Thresholds

LARGEST, TINIEST = np.finfo(np.float64).max, np.finfo(np.float64).smallest_subnormal
THRESHOLDS = [
    *(LARGEST, -LARGEST, TINIEST, -TINIEST, np.finfo(np.float64).tiny, 0.0, -0.0, 1e-300, 2.0**53, 2.0**53 + 2),
    *(float(np.finfo(np.float32).max), float(np.finfo(np.float32).smallest_subnormal), np.pi, 0.1, 1 / 3, -1e16),
]


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_a_sample_at_the_threshold_and_its_neighbours_are_on_the_right_side(threshold):
    column = Column(0, "a")
    inputs = Inputs((column,), np.float64, allows_infinity=True)
    rules = RuleList((Rule((Condition(column, upper=threshold),), 1.0),), Rule((), 0.0), inputs)
    with np.errstate(over="ignore"):
        near = [-np.inf, np.nextafter(threshold, -np.inf), threshold, np.nextafter(threshold, np.inf), np.inf]
    wanted = [float(x <= threshold) for x in near]
    X = np.array(near)[:, None]
    again = RuleList.from_json(rules.to_json())
    namespace = {}
    exec(rules.to_python(), namespace)
    assert rules.predict(X).tolist() == wanted
    assert again.predict(X).tolist() == wanted
    assert again.rules[0].conditions[0].upper == threshold
    assert [namespace["predict"]({"a": x}) for x in near[1:4] if np.isfinite(x)] == [
        w for x, w in zip(near[1:4], wanted[1:4], strict=True) if np.isfinite(x)
    ]


@pytest.mark.parametrize("threshold", [*THRESHOLDS, np.inf])
def test_a_forest_with_any_threshold_keeps_it(threshold):
    tree = {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "threshold": [threshold, 0, 0]}
    forest = Forest.from_arrays([tree | {"value": [0.0, 1.0, 2.0]}], ["a"])
    again = Forest.from_json(forest.to_json())
    assert again.trees[0].threshold[0] == threshold
    X = np.array([[threshold if np.isfinite(threshold) else LARGEST]])
    assert again.apply(X).tolist() == forest.apply(X).tolist() == [[1]]


def test_negative_zero_is_zero():
    X = np.where(BASE == 0, -0.0, BASE)
    assert shape_of(fitted(X)) == shape_of(fitted(BASE))
    model = fitted(BASE)
    assert model.predict(np.full((1, 3), -0.0)) == model.predict(np.zeros((1, 3)))


def test_infinity_is_refused_where_the_ensemble_refuses_it_and_else_compared():
    X = BASE.copy()
    X[0, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        fitted(X)
    model = RuleListClassifier(HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=3), max_rules=4).fit(X, Y)
    X[1, 1] = -np.inf
    assert set(model.predict(X)) <= {0, 1}


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_a_number_that_float32_does_not_hold_is_refused():
    X = BASE.copy()
    X[3, 1] = 1e39
    with pytest.raises(ValueError, match="too large for dtype"):
        fitted(X)


def test_subnormals_are_told_apart_by_ensembles_of_float64():
    X = np.tile([[0.0], [TINIEST], [2 * TINIEST], [3 * TINIEST]], (10, 1))
    rules = RuleList(
        (Rule((Condition(Column(0, "a"), upper=TINIEST),), 1.0),), Rule((), 0.0), Inputs((Column(0, "a"),), np.float64)
    )
    assert rules.predict(X[:4]).tolist() == [1.0, 1.0, 0.0, 0.0]


# Types of numbers: the same values in other types give the same list


def with_type(dtype):
    return BASE.astype(dtype)


def objects(of):
    return np.array([[of(float(x)) for x in row] for row in BASE], dtype=object)


def polars_of(dtype):
    return pl.from_pandas(FRAME).select(pl.all().cast(dtype))


DECIMALS = FRAME.map(lambda x: Decimal(repr(float(x))))
SAME_VALUES = {
    "float16": with_type(np.float16),
    "float32": with_type(np.float32),
    "longdouble": with_type(np.longdouble),
    "big-endian": with_type(">f8"),
    "Fortran order": np.asfortranarray(BASE),
    "not contiguous": np.repeat(BASE, 2, axis=1)[:, ::2],
    "decimals": objects(lambda x: Decimal(repr(x))),
    "fractions": objects(Fraction),
    "float objects": objects(float),
    "list of lists": BASE.tolist(),
    "masked array": np.ma.masked_array(BASE, mask=np.zeros(BASE.shape, dtype=bool)),
    "pandas": FRAME,
    "pandas float32": FRAME.astype("float32"),
    "pandas Float64": FRAME.astype("Float64"),
    "pandas Float32": FRAME.astype("Float32"),
    "pandas Arrow double": FRAME.astype("double[pyarrow]"),
    "pandas Arrow float": FRAME.astype("float[pyarrow]"),
    "pandas Arrow decimal": DECIMALS.astype(pd.ArrowDtype(pa.decimal128(20, 6))),
    "pandas decimals": DECIMALS,
    "pandas objects": FRAME.astype(object),
    "Arrow table": pa.table({name: FRAME[name] for name in FRAME}),
    "polars Float64": polars_of(pl.Float64),
    "polars Float32": polars_of(pl.Float32),
    "polars Decimal": polars_of(pl.Decimal(20, 6)),
}


@pytest.mark.parametrize("X", SAME_VALUES.values(), ids=SAME_VALUES.keys())
def test_the_same_numbers_in_another_type_give_the_same_list(X):
    model, plain = fitted(X), fitted(BASE)
    assert shape_of(model) == shape_of(plain)
    assert model.predict(X).tolist() == plain.predict(BASE).tolist()


SAME_INTEGERS = {
    **{name: WHOLE.to_numpy().astype(name) for name in ("int8", "int16", "int32", "int64", "float64")},
    **{name: WHOLE.astype(name) for name in ("Int8", "Int16", "Int32", "Int64", "int16[pyarrow]", "int64[pyarrow]")},
    **{
        str(dtype): pl.from_pandas(WHOLE).select(pl.all().cast(dtype))
        for dtype in (pl.Int8, pl.Int16, pl.Int32, pl.Int64)
    },
    "python": WHOLE.to_numpy().astype(object),
}


@pytest.mark.parametrize("X", SAME_INTEGERS.values(), ids=SAME_INTEGERS.keys())
def test_the_same_integers_in_another_type_give_the_same_list(X):
    model, plain = fitted(X), fitted(WHOLE.to_numpy())
    assert shape_of(model) == shape_of(plain)
    assert model.predict(X).tolist() == plain.predict(WHOLE.to_numpy()).tolist()


TRUTHS = FRAME > 0
SAME_TRUTHS = {
    "numpy": TRUTHS.to_numpy(),
    **{name: TRUTHS.astype(name) for name in ("bool", "boolean", "bool[pyarrow]", "uint8", "UInt8", "UInt64")},
    "polars Boolean": pl.from_pandas(TRUTHS),
    **{
        f"polars {dtype}": pl.from_pandas(TRUTHS).select(pl.all().cast(dtype))
        for dtype in (pl.UInt8, pl.UInt16, pl.UInt64)
    },
}


@pytest.mark.parametrize("X", SAME_TRUTHS.values(), ids=SAME_TRUTHS.keys())
def test_the_same_truths_in_another_type_give_the_same_list(X):
    y = (BASE[:, 0] > 0).astype(int)
    assert fitted(X, y).predict(X).tolist() == y.tolist()


def test_integers_beyond_two_to_the_53_are_compared_as_the_ensemble_compares_them():
    X = (2.0**53 + 4 * np.arange(60))[:, None]  # LightGBM takes integers as float32
    y = (np.arange(60) >= 30).astype(int)
    model = LGBMClassifier(n_estimators=1, num_leaves=2, min_child_samples=1, verbose=-1, n_jobs=1).fit(X, y)
    rules = RuleListClassifier(model, max_rules=2).fit(X, y)
    assert rules.predict(X).tolist() == model.predict(X).tolist()
    assert rules.score(X, y) > 0.95  # LightGBM puts a few neighbours together


@pytest.mark.parametrize(
    ("X", "match"),
    [
        (FRAME.astype(pd.SparseDtype("float64", 0.0)), r"column a of X is sparse.*to_dense"),
        (pl.from_pandas(WHOLE).select(pl.all().cast(pl.Int128)), "128 bits.*Cast it to Int64"),
        (pl.from_pandas(FRAME).with_columns(d=pl.Series([{"x": 1}] * 80)), r"unnest\('d'\)"),
        (BASE.astype(complex), "Complex data not supported"),
        (BASE.astype("S"), "where numbers are needed"),
        (BASE.astype(str), "where numbers are needed"),
        (BASE[:0], "0 sample"),
        (BASE[:, :0], "0 feature"),
        (BASE.ravel(), "Reshape your data"),
        (np.array([tuple(row) for row in BASE], dtype=[(name, float) for name in "abc"]), "Reshape"),
        (pd.concat([FRAME, FRAME["a"]], axis=1), "several columns with the same name: 'a'"),
    ],
    ids=range(11),
)
def test_tables_that_cannot_be_used_are_refused_in_words(X, match):
    with pytest.raises(ValueError, match=match):
        fitted(X)


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([datetime.date(2020, 1, 1)] * 80),
        pl.Series([datetime.datetime(2020, 1, 1)] * 80),
        pl.Series([[1, 2]] * 80),
    ],
    ids=lambda values: str(values.dtype),
)
def test_columns_of_polars_that_hold_no_numbers_are_left_out_with_a_warning(values):
    X = pl.from_pandas(FRAME).with_columns(d=values)
    with pytest.warns(UserWarning, match="not used: d"):
        model = fitted(X)
    assert "d" not in {c.feature.name for rule in model.rule_list_ for c in rule.conditions}
    assert len(model.predict(X)) == 80


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["u", "v"])], ids=str)
def test_columns_of_strings_of_polars_are_categories(dtype):
    X = pl.from_pandas(FRAME).with_columns(d=pl.Series(np.array(["u", "v"])[Y].tolist(), dtype=dtype))
    assert fitted(X).score(X, Y) == 1.0


# Shapes of tables


def test_constant_columns_take_no_part():
    X = np.column_stack([np.full(80, 7.0), BASE, np.zeros(80)])
    model = fitted(X)
    assert {c.feature.index for rule in model.rule_list_ for c in rule.conditions} <= {1, 2, 3}
    everywhere = fitted(np.ones((80, 3)))
    assert everywhere.predict(np.ones((2, 3))).tolist() == [np.bincount(Y).argmax()] * 2


def test_every_row_many_times_gives_the_same_list_as_weights():
    forest = RandomForestClassifier(15, max_depth=3, random_state=0).fit(BASE, Y)
    repeated = RuleListClassifier(forest, max_rules=4).fit(np.repeat(BASE, 7, axis=0), np.repeat(Y, 7))
    once = RuleListClassifier(forest, max_rules=4).fit(BASE, Y)
    assert repeated.predict(BASE).tolist() == once.predict(BASE).tolist()
    assert [rule.coverage for rule in repeated.rule_list_] == [7 * rule.coverage for rule in once.rule_list_]


def test_one_sample_or_one_feature_is_enough_where_that_can_be():
    with pytest.raises(InvalidDataError, match="only one class"):
        fitted(BASE[:1], Y[:1])
    one = RuleListRegressor(RandomForestRegressor(3, random_state=0), max_rules=2).fit(BASE[:1], [2.5])
    assert one.predict(BASE[:3]).tolist() == [2.5] * 3
    assert set(fitted(BASE[:, :1]).predict(BASE[:, :1])) <= {0, 1}


def test_ten_thousand_columns():
    X = np.zeros((60, 10_000), dtype=np.float32)
    X[:, 9_999] = np.arange(60)
    X[:, 5_000] = RNG.normal(size=60)
    y = (np.arange(60) >= 20).astype(int)
    forest = RandomForestClassifier(3, max_features=None, max_depth=2, random_state=0)
    model = RuleListClassifier(forest, max_rules=2).fit(X, y)
    assert model.score(X, y) == 1.0
    assert RuleList.from_json(model.rule_list_.to_json()).predict(X).tolist() == y.tolist()


def test_a_thousand_classes():
    X = np.repeat(np.arange(1000.0), 3)[:, None]
    y = np.array([f"class {int(x)}" for x in X[:, 0]])
    forest = RandomForestClassifier(2, max_leaf_nodes=20, random_state=0)
    model = RuleListClassifier(forest, max_rules=6).fit(X, y)
    assert len(model.classes_) == 1000
    assert model.predict_proba(X[:5]).shape == (5, 1000)
    np.testing.assert_allclose(model.predict_proba(X[:5]).sum(axis=1), 1)
    again = RuleList.from_json(model.rule_list_.to_json())
    assert again.predict(X).tolist() == model.predict(X).tolist()


# Labels

LABELS = {
    "strings": np.array(["n", "y"]),
    "objects": np.array(["n", "y"], dtype=object),
    "booleans": np.array([False, True]),
    "whole floats": np.array([0.0, 1.0]),
    "float16": np.array([0, 1], dtype=np.float16),
    "integers beyond 2^53": np.array([2**60, 2**60 + 1]),
    "uint64": np.array([0, 2**64 - 1], dtype=np.uint64),
    "negative": np.array([-5, 5], dtype=np.int8),
    "dates": np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]"),
    "durations": np.array([1, 2], dtype="m8[D]"),
    "odd strings": np.array(["", "None"]),
}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS.keys())
def test_labels_of_any_kind_come_back(labels):
    model = fitted(BASE, labels[Y])
    assert model.classes_.tolist() == labels.tolist()
    assert model.predict(BASE).tolist() == labels[fitted(BASE).predict(BASE)].tolist()
    if labels.dtype.kind not in "mM":
        again = RuleList.from_json(model.rule_list_.to_json())
        assert again.predict(BASE).tolist() == model.predict(BASE).tolist()


TARGETS = {
    "Int64": (pd.Series(Y + 2**60, dtype="Int64"), [2**60, 2**60 + 1]),
    "UInt64": (pd.Series(Y, dtype="UInt64"), [0, 1]),
    "int64[pyarrow]": (pd.Series(Y + 2**60, dtype="int64[pyarrow]"), [2**60, 2**60 + 1]),
    "boolean": (pd.Series(Y == 1, dtype="boolean"), [False, True]),
    "bool[pyarrow]": (pd.Series(Y == 1, dtype="bool[pyarrow]"), [False, True]),
    "string": (pd.Series(np.array(["n", "y"])[Y], dtype="string"), ["n", "y"]),
    "category": (pd.Series(np.array(["n", "y"])[Y], dtype="category"), ["n", "y"]),
    "polars Int64": (pl.Series(Y + 2**60), [2**60, 2**60 + 1]),
    "polars Boolean": (pl.Series(Y == 1), [False, True]),
    "polars String": (pl.Series(np.array(["n", "y"])[Y].tolist()), ["n", "y"]),
    "polars Categorical": (pl.Series(np.array(["n", "y"])[Y].tolist(), dtype=pl.Categorical), ["n", "y"]),
    "Arrow": (pa.array(Y), [0, 1]),
    "list": (Y.tolist(), [0, 1]),
}


@pytest.mark.parametrize(("y", "classes"), TARGETS.values(), ids=TARGETS.keys())
def test_labels_in_columns_of_any_library_keep_their_kind(y, classes):
    model = fitted(BASE, y)
    assert model.classes_.tolist() == classes
    assert [type(label) for label in model.classes_.tolist()] == [type(label) for label in classes]
    assert model.predict(BASE).tolist() == [classes[i] for i in fitted(BASE).predict(BASE)]


@pytest.mark.parametrize(
    ("labels", "match"),
    [
        (np.array([b"n", b"y"]), r"bytes, such as b'n'.*decode\(\)"),
        (np.array([b"n", b"y"], dtype=object), r"bytes, such as b'n'.*decode\(\)"),
        (np.array([1, "a"], dtype=object), "both strings and other values"),
        (np.array([True, "True"], dtype=object), "both strings and other values"),
        (np.array([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]), "date, such as '2020-01-01'"),
        (np.array([Decimal(1), Decimal(2)], dtype=object), "Decimal, such as '1'"),
        (np.array([0.5, 1.5]), "RuleListRegressor"),
        (np.array([None, "a"], dtype=object), "missing value in"),
        (np.array([np.nan, 1.0]), "missing value in"),
    ],
)
def test_labels_that_cannot_be_are_refused_in_words(labels, match):
    with pytest.raises(InvalidDataError, match=match):
        fitted(BASE, labels[1 - Y])


# What must change nothing


def ensembles(of_labels):
    small = {"n_jobs": 1, "random_state": 0}
    if of_labels:
        return [
            LGBMClassifier(n_estimators=8, num_leaves=6, verbose=-1, **small),
            XGBClassifier(n_estimators=8, max_depth=3, **small),
            HistGradientBoostingClassifier(max_iter=8, max_leaf_nodes=6, random_state=0),
        ]
    return [
        LGBMRegressor(n_estimators=8, num_leaves=6, verbose=-1, **small),
        XGBRegressor(n_estimators=8, max_depth=3, **small),
        HistGradientBoostingRegressor(max_iter=8, max_leaf_nodes=6, random_state=0),
    ]


@pytest.mark.parametrize("of_labels", [True, False])
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_data_on_another_scale_give_the_same_list(scale, of_labels):
    X, y = (load_breast_cancer if of_labels else load_diabetes)(return_X_y=True)
    kind = RuleListClassifier if of_labels else RuleListRegressor
    for ensemble in ensembles(of_labels):
        plain, scaled = (kind(ensemble, max_rules=5).fit(X * by, y) for by in (1.0, scale))
        assert shape_of(scaled) == shape_of(plain)
        assert scaled.apply(X * scale).tolist() == plain.apply(X).tolist()
        assert scaled.solution_.objective == plain.solution_.objective


def test_large_numbers_give_the_same_list_with_forests_of_scikit_learn():
    # Small ones do not: to its trees, numbers that differ by less than 1e-7 are equal.
    X, y = load_breast_cancer(return_X_y=True)
    for ensemble in (
        RandomForestClassifier(20, max_depth=4, random_state=0),
        GradientBoostingClassifier(n_estimators=10, random_state=0),
    ):
        plain, scaled = (RuleListClassifier(ensemble, max_rules=5).fit(X * by, y) for by in (1.0, 1e6))
        assert shape_of(scaled) == shape_of(plain)


def test_a_forest_and_data_scaled_by_a_power_of_two_give_the_same_list():
    X, y = load_breast_cancer(return_X_y=True)
    forest = read_forest(RandomForestClassifier(20, max_depth=4, random_state=0).fit(X, y))
    for scale in (2.0**-20, 2.0**20):
        trees = [
            {
                **{name: getattr(tree, name) for name in ("left", "right", "feature", "value", "missing_left")},
                "threshold": tree.threshold * scale,
            }
            for tree in forest.trees
        ]
        moved = Forest.from_arrays(trees, forest.inputs.names, classes=forest.classes, dtype=np.float32)
        plain = RuleListClassifier(forest, max_rules=5).fit(X, y)
        scaled = RuleListClassifier(moved, max_rules=5).fit(X * scale, y)
        assert shape_of(scaled) == shape_of(plain)


@pytest.mark.parametrize(
    "settings",
    [{}, {"loss": "log_loss"}, {"target": "ensemble"}, {"target": 0.5}, {"min_coverage": 0.05}],
    ids=str,
)
def test_labels_of_weight_zero_change_nothing_though_half_of_them_are_wrong(settings):
    X, y = load_breast_cancer(return_X_y=True)
    wrong = np.random.default_rng(1).permutation(len(X))[: len(X) // 2]
    weight = np.ones(len(X))
    weight[wrong] = 0
    corrupted = y.copy()
    corrupted[wrong] = 1 - corrupted[wrong]
    forest = RandomForestClassifier(20, max_depth=4, random_state=0)
    one, other = (
        RuleListClassifier(forest, max_rules=5, **settings).fit(X, labels, sample_weight=weight)
        for labels in (y, corrupted)
    )
    assert str(one.rule_list_) == str(other.rule_list_)
    assert one.rule_list_.rules == other.rule_list_.rules
    # 0.63 are of the larger class; releases of scikit-learn grow different forests, with lists of 0.896 and more
    assert one.score(X, y) > 0.88


def test_targets_of_weight_zero_change_nothing_though_half_of_them_are_wrong():
    X, y = load_diabetes(return_X_y=True)
    wrong = np.random.default_rng(1).permutation(len(X))[: len(X) // 2]
    weight = np.ones(len(X))
    weight[wrong] = 0
    corrupted = y.copy()
    corrupted[wrong] = 1e9
    forest = RandomForestRegressor(20, max_depth=4, random_state=0)
    one, other = (
        RuleListRegressor(forest, max_rules=5).fit(X, targets, sample_weight=weight) for targets in (y, corrupted)
    )
    assert one.predict(X).tolist() == other.predict(X).tolist()
    assert str(one.rule_list_) == str(other.rule_list_)
