"""Options are checked where they are given."""

import sqlite3

import pytest
from small_tables import error_of, table

from hedgerow import RuleList
from hedgerow.cli import main
from hedgerow.cli.options import TaskName, table_names
from hedgerow.tables import columns


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


#: Options of ``extract`` with a bad value, and a part of the error.
BAD_VALUES = {
    "an unknown task": (["--task", "guessing"], "guessing"),
    "an unknown dialect": (["--sql", "out.sql", "--dialect", "cobol"], "duckdb"),
    "no time": (["--time-limit", "0"], "positive"),
    "no processor": (["--jobs", "0"], "-1 for all of them. See: hedgerow extract --help"),
    "a negative seed": (["--seed", "-1"], "Invalid value for '--seed'"),
    "a large seed": (["--seed", "99999999999"], "Invalid value for '--seed'"),
    "lines as separator": (["--separator", "\n"], "one character"),
    "a quote as separator": (["--separator", '"'], "one character"),
    "no separator": (["--separator", ""], "one character"),
    "no name of a table": (["--sql", "out.sql", "--table", ""], "the name of a table"),
    "half a name of a table": (
        ["--sql", "out.sql", "--table", "a."],
        "the name of a table",
    ),
    "four names of a table": (["--sql", "o", "--table", "a.b.c.d"], "the name of a table"),
}


@pytest.mark.parametrize("why", BAD_VALUES)
def test_a_bad_value_is_one_line_and_exit_code_two(why, folder, capsys):
    options, message = BAD_VALUES[why]
    assert main(["extract", "table.csv", "-t", "y", *options]) == 2
    line = error_of(capsys.readouterr())
    assert message in line
    assert line.endswith("See: hedgerow extract --help")


@pytest.mark.parametrize(
    ("given", "names"),
    [("t", ["t"]), ("c.s.t", ["c", "s", "t"]), ('"a.b"."c""d"', ["a.b", 'c"d']), ("my table", ["my table"])],
)
def test_the_name_of_a_table_has_parts(given, names):
    assert table_names(given) == names


@pytest.mark.parametrize("given", ["tab", "\\t", "\t"])
def test_a_tab_has_names(given, folder, capsys):
    table().to_csv(folder / "table.txt", sep="\t", index=False)
    assert main(["predict", "rules.json", "table.txt", "--separator", given]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 61


def test_the_tasks_are_those_of_tables():
    assert TaskName == columns.TaskName
