"""Rules are counted by trees, and rules that depend on earlier ones are left out."""

from collections import Counter

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from small_forests import forest, tree

from hedgerow import read_forest
from hedgerow.baselines.rule_frequency import count_rules, dice, most_frequent
from hedgerow.candidates.pool import make_pool

#: Two trees split column 0 at 1, one splits column 1 at 2.
STUMPS = forest(tree((0, 1.0, 1, 2), None, None), tree((1, 2.0, 1, 2), None, None), tree((0, 1.0, 1, 2), None, None))


def paths_of(tree, node=0, path=frozenset()):
    """All paths below a node of a tree of scikit-learn, as sets of (feature, threshold, left)."""
    if tree.children_left[node] < 0:
        return
    for child, left in ((tree.children_left[node], True), (tree.children_right[node], False)):
        longer = path | {(int(tree.feature[node]), float(tree.threshold[node]), left)}
        yield longer
        yield from paths_of(tree, child, longer)


def test_frequencies_are_the_shares_of_trees_that_have_the_path():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(40, max_depth=2, random_state=0).fit(np.round(X), y)
    counted = Counter(path for tree in forest.estimators_ for path in set(paths_of(tree.tree_)))
    found = count_rules(make_pool(read_forest(forest), "nodes"))
    assert dict(zip(found.keys, found.frequency, strict=True)) == {p: n / 40 for p, n in counted.items()}
    assert (np.diff(found.frequency) <= 0).all()


def test_rules_of_stumps_are_counted_by_hand():
    found = count_rules(make_pool(STUMPS, "nodes"))
    assert found.frequency == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1 / 3])
    assert found.keys[0] == frozenset({(0, 1.0, True)})
    assert found.keys[2] == frozenset({(1, 2.0, True)})


def test_the_other_side_of_a_split_is_nothing_new():
    values = np.zeros((6, 11), dtype=np.float32)
    values[:3, 0], values[::2, 1] = 5, 5
    found = most_frequent(make_pool(STUMPS, "nodes"), values, 10)
    assert found.keys == (frozenset({(0, 1.0, True)}), frozenset({(1, 2.0, True)}))
    assert len(most_frequent(make_pool(STUMPS, "nodes"), values, 1).keys) == 1


def test_overlap_by_hand():
    a, b = frozenset({(0, 1.0, True)}), frozenset({(0, 1.0, False)})
    assert dice({a, b}, {a}) == pytest.approx(2 / 3)
    assert dice({a}, {b}) == 0
    assert dice(set(), set()) == 1
