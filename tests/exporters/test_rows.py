"""Rules as rows of text: one per rule, and the default last."""

import numpy as np

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.rows import rows_of
from hedgerow.features import Column, Inputs

A, B = Column(0, "a"), Column(1, "b")
LIST = RuleList(
    (
        Rule((Condition(A, upper=5),), "yes", 2, 2 / 3, (0.25, 0.75)),
        Rule((Condition(A, lower=5),), "no", 1, 1 / 3, (1.0, 0.0)),
    ),
    Rule((), "no", distribution=(0.5, 0.5)),
    Inputs((A,)),
    np.array(["no", "yes"]),
    n_samples=3,
)


def test_a_row_has_number_conditions_prediction_coverage_and_share():
    head, rows = rows_of(LIST)
    assert head == ["", "if", "then", "samples", "share"]
    assert rows == [
        ["1", "a <= 5", "yes (75 %)", "2", "66.7 %"],
        ["2", "a > 5", "no (100 %)", "1", "33.3 %"],
        ["", "otherwise", "no (50 %)", "", ""],
    ]


def test_thresholds_have_as_many_digits_as_tell_them_apart():
    close = RuleList(
        (Rule((Condition(A, upper=1.00001),), 1.0), Rule((Condition(A, upper=1.00002),), 2.0)),
        Rule((), 0.0),
        Inputs((A,), np.float64),
    )
    assert [row[1] for row in rows_of(close)[1]] == ["a <= 1.00001", "a <= 1.00002", "otherwise"]


def test_what_is_a_table_already_stays_one():
    class Weighted:
        def cells(self):
            return ["", "weight"], [["1", "0.5"]]

    assert rows_of(Weighted()) == (["", "weight"], [["1", "0.5"]])


def test_a_rule_without_conditions_is_the_whole_list():
    always = RuleList((Rule((), "yes", 3, 1.0, (0.4, 0.6)),), LIST.default, Inputs((A,)), LIST.classes, n_samples=3)
    assert rows_of(always)[1] == [["1", "always", "yes (60 %)", "3", "100.0 %"]]
    assert always.to_text() == "1.  always  predict yes (60 %)  3 samples  100.0 %"
    assert str(always[0]) == "always predict yes (60 %)"
    assert "otherwise" not in always.to_latex() + always._repr_html_() + always.to_dot()
    assert r"\midrule" + "\n" + r"\bottomrule" not in always.to_latex()
    assert RuleList.from_json(always.to_json()).to_text() == always.to_text()


def test_where_missing_values_go_can_be_shown():
    rules = tuple(
        Rule(
            (Condition(A, upper=5, missing=missing), Condition(B, lower=1, missing=missing)), "yes", 1, 0.5, (0.0, 1.0)
        )
        for missing in (True, False)
    )
    inputs = Inputs((A, B), allows_missing=True, complete=frozenset({B}))
    may_be_missing = RuleList(rules, LIST.default, inputs, LIST.classes, n_samples=2)
    assert [row[1] for row in rows_of(may_be_missing)[1][:2]] == ["a <= 5 and b > 1"] * 2
    first, second, *_ = may_be_missing.to_text(show_missing=True).splitlines()
    assert "if (a <= 5 or missing) and b > 1 " in first
    assert "if a <= 5 and b > 1 " in second
    refused = RuleList(rules, LIST.default, Inputs((A, B)), LIST.classes, n_samples=2)
    assert refused.to_text(show_missing=True) == refused.to_text()
