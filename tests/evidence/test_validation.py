"""A validation as text and as a table."""

import numpy as np
import pytest

from hedgerow import Condition, Rule, RuleList
from hedgerow.evidence import validate
from hedgerow.features import Column, Inputs

A, B = Column(0, "a"), Column(1, "b")


def labels_list(times=1):
    """Three rules, of which the second and the third overlap."""
    return RuleList(
        rules=(
            Rule((Condition(A, upper=0),), "no", 50 * times, 0.5, (0.9, 0.1)),
            Rule((Condition(A, lower=0), Condition(B, upper=1)), "yes", 30 * times, 0.3, (0.2, 0.8)),
            Rule((Condition(A, lower=0), Condition(B, lower=0)), "yes", 20 * times, 0.2, (0.25, 0.75)),
        ),
        default=Rule((), "no", distribution=(0.6, 0.4)),
        inputs=Inputs((A, B), np.float64),
        classes=np.array(["no", "yes"]),
        n_samples=100 * times,
    )


def rows():
    """Return rows and labels: 4 of the first rule, 3 of the second, one of these of the third as well, and 2 of it."""
    X = np.array([[-1, 0], [-2, 0], [-3, 5], [-1, 1], [1, -1], [2, -1], [1, 0.5], [1, 2], [1, 3]], dtype=float)
    y = np.array(["no", "no", "no", "yes", "yes", "yes", "no", "yes", "no"])
    return X, y


def test_what_differs_is_told_in_sentences():
    X, y = (np.repeat(part, 100, axis=0) for part in rows())
    found = validate(labels_list(100), X, y)
    assert found.verdict(found.rules[2]) == "lower"
    assert [row.rule for row in found.changed] == [1, 2, 3]
    said = found.sentences()
    assert said[0].startswith("The prediction is right for 66.7 % of 900 rows (")
    assert said[1] == "100 of them match several rules, 0 match none."
    assert any(one.startswith("Rule 3 is lower than in training: 50.0 % of its 200 rows are yes (") for one in said)
    assert str(found).splitlines()[0].split()[:3] == ["rule", "rows", "coverage"]


def test_the_frame_has_a_row_per_rule_and_a_column_per_class():
    frame = validate(labels_list(), *rows()).to_frame()
    assert frame["rows"].tolist() == [4, 3, 2]
    assert frame["share of yes"].tolist() == pytest.approx([1 / 4, 2 / 3, 1 / 2])
    assert {"p_training", "value_low", "coverage_high", "of_nearest"} <= set(frame)
