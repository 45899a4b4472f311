"""What a notebook shows: a well-formed table with every name and label escaped, and the proof."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

from hedgerow import Condition, Rule, RuleList, Solution
from hedgerow.exporters.to_notebook import export
from hedgerow.features import Column, Inputs

ODD = Column(0, "<script>alert('&')</script>")
LIST = RuleList(
    (Rule((Condition(ODD, upper=5),), "<b>&amp;", 6, 0.6, (0.25, 0.75)),),
    Rule((), "no", distribution=(0.55, 0.45)),
    Inputs((ODD,)),
    np.array(["no", "<b>&amp;"]),
)


def shown(html):
    """Return the rows of text that a browser shows, and what stands below the table."""
    table, *below = ElementTree.fromstring(f"<div>{html}</div>")
    return [[cell.text or "" for cell in row] for row in table.iter("tr")], [paragraph.text for paragraph in below]


def test_names_and_labels_are_shown_as_they_are():
    rows, below = shown(LIST._repr_html_())
    assert rows == [
        ["", "if", "then", "samples", "share"],
        ["1", "<script>alert('&')</script> <= 5", "<b>&amp; (75 %)", "6", "60.0 %"],
        ["", "otherwise", "no (55 %)", "", ""],
    ]
    assert below == []


def test_the_proof_stands_below():
    solution = Solution(np.array([0]), 1.0, 2.0, "time_limit", 0.1)
    assert shown(replace(LIST, solution=solution)._repr_html_())[1] == [solution.describe()]


def test_words_are_aligned_left_and_numbers_right():
    class Weighted:
        def cells(self):
            return ["", "weight", "if", "else"], [["1", "0.5", "a <= 1", "no"]]

    table = ElementTree.fromstring(export(Weighted()))
    assert [[cell.get("style") for cell in row] for row in table.iter("tr")] == [
        ["text-align:right", "text-align:right", "text-align:left", "text-align:left"]
    ] * 2
