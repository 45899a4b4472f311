"""What the command line says where its files and its options do not fit together, or when it is stopped."""

import sqlite3

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import RuleList, RuleListClassifier
from hedgerow.cli import main

QUICK = ["--trees", "12", "--depth", "2", "--jobs", "1"]


def table(n=60):
    """Two columns, a class and a number that follow from them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.integers(-3, 4, n), "b": rng.normal(size=n)})
    return frame.assign(y=np.where(frame["a"] > 0, "p", "q"), z=frame["a"] + frame["b"])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table, a classifier, a regressor, and the rules of the classifier."""
    monkeypatch.chdir(tmp_path)
    frame = table()
    frame.to_csv("table.csv", index=False)
    X = frame[["a", "b"]]
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, frame["y"])
    numbers = RandomForestRegressor(5, max_depth=2, random_state=0).fit(X, (frame["z"] > 0).astype(int))
    skops.io.dump(forest, "classes.skops")
    skops.io.dump(numbers, "numbers.skops")
    rules = RuleListClassifier(forest, max_rules=4, random_state=0).fit(X, frame["y"]).rule_list_
    (tmp_path / "rules.json").write_text(rules.to_json())
    return tmp_path


#: What is asked, what the line says, and what it does not say.
CALLS = {
    "a target that the rules look at": (
        ["report", "rules.json", "table.csv", "-t", "a", "-o", "out.html"],
        "'a' is the target, but it is also a column that the rules look at",
        "lacks",
    ),
    "a target that the model looks at": (
        ["extract", "table.csv", "-t", "b", "--model", "numbers.skops"],
        "'b' is the target, but it is also a column that the rules look at",
        "lacks",
    ),
    "a dropped column that the model looks at": (
        ["extract", "table.csv", "-t", "y", "--model", "classes.skops", "--drop", "b"],
        "'b' is dropped, but it is also a column that the rules look at",
        "lacks",
    ),
    "a report of classes on numbers": (
        ["report", "rules.json", "table.csv", "-t", "z", "-o", "out.html"],
        "Name the column of the classes that the rule list predicts",
        "--task",
    ),
    "a model of classes on numbers": (
        ["extract", "table.csv", "-t", "z", "--model", "classes.skops"],
        "Name the column of the classes that the model predicts",
        "--task",
    ),
    "a model of classes as regression": (
        ["extract", "table.csv", "-t", "z", "--model", "classes.skops", "--task", "regression"],
        "--task regression is not what the model is for, which predicts classes",
        "RuleList",
    ),
    "a model of numbers as classification": (
        ["extract", "table.csv", "-t", "y", "--model", "numbers.skops", "--task", "classification"],
        "--task classification is not what the model is for, which predicts numbers",
        "RuleList",
    ),
    "answers in a file of unknown kind": (
        ["predict", "rules.json", "table.csv", "-o", "answers.txt"],
        "Tables end in .csv",
        "--separator",
    ),
}


@pytest.mark.parametrize("why", CALLS)
def test_what_does_not_fit_is_said_in_terms_of_the_call(why, folder, capsys):
    call, said, unsaid = CALLS[why]
    assert main(call) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert unsaid not in line


def test_the_model_says_the_task(folder):
    table().assign(z=lambda frame: (frame["z"] > 0).astype(int)).to_csv("table.csv", index=False)
    call = ["extract", "table.csv", "-t", "z", "--drop", "y", "--model", "numbers.skops", "--jobs", "1"]
    assert main([*call, "--json", "out.json"]) == 0
    assert RuleList.from_json((folder / "out.json").read_text()).classes is None


def test_columns_of_lists_and_dictionaries_are_left_out_and_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    frame = table().drop(columns="z").assign(list=[[1, 2], None] * 30, both=[{"k": 1}] * 60)
    frame["y"] = frame["y"] == "p"
    frame.to_parquet("table.parquet")
    assert main(["extract", "table.parquet", "-t", "y", *QUICK, "--json", "rules.json"]) == 0
    said = capsys.readouterr().err
    assert "column list is left out: it holds lists" in said
    assert "column both is left out: it holds lists" in said
    assert "the target has 2 different values" in said
    assert main(["predict", "rules.json", "table.parquet", "--with-data", "-o", "out.parquet"]) == 0
    frame.assign(a=frame["both"]).to_parquet("table.parquet")
    capsys.readouterr()
    assert main(["predict", "rules.json", "table.parquet"]) == 2
    assert "The column 'a' holds numbers, but the table has {'k': 1} there." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("main.people", ("main", "people")),
        ('main."all.people"', ("main", "all.people")),
        ('"my ""people"""', ('my "people"',)),
    ],
)
def test_a_dot_parts_schema_and_table(given, names, folder, capsys):
    call = ["export", "rules.json", "--to", "sql", "--dialect", "sqlite", "--table", given]
    assert main(call) == 0
    sql = capsys.readouterr().out
    database = sqlite3.connect(":memory:")
    table().to_sql(names[-1], database, index=False)
    said = [row[-1] for row in database.execute(sql)]
    rules = RuleList.from_json((folder / "rules.json").read_text())
    assert said == rules.predict(table()[["a", "b"]]).tolist()


@pytest.mark.parametrize("where", ["hedgerow.cli.work.read_table", "hedgerow.cli.running.app"])
def test_ctrl_c_during_the_work_ends_with_130_and_one_line(where, folder, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(where, interrupted)
    assert main(["predict", "rules.json", "table.csv"]) == 130
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hedgerow: note: Interrupted.\n")
