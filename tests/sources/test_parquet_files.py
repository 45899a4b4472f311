import pandas as pd
import pytest

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.sources import Parquet
from hedgerow.sources.parquet_files import ParquetFile, common_types, find

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402


@pytest.fixture
def path(tmp_path):
    frame = pd.DataFrame({"a": range(10), "b": [None, *range(9)]}, index=pd.Index([*range(5, 14), 1], name="id"))
    table = pa.Table.from_pandas(frame.astype({"b": "Int64"})).append_column("flag", pa.array([None] + [True] * 9))
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=3)
    return tmp_path / "t.parquet"


def test_the_end_of_a_file_says_what_is_in_it(path):
    file = ParquetFile.of(path)
    assert (file.n_rows, file.schema.names) == (10, ["a", "b", "id", "flag"])
    assert file.gaps == {"b", "flag"}


def test_the_index_of_a_data_frame_is_not_a_feature(path):
    assert ParquetFile.of(path).index == {"id"}
    assert Parquet(path).names == ["a", "b", "flag"]
    assert Parquet(path, columns=["id"]).names == ["id"]


@pytest.mark.parametrize(("size", "expected"), [(1, [1] * 10), (4, [4, 4, 2]), (5, [5, 5]), (10, [10]), (99, [10])])
def test_tables_have_the_same_size_wherever_row_groups_end(path, size, expected):
    tables = list(ParquetFile.of(path).tables(["b", "a"], size, 1))
    assert [table.num_rows for table in tables] == expected
    assert pa.concat_tables(tables)["a"].to_pylist() == list(range(10))
    assert tables[0].column_names == ["b", "a"]


def test_a_name_that_begins_like_another_is_not_taken_for_it(tmp_path):
    parquet.write_table(pa.table({"a.b": [1], "a": [2]}), tmp_path / "t.parquet")
    (table,) = ParquetFile.of(tmp_path / "t.parquet").tables(["a"], 5, 1)
    assert table.column_names == ["a"]


def test_columns_with_the_same_name_are_refused(tmp_path):
    parquet.write_table(pa.table([[1], [2]], names=["a", "a"]), tmp_path / "t.parquet")
    with pytest.raises(InvalidDataError, match="several columns called 'a'"):
        ParquetFile.of(tmp_path / "t.parquet")


def test_a_file_whose_name_is_like_a_pattern_is_found(tmp_path):
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "t[1].parquet")
    assert find(tmp_path / "t[1].parquet") == [tmp_path / "t[1].parquet"]


@pytest.fixture
def rows(tmp_path):
    """A folder with files below it, some of them hidden, and its files that are read."""
    for name in ("b.parquet", "a/c.parquet", ".h.parquet", "_t.parquet", "_temporary/d.parquet", "a/.x/e.parquet"):
        file = tmp_path / "_rows" / name  # the folder itself may begin with anything
        file.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame({"a": [1.0, 2.0]}).to_parquet(file)
    return tmp_path / "_rows"


@pytest.mark.parametrize(
    "path",
    [
        lambda rows: rows,
        lambda rows: f"{rows}/**",
        lambda rows: f"{rows}/**/*.parquet",
        lambda rows: [rows, rows / "b.parquet"],
        lambda rows: [rows, rows / "a" / ".." / "a"],
        lambda rows: [*rows.glob("[ab]*"), rows],
    ],
)
def test_each_file_that_is_not_hidden_is_read_once(rows, path):
    expected = {rows / "b.parquet", rows / "a" / "c.parquet"}
    assert len(pd.read_parquet(rows)) == 2 * len(expected)  # pandas leaves out the same
    assert len(find(path(rows))) == 2
    assert set(find(path(rows))) == expected


def test_the_first_mention_of_a_file_counts(rows):
    assert [file.name for file in find([rows / "b.parquet", rows])] == ["b.parquet", "c.parquet"]
    assert [file.name for file in find([rows / "b.parquet"] * 2)] == ["b.parquet"]


def test_a_hidden_file_that_is_named_is_read(rows):
    assert find(rows / "_t.parquet") == [rows / "_t.parquet"]
    assert find(rows / "_t*.parquet") == [rows / "_t.parquet"]


def test_time_zones_are_not_mixed(tmp_path):
    for name, zone in (("a", None), ("b", "UTC")):
        parquet.write_table(pa.table({"t": pa.array([0], pa.timestamp("us", zone))}), tmp_path / f"{name}.parquet")
    with pytest.raises(InvalidDataError, match=r"b\.parquet: the column 't' is of type timestamp\[us, tz=UTC\]"):
        common_types([ParquetFile.of(file) for file in find(tmp_path)], ["t"])


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"target": "b", "weight": "b"}, "'b' is named as target and as weight"),
        ({"columns": ["b", "a", "b"]}, "columns has 'b' several times"),
        ({"columns": "ab"}, r"columns must be a list of names, such as \['ab'\]"),
        ({"batch_rows": 2.5}, "batch_rows must be an integer of at least 1; got 2.5"),
    ],
)
def test_roles_that_do_not_go_together_are_refused(path, roles, said):
    with pytest.raises(InvalidParameterError, match=said):
        Parquet(path, **roles)
