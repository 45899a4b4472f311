"""Groups of rows are measured from sums as they would be from the rows themselves."""

import numpy as np
import pytest

from hedgerow import Condition, Rule, RuleList
from hedgerow.evidence.groups import measured
from hedgerow.features import Column, Inputs

A = Column(0, "a")


def rules_of(predictions, **kind):
    rules = tuple(Rule((Condition(A, i, i + 1),), one, 5, 0.5, **kind) for i, one in enumerate(predictions))
    return rules, Inputs((A,), np.float64)


def test_means_of_any_groups_are_those_of_their_rows():
    rng = np.random.default_rng(0)
    rules, inputs = rules_of([1.0, 2.0, 3.0], spread=1.0)
    listed = RuleList(rules, Rule((), 0.0), inputs)
    x = rng.uniform(0, 4, size=(200, 1))
    y, weight = 1e6 + rng.normal(size=200), rng.uniform(size=200)
    rows = measured(listed, listed.evaluate(x), y, weight)
    some = (x[:, 0] <= 1) | (x[:, 0] > 3)
    group = rows.group([0, 3], 0)
    mean = np.average(y[some], weights=weight[some])
    assert group.mean == pytest.approx(mean, rel=1e-12)
    assert group.n == pytest.approx(weight[some].sum() ** 2 / (weight[some] ** 2).sum())
    variance = np.average((y[some] - mean) ** 2, weights=weight[some]) * group.n / (group.n - 1)
    assert group.spread == pytest.approx(np.sqrt(variance), rel=1e-6)
    assert rows.n_rows.sum() == 200
    assert rows.stated(1) == pytest.approx(2.0)


def test_shares_of_a_class_in_any_groups_are_those_of_their_rows():
    rules, inputs = rules_of(["p", "q"], distribution=(0.4, 0.6))
    listed = RuleList(rules, Rule((), "p", distribution=(0.5, 0.5)), inputs, np.array(["p", "q"]))
    x, y = [[0.5], [0.5], [1.5], [1.5], [1.5], [9.0]], ["p", "q", "q", "q", "p", "p"]
    rows = measured(listed, listed.evaluate(x), y)
    assert rows.group([0], 0).mean == 1 / 2
    assert rows.group([1, 2], 0).mean == 2 / 4
    assert rows.group([1, 2], 1).mean == 2 / 4
    assert rows.group([2], 2).mean == 1
    assert [one.value for one in rows.shares(1, 0.95)] == pytest.approx([1 / 3, 2 / 3])
    assert rows.stated(0) == 0.4
    assert rows.group([], 0).n == 0
