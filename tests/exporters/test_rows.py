"""Rules as rows of text: one per rule, and the default last."""

import numpy as np

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.rows import rows_of
from hedgerow.features import Column, Inputs

A = Column(0, "a")
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
