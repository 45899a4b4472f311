"""How many features a reader has to know."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.checks import check_integer
from hedgerow.candidates.coverage import Coverage
from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import Demand
from hedgerow.optimize.problem import LinearRows

#: By how much a row must be violated to be worth adding.
_VIOLATION = 1e-6
#: What is chosen by less counts as not chosen.
_NOTHING = 1e-9


@dataclass(frozen=True)
class MaxFeatures:
    """All rules together use at most so many columns.

    Features that are computed from the same column count as one.

    Parameters
    ----------
    n : int

    Examples
    --------
    >>> print(MaxFeatures(3))
    at most 3 features in all
    """

    n: int

    def __post_init__(self) -> None:
        check_integer("MaxFeatures(n)", self.n, least=0)

    def __str__(self) -> str:
        return f"at most {self.n} feature{'' if self.n == 1 else 's'} in all"

    @property
    def rises(self) -> bool:
        """It gives way by more features."""
        return True

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return larger numbers of features, up to that of all."""
        return range(self.n + 1, candidates.uses_of_sources.shape[1] + 1)

    def at(self, level: float) -> MaxFeatures:
        """Return the constraint with another number."""
        return MaxFeatures(int(level))

    def demand(self, candidates: Candidates) -> Demand:
        """Return which rules use few enough by themselves, and the rows that are made when they are violated."""
        uses = candidates.uses_of_sources
        amount = np.diff(uses.indptr)
        if np.flatnonzero(np.bincount(uses.indices, minlength=1)).size <= self.n:
            return Demand()
        return Demand(amount <= self.n, lazy=(FeatureRows(self.n, uses, candidates.few, (str(self),)),))


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """Rows that bound the number of features of a list.

    A feature is used if some chosen rule uses it. A list has one rule for each sample, so for any sample, the rules
    that cover it and use the feature add up to at most one, and to one only if the feature is used. Thus for every
    choice of a sample for each feature, the sum over the features of these rules is at most the number of features that
    are used. Of these rows, one per choice, the one that a solution violates most takes for each feature the sample
    with the largest sum. Where all rules are chosen as a whole, that sum is one for each feature that is used.

    Attributes
    ----------
    most : int
    uses : sparse array of shape (n_rules, n_features)
    coverage : Coverage
        Of any samples.
    names : tuple of str
    """

    most: int
    uses: sparse.csr_array
    coverage: Coverage
    names: tuple[str, ...]

    def hold(self, chosen: IntArray) -> bool:
        """Whether these rules use few enough features."""
        return len(np.unique(self.uses[chosen].indices)) <= self.most

    def violated(self, z: FloatArray) -> LinearRows | None:
        """Return the row that a choice violates most, or None."""
        support = np.flatnonzero(z > _NOTHING)
        uses = sparse.csc_array(self.uses[support])
        features = np.flatnonzero(np.diff(uses.indptr))
        if len(features) <= self.most:
            return None
        entries, total = np.zeros(len(z)), 0.0
        held = self.coverage.held(support).astype(np.float64)
        for k in features:
            mine = uses.indices[uses.indptr[k] : uses.indptr[k + 1]]
            amount = z[support[mine]] @ held[mine]
            sample = int(np.argmax(amount))
            total += float(amount[sample])
            entries += self._covering(sample) * self._column(int(k))
        if total <= self.most + _VIOLATION:
            return None
        return LinearRows(entries, -np.inf, float(self.most), self.names)

    def _covering(self, sample: int) -> FloatArray:
        """Return 1 for the rules that cover a sample, 0 for others."""
        at, coverage = self.coverage.ends.ranks[sample].astype(np.int64)[self.coverage.group], self.coverage
        return ((at >= coverage.first) & (at < coverage.last)).astype(np.float64)

    def _column(self, feature: int) -> FloatArray:
        return self.uses[:, [feature]].toarray().ravel()

    def conflicts(self, rules: IntArray, others: IntArray) -> BoolArray:
        """Return which pairs of rules use too many features by themselves."""
        both = self.uses[rules] @ self.uses[others].T
        amount = np.diff(self.uses.indptr)
        together = amount[rules][:, None] + amount[others][None, :] - both.toarray()
        return np.asarray(together > self.most)

    def fitting(self, chosen: IntArray) -> BoolArray:
        """Return which candidates use few enough features together with these rules."""
        others = np.ones(self.uses.shape[1])
        used = np.unique(self.uses[chosen].indices)
        others[used] = 0.0
        return np.asarray(self.uses @ others <= self.most - len(used))

    def havens(self, z: FloatArray) -> Iterator[BoolArray]:
        """Yield the candidates that use only the features which are used most."""
        amount = np.zeros(self.uses.shape[1])
        support = np.flatnonzero(z > _NOTHING)
        held = self.coverage.held(support).astype(np.float64)
        uses = sparse.csc_array(self.uses[support])
        for k in np.flatnonzero(np.diff(uses.indptr)):
            mine = uses.indices[uses.indptr[k] : uses.indptr[k + 1]]
            amount[k] = (z[support[mine]] @ held[mine]).sum()  # of samples that such a rule covers
        most = np.argsort(-amount, kind="stable")[: self.most + 1]
        # Those that are used most, then with each of them in turn left out for the next one.
        for left_out in most[::-1]:
            others = np.ones(len(amount))
            others[most[most != left_out]] = 0.0
            yield np.asarray(self.uses @ others == 0)

    def kinds(self) -> IntArray:
        """Return one number per candidate: those that use the same features have equal numbers."""
        known: dict[bytes, int] = {}
        indices, ends = self.uses.indices, self.uses.indptr
        keys = [np.sort(indices[start:end]).tobytes() for start, end in itertools.pairwise(ends)]
        return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)

    def subset(self, rules: IntArray) -> FeatureRows:
        """Return the same over these candidates only."""
        return FeatureRows(self.most, self.uses[rules], self.coverage.subset(rules), self.names)
