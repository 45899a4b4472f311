"""Files are checked before the work; SQL gets names that a database tells apart."""

import os
import tempfile
from pathlib import Path

import pytest
from not_root import without_root
from small_tables import QUICK, codes, error_of, people

from hedgerow import InvalidParameterError
from hedgerow.cli import main
from hedgerow.cli.writing import ended, output_files


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
    assert "'AGE' and 'age' are the same in sqlite" in error_of(capsys.readouterr())
    monkeypatch.setattr("hedgerow.cli.learning.Learning.estimator", lambda *_, **__: pytest.fail("the work has begun"))
    assert main([*call, *sql, "--dialect", "duckdb"]) == 2
    line = error_of(capsys.readouterr())
    assert "'AGE' and 'age' are the same in duckdb" in line
    assert "--drop" in line


def test_dates_that_sql_cannot_read_are_refused_before_the_work(tmp_path, monkeypatch, capsys):
    days = [f"{1 + i % 28:02}/{1 + i % 12:02}/{20 + i % 3}" for i in range(160)]
    people().assign(day=days).to_csv(tmp_path / "people.csv", index=False)
    call = ["extract", str(tmp_path / "people.csv"), "-t", "says", *QUICK, "--sql", str(tmp_path / "rules.sql")]
    monkeypatch.setattr("hedgerow.cli.learning.Learning.screened", lambda *_, **__: pytest.fail("the work has begun"))
    assert main([*call, "--dates"]) == 2
    line = error_of(capsys.readouterr())
    assert "The dates of column 'day' are written as in 02/01/31. SQL can read them only with four digits" in line
    assert line.rstrip().endswith("Option: --dates")


def test_a_folder_without_permission_is_noticed_before_the_work(monkeypatch, capsys):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        people(40).to_csv(folder / "people.csv", index=False)
        (folder / "people.csv").chmod(0o644)
        folder.chmod(0o555)
        monkeypatch.setattr("hedgerow.cli.extracting.read_samples", lambda *_, **__: pytest.fail("the work has begun"))
        with without_root():
            code = main(["extract", str(folder / "people.csv"), "-t", "says", "--sql", str(folder / "out.sql")])
        folder.chmod(0o755)
        assert code == 2
        assert "Permission denied" in error_of(capsys.readouterr())
        assert os.listdir(folder) == ["people.csv"]


@pytest.mark.parametrize("place", ["missing/out.txt", "file/out.txt", "folder", "locked/out.txt", "locked.txt"])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(place):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "file").write_text("")
        (folder / "folder").mkdir()
        (folder / "locked").mkdir(mode=0o555)
        (folder / "locked.txt").write_text("mine")
        (folder / "locked.txt").chmod(0o444)
        good = folder / "good.txt"
        with (
            without_root(),
            pytest.raises(InvalidParameterError, match=f"Cannot write .*{place}: .* Write to another file"),
            output_files([good, folder / place], []),
        ):
            pytest.fail("the work has begun")
        assert not good.exists()
        assert not [name for name in os.listdir(folder) if name.startswith(".")]


def test_what_is_read_is_not_replaced_and_no_file_is_named_twice(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("a\n1\n")
    link = tmp_path / "link.csv"
    link.symlink_to(data)
    with pytest.raises(InvalidParameterError, match="is read by"), output_files([link], [data]):
        pass
    with (
        pytest.raises(InvalidParameterError, match="two outputs"),
        output_files([tmp_path / "x", tmp_path / "./x"], []),
    ):
        pass
    assert data.read_text() == "a\n1\n"


def test_an_error_of_the_work_is_not_an_error_of_the_files(tmp_path):
    def fail():
        with output_files([tmp_path / "out.txt"], []) as files:
            files.write(tmp_path / "out.txt", "text")
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert os.listdir(tmp_path) == []


def test_a_text_ends_in_one_newline():
    assert (ended("a"), ended("a\n")) == ("a\n", "a\n")
