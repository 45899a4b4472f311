"""Chunks of a large table have the columns and targets that the drawn rows have."""

import numpy as np
import pandas as pd
import pytest

from hedgerow.exceptions import InvalidDataError
from hedgerow.sources import Parquet
from hedgerow.tables.samples import Source
from hedgerow.tables.table_rows import Answers, Arranged, TableRows, final_labels

LIKE = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", None]}, dtype=object).astype({"a": float})


def rows_of(path, frame, held_out=(), weight=None, labels=None, batch_rows=2):
    frame.to_parquet(path)
    source = Source(path, "y", weight)
    labels = {"p": "p", "q": "q"} if labels is None else labels
    files = Parquet(path, batch_rows=batch_rows)
    arranged = Arranged.like(LIKE, source, None)
    return TableRows(files, source, np.array(held_out, dtype=np.int64), arranged, Answers("y", labels or None), None)


def chunks_of(rows, columns=None):
    return [piece() for piece in rows.pieces(columns, True, 1)]


def test_rows_that_are_held_out_or_have_no_target_are_left_out(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3, 4, 5], "b": list("xyxyx"), "y": ["p", None, "q", "p", "q"]})
    chunks = chunks_of(rows_of(tmp_path / "t.parquet", frame, held_out=[0, 3]))
    assert [chunk.n_rows for chunk in chunks] == [0, 1, 1]
    assert [chunk.y.tolist() for chunk in chunks] == [[], ["q"], ["q"]]
    assert chunks[1].X.to_dict("list") == {"a": [3], "b": ["x"]}


def test_only_wanted_columns_are_made(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "y": ["p", "q"]})
    (chunk,) = chunks_of(rows_of(tmp_path / "t.parquet", frame), ["b"])
    assert list(chunk.X) == list(chunk.columns) == ["b"]


def test_labels_change_as_those_that_were_drawn_and_numbers_are_checked(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3], "b": list("xyx"), "y": ["p ", "NA", "q"]})
    labels = {"p ": "p", "NA": None, "q": "q"}
    chunks = chunks_of(rows_of(tmp_path / "t.parquet", frame, labels=labels))
    assert [chunk.y.tolist() for chunk in chunks] == [["p"], ["q"]]
    numbers = frame.assign(y=["1.5", "NA", "x"])
    with pytest.raises(InvalidDataError, match=r"rows? 2.*: the target 'y' is 'x', which is not a number"):
        chunks_of(rows_of(tmp_path / "n.parquet", numbers, labels={}))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"a": ["1", "2", "three"]}, "row 2: the column 'a' is 'three', not a number"),
        ({"a": [1.0, 2.0, np.inf]}, "row 2: The column 'a' contains infinite numbers"),
        ({"y": ["p", "q", "new"]}, "row 2: the target 'new' was not there before: the file has changed"),
        ({"w": [1.0, 2.0, -1.0]}, "row 2: The weight column 'w' must contain a number of at least 0"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(tmp_path, change, said):
    frame = pd.DataFrame({"a": [1, 2, 3], "b": list("xyx"), "y": list("ppq"), "w": [1.0, 2.0, 3.0]}).assign(**change)
    with pytest.raises(InvalidDataError, match=said):
        chunks_of(rows_of(tmp_path / "t.parquet", frame, weight="w"))


def test_the_label_of_each_target_is_found_out_from_those_that_were_drawn(tmp_path):
    raw = pd.Series(["no", "yes ", "no", None, "NA"], dtype=object, name="y")
    assert final_labels(raw, Source(tmp_path / "t.parquet", "y"), None) == {
        "no": "no",
        "yes ": "yes",
        "NA": None,
    }
