import itertools

import numpy as np
import pandas as pd
import pytest

from hedgerow.exceptions import InvalidDataError
from hedgerow.sources import Chunk
from hedgerow.sources.checksum import Checksum, Record


def checksum(X, y=None, weight=None):
    columns = list(X.columns) if hasattr(X, "columns") else list(range(X.shape[1]))
    return Checksum.of(Chunk(X, y, weight, "chunk 0", columns))


def frame():
    values = np.arange(50_000)
    return pd.DataFrame(
        {
            "number": np.where(values % 7, values / 3, np.nan),
            "small": (values % 100).astype("int8"),
            "single": values.astype("float32"),
            "flag": values % 3 == 0,
            "zero_or_one": (values % 2).astype(float),
            "string": pd.Series([None if i % 11 == 0 else f"s{i % 5}" for i in values], dtype="str"),
            "object": pd.Series([None if i % 11 == 0 else (i % 3, "x") for i in values], dtype=object),
            "category": pd.Categorical([f"c{i % 4}" for i in values]),
            "date": pd.date_range("2020-01-01", periods=len(values), freq="min"),
            "zoned": pd.date_range("2020-01-01", periods=len(values), freq="min", tz="UTC"),
            "nullable": pd.array([None if i % 5 == 0 else i for i in values], dtype="Int64"),
        }
    )


@pytest.mark.parametrize("bounds", [[1], [0, 7], [20_000], [16_384, 16_385, 49_999]])
@pytest.mark.parametrize("column", frame().columns)
def test_checksums_of_parts_add_up_to_that_of_the_whole(column, bounds):
    table = frame()[[column]]
    whole, added = checksum(table), Checksum()
    for start, stop in zip([0, *bounds], [*bounds, len(table)], strict=True):
        added.merge(checksum(table.iloc[start:stop]))
    assert (added.n_rows, added.sums) == (whole.n_rows, whole.sums)


@pytest.mark.parametrize("column", frame().columns)
@pytest.mark.parametrize(("one", "other"), [(1, 2), (8, 2_057), (0, 32_769), (1_234, 49_998)])
def test_two_rows_that_change_places_change_the_checksum(column, one, other):
    table = frame()[[column]]
    order = np.arange(len(table))
    order[[one, other]] = order[[other, one]]
    values = [None if pd.isna(np.asarray(value, dtype=object)).any() else value for value in table[column]]
    expected = bool(values[one] == values[other])
    assert (checksum(table).sums == checksum(table.iloc[order]).sums) is expected


def test_no_two_columns_of_twelve_flags_have_the_same_checksum():
    flags = np.array(list(itertools.product([False, True], repeat=12)))
    sums = [*checksum(flags.T).sums.values()]
    assert len(set(sums)) == 2**12
    assert len({ordered for _, ordered in sums}) == 2**12


def test_columns_of_arrays_and_frames_have_the_same_sums():
    X = np.random.default_rng(0).normal(size=(100, 3))
    sums = [
        list(checksum(table).sums.values()) for table in (X, np.asfortranarray(X), pd.DataFrame(X, columns=[*"abc"]))
    ]
    assert sums[0] == sums[1] == sums[2]


def test_targets_and_weights_are_looked_at():
    X, y, weight = np.zeros((4, 1)), np.array(["a", "b", "b", "a"], dtype=object), np.ones(4)
    before = checksum(X, y, weight).sums
    assert set(before) == {"column 0", "the target", "the weight"}
    assert checksum(X, y[::-1].copy(), weight).sums == before  # the same order of values
    assert checksum(X, np.array(["b", "a", "b", "a"]), weight).sums["the target"] != before["the target"]
    assert checksum(X, np.c_[[1, 2, 3, 4], [1, 2, 3, 4]]).sums.keys() == {"column 0", "the target 0", "the target 1"}


def test_a_pass_over_other_values_is_refused_with_the_column_and_both_passes():
    record, table = Record("Chunks(f)"), frame()[["number", "flag"]]
    record.compare(checksum(table), 1)
    record.compare(checksum(table[["flag"]]), 2)
    table.loc[49_998, "flag"] ^= True
    with pytest.raises(InvalidDataError, match=r"^Chunks\(f\) changes .* column 'flag' in pass 3 are .* pass 1\."):
        record.compare(checksum(table), 3)


def test_a_column_is_compared_with_the_first_pass_that_read_it():
    record, table = Record("Chunks(f)"), frame()[["number", "flag"]]
    record.compare(checksum(table[["flag"]]), 1)
    record.compare(checksum(table), 2)
    with pytest.raises(InvalidDataError, match="column 'number' in pass 3 are not those of pass 2"):
        record.compare(checksum(table.assign(number=table["number"] + 1)), 3)


@pytest.mark.parametrize(("n", "said"), [(3, "3 rows"), (1, "1 row"), (0, "no rows")])
def test_a_pass_over_other_rows_is_refused_with_their_number(n, said):
    record, table = Record("Chunks(f)"), frame()[["number"]]
    record.compare(checksum(table), 1)
    with pytest.raises(InvalidDataError, match=f"50,000 rows in pass 1, {said} in pass 2"):
        record.compare(checksum(table.head(n)), 2)


def test_a_pass_over_no_rows_is_refused():
    with pytest.raises(InvalidDataError, match=r"Chunks\(f\) has no rows; at least one is needed"):
        Record("Chunks(f)").compare(Checksum(), 1)
