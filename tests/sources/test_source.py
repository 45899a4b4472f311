import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from row_statistics import AsRead, Rows

from hedgerow.exceptions import InvalidDataError
from hedgerow.sources import Chunks, Parquet, as_source

N = 40
TABLE = pd.DataFrame(
    {
        "a": np.arange(N) / 2,
        "b": np.arange(N) % 5,
        "s": [f"s{i % 3}" for i in range(N)],
        "y": np.arange(N) % 2,
        "w": 1.5,
    }
)
FEATURES = ["a", "b", "s"]


def as_chunks(size, batch_rows):
    def chunks():
        for start in range(0, N, size):
            part = TABLE.iloc[start : start + size]
            yield part[FEATURES], part["y"], part["w"]

    return Chunks(chunks, batch_rows=batch_rows)


def as_parquet(folder, size, batch_rows):
    for i, start in enumerate(range(0, N, size)):
        TABLE.iloc[start : start + size].to_parquet(folder / f"part-{i:02}.parquet", row_group_size=3)
    return Parquet(folder, "y", "w", batch_rows=batch_rows)


def as_dask(size, batch_rows):
    dd = pytest.importorskip("dask.dataframe")
    source = as_source(dd.from_pandas(TABLE, chunksize=size), "y", "w")
    source.batch_rows = batch_rows
    return source


@settings(max_examples=15, deadline=None)
@given(
    kind=st.sampled_from(["chunks", "parquet", "dask"]),
    size=st.integers(1, N + 5),
    batch_rows=st.integers(1, N + 5),
    n_jobs=st.sampled_from([None, 1, 2, 5]),
    columns=st.none() | st.sets(st.sampled_from(FEATURES), min_size=1),
)
def test_every_pass_over_any_source_sees_all_rows_in_order(tmp_path_factory, kind, size, batch_rows, n_jobs, columns):
    folder = [tmp_path_factory.mktemp("rows")] if kind == "parquet" else []
    source = {"chunks": as_chunks, "parquet": as_parquet, "dask": as_dask}[kind](*folder, size, batch_rows)
    assert (source.names, source.n_features, source.has_targets) == (FEATURES, 3, True) or kind == "chunks"
    passes = source.passes(AsRead(), n_jobs=n_jobs)
    wanted = [name for name in FEATURES if columns is None or name in columns]
    for _ in range(2):
        rows = passes.run(Rows(), columns=columns and sorted(columns))
        assert rows.values == TABLE[wanted].to_numpy().tolist()
        assert (rows.targets, rows.weights) == (TABLE["y"].tolist(), TABLE["w"].tolist())
    assert (passes.n, passes.n_rows) == (2, N)
    chunks = list(passes.map(lambda chunk: chunk, columns=wanted[:1]))
    assert passes.n == 3
    assert pd.concat([chunk.X for chunk in chunks])[wanted[0]].tolist() == TABLE[wanted[0]].tolist()
    assert all(chunk.y is None and chunk.weight is None and chunk.n_rows <= batch_rows for chunk in chunks)
    assert all(list(chunk.columns) == wanted[:1] for chunk in chunks)


def test_a_statistic_stays_as_it_is():
    statistic = Rows()
    as_chunks(7, 5).passes(AsRead()).run(statistic)
    assert statistic.values == []


@pytest.mark.parametrize("kind", ["chunks", "dask"])
def test_columns_that_are_not_there_are_refused_at_once(kind):
    source = {"chunks": as_chunks, "dask": as_dask}[kind](10, 10)
    with pytest.raises(InvalidDataError, match=r"has no column 'z'\. It has: 'a', 'b'"):
        source.passes(AsRead(), columns=["a", "z"])
