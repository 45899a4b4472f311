"""The tabular suites, on two small sets of their own: the paper's data are not needed."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import accuracy_score
from sklearn.tree import DecisionTreeClassifier

from benchmarks import classification, methods, regression, tabular
from benchmarks.datasets import load_table
from benchmarks.published import paper_table

SUITES = {"classification": classification, "regression": regression}
SET_OF = {"classification": "heart-c", "regression": "no2"}


@pytest.fixture
def data(tmp_path):
    """A data directory with a set of each task, under names of the paper."""
    (tmp_path / "tabular").mkdir()
    rows = []
    for task, load in (("classification", load_iris), ("regression", load_diabetes)):
        frame = load(as_frame=True).frame.iloc[20:140]
        if task == "classification":
            frame["target"] = np.where(frame["target"] == 1, "yes", "no")
        frame.to_csv(tmp_path / "tabular" / f"{SET_OF[task]}.csv.gz", index=False)
        rows.append({"name": SET_OF[task], "task": task, "records": len(frame), "matches_paper": "yes"})
    pd.DataFrame(rows).to_csv(tmp_path / "MANIFEST.csv", index=False)
    return tmp_path


@pytest.fixture
def small_forests(monkeypatch):
    """The forest of the paper with 20 trees, so that a test takes a second."""

    def forest(task, seed=0):
        kind = RandomForestClassifier if task == "classification" else RandomForestRegressor
        return kind(20, max_depth=2 if task == "classification" else 3, random_state=seed)

    monkeypatch.setattr(methods, "paper_forest", forest)


def show(items, what):
    return items


@pytest.mark.parametrize("task", SUITES)
@pytest.mark.usefixtures("small_forests")
def test_a_run_goes_on_where_it_stopped_and_reports_every_set(task, data, tmp_path):
    suite = SUITES[task]
    first = suite.measure(data, [0, 1], show, ["cart", "forest"], directory=tmp_path)
    frame = first.frame()
    assert len(frame) == 4
    assert (frame.loc[frame["method"] == "cart", "rules"] <= methods.BUDGETS[task]).all()
    second = suite.measure(data, [0, 1], show, methods.DEFAULT, directory=tmp_path)
    pd.testing.assert_frame_equal(second.frame().iloc[:4][frame.columns], frame, check_dtype=False, rtol=1e-5)
    assert len(second.frame()) == 2 * len(methods.DEFAULT)
    text = suite.report(second)
    assert text.count(f"| {SET_OF[task]} |") == 1
    for name in methods.DEFAULT:
        assert f" {name} " in text.splitlines()[0]


def test_scores_are_those_of_scikit_learn_on_the_test_part(data, tmp_path):
    row = classification.measure(data, [3], show, ["cart"], directory=tmp_path).frame().iloc[0]
    table = load_table("heart-c", "classification", data, 3)
    tree = DecisionTreeClassifier(max_leaf_nodes=4, random_state=3).fit(table.X, table.y)
    assert row["score"] == pytest.approx(accuracy_score(table.y_test, tree.predict(table.X_test)))
    assert row["rules"] == tree.get_n_leaves()


@pytest.mark.parametrize("method", [name for name in methods.DEFAULT if name not in ("cart", "forest")])
@pytest.mark.parametrize("task", SUITES)
@pytest.mark.usefixtures("small_forests")
def test_shuffled_test_labels_leave_the_list_as_it_is(task, method, data):
    table = load_table(SET_OF[task], task, data, 0)
    shuffled = replace(table, y_test=np.random.default_rng(0).permutation(table.y_test))
    assert (shuffled.y_test != table.y_test).any()
    first, second = (tabular.fit(method, each, seed=0) for each in (table, shuffled))
    assert list(first.rule_list_) == list(second.rule_list_)
    rows = [tabular.measure_one(method, each, seed=0) for each in (table, shuffled)]
    assert rows[0]["score"] != rows[1]["score"]
    assert rows[0]["rules"] == rows[1]["rules"] == len(first.rule_list_)


@pytest.mark.parametrize("task", SUITES)
def test_the_published_table_has_every_set_of_the_suite(task):
    published = paper_table(task)
    assert len(published) == {"classification": 14, "regression": 22}[task]
    assert published["mean"].columns.tolist() == ["our method", "RuleFit", "SIRUS", "NodeHarvest"]
    # The averages that the paper prints itself, of its first column.
    assert published["mean"]["our method"].mean() == pytest.approx(
        {"classification": 0.80, "regression": 0.44}[task], abs=0.005
    )


def test_agreement_counts_sets_within_two_deviations():
    ours = pd.Series({"a": 0.81, "adult": 0.90, "b": 0.5})
    published = pd.DataFrame({"mean": [0.80, 0.90, 0.7], "std": [0.01, 0.0, 0.05]}, index=["a", "adult", "b"])
    said = tabular.agreement(ours, published)
    assert "on 2 of 3 sets (1 of 2 without stand-ins)" in said
    assert said.endswith("not on: b")
