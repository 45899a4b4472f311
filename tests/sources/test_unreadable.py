import numpy as np
import pandas as pd
import pytest

from hedgerow.exceptions import InvalidDataError

pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
from hedgerow.sources import as_source  # noqa: E402
from hedgerow.sources.unreadable import naming  # noqa: E402

TABLE = pd.DataFrame({"a": np.arange(6.0), "s": pd.Categorical([*"uvuvuv"])})


def failing(part):
    if (part["a"] >= 4).any():
        raise OSError("the disk")
    return part


def parts(change=None):
    frame = dd.from_pandas(TABLE, npartitions=3)
    frame = frame if change is None else frame.map_partitions(change, meta=TABLE)
    return [(part, None, None) for part in frame.to_delayed()]


def test_the_first_partition_that_fails_is_named():
    with (
        pytest.raises(InvalidDataError, match=r"^partition 2 of The table cannot be computed: OSError: the disk$"),
        naming(lambda: parts(failing), None, "The table"),
    ):
        raise OSError("the disk")


@pytest.mark.parametrize("error", [ValueError("of something else"), MemoryError(), InvalidDataError("said already")])
def test_an_error_that_is_not_of_a_partition_stays_as_it_is(error):
    with pytest.raises(type(error)) as caught, naming(parts, None, "The table"):
        raise error
    assert caught.value is error


def test_errors_of_the_cluster_stay_as_they_are():
    killed = pytest.importorskip("distributed").KilledWorker("task", None, 3)
    with pytest.raises(type(killed)), naming(lambda: parts(failing), None, "The table"):
        raise killed


def test_strings_among_categories_are_named_by_their_partition(tmp_path):
    strings = pd.DataFrame({"a": range(60), "b": 1.0, "s": [f"s{i % 3}" for i in range(60)]})
    for i in range(3):
        part = strings.iloc[20 * i : 20 * i + 20]
        (part if i == 2 else part.astype({"s": "category"})).to_parquet(tmp_path / f"{i}.parquet")
    # pandas 2.2 already fails to read such a part
    why = r"(TypeError: column 's' is of type .*categories|ValueError: ArrowStringArray requires)"
    said = rf"^partition 2 of The Dask data frame cannot be computed: {why}"
    with pytest.raises(InvalidDataError, match=said):
        as_source(dd.read_parquet(tmp_path))
