"""What a rule list makes of rows that are read in chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.forests.forest import Forest
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList
from hedgerow.sources.columns import columns_of, in_order
from hedgerow.sources.source import Chunk, Source

_PARTS = ("matches", "fired", "predictions", "shares")


@dataclass(frozen=True, eq=False)
class Looker:
    """Looks at the rows of a chunk with a rule list and, if there is one, its ensemble.

    Attributes
    ----------
    rule_list : RuleList
    columns : tuple of str or int
        What its columns are called in the source.
    parts : tuple of str
        What is wanted of the list.
    forest : Forest or None
        Whose predictions are wanted, too.
    """

    rule_list: RuleList
    columns: tuple[str | int, ...]
    parts: tuple[str, ...]
    forest: Forest | None

    def rows(self, chunk: Chunk) -> dict[str, AnyArray]:
        """Return one entry per row of each part."""
        X = in_order(chunk, self.columns)
        seen = self.rule_list.evaluate(X)
        found = {name: getattr(seen, name) for name in self.parts}
        if self.forest is not None:
            values = self.forest.inputs.matrix(X)
            found |= {"said": self.forest.predictions_of(values), "answer": self.forest.answer_of(values)}
        return found if chunk.y is None else found | {"y": chunk.y}


def look(
    rule_list: RuleList, source: Source, parts: tuple[str, ...], forest: Forest | None = None, n_jobs: int | None = None
) -> dict[str, AnyArray]:
    """Make one pass over a source; return one entry per row of each part, with the targets if there are any.

    ``parts`` are names of attributes of :class:`~hedgerow.rules.evaluation.Evaluation`; with ``forest``, there are
    "said" and "answer" as well: what it predicts.
    """
    columns = columns_of(source, rule_list.inputs, range(len(rule_list.inputs.names)))
    passes = source.passes(Looker(rule_list, tuple(columns), parts, forest), columns, n_jobs=n_jobs)
    found = list(passes.map(_itself, targets=forest is not None and source.has_targets, what="predicting"))
    return {name: np.concatenate([part[name] for part in found]) for name in (found[0] if found else ())}


def evaluated(rule_list: RuleList, found: dict[str, AnyArray]) -> Evaluation:
    """Return what was found in chunks as if all rows had been looked at at once."""
    none: Any = np.empty((len(found["fired"]), 0))
    seen = Evaluation(rule_list.rules, rule_list.default, rule_list.fallback, rule_list.task, 4, none, {})
    vars(seen).update({name: found[name] for name in _PARTS if name in found})
    return seen


def said_by(forest: Forest, rule_list: RuleList, found: dict[str, AnyArray]) -> tuple[AnyArray, FloatArray | None]:
    """Return what the ensemble predicts: labels or values, and class shares in the order of the list's."""
    if not forest.task.has_labels:
        return found["said"], None
    known = list(forest.task.labels)
    place = [known.index(label) for label in rule_list.task.labels if label in known]
    return found["said"], found["answer"][:, place] if len(place) == len(rule_list.task.labels) else None


def _itself(rows: dict[str, AnyArray]) -> dict[str, AnyArray]:
    return rows
