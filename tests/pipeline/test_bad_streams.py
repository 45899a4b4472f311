"""Rows in chunks that are odd give the right list; those that cannot be read are refused by name, and nothing stays."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from hedgerow import RuleListClassifier
from hedgerow.candidates import excerpt
from hedgerow.cli import main
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.sources import Chunks, Parquet

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

RNG = np.random.default_rng(0)
ROWS = pd.DataFrame({"a": np.round(RNG.normal(size=600), 2), "b": RNG.integers(0, 9, 600), "c": RNG.normal(size=600)})
ROWS["y"] = np.where(ROWS["a"] + ROWS["b"] > 4, "yes", "no")
ROWS.loc[590:, "y"] = "late"
ROWS.loc[590:, "a"] = 9.0
FOREST = RandomForestClassifier(20, max_depth=3, random_state=0).fit(ROWS[["a", "b", "c"]], ROWS["y"])


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    monkeypatch.setattr(excerpt, "MOST_ROWS", 30)  # so that the list is checked in a second pass


def rule_list():
    return RuleListClassifier(FOREST, max_rules=5, candidates="nodes", stability_weight=0.1)


def written(folder, *parts):
    """Write the parts to files, in order."""
    folder.mkdir(exist_ok=True)
    for k, part in enumerate(parts):
        part.to_parquet(folder / f"part-{k}.parquet")
    return folder


def thirds(frame=ROWS):
    return [frame.iloc[:200], frame.iloc[200:400], frame.iloc[400:]]


def chunks(*parts):
    return Chunks(lambda: ((part[["a", "b", "c"]], part["y"]) for part in parts))


def assert_same(found, frame):
    expected = rule_list().fit(frame[["a", "b", "c"]], frame["y"])
    assert found.rule_list_.rules == expected.rule_list_.rules
    assert found.solution_.objective == expected.solution_.objective
    assert found.solution_.passes > 1


def test_a_class_that_appears_only_in_a_late_chunk_is_in_the_list(tmp_path):
    for source in (chunks(*thirds()), Parquet(written(tmp_path / "rows", *thirds()), "y")):
        found = rule_list().fit(source)
        assert "late" in [rule.prediction for rule in found.rule_list_]
        assert_same(found, ROWS)


def test_empty_chunks_and_files_change_nothing(tmp_path):
    parts = [ROWS[:0], ROWS[:200], ROWS[:0], ROWS[200:], ROWS[:0]]
    for source in (chunks(*parts), Parquet(written(tmp_path / "rows", *parts), "y")):
        assert_same(rule_list().fit(source), ROWS)


def test_missing_values_in_the_last_file_alone_are_learned_from(tmp_path):
    frame = ROWS.astype({"b": "Int64"})
    frame.loc[580:, "b"] = pd.NA  # a column of integers, which has gaps in the last file alone
    X = frame[["a", "b", "c"]].astype("float64")
    forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, frame["y"])
    folder = written(tmp_path / "rows", *thirds(frame))
    expected = RuleListClassifier(forest, max_rules=5, candidates="nodes").fit(X, frame["y"])
    for source in (chunks(*thirds(frame)), Parquet(folder, "y")):
        found = RuleListClassifier(forest, max_rules=5, candidates="nodes").fit(source)
        assert found.rule_list_.rules == expected.rule_list_.rules
        assert str(found.rule_list_) == str(expected.rule_list_)
        assert_array_equal(found.predict(Parquet(folder, columns=["a", "b", "c"])), expected.predict(X))


def test_missing_values_that_the_ensemble_does_not_take_are_refused_with_their_place(tmp_path):
    first, second, last = thirds()
    last = last.assign(b=last["b"].astype("Int64").mask(last.index == 599))
    boosted = GradientBoostingClassifier(n_estimators=3, random_state=0).fit(ROWS[["a", "b", "c"]], ROWS["y"])
    for source, place in (
        (chunks(first, second, last), "chunk 2"),
        (Parquet(written(tmp_path / "rows", first, second, last), "y"), r"part-2\.parquet, rows 0 to 199"),
    ):
        with pytest.raises(InvalidDataError, match=rf"{place}.*in: b"):
            RuleListClassifier(boosted, max_rules=4).fit(source)


def test_a_missing_boolean_in_the_last_file_is_named(tmp_path):
    frame = ROWS.assign(y=(ROWS["y"] == ROWS["y"].iloc[0]).astype("boolean"))
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(frame[["a", "b", "c"]], frame["y"].astype(bool))
    frame.loc[599, "y"] = pd.NA
    for parts in (thirds(frame), thirds(frame.astype({"y": object}))):
        files = [pa.Table.from_pandas(part, preserve_index=False).replace_schema_metadata(None) for part in parts]
        (tmp_path / "rows").mkdir(exist_ok=True)
        for k, file in enumerate(files):
            parquet.write_table(file, tmp_path / "rows" / f"part-{k}.parquet")
        for source, place in (
            (chunks(*thirds(frame.astype({"y": object}))), "chunk 2"),
            (Parquet(tmp_path / "rows", "y"), r"part-2\.parquet, rows 0 to 199"),
        ):
            with pytest.raises(InvalidDataError, match=rf"{place}.*missing value in 1 of 200 rows, first in row 199"):
                RuleListClassifier(forest, max_rules=4).fit(source)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda part: part.rename(columns={"b": "z"}), "'b'"),
        (lambda part: part.assign(b="many"), "'b'"),
        (lambda part: part.assign(y=1), "y"),
        (lambda part: part.assign(b=pd.Timestamp("2026-01-01")), "'b'"),
        (lambda part: part.assign(y="unheard of"), "unheard of"),
        (lambda part: part.assign(a=np.inf), "infinity"),
        (lambda part: part.assign(y=None), "y"),
    ],
    ids=["another column", "strings", "other targets", "dates", "unknown label", "infinity", "no targets"],
)
def test_a_chunk_or_file_that_does_not_fit_is_named(tmp_path, change, said):
    first, second, last = thirds()
    parts = [first, second, change(last)]
    with pytest.raises(InvalidDataError, match=rf"chunk 2.*{said}"):
        rule_list().fit(Chunks(lambda: ((part.drop(columns="y"), part["y"]) for part in parts)))
    with pytest.raises(InvalidDataError, match=rf"part-2\.parquet.*{said}"):
        rule_list().fit(Parquet(written(tmp_path / "rows", *parts), "y"))


def test_a_file_that_lacks_the_target_is_named(tmp_path):
    first, second, last = thirds()
    with pytest.raises(InvalidDataError, match=r"part-1\.parquet has no column 'y'"):
        Parquet(written(tmp_path / "rows", first, second.drop(columns="y"), last), "y")


@pytest.mark.parametrize("kept", [0, 3, 2000, -9])
def test_a_file_cut_short_is_named(tmp_path, kept):
    folder = written(tmp_path / "rows", *thirds())
    file = folder / "part-1.parquet"
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(InvalidDataError, match=r"part-1\.parquet.*written again"):
        rule_list().fit(Parquet(folder, "y"))


def test_a_file_that_is_cut_short_between_two_passes_is_named(tmp_path):
    folder = written(tmp_path / "rows", *thirds())
    source, file = Parquet(folder, "y"), folder / "part-1.parquet"
    whole, found = file.read_bytes(), []

    class Cut(Parquet):
        def pieces(self, *about):
            file.write_bytes(whole[: len(whole) // 2] if found else whole)
            found.append(1)
            return source.pieces(*about)

    with pytest.raises(InvalidDataError, match=r"part-1\.parquet"):
        rule_list().fit(Cut(folder, "y"))


def test_rows_that_change_between_two_passes_are_noticed(tmp_path):
    folder = written(tmp_path / "rows", *thirds())
    found = []

    class Changing(Parquet):
        def pieces(self, *about):
            if found:
                ROWS.iloc[400:].assign(b=ROWS["b"] + 1).to_parquet(folder / "part-2.parquet")
            found.append(1)
            return super().pieces(*about)

    with pytest.raises(InvalidDataError, match=r"rows.*changes while it is read: the values of column 'b' in pass 2"):
        rule_list().fit(Changing(folder, "y"))


def test_an_iterator_that_can_be_read_only_once_is_refused():
    once = ((part[["a", "b", "c"]], part["y"]) for part in thirds())
    with pytest.raises(InvalidParameterError, match="only once"):
        Chunks(once)
    with pytest.raises(InvalidParameterError, match="the same generator again, which can be read only once"):
        rule_list().fit(Chunks(lambda: once))


def test_a_folder_without_parquet_files_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(InvalidDataError, match=rf"{tmp_path.name} has no file that ends in \.parquet"):
        Parquet(tmp_path, "y")


def test_a_fit_that_fails_leaves_the_estimator_as_it_was():
    first, second, last = thirds()
    fitted = rule_list().fit(chunks(first, second, last))
    before, told = dict(vars(fitted)), str(fitted.rule_list_)
    with pytest.raises(InvalidDataError):
        fitted.fit(chunks(first, second, last.assign(y="unheard of")))
    assert vars(fitted) == before
    assert str(fitted.rule_list_) == told


@pytest.mark.parametrize("command", ["extract", "predict"])
def test_the_command_line_leaves_no_file_half_written(tmp_path, monkeypatch, command, capsys):
    monkeypatch.chdir(tmp_path)
    folder = written(tmp_path / "rows", *thirds())
    call = ["extract", "rows", "-t", "y", "--max-rules", "3", "--json", "rules.json", "--jobs", "1"]
    if command == "predict":
        assert main(call) == 0
        call = ["predict", "rules.json", "rows", "--output", "said.parquet"]
    file = folder / "part-2.parquet"
    whole = bytearray(file.read_bytes())
    whole[40:400] = bytes(360)  # its end, which says what is in it, stays
    file.write_bytes(whole)
    before = {path.name for path in tmp_path.iterdir()}
    capsys.readouterr()
    assert main(call) == 2
    assert "part-2.parquet" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == before
