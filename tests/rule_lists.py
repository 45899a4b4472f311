"""Small rule lists of every library, and drawn ones with all that a format can stumble over."""

import sys
import warnings
from functools import cache
from importlib.metadata import version

import numpy as np
import pandas as pd
from hypothesis import assume
from hypothesis import strategies as st
from packaging.version import Version
from small_series import planted

from hedgerow import Forest, InfeasibleError, RuleListClassifier, RuleListRegressor, Tree
from hedgerow.features import Category, Column, ColumnOfNonzeros, ColumnWithBlank, ColumnWithGap, Inputs

SMALL = {"n_estimators": 6, "max_depth": 3, "random_state": 0}


def numbers(n=60, seed=0):
    """Return four columns of numbers, and two classes that follow from two of them."""
    X = np.random.default_rng(seed).normal(size=(n, 4)).round(1)
    return X, ((X[:, 0] > 0) & (X[:, 2] <= 0.5)).astype(int)


def table(n=60):
    """Return numbers and categories, with missing values, under names that need care, and labels."""
    rng = np.random.default_rng(0)
    color = rng.choice(["red", 'dark "blue"', "grün\n"], n)
    frame = pd.DataFrame({'the\n"age"': rng.integers(0, 60, n).astype(float), "größe, {cm}": rng.normal(size=n)})
    y = np.where((frame.iloc[:, 0] > 30) | (color == "red"), "ja ✓", 'a "no"')
    frame.iloc[::7, 1] = np.nan
    return frame.assign(color=pd.Categorical(color)), y


def random_forest():
    from sklearn.ensemble import RandomForestClassifier

    X, y = numbers()
    X = pd.DataFrame(X, columns=["a", "b", 'c "d"', "e\n"])
    return RandomForestClassifier(**SMALL).fit(X, y), X, y


def regression():
    from sklearn.ensemble import GradientBoostingRegressor

    X, _ = numbers()
    y = X[:, 0] + 0.1 * X[:, 1] ** 2
    return GradientBoostingRegressor(**SMALL).fit(X, y), X, y


def union():
    from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier

    X, y = numbers()
    return [ExtraTreesClassifier(**SMALL).fit(X, y), GradientBoostingClassifier(**SMALL).fit(X, y)], X, y


def histogram_boosting():
    from sklearn.ensemble import HistGradientBoostingClassifier

    X, y = table()
    model = HistGradientBoostingClassifier(max_iter=4, max_depth=3, min_samples_leaf=3)
    return model.set_params(categorical_features="from_dtype").fit(X, y), X, y


def xgboost():
    from xgboost import XGBClassifier

    X, y = table()
    X = X.rename(columns=lambda name: name.replace("\n", " "))
    if Version(version("xgboost-cpu")) < Version("3.4"):  # which does not store names that are not ASCII
        X = X.select_dtypes("number")
    model = XGBClassifier(n_estimators=4, max_depth=3, enable_categorical=True)
    return model.fit(X, (y == "ja ✓").astype(int)), X, (y == "ja ✓").astype(int)


def lightgbm():
    from lightgbm import LGBMClassifier

    X, y = table()
    X = X.set_axis(["age", "size", "color"], axis=1)
    model = LGBMClassifier(
        n_estimators=4, max_depth=3, min_child_samples=3, min_data_per_group=1, cat_smooth=1, verbose=-1
    )
    return model.fit(X, y), X, y


def catboost():
    from catboost import CatBoostClassifier

    X, y = table()
    X = X.assign(color=X["color"].astype(str))
    model = CatBoostClassifier(iterations=4, depth=3, one_hot_max_size=9, verbose=False, allow_writing_files=False)
    return model.fit(X, y, cat_features=["color"]), X, y


def pipeline():
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    X, y = table()
    X = X.assign(color=X["color"].astype(object))
    steps = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), list(X.columns[:2])),
        (OneHotEncoder(handle_unknown="ignore"), ["color"]),
    )
    return make_pipeline(steps, RandomForestClassifier(**SMALL)).fit(X, y), X, y


def wildboar_shapelets(n_dimensions=None):
    from wildboar.ensemble import ShapeletForestClassifier

    X, y = planted(n_dimensions=n_dimensions)
    return ShapeletForestClassifier(n_estimators=6, random_state=0, metric="scaled_euclidean").fit(X, y), X, y


def wildboar_regression():
    from wildboar.ensemble import ShapeletForestRegressor

    X, y = planted()
    return ShapeletForestRegressor(n_estimators=6, max_depth=3, random_state=0).fit(X, y + 0.1), X, y + 0.1


def wildboar_intervals():
    from wildboar.ensemble import IntervalForestClassifier

    X, y = planted(n_dimensions=2)
    return IntervalForestClassifier(n_estimators=6, random_state=0, intervals="random").fit(X, y), X, y


def aeon():
    from aeon.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted(n_dimensions=2)
    return TimeSeriesForestClassifier(n_estimators=6, random_state=0).fit(X, y), X, y


def sktime():
    from sktime.classification.interval_based import TimeSeriesForestClassifier

    X, y = planted()
    return TimeSeriesForestClassifier(n_estimators=6, random_state=0).fit(X, y), X, y


KINDS = {
    "random forest": random_forest,
    "regression": regression,
    "union": union,
    "histogram boosting": histogram_boosting,
    "xgboost": xgboost,
    "lightgbm": lightgbm,
    "catboost": catboost,
    "pipeline": pipeline,
    "aeon": aeon,
    "sktime": sktime,
}
if sys.version_info >= (3, 12):  # wildboar's releases for 3.11 need an older scikit-learn
    KINDS |= {
        "wildboar shapelets": wildboar_shapelets,
        "wildboar shapelets of two dimensions": lambda: wildboar_shapelets(2),
        "wildboar regression": wildboar_regression,
        "wildboar intervals": wildboar_intervals,
    }

#: The kinds whose rules look at columns of a table.
TABLE_KINDS = [kind for kind in KINDS if kind not in ("aeon", "sktime") and "wildboar" not in kind]


@cache
def make(kind, fallback):
    """Return a rule list of some library and samples to ask it about."""
    model, X, y = KINDS[kind]()
    of_labels = len(np.unique(y)) < 5 and y.dtype.kind != "f"
    estimator = RuleListClassifier if of_labels else RuleListRegressor
    fitted = estimator(model, uncovered="ensemble" if fallback else "default").fit(X, y)
    return fitted.rule_list_, X


# Drawn lists

#: Names with quotes, line breaks, backslashes, and of any script.
NAMES = st.one_of(st.sampled_from(['"', "\\", "\n", "\ud800", "a\u2028b", "", "NaN", "{}"]), st.text(max_size=8))
THRESHOLDS = st.one_of(
    st.sampled_from([0.0, -0.0, 0.1, 1 / 3, 5e-324, 1e-40, 16777217.0, 1e300, -1.5]),
    st.floats(allow_nan=False, allow_infinity=False, width=64),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
)
#: A filter for tests: all that a probe says about a column may be unknown to the rules.
UNKNOWN_VALUES = "ignore:The rules know no value in the column"
LABELS = [["a", 'b"\n'], [False, True], [0, 1], [2.0, -1.0], ["é", "🌲", "x"], [3, 1, 2]]


@st.composite
def drawn_features(draw):
    values = draw(
        st.lists(NAMES, min_size=1, max_size=3, unique=True) | st.lists(st.integers(-3, 3), min_size=1, unique=True)
    )
    number = draw(
        st.sampled_from(
            [
                Column(0, draw(NAMES)),
                ColumnOfNonzeros(0, draw(NAMES)),
                ColumnWithBlank(0, draw(NAMES), blank=draw(THRESHOLDS.filter(lambda t: abs(t) < 1e30))),
                ColumnWithGap(0, draw(NAMES), -np.inf, draw(THRESHOLDS), fill=draw(st.none() | st.just(1.0))),
            ]
        )
    )
    return number, Column(1, draw(NAMES)), Category(2, draw(NAMES), tuple(values), other=draw(st.booleans()))


def drawn_tree(draw, features, n_classes):
    """Return a tree with up to three branch nodes."""
    # the root; its children; two leaves below each
    shape = draw(st.sampled_from([([1, -1, -1], [2, -1, -1]), ([1, 3, 5, *[-1] * 4], [2, 4, 6, *[-1] * 4])]))
    left, right = (np.array(side) for side in shape)
    n = len(left)
    feature = np.array([draw(st.integers(0, 2)) for _ in range(n)])
    on_category = (feature == 2) & (left >= 0)
    codes = [[draw(st.booleans()) for _ in range(features[2].n_codes)] for _ in range(max(1, on_category.sum()))]
    return Tree(
        left=left,
        right=right,
        feature=feature,
        threshold=np.where(on_category, np.nan, [draw(THRESHOLDS) for _ in range(n)]),
        missing_left=np.array([draw(st.booleans()) for _ in range(n)]),
        value=np.random.default_rng(0).dirichlet(np.ones(n_classes), n),
        category=np.where(on_category, np.cumsum(on_category) - 1, -1),
        left_codes=np.array(codes),
    )


@st.composite
def drawn_lists(draw):
    """Return a list of a drawn forest, and samples on its thresholds and beside, with missing and unseen values."""
    features, labels = draw(drawn_features()), draw(st.sampled_from(LABELS))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    trees = [drawn_tree(draw, features, len(labels)) for _ in range(draw(st.integers(1, 3)))]
    inputs = Inputs(features, dtype, allows_missing=True, allows_infinity=True)
    order = np.unique(np.array(labels))
    forest = Forest(tuple(trees), inputs, np.ones(len(trees)), base=np.zeros(len(labels)), classes=order)
    X = samples(trees, features)
    y = np.array(labels)[np.random.default_rng(draw(st.integers(0, 9))).integers(0, len(labels), len(X))]
    assume(len(np.unique(y[::2])) == len(labels))
    uncovered = draw(st.sampled_from(["default", "ensemble"]))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "No tree of the ensemble has more than")
            return RuleListClassifier(forest, max_rules=4, uncovered=uncovered).fit(X[::2], y[::2]).rule_list_, X
    except InfeasibleError:
        assume(False)


def samples(trees, features):
    """Return samples with values on each threshold and one step beside, in both precisions."""
    thresholds = np.concatenate([tree.threshold[tree.left >= 0] for tree in trees])
    with np.errstate(all="ignore"):
        on = np.unique(thresholds[~np.isnan(thresholds)])
        values = [on, np.nextafter(on, np.inf), np.nextafter(on, -np.inf)]
        single = on.astype(np.float32)
        values += [single, np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf))]
    numbers = np.concatenate([*values, [np.nan, 0.0, 1.0]]).astype(np.float64)
    X = np.empty((2 * len(numbers), 3), dtype=object)
    X[:, 0], X[:, 1] = np.tile(numbers, 2), np.roll(np.tile(numbers, 2), 3)
    known = [*features[2].categories, None, "never seen"]
    X[:, 2] = [known[i % len(known)] for i in range(len(X))]
    return X
