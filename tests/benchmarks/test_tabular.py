"""The tabular suites, on two small sets of their own: the paper's data are not needed."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import accuracy_score
from sklearn.tree import DecisionTreeClassifier

from benchmarks import classification, methods, regression, run, tabular, tabular_report
from benchmarks.case import BUDGETS, Case
from benchmarks.datasets import load_table
from benchmarks.published import paper_fidelity, paper_ranks, paper_table

SUITES = {"classification": classification, "regression": regression}
SET_OF = {"classification": "heart-c", "regression": "no2"}
N_TREES = 20
#: Those that take no more than a second.
FAST = ("paper", "cart", "forest", "node_harvest")


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


def show(items, n_items, what):
    return items


def refuse(text):
    raise AssertionError(text)


def measure(task, data, seeds, names, note=refuse, **settings):
    return SUITES[task].measure(data, seeds, show, note, names, directory=data, n_trees=N_TREES, **settings)


@pytest.mark.parametrize("task", SUITES)
def test_a_run_goes_on_where_it_stopped_and_reports_every_set(task, data):
    frame = measure(task, data, [0, 1], ["cart", "forest"]).frame()
    assert len(frame) == 4
    assert (frame.loc[frame["method"] == "cart", "rules"] <= BUDGETS[task]).all()
    second = measure(task, data, [0, 1], FAST)
    pd.testing.assert_frame_equal(second.frame().iloc[:4][frame.columns], frame, check_dtype=False, rtol=1e-5)
    assert len(second.frame()) == 2 * len(FAST)
    text = SUITES[task].report(second)
    assert text.count(f"| {SET_OF[task]} |") == 1
    head = next(line for line in text.splitlines() if line.startswith("| set"))
    for name in FAST:
        assert f" {name} " in head


def test_scores_are_those_of_scikit_learn_on_the_test_part(data):
    row = measure("classification", data, [3], ["cart"]).frame().iloc[0]
    table = load_table("heart-c", "classification", data, 3)
    tree = DecisionTreeClassifier(max_leaf_nodes=4, random_state=3).fit(table.X, table.y)
    assert row["score"] == pytest.approx(accuracy_score(table.y_test, tree.predict(table.X_test)))
    assert row["rules"] == tree.get_n_leaves()


@pytest.mark.parametrize("method", ["paper", "accurate", "node_harvest"])
@pytest.mark.parametrize("task", SUITES)
def test_shuffled_test_labels_leave_the_rules_as_they_are(task, method, data):
    table, case = load_table(SET_OF[task], task, data, 0), Case(task, 0, N_TREES)
    shuffled = replace(table, y_test=np.random.default_rng(0).permutation(table.y_test))
    assert (shuffled.y_test != table.y_test).any()
    (first, model), (second, other) = (tabular.measure_one(method, each, case) for each in (table, shuffled))
    assert list(methods.rules_of(model)) == list(methods.rules_of(other))
    assert first["score"] != second["score"]
    assert first["rules"] == second["rules"] == len(methods.rules_of(model)) <= case.budget


@pytest.mark.parametrize("task", SUITES)
def test_every_method_that_needs_no_other_package_keeps_the_budget(task, data):
    table, case = load_table(SET_OF[task], task, data, 0), Case(task, 0, 10)
    for name in methods.DEFAULT:
        if name in ("forest", "accurate", "paper") or methods.METHODS[name].why_not(task):
            continue
        model = tabular.fit(name, table, case).model
        assert 0 < methods.count_rules(model) <= case.budget, name
        rules = methods.rules_of(model)
        if rules is not None:
            assert max(len(rule.conditions) for rule in rules) <= case.depth, name


def test_fidelity_is_stored_beside_and_can_be_added_to_scores_that_are_known(data):
    measure("classification", data, [0], ["cart", "node_harvest", "sirus"])
    stored = pd.read_csv(data / "classification_fidelity.csv")
    # NodeHarvest has the paper's forest, SIRUS one of its own, and a tree is no list.
    assert list(zip(stored["method"], stored["of"], strict=True)) == [
        ("node_harvest", "forest"),
        ("sirus", "forest"),
        ("sirus", "own"),
    ]
    scores = (data / "classification.csv").read_text()
    (data / "classification_fidelity.csv").unlink()
    measure("classification", data, [0], ["cart", "node_harvest", "sirus"])
    assert not (data / "classification_fidelity.csv").exists()
    measure("classification", data, [0], ["cart", "node_harvest", "sirus"], with_fidelity=True)
    pd.testing.assert_frame_equal(pd.read_csv(data / "classification_fidelity.csv"), stored)
    assert (data / "classification.csv").read_text() == scores


def test_stored_disagreement_is_that_of_the_predictions(data):
    measure("classification", data, [0], ["node_harvest"])
    stored = pd.read_csv(data / "classification_fidelity.csv").iloc[0]
    table, case = load_table("heart-c", "classification", data, 0), Case("classification", 0, N_TREES)
    said = tabular.fit("node_harvest", table, case).model.predict(table.X_test)
    of_forest = case.forest().fit(table.X, table.y).predict(table.X_test)
    assert stored["disagreement"] == pytest.approx(np.mean(said != of_forest), abs=1e-6)


def test_a_method_that_cannot_is_left_out_with_a_note_and_one_that_fails_is_tried_again(data, monkeypatch):
    notes = []
    frame = measure("classification", data, [0], ["fire", "cart"], notes.append).frame()
    assert frame["method"].tolist() == ["cart"]
    assert notes == ["left out: fire in classification: it is for regression only"]

    def fails(case):
        raise RuntimeError("no luck")

    monkeypatch.setitem(methods.METHODS, "cart", methods.Method(fails))
    results = measure("classification", data, [1], ["cart", "forest"], notes.append)
    assert "cart on heart-c, seed 1: RuntimeError: no luck" in notes[-1]
    assert len(results.failures) == 1
    assert "fails" in results.failures[0].details
    assert ("heart-c", 1, "cart") not in results
    assert ("heart-c", 1, "forest") in results
    monkeypatch.setitem(methods.METHODS, "cart", methods.Method(methods.cart, most_classes=1))
    measure("classification", data, [1], ["cart"], notes.append)
    assert notes[-1] == "left out: cart on heart-c: it takes at most 1 classes, and here are 2"


def test_two_processes_store_what_one_does(data, tmp_path):
    one = measure("classification", data, [0, 1], ["cart", "forest"]).frame()
    (data / "classification.csv").unlink()
    two = measure("classification", data, [0, 1], ["cart", "forest"], n_workers=2).frame()
    order, columns = ["seed", "method"], ["name", "seed", "method", "score", "rules"]
    pd.testing.assert_frame_equal(
        two.sort_values(order)[columns].reset_index(drop=True), one.sort_values(order)[columns].reset_index(drop=True)
    )


def test_a_package_that_is_missing_is_named_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "streed", replace(methods.METHODS["streed"], packages=("no_such_package",)))
    assert methods.complaint(["cart", "streed"]).endswith("pip install no_such_package")
    assert methods.complaint(["cart", "trees"]).startswith("no method trees; there are paper, ")
    assert methods.complaint(methods.DEFAULT) is None


@pytest.mark.parametrize("task", SUITES)
def test_the_published_table_has_every_set_of_the_suite(task):
    published = paper_table(task)
    assert len(published) == {"classification": 14, "regression": 22}[task]
    assert published["mean"].columns.tolist() == ["our method", "RuleFit", "SIRUS", "NodeHarvest"]
    # The averages that the paper prints itself, of its first column.
    assert published["mean"]["our method"].mean() == pytest.approx(
        {"classification": 0.80, "regression": 0.44}[task], abs=0.005
    )


@pytest.mark.parametrize("task", SUITES)
def test_the_published_fidelity_and_ranks_are_of_the_same_four_methods(task):
    fidelity, ranks = paper_fidelity(task), paper_ranks(task)
    assert set(fidelity) == set(ranks.index) == set(methods.IN_THE_PAPER.values())
    assert fidelity.index.tolist() == ["trees_by_condition", "trees_by_path", "feature_f1", "disagreement", "rules"]
    assert ranks.sum() == pytest.approx(10)  # 1 + 2 + 3 + 4


def test_agreement_counts_sets_within_two_deviations():
    ours = pd.Series({"a": 0.81, "adult": 0.90, "b": 0.5})
    published = pd.DataFrame({"mean": [0.80, 0.90, 0.7], "std": [0.01, 0.0, 0.05]}, index=["a", "adult", "b"])
    said = tabular_report.agreement(ours, published)
    assert "on 2 of 3 sets (1 of 2 without stand-ins)" in said
    assert said.endswith("not on: b")


def test_a_forest_that_is_given_changes_no_rules_and_its_seconds_count(data):
    table, case = load_table("heart-c", "classification", data, 0), Case("classification", 0, N_TREES)
    forest = replace(tabular.fit("forest", table, case), fit_s=1000.0, cpu_s=2000.0)
    (row, model), (plain, other) = (tabular.measure_one("rulefit", table, case, f) for f in (lambda: forest, None))
    assert list(methods.rules_of(model)) == list(methods.rules_of(other))
    assert row["score"] == plain["score"]
    assert row["fit_s"] > 1000 > plain["fit_s"]
    assert row["cpu_s"] > 2000


def test_forests_of_another_size_do_not_mix_with_what_is_stored(data):
    measure("classification", data, [0], ["cart"])
    assert pd.read_csv(data / "classification.csv")["trees"].tolist() == [N_TREES]
    with pytest.raises(SystemExit, match=rf"has rows of forests of {N_TREES} trees, not of {N_TREES + 1}"):
        classification.measure(
            data, [1], lambda items, *_: items, print, methods=["cart"], directory=data, n_trees=N_TREES + 1
        )


def test_a_fit_that_was_interrupted_before_its_score_was_stored_is_made_again_and_counts_once(data):
    measure("classification", data, [0], ["sirus"])
    fidelity = (data / "classification_fidelity.csv").read_text()
    (data / "classification.csv").unlink()
    measure("classification", data, [0], ["sirus"])
    assert len(pd.read_csv(data / "classification.csv")) == 1
    assert (data / "classification_fidelity.csv").read_text() == fidelity


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--sets", "nosuchset"], "no set nosuchset; there are .*heart-c"),
        (["--jobs", "0"], "0 is less than 1"),
        (["--seeds", "-1"], "expected at least one argument|-1 is less than 0"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_runs(arguments, complaint, data, capsys):
    with pytest.raises(SystemExit) as ended:
        run.main(["--suite", "classification", "--data", str(data), "--results", str(data / "new"), *arguments])
    assert ended.value.code == 2
    assert re.search(complaint, capsys.readouterr().err)
    assert not (data / "new").exists()
