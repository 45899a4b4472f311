"""A forest read from wildboar routes and answers as the model itself does."""

import re
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

if sys.version_info < (3, 12):
    pytest.importorskip("wildboar")

from small_series import check_leaves, drawn_series, planted, quick
from wildboar.distance import pairwise_subsequence_distance
from wildboar.ensemble import (
    ExtraShapeletTreesClassifier,
    ExtraShapeletTreesRegressor,
    IntervalForestClassifier,
    IntervalForestRegressor,
    IsolationShapeletForest,
    RocketForestClassifier,
    ShapeletForestClassifier,
    ShapeletForestRegressor,
)
from wildboar.tree import (
    ExtraShapeletTreeClassifier,
    IntervalTreeClassifier,
    IntervalTreeRegressor,
    ShapeletTreeClassifier,
    ShapeletTreeRegressor,
)

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleList,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)
from hedgerow.features.shapelet_metrics import METRICS as ALL_METRICS
from hedgerow.features.shapelet_metrics import UNSTEADY

SMALL = {"n_estimators": 5, "random_state": 0}
ONE = {"random_state": 0}
METRICS = ("euclidean", "scaled_euclidean")

MODELS = [
    *(ShapeletForestClassifier(**SMALL, metric=metric) for metric in METRICS),
    *(ShapeletForestRegressor(**SMALL, metric=metric, max_depth=3) for metric in METRICS),
    *(ExtraShapeletTreesClassifier(**SMALL, metric=metric) for metric in METRICS),
    *(ExtraShapeletTreesRegressor(**SMALL, metric=metric) for metric in METRICS),
    *(ShapeletTreeClassifier(**ONE, metric=metric, strategy="random") for metric in METRICS),
    ShapeletTreeRegressor(**ONE, metric="scaled_euclidean", strategy="random"),
    ExtraShapeletTreeClassifier(**ONE),
    IntervalForestClassifier(**SMALL, intervals="random"),
    # Of fixed intervals all: to draw some of them makes wildboar 1.3 read past the end if there are several dimensions.
    IntervalForestClassifier(**SMALL, n_intervals=4, intervals="fixed", sample_size=None),
    IntervalForestRegressor(**SMALL, intervals="random"),
    IntervalTreeClassifier(**ONE, intervals="random"),
    IntervalTreeRegressor(**ONE),
]
#: A value of each parameter that is not its default.
PARAMETERS = {"p": 1.5, "g": 0.2, "r": 0.3, "epsilon": 0.4, "c": 0.5, "penalty": 0.7, "stiffness": 0.01}
SEVERAL = [
    ("euclidean", None),
    ("scaled_euclidean", None),
    ("dtw", {"min_r": 0.0, "max_r": 0.25, "num_r": 3}),
    ("scaled_twe", {"min_penalty": 0.1, "max_penalty": 0.9, "num_penalty": 2, "min_r": 0.5, "max_r": 1, "num_r": 2}),
    ("edr", {}),
]
IDS = [f"{type(model).__name__}-{getattr(model, 'metric', 'intervals')}" for model in MODELS]


def own_leaves(model, X):
    return np.column_stack([tree.apply(X) for tree in getattr(model, "estimators_", [model])])


@given(drawn_series(), st.sampled_from(MODELS))
@settings(quick, max_examples=100)
def test_leaves_on_drawn_series(data, model):
    X, y, others = data
    check_leaves(model.fit(X, y), own_leaves, X, others)


@pytest.mark.parametrize("n_dimensions", [None, 2])
@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_leaves_on_series_with_a_pattern(model, n_dimensions):
    X, y = planted(n_dimensions=n_dimensions)
    others, _ = planted(n_dimensions=n_dimensions, seed=1)
    check_leaves(model.fit(X, y), own_leaves, X, others)


def test_all_metrics_of_the_library_are_known():
    with pytest.raises(ValueError, match="unsupported metric") as error:
        pairwise_subsequence_distance([0.0], [[1.0]], metric="none")
    assert set(re.findall(r"'(\w+)'", str(error.value).partition("among")[2])) == {*ALL_METRICS, *UNSTEADY}


@given(drawn_series(), st.sampled_from(list(ALL_METRICS)), st.booleans(), st.booleans())
@settings(quick, max_examples=150)
def test_leaves_of_all_metrics_on_drawn_series(data, metric, with_parameters, extra):
    X, y, others = data
    parameters = {name: PARAMETERS[name] for name in ALL_METRICS[metric]} if with_parameters else None
    kind = ExtraShapeletTreesRegressor if extra else ShapeletForestClassifier
    model = kind(3, random_state=0, metric=metric, metric_params=parameters, min_shapelet_size=0.0)
    check_leaves(model.fit(X, y), own_leaves, X, others)


@pytest.mark.parametrize("n_dimensions", [None, 2])
@pytest.mark.parametrize("metric", ALL_METRICS)
def test_leaves_of_all_metrics_far_from_zero(metric, n_dimensions):
    # Here the deviation of a shapelet is mostly rounding: it must be taken as the tree takes it.
    X, y = planted(n=24, n_dimensions=n_dimensions)
    others, _ = planted(n=24, n_dimensions=n_dimensions, seed=1)
    model = ShapeletForestClassifier(**SMALL, metric=metric).fit(1e8 + X, y)
    check_leaves(model, own_leaves, 1e8 + X, 1e8 + others)


@given(drawn_series(), st.booleans())
@quick
def test_leaves_of_several_metrics_on_drawn_series(data, extra):
    X, y, others = data
    kind = ExtraShapeletTreesRegressor if extra else ShapeletForestClassifier
    check_leaves(kind(5, random_state=0, metric=SEVERAL).fit(X, y), own_leaves, X, others)


def test_names_say_which_of_several_metrics():
    X, y = planted()
    forest = read_forest(ShapeletForestClassifier(60, n_shapelets=1, random_state=0, metric=SEVERAL).fit(X, y))
    kinds = {re.sub(r"s\d+", "s", feature.name) for feature in forest.features}
    assert kinds == {
        "dist(x, s)",
        "dist(x, s; scaled_euclidean)",
        *(f"dist(x, s; dtw r={r})" for r in ("0", "0.125", "0.25")),
        *(f"dist(x, s; scaled_twe penalty={penalty} r={r})" for penalty in (0.1, 0.9) for r in ("0.5", "1")),
        "dist(x, s; edr)",
    }
    by_name = ShapeletForestClassifier(60, n_shapelets=1, random_state=0, metric=dict(SEVERAL)).fit(X, y)
    assert read_forest(by_name).features == forest.features


def test_a_class_that_some_trees_have_not_seen():
    X, y = planted(n=30)
    y[:2] = 7
    check_leaves(ShapeletForestClassifier(**SMALL).fit(X, y), own_leaves, X)


def test_labels_and_names():
    X, y = planted(n_dimensions=2)
    model = ShapeletForestClassifier(**SMALL).fit(X, np.array(["no", "yes"])[y])
    forest = read_forest(model, ["heart", "lung"])
    assert_array_equal(forest.labels(X), model.predict(X))
    assert {feature.name.partition(",")[0] for feature in forest.features} == {"dist(heart", "dist(lung"}
    with pytest.raises(InvalidParameterError, match="1 names for series of 2 dimensions"):
        read_forest(model, ["heart"])


def test_equal_intervals_of_several_trees_are_one_feature():
    X, y = planted()
    forest = read_forest(IntervalForestClassifier(40, random_state=0, n_intervals=4, intervals="fixed").fit(X, y))
    used = np.concatenate([tree.feature[tree.left >= 0] for tree in forest.trees])
    assert len(set(forest.features)) == len(forest.features) <= 12 < len(used)


@pytest.mark.parametrize("n_dimensions", [None, 1, 2])
@pytest.mark.parametrize("metric", METRICS)
def test_from_series_to_rules(n_dimensions, metric):
    X, y = planted(n_dimensions=n_dimensions)
    model = ShapeletForestClassifier(20, n_shapelets=20, metric=metric, max_depth=3, random_state=0)
    rules = RuleListClassifier(model, max_rules=4).fit(X, y)
    assert rules.solution_.optimal
    assert rules.score(X, y) > 0.75
    assert rules.n_features_in_ == X[0].size
    assert "dist(" in rules.explain(X[:1])[0]
    chosen = RuleListClassifierCV(model, cv=3, max_rules=[4, 6]).fit(X, y)
    assert chosen.score(X, y) > 0.65


def test_from_series_to_rules_of_another_metric():
    X, y = planted()
    model = ShapeletForestClassifier(20, metric="dtw", metric_params={"r": 0.2}, max_depth=3, random_state=0)
    rules = RuleListClassifier(model, max_rules=4).fit(X, y)
    assert rules.score(X, y) > 0.75
    assert re.search(r"dist\(x, s\d+; dtw r=0\.2\)", rules.explain(X[:1])[0])
    again = RuleList.from_json(rules.rule_list_.to_json())
    assert_array_equal(again.predict(X), rules.predict(X))


def test_from_series_to_rules_of_a_regression():
    X, y = planted()
    model = ShapeletForestRegressor(20, max_depth=3, random_state=0)
    assert RuleListRegressor(model, max_rules=4).fit(X, y).score(X, y) > 0.5


def test_a_union_predicts_the_mean_and_takes_the_rules_of_both():
    X, y = planted()
    models = [
        ShapeletForestClassifier(**SMALL, max_depth=3).fit(X, y),
        IntervalForestClassifier(**SMALL, max_depth=3).fit(X, y),
    ]
    forest = read_forest(models)
    assert_array_equal(forest.apply(X), np.hstack([own_leaves(model, X) for model in models]))
    assert np.allclose(forest.answer(X), np.mean([model.predict_proba(X) for model in models], axis=0))
    rules = RuleListClassifier(models, max_rules=4).fit(X, y)
    assert rules.score(X, y) > 0.75
    longer = IntervalForestClassifier(**SMALL).fit(*planted(length=30))
    with pytest.raises(InvalidDataError, match="series of the same shape"):
        read_forest([models[0], longer])


def test_a_model_that_is_not_fitted():
    with pytest.raises(UnfittedModelError, match="not fitted"):
        read_forest(ShapeletForestClassifier())


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (
            ShapeletForestClassifier(**SMALL, metric="edr", metric_params={"epsilon": np.nan}),
            "Cannot compute the distances.*finite number",
        ),
        (IntervalForestClassifier(**SMALL, summarizer="catch22"), "summarizer='catch22'"),
        (IntervalForestClassifier(**SMALL, summarizer=[np.mean]), "summarizer="),
        (RocketForestClassifier(**SMALL), r"Cannot read a RocketForestClassifier. These wildboar models"),
        (IsolationShapeletForest(**SMALL), r"Cannot read an IsolationShapeletForest"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_forest_without_rule_form(model, why):
    with pytest.raises(UnsupportedModelError, match=why):
        read_forest(model.fit(*planted(n=20)))


def test_in_a_union_every_shapelet_has_a_name_of_its_own():
    X, y = planted()
    plain, scaled = (ShapeletForestClassifier(**SMALL, metric=m).fit(X, y) for m in ("euclidean", "scaled_euclidean"))
    forest = read_forest([plain, scaled])
    assert len({feature.name for feature in forest.features}) == len(set(forest.features))
    assert [f.name for f in forest.features[: len(read_forest(plain).features)]] == [
        f.name for f in read_forest(plain).features
    ]
    assert all(("scaled" in feature.name) == (feature.metric != "euclidean") for feature in forest.features)
