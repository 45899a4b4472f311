"""What a rule list makes of rows that are read in chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError
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


@dataclass(frozen=True, eq=False)
class Scorer:
    """Finds out what a chunk contributes to a score: weight, mean and spread of the targets, and what is missed.

    Of labels, the mean and the spread are 0, and what is missed is the weight of wrong predictions.
    """

    rule_list: RuleList
    columns: tuple[str | int, ...]

    def rows(self, chunk: Chunk) -> FloatArray:
        """Return the four numbers."""
        _, y = type(self.rule_list.task).of(chunk.y, "score")
        predicted = self.rule_list.evaluate(in_order(chunk, self.columns)).predictions
        weight = np.ones(len(y)) if chunk.weight is None else chunk.weight
        total = float(weight.sum())
        if self.rule_list.task.has_labels:
            return np.array([total, 0.0, 0.0, weight[np.asarray(y != predicted)].sum()])
        mean = float(np.average(y, weights=weight)) if total > 0 else 0.0
        return np.array([total, mean, weight @ (y - mean) ** 2, weight @ (y - predicted) ** 2])


def score(rule_list: RuleList, source: Source, n_jobs: int | None = None) -> float:
    """Make one pass over a source with targets; return the accuracy or R², with its weights if it has some."""
    columns = columns_of(source, rule_list.inputs, range(len(rule_list.inputs.names)))
    passes = source.passes(Scorer(rule_list, tuple(columns)), columns, n_jobs=n_jobs)
    weight, mean, spread, missed = np.array(list(passes.map(_itself, targets=True, what="scoring"))).T
    total = float(weight.sum())
    if not total > 0:
        raise InvalidDataError(f"{source} has no rows of positive weight; at least one is needed.")
    if rule_list.task.has_labels:
        return 1 - float(missed.sum()) / total
    # The spread of all is that within chunks and that of their means.
    whole = float(spread.sum() + weight @ (mean - np.average(mean, weights=weight)) ** 2)
    return 1 - float(missed.sum()) / whole if whole > 0 else float(missed.sum() == 0)  # as scikit-learn has it


def _itself(rows: AnyArray) -> AnyArray:
    return rows
