"""What is drawn has the truth that it is said to have, and a bar that is missed is said to be."""

import numpy as np
import pytest

from benchmarks.evidence import PARTS, as_markdown, bar_of, list_of, measure, rows_of, table
from benchmarks.results import Results


def test_each_interval_of_the_column_is_a_rule_and_has_its_rows():
    y = [np.array([0, 1, 1, 1]), np.array([0, 0])]
    rules = list_of([4, 2], y)
    assert rules.apply(rows_of([4, 2])).tolist() == [0] * 4 + [1] * 2
    assert [rule.prediction for rule in rules] == [1, 0]
    assert [rule.class_share for rule in rules] == [0.75, 1.0]


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_part_has_a_first_case_that_runs(part):
    run, cases = PARTS[part]
    found = run(cases[0], np.random.default_rng(0))
    assert found
    assert all(bar_of(part, cases[0], what) is None or isinstance(bool(hit), bool) for what, hit in found.items())


def test_the_same_block_is_measured_alike_and_a_missed_bar_is_bold(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.evidence.BLOCK", 3)
    assert list(measure("power", "0.6", 0)) == list(measure("power", "0.6", 0))
    results = Results("evidence", ("part", "case", "block", "what"), tmp_path)
    key = {"part": "power", "case": "0.6", "block": 0}
    results.add(key | {"what": "found", "hits": 1}, key | {"what": "another", "hits": 0})
    rows, fine = table(results)
    assert not fine
    assert "| power | 0.6 | 3 | found: **33.3 %**, another: 0.0 % | 90 to 100 % |" in as_markdown(rows)
