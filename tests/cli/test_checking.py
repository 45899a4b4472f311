"""Saved lists are tested on other rows, and tables are compared, from rows or from counts."""

import re

import duckdb
import numpy as np
import pandas as pd
import pytest
from small_tables import error_of, people

from hedgerow import RuleList
from hedgerow.cli import main
from hedgerow.evidence import drift, validate


@pytest.fixture
def new(made, tmp_path, monkeypatch):
    """Other people, in the working directory, and the rules of those that are known."""
    monkeypatch.chdir(tmp_path)
    frame = people(300).drop(columns="price")
    frame["age"] = np.random.default_rng(5).permutation(frame["age"].to_numpy())
    frame.to_csv("new.csv", index=False)
    people().drop(columns="price").to_csv("old.csv", index=False)
    (tmp_path / "rules.json").write_text((made / "out.json").read_text())
    return tmp_path


def listed(folder):
    return RuleList.from_json((folder / "rules.json").read_text())


def read(name):
    return pd.read_csv(name, keep_default_na=False, na_values=[""])


def test_validate_prints_what_the_library_says_and_writes_table_and_picture(new, capsys):
    call = ["validate", "rules.json", "new.csv", "-t", "says", "-o", "rules.csv", "--plot", "rules.svg"]
    assert main(call) == 0
    frame = read("new.csv")
    expected = validate(listed(new), frame.drop(columns="says"), frame["says"])
    shown = capsys.readouterr()
    assert shown.out.startswith(f"{expected}\n\n")
    assert expected.sentences()[-1] in shown.out
    assert "wrote rules.csv" in shown.err
    assert pd.read_csv("rules.csv")["rows"].tolist() == [row.n_rows for row in expected.rules]
    assert "<svg" in (new / "rules.svg").read_text()


def test_weights_and_the_level_are_taken_from_the_options(new, capsys):
    read("new.csv").assign(w=2.0).to_csv("new.csv", index=False)
    assert main(["validate", "rules.json", "new.csv", "-t", "says", "--weight", "w", "--level", "0.8"]) == 0
    assert "80 %" in capsys.readouterr().out.splitlines()[0]
    assert main(["validate", "rules.json", "new.csv", "-t", "says", "--level", "80"]) == 2
    assert "level must be a number from 0.5 to less than 1" in error_of(capsys.readouterr())


def test_one_row_and_rows_of_one_class_can_be_validated(new, capsys):
    frame = read("new.csv")
    frame[:1].to_csv("one.csv", index=False)
    assert main(["validate", "rules.json", "one.csv", "-t", "says"]) == 0
    assert "of 1 row (" in capsys.readouterr().out
    frame[frame["says"] == "no"].to_csv("no.csv", index=False)
    assert main(["validate", "rules.json", "no.csv", "-t", "says"]) == 0


def test_classes_that_the_list_does_not_know_are_warned_of(new, capsys):
    frame = read("new.csv")
    frame.loc[:4, "says"] = "perhaps"
    frame.to_csv("new.csv", index=False)
    assert main(["validate", "rules.json", "new.csv", "-t", "says"]) == 0
    assert "y contains labels that the list does not know: perhaps. 5 of 300 rows count as wrong" in " ".join(
        capsys.readouterr().err.split()
    )
    frame.assign(says="perhaps").to_csv("new.csv", index=False)
    assert main(["validate", "rules.json", "new.csv", "-t", "says"]) == 2
    assert "The list knows none of the labels" in error_of(capsys.readouterr())


def test_columns_that_are_missing_are_named(new, capsys):
    used = {condition.feature.name for rule in listed(new) for condition in rule.conditions}
    name = sorted(used)[0]
    read("new.csv").drop(columns=name).to_csv("new.csv", index=False)
    for call in (["validate", "rules.json", "new.csv", "-t", "says"], ["drift", "rules.json", "old.csv", "new.csv"]):
        assert main(call) == 2
        assert name in error_of(capsys.readouterr())


def test_drift_prints_what_the_library_says(new, capsys):
    call = ["drift", "rules.json", "old.csv", "new.csv", "-t", "says", "-o", "drift.csv", "--plot", "drift.png"]
    assert main(call) == 0
    old, now = read("old.csv"), read("new.csv")
    X, y = (old.drop(columns="says"), now.drop(columns="says")), (old["says"], now["says"])
    expected = drift(listed(new), *X, y_reference=y[0], y_current=y[1])
    assert capsys.readouterr().out.startswith(f"{expected}\n\n")
    assert len(pd.read_csv("drift.csv")) == len(expected.shifts)
    assert (new / "drift.png").read_bytes().startswith(b"\x89PNG")


def test_rows_without_a_target_count_but_not_in_the_rates(new, capsys):
    frame = read("new.csv")
    frame["says"] = frame["says"].where(np.arange(300) % 2 == 0)
    frame.to_csv("new.csv", index=False)
    assert main(["drift", "rules.json", "old.csv", "new.csv", "-t", "says"]) == 0
    shown = capsys.readouterr().out
    assert "300 rows, compared with 160" in shown
    assert re.search(r"^rate +rule 1 ", shown, flags=re.MULTILINE)


def test_counts_of_a_database_are_as_good_as_the_tables(new, capsys):
    call = ["export", "rules.json", "--to", "sql", "--dialect", "duckdb", "--table", "people", "--counts"]
    assert main([*call, "-t", "says", "-o", "counts.sql"]) == 0
    for name in ("old", "new"):
        with duckdb.connect() as database:
            database.execute(f"CREATE TABLE people AS SELECT * FROM read_csv('{name}.csv')")
            database.execute((new / "counts.sql").read_text()).df().to_csv(f"{name}_counts.csv", index=False)
    assert main(["drift", "rules.json", "old.csv", "new.csv", "-t", "says"]) == 0
    from_rows = capsys.readouterr().out
    assert main(["drift", "rules.json", "old_counts.csv", "new_counts.csv", "--counts"]) == 0
    assert capsys.readouterr().out == from_rows


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["drift", "rules.json", "old.csv", "new.csv", "--counts"], "old.csv: These are not the counts of this list"),
        (["drift", "rules.json", "old.csv", "new.csv", "--counts", "-t", "says"], "leave out --target"),
        (["validate", "rules.json", "new.csv", "-t", "say"], "Did you mean 'says'?"),
        (["validate", "rules.json", "new.csv", "-t", "says", "--plot", "a.txt"], "must end with .png, .svg, .pdf"),
        (["validate", "rules.json", "new.csv", "-t", "says", "--weight", "color"], "must contain a number"),
        (["export", "rules.json", "--to", "sql", "--counts"], "--counts needs --table"),
        (["export", "rules.json", "--to", "text", "--counts"], "need --to sql"),
        (["export", "rules.json", "--to", "sql", "-t", "says"], "--target needs --counts"),
    ],
)
def test_wrong_calls_say_what_to_do(new, call, message, capsys):
    assert main(call) == 2
    assert message in error_of(capsys.readouterr())
