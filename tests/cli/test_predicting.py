"""Predictions for tables in chunks are those for tables in memory."""

import numpy as np
import pandas as pd
import pytest
from small_tables import error_of, table

from hedgerow.cli import main
from hedgerow.sources import Parquet


@pytest.fixture
def rows(folder, monkeypatch):
    """A table in two files, of which a few rows are read at a time; and in one."""
    monkeypatch.setattr(Parquet.__init__, "__kwdefaults__", {"batch_rows": 7})
    frame = table().assign(word=lambda one: np.where(one["a"] > 1, "big", None), some=[1.5, None] * 30)
    (folder / "rows").mkdir()
    frame[:20].to_parquet(folder / "rows" / "a.parquet")
    frame[20:].to_parquet(folder / "rows" / "b.parquet")
    frame.to_parquet(folder / "all.parquet")
    return folder


@pytest.mark.parametrize("more", [[], ["--explain"], ["--with-data", "--explain"]])
def test_predictions_in_chunks_are_those_in_memory(rows, capsys, more):
    said = []
    for data in (["rows"], ["all.parquet", "--no-stream"], ["all.parquet", "--stream"]):
        assert main(["predict", "rules.json", *data, *more]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]
    assert said[0].count("\n") == 61


@pytest.mark.parametrize("name", ["out.csv", "out.tsv.gz", "out.parquet"])
def test_files_hold_the_same(rows, name):
    read = pd.read_parquet if name.endswith("parquet") else lambda path: pd.read_csv(path, sep=None, engine="python")
    found = []
    for data in (["rows"], ["all.parquet"]):
        assert main(["predict", "rules.json", *data, "--with-data", "--output", name]) == 0
        found.append(read(rows / name))
    pd.testing.assert_frame_equal(*found, check_dtype=False)
    assert len(found[0]) == 60


def test_a_file_that_is_cut_short_leaves_nothing_half_written(rows, capsys):
    content = (rows / "rows" / "b.parquet").read_bytes()
    (rows / "out.csv").write_text("as it was")
    (rows / "rows" / "b.parquet").write_bytes(content[:100] + bytes(300) + content[400:])
    assert main(["predict", "rules.json", "rows", "--output", "out.csv"]) == 2
    assert "b.parquet" in error_of(capsys.readouterr())
    assert (rows / "out.csv").read_text() == "as it was"
    assert not list(rows.glob(".*part"))


@pytest.mark.parametrize("call", [["predict", "rules.json", "rows"], ["extract", "rows", "-t", "y", "--drop", "z"]])
def test_an_infinite_number_is_named_by_its_file(rows, capsys, call):
    frame = pd.read_parquet(rows / "rows" / "b.parquet").astype({"a": float})
    frame.iloc[-1, frame.columns.get_loc("a")] = np.inf
    frame.to_parquet(rows / "rows" / "b.parquet")
    assert main(call) == 2
    assert "b.parquet, row" in error_of(capsys.readouterr())


@pytest.mark.parametrize("data", ["rows", "rows/*.parquet", "../{folder}/rows"])
def test_predictions_are_not_written_among_the_files_that_are_read(rows, capsys, data):
    call = ["predict", "rules.json", data.format(folder=rows.name)]
    for name in ("rows/out.parquet", "rows/b.parquet"):
        assert main([*call, "--output", name]) == 2
        assert f"{name} is read by this command. Write to another file." in error_of(capsys.readouterr())
    assert sorted(file.name for file in (rows / "rows").iterdir()) == ["a.parquet", "b.parquet"]
    assert main([*call, "--output", "rows/out.csv"]) == 0
    assert main([*call, "--output", "rows-out.parquet"]) == 0


def test_several_files_are_not_read_into_memory(rows, capsys):
    for data in ("rows", "rows/*.parquet"):
        assert main(["predict", "rules.json", data, "--no-stream"]) == 2
        said = error_of(capsys.readouterr())
        assert "a folder or a pattern, whose files are always read in chunks. Leave out --no-stream" in said


def test_a_column_that_is_missing_is_named(rows, capsys):
    table().drop(columns="a").to_parquet(rows / "less.parquet")
    assert main(["predict", "rules.json", "less.parquet", "--stream"]) == 2
    assert "lacks the column 'a'" in error_of(capsys.readouterr())
