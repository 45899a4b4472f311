"""What stays when a list is learned again is counted by hand."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier

from hedgerow import (
    Condition,
    InvalidDataError,
    InvalidParameterError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListRegressor,
)
from hedgerow.evidence import stability
from hedgerow.features import Category, Column, Inputs

A, B = Column(0, "a"), Column(1, "b")


class Scripted(BaseEstimator):
    """An estimator whose lists are given: the first is that of all rows."""

    def __init__(self, lists=None):
        self.lists = lists

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y, sample_weight=None):
        self.rule_list_ = self.lists.pop(0)
        return self


def listed(*thresholds, feature=A, labels=("p", "q")):
    """Return a list that splits a column at these thresholds."""
    ends = [-np.inf, *thresholds, np.inf]
    rules = tuple(
        Rule((Condition(feature, lower, upper),), labels[i % 2], 5, 0.5, (0.5, 0.5))
        for i, (lower, upper) in enumerate(pairwise(ends))
    )
    default = Rule((), labels[0], distribution=(0.5, 0.5))
    return RuleList(rules, default, Inputs((A, B), np.float64), np.array(["p", "q"]), n_samples=10)


X = np.column_stack([np.arange(100.0), np.arange(100.0)[::-1]])
Y = np.array(["p", "q"] * 50)


def test_rules_return_if_few_rows_lie_between_the_thresholds():
    found = stability(Scripted([listed(50), listed(50), listed(53), listed(70), listed(50, feature=B)]), X, Y, n=4)
    # 50 and 53 have three of a hundred rows between them, 50 and 70 have twenty.
    assert [rule.returns for rule in found.rules] == [0.5, 0.5]
    strict = stability(Scripted([listed(50), listed(50), listed(53)]), X, Y, n=2, tolerance=0.0)
    assert [rule.returns for rule in strict.rules] == [0.5, 0.5]
    assert found.features == {"a": 0.75, "b": 0.25}
    # Of the six pairs of lists, one shares both rules, and the others none.
    assert found.dice == pytest.approx(1 / 6)
    assert found.sizes.tolist() == [2, 2, 2, 2]


def test_dice_counts_the_rules_of_both_lists():
    found = stability(Scripted([listed(50), listed(50), listed(50, 80)]), X, Y, n=2)
    # a <= 50 is in both; a > 50 is in one, and 50 < a <= 80 and a > 80 in the other.
    assert found.dice == pytest.approx(2 / 5)
    assert found.sizes.tolist() == [2, 3]


def test_the_overlap_is_that_of_the_rows():
    found = stability(Scripted([listed(49), listed(49), listed(69)]), X, Y, n=2)
    assert [rule.overlap for rule in found.rules] == pytest.approx([(1 + 50 / 70) / 2, (1 + 30 / 50) / 2])


def test_the_spread_is_how_often_a_row_gets_another_label_than_mostly():
    lists = [listed(50), listed(50), listed(50), listed(70), listed(50)]
    found = stability(Scripted(lists), X, Y, n=4)
    assert found.spread[:51].tolist() == [0.0] * 51
    assert found.spread[51:71].tolist() == [0.25] * 20
    assert found.spread.mean() == pytest.approx(0.05)
    assert "A list predicts another label than most lists for 5.0 % of the rows." in found.sentences()


def test_categories_are_the_same_if_their_names_are():
    lists = []
    for levels in (("red", "green", "blue"), ("red", "green", "blue"), ("blue", "red", "green")):
        color = Category(0, "a", levels)
        first = Condition(color, categories=frozenset({levels.index("red")}))
        rest = Condition(color, categories=frozenset({levels.index("green"), levels.index("blue")}))
        rules = listed(50).rules
        rules = tuple(replace(rule, conditions=(one,)) for rule, one in zip(rules, (first, rest), strict=True))
        lists.append(RuleList(rules, listed(50).default, Inputs((color,)), np.array(["p", "q"])))
    frame = pd.DataFrame({"a": ["red", "green", "blue", "red"]})
    found = stability(Scripted(lists), frame, Y[:4], n=2)
    assert [rule.returns for rule in found.rules] == [1.0, 1.0]
    assert found.dice == 1.0


def test_a_clear_split_returns_in_every_resample():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.uniform(size=200), "b": rng.uniform(size=200)})
    y = np.where(frame["a"] > 0.5, "yes", "no")
    forest = RandomForestClassifier(5, max_depth=1, max_features=None, random_state=0)
    found = stability(RuleListClassifier(forest, max_rules=2), frame, y, n=4)
    assert [rule.returns for rule in found.rules] == [1.0, 1.0]
    assert found.features == {"a": 1.0}
    assert found.dice == 1.0
    assert "Two of the 4 refitted lists share 100.0 % of their rules on average." in str(found)
    assert found.to_frame()["returns"].tolist() == [1.0, 1.0]


def test_the_same_seed_gives_the_same_lists_on_one_processor_or_two():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 2))
    y = x[:, 0] + rng.normal(0, 0.3, 80)
    estimator = RuleListRegressor(RandomForestRegressor(5, max_depth=2, random_state=0), max_rules=3)
    one, two = (stability(estimator, x, y, n=3, n_jobs=jobs, weight=np.ones(80)) for jobs in (1, 2))
    assert str(one) == str(two)
    said = np.array([rules.predict(x) for rules in one.lists])
    assert one.spread == pytest.approx(said.std(axis=0, ddof=1))


def test_what_cannot_be_fitted_again_is_refused():
    with pytest.raises(InvalidParameterError, match="Only an estimator can be fitted again, not a RuleList"):
        stability(listed(50), X, Y)
    with pytest.raises(InvalidDataError, match="has no rule_list_"):
        stability(DecisionTreeClassifier(), X, Y, n=2)
    with pytest.raises(InvalidParameterError, match="n must be an integer of at least 2"):
        stability(Scripted([]), X, Y, n=1)
    with pytest.raises(InvalidParameterError, match="tolerance must be a number"):
        stability(Scripted([]), X, Y, tolerance=2)
