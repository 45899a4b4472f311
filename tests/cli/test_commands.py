"""The command line as a user meets it."""

import csv
import json
import os
import pickle
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
import skops.io
from not_root import without_root
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import train_test_split

from hedgerow import RuleList, RuleListClassifier
from hedgerow.cli import main

QUICK = ["--trees", "12", "--depth", "2", "--jobs", "1"]
COMMANDS = ["demo", "extract", "predict", "export", "report"]


def people(n=160):
    """Numbers, texts with quotes, missing values in both, and two targets that follow from them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 80, n).astype(float), "größe, cm": rng.normal(170, 10, n)})
    frame["color"] = rng.choice(["red", "it's blue", 'dark "green"'], n)
    frame["says"] = np.where((frame["age"] > 40) & (frame["color"] == "red"), "yes", "no")
    frame["price"] = (frame["age"] / 10 + (frame["color"] == "red") * 3).round(2)
    frame.loc[::9, "age"] = np.nan
    frame.loc[::11, "color"] = None
    return frame


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A table, and all that one call makes of it."""
    folder = tmp_path_factory.mktemp("made")
    people().drop(columns="price").to_csv(folder / "people.csv", index=False)
    files = [part for form in ("json", "sql", "report") for part in (f"--{form}", str(folder / f"out.{form}"))]
    call = ["extract", str(folder / "people.csv"), "-t", "says", "--max-rules", "4", "--accurate", *QUICK]
    assert main([*call, *files, "--dialect", "duckdb", "--table", "people"]) == 0
    return folder


def lines_of(text):
    return list(csv.DictReader(text.splitlines()))


def error_of(captured):
    """The one line that says what is wrong."""
    (line,) = [line for line in captured.err.splitlines() if "error:" in line]
    assert captured.err.endswith(line + "\n")
    assert "Traceback" not in captured.err
    return line


def test_the_demo_ends_in_a_proven_list_and_its_fidelity(capsys):
    assert main(["demo", "--max-rules", "5"]) == 0
    shown = capsys.readouterr().out
    assert "5.  if " in shown
    assert "6.  if " not in shown
    assert "proven optimal" in shown
    assert "disagreement with the ensemble" in shown


def test_it_runs_as_a_module():
    shown = subprocess.run([sys.executable, "-m", "hedgerow", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("hedgerow ")


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["demo", "--max-rules", "0"], ["demo", "--max-rules", "x"], ["extract"], ["extract", "a.csv"]],
)
def test_a_wrong_call_exits_with_two_and_says_why(arguments, capsys):
    assert main(arguments) == 2
    assert "--help" in error_of(capsys.readouterr())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_has_examples(command, capsys):
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Examples" in shown
    assert f"hedgerow {command}" in shown.partition("Examples")[2]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=str)
def test_the_help_of_a_flag_says_what_it_does_and_no_type(command, capsys):
    assert main([*command, "--help"]) == 0
    flags = re.findall(r"--(?:debug|help|version|accurate|explain|install-completion)\W+(\w+)", capsys.readouterr().out)
    assert len(flags) >= 2
    assert not {"bool", "BOOLEAN"} & set(flags)


def test_the_list_is_printed_with_its_score_on_rows_held_out(made, capsys):
    call = ["extract", str(made / "people.csv"), "-t", "says", *QUICK, "--max-rules", "3", "--seed", "5"]
    assert main(call) == 0
    captured = capsys.readouterr()
    assert "classification: the target has 2 different texts" in captured.err
    assert "learned from 120 rows, tested on 40 held out" in captured.out
    assert main([*call, "--test-size", "0"]) == 0
    assert "no rows were held out" in capsys.readouterr().out


def test_the_score_is_that_of_the_list_on_rows_it_has_not_seen(tmp_path, capsys):
    frame = people().drop(columns=["says"])
    frame.to_parquet(tmp_path / "people.parquet")
    call = ["extract", str(tmp_path / "people.parquet"), "-t", "price", *QUICK, "--json", str(tmp_path / "rules.json")]
    assert main([*call, "--seed", "3"]) == 0
    captured = capsys.readouterr()
    assert "regression: the target holds numbers that are not whole" in captured.err
    rules = RuleList.from_json((tmp_path / "rules.json").read_text())
    rows = pd.Series(rules.predict(frame.drop(columns="price")), frame.index)
    said = float(re.search(r"R² of the list (\S+),", captured.out)[1])
    _, test = train_test_split(np.arange(len(frame)), test_size=40, random_state=3)
    assert said == pytest.approx(r2_score(frame["price"][test], rows[test]), abs=1e-4)
    assert sum(rule.coverage for rule in rules) == len(frame) - 40


def test_predict_gives_the_answers_of_the_list_and_names_the_rules(made, capsys):
    rules = RuleList.from_json((made / "out.json").read_text())
    frame = pd.read_csv(made / "people.csv", keep_default_na=False, na_values=[""]).drop(columns="says")
    assert main(["predict", str(made / "out.json"), str(made / "people.csv"), "--explain"]) == 0
    rows = lines_of(capsys.readouterr().out)
    assert [row["prediction"] for row in rows] == rules.predict(frame).tolist()
    assert [int(row["rule"]) for row in rows] == (rules.apply(frame) + 1).tolist()
    assert [row["why"] for row in rows] == rules.explain(frame)


def test_the_sql_gives_the_answers_of_predict_on_the_original_file(made, capsys):
    assert main(["predict", str(made / "out.json"), str(made / "people.csv")]) == 0
    said = [row["prediction"] for row in lines_of(capsys.readouterr().out)]
    database = duckdb.connect()
    database.execute(f"CREATE TABLE people AS SELECT * FROM read_csv('{made / 'people.csv'}')")
    assert [row[-1] for row in database.execute((made / "out.sql").read_text()).fetchall()] == said
    assert main(["export", str(made / "out.json"), "--to", "sql", "--dialect", "sqlite", "--table", "people"]) == 0
    with sqlite3.connect(":memory:") as lite:
        pd.read_csv(made / "people.csv").to_sql("people", lite, index=False)
        assert [row[-1] for row in lite.execute(capsys.readouterr().out).fetchall()] == said


def test_the_report_is_a_page_about_the_list(made, tmp_path, capsys):
    assert "<html" in (made / "out.report").read_text()
    target = ["--target", "says", "--output", str(tmp_path / "new.html"), "--title", "Who says yes"]
    assert main(["report", str(made / "out.json"), str(made / "people.csv"), *target]) == 0
    assert "Who says yes" in (tmp_path / "new.html").read_text()


@pytest.mark.parametrize("form", ["text", "json", "sql", "python", "latex", "dot"])
def test_export_writes_what_the_library_writes(made, form, tmp_path, capsys):
    rules = RuleList.from_json((made / "out.json").read_text())
    expected = rules.to_json(indent=2) if form == "json" else getattr(rules, f"to_{form}")()
    assert main(["export", str(made / "out.json"), "--to", form]) == 0
    assert capsys.readouterr().out.rstrip("\n") == expected.rstrip("\n")
    assert main(["export", str(made / "out.json"), "--to", form, "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out").read_text().rstrip("\n") == expected.rstrip("\n")


def test_columns_may_come_in_any_order_and_those_of_no_rule_may_lack(made, tmp_path, capsys):
    rules = RuleList.from_json((made / "out.json").read_text())
    used = {condition.feature.name for rule in rules for condition in rule.conditions}
    frame = pd.read_csv(made / "people.csv", keep_default_na=False, na_values=[""])
    other = frame[sorted(used, reverse=True)].assign(more="x")
    other.to_csv(tmp_path / "other.csv", index=False)
    assert main(["predict", str(made / "out.json"), str(tmp_path / "other.csv"), "-o", str(tmp_path / "out.csv")]) == 0
    answers = pd.read_csv(tmp_path / "out.csv")
    assert answers["prediction"].tolist() == rules.predict(frame.drop(columns="says")).tolist()
    lacking = sorted(used)[0]
    other.drop(columns=lacking).rename(columns={"more": lacking.upper()}).to_csv(tmp_path / "less.csv", index=False)
    assert main(["predict", str(made / "out.json"), str(tmp_path / "less.csv")]) == 2
    assert f"lacks a column: {lacking!r}" in error_of(capsys.readouterr())


def test_rows_without_target_and_columns_of_no_use_are_left_out_and_said(tmp_path, capsys):
    frame = people().assign(name=[f"nobody {i}" for i in range(160)], nothing=None).drop(columns="price")
    frame.loc[:9, "says"] = None
    frame.to_csv(tmp_path / "people.csv")  # with pandas' numbers of rows, in a column without name
    assert main(["extract", str(tmp_path / "people.csv"), "-t", "says", *QUICK]) == 0
    said = capsys.readouterr().err
    assert "10 of 160 rows have no target and are left out" in said
    assert "column name is left out: nearly every row" in said
    assert "column nothing is left out: it is empty" in said
    assert "it has no name" in said


def codes(n=120):
    """Postcodes with zeros before them, dates, numbers, and labels with zeros that follow from them."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"zip": rng.choice(["00701", "02139", "10115"], n), "age": rng.integers(18, 80, n)})
    frame["day"] = rng.choice(["31/12/2020", "01/02/2021", "15/03/2021"], n)
    frame["since"] = rng.choice(["2020-12-31", "2021-01-02"], n)
    frame["kind"] = np.where(frame["zip"] == "00701", "007", np.where(frame["age"] > 40, "012", "100"))
    return frame


def test_zeros_before_digits_stay_and_dates_are_left_out(tmp_path, capsys):
    codes().to_csv(tmp_path / "codes.csv", index=False)
    table, rules, sql = (str(tmp_path / name) for name in ("codes.csv", "rules.json", "rules.sql"))
    call = ["extract", table, "-t", "kind", *QUICK, "--max-rules", "4", "--json", rules, "--sql", sql]
    assert main([*call, "--dialect", "duckdb", "--table", "codes"]) == 0
    captured = capsys.readouterr()
    assert "zip is 00701" in captured.out
    assert "column day is left out: it holds dates; make numbers of them" in captured.err
    assert "column since is left out: it holds dates" in captured.err
    assert "column zip is taken as texts: some of its numbers begin with a zero" in captured.err
    assert main(["predict", rules, table]) == 0
    said = [row["prediction"] for row in lines_of(capsys.readouterr().out)]
    assert set(said) == {"007", "012", "100"}
    database = duckdb.connect()
    database.execute(f"CREATE TABLE codes AS FROM '{table}'")
    assert [row[-1] for row in database.execute((tmp_path / "rules.sql").read_text()).fetchall()] == said
    codes().query("kind != '007'").to_csv(table, index=False)  # the labels that are left would be numbers alone
    assert main(["report", rules, table, "-t", "kind", "-o", str(tmp_path / "out.html")]) == 0


@pytest.mark.parametrize("name", ["big.csv", "big.parquet"])
def test_large_whole_labels_come_out_as_they_went_in(name, tmp_path, capsys):
    frame = codes().drop(columns=["day", "since"])
    labels = frame.pop("kind").map({"007": 2**53 + 1, "012": 2**53, "100": 2**62 + 1})
    frame["big"] = pd.array([None, *labels[1:]], dtype="Int64")
    frame.to_parquet(tmp_path / name) if name.endswith("parquet") else frame.to_csv(tmp_path / name, index=False)
    rules = str(tmp_path / "rules.json")
    assert main(["extract", str(tmp_path / name), "-t", "big", *QUICK, "--max-rules", "4", "--json", rules]) == 0
    capsys.readouterr()
    assert main(["predict", rules, str(tmp_path / name)]) == 0
    said = [int(row["prediction"]) for row in lines_of(capsys.readouterr().out)]
    assert said[1:] == labels[1:].tolist()


def test_labels_with_zeros_are_those_of_a_model_that_knows_numbers(tmp_path):
    frame = codes()[["age", "kind"]]
    model = RandomForestClassifier(5, max_depth=2, random_state=0).fit(frame[["age"]], frame["kind"].astype(int))
    skops.io.dump(model, tmp_path / "model.skops")
    frame.to_csv(tmp_path / "codes.csv", index=False)
    call = ["extract", str(tmp_path / "codes.csv"), "-t", "kind", "--model", str(tmp_path / "model.skops")]
    assert main([*call, "--json", str(tmp_path / "rules.json")]) == 0
    assert RuleList.from_json((tmp_path / "rules.json").read_text()).classes.tolist() == [7, 12, 100]


def test_names_that_differ_in_case_alone_are_refused_before_the_work_if_the_database_confuses_them(
    tmp_path, monkeypatch, capsys
):
    codes().rename(columns={"zip": "AGE"})[["AGE", "age", "kind"]].to_csv(tmp_path / "codes.csv", index=False)
    call = ["extract", str(tmp_path / "codes.csv"), "-t", "kind", *QUICK, "--max-rules", "4"]
    sql, rules = ["--sql", str(tmp_path / "rules.sql")], str(tmp_path / "rules.json")
    assert main([*call, *sql, "--json", rules]) == 0  # PostgreSQL tells them apart
    assert main([*call, *sql, "--dialect", "duckdb", "--drop", "AGE"]) == 0
    capsys.readouterr()
    assert main(["export", rules, "--to", "sql", "--dialect", "sqlite"]) == 2
    assert "'AGE' and 'age' are the same to sqlite" in error_of(capsys.readouterr())
    monkeypatch.setattr("hedgerow.cli.work.make_estimator", lambda *_, **__: pytest.fail("the work has begun"))
    assert main([*call, *sql, "--dialect", "duckdb"]) == 2
    line = error_of(capsys.readouterr())
    assert "'AGE' and 'age' are the same to duckdb" in line
    assert "--drop" in line


def test_weights_count_and_dropped_columns_do_not(tmp_path, capsys):
    frame = people(80).drop(columns="price")
    twice = pd.concat([frame, frame[frame["says"] == "yes"]])
    frame.assign(times=np.where(frame["says"] == "yes", 2, 1)).to_csv(tmp_path / "weighted.csv", index=False)
    twice.to_csv(tmp_path / "repeated.csv", index=False)
    model = tmp_path / "model.skops"
    numbers = frame[["age", "größe, cm"]]
    skops.io.dump(RandomForestClassifier(5, max_depth=2, random_state=0).fit(numbers, frame["says"]), model)
    call = ["-t", "says", "--drop", "color", "--test-size", "0", "--model", str(model), "--max-rules", "3"]
    shown = []
    for name, more in (("weighted.csv", ["--weight", "times"]), ("repeated.csv", [])):
        assert main(["extract", str(tmp_path / name), *call, *more, "--json", str(tmp_path / "rules.json")]) == 0
        rules = RuleList.from_json((tmp_path / "rules.json").read_text())
        shown.append([(rule.describe(), rule.prediction, round(rule.share, 9)) for rule in rules])
    assert shown[0] == shown[1]
    assert "color" not in str(shown)


def test_a_trained_pipeline_is_read_in_terms_of_the_table(tmp_path):
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    frame = people().drop(columns="price")
    X, y = frame.drop(columns="says"), frame["says"]
    encoder = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["color"]), remainder="passthrough")
    model = make_pipeline(encoder, RandomForestClassifier(9, max_depth=2, random_state=0)).fit(X, y)
    skops.io.dump(model, tmp_path / "model.skops")
    frame.to_csv(tmp_path / "people.csv", index=False)
    call = ["extract", str(tmp_path / "people.csv"), "-t", "says", "--model", str(tmp_path / "model.skops")]
    assert main([*call, "--test-size", "0", "--max-rules", "4", "--json", str(tmp_path / "rules.json")]) == 0
    expected = RuleListClassifier(model, max_rules=4, random_state=0).fit(X, y)
    assert RuleList.from_json((tmp_path / "rules.json").read_text()).to_text() == expected.rule_list_.to_text()


def test_a_pickle_is_opened_only_with_trust(tmp_path, capsys):
    frame = people()[["age", "größe, cm", "price"]]
    model = RandomForestRegressor(5, max_depth=2, random_state=0).fit(frame.drop(columns="price"), frame["price"])
    (tmp_path / "model.pkl").write_bytes(pickle.dumps(model))
    frame.to_csv(tmp_path / "people.csv", index=False)
    call = ["extract", str(tmp_path / "people.csv"), "-t", "price", "--model", str(tmp_path / "model.pkl")]
    assert main(call) == 2
    line = error_of(capsys.readouterr())
    assert "with all your permissions" in line
    assert "pass --trust-pickle" in line
    assert main([*call, "--trust-pickle", "--accurate", "--max-rules", "4"]) == 0


def tampered(text, how):
    record = json.loads(text)
    if how == "version":
        record["version"] = 99
    elif how == "format":
        record["format"] = "hedgerow.forest"
    elif how == "share":
        record["rules"][0]["distribution"] = [0.9, 0.9]
    elif how == "unknown":
        record["rules"][0]["uper"] = 3
    elif how == "text":
        record["rules"][0]["text"] = "if age <= 1 then no (100 %)"
    elif how == "count":
        record["n_samples"] = 0
    elif how == "columns":
        record["inputs"]["columns"] = record["inputs"]["columns"][::-1]
    return text[:200] if how == "cut" else json.dumps(record)


@pytest.mark.parametrize("how", ["version", "format", "share", "unknown", "text", "count", "columns", "cut"])
@pytest.mark.parametrize("command", ["predict", "export", "report"])
def test_a_list_that_was_tampered_with_is_refused(made, tmp_path, how, command, capsys):
    bad, out = tmp_path / "bad.json", tmp_path / "out.csv"
    bad.write_text(tampered((made / "out.json").read_text(), how))
    more = {
        "predict": [str(made / "people.csv")],
        "export": ["--to", "sql"],
        "report": [str(made / "people.csv"), "-t", "says"],
    }
    assert main([command, str(bad), *more[command], "--output", str(out)]) == 2
    assert str(bad) in error_of(capsys.readouterr())
    assert os.listdir(tmp_path) == ["bad.json"]


#: What is asked after ``extract``, and what the line says.
BAD_CALLS = {
    "no such file": (["nothing.csv", "-t", "says"], "No such file"),
    "no such column": (["people.csv", "-t", "say"], "no column 'say'"),
    "no such column to drop": (["people.csv", "-t", "says", "--drop", "agee"], "no column 'agee'"),
    "no such column of weights": (["people.csv", "-t", "says", "--weight", "Age"], "no column 'Age'"),
    "weights that are no numbers": (["people.csv", "-t", "says", "--weight", "color"], "column of weights 'color'"),
    "no table": (["picture.csv", "-t", "says"], "UTF-8"),
    "a table with a NUL byte": (["nul.csv", "-t", "says"], "byte of zero (NUL)"),
    "a ragged table": (["ragged.csv", "-t", "says"], "line 3 has 3 fields, the first line has 2 names."),
    "a folder as table": (["folder", "-t", "says"], "folder is a folder. Name a file in it."),
    "a folder as model": (["people.csv", "-t", "says", "--model", "folder"], "folder is a folder. Name a file in it."),
    "two tables": (["people.csv", "more.csv", "-t", "says"], "(more.csv). See: hedgerow extract --help"),
    "an unknown kind of table": (["people.xlsx", "-t", "says"], "Tables end in"),
    "empty data": (["empty.csv", "-t", "says"], "no rows"),
    "a constant target": (["people.csv", "-t", "same"], "nothing to learn"),
    "an empty target": (["people.csv", "-t", "nothing"], "is empty"),
    "texts as numbers": (["people.csv", "-t", "says", "--task", "regression"], "--task classification"),
    "a class a row": (["people.csv", "-t", "größe, cm", "--task", "classification"], "too many for classes"),
    "an unknown task": (["people.csv", "-t", "says", "--task", "guessing"], "guessing"),
    "an unknown dialect": (["people.csv", "-t", "says", "--sql", "out.sql", "--dialect", "cobol"], "duckdb"),
    "a dialect for nothing": (["people.csv", "-t", "says", "--dialect", "duckdb"], "--sql FILE"),
    "trees for a model": (["people.csv", "-t", "says", "--model", "other.json", "--trees", "5"], "without --model"),
    "an unknown model": (["people.csv", "-t", "says", "--model", "model.onnx"], "not a model file of a known kind"),
    "no such model": (["people.csv", "-t", "says", "--model", "nothing.skops"], "No such file"),
    "a pickle in disguise": (["people.csv", "-t", "says", "--model", "disguise.json"], "is a pickle, not JSON"),
    "a trusted pickle in disguise": (
        ["people.csv", "-t", "says", "--model", "disguise.skops", "--trust-pickle"],
        "is a pickle, not a skops file",
    ),
    "another JSON": (["people.csv", "-t", "says", "--model", "other.json"], "not a model of"),
    "a folder that is not there": (["people.csv", "-t", "says", "--sql", "nowhere/out.sql"], "Cannot write nowhere"),
    "a folder as file": (["people.csv", "-t", "says", "--report", "."], "is a folder"),
    "one file for two": (["people.csv", "-t", "says", "--sql", "out", "--report", "./out"], "two outputs"),
    "the data as output": (["people.csv", "-t", "says", "--json", "people.csv"], "is read by"),
    "no time": (["people.csv", "-t", "says", "--time-limit", "0"], "positive"),
    "no processor": (["people.csv", "-t", "says", "--jobs", "0"], "-1 for all. See: hedgerow extract --help"),
    "a negative seed": (["people.csv", "-t", "says", "--seed", "-1"], "Invalid value for '--seed'"),
    "a large seed": (["people.csv", "-t", "says", "--seed", "99999999999"], "Invalid value for '--seed'"),
    "lines as separator": (["people.csv", "-t", "says", "--separator", "\n"], "one character"),
    "a quote as separator": (["people.csv", "-t", "says", "--separator", '"'], "one character"),
    "no separator": (["people.csv", "-t", "says", "--separator", ""], "one character"),
    "no name of a table": (["people.csv", "-t", "says", "--sql", "out.sql", "--table", ""], "the name of a table"),
    "half a name of a table": (
        ["people.csv", "-t", "says", "--sql", "out.sql", "--table", "a."],
        "the name of a table",
    ),
    "four names of a table": (["people.csv", "-t", "says", "--sql", "o", "--table", "a.b.c.d"], "the name of a table"),
    "the target dropped": (["people.csv", "-t", "says", "--drop", "says"], "The column 'says' has one use"),
    "the target as weight": (["people.csv", "-t", "price", "--weight", "price"], "The column 'price' has one use"),
    "trust in nothing": (["people.csv", "-t", "says", "--trust-pickle"], "say which with --model FILE"),
    "a broken Parquet file": (["broken.parquet", "-t", "says"], "footer"),
    "a column of lists as target": (["lists.parquet", "-t", "list"], "'list' holds lists"),
    "numbers too large": (["large.csv", "-t", "says"], "'x' holds infinite numbers, or some above 3.4e+38"),
}


@pytest.mark.parametrize("why", BAD_CALLS)
def test_bad_input_is_one_line_and_exit_code_two(why, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    people(40).assign(same="x", nothing=None).to_csv("people.csv", index=False)
    (tmp_path / "empty.csv").write_text("says,age\n")
    (tmp_path / "nul.csv").write_bytes(b"says,age\nyes,1\nno,2\0\n")
    (tmp_path / "ragged.csv").write_bytes(b"says,age\nyes,1\nno,2,3\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1, and no more of it")
    pd.DataFrame({"x": range(40), "list": [[1, 2]] * 40}).to_parquet("lists.parquet")
    pd.DataFrame({"x": [*range(39), 1e300], "says": ["yes", "no"] * 20}).to_csv("large.csv", index=False)
    for name in ("disguise.json", "disguise.skops"):
        (tmp_path / name).write_bytes(pickle.dumps({"learner": 1}))
    for name in ("model.onnx", "other.json", "people.xlsx"):
        (tmp_path / name).write_text("{}")
    before = contents(tmp_path)
    call, said = BAD_CALLS[why]
    call = [*([] if "--model" in call else QUICK), *call, *([] if "--json" in call else ["--json", "rules.json"])]
    assert main(["extract", *call]) == 2
    line = error_of(capsys.readouterr())
    assert said in line
    assert not line.endswith("..")
    assert contents(tmp_path) == before


def contents(folder):
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


@pytest.mark.parametrize("command", ["predict", "export", "report"])
def test_a_pickle_is_no_rule_list_and_no_option_of_other_commands_is_named(command, made, tmp_path, capsys):
    (tmp_path / "rules.json").write_bytes(pickle.dumps({"rules": 1}))
    more = {
        "predict": [str(made / "people.csv")],
        "export": ["--to", "sql"],
        "report": [str(made / "people.csv"), "-t", "says", "-o", str(tmp_path / "out.html")],
    }
    assert main([command, str(tmp_path / "rules.json"), *more[command]]) == 2
    line = error_of(capsys.readouterr())
    assert "is a pickle, not a rule list" in line
    assert "--trust-pickle" not in line
    assert main([command, str(tmp_path), *more[command]]) == 2
    assert "is a folder. Name a file in it." in error_of(capsys.readouterr())


def test_a_folder_without_permission_is_noticed_before_the_work(monkeypatch, capsys):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        people(40).to_csv(folder / "people.csv", index=False)
        (folder / "people.csv").chmod(0o644)
        folder.chmod(0o555)
        monkeypatch.setattr("hedgerow.cli.work.read_samples", lambda *_, **__: pytest.fail("the work has begun"))
        with without_root():
            code = main(["extract", str(folder / "people.csv"), "-t", "says", "--sql", str(folder / "out.sql")])
        folder.chmod(0o755)
        assert code == 2
        assert "Permission denied" in error_of(capsys.readouterr())
        assert os.listdir(folder) == ["people.csv"]


def test_close_names_are_suggested(tmp_path, capsys):
    people(40).to_csv(tmp_path / "people.csv", index=False)
    assert main(["extract", str(tmp_path / "people.csv"), "-t", "Prize"]) == 2
    assert "Did you mean 'price'?" in error_of(capsys.readouterr())


def test_work_that_fails_ends_with_one_and_debug_shows_where(made, monkeypatch, capsys):
    def fail(*_, **__):
        raise RuntimeError("the sky\nfalls")

    monkeypatch.setattr("hedgerow.rules.rule_list.RuleList.predict", fail)
    call = ["predict", str(made / "out.json"), str(made / "people.csv")]
    assert main(call) == 1
    assert "the sky falls (--debug" in error_of(capsys.readouterr())
    assert main([*call, "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err
    assert main(["--debug", *call]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_colours_are_for_terminals_that_want_them(made, monkeypatch, capsys):
    call = ["extract", str(made / "people.csv"), "-t", "says", *QUICK]
    colour = re.compile("\x1b\\[[0-9;]*3[0-9]m")
    assert main(call) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(call) == 0
    assert colour.search(capsys.readouterr().err)
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(call) == 0
    captured = capsys.readouterr()
    assert not colour.search(captured.out + captured.err)


def test_a_line_does_not_run_into_the_bar(made, monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["extract", str(made / "people.csv"), "-t", "says", *QUICK]) == 0
    shown = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert "━" in shown  # a bar; which words it shows depends on how fast the machine is
    assert re.search("^hedgerow: note: classification", shown.replace("\r", "\n"), re.MULTILINE)


def test_the_shell_can_complete_commands():
    asked = {"_HEDGEROW_COMPLETE": "complete_bash", "COMP_WORDS": "hedgerow ex", "COMP_CWORD": "1"}
    program = "import sys; from hedgerow.cli import main; sys.exit(main([]))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ | asked)
    assert shown.stdout.split() == ["extract", "export"]


def test_without_typer_one_line_says_how_to_get_it():
    program = "import sys; sys.modules['typer'] = None; from hedgerow.cli import main; sys.exit(main(['demo']))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert shown.returncode == 1
    assert shown.stderr == "hedgerow: error: the command line needs typer: pip install 'hedgerow[cli]'\n"


def test_who_reads_only_the_beginning_gets_no_traceback(made):
    program = "import sys; from hedgerow.cli import main; sys.exit(main(sys.argv[1:]))"
    call = [sys.executable, "-c", program, "predict", str(made / "out.json"), str(made / "people.csv")]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_accuracy_is_what_scikit_learn_says(made, capsys):
    call = ["extract", str(made / "people.csv"), "-t", "says", *QUICK, "--seed", "1"]
    assert main([*call, "--json", str(made / "again.json")]) == 0
    said = float(re.search(r"accuracy of the list (\S+),", capsys.readouterr().out)[1])
    frame = pd.read_csv(made / "people.csv", keep_default_na=False, na_values=[""])
    _, test = train_test_split(np.arange(160), test_size=40, random_state=1, stratify=frame["says"])
    rules = RuleList.from_json((made / "again.json").read_text())
    assert said == pytest.approx(accuracy_score(frame["says"][test], rules.predict(frame.iloc[test, :3])), abs=1e-4)


def test_a_budget_beyond_all_use_makes_no_longer_report(made, tmp_path):
    call = ["extract", str(made / "people.csv"), "-t", "says", "--trees", "10", "--max-rules", "1000000"]
    assert main([*call, "--report", str(tmp_path / "page.html"), "--json", str(tmp_path / "rules.json")]) == 0
    rules = RuleList.from_json((tmp_path / "rules.json").read_text())
    data = re.search(r'max="(\d+)"', (tmp_path / "page.html").read_text())
    assert data is not None
    assert int(data[1]) <= max(12, min(len(rules), 30))
