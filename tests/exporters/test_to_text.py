"""The printed list: aligned columns, the default, and the proof."""

from dataclasses import replace

import numpy as np

from hedgerow import Condition, Rule, RuleList, Solution
from hedgerow.features import Column, Inputs

A, LONG = Column(0, "a"), Column(1, "a longer name")
LIST = RuleList(
    (
        Rule((Condition(LONG, upper=5),), "yes", 12, 0.923, (0.25, 0.75)),
        Rule((Condition(A, lower=3),), "no", 1, 0.077, (1.0, 0.0)),
    ),
    Rule((), "yes", distribution=(0.45, 0.55)),
    Inputs((A, LONG)),
    np.array(["no", "yes"]),
    n_samples=13,
)


def test_columns_are_aligned():
    assert LIST.to_text().splitlines() == [
        "1.  if a longer name <= 5  then yes (75 %)  12 samples  92.3 %",
        "2.  if a > 3               then no (100 %)   1 sample    7.7 %",
        "    otherwise              then yes (55 %)",
    ]


def test_the_last_line_is_the_proof():
    solution = Solution(np.array([0, 1]), 1.5, 1.5, "optimal", 0.1)
    *lines, last = replace(LIST, solution=solution).to_text().splitlines()
    assert "\n".join(lines) == LIST.to_text()
    assert last == solution.describe()


def test_a_class_that_was_taught_against_the_samples_is_explained():
    taught = replace(LIST[0], kind="taught", class_share=0.4)
    lines = replace(LIST, rules=(taught, LIST[1])).to_text().splitlines()
    assert "then yes (40 %, taught)" in lines[0]
    assert lines[-1].startswith("taught: the teacher is for this class")


def test_a_line_break_in_a_name_does_not_break_the_line():
    odd = Column(0, "a\nb")
    rules = RuleList((Rule((Condition(odd, upper=5),), 1.0),), Rule((), 0.0), Inputs((odd,)))
    assert len(rules.to_text().splitlines()) == 2
