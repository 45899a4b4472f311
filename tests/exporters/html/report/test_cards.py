"""A card tells where the samples of its rule lie."""

import numpy as np
import pytest
from reports import fitted

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.cards import make_cards
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Category, Column, Inputs


def cards(rule_list, X, y=None):
    return make_cards(rule_list, Samples("training", rule_list.evaluate(X), y))


def test_ranges_of_a_rule_are_those_of_its_samples():
    rules, X, _ = fitted()
    fired = rules.apply(X[:80])
    for i, card in enumerate(cards(rules.rule_list_, X[:80])):
        for one in card.ranges:
            column = X[:80][one.name][fired == i].to_numpy(dtype=np.float32)
            assert (one.quantiles[0], one.quantiles[-1]) == (column.min(), column.max())
            assert one.quantiles[2] in column
        asked = [one.name for one in card.ranges if one.is_asked]
        assert asked == [c.feature.name for c in rules.rule_list_[i].simplified]
        assert card.n_samples == (fired == i).sum()


def test_on_the_training_samples_shares_are_those_of_the_rules():
    rules, X, y = fitted()
    made = cards(rules.rule_list_, X[:80], y[:80])
    assert [card.share for card in made] == pytest.approx([rule.coverage / 80 for rule in rules.rule_list_])
    assert [card.classes for card in made] == [pytest.approx(rule.distribution) for rule in rules.rule_list_]
    assert [card.classes for card in cards(rules.rule_list_, X[:1])] == [r.distribution for r in rules.rule_list_]


def test_targets_of_regression_are_counted_on_one_scale():
    a = Column(0, "a")
    rules = (Rule((Condition(a, upper=1),), 1.0, 2, 0.5), Rule((), 2.0, 2, 0.5))
    made = cards(RuleList(rules, Rule((), 0.0), Inputs((a,))), [[0.0], [1.0], [2.0]], np.array([3.0, 5.0, 9.0]))
    assert [sum(card.targets.counts) for card in made] == [2, 1]
    assert {(card.targets.edges[0], card.targets.edges[-1]) for card in made} == {(3.0, 9.0)}
    assert made[0].classes == ()


def test_categories_are_told_by_their_shares_and_missing_values_apart():
    color = Category(0, "color", ("red", "blue", "green"), has_missing=True)
    rules = (Rule((Condition(color, categories=frozenset({0, 1}), missing=True),), 1.0, 4, 1.0),)
    rule_list = RuleList(rules, Rule((), 0.0), Inputs((color,), allows_missing=True))
    X = np.array([["blue"], ["blue"], ["red"], [None], ["green"]], dtype=object)
    (one,) = cards(rule_list, X)[0].ranges
    assert one.values == (("blue", pytest.approx(2 / 3)), ("red", pytest.approx(1 / 3)))
    assert (one.missing, one.quantiles) == (0.25, ())


def test_the_rarest_of_many_categories_are_grouped():
    letter = Category(0, "letter", tuple("abcdefg"))
    rule_list = RuleList(
        (Rule((Condition(letter, categories=frozenset(range(7))),), 1.0),), Rule((), 0.0), Inputs((letter,))
    )
    X = np.array([[one] for one in "aaabbccdefg"], dtype=object)
    ((*frequent, rest),) = [one.values for one in cards(rule_list, X)[0].ranges]
    assert [name for name, _ in frequent] == ["a", "b", "c", "d"]
    assert rest == ("3 more", pytest.approx(3 / 11))
