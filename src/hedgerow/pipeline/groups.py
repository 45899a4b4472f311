"""Rows that are read in chunks, added up for each value of a column: what a constraint on groups asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, IntArray
from hedgerow.candidates.tally import Tally
from hedgerow.features.frames import column_of, is_present
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.streams import Router, Rows
from hedgerow.sources.columns import columns_of, in_order
from hedgerow.sources.source import Chunk, Passes


@dataclass(frozen=True, eq=False)
class GroupReader:
    """Finds the ends that the rows of a chunk reach, and the group of each row.

    Attributes
    ----------
    router : Router
    column : str or int
        What the column of groups is called in the source.
    """

    router: Router
    column: str | int

    def rows(self, chunk: Chunk) -> tuple[Rows, list[Any], IntArray]:
        """Return the rows that count, the groups that occur, and which one each row belongs to."""
        groups, codes = _groups(column_of(in_order(chunk, [self.column]), 0))
        return self.router.rows(chunk), groups, codes if chunk.weight is None else codes[chunk.weight > 0]


class Grouped:
    """The sums of each group.

    Parameters
    ----------
    n_ranks : int array
        The number of ends of each tree.
    n_classes : int or None
    most : int
        Rows of so many more groups than this are not added up.
    """

    def __init__(self, n_ranks: IntArray, n_classes: int | None, most: int) -> None:
        self.n_ranks, self.n_classes, self.most = n_ranks, n_classes, most
        self.of: dict[Any, Tally] = {}

    def empty(self) -> Grouped:
        """Return the sums of no rows."""
        return Grouped(self.n_ranks, self.n_classes, self.most)

    def add(self, given: tuple[Rows, list[Any], IntArray]) -> None:
        """Add the rows of a chunk."""
        rows, groups, codes = given
        assert rows.y is not None
        ranks = rows.ranks()
        for code in np.unique(codes).tolist():
            mine = codes == code
            self._tally(groups[code]).add(ranks[mine], rows.y[mine], None if rows.weight is None else rows.weight[mine])

    def merge(self, other: Grouped) -> None:
        """Add the rows of another part."""
        for group, tally in other.of.items():
            self._tally(group).merge(tally)

    def _tally(self, group: Any) -> Tally:
        """Return the sums of a group; of one too many, sums that nobody keeps."""
        if group in self.of or len(self.of) <= self.most:
            return self.of.setdefault(group, Tally(self.n_ranks, self.n_classes))
        return Tally(self.n_ranks, self.n_classes)


def by_group(passes: Passes, forest: Forest, n_ranks: IntArray, column: int, most: int) -> dict[Any, Tally]:
    """Make one more pass over rows that were surveyed; return the sums of each value of a column, None if missing.

    Parameters
    ----------
    passes : Passes
        Those of :func:`hedgerow.pipeline.streams.survey`.
    forest : Forest
        Over the whole table.
    n_ranks : int array
        The number of ends of each tree.
    column : int
        The position of the column in the table.
    most : int
        Of more groups than this, one more is returned.
    """
    router = passes.reader
    assert isinstance(router, Router)
    (label,) = columns_of(passes.source, forest.inputs, [column])
    n_classes = len(router.task.labels) if router.task.has_labels else None
    also = passes.reading(GroupReader(router, label), list(dict.fromkeys([*router.columns, label])))
    return also.run(Grouped(n_ranks, n_classes, most), what="counting groups").of


def _groups(column: Any) -> tuple[list[Any], IntArray]:
    """Return the distinct values of a column, None for missing ones, and the place of each row's among them."""
    values: AnyArray = np.asarray(column)
    if values.dtype.kind in "biufU":
        distinct, codes = np.unique(values, return_inverse=True)
    else:
        import pandas as pd

        codes, distinct = pd.factorize(np.asarray(column, dtype=object), use_na_sentinel=False)
    return [value if is_present(value) else None for value in distinct.tolist()], codes
