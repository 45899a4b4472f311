"""Saved lists have dossiers: of the list alone, with tables, with a proof that is checked again."""

import hashlib
import json
import re

import pandas as pd
import pytest
from small_tables import QUICK, error_of, people

from hedgerow.cli import main


@pytest.fixture(scope="module")
def proven(tmp_path_factory):
    """A list with a certificate, its training rows, and other rows."""
    folder = tmp_path_factory.mktemp("proven")
    people().drop(columns="price").to_csv(folder / "people.csv", index=False)
    people(240)[160:].drop(columns="price").to_csv(folder / "new.csv", index=False)
    call = ["extract", str(folder / "people.csv"), "-t", "says", "--max-rules", "4", "--test-size", "0", *QUICK]
    certified = ["--json", str(folder / "rules.json"), "--certificate", str(folder / "training.csv")]
    assert main([*call, *certified]) == 0
    return folder


def test_the_same_files_make_the_same_dossier_with_hashes_verdict_and_date(proven, tmp_path, monkeypatch):
    monkeypatch.chdir(proven)
    call = ["dossier", "rules.json", "--data", "training.csv", "--test", "new.csv", "-t", "says"]
    call += ["--date", "2026-03-31"]
    for name in ("a.html", "b.html"):
        assert main([*call, "--purpose", "Who says yes.", "--output", str(tmp_path / name)]) == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "b.html").read_text(encoding="utf-8")
    for name in ("rules.json", "training.csv", "new.csv"):
        assert hashlib.sha256((proven / name).read_bytes()).hexdigest() in page
    assert "<strong>Checked again:</strong> proven: no list of the" in page
    assert "2026-03-31" in page
    assert "Who says yes." in page
    settings = json.loads((proven / "rules.json").read_text())["certificate"]
    assert f'<th scope="row">max_rules</th><td>{settings["max_rules"]}</td>' in page


def test_other_training_rows_are_refused_on_the_page_and_in_the_terminal(proven, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = pd.read_csv(proven / "training.csv")
    rows[1:].to_csv("fewer.csv", index=False)
    call = ["dossier", str(proven / "rules.json"), "--data", "fewer.csv", "-t", "says", "-o", "dossier.html"]
    assert main(call) == 1
    said = capsys.readouterr().err
    assert "warning: the proof was refused when it was checked again: not proven: these are not the training" in said
    assert "the list was learned from 160 rows, and these are 159" in said
    page = (tmp_path / "dossier.html").read_text(encoding="utf-8")
    assert "Refused when it was checked again:" in page
    assert "<strong>proven optimal</strong>" not in page
    assert "These are not the rows that the list was learned from:" in page
    assert main([*call, "--no-check"]) == 0
    assert "the list was learned from 160 rows, and these are 159" in capsys.readouterr().err
    assert "not checked again here" in (tmp_path / "dossier.html").read_text(encoding="utf-8")


def test_a_list_alone_has_a_dossier_that_says_what_it_lacks(proven, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["dossier", str(proven / "rules.json"), "-o", "dossier.html"]) == 0
    assert "wrote dossier.html" in capsys.readouterr().err
    assert "not described: give the rows" in (tmp_path / "dossier.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--data", "training.csv"], "--data and --test need --target"),
        (["--data", "training.csv", "-t", "color"], "training.csv has no column 'says'|color"),
        (["--test", "new.csv", "-t", "unknown"], "unknown"),
        (["--date", "31.3.2026"], "--date must be written like 2026-03-31; got '31.3.2026'"),
        (["--test", "absent.csv", "-t", "says"], "absent.csv"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(proven, tmp_path, monkeypatch, capsys, more, message):
    monkeypatch.chdir(proven)
    assert main(["dossier", "rules.json", "-o", str(tmp_path / "dossier.html"), *more]) == 2
    assert re.search(message, error_of(capsys.readouterr()))
    assert not (tmp_path / "dossier.html").exists()


def test_extract_writes_one_with_settings_prices_and_stability(proven, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    call = ["extract", str(proven / "people.csv"), "-t", "says", "--max-rules", "3", "--max-features", "1", *QUICK]
    assert main([*call, "--dossier", "d.html", "--purpose", "Who says yes.", "--stability", "2"]) == 0
    page = (tmp_path / "d.html").read_text(encoding="utf-8")
    assert "What each of them costs" in page
    assert "2 lists learned again on resampled rows" in page
    assert hashlib.sha256((proven / "people.csv").read_bytes()).hexdigest() in page
    capsys.readouterr()
    assert main([*call, "--purpose", "Who says yes."]) == 2
    assert "--purpose and --stability need a dossier" in error_of(capsys.readouterr())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--data", "training.csv", "--test", "lacking.csv"], "lacking.csv: The table lacks the column"),
        (["--data", "lacking.csv", "--test", "training.csv"], "lacking.csv: The table lacks the column"),
        (["--data", "training.csv", "--test", "mute.csv"], "mute.csv: There is no column 'says'"),
        (["--data", "training.csv", "--weight", "wait"], "training.csv: There is no column 'wait'"),
        (["--test", "training.csv", "--weight", "age"], "name their file with --data FILE"),
    ],
    ids=["no column in test", "no column in data", "no target", "no weight", "weight of no rows"],
)
def test_of_two_tables_the_one_that_is_wrong_is_named(proven, tmp_path, monkeypatch, capsys, more, message):
    monkeypatch.chdir(tmp_path)
    rows = pd.read_csv(proven / "training.csv")
    rows.to_csv("training.csv", index=False)
    rows.drop(columns="says").to_csv("mute.csv", index=False)
    rows[["says"]].assign(other=1).to_csv("lacking.csv", index=False)
    assert main(["dossier", str(proven / "rules.json"), "-t", "says", "-o", "dossier.html", *more]) == 2
    said = " ".join(error_of(capsys.readouterr()).split())
    assert message in said.replace("columns", "column")


@pytest.mark.parametrize("content", [b"", b"says;age\nyes;3\n", "größe;1\n".encode("cp1252")])
def test_a_table_where_a_list_belongs_comes_with_a_way_out(tmp_path, monkeypatch, capsys, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_bytes(content)
    assert main(["dossier", "table.csv", "-o", "dossier.html"]) == 2
    assert "table.csv is not a rule list: it is not" in (said := error_of(capsys.readouterr()))
    assert "Give a rule list written by extract --json." in said
