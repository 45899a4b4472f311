"""The partition problem: arrays only.

max Σ_j score_j z_j, each sample in exactly one chosen rule, at most
``max_rules`` rules, z binary, and any extra linear rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray, RankArray
from hedgerow._support.checks import check_integer
from hedgerow._support.equal_rows import first_equal
from hedgerow.candidates.coverage import Coverage
from hedgerow.exceptions import InvalidParameterError, SolverError

#: How far a row's value may lie beyond its bounds, as a share of the largest entry.
_TOLERANCE = 1e-9
#: A bound beyond this many times the largest entry is out of reach.
_FAR = 1e15


@dataclass(frozen=True, eq=False)
class LinearRows:
    """Rows ``lower <= matrix @ z <= upper`` over the candidates.

    Attributes
    ----------
    matrix : sparse array of shape (n_rows, n_rules)
        Made from any matrix, or from the entries of a single row.
    lower, upper : float arrays of shape (n_rows,)
        Infinite where a row has no bound. A single number is the bound of every row.
    names : tuple of str
        What each row demands, for error messages.
    """

    matrix: sparse.csr_array
    lower: FloatArray
    upper: FloatArray
    names: tuple[str, ...]

    def __init__(self, matrix: Any, lower: ArrayLike, upper: ArrayLike, names: tuple[str, ...] = ()) -> None:
        matrix = sparse.csr_array(matrix if sparse.issparse(matrix) else np.atleast_2d(matrix)).astype(np.float64)
        low, high = (np.broadcast_to(np.asarray(bound, dtype=np.float64), matrix.shape[:1]) for bound in (lower, upper))
        if not np.isfinite(matrix.data).all() or np.isnan(low).any() or np.isnan(high).any():
            raise InvalidParameterError("Extra rows must have finite entries, and bounds that are numbers or infinite.")
        if (low == np.inf).any() or (high == -np.inf).any():
            raise InvalidParameterError("A lower bound of inf or an upper bound of -inf can never be satisfied.")
        vars(self).update(matrix=matrix, lower=low, upper=high, names=names)

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def hold(self, chosen: IntArray, tolerance: float = _TOLERANCE) -> bool:
        """Whether these rules satisfy every row, up to rounding errors in their entries."""
        mine = self.matrix[:, chosen]
        activity = np.asarray(mine.sum(axis=1)).ravel()
        slack = tolerance * _largest(mine)
        return bool(np.all((activity >= self.lower - slack) & (activity <= self.upper + slack)))

    @property
    def sizes(self) -> FloatArray:
        """The size of the largest entry of each row; 1 where all are zero."""
        size = _largest(self.matrix)
        return np.where(size > 0, size, 1.0)

    def scaled(self) -> LinearRows:
        """Return the rows for a solver: with a largest entry of 1, because its tolerances are absolute.

        They are wider by the tolerance of :meth:`hold`. Solvers ignore entries that are smaller than that; such entries
        are left out, and the bounds make up for them. Bounds that no choice can reach are infinite.
        """
        size = self.sizes
        matrix = sparse.csr_array(sparse.diags_array(1 / size) @ self.matrix)
        tiny = matrix.copy()
        tiny.data[np.abs(tiny.data) > _TOLERANCE] = 0.0
        matrix.data[np.abs(matrix.data) <= _TOLERANCE] = 0.0
        matrix.eliminate_zeros()
        lower = self.lower / size - _TOLERANCE - np.asarray(tiny.maximum(0).sum(axis=1)).ravel()
        upper = self.upper / size + _TOLERANCE - np.asarray(tiny.minimum(0).sum(axis=1)).ravel()
        lower, upper = np.where(lower < -_FAR, -np.inf, lower), np.where(upper > _FAR, np.inf, upper)
        return LinearRows(matrix, lower, upper, self.names)

    def impossible(self) -> BoolArray:
        """Return a boolean mask of the rules that can never be chosen: each violates a row, whatever else is chosen."""
        found = np.zeros(self.matrix.shape[1], dtype=bool)
        for i, (values, columns) in enumerate(self._entries()):
            least, most = np.minimum(values, 0.0).sum(), np.maximum(values, 0.0).sum()
            slack = _TOLERANCE * np.abs(values).max(initial=0.0)
            above = np.maximum(values, 0.0) + least > self.upper[i] + slack
            below = np.minimum(values, 0.0) + most < self.lower[i] - slack
            found[columns[above | below]] = True
        return found

    def contradictory(self) -> BoolArray:
        """Return a boolean mask of the rows that no choice of rules can satisfy."""
        sums = [(np.minimum(values, 0.0).sum(), np.maximum(values, 0.0).sum()) for values, _ in self._entries()]
        least, most = np.array(sums).reshape(-1, 2).T
        slack = _TOLERANCE * _largest(self.matrix)
        return (most < self.lower - slack) | (least > self.upper + slack)

    def _entries(self) -> Iterator[tuple[FloatArray, IntArray]]:
        """Yield the entries of each row, and their columns."""
        for start, end in itertools.pairwise(self.matrix.indptr):
            yield self.matrix.data[start:end], self.matrix.indices[start:end]

    def kinds(self) -> IntArray:
        """Return one number per candidate: those with the same entries in all rows have equal numbers."""
        matrix, known = sparse.csc_array(self.matrix), dict[tuple[bytes, bytes], int]()
        matrix.sum_duplicates()
        ends = [slice(start, end) for start, end in itertools.pairwise(matrix.indptr)]
        keys = [(matrix.indices[here].tobytes(), matrix.data[here].tobytes()) for here in ends]
        return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)

    def subset(self, rules: IntArray) -> LinearRows:
        """Return the rows over these candidates only."""
        return LinearRows(self.matrix[:, rules], self.lower, self.upper, self.names)


def _largest(matrix: sparse.csr_array) -> FloatArray:
    """Return the size of the largest entry of each row."""
    if not matrix.shape[1]:
        return np.zeros(matrix.shape[0])
    return np.asarray(abs(matrix).max(axis=1).todense()).ravel()


def stack_rows(parts: list[LinearRows]) -> LinearRows | None:
    """Stack several sets of rows over the same candidates; None if there are none."""
    if not parts:
        return None
    return LinearRows(
        sparse.vstack([part.matrix for part in parts], format="csr"),
        np.concatenate([part.lower for part in parts]),
        np.concatenate([part.upper for part in parts]),
        tuple(name for part in parts for name in (part.names or ("a constraint",) * len(part))),
    )


class LazyRows(Protocol):
    """A requirement that would take too many rows to write down; it is asked which of them a choice violates.

    Every choice of whole rules that it does not accept must violate some row that it can name, unless the choice is to
    be excluded by itself.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """What it demands, for error messages."""

    def hold(self, chosen: IntArray) -> bool:
        """Whether these rules, which partition the samples, satisfy it."""

    def violated(self, z: FloatArray) -> LinearRows | None:
        """Return rows over all candidates that a fractional or whole choice violates, or None if none is found."""

    def conflicts(self, rules: IntArray, others: IntArray) -> BoolArray:
        """Return which pairs of rules can never be chosen together, of shape (n_rules, n_others)."""

    def fitting(self, chosen: IntArray) -> BoolArray:
        """Return which of all candidates may still be chosen besides these rules."""

    def kinds(self) -> IntArray:
        """Return one number per candidate: those that it treats alike have equal numbers."""

    def havens(self, z: FloatArray) -> Iterator[BoolArray]:
        """Yield masks of candidates among which every choice satisfies it, guided by a fractional choice, if any."""

    def subset(self, rules: IntArray) -> LazyRows:
        """Return the requirement over these candidates only."""


@dataclass(frozen=True, eq=False)
class PartitionProblem:
    """Choose the rules with the highest total score that partition the samples.

    Attributes
    ----------
    scores : float array of shape (n_rules,)
    coverage : Coverage
        Made from a 0/1 matrix of shape (n_samples, n_rules) if that is given.
    max_rules : int or None
        The budget, or None for no budget.
    rows : LinearRows or None
        Extra constraints.
    preference : float array of shape (n_rules,), or None
        Among rules with the same coverage and score, the one with the lowest preference is chosen.
    lazy : tuple of LazyRows
        Constraints that would take too many rows to write down.
    """

    scores: FloatArray
    coverage: Coverage
    max_rules: int | None
    rows: LinearRows | None
    preference: FloatArray | None
    lazy: tuple[LazyRows, ...]

    def __init__(
        self,
        scores: ArrayLike,
        coverage: Any,
        max_rules: int | None = None,
        rows: LinearRows | None = None,
        preference: FloatArray | None = None,
        lazy: tuple[LazyRows, ...] = (),
    ) -> None:
        if not isinstance(coverage, Coverage):
            coverage = Coverage.from_matrix(coverage)
        scores = np.asarray(scores, dtype=np.float64)
        if not coverage.n_rules or not coverage.n_samples:
            raise InvalidParameterError("A partition problem needs at least one rule and one sample.")
        check_integer("max_rules", max_rules, optional=True)
        if scores.shape != (coverage.n_rules,):
            raise InvalidParameterError(f"{coverage.n_rules} rules need as many scores; got shape {scores.shape}.")
        if not np.isfinite(scores).all():
            raise InvalidParameterError("Scores must be finite.")
        if (coverage.counts == 0).any():
            raise InvalidParameterError(
                f"Rule {int(np.argmin(coverage.counts))} covers no sample; choosing it would be free. Leave it out."
            )
        if preference is not None and np.shape(preference) != (coverage.n_rules,):
            raise InvalidParameterError(f"{coverage.n_rules} rules need as many preferences.")
        if rows is not None and rows.matrix.shape[1] != coverage.n_rules:
            raise InvalidParameterError("Extra rows must have one column per rule.")
        vars(self).update(scores=scores, coverage=coverage, max_rules=max_rules, rows=rows, preference=preference)
        vars(self).update(lazy=lazy)

    @property
    def n_rules(self) -> int:
        """Number of candidate rules."""
        return self.coverage.n_rules

    @property
    def n_samples(self) -> int:
        """Number of samples to partition."""
        return self.coverage.n_samples

    @property
    def most_rules(self) -> int:
        """The most rules that a list can have: each covers a sample of its own."""
        return min(self.max_rules or self.n_samples, self.n_samples)

    @property
    def is_constrained(self) -> bool:
        """Whether there are extra constraints."""
        return self.rows is not None or bool(self.lazy)

    @cached_property
    def twins(self) -> IntArray:
        """Number the rules so that two have the same number if they have the same samples and entries in extra rows."""
        kinds = [] if self.rows is None else [self.rows.kinds()]
        kinds += [one.kinds() for one in self.lazy]
        return self.coverage.twins if not kinds else first_equal(self.coverage.twins, *kinds)

    @property
    def demands(self) -> tuple[str, ...]:
        """What the extra constraints demand, for error messages."""
        of_rows = () if self.rows is None else self.rows.names
        return tuple(dict.fromkeys([*of_rows, *(name for one in self.lazy for name in one.names)]))

    def lazily_violated(self, z: FloatArray) -> LinearRows | None:
        """Return rows that a fractional or whole choice violates, of constraints that are not written down."""
        return stack_rows([rows for one in self.lazy if (rows := one.violated(z)) is not None])

    def havens(self, z: FloatArray) -> Iterator[BoolArray]:
        """Yield masks of candidates among which every choice satisfies some constraint that is not written down."""
        for one in self.lazy:
            yield from one.havens(z)

    def subset(self, rules: IntArray) -> PartitionProblem:
        """Return the problem with these candidates only."""
        rows = None if self.rows is None else self.rows.subset(rules)
        preference = None if self.preference is None else self.preference[rules]
        lazy = tuple(one.subset(rules) for one in self.lazy)
        return PartitionProblem(self.scores[rules], self.coverage.subset(rules), self.max_rules, rows, preference, lazy)

    def whole(self) -> PartitionProblem:
        """Return the problem with all samples, for solvers that take them all at once."""
        return self._of(self.coverage.whole())

    def with_samples(self, ranks: RankArray) -> PartitionProblem:
        """Return the problem with more samples: those that reach these ends are added."""
        return self._of(self.coverage.with_samples(ranks))

    def _of(self, coverage: Coverage) -> PartitionProblem:
        return PartitionProblem(self.scores, coverage, self.max_rules, self.rows, self.preference, self.lazy)

    def objective(self, chosen: IntArray) -> float:
        """Return the total score of these rules."""
        return float(np.sum(self.scores[chosen]))

    def accepts(self, chosen: IntArray) -> bool:
        """Whether these rules partition the samples, within the budget and the extra rows."""
        if self.max_rules is not None and len(chosen) > self.max_rules:
            return False
        if self.rows is not None and not self.rows.hold(chosen):
            return False
        return bool(np.all(self.coverage.counts_of(chosen) == 1)) and all(one.hold(chosen) for one in self.lazy)

    def satisfies_extra(self, chosen: IntArray) -> bool:
        """Whether rules that partition the samples satisfy the extra constraints."""
        return (self.rows is None or self.rows.hold(chosen)) and all(one.hold(chosen) for one in self.lazy)

    def verify(self, chosen: IntArray) -> IntArray:
        """Return the chosen rules in increasing order; raise if they are not a solution."""
        chosen = np.sort(np.asarray(chosen, dtype=np.int64))
        if not self.accepts(chosen):
            raise SolverError(
                "The solver's solution does not partition the training samples within the budget and the constraints. "
                "This is a bug; please report it with the data."
            )
        return chosen
