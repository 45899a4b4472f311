"""The command reasons prints what the library says about the rows that are asked for."""

import pandas as pd
import pytest
from small_tables import error_of, people

from hedgerow import RuleList
from hedgerow.cli import main
from hedgerow.evidence import reasons


@pytest.fixture
def new(made, tmp_path, monkeypatch):
    """Other people, in the working directory, and the rules of those that are known."""
    monkeypatch.chdir(tmp_path)
    people().drop(columns="price").to_csv("old.csv", index=False)
    people(15).drop(columns=["price", "says"]).to_csv("new.csv", index=False)
    (tmp_path / "rules.json").write_text((made / "out.json").read_text())
    return tmp_path


def read(name):
    return pd.read_csv(name, keep_default_na=False, na_values=[""])


def listed(folder):
    return RuleList.from_json((folder / "rules.json").read_text())


def test_reasons_prints_what_the_library_says_about_the_rows_asked_for(new, capsys):
    assert main(["reasons", "rules.json", "new.csv", "--row", "3", "--row", "1", "--reference", "old.csv"]) == 0
    said = [reasons(listed(new), read("new.csv").iloc[[i]], reference=read("old.csv")) for i in (2, 0)]
    assert capsys.readouterr().out == f"Row 3. {said[0]}\n\nRow 1. {said[1]}\n"


def test_all_rows_are_printed_if_they_are_few_and_written_to_a_table(new, capsys):
    assert main(["reasons", "rules.json", "new.csv"]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("Row ") == 10
    assert "5 more rows: choose some by --row, or write all to a table by --output" in shown.err
    assert "Without reference rows" in shown.out
    assert main(["reasons", "rules.json", "new.csv", "--output", "changes.csv"]) == 0
    assert capsys.readouterr().out == ""
    table, rules, rows = pd.read_csv("changes.csv"), listed(new), read("new.csv")
    assert sorted(set(table["row"])) == list(range(1, 16))
    said = rules.predict(rows)
    assert all(one["prediction"] != said[one["row"] - 1] for one in table.to_dict("records"))


def test_a_table_with_many_rows_has_spreads_of_its_own_and_it_is_said(new, capsys):
    rows = people(60).drop(columns=["price", "says"])
    rows.to_csv("many.csv", index=False)
    assert main(["reasons", "rules.json", "many.csv", "--row", "2"]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"Row 2. {reasons(listed(new), read('many.csv').iloc[[1]], reference=read('many.csv'))}\n"
    assert "the spreads of the columns are those of many.csv; --reference takes another table" in shown.err


def test_columns_directions_and_the_answer_are_taken_from_the_options(new, capsys):
    rules, rows = listed(new), read("new.csv")
    used = sorted({condition.feature.name for rule in rules for condition in rule.conditions})
    assert "age" in used
    (other,) = set(map(str, rules.classes)) - {str(rules.predict(rows[:1])[0])}
    call = ["reasons", "rules.json", "new.csv", "--row", "1", "--answer", other]
    for change, changeable in ((["--change", "age:+"], {"age": 1}), (["--change", "age:-"], {"age": -1})):
        assert main([*call, *change]) == 0
        expected = reasons(rules, rows[:1], changeable=changeable, answer=other)
        assert capsys.readouterr().out == f"Row 1. {expected}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--row", "16"], "--row 16: the table has only rows 1 to 15."),
        (["--row", "0"], "--row 0: the table has only rows 1 to 15."),
        (["--change", "agee:+"], "'agee' is to change, but is not a column of the list. Did you mean 'age'?"),
        (["--answer", "perhaps"], "got 'perhaps'. Option: --answer"),
        (["--output", "changes.txt"], ".csv"),
        (["--reference", "nothing.csv"], "nothing.csv"),
        (["--reference", "lacking.csv"], "lacking.csv: The table lacks the column 'age'"),
    ],
)
def test_what_is_wrong_is_said(new, capsys, options, message):
    read("new.csv").drop(columns="age").to_csv("lacking.csv", index=False)
    assert main(["reasons", "rules.json", "new.csv", *options]) == 2
    assert message in " ".join(error_of(capsys.readouterr()).split())


def test_a_table_without_rows_or_without_a_column_is_refused(new, capsys):
    read("new.csv")[:0].to_csv("none.csv", index=False)
    assert main(["reasons", "rules.json", "none.csv"]) == 2
    capsys.readouterr()
    read("new.csv").drop(columns="age").to_csv("lacking.csv", index=False)
    assert main(["reasons", "rules.json", "lacking.csv"]) == 2
    assert "age" in error_of(capsys.readouterr())
