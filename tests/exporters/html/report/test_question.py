"""The page names what is predicted, and what it was learned from."""

import datetime
import re

import numpy as np
import pytest
from reports import fitted

from hedgerow import InvalidParameterError, Rule, RuleList
from hedgerow.exporters.html.report.form import make_form
from hedgerow.exporters.html.report.question import pose_question
from hedgerow.features import Column, Inputs

A = Column(0, "a")


def asked(rule_list, target=None, source=None, created=None, left_out=None, n_test=0):
    return pose_question(rule_list, make_form(rule_list)[0], n_test, None, target, source, created, left_out)


def words_of(html):
    """The text before the rules, as a reader sees it."""
    start = html.partition("<body>")[2].partition('id="list"')[0]
    return " ".join(re.sub("<[^>]*>", " ", start).split())


def test_columns_rows_and_classes_are_those_of_the_list():
    rules, _, _ = fitted()
    question = asked(rules.rule_list_, "mood", "people.csv", datetime.date(2024, 2, 29), {"id": "row numbers"}, 40)
    assert (question.subject, question.source, question.created.isoformat()) == ("mood", "people.csv", "2024-02-29")
    assert (question.n_rows, question.n_test) == (80, 40)
    assert question.classes == ("no", "perhaps", "yes")
    used = {c.feature.name for rule in rules.rule_list_ for c in rule.conditions}
    assert set(question.columns) == used
    assert question.n_columns == 4
    assert question.left_out == (("id", "row numbers"),)


def test_the_start_of_the_page_says_all_of_it():
    rules, X, y = fitted()
    page = rules.rule_list_.to_html(
        X=X[:80],
        y=y[:80],
        X_test=X[80:],
        y_test=y[80:],
        target="mood",
        source="people.csv",
        created=datetime.date(2024, 2, 29),
        left_out={"id": "every row has another value"},
    )
    words = words_of(page)
    assert words.startswith(
        "Skip to the rules What predicts mood: 5 rules Which mood does a row have: no, perhaps or yes?"
    )
    for told in (
        "what is predicted mood",
        "data from people.csv",
        "rows learned from 80",
        "rows held out for testing 40",
        "date of this page 2024-02-29",
        "columns left out id : every row has another value",
    ):
        assert told in words
    for technical in ("objective", "bound", "optimal", "gap"):
        assert technical not in page.partition("<body>")[2].partition('id="details"')[0]


def test_many_classes_are_counted_and_numbers_have_none():
    names = [f"c{i}" for i in range(26)]
    many = RuleList((), Rule((), "c0", distribution=(1.0, *[0.0] * 25)), Inputs((A,)), np.array(sorted(names)))
    assert (asked(many).classes, asked(many).n_classes) == ((), 26)
    assert "Which letter does a row have, of 26 classes?" in words_of(many.to_html(target="letter"))
    numbers = RuleList((), Rule((), 1.0), Inputs((A,)))
    assert "How large is price for a row?" in words_of(numbers.to_html(target="price"))
    assert asked(numbers).title == "What predicts the number"


def test_without_a_date_it_is_today_and_a_date_is_a_date():
    rules, _, _ = fitted()
    assert abs(asked(rules.rule_list_).created - datetime.date.today()) <= datetime.timedelta(days=1)
    with pytest.raises(InvalidParameterError, match=r"created must be a datetime.date; got '2024'"):
        asked(rules.rule_list_, created="2024")


def test_columns_left_out_are_none_or_unknown():
    rules, _, _ = fitted()
    assert "columns left out none" in words_of(rules.rule_list_.to_html(left_out={}))
    assert "columns left out" not in words_of(rules.rule_list_.to_html())
