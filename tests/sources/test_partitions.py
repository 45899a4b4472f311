import pickle

import numpy as np
import pandas as pd
import pytest
from row_statistics import AsRead, Failing, Rows

from hedgerow.exceptions import InvalidDataError, UnsupportedModelError
from hedgerow.sources.layout import Layout
from hedgerow.sources.partitions import Cut, mapped, merged, summarized

FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0], "y": ["u", "v", "u"], "w": [1, 2, 3]})
KINDS = {"column 'a'": ("numbers", "Dask's description of it")}


def cut(columns=("a",), names=("a", "y", "w"), batch_rows=2):
    return Cut(columns, Layout(names, len(names)), KINDS, "y" in names, "w" in names, batch_rows)


def summary(frame, place="partition 0", y=None, weight=None, reader=None, **how):
    return summarized(frame, y, weight, place, cut(**how), reader or AsRead(), Rows())


def test_a_partition_is_cut_into_chunks():
    first, second = cut().chunks(FRAME[["w", "y", "a"]], None, None, "partition 4")
    assert (first.place, second.place) == ("partition 4, rows 0 to 1", "partition 4, row 2")
    assert (list(second.X), second.y.tolist(), second.weight.tolist()) == (["a"], ["u"], [3.0])


def test_targets_may_be_beside_the_features():
    rows = summary(FRAME[["a"]], y=FRAME[["y"]], weight=FRAME["w"], names=("a",)).statistic
    assert (rows.values, rows.targets, rows.weights) == ([[1], [2], [3]], ["u", "v", "u"], [1, 2, 3])


def test_empty_partitions_add_nothing():
    assert summary(FRAME.head(0)).statistic.values == []
    assert summary(FRAME.head(0)).error is None


@pytest.mark.parametrize(
    ("frame", "y", "said"),
    [
        (FRAME[["y", "w"]], None, "partition 0 lacks the column 'a', which Dask's description of it has"),
        (FRAME.assign(z=1), None, "Dask's description of it lacks the column 'z', which partition 0 has"),
        (FRAME.assign(a="1"), None, "partition 0: column 'a' has strings or objects, but numbers in Dask's"),
        (FRAME.assign(w=-1), None, "partition 0: a weight is negative"),
    ],
)
def test_errors_come_back_as_values(frame, y, said):
    error = summary(frame, y=y).error
    assert isinstance(error, InvalidDataError)
    assert said in str(error)


def test_other_numbers_of_targets_are_refused():
    error = summary(FRAME[["a"]], y=[1, 2], names=("a",)).error
    assert str(error).startswith("partition 0 has 3 rows in X, but 2 targets.")


@pytest.mark.parametrize(
    ("error", "expected"),
    [(ValueError("no"), "partition 0, row 2: ValueError: no"), (UnsupportedModelError("this"), "this")],
)
def test_errors_of_the_reader_say_where_and_can_be_sent(error, expected):
    for result in (
        summary(FRAME, reader=Failing(3.0, error)),
        mapped(FRAME, None, None, "partition 0", cut(), Failing(3.0, error), len_of),
    ):
        assert str(pickle.loads(pickle.dumps(result)).error) == expected


def test_what_is_merged_stays_as_it_is():
    parts = [summary(FRAME.iloc[[i]], f"partition {i}") for i in range(3)]
    whole = merged(parts)
    assert whole.statistic.targets == ["u", "v", "u"]
    assert [len(part.statistic.values) for part in parts] == [1, 1, 1]
    assert whole.checksum.sums == merged([merged(parts[:2]), parts[2]]).checksum.sums == summary(FRAME).checksum.sums


def test_the_first_error_counts():
    parts = [summary(FRAME), summary(FRAME.assign(a="1"), "partition 1"), summary(FRAME.assign(w=-1), "partition 2")]
    assert str(merged(parts).error).startswith("partition 1:")
    assert str(merged([parts[0], merged(parts[1:])]).error).startswith("partition 1:")


def test_a_partition_is_mapped_chunk_by_chunk():
    results = mapped(
        np.eye(3), None, None, "partition 0", Cut((0, 1, 2), Layout(None, 3), {}, False, False, 2), AsRead(), len_of
    )
    assert results.values == [2, 1]
    assert results.checksum.n_rows == 3


def len_of(chunk):
    return chunk.n_rows
