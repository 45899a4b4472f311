"""What the targets of the rows at each end of each tree add up to.

Everything that built-in losses and predictions need of the rows is a sum over a rule's rows: how many there are, their
weight, the weight of each class, the first and second moment of their targets. A rule's rows are those of consecutive
ends of its tree, so sums for the ends are enough. They are exact (:mod:`hedgerow.candidates.exact_sums`): in memory, in
chunks and on several machines, the sums, and thus the lists, are the same.

A tally takes the place of targets and weights where rows are not kept: :func:`class_weights`, :func:`deviations`,
:func:`moments` and :func:`sizes` take either.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray, RankArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.exact_sums import MOST_ROWS, ExactSums, Totals, limbs, product
from hedgerow.exceptions import InvalidParameterError

_WEIGHT, _FIRST, _SECOND = "weight", "first", "second"
#: Numbers that differ by no more than this, compared with the largest, are the same but for rounding.
_SAME = 1e-14
#: Rows are counted so many at a time; of sums, it is ``MOST_ROWS``.
_COUNTED = 1 << 17
#: The labels of so few rows are counted for many trees in one pass, so many ends at once; measured.
_FEW, _AT_ONCE = 1 << 12, 1 << 16
#: So many ends that rows reach are written down at once.
_ENTRIES = 1 << 20
#: Trees whose ends have no more combinations than this are added up together; measured.
_COMBINATIONS = 1 << 10
#: Nor are more trees, each of which is an axis of an array: those of a single end would add no combinations.
_TOGETHER = 30
Column = tuple[Any, int, FloatArray]


class Tally:
    """Exact sums for each end.

    Parameters
    ----------
    n_ranks : sequence of int
        The number of ends of each tree.
    n_classes : int or None
        Of labels; None for numbers.
    """

    def __init__(self, n_ranks: Sequence[int] | IntArray, n_classes: int | None) -> None:
        self.n_ranks, self.n_classes = np.asarray(n_ranks, dtype=np.int64), n_classes
        self.starts = np.concatenate([[0], np.cumsum(self.n_ranks)])
        self.counts = np.zeros(self.starts[-1], dtype=np.int64)
        self.n_rows = 0
        self.is_weighted = False
        self.labels = np.zeros((self.starts[-1], n_classes or 0), dtype=np.int64)
        self.sums: dict[Any, ExactSums] = {}
        n_columns = n_classes or 1
        #: The lowest and the highest target, or share of each class.
        self.low, self.high = np.full(n_columns, np.inf), np.full(n_columns, -np.inf)

    def __len__(self) -> int:
        return self.n_rows

    def add(self, ranks: RankArray, y: AnyArray, weight: FloatArray | None, trees: Sequence[int] | None = None) -> None:
        """Add rows.

        Parameters
        ----------
        ranks : int array of shape (n_rows, n_trees)
            The end that each row reaches in each tree.
        y : array
            Positions of labels among the classes, rows of class shares, or numbers.
        weight : float array or None
            None if all rows weigh 1.
        trees : sequence of int, optional
            Those that are wanted; the sums of others stay 0.
        """
        self.n_rows += len(y)
        self.is_weighted |= weight is not None
        self._see(y)
        wanted = range(len(self.n_ranks)) if trees is None else trees
        size = _COUNTED if self._is_plain(y, weight) else MOST_ROWS
        for start in range(0, len(y), size):
            rows = slice(start, start + size)
            self._add_block(ranks[rows], y[rows], None if weight is None else weight[rows], wanted)

    def _see(self, y: AnyArray) -> None:
        if not len(y):
            return
        if y.ndim == 1 and self.n_classes is not None:
            seen = np.bincount(y, minlength=self.n_classes) / len(y)
            low, high = np.floor(seen), np.ceil(seen)
        else:
            low, high = y.min(axis=0), y.max(axis=0)
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)

    def _add_block(self, ranks: RankArray, y: AnyArray, weight: FloatArray | None, trees: Sequence[int]) -> None:
        if not self._is_plain(y, weight):
            self._add_columns(ranks, list(self._columns(y, weight)), np.asarray(trees))
        elif len(y) <= _FEW:
            self._count_few(ranks, y, np.asarray(trees))
        else:
            self._count(ranks, y, trees)

    def _add_columns(self, ranks: RankArray, columns: list[Column], trees: IntArray) -> None:
        """Count rows and add up columns: the product of a matrix, which end each row reaches, with these columns."""
        limbs = np.column_stack([np.ones(len(ranks)), *(limb for _, _, limb in columns)])
        total, step = np.zeros((len(self.counts), limbs.shape[1])), max(1, _ENTRIES // max(1, len(trees)))
        starts = self.starts[trees].astype(np.int32)
        for start in range(0, len(ranks), step):
            rows = slice(start, start + step)
            ends = (ranks[rows][:, trees] + starts).ravel()
            by_row = np.arange(0, len(ends) + 1, len(trees), dtype=np.int32)
            reached = sparse.csc_array((np.ones(len(ends)), ends, by_row), shape=(len(total), len(by_row) - 1))
            total += reached @ limbs[rows]
        self.counts += total[:, 0].astype(np.int64)
        for (name, position, _), found in zip(columns, total[:, 1:].T, strict=True):
            if name not in self.sums:
                self.sums[name] = ExactSums(len(self.counts))
            self.sums[name].add(position, slice(None), found)
        for sums in self.sums.values():
            sums.end_block()

    def _count_few(self, ranks: RankArray, codes: AnyArray, trees: IntArray) -> None:
        """Count the labels of few rows, for many trees in one pass."""
        n_classes, step = self.n_classes or 1, max(1, _AT_ONCE // len(codes))
        labels = self.labels.reshape(-1)
        for start in range(0, len(trees), step):
            some = trees[start : start + step]
            first, last = int(self.starts[some].min()), int(self.starts[some + 1].max())
            keys = ranks.T[some] + (self.starts[some] - first)[:, None]
            keys *= n_classes
            keys += codes
            found = np.bincount(keys.ravel(), minlength=(last - first) * n_classes)
            self.counts[first:last] += found.reshape(-1, n_classes).sum(axis=1)
            labels[first * n_classes : last * n_classes] += found

    def _count(self, ranks: RankArray, codes: AnyArray, trees: Sequence[int]) -> None:
        """Count the labels of many rows."""
        n_codes = self.n_classes or 1
        for some in self._together(trees, n_codes):
            for k, found in joint_counts(ranks, some, self.n_ranks[some].tolist(), codes, n_codes):
                here = slice(int(self.starts[k]), int(self.starts[k + 1]))
                self.counts[here] += found.sum(axis=1)
                self.labels[here] += found

    def _is_plain(self, y: AnyArray, weight: FloatArray | None) -> bool:
        """Return whether labels are to be counted, and nothing is to be added up."""
        return weight is None and y.ndim == 1 and self.n_classes is not None

    def _together(self, trees: Sequence[int], n_codes: int) -> Iterator[list[int]]:
        """Yield trees whose ends have so few combinations that these are counted in one go."""
        group: list[int] = []
        n = n_codes
        for k in trees:
            if len(group) == _TOGETHER or (group and n * int(self.n_ranks[k]) > _COMBINATIONS):
                yield group
                group, n = [], n_codes
            group.append(k)
            n *= int(self.n_ranks[k])
        if group:
            yield group

    def _columns(self, y: AnyArray, weight: FloatArray | None) -> Iterator[Column]:
        """Yield what is added up: a name, the position of the limbs, and the limbs."""
        if weight is not None:
            yield from _named(_WEIGHT, weight)
        if self.n_classes is None:
            yield from self._moments(np.asarray(y, dtype=np.float64), weight)
        elif y.ndim == 1:
            assert weight is not None
            for code in np.unique(y):
                yield from _named(int(code), np.where(y == code, weight, 0.0))
        else:
            for code, shares in enumerate(y.T):
                yield from _named(code, shares if weight is None else weight * shares)

    def _moments(self, y: FloatArray, weight: FloatArray | None) -> Iterator[Column]:
        first = (y,) if weight is None else product(weight, y)
        squares = product(y, y)
        second = squares if weight is None else [part for square in squares for part in product(weight, square)]
        for part in first:
            yield from _named(_FIRST, part)
        for part in second:
            yield from _named(_SECOND, part)

    def merge(self, other: Tally) -> None:
        """Add the sums of other rows."""
        if self.is_weighted != other.is_weighted and len(self) and len(other):
            raise ValueError("Rows with and without weights cannot be added up.")
        self.n_rows += other.n_rows
        self.is_weighted |= other.is_weighted
        self.counts += other.counts
        self.labels += other.labels
        for name, sums in other.sums.items():
            self.sums.setdefault(name, ExactSums(len(self.counts))).merge(sums)
        self.low, self.high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)

    # What rules need: each takes a coverage for the rules' ranges of ends

    def sizes(self, coverage: Coverage) -> tuple[IntArray, FloatArray]:
        """Return the number of rows of each rule, and their weight."""
        first, last = self._bins(coverage)
        counts = _ranges_added(self.counts, first, last)
        if not self.is_weighted:
            return counts, counts.astype(np.float64)
        return counts, self.sums[_WEIGHT].over(first, last).floats()

    def class_weights(self, coverage: Coverage) -> FloatArray:
        """Return the weight of each class among each rule's rows, of shape (n_rules, n_classes)."""
        first, last = self._bins(coverage)
        if not self.sums:
            return _ranges_added(self.labels, first, last).astype(np.float64)
        assert self.n_classes is not None
        found = np.zeros((len(first), self.n_classes))
        for code in range(self.n_classes):
            if code in self.sums:
                found[:, code] = self.sums[code].over(first, last).floats()
        return found

    def deviations(self, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
        """Return the weight of each rule's rows, and the weighted sum of squared deviations of the targets."""
        total, first, second, unit = self._moments_of(coverage)
        # Σ w (y - mean)² = (Σw Σwy² - (Σwy)²) / Σw, in whole numbers until the division.
        apart = total * second - first * first
        return self.sizes(coverage)[1], np.array(
            [_ratio(max(0, a), t, unit) for a, t in zip(apart, total, strict=True)]
        )

    def moments(self, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
        """Return the mean and the standard deviation of each rule's targets."""
        total, first, _, _ = self._moments_of(coverage)
        weight, squared = self.deviations(coverage)
        mean = np.array([_ratio(f, t, 0) for f, t in zip(first, total, strict=True)])
        return mean, np.sqrt(squared / weight)

    def _moments_of(self, coverage: Coverage) -> tuple[AnyArray, AnyArray, AnyArray, int]:
        """Return Σw, Σwy and Σwy² of each rule as whole numbers, and the exponent of their unit."""
        first, last = self._bins(coverage)
        found = [
            self.sums[name].over(first, last) if name in self.sums else Totals({}, len(first))
            for name in (_FIRST, _SECOND)
        ]
        if self.is_weighted:
            weight = self.sums[_WEIGHT].over(first, last)
        else:
            weight = Totals({0: _ranges_added(self.counts, first, last)}, len(first))
        unit = min(totals.lowest for totals in (weight, *found))
        total, sums, squares = (totals.whole(unit) for totals in (weight, *found))
        return total, sums, squares, unit

    def _bins(self, coverage: Coverage) -> tuple[IntArray, IntArray]:
        starts = self.starts[coverage.group]
        return starts + coverage.first, starts + coverage.last


def joint_counts(
    ranks: RankArray, trees: list[int], sizes: list[int], codes: AnyArray, n_codes: int
) -> Iterator[tuple[int, IntArray]]:
    """Yield each of some trees with the number of rows at each of its ends, for each label.

    The ends that a row reaches in these trees are the digits of one number, and its label is the last.
    """
    shape = (*sizes, n_codes)
    size = math.prod(shape)
    dtype = np.min_scalar_type(size)
    keys = ranks[:, trees[0]].astype(dtype)
    for k, n in zip(trees[1:], sizes[1:], strict=True):
        keys *= dtype.type(n)
        keys += ranks[:, k].astype(dtype, copy=False)
    keys *= dtype.type(n_codes)
    keys += codes.astype(dtype)
    found, axes = np.bincount(keys, minlength=size).reshape(shape), range(len(trees))
    for axis, k in enumerate(trees):
        yield k, found.sum(axis=tuple(other for other in axes if other != axis))


def _ratio(numerator: int, denominator: int, exponent: int) -> float:
    """Return numerator / denominator * 2^exponent, rounded once."""
    if exponent >= 0:
        return (numerator << exponent) / denominator
    return numerator / (denominator << -exponent)


def _ranges_added(values: IntArray, first: IntArray, last: IntArray) -> IntArray:
    """Return the sums of the values of each ``range(first, last)``."""
    bounds = np.column_stack([first, last]).ravel()
    return np.add.reduceat(np.concatenate([values, np.zeros_like(values[:1])]), bounds, axis=0)[::2]


def _named(name: Any, column: FloatArray) -> Iterator[Column]:
    for position, limb in limbs(column):
        yield name, position, limb


#: One target or weight per row, or their sums.
Targets = AnyArray | Tally
Weights = FloatArray | Tally


def in_memory(y: Targets, weight: Weights) -> tuple[AnyArray, FloatArray]:
    """Return targets and weights of rows that are in memory; refuse sums."""
    if isinstance(y, Tally) or isinstance(weight, Tally):
        raise InvalidParameterError(
            "Medians, quantiles and losses of your own need all targets in memory. For data that are read in chunks, "
            "use a loss that adds up: 'misclassification', 'log_loss', 'gini' or cost_matrix(costs) for labels, 'mse' "
            "or 'sse' for numbers; or fit on rows that fit in memory."
        )
    return y, weight


def of_first(part: Targets, n: int) -> Any:
    """Return the targets or weights of the first rows; sums are those of all rows."""
    return part if isinstance(part, Tally) else part[:n]


def tally_of(y: AnyArray, weight: FloatArray, coverage: Coverage, n_classes: int | None) -> Tally:
    """Return the sums of rows in memory, for the trees that the rules come from."""
    ends = coverage.ends
    found = Tally(ends.n_ranks, n_classes)
    found.add(ends.ranks, y, None if _alike(weight) else weight, np.unique(coverage.group).tolist())
    return found


def class_weights(y: Targets, weight: Weights, coverage: Coverage, classes: AnyArray | None = None) -> FloatArray:
    """Return the weight of each class among each rule's samples, of shape (n_rules, n_classes).

    ``y`` holds one label per sample, or one row of class shares per sample. Labels are those of ``classes``; if these
    are not given, the labels that occur, in increasing order.
    """
    if isinstance(y, Tally):
        return y.class_weights(coverage)
    y, weight = in_memory(y, weight)
    if y.ndim == 2:
        return tally_of(y, weight, coverage, y.shape[1]).class_weights(coverage)
    found, codes = np.unique(y, return_inverse=True)
    if classes is not None:
        known = {label: place for place, label in enumerate(classes.tolist())}
        codes, found = np.array([known[label] for label in found.tolist()], dtype=np.intp)[codes], classes
    return tally_of(codes, weight, coverage, len(found)).class_weights(coverage)


def deviations(y: Targets, weight: Weights, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
    """Return the total weight of each rule, and its weighted sum of squared deviations from its mean."""
    if isinstance(y, Tally):
        return y.deviations(coverage)
    y, weight = in_memory(y, weight)
    return tally_of(np.asarray(y, dtype=np.float64), weight, coverage, None).deviations(coverage)


def moments(y: Targets, weight: Weights, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the standard deviation of each rule's targets."""
    if isinstance(y, Tally):
        return y.moments(coverage)
    y, weight = in_memory(y, weight)
    return tally_of(np.asarray(y, dtype=np.float64), weight, coverage, None).moments(coverage)


def sizes(weight: Weights, coverage: Coverage) -> tuple[IntArray, FloatArray]:
    """Return the number of samples of each rule, and their weight."""
    if isinstance(weight, Tally):
        return weight.sizes(coverage)
    if _alike(weight):
        return coverage.counts, coverage.counts.astype(np.float64)
    return tally_of(np.zeros(len(weight), dtype=np.intp), weight, coverage, 1).sizes(coverage)


def total_weight(weight: Weights, coverage: Coverage) -> float:
    """Return the weight of all rows."""
    if not isinstance(weight, Tally) and _alike(weight):
        return float(len(weight))
    return float(sizes(weight, coverage.everything())[1][0])


def _alike(weight: FloatArray) -> bool:
    """Return whether all rows weigh 1."""
    return bool((weight == 1.0).all())


def is_constant(y: Targets) -> bool:
    """Return whether all targets are the same but for rounding."""
    if isinstance(y, Tally):
        low, high = y.low, y.high
    elif y.dtype.kind not in "fc":
        return bool((y == y[0]).all())
    else:
        low, high = y.min(axis=0), y.max(axis=0)
    return bool((high - low <= _SAME * max(np.abs(low).max(initial=0.0), np.abs(high).max(initial=0.0))).all())


def largest(y: Targets) -> float:
    """Return the largest size of a target."""
    ends = (y.low, y.high) if isinstance(y, Tally) else (y,)
    return max(float(np.abs(part).max(initial=0.0)) for part in ends)
