"""Rows in chunks are added up for each value of a column, whatever the chunks and the type of the column are."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from hedgerow import read_forest
from hedgerow.candidates.pool import make_pool
from hedgerow.exceptions import InvalidDataError
from hedgerow.pipeline.groups import GroupReader, by_group
from hedgerow.pipeline.streams import survey
from hedgerow.sources import Chunk, Chunks

N = 90
NUMBERS = np.random.default_rng(0).normal(size=(N, 2))
Y = np.where(NUMBERS[:, 0] > 0, "p", "q")
FOREST = read_forest(RandomForestClassifier(3, max_depth=2, random_state=0).fit(np.c_[NUMBERS, NUMBERS[:, 0]], Y))


def counted(column, most=20, weight=None, size=25, changing=False):
    """Return how many rows of each label each group has."""
    frame = pd.DataFrame(NUMBERS, columns=["a", "b"]).assign(c=column)
    passes = []

    def chunks():
        passes.append(1)
        for start in range(0, N, size):
            rows = slice(start, start + size)
            part = frame.iloc[rows]
            part = part.assign(a=part["a"] + 1) if changing and len(passes) > 1 else part
            yield (part, Y[rows]) if weight is None else (part, Y[rows], weight[rows])

    pool = make_pool(FOREST, "leaves")
    task = FOREST.task
    surveyed = survey(Chunks(chunks), pool, task, 0.0)
    found = by_group(surveyed.passes, pool.forest, surveyed.ends.n_ranks, 2, most)
    n_ends = surveyed.ends.n_ranks[0]
    return {group: tally.labels[:n_ends].sum(axis=0).tolist() for group, tally in found.items()}, surveyed.passes.n


@pytest.mark.parametrize(
    "groups",
    [[1.0, 2.0, np.nan], [3, 4, 5], [True, False, True]],
    ids=["numbers", "integers", "booleans"],
)
def test_each_group_has_its_own_rows(groups):
    column = [groups[i % 3] for i in range(N)]
    found, n = counted(column)
    named = pd.Series(column, dtype=object)
    expected = {}
    for group in set(groups):
        mine = named.isna() if group != group else named == group
        expected[None if group != group else group] = [int((Y[mine] == label).sum()) for label in ("p", "q")]
    assert found == expected
    assert n == 2


def test_rows_of_weight_0_are_in_no_group():
    weight = (np.arange(N) % 3 > 0).astype(float)
    found, _ = counted(np.arange(N) % 3, weight=weight)
    assert set(found) == {1, 2}


def test_of_too_many_groups_one_more_is_returned():
    assert len(counted(np.arange(N), most=7)[0]) == 8


def test_rows_that_change_before_groups_are_counted_are_noticed():
    with pytest.raises(InvalidDataError, match=r"the values of column 'a' in pass 2 are not those of pass 1"):
        counted(np.arange(N) % 3, changing=True)


@pytest.mark.parametrize(
    "column",
    [
        ["x", "y", None, "x"],
        pd.Series(["x", "y", None, "x"], dtype="string"),
        pd.Categorical(["x", "y", None, "x"], categories=["z", "y", "x"]),
        np.array(["x", "y", np.nan, "x"], dtype=object),
    ],
    ids=["strings", "strings of pandas", "categories", "objects"],
)
def test_groups_may_be_strings_of_any_kind(column):
    reader = GroupReader(SimpleNamespace(rows=lambda chunk: chunk), "c")
    _, groups, codes = reader.rows(Chunk(pd.DataFrame({"c": column}), None, None, "chunk 0", ["c"]))
    assert [groups[code] for code in codes] == ["x", "y", None, "x"]
