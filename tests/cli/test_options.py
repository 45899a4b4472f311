"""Options are checked where they are given."""

import sqlite3

import pytest
from small_tables import table

from hedgerow import RuleList
from hedgerow.cli import main


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
