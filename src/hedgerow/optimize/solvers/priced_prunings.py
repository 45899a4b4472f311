"""Lists that satisfy extra rows, from pruned trees whose scores include what the rows cost.

The best mixture of pruned trees (:mod:`.prunings`) knows nothing of extra rows, and seldom satisfies one that
matters. The multipliers of the linear relaxation say what each rule costs in terms of these rows. Scores less these
prices make the best mixtures almost satisfy them; with prices that are raised for rows that are violated, and lowered
for those that are not, some mixtures do. Where a requirement knows sets of rules among which every choice satisfies it,
trees are also pruned among these.
"""

from __future__ import annotations

import itertools

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow.optimize.problem import LinearRows
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.twins import best_of_each

#: Prices are also tried so many times as high.
_OVERPRICED = (1.0, 2.0, 4.0)
#: So many mixtures of each kind are tried, and so many prices until one satisfies the rows.
_TRIED, _STEPS = 200, 12
#: How prices rise and fall.
_RISE, _FALL = 2.0, 0.7
#: A rule that cannot be chosen scores this much less than nothing.
_HUGE = 1e100


def offer_priced_prunings(record: Record, relaxation: Relaxation, unique: IntArray) -> None:
    """Offer the record mixtures of pruned trees that may satisfy the extra rows.

    Parameters
    ----------
    record : Record
    relaxation : Relaxation
        Solved; its columns are these rules of the record's problem.
    unique : int array
    """
    trial = _Trial(record, relaxation, unique)
    everything = np.ones(len(unique), dtype=bool)
    for mask in itertools.chain(relaxation.problem.havens(relaxation.over_all()), [everything]):
        for factor in _OVERPRICED if trial.is_priced else (1.0,):
            if not record.out_of_time:
                trial.offer(mask, factor * trial.prices)
    if record.best is None and record.problem.rows is not None:
        trial.search(record.problem.rows)


class _Trial:
    """The prices of one solution of the relaxation."""

    def __init__(self, record: Record, relaxation: Relaxation, unique: IntArray) -> None:
        self.record, self.unique = record, unique
        self.prices = relaxation.extra_prices()
        self.is_priced = bool(self.prices.any())
        self.of_rows = relaxation.multipliers_of_extra()

    def offer(self, mask: BoolArray, prices: FloatArray) -> IntArray | None:
        """Offer the best mixtures of some columns at these prices; return the first of them, or None."""
        problem = self.record.problem
        priced = np.full(problem.n_rules, -_HUGE)
        some = self.unique[mask]
        priced[some] = problem.scores[some] - prices[mask]
        _, best_twin = best_of_each(problem.coverage.twins, priced, problem.preference)
        prunings = Prunings(problem.coverage, priced, best_twin, problem.max_rules, self.record.deadline)
        first = None
        for pruning in itertools.islice(prunings.best(problem.max_rules, -_HUGE / 2), _TRIED):
            first = pruning if first is None else first
            self.record.offer(pruning)
        return first

    def search(self, rows: LinearRows) -> None:
        """Raise the prices of rows that are violated and lower the others, until a mixture satisfies all."""
        everything, multipliers = np.ones(len(self.unique), dtype=bool), self.of_rows.copy()
        scaled = rows.scaled()
        typical = float(np.abs(self.record.problem.scores[self.unique]).mean()) or 1.0
        matrix = scaled.matrix[:, self.unique]
        own = self.prices - matrix.T @ multipliers  # what rows cost that are not written down
        for _ in range(_STEPS):
            first = self.offer(everything, own + matrix.T @ multipliers)
            if first is None or self.record.best is not None or self.record.out_of_time:
                return
            activity = np.asarray(scaled.matrix[:, first].sum(axis=1)).ravel()
            below, above = activity < scaled.lower, activity > scaled.upper
            sign = np.where(below, -1.0, 1.0)
            raised = sign * np.maximum(_RISE * np.maximum(sign * multipliers, 0.0), typical)
            multipliers = np.where(below | above, raised, _FALL * multipliers)
