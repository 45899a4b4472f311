"""Large tables in Parquet files: some rows in memory, to train on and to test with, and all rows in chunks.

One pass draws rows at random. From these it is decided what each column is, a forest is trained on one part of them,
and the others are held out. All rows but these are then read in chunks (:class:`TableRows`), and the list is chosen on
them. Which rows are drawn depends on the seed and on the number of rows alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray
from hedgerow._support.progress import counted
from hedgerow.exceptions import InvalidDataError
from hedgerow.forests.forest import Forest
from hedgerow.sources.local import Piece, in_order
from hedgerow.sources.parquet import Parquet
from hedgerow.sources.source import BATCH_ROWS
from hedgerow.tables import columns
from hedgerow.tables.notes import Note
from hedgerow.tables.samples import AboutRows, Samples, Source, take_samples
from hedgerow.tables.table import Table
from hedgerow.tables.table_rows import Answers, Arranged, TableRows, final_labels
from hedgerow.tables.targets import notes_on_counts, notes_on_missing, warnings_on_counts
from hedgerow.tables.values import are_single, plain, plain_frame

#: At most so many rows are drawn for training, and at most as many are held out; fewer of tables with many columns.
MOST_ROWS = 100_000
#: So many values may be drawn for each of the two; and so many are in a chunk.
_DRAWN_VALUES, _CHUNK_VALUES = 10_000_000, 4_000_000
_LEAST_ROWS = 1000
#: A target with more distinct values than this has no classes.
_MOST_CLASSES = 1000


def read_in_chunks(source: Source, forest: Forest | None = None, n_jobs: int = 1) -> Samples:
    """Draw rows of a large table; return them, some held out, with all other rows as a stream.

    Parameters
    ----------
    source : Source
        Its ``path`` may also be a folder or a pattern.
    forest : Forest, optional
        A trained ensemble that determines the columns.
    n_jobs : int
        The number of threads.
    """
    if forest is not None and forest.inputs.of_series:
        raise InvalidDataError("Time series cannot be read in chunks. Read the table into memory: --no-stream.")
    parquet = Parquet(source.path)
    parquet.batch_rows = int(np.clip(_CHUNK_VALUES // parquet.n_features, _LEAST_ROWS, BATCH_ROWS))
    columns.check_names(parquet.names, [*source.taken, *source.keep, *source.named])
    task = source.task if forest is None else forest.task.name
    drawn = _draw(parquet, source, task, n_jobs)
    few = drawn.frame[source.target].nunique() <= columns.MOST_NUMBERED_LABELS
    if task is None and drawn.counts is None and drawn.numbers_are_counted and few:  # but more of all rows
        source = replace(source, task="regression")
    table = Table(drawn.frame, rows=drawn.positions)

    def told(targets: columns.Targets) -> AboutRows:
        return drawn.about_rows(source, _labels(drawn, targets.task, source, forest))

    def place_of(row: int) -> str:
        return parquet.place_of(int(drawn.positions[row]))

    samples = take_samples(table, source, forest, drawn.is_held_out, told, place_of)
    labels = _labels(drawn, samples.task, source, forest)
    n_present = drawn.n_with_target(labels)
    n_tested = 0 if samples.y_test is None else len(samples.y_test)
    rows = TableRows(
        parquet,
        source,
        drawn.positions[drawn.is_held_out],
        Arranged.like(samples.X, source, forest),
        Answers(source.target, labels),
        None if n_present is None else n_present - n_tested,
    )
    return replace(samples, rows=rows)


def _labels(drawn: _Drawn, task: str, source: Source, forest: Forest | None) -> dict[Any, Any] | None:
    """Return the label of each target as it is in the files; None for numbers."""
    if task == "regression":
        return None
    if drawn.counts is None:
        raise InvalidDataError(
            f"The target column {source.target!r} has more than {_MOST_CLASSES} distinct values, too many for "
            "classes. Name another column, or choose a regression, if it contains numbers.",
            parameter="task",
        )
    return final_labels(drawn.frame[source.target], source, forest)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Rows of a table that were drawn, in its order, and what one pass found out about the targets.

    Attributes
    ----------
    frame : pandas.DataFrame
    positions : int array
        Their numbers in the table.
    is_held_out : bool array
        Which of them are for testing.
    n_rows : int
        The number of rows of the table.
    counts : Counter or None
        How often each target occurs; None if there are too many different ones.
    n_present : int
        The number of rows with a target.
    numbers_are_counted : bool
        Whether this is also the number of rows with a number; strings may be marks for missing ones.
    """

    frame: Any
    positions: IntArray
    is_held_out: BoolArray
    n_rows: int
    counts: Counter[Any] | None
    n_present: int
    numbers_are_counted: bool

    def n_with_target(self, labels: dict[Any, Any] | None) -> int | None:
        """Return how many rows have one of these labels or, without labels, a number; None if that is not known."""
        if labels is None or self.counts is None:
            return self.n_present if self.numbers_are_counted else None
        return sum(n for value, n in self.counts.items() if labels.get(value) is not None)

    def about_rows(self, source: Source, labels: dict[Any, Any] | None) -> AboutRows:
        """Return notes and warnings about all rows of the table."""
        drawn = f"{len(self.positions)} of {self.n_rows} rows"
        text = f"the table is read in chunks; what each column is, is decided by {drawn}"
        # Several files are always read in chunks.
        notes = [Note(text, "no-stream", purpose="read it into memory") if source.path.is_file() else Note(text)]
        n_present = self.n_with_target(labels)
        n_present = self.n_present if n_present is None else n_present
        notes += notes_on_missing(self.n_rows - n_present, self.n_rows)
        by_label: Counter[Any] = Counter()
        if labels is not None and self.counts is not None:
            for value, n in self.counts.items():
                if labels.get(value) is not None:
                    by_label[labels[value]] += n
            notes += notes_on_counts(list(by_label), list(by_label.values()), source.target)
        return notes, warnings_on_counts(list(by_label), list(by_label.values()), n_present)


def _draw(parquet: Parquet, source: Source, task: str | None, n_jobs: int) -> _Drawn:
    """Make a pass that draws rows: at random and, of each class, at least the first one."""
    import pandas as pd
    from joblib import effective_n_jobs

    most = int(np.clip(_DRAWN_VALUES // parquet.n_features, _LEAST_ROWS, MOST_ROWS))
    n_rows, threads = parquet.n_rows, effective_n_jobs(n_jobs)
    if not n_rows:
        raise InvalidDataError(f"{source.path} has no rows.")
    n_test = min(round(source.test_size * n_rows), most)
    wanted, is_test = _positions(n_rows, min(n_rows - n_test, most), n_test, source.seed)
    frames, firsts, n_present = [], [], 0
    counts: Counter[Any] | None = Counter()
    with counted(n_rows, "rows", "drawing rows", False) as count:
        look = partial(_look, source.target, task, wanted)
        for seen in in_order(look, parquet.pieces(None, False, threads), threads):
            frames.append(seen.drawn)
            n_present += seen.n_present
            if counts is not None and seen.counts is not None and len(counts) <= _MOST_CLASSES:
                firsts.append(seen.firsts[~seen.firsts[source.target].isin(list(counts))])
                counts.update(seen.counts)
            else:
                counts = None
            count(seen.n_rows)
    held_out = wanted[is_test]
    if counts:
        first = pd.concat(firsts)
        held_out = np.setdiff1d(held_out, first.index)  # a forest must know all classes
        frames.append(first[~first.index.isin(wanted)])
    frame = _together(frames).sort_index()
    positions = frame.index.to_numpy(dtype=np.int64)
    are_numbers = frame[source.target].dtype != object
    frame = frame.reset_index(drop=True)
    return _Drawn(frame, positions, np.isin(positions, held_out), n_rows, counts, n_present, are_numbers)


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was seen of a chunk.

    Attributes
    ----------
    n_rows, n_present : int
        The number of rows, and of those with a target.
    drawn : pandas.DataFrame
        The rows that were drawn, by their numbers.
    counts : Counter or None
        How often each class occurs; None if the targets are not classes.
    firsts : pandas.DataFrame or None
        The first row of each class.
    """

    n_rows: int
    n_present: int
    drawn: Any
    counts: Counter[Any] | None = None
    firsts: Any = None


def _look(name: str, task: str | None, wanted: IntArray, piece: Piece) -> _Seen:
    """Look at a chunk: take those of its rows that are wanted, and count the classes of the target."""
    chunk = piece()
    frame, start = chunk.X, chunk.start or 0
    here = wanted[slice(*np.searchsorted(wanted, [start, start + len(frame)]))] - start
    target = plain(frame[name]).dropna()
    seen = _Seen(len(frame), len(target), plain_frame(frame.iloc[here].set_axis(here + start)))
    if task == "regression" or not are_single(target):
        return seen
    counts = target.value_counts()
    of_numbers = target.dtype != object and task is None  # which are classes only if they are few
    if len(counts) > (columns.MOST_NUMBERED_LABELS if of_numbers else _MOST_CLASSES):
        return seen
    rows = target.drop_duplicates().index
    firsts = plain_frame(frame.loc[rows].set_axis(rows + start))
    return replace(seen, counts=Counter(dict(counts.items())), firsts=firsts)


def _positions(n_rows: int, n_train: int, n_test: int, seed: int) -> tuple[IntArray, BoolArray]:
    """Return the numbers of the rows that are drawn, in order, and which of them are for testing."""
    chosen = np.random.default_rng(seed).choice(n_rows, n_train + n_test, replace=False)
    order = np.argsort(chosen)
    return chosen[order], order >= n_train


def _together(frames: list[Any]) -> Any:
    """Return frames as one; columns without values in some of them have the type of the others."""
    import pandas as pd

    full = [frame for frame in frames if len(frame)]
    return pd.DataFrame({name: plain(pd.concat([frame[name] for frame in full])) for name in frames[0]})
