"""Copies of a row with other values keep everything else, whatever the table."""

import numpy as np
import pandas as pd
import pytest
from people_lists import person, small_list

from hedgerow.evidence.changed_rows import Row

TABLES = {
    "pandas": person(age=3.5),
    "integers": person(age=np.int64(3)),
    "categories": person(job=pd.Categorical(["chef"])[0]).astype({"job": "category"}),
    "objects": np.array([[3.5, 1.0, "chef"]], dtype=object),
}


def row_of(X):
    rules = small_list([])
    return Row(rules.inputs, X, {})


@pytest.mark.parametrize("name", TABLES)
def test_only_the_changed_cells_differ(name):
    row = row_of(TABLES[name])
    changed = pd.DataFrame(row.changed([{0: 7.25}, {2: "smith"}, {0: 1, 2: "clerk"}]))
    own = pd.DataFrame(TABLES[name]).iloc[0].tolist()
    assert changed.to_numpy(dtype=object).tolist() == [
        [7.25, *own[1:]],
        [*own[:2], "smith"],
        [1, own[1], "clerk"],
    ]


def test_polars_frames_and_arrays_of_integers_are_changed_too():
    polars = pytest.importorskip("polars")
    made = row_of(polars.DataFrame({"age": [1], "debt": [2.0], "job": ["chef"]})).changed([{0: 2.5, 2: "smith"}])
    assert made.rows() == [(2.5, 2.0, "smith")]
    assert row_of(np.array([[1, 2, 3]])).changed([{1: 2.5}]).tolist() == [[1, 2.5, 3]]
