import sys

import numpy as np
import pandas as pd
import pytest

from hedgerow.exceptions import InvalidDataError
from hedgerow.sources import Chunks, as_source


def halves():
    yield np.zeros((2, 1)), [0, 1]


def test_a_source_is_taken_as_it_is():
    source = Chunks(halves)
    assert as_source(source) is source


@pytest.mark.parametrize(("given", "way"), [({"y": [0, 1]}, "target='...'"), ({"sample_weight": [1, 1]}, "weight=")])
def test_targets_beside_a_source_are_refused(given, way):
    with pytest.raises(InvalidDataError, match=rf"Chunks\(halves\) has its own .*{way}"):
        as_source(Chunks(halves), **given)


@pytest.mark.parametrize("X", [[[1.0]], np.ones((2, 2)), pd.DataFrame({"a": [1]}), None, "rows", int])
def test_tables_in_memory_need_no_source(X):
    assert as_source(X, [1]) is None


def test_tables_in_memory_do_not_load_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "hedgerow.sources.dask", None)
    assert as_source(np.ones((2, 2))) is None
