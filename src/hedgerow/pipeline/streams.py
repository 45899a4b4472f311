"""Training rows that are read in chunks: what one pass finds out about all candidates, and which rows refute a list.

All that the method needs of the rows adds up over chunks (:mod:`hedgerow.candidates.tally`), but for the integer
program, which begins with an excerpt of the rows (:mod:`hedgerow.candidates.excerpt`). So one pass comes before it, and
one for each list that it tries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray, RankArray, ValueArray
from hedgerow.candidates.coverage import Coverage, Ends
from hedgerow.candidates.ensembles import read_fitted, takes_series
from hedgerow.candidates.excerpt import MORE_ROWS, Excerpt, LowestHashes
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.candidates.margins import Gaps, branches_of
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.tally import Tally
from hedgerow.exceptions import HedgerowError, InvalidDataError, InvalidParameterError, UnfittedModelError
from hedgerow.forests.forest import Forest
from hedgerow.forests.narrow import narrow
from hedgerow.forests.routing import route
from hedgerow.pipeline.samples import Samples, Streamed
from hedgerow.pipeline.settings import Settings
from hedgerow.presets import ENOUGH_ROWS
from hedgerow.sources.columns import columns_of, in_order
from hedgerow.sources.source import Chunk, Passes, Source
from hedgerow.tasks import Task
from hedgerow.teachers import unwrapped


@dataclass(frozen=True, eq=False)
class Router:
    """Finds the ends that the rows of a chunk reach; it is what each machine gets once.

    Attributes
    ----------
    forest : Forest
        Over the columns that are read.
    labels : list of int arrays
        For each tree, the number of each node at which rows stop; -1 for the others.
    task : Task
        With the classes of the forest.
    share : float
        The share of the forest's predictions in the targets.
    columns : tuple of str or int
        What the columns that the forest takes are called in the source.
    """

    forest: Forest
    labels: list[IntArray]
    task: Task
    share: float
    columns: tuple[str | int, ...]

    def rows(self, chunk: Chunk) -> Rows:
        """Return the rows of a chunk that count."""
        try:
            values = self.forest.inputs.matrix(in_order(chunk, self.columns))
            y = None if chunk.y is None else targets_of(self.task, chunk.y)
        except HedgerowError as error:
            raise type(error)(f"{chunk.place}: {error}") from error
        weight = chunk.weight  # which the source has checked
        rows = Rows(self, values, y, y, weight)
        if weight is not None and not weight.all():
            rows = rows.only(weight > 0)
        if rows.y is None or self.share == 0:
            return rows
        whole = np.eye(len(self.task.labels))[rows.y] if self.task.has_labels else rows.y
        return replace(rows, targets=self.task.mix(whole, self.forest.answer_of(rows.values), self.share))

    def route(self, values: ValueArray, trees: Sequence[int] | None) -> RankArray:
        """Return the ends that rows reach in some trees, by default in all."""
        wanted = range(len(self.labels)) if trees is None else trees
        return route([self.forest.trees[k] for k in wanted], values, [self.labels[k] for k in wanted], 1)


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows, as statistics see them.

    Attributes
    ----------
    router : Router
    values : array
        As the forest compares them.
    y, targets : arrays or None
        The targets as they are given, and those by which rules are chosen: positions of labels, rows of class shares,
        or numbers.
    weight : float array or None
        None if all count the same.
    """

    router: Router
    values: ValueArray
    y: AnyArray | None
    targets: AnyArray | None
    weight: FloatArray | None

    def only(self, mask: BoolArray) -> Rows:
        """Return some of the rows."""
        parts = self.y, self.targets, self.weight
        rest = (None if part is None else part[mask] for part in parts)
        return Rows(self.router, self.values[mask], *rest)

    def ranks(self, trees: Sequence[int] | None = None) -> RankArray:
        """Return the ends that the rows reach in some trees, by default in all."""
        return self.router.route(self.values, trees)


class Survey:
    """What one pass finds out about all candidates.

    Parameters
    ----------
    n_ranks : int array
        The number of ends of each tree.
    n_classes : int or None
    gaps : Gaps
        Of no rows yet.
    twice : bool
        Whether rules are chosen by other targets than those that are given.
    """

    def __init__(self, n_ranks: IntArray, n_classes: int | None, gaps: Gaps, twice: bool) -> None:
        self.n_ranks, self.n_classes, self.gaps, self.twice = n_ranks, n_classes, gaps, twice
        self.y = Tally(n_ranks, n_classes)
        self.targets = Tally(n_ranks, n_classes) if twice else self.y
        self.excerpt = Excerpt(n_ranks)
        self.missing = np.zeros(0, dtype=bool)

    def empty(self) -> Survey:
        """Return a survey of no rows."""
        other = Survey(self.n_ranks, self.n_classes, self.gaps.empty(), self.twice)
        other.excerpt = self.excerpt.empty()
        return other

    def add(self, rows: Rows) -> None:
        """Add the rows of a chunk, the first one."""
        ranks = rows.ranks()
        assert rows.y is not None
        assert rows.targets is not None
        self.y.add(ranks, rows.y, rows.weight)
        if self.twice:
            self.targets.add(ranks, rows.targets, rows.weight)
        self.excerpt.add(ranks, self.y.counts > 0)
        self.gaps.add(rows.values)
        self._see_missing(np.asarray(np.isnan(rows.values).any(axis=0)))

    def merge(self, other: Survey) -> None:
        """Add the survey of rows that come after these."""
        self.y.merge(other.y)
        if self.twice:
            self.targets.merge(other.targets)
        self.excerpt.merge(other.excerpt)
        self.gaps.merge(other.gaps)
        self._see_missing(other.missing)

    def _see_missing(self, missing: BoolArray) -> None:
        if len(missing):
            self.missing = missing | self.missing if len(self.missing) else missing


class Against:
    """Rows that do not satisfy exactly one of some rules.

    Parameters
    ----------
    group, first, last : int arrays
        The rules, as in :class:`Coverage`.
    """

    def __init__(self, group: IntArray, first: IntArray, last: IntArray) -> None:
        self.group, self.first, self.last = group, first, last
        self.found = LowestHashes(MORE_ROWS)

    def empty(self) -> Against:
        """Return the same before any rows."""
        return Against(self.group, self.first, self.last)

    def add(self, rows: Rows) -> None:
        """Add the rows of a chunk."""
        trees, place = np.unique(self.group, return_inverse=True)
        ends = Ends(rows.ranks(trees.tolist()), np.zeros(len(trees), dtype=np.int64))
        counts = Coverage(ends, place, self.first, self.last).counts_of(np.arange(len(place)))
        against = counts != 1
        if against.any():
            self.found.add(rows.only(against).ranks())

    def merge(self, other: Against) -> None:
        """Add the rows that come after these."""
        self.found.merge(other.found)


class RowsInPasses:
    """All rows of a source, some of which are in an excerpt.

    Parameters
    ----------
    passes : Passes
    n_rows : int
        How many rows count.
    weighted : bool
        Whether they have weights; those of weight 0 do not count.
    """

    def __init__(self, passes: Passes, n_rows: int, weighted: bool) -> None:
        self.passes, self.n_rows, self.weighted = passes, n_rows, weighted

    def ends(self) -> Ends:
        """Say why the ends of all rows are not at hand."""
        raise InvalidParameterError(
            f"{self.passes.source} is read piece by piece, but this solver needs all rows in memory. Take the default "
            "solver, or pass a table."
        )

    def against(self, rules: Coverage) -> RankArray:
        """Return the ends of some rows that do not satisfy exactly one of these rules."""
        statistic = Against(rules.group, rules.first, rules.last)
        found = self.passes.run(statistic, targets=self.weighted, what="checking the list").found.ranks
        return np.empty((0, len(rules.ends.n_ranks)), dtype=rules.ends.ranks.dtype) if found is None else found


@dataclass(frozen=True, eq=False)
class Surveyed:
    """A survey of all rows, and what the candidates' coverage is made from.

    Attributes
    ----------
    survey : Survey
    ends : Ends
        Of the excerpt.
    missing : bool array
        Which features of the forest are missing somewhere.
    passes : Passes
    """

    survey: Survey
    ends: Ends
    missing: BoolArray
    passes: Passes


def survey(
    source: Source, pool: RulePool, task: Task, share: float, n_jobs: int | None = None, verbose: bool = False
) -> Surveyed:
    """Make one pass over a source, for the candidates of a pool."""
    narrowed = narrow(pool.forest)
    sizes = [tree.n_nodes for tree in pool.forest.trees]
    labels = np.split(pool.end_rank, np.cumsum(sizes)[:-1])
    columns = columns_of(source, pool.forest.inputs, narrowed.columns)
    router = Router(narrowed.forest, labels, task, share, tuple(columns))
    passes = source.passes(router, columns, n_jobs=n_jobs, verbose=verbose)
    n_ranks = np.array([label.max() + 1 for label in labels])
    gaps = Gaps(narrowed.forest.nodes, branches_of(pool))
    n_classes = len(task.labels) if task.has_labels else None
    found = passes.run(Survey(n_ranks, n_classes, gaps, share > 0), what="looking at all rules")
    n_rows = len(found.y)
    if not n_rows:
        raise InvalidDataError(f"{source} has no rows of positive weight; at least one is needed.")
    if task.has_labels:
        task.check_learnable(np.array(task.labels, dtype=object)[found.y.high > 0])
    rest = None if found.excerpt.is_whole else RowsInPasses(passes, n_rows, found.y.is_weighted)
    missing = np.zeros(len(pool.forest.inputs.features), dtype=bool)
    missing[narrowed.columns if len(found.missing) < len(missing) else slice(None)] = found.missing
    return Surveyed(found, Ends(found.excerpt.ranks(), n_ranks, rest), missing, passes)


def needs_rows(settings: Settings, samples: Samples) -> bool:
    """Return whether a preset makes synthetic rows, which it does of so few samples only that these fit in memory."""
    teacher = settings.teacher
    return teacher is not None and teacher.makes_rows and samples.n_counted <= ENOUGH_ROWS


def read_to_stream(settings: Settings, samples: Streamed) -> Forest:
    """Return the fitted ensemble in its neutral form; refuse settings that need all rows in memory."""
    ensemble, teacher = settings.ensemble, settings.teacher
    if teacher is not None and teacher.is_explained:
        raise _refusal(
            samples,
            "but to explain a model, as faithful does, it is asked about rows mixed from all rows. For an ensemble of "
            "trees, take RuleListClassifier(ensemble, target='ensemble') or RuleListRegressor",
        )
    trained = "but an ensemble is trained on rows in memory. Pass a fitted one, such as one fitted to a sample of them"
    if ensemble is None:
        raise _refusal(samples, trained)
    if isinstance(ensemble, FeatureForest) or takes_series(ensemble):
        raise _refusal(samples, "which is possible for ensembles for tables only")
    try:
        forest = read_fitted(ensemble, samples.names)
    except UnfittedModelError as error:
        raise _refusal(samples, trained, UnfittedModelError) from error
    if teacher is not None and (teacher.makes_rows or teacher.opinion > 0):
        raise _refusal(samples, "where a teacher cannot make synthetic rows. Take one with copies=0 and opinion=0")
    if teacher is not None and unwrapped(teacher.model) is not unwrapped(ensemble):
        raise _refusal(samples, "where the teacher can only be the ensemble itself. Pass Teacher(ensemble, copies=0)")
    if not settings.takes_excerpts:
        raise _refusal(samples, "which only the default solver can work with. Leave out solver")
    return forest


def _refusal(samples: Streamed, reason: str, kind: type[HedgerowError] = InvalidParameterError) -> HedgerowError:
    way_out = "or pass a table in memory, such as a sample of its rows"
    return kind(f"{samples.X} is read piece by piece, {reason}; {way_out}.")


def targets_of(task: Task, y: AnyArray) -> AnyArray:
    """Return positions among the classes, or numbers; refuse others."""
    kind = type(task)
    given, y = kind.of(y, "hedgerow")
    given.among(task)
    if not task.has_labels:
        return y
    known = {label: place for place, label in enumerate(task.labels)}
    found, codes = np.unique(y, return_inverse=True)
    return np.array([known[label] for label in found.tolist()], dtype=np.intp)[codes]
