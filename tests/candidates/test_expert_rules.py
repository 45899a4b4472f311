"""Trees that contain a rule of an expert, and trees of the ensemble outside of it."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import HistGradientBoostingClassifier
from small_data import IRIS, small_forest
from small_forests import forest, tree

from hedgerow import Condition, Rule, read_forest
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.expert_rules import graft, joined, joined_coverage
from hedgerow.candidates.pool import make_pool
from hedgerow.features import Category, Column, Inputs
from hedgerow.forests.forest import Forest

STUMP = tree((0, 2.5, 1, 2), None, None)


def test_what_leaves_the_path_goes_on_in_a_tree_of_the_ensemble():
    two = forest(STUMP, n_features=2)
    a, b = two.features
    more = graft(two, [Rule((Condition(a, lower=1.0), Condition(b, upper=7.0)))])
    said = [str(more.pool.rule(j)) for j in range(len(more.pool))]
    assert said == [
        "x0 <= 1",
        "x0 <= 1",
        "x0 is missing",  # 2.5 < x0 <= 1: where nothing is missing, it is filtered out
        "x0 > 1 and x1 <= 7",
        "x0 > 1 and x1 > 7",
        "1 < x0 <= 2.5 and x1 > 7",
        "x0 > 2.5 and x1 > 7",
    ]
    assert np.flatnonzero(more.is_expert).tolist() == [3]


def test_the_new_trees_cover_what_their_conditions_say_and_each_partitions_all_samples():
    X, _ = IRIS
    known = read_forest(small_forest(depth=3))
    a, b = known.features[2], known.features[3]
    rules = [Rule((Condition(a, lower=2.0, upper=5.0), Condition(b, upper=1.5))), Rule((Condition(b, lower=1.0),))]
    more = graft(known, rules, first_trees=[3], max_conditions=4)
    values = known.inputs.matrix(X)
    coverage = more.cover(values, None)
    column = dict(zip(known.features, values.T, strict=True))
    for j in range(0, len(more.pool), 7):
        assert_array_equal(coverage.holds(j), more.pool.rule(j).holds(column.__getitem__, len(X)))
    expert = np.flatnonzero(more.is_expert)
    for j in expert[[0, -1]]:
        assert_array_equal(coverage.holds(j), rules[int(j == expert[-1])].holds(column.__getitem__, len(X)))
    leaves = np.flatnonzero(coverage.last - coverage.first == 1)
    for k in np.unique(coverage.group):
        mine = leaves[coverage.group[leaves] == k]
        assert (coverage.counts_of(mine) == 1).all()
    assert more.pool.n_conditions.max() <= 4


def test_the_ensembles_own_rules_and_predictions_stay():
    X, _ = IRIS
    known = read_forest(small_forest())
    pool, values = make_pool(known), known.inputs.matrix(X)
    more = graft(known, [Rule((Condition(known.features[0], upper=5.5),))])
    both = joined(pool, more)
    coverage = joined_coverage(cover(pool, values), more.cover(values, None))
    assert [str(both.rule(j)) for j in range(len(pool))] == [str(pool.rule(j)) for j in range(len(pool))]
    assert_array_equal(coverage.counts[: len(pool)], cover(pool, values).counts)
    assert_array_equal(coverage.counts, cover(both, values).counts)
    assert_array_equal(both.forest.answer(X), known.answer(X))


@pytest.mark.parametrize("missing", [False, True])
def test_missing_values_and_categories_go_where_the_rule_says(missing):
    color = Category(1, "color", ("blue", "green", "red"), other=True)
    inputs = Inputs((Column(0, "x0"), color), np.float64, allows_missing=True)
    known = Forest((STUMP,), inputs, np.ones(1), base=np.zeros(2), classes=np.array([0, 1]))
    rule = Rule(
        (
            Condition(color, categories=frozenset({0, 3}), missing=missing),
            Condition(known.features[0], lower=1.0, upper=3.0, missing=missing),
        )
    )
    more = graft(known, [rule])
    X = np.array(
        [[2.0, "blue"], [np.nan, "blue"], [2.0, "red"], [2.0, None], [4.0, "blue"], [2.0, "odd"]], dtype=object
    )
    expected = [True, missing, False, missing, False, True]
    place = int(np.flatnonzero(more.is_expert)[0])
    assert_array_equal(more.cover(inputs.matrix(X), None).holds(place), expected)
    assert more.pool.rule(place).simplified == rule.simplified


def test_rules_about_categories_go_with_trees_that_split_at_categories():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "kind": pd.Categorical(rng.choice(list("abcdefgh"), 200)),
            "size": rng.normal(size=200),
            "mood": pd.Categorical(rng.choice(["bad", "good", "odd"], 200)),
        }
    )
    y = X["kind"].isin(["a", "d", "h"]) ^ (X["mood"] == "odd") ^ (X["size"] > 0.5)
    model = HistGradientBoostingClassifier(max_iter=4, max_depth=3, categorical_features="from_dtype")
    known = read_forest(model.fit(X, y))
    assert any(tree.left_codes is not None for tree in known.trees)
    kind, size, mood = known.features
    rules = [
        Rule(
            (
                Condition(kind, categories=frozenset({0, 3, 7})),
                Condition(mood, categories=frozenset({2}), missing=True),
                Condition(size, upper=0.5),
            )
        ),
        Rule((Condition(mood, categories=frozenset({0, 1})),)),
    ]
    more = graft(known, rules)
    values = known.inputs.matrix(X)
    coverage, column = more.cover(values, None), dict(zip(known.features, values.T, strict=True))
    for j in range(len(more.pool)):
        assert_array_equal(coverage.holds(j), more.pool.rule(j).holds(column.__getitem__, len(X)))
    for j in np.flatnonzero(more.is_expert):
        (meant,) = [rule for rule in rules if frozenset(rule.simplified) == frozenset(more.pool.rule(j).simplified)]
        assert_array_equal(coverage.holds(j), meant.holds(column.__getitem__, len(X)))
    assert_array_equal(more.pool.forest.answer(X), known.answer(X))
    for tree_of_rule in more.pool.forest.trees[more.n_before :]:
        is_leaf = tree_of_rule.left < 0
        assert (tree_of_rule.left[is_leaf] == -1).all()
        assert (tree_of_rule.right[is_leaf] == -1).all()
