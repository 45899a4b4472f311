"""The rules of a list in words."""

import numpy as np
import pytest
from reports import faithful_list

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.features import Column, Inputs

A = Column(0, "a")


def test_a_row_has_the_conditions_prediction_and_coverage_of_its_rule():
    rules = (Rule((Condition(A, upper=1),), "no", 6, 0.6, (0.25, 0.75)), Rule((), "yes", 4, 0.4, (1.0, 0.0)))
    listing = Listing.of(RuleList(rules, Rule((), "no"), Inputs((A,)), np.array(["yes", "no"])))
    first, second = listing.rules
    assert first.conditions == (("a <= 1", ""),)
    assert (first.number, first.prediction, first.certainty) == (1, "no", "75 %")
    assert (first.coverage, first.share, first.class_number) == (6, 0.6, 1)
    assert (second.conditions, second.class_number) == ((), 0)
    assert (listing.default.number, listing.default.prediction) == (0, "no")
    assert not listing.asks_ensemble


def test_numbers_have_their_spread_and_their_level_between_the_least_and_the_largest():
    rules = (
        Rule((Condition(A, upper=1),), 10.0, 6, 0.6, spread=0.5),
        Rule((), 20.0, 4, 0.4, kind="median"),
    )
    listing = Listing.of(RuleList(rules, Rule((), 14.0), Inputs((A,))))
    assert [row.certainty for row in (*listing.rules, listing.default)] == ["± 0.5", "median", ""]
    assert [row.level for row in (*listing.rules, listing.default)] == pytest.approx([0, 1, 0.4])
    assert listing.rules[0].class_number is None


def test_a_mark_says_where_missing_values_go_only_if_some_row_of_the_report_has_one():
    def words(inputs, has_missing=False, gaps=True):
        feature = Column(0, "a", has_missing=has_missing)
        rules = (Rule((Condition(feature, upper=1, missing=True),), 1.0), Rule((Condition(feature, lower=1),), 2.0))
        listing = Listing.of(RuleList(rules, Rule((), 0.0), inputs), {feature} if gaps else ())
        return [" ".join(row.conditions[0]).strip() for row in listing.rules], listing.says_missing

    allowed = Inputs((A,), allows_missing=True)
    assert words(allowed) == (["a <= 1 or missing", "a > 1"], True)
    assert words(allowed, gaps=False) == (["a <= 1", "a > 1"], False)
    # Where the training data had missing values, the condition itself mentions them.
    for gaps in (True, False):
        assert words(allowed, has_missing=True, gaps=gaps) == (["(a <= 1 or missing)", "a > 1"], False)


def test_the_page_has_the_mark_only_if_held_out_rows_have_missing_values():
    rules = (Rule((Condition(A, upper=1, missing=True),), 1.0, 2, 1.0), Rule((Condition(A, lower=1),), 2.0, 1, 0.0))
    rule_list = RuleList(rules, Rule((), 0.0), Inputs((A,), np.float64, allows_missing=True))
    data = {"X": [[0.0], [1.0], [2.0]], "y": [1, 1, 2]}
    assert "∅" not in rule_list.to_html(**data)
    page = rule_list.to_html(**data, X_test=[[np.nan], [0.0]], y_test=[1, 1])
    assert page.count('aria-hidden="true">∅') == 2  # in the list and on the card of rule 1
    assert "∅ marks conditions" in page


def test_only_a_single_rule_without_conditions_makes_a_list_constant():
    always, sometimes = Rule((), 1.0, 1, 1.0), Rule((Condition(A, upper=1),), 1.0, 1, 0.5)
    made = [(always,), (sometimes,), (sometimes, always), ()]
    constant = [Listing.of(RuleList(rules, Rule((), 0.0), Inputs((A,)))).is_constant for rules in made]
    assert constant == [True, False, False, False]


def test_a_list_that_explains_a_model_says_how_certain_the_model_is():
    rules, *_ = faithful_list()
    listing = Listing.of(rules.rule_list_)
    assert listing.says_model
    for row, rule in zip(listing.rules, rules.rule_list_, strict=True):
        assert row.certainty == f"{100 * rule.class_share:.0f} %, model {100 * rule.of_model:.0f} %"
