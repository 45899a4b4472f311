"""The price list of a report: which wishes, compared on which rows, and what is impossible."""

import pytest
from reports import fitted

from hedgerow import InvalidParameterError
from hedgerow.constraints import MaxConditions
from hedgerow.evidence.wish_prices import price_wishes
from hedgerow.exporters.html.report import summarize
from hedgerow.exporters.html.report.insisting import insist
from hedgerow.exporters.html.report.samples import Samples

#: A small rule, and at most one other.
TOO_MUCH = {"pin": 4, "max_rules": 2}


def held_out():
    rules, X, y = fitted()
    data = (("training", X[:80], y[:80]), ("held-out", X[80:], y[80:]))
    return [Samples(name, rules.rule_list_.evaluate(rows), targets) for name, rows, targets in data]


def test_unasked_the_usual_wishes_are_priced_on_the_held_out_rows():
    rules, X, y = fitted()
    shown = insist(rules.rule_list_, rules, None, held_out())
    expected = price_wishes(rules, X[80:], y[80:])
    assert [one.wish for one in shown.prices] == [one.wish for one in expected if one.objective is not None]
    assert [one.test_score for one in shown.prices] == [one.test_score for one in expected if one.objective is not None]
    assert (shown.score, shown.of) == ("accuracy", "held-out")


def test_wishes_that_are_given_are_priced_instead_and_impossible_ones_stand_apart():
    rules, _, _ = fitted()
    wishes = [MaxConditions(each=1), TOO_MUCH, {"forbid": "a"}]
    shown = insist(rules.rule_list_, rules, wishes, held_out()[:1])
    assert [one.wish for one in shown.prices] == [str(MaxConditions(each=1)), "without a"]
    (impossible,) = shown.impossible
    assert impossible.wish.endswith("; at most 2 rules")
    assert shown.of == ""
    assert all(one.test_score is None for one in shown.prices)


def test_what_was_not_tried_is_told_apart_from_what_no_list_grants(monkeypatch):
    monkeypatch.setattr("hedgerow.exporters.html.report.insisting.SECONDS", 1e-9)
    rules, X, y = fitted()
    shown = insist(rules.rule_list_, rules, [TOO_MUCH, {"forbid": "a"}], held_out())
    pinned = rules.rule_list_[4].describe()
    assert [one.wish for one in shown.unknown] == [f"keep ({pinned}); at most 2 rules", "without a"]
    assert not shown.impossible
    page = rules.rule_list_.to_html(estimator=rules, X=X[:80], y=y[:80], wishes=[TOO_MUCH, {"forbid": "a"}])
    assert "Not found out in the time there was: keep (" in page
    assert "No list: " not in page


def test_without_an_estimator_or_wishes_there_is_no_price_list():
    rules, _, _ = fitted()
    assert insist(rules.rule_list_, None, None, []) is None
    assert insist(rules.rule_list_, rules, False, []) is None
    assert insist(rules.rule_list_, rules, [], []) is None
    with pytest.raises(InvalidParameterError, match="The price of a wish comes from an estimator"):
        summarize(rules.rule_list_, wishes=True)


def test_the_page_shows_the_prices_and_why_others_are_impossible():
    rules, X, y = fitted()
    data = {"X": X[:80], "y": y[:80], "X_test": X[80:], "y_test": y[80:]}
    page = rules.rule_list_.to_html(estimator=rules, **data, wishes=[{"forbid": "a"}, TOO_MUCH])
    assert "What if we insisted on" in page
    assert "without a" in page
    assert "No list: " in page
