"""The suites of all sizes, on a small set of their own."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from benchmarks import run, sizes
from benchmarks.case import Case
from benchmarks.datasets import size_sets

N_TREES = 10


@pytest.fixture
def data(tmp_path):
    """A data directory with two sets of the paper and one of many classes; one is large."""
    (tmp_path / "tabular").mkdir()
    rows = []
    for name, records, source in (("large", 6000, "yes"), ("heart-c", 150, "yes"), ("iris", 150, "no: bonus set")):
        load_iris(as_frame=True).frame.to_csv(tmp_path / "tabular" / f"{name}.csv.gz", index=False)
        rows.append({"name": name, "task": "classification", "records": records, "matches_paper": source})
    pd.DataFrame(rows).to_csv(tmp_path / "MANIFEST.csv", index=False)
    return tmp_path


def measure(data, seeds, methods, budgets=(2, 4), note=None, **settings):
    def refuse(text):
        raise AssertionError(text)

    where = {"directory": data, "n_trees": N_TREES, "budgets": budgets}
    show = lambda items, *_: items  # noqa: E731
    return sizes.measure("classification", data, seeds, show, note or refuse, methods, **where, **settings)


def test_a_row_per_set_seed_budget_and_method_and_one_for_what_has_no_budget(data):
    frame = measure(data, [0], ["cart", "forest"], sets=["iris", "heart-c"]).frame()
    keys = list(zip(frame["name"], frame["budget"], frame["method"], strict=True))
    per_set = [(0, "forest"), (2, "cart"), (4, "cart")]
    assert sorted(keys) == sorted((name, *rest) for name in ("heart-c", "iris") for rest in per_set)
    cart = frame[frame["method"] == "cart"]
    assert (cart["rules"] <= cart["budget"]).all()
    assert frame["ece"].between(0, 1).all()
    assert frame["auc"].between(0.5, 1).all()
    again = measure(data, [0, 1], ["cart", "forest"], sets=["iris", "heart-c"]).frame()
    assert len(again) == 12
    assert (data / "sizes_classification.csv").exists()
    assert not (data / "classification.csv").exists()


def test_seed_by_seed_with_fewer_seeds_for_large_sets():
    found = sizes._jobs("classification", None, None, ["cart"], {"small": 100, "large": 5000}, 10, (2, 4), 1.0)
    order = [(job.case.seed, job.name, job.case.budget) for job in found]
    assert order[:8] == [(seed, name, b) for seed in (0, 1) for name in ("small", "large") for b in (2, 4)]
    assert max(seed for seed, name, _ in order if name == "large") == 2
    assert max(seed for seed, name, _ in order if name == "small") == 9
    given = sizes._jobs("classification", None, [7], ["cart"], {"large": 5000}, 10, (2,), 1.0)
    assert [job.case.seed for job in given] == [7]


def test_the_paper_sets_and_those_of_many_classes_smallest_first(data):
    assert list(size_sets(data, "classification")) == ["heart-c", "iris", "large"]
    assert set(size_sets(None, "regression")) >= {"no2", "houses"}


def test_what_a_method_cannot_do_is_noted_once(data):
    notes = []
    results = measure(data, [0], ["sirus_package"], note=notes.append, sets=["iris"])
    assert not results.rows
    assert notes == ["left out: sirus_package on iris: it takes at most 2 classes, and here are 3"]


def test_forests_are_shallower_only_where_not_even_one_tree_would_fit():
    depths = [Case(task, max_rules=b).depth for task in ("classification", "regression") for b in (2, 4, 8, 15, 30)]
    assert depths == [1, 2, 2, 2, 2, 1, 2, 3, 3, 3]
    assert (Case("classification").budget, Case("regression").budget) == (4, 15)


def test_the_command_runs_a_suite_of_sizes_and_writes_its_tables(data, capsys):
    where = ["--data", str(data), "--results", str(data / "found")]
    chosen = ["--suite", "sizes_classification", "--sets", "iris", "--methods", "cart", "--budgets", "2", "3"]
    assert run.main([*where, *chosen, "--seeds", "0", "--trees", str(N_TREES)]) == 0
    stored = pd.read_csv(data / "found" / "sizes_classification.csv")
    assert stored["budget"].tolist() == [2, 3]
    assert np.allclose(stored["limit"], 60)
    assert "| cart |" in (data / "found" / "sizes_classification.md").read_text()
    with pytest.raises(SystemExit):
        run.main([*where, "--suite", "sizes_classification", "--budgets", "1"])
    assert "1 is less than 2" in capsys.readouterr().err
