import datetime
import decimal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from row_statistics import AsRead, Rows

from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.sources import Parquet

pa = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

N = 100
#: What pandas makes of strings: objects before 3.0.
STRINGS = str(pd.Series(["a"]).dtype)


def every_type():
    """A table with a column of each type, some with missing values in one place only."""
    values = np.arange(N)
    late = [None if i == 87 else i for i in values]
    frame = pd.DataFrame(
        {
            "number": np.where(values == 60, np.nan, values / 7),
            "single": (values / 7).astype("float32"),
            "whole": values - 2**60,
            "byte": (values % 50).astype("int8"),
            "flag": values % 3 == 0,
            "string": [None if i % 7 == 3 else f"s{i % 5}" for i in values],
            "category": pd.Categorical(
                [f"c{9 - i // 10}" for i in values], [f"c{i}" for i in (3, 1, 2, *range(4, 12), 0)]
            ),
            "ordered": pd.Categorical([*"abcd"] * 25, [*"dcba"], ordered=True),
            "date": pd.date_range("2020-01-01", periods=N),
            "zoned": pd.date_range("2020-01-01", periods=N, tz="Europe/Paris"),
            "day": [datetime.date(2020, 1, 1 + i % 28) for i in values],
            "span": pd.to_timedelta(values, unit="s"),
            "decimal": [decimal.Decimal(int(i)) / 4 for i in values],
            "nullable": pd.array(late, dtype="Int64"),
            "a.b": values * 1.0,
            "a": values * 2.0,
            "list": [[i] for i in values],
        },
        index=pd.Index(values + 50, name="id"),
    )
    table = pa.Table.from_pandas(frame)
    for name, kind in (("late", pa.int64()), ("late_byte", pa.uint8()), ("nothing", pa.null())):
        table = table.append_column(name, pa.array(late if name != "nothing" else [None] * N, kind))
    table = table.append_column("late_flag", pa.array([None if i == 87 else i % 2 == 0 for i in values]))
    return table.append_column(
        "coded", pa.array([f"v{i // 20}" for i in late if i is not None] + [None]).dictionary_encode()
    )


@pytest.mark.parametrize("batch_rows", [7, 30, 1_000])
@pytest.mark.parametrize("n_files", [1, 3])
def test_batches_have_the_values_and_types_of_the_whole_table(tmp_path, batch_rows, n_files):
    table = every_type()
    size = -(-N // n_files)
    for i in range(n_files):
        parquet.write_table(table.slice(i * size, size), tmp_path / f"{i}.parquet", row_group_size=13)
    whole = pd.read_parquet(tmp_path).reset_index(drop=True)
    chunks = list(Parquet(tmp_path, batch_rows=batch_rows).passes(AsRead(), n_jobs=2).map(lambda chunk: chunk))
    assert all(chunk.n_rows == min(batch_rows, size) for chunk in chunks[: len(chunks) // n_files - 1])
    for chunk in chunks:
        assert chunk.X.dtypes.to_dict() == whole.dtypes.to_dict()
    pd.testing.assert_frame_equal(pd.concat([chunk.X for chunk in chunks], ignore_index=True), whole)


def write(path, **columns):
    path.parent.mkdir(exist_ok=True, parents=True)
    pd.DataFrame(columns).to_parquet(path)
    return path


def rows_of(*arguments, **settings):
    source = Parquet(*arguments, **settings)
    return source.passes(AsRead()).run(Rows(), targets=source.has_targets)


def test_targets_and_weights_are_not_among_the_features(tmp_path):
    path = write(tmp_path / "a.parquet", y=["u", "v"], a=[1.0, 2.0], w=[3, 4])
    rows = rows_of(path, "y", "w")
    assert (rows.values, rows.targets, rows.weights) == ([[1.0], [2.0]], ["u", "v"], [3.0, 4.0])
    source = Parquet(path, target="y", columns=["w", "a"])
    assert (source.names, source.n_features, source.n_rows) == (["w", "a"], 2, 2)
    assert rows_of(path, target="y", columns=["w", "a"]).values == [[3.0, 1.0], [4.0, 2.0]]


def test_targets_are_those_of_the_whole_table(tmp_path):
    write(tmp_path / "a.parquet", a=[1, 2], y=pd.Categorical(["u", "v"]), z=pd.array([1, 2], dtype="Int64"))
    assert rows_of(tmp_path, "y", columns=["a"]).targets == ["u", "v"]


def test_files_are_found_in_sorted_order(tmp_path):
    for i, name in enumerate(["b/2.parquet", "a/9.parquet", "a/10.parquet", "c.parquet"]):
        write(tmp_path / name, a=[i])
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "notes.txt").write_text("no table")
    assert rows_of(tmp_path).values == [[2], [1], [0], [3]]
    assert rows_of(str(tmp_path)).values == [[2], [1], [0], [3]]
    assert rows_of(f"{tmp_path}/*/*.parquet").values == [[2], [1], [0]]
    assert rows_of(f"{tmp_path}/**/*.parquet").values == [[2], [1], [0], [3]]
    assert rows_of([tmp_path / "c.parquet", tmp_path / "b"]).values == [[3], [0]]
    places = ["a/10.parquet, row 0", "a/9.parquet, row 0", "b/2.parquet, row 0", "c.parquet, row 0"]
    assert list(Parquet(tmp_path).passes(AsRead()).map(lambda chunk: chunk.place)) == places


def test_empty_files_and_row_groups_are_fine(tmp_path):
    write(tmp_path / "0.parquet", a=np.array([], dtype="int64"), s=np.array([], dtype=object))
    with parquet.ParquetWriter(tmp_path / "1.parquet", pa.schema([("a", pa.int64()), ("s", pa.string())])) as writer:
        for values in ([1], [], [2, 3]):
            writer.write_table(
                pa.table({"a": pa.array(values, pa.int64()), "s": pa.array(["x"] * len(values), pa.string())})
            )
    assert rows_of(tmp_path).values == [[1, "x"], [2, "x"], [3, "x"]]


def test_no_rows_at_all_are_refused(tmp_path):
    write(tmp_path / "0.parquet", a=np.array([], dtype="int64"))
    with pytest.raises(InvalidDataError, match=r"Parquet\('.*'\) has no rows"):
        rows_of(tmp_path)


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (np.array([1, 2], dtype="int32"), np.array([3, 4]), "int64"),
        (np.array([1, 2]), np.array([3.5, 4]), "float64"),
        (np.array([1, 2], dtype="float32"), np.array([3.5, 4]), "float64"),
        (pd.Categorical(["a", "b"]), pd.Categorical(["c", "a"]), "category"),
        (pd.Categorical(["a", "b"]), np.array(["c", "a"], dtype=object), STRINGS),
        (np.array([None, None]), np.array(["c", "a"], dtype=object), STRINGS),
        (np.array([None, None]), np.array([1.5, 2.5]), "float64"),
        (pd.date_range("2020", periods=2, unit="s"), pd.date_range("2021", periods=2, unit="us"), "datetime64[us]"),
    ],
)
@pytest.mark.parametrize("order", [1, -1])
def test_types_that_can_be_compared_may_be_mixed(tmp_path, first, second, kind, order):
    files = [write(tmp_path / "a.parquet", a=first), write(tmp_path / "b.parquet", a=second)][::order]
    chunks = list(Parquet(files).passes(AsRead()).map(lambda chunk: chunk.X["a"]))
    assert [str(chunk.dtype) for chunk in chunks] == [kind] * 2
    values = [None if pd.isna(value) else value for chunk in chunks[::order] for value in chunk]
    assert values == [None if pd.isna(value) else value for value in [*first, *second]]
    if kind == "category":
        assert chunks[0].dtype == chunks[1].dtype


@pytest.mark.parametrize(
    ("columns", "target", "said"),
    [
        (
            {"a": ["1"], "y": [0]},
            "y",
            r"part-1.parquet: the column 'a' is of type (large_)?string, .* int64 in .*part-0",
        ),
        ({"a": [True], "y": [0]}, "y", r"part-1.parquet: the column 'a' is of type bool, but of type int64"),
        ({"a": [pd.Timestamp("2020")], "y": [0]}, "y", "part-1.parquet: the column 'a' is of type timestamp"),
        ({"a": [1]}, "y", "part-1.parquet has no column 'y', which .*part-0.parquet has. It has: 'a'"),
        ({"y": [1]}, "y", "part-1.parquet has no column 'a'"),
        ({"a": [1], "y": [1], "b": [1]}, "y", "part-1.parquet has the column 'b', which .*part-0.parquet lacks"),
        ({"a": [1], "y": [1]}, "z", "part-0.parquet has no column 'z'. It has: 'a', 'y'"),
    ],
)
def test_files_that_do_not_fit_are_refused_before_anything_is_read(tmp_path, columns, target, said):
    write(tmp_path / "part-0.parquet", a=[1], y=[0])
    write(tmp_path / "part-1.parquet", **columns)
    with pytest.raises(InvalidDataError, match=said):
        Parquet(tmp_path, target)


def test_other_columns_do_not_matter_if_the_columns_are_named(tmp_path):
    write(tmp_path / "0.parquet", a=[1], y=[0], z=["0"])
    write(tmp_path / "1.parquet", b=[1], y=[1], a=[2], z=[0])
    assert rows_of(tmp_path, "y", columns=["a"]).values == [[1], [2]]


def test_integers_that_a_common_type_cannot_hold_are_refused(tmp_path):
    write(tmp_path / "0.parquet", a=[1.5])
    write(tmp_path / "1.parquet", a=[2**53 + 1])
    with pytest.raises(InvalidDataError, match=r"^1\.parquet, row 0: Integer value .* Write all files with the same"):
        rows_of(tmp_path)


@pytest.mark.parametrize("kept", [0, 10, 0.5, -1])
def test_a_file_cut_short_is_refused_by_name(tmp_path, kept):
    write(tmp_path / "0.parquet", a=range(1_000))
    whole = write(tmp_path / "1.parquet", a=range(1_000)).read_bytes()
    (tmp_path / "1.parquet").write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    with pytest.raises(InvalidDataError, match=r"Cannot read .*1\.parquet: .* must be written again"):
        Parquet(tmp_path)


def test_a_file_that_is_broken_inside_is_refused_by_name(tmp_path):
    path = write(tmp_path / "0.parquet", a=np.random.default_rng(0).normal(size=10_000))
    source = Parquet(path)
    content = bytearray(path.read_bytes())
    content[4:40_000] = bytes(39_996)
    path.write_bytes(content)
    with pytest.raises(InvalidDataError, match=r"Cannot read .*0\.parquet"):
        source.passes(AsRead()).run(Rows(), targets=False)


def test_a_file_that_is_gone_is_named(tmp_path):
    source = Parquet(write(tmp_path / "0.parquet", a=[1]))
    (tmp_path / "0.parquet").unlink()
    with pytest.raises(InvalidDataError, match=r"Cannot read .*0\.parquet: there is no such file"):
        source.passes(AsRead()).run(Rows(), targets=False)


def test_a_file_that_is_written_anew_between_passes_is_noticed(tmp_path):
    passes = Parquet(write(tmp_path / "0.parquet", a=[1, 2], b=[3, 4])).passes(AsRead())
    passes.run(Rows(), targets=False)
    write(tmp_path / "0.parquet", a=[1, 2], b=[4, 3])
    passes.run(Rows(), targets=False, columns=["a"])
    with pytest.raises(InvalidDataError, match="values of column 'b' in pass 3 are not those of pass 1"):
        passes.run(Rows(), targets=False)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "There is no file or folder .*nothing"),
        ("nothing/*.parquet", "No file matches .*nothing"),
        ("folder", r"The folder .*folder has no file that ends in \.parquet"),
        ("folder/notes.txt", "Cannot read .*notes.txt"),
    ],
)
def test_a_path_without_parquet_files_is_refused(tmp_path, name, said):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.txt").write_text("no table, but text")
    with pytest.raises(InvalidDataError, match=said):
        Parquet(tmp_path / name)


@pytest.mark.parametrize(("path", "said"), [([], "list of Parquet files is empty"), (3, "must be a file, a folder")])
def test_what_is_no_path_is_refused(path, said):
    with pytest.raises(InvalidParameterError, match=said):
        Parquet(path)


def test_a_table_has_features(tmp_path):
    with pytest.raises(InvalidDataError, match="has no feature columns"):
        Parquet(write(tmp_path / "0.parquet", y=[1]), "y")


def test_pyarrow_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[parquet\]'"):
        Parquet(tmp_path)


MEMORY = r"""
import re, sys
from pathlib import Path
import numpy as np, pandas as pd, joblib
from hedgerow.sources import Parquet
from row_statistics import AsRead

class Sums:
    total = 0.0
    def empty(self): return Sums()
    def add(self, chunk): self.total += float(chunk.X.to_numpy().sum()) + float(chunk.y.sum())
    def merge(self, other): self.total += other.total

def peak(): return int(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
def total(path): return Parquet(path, "y").passes(AsRead(), n_jobs=2).run(Sums()).total
total(sys.argv[1])
before = peak()
total(sys.argv[2])
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the peak of the memory")
def test_memory_does_not_grow_with_the_rows(tmp_path):
    """3 million rows more are 240 MB; the files have one large row group, and more rows than are read ahead."""
    for name, n in (("small", 1_000_000), ("large", 4_000_000)):
        rng = np.random.default_rng(0)
        columns = {f"x{i}": rng.integers(0, 1_000, n).astype(float) for i in range(9)}
        table = pa.table({**columns, "y": rng.integers(0, 2, n)})
        parquet.write_table(table, tmp_path / f"{name}.parquet", row_group_size=n)
    call = [sys.executable, "-c", MEMORY, *(str(tmp_path / f"{name}.parquet") for name in ("small", "large"))]
    environment = {"PYTHONPATH": ":".join(path for path in sys.path if path)}
    shown = subprocess.run(call, capture_output=True, text=True, check=True, env=environment)
    assert float(shown.stdout) < 120


@pytest.mark.parametrize("name", ["id", None])
def test_the_index_can_be_the_target_the_weight_or_a_feature(tmp_path, name):
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0, 1, 0]}, index=pd.Index([7, 5, 9], name=name))
    frame.to_parquet(tmp_path / "t.parquet")
    called = name or "__index_level_0__"
    rows = [
        Parquet(tmp_path, **roles).passes(AsRead()).run(Rows())
        for roles in ({"target": called}, {"target": "b", "weight": called}, {"target": "b", "columns": [called, "a"]})
    ]
    assert rows[0].targets == rows[1].weights == [7, 5, 9]
    assert (rows[0].values, rows[1].values) == ([[1, 0], [2, 1], [3, 0]], [[1], [2], [3]])
    assert rows[2].values == [[7, 1], [5, 2], [9, 3]]


@pytest.mark.parametrize("first", [True, False])
def test_what_is_the_index_of_one_file_only_is_what_it_is_in_the_first_one(tmp_path, first):
    frame = pd.DataFrame({"id": [7, 5], "a": [1.0, 2.0]})
    (frame.set_index("id") if first else frame).to_parquet(tmp_path / "a.parquet", index=first)
    (frame if first else frame.set_index("id")).to_parquet(tmp_path / "b.parquet", index=not first)
    assert Parquet(tmp_path).names == list(pd.read_parquet(tmp_path).columns)
    chunks = Parquet(tmp_path).passes(AsRead()).map(lambda chunk: chunk.X)
    expected = pd.read_parquet(tmp_path).reset_index(drop=True)
    pd.testing.assert_frame_equal(pd.concat(list(chunks), ignore_index=True), expected)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda frame: frame.drop(columns="a"), "it has no column 'a' any more"),
        (lambda frame: frame.drop(columns="y"), "it has no column 'y' any more"),
        (lambda frame: frame.drop(columns="c"), "it has no column 'c' any more"),
        (lambda frame: frame.astype({"a": str}), "the column 'a' was of type double, and is of type .*string"),
    ],
)
@pytest.mark.parametrize("passes_before", [0, 1])
def test_a_file_that_is_written_anew_with_other_columns_is_named(tmp_path, change, said, passes_before):
    frame = pd.DataFrame({"a": [1.0, 2.0], "c": pd.Categorical(["u", "v"]), "y": [0, 1]})
    for name in ("1.parquet", "2.parquet"):
        frame.to_parquet(tmp_path / name)
    passes = Parquet(tmp_path, target="y").passes(AsRead())
    for _ in range(passes_before):
        passes.run(Rows())
    change(frame).to_parquet(tmp_path / "2.parquet")
    with pytest.raises(InvalidDataError, match=rf"2\.parquet changes while it is read: {said}"):
        passes.run(Rows())
