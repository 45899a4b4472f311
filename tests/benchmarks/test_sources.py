"""Where data come from: OpenML by a fake fetch, and the small sets of the quick run."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from benchmarks import datasets, openml
from benchmarks.quick_data import write_quick_data


@pytest.fixture
def fetched(monkeypatch):
    """Let OpenML have one set, of which one row is incomplete and one category is in that row only."""
    X = pd.DataFrame(
        {"size": [1.0, 2.0, 3.0, np.nan], "kind": pd.Categorical(["a", "b", "a", "c"])}, index=[5, 6, 7, 8]
    )
    asked = []

    def fetch(data_id, **settings):
        asked.append(data_id)
        return SimpleNamespace(data=X, target=pd.Series(["1", "2", "3", "4"], index=X.index))

    monkeypatch.setattr(openml, "fetch_openml", fetch)
    table = {"name": ["small"], "task": ["regression"], "id": [7], "records": [3], "features": [3]}
    monkeypatch.setattr(openml, "openml_sets", lambda: pd.DataFrame(table))
    return asked


def test_a_set_of_openml_is_prepared_as_one_of_the_directory(fetched):
    X, y = datasets.load_complete("small", "regression", None)
    assert fetched == [7]
    assert X.columns.tolist() == ["size", "kind_a", "kind_b"]
    assert y.tolist() == [1.0, 2.0, 3.0]


def test_a_set_with_other_counts_than_the_papers_is_refused(fetched, monkeypatch):
    table = {"name": ["small"], "task": ["regression"], "id": [7], "records": [9], "features": [3]}
    monkeypatch.setattr(openml, "openml_sets", lambda: pd.DataFrame(table))
    with pytest.raises(ValueError, match=r"3 complete rows and 3 columns; in the paper they are 9 and 3"):
        datasets.load_complete("small", "regression", None)


def test_the_table_of_openml_has_the_papers_sets_with_one_entry_each():
    table = openml.openml_sets()
    assert table["task"].value_counts().to_dict() == {"classification": 14, "regression": 22}
    assert table["id"].is_unique
    assert len(datasets.paper_sets(None)) == 36


def test_without_a_directory_tables_come_from_openml_and_series_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "DEFAULT_DIRECTORY", tmp_path)
    assert datasets.find_data(None) is None
    with pytest.raises(SystemExit, match="--data"):
        datasets.find_data(tmp_path)
    with pytest.raises(SystemExit, match="not on OpenML"):
        datasets.series_sets(None)


def test_the_quick_directory_has_three_sets_for_each_suite(tmp_path):
    write_quick_data(tmp_path)
    tasks = [task for _, task in datasets.paper_sets(tmp_path)]
    assert sorted(tasks) == ["classification"] * 3 + ["regression"] * 3
    for name, task in datasets.paper_sets(tmp_path):
        table = datasets.load_table(name, task, tmp_path, 0)
        assert np.isfinite(table.X.to_numpy()).all()
        assert len(table.X_test) > 20
    assert len(datasets.series_sets(tmp_path)) == 3
    for name in datasets.series_sets(tmp_path):
        train, test = (datasets.load_series(name, tmp_path, part)[0] for part in ("TRAIN", "TEST"))
        assert train.shape[1] == test.shape[1]
        assert not (train[:, None] == test[None, :5]).all(axis=2).any()
