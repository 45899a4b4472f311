"""Pools of all nodes: which sets there are, with and without the benchmark data."""

import pytest

from benchmarks.datasets import find_data, paper_sets, series_sets
from benchmarks.instances import nodes


def sets_of(cases):
    return {case.split("-", 1)[1].rpartition("-")[0] for case in cases if case.startswith("accurate-")}


def test_without_the_data_the_sets_are_those_of_scikit_learn(monkeypatch):
    monkeypatch.setattr(nodes, "find_data", lambda directory: None)
    assert sets_of(nodes.cases()) == {"sk-wine", "sk-diabetes"}


def test_with_the_data_the_sets_are_all_tables_and_eight_of_series():
    pytest.importorskip("wildboar")
    data = find_data(None)
    if data is None:
        pytest.skip("The benchmark data are not there.")
    found = sets_of(nodes.cases())
    assert {name for name, _ in paper_sets(data)} <= found
    assert len(found & set(series_sets(data))) == 8
    name = series_sets(data)[0]
    assert nodes.make(f"accurate-{name}-4", 0).max_rules == 4
