"""Saved lists predict, are exported and reported on."""

import json
import os
import pickle
import re
import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pytest
from small_tables import error_of, lines_of, people

from hedgerow import RuleList
from hedgerow.cli import main
from hedgerow.evidence import conformal


def test_predict_gives_the_predictions_of_the_list_and_names_the_rules(made, capsys):
    rules = RuleList.from_json((made / "out.json").read_text())
    frame = pd.read_csv(made / "people.csv", keep_default_na=False, na_values=[""]).drop(columns="says")
    assert main(["predict", str(made / "out.json"), str(made / "people.csv"), "--explain"]) == 0
    rows = lines_of(capsys.readouterr().out)
    assert [row["prediction"] for row in rows] == rules.predict(frame).tolist()
    assert [int(row["rule"]) for row in rows] == (rules.apply(frame) + 1).tolist()
    assert [row["why"] for row in rows] == rules.explain(frame)


def test_the_sql_gives_the_same_predictions_as_predict_on_the_original_file(made, capsys):
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
    page = (tmp_path / "new.html").read_text()
    assert "Who says yes" in page
    assert "<dd>people.csv</dd>" in page
    assert "tested rows in the columns that rules use" in page
    assert main(["report", str(made / "out.json"), str(made / "people.csv"), *target, "--no-samples"]) == 0
    assert "It contains no rows of the data." in (tmp_path / "new.html").read_text()


def test_the_report_does_not_claim_that_rows_of_a_file_are_new_to_the_list(made, tmp_path):
    target = ["--target", "says", "--output", str(tmp_path / "new.html")]
    assert main(["report", str(made / "out.json"), str(made / "people.csv"), *target]) == 0
    page = re.sub(r"\s+", " ", (tmp_path / "new.html").read_text())
    n_rows = len(pd.read_csv(made / "people.csv"))
    assert f"of the {n_rows} rows of people.csv." in page
    assert "If the list was learned from some of these rows, the figure is too good." in page
    for claim in ("held-out", "held out", "set aside", "data from"):
        assert claim not in page
    learned = (made / "out.report").read_text()
    assert "held-out rows, which were set aside and not used to make the rules" in learned


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
    assert f"lacks the column {lacking!r}" in error_of(capsys.readouterr())


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


@pytest.mark.parametrize("command", ["predict", "export", "report"])
def test_a_pickle_is_not_a_rule_list_and_no_option_of_other_commands_is_named(command, made, tmp_path, capsys):
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


def test_the_columns_of_the_table_are_kept_whatever_their_names(made, tmp_path, capsys):
    frame = pd.read_csv(made / "people.csv", keep_default_na=False, na_values=[""])
    call = ["predict", str(made / "out.json"), str(tmp_path / "own.csv"), "--explain"]
    frame.to_csv(tmp_path / "own.csv", index=False)
    assert main(call) == 0
    plain = lines_of(capsys.readouterr().out)
    assert main([*call, "--with-data"]) == 0
    captured = capsys.readouterr()
    assert list(lines_of(captured.out)[0]) == [*frame, "prediction", "rule", "why"]
    assert captured.err == ""
    own = frame.assign(prediction="my own", why="because", rule_2=7)
    own.to_csv(tmp_path / "own.csv", index=False)
    assert main([*call, "--with-data"]) == 0
    captured = capsys.readouterr()
    rows = lines_of(captured.out)
    new = ["prediction_3", "rule_3", "why_3"]
    assert list(rows[0]) == [*own, *new]
    assert [[row[name] for name in new] for row in rows] == [list(row.values()) for row in plain]
    assert {(row["prediction"], row["why"], row["rule_2"]) for row in rows} == {("my own", "because", "7")}
    assert captured.err == (
        "hedgerow: note: the table has 'prediction', 'why' already; the new columns are 'prediction_3', 'rule_3', "
        "'why_3'\n"
    )


def test_predict_adds_sets_or_intervals_that_are_calibrated_on_another_table(made, tmp_path, capsys):
    rules = RuleList.from_json((made / "out.json").read_text())
    known = people(300)
    known["age"] = np.random.default_rng(5).permutation(known["age"].to_numpy())
    known.to_csv(tmp_path / "known.csv", index=False)
    call = ["predict", str(made / "out.json"), str(made / "people.csv"), "--level", "0.95"]
    assert main([*call, "--calibrate", str(tmp_path / "known.csv"), "--target", "says", "--explain"]) == 0
    rows = lines_of(capsys.readouterr().out)
    assert list(rows[0]) == ["prediction", "rule", "set", "why"]
    read = pd.read_csv(tmp_path / "known.csv", keep_default_na=False, na_values=[""])
    found = conformal(rules, read, read["says"], 0.95)
    masks = found.predict_set(pd.read_csv(made / "people.csv", keep_default_na=False, na_values=[""]))
    names = [[name for name, is_in in zip(rules.classes, mask, strict=True) if is_in] for mask in masks]
    assert [row["set"].split(" | ") for row in rows] == names
    assert main([*call, "--target", "says"]) == 2
    assert "--calibrate needs --target" in error_of(capsys.readouterr())
    assert main([*call, "--calibrate", str(tmp_path / "known.csv"), "--target", "says", "--level", "0.999"]) == 2
    assert "needs at least 999 calibration rows" in error_of(capsys.readouterr())


def test_intervals_are_the_same_for_tables_that_are_read_in_chunks(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people(400).to_csv("people.csv", index=False)
    people(400).to_parquet("people.parquet")
    rules = ["extract", "people.csv", "-t", "price", "--json", "rules.json", "--max-rules", "3", "--test-size", "0"]
    assert main([*rules, "--trees", "20"]) == 0
    new = people(150)
    new["age"] = np.random.default_rng(1).permutation(new["age"].to_numpy())
    new.to_csv("known.csv", index=False)
    capsys.readouterr()
    said = []
    for how in (["people.parquet", "--stream"], ["people.parquet", "--no-stream"]):
        assert main(["predict", "rules.json", *how, "--calibrate", "known.csv", "--target", "price"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert said[0].splitlines()[0] == "prediction,rule,low,high"
