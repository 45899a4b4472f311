"""The lists beside the list of the report are the next best, with their scores on all rows that are known."""

import pytest
from reports import fitted
from sklearn.metrics import accuracy_score
from small_data import DIABETES

from hedgerow import InvalidParameterError, RuleListClassifierCV, RuleListRegressor
from hedgerow.exporters.html.report import summarize
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.exporters.html.report.side_by_side import APART, MOST, USUAL, lay_side_by_side


def held_out():
    rules, X, y = fitted()
    return [
        Samples("training", rules.rule_list_.evaluate(X[:80]), y[:80]),
        Samples("held-out", rules.rule_list_.evaluate(X[80:]), y[80:]),
    ]


def test_unasked_they_are_a_few_that_differ():
    rules, X, y = fitted()
    shown = lay_side_by_side(rules.rule_list_, rules, None, held_out())
    others = rules.alternatives(USUAL, differ_by=APART)
    assert shown.told == others.describe()
    assert [one.below for one in shown.lists] == list(others.shares)
    assert [one.number for one in shown.lists] == [1, 2, 3, 4, 5, 6]
    assert [one.is_shown for one in shown.lists] == [True] + [False] * 5
    assert (shown.score, shown.scored) == ("accuracy", ("training", "held-out"))
    for one, other in zip(shown.lists, others, strict=True):
        expected = [accuracy_score(y[rows], other.predict(X[rows])) for rows in (slice(80), slice(80, None))]
        assert one.scores == pytest.approx(expected)


def test_rules_stand_where_they_first_occur_with_all_lists_that_have_them():
    rules, _, _ = fitted()
    others = rules.alternatives(4)
    shown = lay_side_by_side(rules.rule_list_, rules, others, [])
    assert [row.text for row in shown.rules[:5]] == [rule.describe() for rule in rules.rule_list_]
    for i, one in enumerate(others):
        assert sum(row.of[i] for row in shown.rules) == len(one)
        for row in shown.rules:
            written = {(rule.describe(), rule.prediction) for rule in one}
            assert row.of[i] is ((row.text, row.prediction) in written)


def test_the_reliance_is_in_points_and_its_interval_is_over_all_lists():
    rules, _, _ = fitted()
    others = rules.alternatives(4)
    shown = lay_side_by_side(rules.rule_list_, rules, 4, [])
    for row, reliance in zip(shown.features, others.reliances, strict=True):
        assert row.name == reliance.name
        numbers = [0.0 if drop is None else float(drop.replace("−", "-")) for drop in row.drops]
        assert numbers == pytest.approx([100 * drop for drop in reliance.of], abs=0.051)
        assert float(row.highest) == pytest.approx(100 * reliance.highest, abs=0.051)


def test_numbers_have_hundredths_of_r2():
    X, y = DIABETES
    rules = RuleListRegressor(max_rules=3, random_state=0).fit(X[:300], y[:300])
    shown = lay_side_by_side(rules.rule_list_, rules, True, [])
    assert shown.score == "R²"
    assert float(shown.features[0].highest) < 1
    assert shown.rules[0].class_number is None


def test_a_search_shows_those_of_its_best_estimator():
    rules, X, y = fitted()
    search = RuleListClassifierCV(rules.ensemble_, max_rules=[3, 4], cv=2).fit(X, y)
    shown = lay_side_by_side(search.rule_list_, search, True, [])
    assert shown.lists[0].is_shown


def test_no_more_than_fit_are_shown():
    rules, _, _ = fitted()
    shown = lay_side_by_side(rules.rule_list_, rules, MOST + 3, [])
    assert len(shown.lists) == MOST
    assert shown.n_left_out == 3


@pytest.mark.parametrize("asked", [False, None])
def test_without_an_estimator_or_if_not_wanted_there_are_none(asked):
    rules, _, _ = fitted()
    assert lay_side_by_side(rules.rule_list_, None, None, []) is None
    assert lay_side_by_side(rules.rule_list_, rules if asked is False else None, asked, []) is None
    assert lay_side_by_side(rules.rule_list_, rules, 1, []) is None  # nothing to compare with


def test_what_they_come_from_must_be_given():
    rules, _, _ = fitted()
    with pytest.raises(InvalidParameterError, match="Alternatives are found by an estimator"):
        summarize(rules.rule_list_, alternatives=3)
    assert summarize(rules.rule_list_, alternatives=rules.alternatives(3)).others.lists[2].number == 3
    with pytest.raises(InvalidParameterError, match="alternatives must be what"):
        summarize(rules.rule_list_, estimator=rules, alternatives="all")


def test_the_page_has_them_side_by_side():
    rules, X, y = fitted()
    page = rules.rule_list_.to_html(estimator=rules, X=X[:80], y=y[:80], alternatives=3)
    assert "Other lists, nearly as good" in page
    assert "The 3 best lists, in order, proven." in page
    assert "Other lists" not in rules.rule_list_.to_html(estimator=rules, alternatives=False)
