"""The rules of a list in words."""

import numpy as np
import pytest

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


def test_the_list_says_where_missing_values_go_that_the_training_data_did_not_have():
    def words(inputs, has_missing=False):
        feature = Column(0, "a", has_missing=has_missing)
        rules = (Rule((Condition(feature, upper=1, missing=True),), 1.0), Rule((Condition(feature, lower=1),), 2.0))
        listing = Listing.of(RuleList(rules, Rule((), 0.0), inputs))
        return [" ".join(row.conditions[0]).strip() for row in listing.rules], listing.says_missing

    assert words(Inputs((A,), allows_missing=True)) == (["a <= 1 or missing", "a > 1"], True)
    assert words(Inputs((A,), allows_missing=True), has_missing=True) == (["(a <= 1 or missing)", "a > 1"], False)
    assert words(Inputs((A,))) == (["a <= 1", "a > 1"], False)
    assert words(Inputs((A,), allows_missing=True, complete=frozenset({A}))) == (["a <= 1", "a > 1"], False)
