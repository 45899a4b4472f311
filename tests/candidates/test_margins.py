"""Among rules that the training samples cannot distinguish, the one with the widest gaps is preferred."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier

from hedgerow import Forest, PartitionProblem, RuleListClassifier, read_forest
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.margins import Gaps, branches_of, margins, preferences
from hedgerow.candidates.pool import make_pool
from hedgerow.optimize.solvers import RowGeneration


def stump(feature, threshold):
    return {
        "left": [1, -1, -1],
        "right": [2, -1, -1],
        "feature": [feature, 0, 0],
        "threshold": [threshold, 0, 0],
        "value": [[0.5, 0.5], [1, 0], [0, 1]],
    }


def test_the_margin_is_the_gap_about_the_threshold_as_a_share_of_the_range():
    forest = Forest.from_arrays([stump(0, 3.0), stump(1, 0.5)], ["a", "b"], classes=["no", "yes"])
    X = np.array([[0.0, 0.0], [2.0, 0.1], [7.0, 0.9], [10.0, 1.0]])
    assert margins(make_pool(forest), X) == pytest.approx([0.5, 0.5, 0.8, 0.8])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_margin_of_a_path_is_its_narrowest_gap(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(30, 3))
    model = RandomForestClassifier(3, max_depth=3, random_state=seed).fit(X, random.integers(0, 2, 30))
    pool = make_pool(read_forest(model), "nodes")
    found = margins(pool, X.astype(np.float32))
    for j in range(len(pool)):
        gaps = [1.0]
        for condition in pool.rule(j).conditions:
            column = np.sort(X[:, condition.feature.index].astype(np.float32).astype(float))
            t = condition.upper if np.isfinite(condition.upper) else condition.lower
            below, above = column[column <= t], column[column > t]
            gaps.append((above[0] - below[-1]) / (column[-1] - column[0]) if len(below) and len(above) else 0.0)
        assert found[j] == pytest.approx(min(gaps), abs=1e-12)


def test_missing_and_infinite_values_and_constant_columns_leave_a_margin_that_is_a_number():
    forest = Forest.from_arrays([stump(0, 3.0), stump(1, 0.5)], ["a", "b"], classes=["no", "yes"])
    X = np.array([[np.nan, 5.0], [np.inf, 5.0], [-1e308, 5.0], [1e308, 5.0]])
    assert margins(make_pool(forest), X).tolist() == [1.0, 1.0, 0.0, 0.0]


def test_only_rules_that_cover_the_same_samples_are_told_apart_by_margins():
    forest = Forest.from_arrays([stump(0, 3.0), stump(1, 0.5), stump(1, 0.95)], ["a", "b"], classes=["no", "yes"])
    X = np.array([[0.0, 0.0], [2.0, 0.1], [7.0, 0.9], [10.0, 1.0]])
    pool = make_pool(forest)
    # The first two stumps split the samples alike, with margins of 0.5 and 0.8; the third does not.
    assert preferences(pool, cover(pool, X), X) == pytest.approx([1.5, 1.5, 1.2, 1.2, 2.0, 2.0])


def test_of_equal_rules_the_shortest_with_the_widest_margin_is_taken():
    narrow, wide = stump(0, 3.0), stump(1, 0.5)
    X = np.array([[2.9, 0.0], [2.0, 0.1], [3.1, 0.9], [10.0, 1.0]])
    y = np.array(["no", "no", "yes", "yes"])
    for trees in ([narrow, wide], [wide, narrow]):
        forest = Forest.from_arrays(trees, ["narrow", "wide"], classes=["no", "yes"])
        rules = RuleListClassifier(forest, max_rules=2, stability_weight=0.0).fit(X, y).rule_list_
        assert {condition.feature.name for rule in rules for condition in rule.conditions} == {"wide"}


def test_preference_decides_between_equals_only():
    coverage = [[1, 1, 0, 1], [0, 0, 1, 0]]
    problem = PartitionProblem([1.0, 1.0 + 1e-15, 0.0, 0.5], coverage, preference=np.array([2.0, 3.0, 0.0, 1.0]))
    assert RowGeneration().solve(problem).chosen.tolist() == [0, 2]


def test_no_margin_makes_up_for_a_condition():
    # On columns of two values every margin is 1; the rule of one condition is alone in its length.
    deep = {
        "left": [1, -1, 3, -1, -1],
        "right": [2, -1, 4, -1, -1],
        "feature": [0, 0, 1, 0, 0],
        "threshold": [0.5, 0, 0.5, 0, 0],
        "value": [[0.5, 0.5], [1, 0], [0.5, 0.5], [1, 0], [0, 1]],
    }
    forest = Forest.from_arrays([deep, stump(2, 0.5)], ["a", "b", "c"], classes=["no", "yes"])
    X = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]])
    rules = RuleListClassifier(forest, max_rules=3, stability_weight=0.0).fit(X, ["no", "no", "no", "yes"]).rule_list_
    assert [rule.describe() for rule in rules if rule.prediction == "yes"] == ["c > 0.5"]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_gaps_seen_in_parts_are_those_of_all_samples(seed):
    random = np.random.default_rng(seed)
    X = random.integers(0, 9, size=(20, 2)).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    trees = [stump(feature, threshold) for feature in (0, 1) for threshold in (2.5, 4.0, 6.5)]
    pool = make_pool(Forest.from_arrays(trees, ["a", "b"], classes=["no", "yes"]))
    whole = Gaps(pool.forest.nodes, branches_of(pool))
    for start in range(0, 20, 7):
        part = whole.empty()
        part.add(X[start : start + 7])
        whole.merge(part)
    assert_array_equal(margins(pool, whole), margins(pool, X))
    for feature in (0, 1):
        column = X[~np.isnan(X[:, feature]), feature]
        for threshold in (2.5, 4.0, 6.5):
            below, above = column[column <= threshold], column[column > threshold]
            expected = below.max(initial=-np.inf), above.min(initial=np.inf)
            assert whole.around(feature, threshold) == expected
    assert all(np.isinf(whole.empty().around(0, 4.0)))
