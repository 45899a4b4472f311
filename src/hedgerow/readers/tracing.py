"""The origin of each column of the table that a fitted pipeline computes.

A column starts as a column of X, or as the output of a step that cannot be inverted, and has gone through some moves
since. Nested pipelines, column transformers and feature unions are followed step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import joblib
import numpy as np
from sklearn import get_config
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import FeatureUnion, Pipeline

from hedgerow.features import DatePart, Notation, Output, Steps, Word
from hedgerow.readers.inversions import Move, TakePart, moves_of
from hedgerow.readers.skrub_moves import moves_of_skrub
from hedgerow.readers.table_moves import moves_of_table

Stages = tuple[tuple[tuple[int, ...] | int | None, Any], ...]


@dataclass(frozen=True, eq=False)
class Traced:
    """A column: its origin, and its moves since.

    Attributes
    ----------
    base : int, Output or DatePart
        The number of a column of X, the output of a step, or a part of the dates in a column of X.
    moves : tuple of Move
    notation : Notation or None
        How the cells of the column of X are written; None if they are values.
    """

    base: int | Output | DatePart
    moves: tuple[Move, ...] = ()
    notation: Notation | None = None


@dataclass(frozen=True)
class Computed:
    """A step that cannot be inverted: its name, its place in the pipeline, and a prefix of its own for its columns."""

    name: str
    prefix: str
    own: str


@dataclass(frozen=True, eq=False)
class Table:
    """The columns at some point of a pipeline.

    Attributes
    ----------
    columns : list of Traced
    names : list of str
        The names of the columns.
    stages :
        What to run on X to get the table.
    prefix : str
        The place of the table in the pipeline, to distinguish equal names.
    text : str or None
        The name of the column, if the table is a vector: one column out of several.
    is_sparse : bool
        Whether the table is a sparse matrix, in which zeros are not stored.
    computed : dict
        The steps that could not be inverted, by the key of the stages that compute them.
    columns_of_x : sequence of str
        The names of the columns of X.
    """

    columns: list[Traced]
    names: list[str]
    stages: Stages = ()
    prefix: str = ""
    text: str | None = None
    is_sparse: bool = False
    computed: dict[str, Computed] = field(default_factory=dict)
    columns_of_x: Sequence[str] = ()

    @classmethod
    def of_columns(cls, names: Sequence[str]) -> Table:
        """Return the table that goes into a pipeline."""
        return cls([Traced(i) for i in range(len(names))], list(names), columns_of_x=names)

    def part(self, columns: tuple[int, ...] | int, prefix: str) -> Table:
        """Return some columns of the table, or one of them as a vector."""
        positions = (columns,) if isinstance(columns, int) else columns
        return replace(
            self,
            columns=[self.columns[i] for i in positions],
            names=[self.names[i] for i in positions],
            stages=(*self.stages, (columns, None)),
            prefix=f"{self.prefix}{prefix}__",
            text=self.names[columns] if isinstance(columns, int) else None,
        )


def trace(step: Any, table: Table, name: str, width: int | None = None) -> Table:
    """Return the table after a fitted step; ``width`` is its number of columns, if known."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return table
    if isinstance(step, FrozenEstimator):
        return trace(step.estimator, table, name, width)
    for kind, follow in _CONTAINERS:
        if isinstance(step, kind):
            made = follow(step, table, name, width)
            break
    else:
        moves = moves_of_table(step) or moves_of_skrub(step) or moves_of(step, len(table.columns))
        made = _moved(step, table, name, moves) if moves is not None else None
    if made is None or (width is not None and len(made.columns) != width):
        return _computed(step, table, name, width)
    return made


def _pipeline(step: Pipeline, table: Table, name: str, width: int | None) -> Table:
    widths = [getattr(inner, "n_features_in_", None) for _, inner in step.steps[1:]]
    for (inner_name, inner), after in zip(step.steps, [*widths, width], strict=True):
        table = trace(inner, table, inner_name, after)
    return table


def _column_transformer(step: ColumnTransformer, table: Table, name: str, width: int | None) -> Table:
    made = _empty_like(table, sum(s.stop - s.start for s in step.output_indices_.values()))
    for inner_name, inner, columns in step.transformers_:
        where = step.output_indices_[inner_name]
        if where.stop == where.start:
            continue
        chosen = step._transformer_to_input_indices[inner_name]
        one = isinstance(columns, (str, int, np.integer)) and not isinstance(columns, bool)
        part = table.part(int(chosen[0]) if one else tuple(map(int, chosen)), inner_name)
        if isinstance(inner, str):  # passthrough; dropped columns have no outputs
            inner = None
        branch = trace(inner, part, inner_name, where.stop - where.start)
        made.columns[where], made.names[where] = branch.columns, branch.names
    return replace(made, stages=(*table.stages, (None, step)), is_sparse=step.sparse_output_)


def _feature_union(step: FeatureUnion, table: Table, name: str, width: int | None) -> Table | None:
    if step.transformer_weights:
        return None
    made = _empty_like(table, 0)
    is_sparse = False
    for inner_name, inner, _ in step._iter():
        inside = replace(table, prefix=f"{table.prefix}{inner_name}__")
        branch = trace(inner, inside, inner_name)
        made.columns.extend(branch.columns)
        made.names.extend(branch.names)
        is_sparse |= branch.is_sparse
    return replace(made, stages=(*table.stages, (None, step)), is_sparse=is_sparse)


def _words(step: CountVectorizer, table: Table, name: str, width: int | None) -> Table:
    terms = [str(term) for term in step.get_feature_names_out()]
    return _word_table(table, step, terms, step._tfidf if isinstance(step, TfidfVectorizer) else None)


def _weighted_words(step: TfidfTransformer, table: Table, name: str, width: int | None) -> Table | None:
    bases = [c.base for c in table.columns if isinstance(c.base, Word) and not c.moves]
    if len(bases) < len(table.columns):
        return None
    return _word_table(table, step, [word.term for word in bases], step)


def _word_table(table: Table, step: Any, terms: Sequence[str], weighting: Any) -> Table:
    stages = _stages(table, step)
    of = f" in {table.text}" if table.text is not None else ""
    column = table.text if table.text is not None else table.names[0] if len(table.names) == 1 else "text"
    smallest = _smallest_weights(weighting, len(terms))
    steps = _steps(stages)
    kind = "count" if weighting is None else "tf-idf"
    words = [
        Word(steps, i, f'{kind} of "{term}"{of}', term=term, column=column, smallest=least, is_count=weighting is None)
        for i, (term, least) in enumerate(zip(terms, smallest, strict=True))
    ]
    return replace(table, columns=[Traced(word) for word in words], names=list(terms), stages=stages, is_sparse=True)


def _smallest_weights(weighting: Any, n_terms: int) -> list[float]:
    """Return a lower bound for the weight of each term in a text that contains it."""
    if weighting is None:
        return [1.0] * n_terms
    if weighting.norm is not None:  # the weight shrinks with the length of the text
        return [0.0] * n_terms
    return weighting.idf_.tolist() if weighting.use_idf else [1.0] * n_terms


def _moved(step: Any, table: Table, name: str, moves: Sequence[Move | None]) -> Table:
    columns = [None if move is None else _after(table, move) for move in moves]
    computed = _computed(step, table, name, len(moves)) if None in columns else None
    made = _empty_like(table, len(moves))
    for i, (move, column) in enumerate(zip(moves, columns, strict=True)):
        if move is not None and column is not None:
            made.columns[i], made.names[i] = column, table.names[move.source]
        else:
            assert computed is not None
            made.columns[i], made.names[i] = computed.columns[i], computed.names[i]
    keeps = getattr(step, "sparse_output", table.is_sparse)
    return replace(made, stages=_stages(table, step), is_sparse=bool(keeps))


def _after(table: Table, move: Move) -> Traced | None:
    """Return a column after a move; None if the move reads cells of X, but the column is not one of X any more."""
    before = table.columns[move.source]
    if move.notation is not None or isinstance(move, TakePart):
        if not isinstance(before.base, int) or before.moves or before.notation is not None:
            return None
        if isinstance(move, TakePart):
            return Traced(move.part.moved(before.base, table.columns_of_x[before.base]))
        before = replace(before, notation=move.notation)
    return before if type(move) is Move else replace(before, moves=(*before.moves, move))


def _computed(step: Any, table: Table, name: str, width: int | None) -> Table:
    """Return a table of computed columns, of which only the names are known."""
    stages = _stages(table, step)
    steps = _steps(stages)
    names = _names_out(step, table, name, width)
    own = table.prefix if table.prefix.endswith(f"{name}__") else f"{table.prefix}{name}__"
    table.computed[steps.key] = Computed(f"{table.prefix}{name} ({type(step).__qualname__})", table.prefix, own)
    columns = [Traced(Output(steps, i, called)) for i, called in enumerate(names)]
    is_sparse = table.is_sparse or isinstance(step, HashingVectorizer) or getattr(step, "encode", "") == "onehot"
    return replace(table, columns=columns, names=names, stages=stages, is_sparse=is_sparse)


def whole_output(table: Table, position: int) -> Output:
    """Return a column of the table as an output of all the steps so far."""
    steps = _steps(table.stages)
    kinds = [type(step).__qualname__ for _, step in table.stages]
    computed = Computed(", ".join(kinds), table.prefix, f"{table.prefix}{kinds[-1].lower()}__")
    table.computed.setdefault(steps.key, computed)
    return Output(steps, position, table.names[position])


def _names_out(step: Any, table: Table, name: str, width: int | None) -> list[str]:
    given = () if hasattr(step, "feature_names_in_") else (np.array(table.names, dtype=object),)
    try:
        names = [str(n) for n in step.get_feature_names_out(*given)]
    except (AttributeError, TypeError, ValueError):
        names = []
    if names and width in (None, len(names)):
        return names
    n_outputs: Any = width or getattr(step, "_n_features_out", None) or getattr(step, "n_features", 1)
    return [f"{name}{i}" for i in range(n_outputs)]


def _steps(stages: Stages) -> Steps:
    return Steps(_key(stages), stages, get_config()["transform_output"])


def _stages(table: Table, step: Any) -> Stages:
    """Return what to run on X for the output of a step after the table; a selection is joined with its transformer."""
    if table.stages and table.stages[-1][1] is None:
        return (*table.stages[:-1], (table.stages[-1][0], step))
    return (*table.stages, (None, step))


def _key(stages: Stages) -> str:
    try:
        return str(joblib.hash(stages))
    except Exception:  # a function that cannot be pickled: the stages equal only themselves
        return " ".join(str(id(step)) for _, step in stages)


def _empty_like(table: Table, width: int) -> Table:
    return replace(table, columns=[Traced(-1)] * width, names=[""] * width)


_CONTAINERS: tuple[tuple[Any, Callable[[Any, Table, str, int | None], Table | None]], ...] = (
    (Pipeline, _pipeline),
    (ColumnTransformer, _column_transformer),
    (FeatureUnion, _feature_union),
    (CountVectorizer, _words),
    (TfidfTransformer, _weighted_words),
)
