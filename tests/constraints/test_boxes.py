"""Boxes say which points rules hold for, and which rules can match the same point: as the rules themselves do."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier

from hedgerow import read_forest
from hedgerow.candidates.pool import make_pool
from hedgerow.constraints.boxes import Boxes

COLORS = ["blue", "green", "red", "white"]


def drawn(seed):
    """Rules on a number with gaps, a category and a number, and a point of every kind; any value may be missing."""
    rng = np.random.default_rng(seed)
    n = 80
    X = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 8, n)),
            "color": pd.Categorical(rng.choice(COLORS, n), COLORS),
            "debt": rng.integers(0, 8, n).astype(float),
        }
    )
    y = (X["color"].isin(["blue", "white"]) & (X["age"].fillna(5) > 3)) ^ (rng.random(n) < 0.2)
    model = HistGradientBoostingClassifier(
        max_iter=4, max_leaf_nodes=5, min_samples_leaf=3, categorical_features="from_dtype"
    )
    forest = read_forest(model.fit(X, y))
    pool = make_pool(forest, "nodes")
    numbers = [*np.arange(-0.5, 9), np.nan]
    grid = list(itertools.product(numbers, range(-1, len(COLORS)), numbers))  # -1: no color
    frame = pd.DataFrame(grid, columns=["age", "color", "debt"])
    frame["color"] = pd.Categorical.from_codes(frame["color"].astype(int), COLORS)
    values = forest.inputs.matrix(frame)
    place = forest.features.index
    held = np.array(
        [pool.rule(j).holds(lambda feature: values[:, place(feature)], len(values)) for j in range(len(pool))]
    )
    return pool, values, held


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 500))
def test_a_point_is_in_the_boxes_of_the_rules_that_match_it(seed):
    pool, values, held = drawn(seed)
    boxes = Boxes.of(pool)
    for i in np.random.default_rng(seed).choice(len(values), 30, replace=False):
        point = {k: float(value) for k, value in enumerate(values[i]) if not np.isnan(value)}
        np.testing.assert_array_equal(boxes.contain(point), held[:, i])


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 500), but=st.integers(-1, 2))
def test_rules_meet_if_some_point_is_in_both_whatever_one_feature_is(seed, but):
    pool, values, held = drawn(seed)
    boxes = Boxes.of(pool)
    n_features = values.shape[1]
    if but >= n_features:
        return
    others = [k for k in range(n_features) if k != but]
    _, line = np.unique(np.nan_to_num(values[:, others], nan=-9), axis=0, return_inverse=True)
    # Whether a rule holds somewhere on each line along that feature.
    on_line = np.zeros((len(held), line.max() + 1))
    for j, mine in enumerate(held):
        on_line[j, line.ravel()[mine]] = 1.0
    expected = on_line @ on_line.T > 0
    np.testing.assert_array_equal(boxes.meet(boxes, but), expected)


def test_rules_with_equal_boxes_have_equal_keys():
    pool, _, held = drawn(0)
    boxes = Boxes.of(pool)
    for i, j in itertools.combinations(range(len(pool)), 2):
        if boxes.keys[i] == boxes.keys[j]:
            np.testing.assert_array_equal(held[i], held[j])
            assert set(pool.rule(i).simplified) == set(pool.rule(j).simplified)
    assert len(set(boxes.keys)) < len(boxes)  # the roots, at least


def test_some_rules_keep_their_boxes():
    pool, values, held = drawn(1)
    some = np.array([5, 0, 3])
    boxes = Boxes.of(pool).subset(some)
    assert len(boxes) == 3
    point = {k: float(value) for k, value in enumerate(values[7]) if not np.isnan(value)}
    np.testing.assert_array_equal(boxes.contain(point), held[some, 7])
    assert boxes.keys == [Boxes.of(pool).keys[j] for j in some]


def test_a_rule_without_conditions_is_everywhere():
    pool, _, _ = drawn(2)
    roots = np.flatnonzero(pool.n_conditions == 0)
    boxes = Boxes.of(pool).subset(roots)
    assert boxes.contain({}).all()
    assert boxes.meet(boxes, -1).all()
    low, high = boxes.interval(0)
    assert (low == -np.inf).all()
    assert (high == np.inf).all()


@pytest.mark.parametrize("feature", [0, 2])
def test_intervals_are_the_bounds_of_the_rules(feature):
    pool, _, _ = drawn(3)
    low, high = Boxes.of(pool).interval(feature)
    for j in range(len(pool)):
        mine = [one for one in pool.rule(j).simplified if one.feature == pool.forest.features[feature]]
        expected = (mine[0].lower, mine[0].upper) if mine else (-np.inf, np.inf)
        if np.isfinite(expected).any():
            assert (low[j], high[j]) == expected
