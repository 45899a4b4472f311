"""The suites that explain models, on a small set of their own."""

import sys
import types

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks import explaining, run
from benchmarks.case import Case
from benchmarks.explained_models import ENSEMBLES, KINDS, OTHERS, coded_table
from benchmarks.explainers import EXPLAINERS, ModelCase, complaint
from benchmarks.taught_trees import LabelledCart, Lessons, TaughtCart
from benchmarks.te2rules_lists import Te2RulesClassifier
from hedgerow import RuleListClassifier

N_TREES = 10


@pytest.fixture
def data(tmp_path):
    """A data directory with one small set of three labels, and one set of numbers."""
    (tmp_path / "tabular").mkdir()
    frame = load_iris(as_frame=True).frame
    named = frame.assign(target=frame["target"].map({0: "a", 1: "b", 2: "c"}))
    named.to_csv(tmp_path / "tabular" / "flowers.csv.gz", index=False)
    width = frame.drop(columns="target").rename(columns={"petal width (cm)": "target"})
    width.to_csv(tmp_path / "tabular" / "widths.csv.gz", index=False)
    rows = [("flowers", "classification"), ("widths", "regression")]
    listed = [{"name": name, "task": task, "records": 150, "matches_paper": "yes"} for name, task in rows]
    pd.DataFrame(listed).to_csv(tmp_path / "MANIFEST.csv", index=False)
    return tmp_path


def measure(task, data, methods, models=("hist_boosting",), budgets=(3,), note=None, seeds=(0,)):
    def refuse(text):
        raise AssertionError(text)

    show = lambda items, *_: items  # noqa: E731
    where = {"directory": data, "n_trees": N_TREES, "budgets": budgets, "models": models}
    kinds = (*ENSEMBLES, *OTHERS)
    return explaining.measure(task, f"faithful_{task}", kinds, data, seeds, show, note or refuse, methods, **where)


def test_surrogates_are_measured_against_the_model_and_the_forest_once(data):
    methods = ["surrogate", "cart", "deep_forest"]
    frame = measure("classification", data, methods, ("random_forest", "svm"), (2, 3)).frame()
    rows = frame.set_index(["model", "method", "budget"])
    models = ("random_forest", "svm")
    expected = {(model, method, b) for model in models for method in methods[:2] for b in (2, 3)}
    assert set(rows.index) == expected | {("labels", "deep_forest", 0)}
    table = coded_table("flowers", "classification", data, 0)
    model = KINDS["random_forest"].make(True, 0).fit(table.X, table.y)
    said, said_test = model.predict(table.X), model.predict(table.X_test)
    tree = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0).fit(table.X, said)
    found = rows.loc["random_forest", "surrogate", 3]
    assert found["to_model"] == pytest.approx(np.mean(tree.predict(table.X_test) == said_test))
    assert found["score"] == pytest.approx(np.mean(tree.predict(table.X_test) == table.y_test))
    assert found["model_score"] == pytest.approx(np.mean(said_test == table.y_test))
    apart = tree.predict_proba(table.X_test) - model.predict_proba(table.X_test)
    assert found["brier"] == pytest.approx((apart**2).sum(axis=1).mean())
    again = measure("classification", data, methods, ("random_forest", "svm"), (2, 3), seeds=(0, 1)).frame()
    assert len(again) == 2 * len(frame)


def test_of_numbers_the_unexplained_share_of_the_models_variance_is_measured(data):
    frame = measure("regression", data, ["surrogate", "surrogate_rows"]).frame()
    assert frame["method"].tolist() == ["surrogate"]  # of numbers, there are no labels to predict
    table = coded_table("widths", "regression", data, 0)
    model = KINDS["hist_boosting"].make(False, 0).fit(table.X, table.y)
    tree = DecisionTreeRegressor(max_leaf_nodes=3, random_state=0).fit(table.X, model.predict(table.X))
    said = model.predict(table.X_test)
    apart = np.mean((tree.predict(table.X_test) - said) ** 2)
    assert frame["to_model"][0] == pytest.approx(apart / np.var(said), rel=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_a_list_has_the_questions_it_asked_and_the_trees_it_represents(data):
    frame = measure("classification", data, ["faithful", "surrogate_rows"]).frame().set_index("method")
    assert frame.loc["faithful", "asked"] > 1000
    assert 0 <= frame.loc["faithful", "asking_s"] <= frame.loc["faithful", "fit_s"]
    assert frame.loc["faithful", "by_path"] <= frame.loc["faithful", "by_condition"] <= 1
    assert frame.loc["faithful", "rules"] <= 3
    assert np.isnan(frame.loc["surrogate_rows", "asked"])


def test_one_failure_leaves_the_other_rows(data, monkeypatch):
    def fail(case):
        raise ValueError("no such luck")

    notes = []
    monkeypatch.setitem(EXPLAINERS, "paper", type(EXPLAINERS["paper"])(fail, needs_trees=True))
    results = measure("classification", data, ["paper", "surrogate"], note=notes.append)
    assert [row["method"] for row in results.rows] == ["surrogate"]
    assert notes == ["failed: paper of hist_boosting on flowers, seed 0, 3 rules: ValueError: no such luck"]
    assert len(results.failures) == 1


def test_seed_by_seed_and_model_by_model_with_one_seed_for_large_sets(tmp_path):
    results = explaining.open_explained("faithful_classification", tmp_path)
    sets = {"small": 100, "large": 5000}
    case = Case("classification")
    jobs = list(explaining._jobs(case, None, None, ["xgboost", "svm"], ["paper", "cart"], sets, (4, 8), results))
    order = [(job.case.seed, job.name, job.kind, len(job.wanted)) for job in jobs]
    assert order[:4] == [(0, name, kind, n) for name in sets for kind, n in (("xgboost", 4), ("svm", 2))]
    assert [(seed, name) for seed, name, *_ in order[4:]] == [(1, "small")] * 2 + [(2, "small")] * 2


def test_a_tree_on_the_same_rows_learns_labels_or_shares_and_the_teacher_is_asked_once(data, monkeypatch):
    from benchmarks import taught_trees

    table = coded_table("flowers", "classification", data, 0)
    model = KINDS["random_forest"].make(True, 0).fit(table.X, table.y)
    learned = []
    learn = taught_trees.learn
    monkeypatch.setattr(taught_trees, "learn", lambda *given: learned.append(learn(*given)) or learned[-1])
    lessons = Lessons()
    rules = RuleListClassifier.faithful(model, max_rules=3, random_state=0)
    soft, hard = (kind(rules, 3, lessons=lessons).fit(table.X, table.y) for kind in (TaughtCart, LabelledCart))
    assert len(learned) == 1
    rows = learned[0]
    labels = np.asarray(rows.targets).argmax(axis=1)
    plain = DecisionTreeClassifier(max_leaf_nodes=3, random_state=0)
    plain.fit(rows.values.astype(float), labels, sample_weight=rows.weight)
    np.testing.assert_allclose(hard.predict_proba(table.X_test), plain.predict_proba(table.X_test), atol=1e-9)
    assert not np.allclose(soft.predict_proba(table.X_test), hard.predict_proba(table.X_test))


def test_te2rules_keeps_its_time_limit_and_predicts_by_its_package(monkeypatch):
    class ModelExplainer:
        def __init__(self, model, names):
            self.names = names

        def explain(self, X, y, num_stages):
            while len(X) >= 10 and (num_stages > 1 or len(X) == 20):
                pass
            return ["x0 > 0.5"]

        def predict(self, X):
            return [int(row[0] > 0.5) for row in X]

    module = types.ModuleType("te2rules.explainer")
    module.ModelExplainer = ModelExplainer
    monkeypatch.setitem(sys.modules, "te2rules", types.ModuleType("te2rules"))
    monkeypatch.setitem(sys.modules, "te2rules.explainer", module)
    X = np.array([[0.0], [1.0]])
    found = Te2RulesClassifier("model").fit(X, [0, 1])
    assert found.predict(X).tolist() == [0, 1]
    assert (found.n_rules_, found.status_) == (1, "stages: 2")
    if hasattr(__import__("signal"), "setitimer"):
        assert Te2RulesClassifier("model", seconds=0.05).fit(np.zeros((10, 1)), np.zeros(10)).status_ == "stages: 1"
        with pytest.raises(TimeoutError, match="more than 0 s"):
            Te2RulesClassifier("model", seconds=0.05).fit(np.zeros((20, 1)), np.zeros(20))


def test_each_explainer_is_for_some_models_and_budgets():
    assert complaint(["faithful", "nonsense"]).startswith("no method nonsense; there are faithful")
    wanted = list(explaining._wanted("xgboost", ["te2rules", "faithful_stable"], (4, 8)))
    assert [(one.method, one.budget) for one in wanted] == [("te2rules", 0), ("faithful_stable", 4)]
    assert not list(explaining._wanted("lightgbm", ["te2rules", "deep_forest"], (4,)))
    assert not list(explaining._wanted("svm", ["paper"], (4,)))
    for name in ("faithful", "surrogate", "rulefit", "sirus", "cart"):
        made = EXPLAINERS[name].make(ModelCase("classification", max_rules=8, model=object()))
        assert 8 in (getattr(made, "max_rules", None), getattr(made, "max_leaf_nodes", None))


def test_the_command_runs_a_suite_that_explains_and_writes_its_tables(data, capsys):
    where = ["--data", str(data), "--results", str(data / "found"), "--suite", "faithful_classification"]
    chosen = ["--methods", "surrogate,cart", "--models", "hist_boosting", "--budgets", "2", "--seeds", "0"]
    assert run.main([*where, *chosen]) == 0
    assert len(pd.read_csv(data / "found" / "faithful_classification.csv")) == 2
    assert "| surrogate |" in (data / "found" / "faithful_classification.md").read_text()
    for wrong, said in ((["--models", "magic"], "no model magic"), (["--methods", "streed"], "no method streed")):
        with pytest.raises(SystemExit):
            run.main([*where, *wrong])
        assert said in capsys.readouterr().err
