"""The partition problem: arrays only.

max Σ_j score_j z_j, each sample in exactly one chosen rule, at most
``max_rules`` rules, z binary, and any extra linear rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.arrays import IntArray
from hedgerow.coverage import Coverage
from hedgerow.exceptions import InvalidParameterError, SolverError


@dataclass(frozen=True, eq=False)
class LinearRows:
    """Rows ``lower <= matrix @ z <= upper`` over the candidates, each scaled to a largest entry of 1.

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
        # Tolerances are absolute, so every row is brought to the size of the partition's own rows.
        size = np.asarray(abs(matrix).max(axis=1).todense()).ravel() if matrix.shape[1] else np.ones(matrix.shape[0])
        size = np.where(size > 0, size, 1.0)
        object.__setattr__(self, "matrix", sparse.csr_array(sparse.diags_array(1 / size) @ matrix))
        for side in ("lower", "upper"):
            bound = np.broadcast_to(np.asarray(getattr(self, side), dtype=np.float64), (matrix.shape[0],))
            object.__setattr__(self, side, bound / size)

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def hold(self, chosen: IntArray, tolerance: float = 1e-8) -> bool:
        """Whether these rules satisfy every row."""
        activity = np.asarray(self.matrix[:, chosen].sum(axis=1)).ravel()
        slack = tolerance * np.maximum(1.0, np.abs(activity))
        return bool(np.all((activity >= self.lower - slack) & (activity <= self.upper + slack)))

    def subset(self, rules: IntArray) -> LinearRows:
        """Return the rows over these candidates only."""
        return LinearRows(self.matrix[:, rules], self.lower, self.upper, self.names)


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
    """

    scores: Any
    coverage: Any
    max_rules: int | None = None
    rows: LinearRows | None = None

    def __post_init__(self) -> None:
        coverage = self.coverage if isinstance(self.coverage, Coverage) else Coverage.from_matrix(self.coverage)
        scores = np.asarray(self.scores, dtype=np.float64)
        if scores.shape != (coverage.n_rules,):
            raise InvalidParameterError(f"{coverage.n_rules} rules need as many scores; got shape {scores.shape}.")
        if not np.isfinite(scores).all():
            raise InvalidParameterError("Scores must be finite.")
        if (coverage.counts == 0).any():
            raise InvalidParameterError(
                f"Rule {int(np.argmin(coverage.counts))} covers no sample; choosing it would be free. Leave it out."
            )
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
