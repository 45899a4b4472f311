"""What a rule list makes of rows that are read in chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import AnyArray
from hedgerow.rules.rule_list import RuleList
from hedgerow.sources.columns import columns_of, in_order
from hedgerow.sources.source import Chunk, Source


@dataclass(frozen=True, eq=False)
class Looker:
    """Looks at the rows of a chunk with a rule list.

    Attributes
    ----------
    rule_list : RuleList
    columns : tuple of str or int
        What its columns are called in the source.
    part : str
        What is wanted of the list.
    """

    rule_list: RuleList
    columns: tuple[str | int, ...]
    part: str

    def rows(self, chunk: Chunk) -> AnyArray:
        """Return one entry per row."""
        found: AnyArray = getattr(self.rule_list.evaluate(in_order(chunk, self.columns)), self.part)
        return found


def look(rule_list: RuleList, source: Source, part: str, n_jobs: int | None = None) -> AnyArray:
    """Make one pass over a source; return one entry per row.

    ``part`` is the name of an attribute of :class:`~hedgerow.rules.evaluation.Evaluation`.
    """
    columns = columns_of(source, rule_list.inputs, range(len(rule_list.inputs.names)))
    passes = source.passes(Looker(rule_list, tuple(columns), part), columns, n_jobs=n_jobs)
    return np.concatenate(list(passes.map(_itself, what="predicting")))


def _itself(rows: AnyArray) -> AnyArray:
    return rows
