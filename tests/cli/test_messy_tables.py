"""Messy tables from the file to the database: SQL over the raw file and exported Python predict what predict does."""

import csv
import io
import re

import numpy as np
import pytest
import raw_loads
from messy_tables import TABLES, with_odd_cells
from small_tables import error_of

from hedgerow.cli import main

RIGHT = {name: table for name, table in TABLES.items() if not table.refused}
REFUSED = {name: table for name, table in TABLES.items() if table.refused}


def extracted(table, folder):
    """Write a table to a file, and learn a list from it."""
    path = folder / table.file
    path.write_bytes(table.content)
    options = [option.replace("{folder}", str(folder)) for option in table.options]
    call = ["extract", str(path), "--target", table.target, "--trees", "50", "--jobs", "1", *options]
    return path, main([*call, "--json", str(folder / "rules.json")])


def output_of(capsys, *call):
    capsys.readouterr()
    assert main([str(one) for one in call]) == 0
    return capsys.readouterr().out


def predicted(path, folder, table):
    """Return the predictions of hedgerow predict, as strings."""
    given = ("--separator", table.separator) if "--separator" in table.options else ()
    out = folder / "predictions.csv"
    assert main(["predict", str(folder / "rules.json"), str(path), *given, "--output", str(out)]) == 0
    return [row["prediction"] for row in csv.DictReader(io.StringIO(out.read_text(), newline=""))]


def score(table, said):
    """Return the share of right predictions, or R2, on the rows that have a target."""
    pairs = [(row[table.target], one) for row, one in zip(table.rows, said, strict=True) if row[table.target]]
    true, said = zip(*pairs, strict=True)
    if len(set(true)) > 30:
        y, f = (np.array([float(cell.replace(",", ".")) for cell in cells]) for cells in (true, said))
        return 1 - ((y - f) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return np.mean([one in (cell, cell.removesuffix(".0")) for cell, one in pairs])


def columns_to_load_as_text(sql):
    found = re.match(r"/\* Load these columns as text: (.*) \*/\n", sql)
    return found[1].split(", ") if found else []


def check_exports(table, path, theirs, capsys, server):
    """Check that exported Python and SQL in each database, over the raw file, predict the same for every row."""
    folder = path.parent
    source, namespace = output_of(capsys, "export", folder / "rules.json", "--to", "python"), {}
    exec(compile(source, "<rules>", "exec"), namespace)
    rows = [{column.strip(): cell for column, cell in row.items()} for row in table.rows]
    assert [str(namespace["predict"](row)) for row in rows] == theirs, "Python"

    for dialect, load in (
        ("sqlite", lambda texts: raw_loads.sqlite(table, folder, texts)),
        ("duckdb", lambda texts: raw_loads.duck(table, path, texts)),
        ("postgres", lambda texts: raw_loads.postgres(table, server, texts)),
    ):
        call = ("export", folder / "rules.json", "--to", "sql", "--dialect", dialect, "--table", "t")
        sql = output_of(capsys, *call)
        for how, texts in (("as strings", None), ("with guessed types", columns_to_load_as_text(sql))):
            said = [str(row[-1]) for row in load(texts).ask(sql)]
            assert said == theirs, f"{dialect}, loaded {how}"


@pytest.mark.parametrize("name", RIGHT)
def test_a_messy_table_is_read_right_and_every_export_agrees_on_all_rows(name, tmp_path, capsys, server):
    table = RIGHT[name]
    path, code = extracted(table, tmp_path)
    heard = capsys.readouterr()
    assert code == 0, heard.err
    for part in table.says:
        assert part in heard.err
    for column in table.uses:
        assert column in heard.out
    theirs = predicted(path, tmp_path, table)
    assert score(table, theirs) >= table.least

    check_exports(table, path, theirs, capsys, server)


@pytest.mark.parametrize("name", REFUSED)
def test_a_table_that_cannot_be_read_is_refused_with_one_clear_line(name, tmp_path, capsys):
    table = REFUSED[name]
    _, code = extracted(table, tmp_path)
    assert code == 2
    assert table.refused in error_of(capsys.readouterr())
    assert not (tmp_path / "rules.json").exists()


@pytest.mark.parametrize("name", ["commas", "thousands with points and decimal commas", "dollars", "percentages"])
def test_cells_that_never_occurred_in_training_are_read_alike(name, tmp_path, capsys, server):
    learned = RIGHT[name]
    extracted(learned, tmp_path)
    new = with_odd_cells(learned)
    path = tmp_path / "new.csv"
    path.write_bytes(new.content)
    check_exports(new, path, predicted(path, tmp_path, new), capsys, server)


def test_there_are_at_least_forty_of_each():
    assert len(RIGHT) >= 40
    assert len(REFUSED) >= 10
