"""The partition problem: arrays only.

max Σ_j score_j z_j, each sample in exactly one chosen rule, at most
``max_rules`` rules, z binary, and any extra linear rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.exceptions import InvalidParameterError, SolverError


@dataclass(frozen=True, eq=False)
class LinearRows:
    """Rows ``lower <= matrix @ z <= upper`` over the candidates.

    Attributes
    ----------
    matrix : sparse array of shape (n_rows, n_rules), or anything that becomes one
    lower, upper : float arrays of shape (n_rows,)
        Infinite where a side is free.
    names : tuple of str
        What each row says, for messages.
    """

    matrix: Any
    lower: Any
    upper: Any
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        matrix = sparse.csr_array(np.atleast_2d(self.matrix) if not sparse.issparse(self.matrix) else self.matrix)
        object.__setattr__(self, "matrix", matrix.astype(np.float64))
        for side in ("lower", "upper"):
            bound = np.broadcast_to(np.asarray(getattr(self, side), dtype=np.float64), (matrix.shape[0],))
            object.__setattr__(self, side, bound)
        if not np.isfinite(self.matrix.data).all() or np.isnan(self.lower).any() or np.isnan(self.upper).any():
            raise InvalidParameterError("Extra rows must have finite entries, and bounds that are numbers or infinite.")
        if (self.lower == np.inf).any() or (self.upper == -np.inf).any():
            raise InvalidParameterError("A lower bound of inf or an upper bound of -inf can never be kept.")

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def hold(self, chosen: IntArray, tolerance: float = 1e-9) -> bool:
        """Whether these rules satisfy every row, up to rounding of the entries they have there."""
        mine = self.matrix[:, chosen]
        activity = np.asarray(mine.sum(axis=1)).ravel()
        slack = tolerance * _largest(mine)
        return bool(np.all((activity >= self.lower - slack) & (activity <= self.upper + slack)))

    def scaled(self) -> LinearRows:
        """Return the rows with a largest entry of 1 each, because solvers' tolerances are absolute."""
        size = _largest(self.matrix)
        size = np.where(size > 0, size, 1.0)
        matrix = sparse.diags_array(1 / size) @ self.matrix
        return LinearRows(matrix, self.lower / size, self.upper / size, self.names)

    def impossible(self) -> BoolArray:
        """Say which rules alone break a row whose entries all have one sign: they can never be chosen."""
        found = np.zeros(self.matrix.shape[1], dtype=bool)
        for i in range(len(self)):
            entries = slice(self.matrix.indptr[i], self.matrix.indptr[i + 1])
            values, columns = self.matrix.data[entries], self.matrix.indices[entries]
            if (values >= 0).all():
                found[columns[values > self.upper[i] * (1 + 1e-9) + 1e-300]] = True
            elif (values <= 0).all():
                found[columns[values < self.lower[i] * (1 + 1e-9) - 1e-300]] = True
        return found

    def subset(self, rules: IntArray) -> LinearRows:
        """Return the rows over these candidates only."""
        return LinearRows(self.matrix[:, rules], self.lower, self.upper, self.names)


def _largest(matrix: sparse.csr_array) -> FloatArray:
    """Return the size of the largest entry of each row."""
    if not matrix.shape[1]:
        return np.zeros(matrix.shape[0])
    return np.asarray(abs(matrix).max(axis=1).todense()).ravel()


def stack_rows(parts: list[LinearRows]) -> LinearRows | None:
    """Put several sets of rows over the same candidates into one."""
    if not parts:
        return None
    return LinearRows(
        sparse.vstack([part.matrix for part in parts], format="csr"),
        np.concatenate([part.lower for part in parts]),
        np.concatenate([part.upper for part in parts]),
        tuple(name for part in parts for name in (part.names or ("a constraint",) * len(part))),
    )


@dataclass(frozen=True, eq=False)
class PartitionProblem:
    """Choose rules of the highest total score that part the samples.

    Attributes
    ----------
    scores : float array of shape (n_rules,)
    coverage : Coverage, or a 0/1 matrix of shape (n_samples, n_rules)
    max_rules : int or None
        The budget; None for none.
    rows : LinearRows or None
        Extra constraints.
    preference : float array of shape (n_rules,), or None
        Of rules with the same coverage and score, the one of the lowest number is taken.
    """

    scores: Any
    coverage: Any
    max_rules: int | None = None
    rows: LinearRows | None = None
    preference: FloatArray | None = None

    def __post_init__(self) -> None:
        coverage = self.coverage if isinstance(self.coverage, Coverage) else Coverage.from_matrix(self.coverage)
        scores = np.asarray(self.scores, dtype=np.float64)
        if not coverage.n_rules or not coverage.n_samples:
            raise InvalidParameterError("A partition problem needs at least one rule and one sample.")
        if self.max_rules is not None and (
            not isinstance(self.max_rules, Integral) or isinstance(self.max_rules, bool) or self.max_rules < 1
        ):
            raise InvalidParameterError(
                f"max_rules must be a whole number of at least 1, or None; got {self.max_rules!r}."
            )
        if scores.shape != (coverage.n_rules,):
            raise InvalidParameterError(f"{coverage.n_rules} rules need as many scores; got shape {scores.shape}.")
        if not np.isfinite(scores).all():
            raise InvalidParameterError("Scores must be finite.")
        if (coverage.counts == 0).any():
            raise InvalidParameterError(
                f"Rule {int(np.argmin(coverage.counts))} covers no sample; choosing it would be free. Leave it out."
            )
        if self.preference is not None and np.shape(self.preference) != (coverage.n_rules,):
            raise InvalidParameterError(f"{coverage.n_rules} rules need as many numbers of preference.")
        if self.rows is not None and self.rows.matrix.shape[1] != coverage.n_rules:
            raise InvalidParameterError("Extra rows must have one column a rule.")
        object.__setattr__(self, "coverage", coverage)
        object.__setattr__(self, "scores", scores)

    @property
    def n_rules(self) -> int:
        """Number of candidate rules."""
        return int(self.coverage.n_rules)

    @property
    def n_samples(self) -> int:
        """Number of samples to part."""
        return int(self.coverage.n_samples)

    def subset(self, rules: IntArray) -> PartitionProblem:
        """Return the problem with these candidates only."""
        rows = None if self.rows is None else self.rows.subset(rules)
        preference = None if self.preference is None else self.preference[rules]
        return PartitionProblem(self.scores[rules], self.coverage.subset(rules), self.max_rules, rows, preference)

    def objective(self, chosen: IntArray) -> float:
        """Return the total score of these rules."""
        return float(np.sum(self.scores[chosen]))

    def accepts(self, chosen: IntArray) -> bool:
        """Whether these rules keep the budget, the extra rows, and part the samples."""
        if self.max_rules is not None and len(chosen) > self.max_rules:
            return False
        if self.rows is not None and not self.rows.hold(chosen):
            return False
        return bool(np.all(self.coverage.counts_of(chosen) == 1))

    def verify(self, chosen: IntArray) -> IntArray:
        """Return the chosen rules in order; raise if they are no solution after all."""
        chosen = np.sort(np.asarray(chosen, dtype=np.int64))
        if not self.accepts(chosen):
            raise SolverError(
                "The solver's answer does not part the training samples within the budget and the constraints. "
                "This is a bug; please report it with the data."
            )
        return chosen
