"""The nodes of a pipeline's ensemble, rewritten in terms of the columns that go into the pipeline.

Where a step can be inverted, a test on its output becomes a test on its input:
another threshold, or a set of categories. The trees keep their nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.exceptions import UnsupportedModelError
from hedgerow.features import (
    Category,
    Column,
    ColumnOfNonzeros,
    ColumnWithGap,
    DatePart,
    Feature,
    Inputs,
    Notation,
    Output,
    Word,
)
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.readers import chains
from hedgerow.readers.inversions import Encode, Fill, Flag, Monotone, Move, NotInvertible, unseen
from hedgerow.readers.tracing import Table, Traced, whole_output

_WORDS_FOR_MISSING = {"", "missing", "missing_value", "nan", "none", "null", "na", "n/a"}


@dataclass(frozen=True, eq=False)
class _Task:
    """The branch nodes of the ensemble that split on one of its features."""

    where: IntArray
    feature: Any
    column: Traced
    position: int
    allows_missing: bool


class Rewriting:
    """The ensemble's nodes, rewritten feature by feature in terms of the pipeline's columns."""

    def __init__(self, inner: Forest, table: Table) -> None:
        self.inner, self.table = inner, table
        self.absent_is_missing = inner.inputs.absent == "missing"
        self.zero_is_missing = table.is_sparse and self.absent_is_missing
        nodes = inner.nodes
        self.threshold, self.missing_left = nodes.threshold.copy(), nodes.missing_left.copy()
        self.feature = np.full(len(self.threshold), -1)
        self.row = np.full(len(self.threshold), -1)
        self.swapped = np.zeros(len(self.threshold), dtype=bool)
        self.rows: list[BoolArray] = []
        self.features: dict[Feature, int] = {}
        self.complete: set[int] = set()
        self.delicate: dict[int, str] = {}
        self.notations: dict[int, Notation | None] = {}

    def forest(self) -> Forest:
        """Return the forest over the pipeline's columns."""
        groups: dict[tuple[int, ...], list[_Task]] = {}
        flags = []
        for task in self._tasks():
            if chains.is_flag(task.column.moves):
                flags.append(task)
            elif not task.column.moves:
                self._unchanged(task)
            elif isinstance(task.feature, Category) or any(isinstance(m, Encode) for m in task.column.moves):
                self._try(task)
            else:
                groups.setdefault(tuple(m.key for m in task.column.moves), []).append(task)
        for tasks in groups.values():
            self._invert(tasks)
        for task in flags:
            self._flag(task)
        return self._made()

    def _tasks(self) -> Iterable[_Task]:
        nodes, inputs = self.inner.nodes, self.inner.inputs
        branches = np.flatnonzero(nodes.left >= 0)
        branches = branches[np.argsort(nodes.feature[branches], kind="stable")]
        used, starts = np.unique(nodes.feature[branches], return_index=True)
        for j, start, end in zip(used, starts, [*starts[1:], len(branches)], strict=False):
            feature, where = inputs.features[j], branches[start:end]
            if not isinstance(feature, (Column, Category)):
                raise UnsupportedModelError(
                    f"The ensemble in this Pipeline splits on a {type(feature).__qualname__}, which is not a column. "
                    "Read the ensemble alone, without the steps before it."
                )
            allowed = inputs.allows_missing and feature not in inputs.complete
            column = self.table.columns[feature.index]
            self._note_notation(column)
            yield _Task(where, feature, column, feature.index, allowed)

    def _note_notation(self, column: Traced) -> None:
        """Remember how the cells of a column of X are read; refuse a pipeline that reads them in two ways."""
        base = column.base.index if isinstance(column.base, DatePart) else column.base
        if isinstance(base, int) and self.notations.setdefault(base, column.notation) != column.notation:
            raise UnsupportedModelError(
                f"Two steps of this Pipeline read the column {self.names[base]!r} in different ways, one of them as "
                "numbers that are written as strings. Convert the column to numbers before the pipeline."
            )

    def _place(self, feature: Feature, where: IntArray, complete: bool = False) -> None:
        """Make these nodes split on a feature, which may not be missing if ``complete``."""
        self.feature[where] = index = self.features.setdefault(feature, len(self.features))
        if complete:
            self.complete.add(index)

    def _unchanged(self, task: _Task) -> None:
        base, where = task.column.base, task.where
        if isinstance(task.feature, Category):
            if not isinstance(base, int):
                raise self._unsupported(task)
            self._place(replace(task.feature, index=base, name=self.names[base]), where, not task.allows_missing)
            self._keep_codes(where)
        elif isinstance(base, int):
            name = self.names[base]
            if self._tiny(task) is not None and type(task.feature) is Column:
                self._place(ColumnWithGap(base, name, 0.0, 0.0), where, not task.allows_missing)
            else:
                self._place(replace(task.feature, index=base, name=name), where, not task.allows_missing)
        elif isinstance(base, Word):
            self._word(base, where)
        elif isinstance(base, DatePart):
            self._part_of_date(task, base)
        else:
            self._place(self._output(task, base), where, not task.allows_missing)

    def _part_of_date(self, task: _Task, part: DatePart) -> None:
        if self._tiny(task) is not None:  # no part of a date has a gap
            self._compute(task)
            return
        # So that all thresholds between two integers are the same.
        self.threshold[task.where] = np.floor(self.threshold[task.where])
        self._place(part, task.where, not task.allows_missing)

    def _word(self, word: Word, where: IntArray) -> None:
        if word.is_count:  # so that all thresholds between two counts are the same
            self.threshold[where] = np.floor(self.threshold[where])
        if self.zero_is_missing:
            left, threshold = self.missing_left[where], self.threshold[where]
            # A text without the term is missing. It goes left as a zero would, or right with all others, or apart.
            nowhere = ~left & (threshold < word.smallest)
            self.threshold[where] = np.where(left, np.maximum(threshold, 0), np.where(nowhere, -1, threshold))
            apart = where[~left & ~nowhere]
            where = where[left | nowhere]
            if len(apart):
                self._place(replace(word, nonzero=True, unstored=True), apart)
        if len(where):
            self._place(word, where)

    def _compute(self, task: _Task) -> None:
        """Let the pipeline compute an output that cannot be expressed in terms of one column."""
        feature = self._output(task, whole_output(self.table, task.position))
        self._place(feature, task.where, not task.allows_missing)

    def _output(self, task: _Task, output: Output) -> Output:
        """Return an output whose zeros, or entries not stored, are missing if they are to the ensemble."""
        return replace(output, nonzero=self._tiny(task) is not None, unstored=self.absent_is_missing)

    def _try(self, task: _Task, like: Category | None = None) -> None:
        try:
            self._by_category(task, like)
        except NotInvertible:
            if isinstance(task.feature, Category):
                raise self._unsupported(task) from None
            self._compute(task)

    def _unsupported(self, task: _Task) -> UnsupportedModelError:
        return UnsupportedModelError(
            f"The ensemble uses {self.table.names[task.position]!r} as a {type(task.feature).__qualname__}, which "
            "cannot be traced through the steps before it. Leave the column unchanged in the pipeline, or encode it "
            "there with an OrdinalEncoder or OneHotEncoder."
        )

    # Categories

    def _by_category(self, task: _Task, like: Category | None = None) -> None:
        """Send each category where the steps' output for it goes."""
        base, moves = task.column.base, task.column.moves
        turn = next((i for i, move in enumerate(moves) if isinstance(move, (Encode, Flag))), len(moves))
        if not isinstance(base, int) or not all(isinstance(move, Fill) for move in moves[:turn]):
            raise NotInvertible
        feature, complete = self._category(task, base, moves, turn) if like is None else (like, False)
        values = [*feature.categories, *[unseen(feature.categories)] * feature.other, np.nan]
        made = replace(task.feature, index=0).compute(_as_table(chains.evaluate(moves, values)))
        if self._tiny(task) is not None:
            made = np.where(made == 0, np.nan, made)
        goes_left = list(self._goes_left(task, made))  # all of it before any node is changed
        self._place(feature, task.where, complete or (bool(np.isnan(made[-1])) and not task.allows_missing))
        for nodes, left in goes_left:
            self.row[nodes] = len(self.rows)
            self.rows.append(left[:-1])
            self.missing_left[nodes] = left[-1]

    def _category(self, task: _Task, base: int, moves: Sequence[Move], turn: int) -> tuple[Category, bool]:
        """Return the feature for a categorical column, and whether its values may not be missing."""
        if turn < len(moves):
            encoder = moves[turn]
            if not isinstance(encoder, Encode):
                raise NotInvertible
            known, other = encoder.categories, encoder.names_others
            complete = encoder.refuses_missing and not turn
        elif type(task.feature) is Category:
            known, other, complete = list(task.feature.categories), True, False
        else:
            raise NotInvertible  # other kinds may not know the values of their categories
        markers = {move.marker for move in moves[:turn] if isinstance(move, Fill) and move.marker is not None}
        known += markers - set(known)
        if all(isinstance(c, (bool, int, float)) for c in known):
            known.sort()
        blanks = _blanks(moves[0], known)
        known = [c for c in known if c not in blanks]
        return Category(base, self.names[base], tuple(known), other, blanks=blanks), complete

    def _goes_left(self, task: _Task, made: FloatArray) -> Iterable[tuple[IntArray, BoolArray]]:
        """Yield groups of nodes with a mask of the values that go left there."""
        nodes, where = self.inner.nodes, task.where
        missing = np.isnan(made)
        test = np.where(nodes.category[where] >= 0, nodes.category[where], self.threshold[where])
        for side in (False, True):
            here = self.missing_left[where] == side
            for value in np.unique(test[here]):
                group = where[here & (test == value)]
                codes = self._left_codes(group[0])
                left = made <= value if codes is None else codes[np.where(missing, 0, made).astype(np.intp)]
                yield group, np.where(missing, side, left)

    def _keep_codes(self, where: IntArray) -> None:
        """Keep the codes of these nodes."""
        numbers, first, inverse = np.unique(self.inner.nodes.category[where], return_index=True, return_inverse=True)
        rows = np.full(len(numbers), -1)
        for k, node in enumerate(where[first]):
            codes = self._left_codes(node)
            if codes is not None:
                rows[k] = len(self.rows)
                self.rows.append(codes)
        self.row[where] = rows[inverse]

    def _left_codes(self, node: int) -> BoolArray | None:
        nodes = self.inner.nodes
        return self.inner.trees[nodes.tree[node]].codes_left(nodes.local[node])

    def _flag(self, task: _Task) -> None:
        """Express "is missing" in terms of the feature that other nodes use for the column."""
        base = task.column.base
        known = [f for f in self.features if f.source == base]
        numeric = any(f.levels is None for f in known)
        numeric |= any(isinstance(move, Monotone) for move in task.column.moves)
        # Where zeros count as missing, so does the flag's "not missing" for all numbers: no threshold expresses that.
        if not isinstance(base, int) or (numeric and self._tiny(task) is None):
            self._invert([task])
            return
        # The flag is 0 for the value that other steps fill in for missing ones.
        categories = [f for f in known if isinstance(f, Category) and not f.blanks]
        self._try(task, categories[0] if categories else Category(base, self.names[base], (), other=True))

    # Numbers

    def _invert(self, tasks: Sequence[_Task]) -> None:
        """Replace thresholds on the outputs of chains of the same kinds of moves by thresholds on their inputs."""
        for task in tasks:
            if type(task.feature) not in (Column, ColumnOfNonzeros):
                raise self._unsupported(task)
        moves = [task.column.moves for task in tasks]
        found = [np.unique(self.threshold[task.where], return_inverse=True) for task in tasks]
        thresholds = np.full((max(len(ts) for ts, _ in found), len(tasks)), np.nan)
        for k, (ts, _) in enumerate(found):
            thresholds[: len(ts), k] = ts
        bounds, missing = chains.bounds(moves, thresholds), chains.of_missing(moves)
        gaps = chains.gaps(moves, np.array([-1.0 if (t := self._tiny(task)) is None else t for task in tasks]))
        for k, (task, (_, inverse)) in enumerate(zip(tasks, found, strict=True)):
            feature = self._number(task, gaps[k])
            if feature is None:
                self._compute(task)
                continue
            if isinstance(task.column.base, int) and (kinds := chains.low_precision(task.column.moves)):
                self.delicate[task.column.base] = max(kinds, self.delicate.get(task.column.base, ""), key=len)
            # A value that is filled already is missing to the ensemble only if later steps make it so.
            is_filled = isinstance(feature, ColumnWithGap) and feature.fill is not None
            self._send_missing(task, feature, np.nan if is_filled else None if missing is None else missing[k])
            self.threshold[task.where] = bounds[inverse, k]
            if chains.is_falling(moves[0]):
                self.swapped[task.where] = True
                self.missing_left[task.where] = ~self.missing_left[task.where]

    def _send_missing(self, task: _Task, feature: Feature, made: float | None) -> None:
        """Send missing values where the steps' output for them goes; ``made`` is None if the steps reject them."""
        tiny = self._tiny(task)
        if made is not None and tiny is not None and abs(made) <= tiny:
            made = np.nan
        if made is not None and not np.isnan(made):
            self.missing_left[task.where] = made <= self.threshold[task.where]
            self._place(feature, task.where)
        else:
            self._place(feature, task.where, made is None or not task.allows_missing)

    def _number(self, task: _Task, gaps: Sequence[tuple[float, float]]) -> Feature | None:
        base = task.column.base
        if len(gaps) > 1 or (gaps and not isinstance(base, int)):
            return None
        if isinstance(base, DatePart):
            return base
        if isinstance(base, Output):
            return replace(base, unstored=self.absent_is_missing)
        name, moves = self.names[base], task.column.moves
        if not gaps:
            return Column(base, name)
        fills = [i for i, move in enumerate(moves) if isinstance(move, Fill)]
        bounded = [i for i, move in enumerate(moves) if move.restricted]
        if not fills or moves[fills[0]].marker is not None or (bounded and fills[0] > bounded[-1]):
            return ColumnWithGap(base, name, *gaps[0])  # the gap is filled like missing values, or nothing is filled
        if fills == [0]:  # missing values are filled, values in the gap are not
            return ColumnWithGap(base, name, *gaps[0], float(moves[0].value))  # type: ignore[attr-defined]
        return None

    def _tiny(self, task: _Task) -> float | None:
        """Return how close to zero a number counts as missing; None if not even zero does."""
        if isinstance(task.feature, ColumnOfNonzeros):
            return task.feature.nearly_zero
        return 0.0 if self.zero_is_missing else None

    @property
    def names(self) -> Sequence[str]:
        """The names of the columns of X."""
        return self.table.columns_of_x

    # The forest

    def _made(self) -> Forest:
        features = _with_own_names(list(self.features), self.table)
        width = max((f.n_codes for f in features), default=0)
        table = np.zeros((len(self.rows), width), dtype=bool)
        for i, row in enumerate(self.rows):
            table[i, : len(row)] = row[:width]  # a row of the ensemble may be as wide as its widest feature
        ends = np.cumsum([tree.n_nodes for tree in self.inner.trees])
        parts = [slice(end - tree.n_nodes, end) for tree, end in zip(self.inner.trees, ends, strict=True)]
        trees = [self._tree(tree, part, table) for tree, part in zip(self.inner.trees, parts, strict=True)]
        inputs = Inputs(
            tuple(features),
            np.float64,
            allows_missing=len(self.complete) < len(features),
            allows_infinity=self.inner.inputs.allows_infinity,
            complete=frozenset(features[i] for i in self.complete),
            delicate=tuple(sorted(self.delicate.items())),
            notations=tuple((i, notation) for i, notation in sorted(self.notations.items()) if notation is not None),
        )
        return replace(self.inner, trees=tuple(trees), inputs=inputs)

    def _tree(self, tree: Tree, part: slice, table: BoolArray) -> Tree:
        swapped, row = self.swapped[part], self.row[part]
        used, local = np.unique(row[row >= 0], return_inverse=True)
        category = np.full(tree.n_nodes, -1)
        category[row >= 0] = local
        return replace(
            tree,
            left=np.where(swapped, tree.right, tree.left),
            right=np.where(swapped, tree.left, tree.right),
            feature=self.feature[part],
            threshold=self.threshold[part],
            missing_left=self.missing_left[part],
            category=category if len(used) else None,
            left_codes=table[used] if len(used) else None,
        )


def _blanks(first: Move, known: Sequence[Any]) -> tuple[Any, ...]:
    """Return the category that missing values are filled with, if it is just a word for missing."""
    if not isinstance(first, Fill) or str(first.value).lower() not in _WORDS_FOR_MISSING or len(known) < 2:
        return ()
    return tuple(c for c in known if c == first.value)


def _as_table(values: AnyArray) -> AnyArray:
    """Return values as a table of one column, codes as integers."""
    if values.dtype == np.float64 and np.all(values == np.rint(values)):
        values = values.astype(np.int64)
    table = np.empty((len(values), 1), dtype=values.dtype)
    table[:, 0] = values
    return table


def _with_own_names(features: list[Feature], table: Table) -> list[Feature]:
    """Return the features, computed ones renamed where two share a name or a column of X has it."""
    names = Counter(feature.name for feature in features)

    def named(feature: Feature) -> Feature:
        if type(feature) is not Output or feature.steps.key not in table.computed:
            return feature
        step = table.computed[feature.steps.key]
        if feature.name in table.columns_of_x:
            return replace(feature, name=f"{step.own}{feature.name}")
        return feature if names[feature.name] == 1 else replace(feature, name=f"{step.prefix}{feature.name}")

    return [named(feature) for feature in features]
