"""Which columns exclude each other, and what follows from that without a linear program.

Some columns are stranded (:mod:`.stranded`) and are dropped. Where few lists are left, all of them are tried
(:mod:`.few_lists`), and lists near the best one are: some of its rules are kept, and all lists with them are tried.
"""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray
from hedgerow.optimize.solvers.bits import among
from hedgerow.optimize.solvers.cliques import conflicts
from hedgerow.optimize.solvers.few_lists import every_list
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.stranded import without_stranded

#: Above this number of columns, a matrix of all pairs takes too much memory.
MOST_PAIRS = 6000
#: Of more columns, hardly any is stranded.
_MOST_STRANDED = 1500
#: All lists of at most so many columns are tried, if that takes at most a share of what the linear programs since the
#: last trial have taken. The share begins at 1; success doubles it, failure halves it, between these two.
_FEW_COLUMNS, _LEAST_SHARE, _MOST_SHARE = 1500, 1 / 4, 1.0
#: To look for a better list near the best one, each of its rules is kept with this probability, until so many trials in
#: a row have failed, and one for so much work of the linear programs since the last time.
_KEPT, _TRIALS, _WORK_PER_TRIAL = 0.6, 10, 4_000_000
#: An effort that is worth it in any case; the most, which takes a fifth of a second; and how much effort a simplex
#: iteration is worth per entry of the matrix.
_LITTLE_EFFORT, _MOST_EFFORT, _EFFORT_PER_WORK = 30_000, 2_000_000, 0.01


class Pairs:
    """The pairs of columns of a relaxation that exclude each other.

    Attributes
    ----------
    matrix : bool array of shape (n_columns, n_columns)
    """

    def __init__(self, relaxation: Relaxation, record: Record, unique: IntArray) -> None:
        self.relaxation, self.record, self.unique = relaxation, record, unique
        self.matrix = conflicts(relaxation.sample_rows)
        for lazy in relaxation.problem.lazy:
            self.matrix |= lazy.conflicts(relaxation.active, relaxation.active)
        np.fill_diagonal(self.matrix, val=False)
        self._known: BoolArray | None = None
        self._share, self._work, self._improved = 1.0, 0, 0
        self._rng = np.random.default_rng(0)

    def keep(self, mask: BoolArray) -> None:
        """Drop the columns that are not in the mask."""
        self.matrix, self._known = among(self.matrix, np.flatnonzero(mask)), None

    def without_stranded(self, allowed: BoolArray) -> BoolArray:
        """Return the columns without those with which some sample cannot be covered, where these are not too many."""
        columns = np.flatnonzero(allowed)
        if len(columns) > _MOST_STRANDED:
            return allowed
        left = allowed.copy()
        left[columns] = without_stranded(among(self.matrix, columns), self._covers().take(columns, 1))
        return left

    def _covers(self) -> BoolArray:
        """Return which columns cover the samples that have rows."""
        if self._known is None or len(self._known) < len(self.relaxation.samples):
            self._known = self.relaxation.sample_rows.toarray() > 0.5
        return self._known

    def try_every_list(self, allowed: BoolArray) -> bool:
        """Try all lists of these columns that may be better than the best; return False if these are too many."""
        relaxation, record, columns = self.relaxation, self.record, np.flatnonzero(allowed)
        if record.best is None or len(columns) > _FEW_COLUMNS:
            return False
        covers = self._covers().take(columns, 1)
        if not covers.any(axis=0).all():  # rules of other samples could follow at the end
            return False
        effort = _LITTLE_EFFORT + _EFFORT_PER_WORK * (relaxation.work - self._work)
        effort = min(int(self._share * effort), _MOST_EFFORT)
        self._work = relaxation.work
        done = every_list(
            covers,
            among(self.matrix, columns),
            np.maximum(-relaxation.reduced[columns], 0.0),
            lambda: relaxation.last_bound - self.record.enough,
            lambda chosen: record.offer(self.unique[relaxation.active[columns[chosen]]]),
            record.problem.max_rules,
            effort,
        )
        self._share = min(2 * self._share, _MOST_SHARE) if done else max(self._share / 2, _LEAST_SHARE)
        return done

    def improve(self) -> None:
        """Look for a better list near the best one: keep some of its rules, and try all lists with them."""
        relaxation, record = self.relaxation, self.record
        if record.best is None or record.out_of_time:
            return
        n_trials, self._improved = (relaxation.work - self._improved) // _WORK_PER_TRIAL, relaxation.work
        covers, columns = self._covers(), self.unique[relaxation.active]
        failed = 0
        for _ in range(n_trials):
            mine = np.flatnonzero(np.isin(columns, record.best))
            before = record.best_objective
            self._repair(mine[self._rng.random(len(mine)) < _KEPT], covers, columns)
            failed = failed + 1 if record.best_objective == before else 0
            if failed == _TRIALS:
                break

    def _repair(self, kept: IntArray, covers: BoolArray, columns: IntArray) -> None:
        """Try all lists with some rules of the best one, as far as that takes little effort."""
        relaxation, record = self.relaxation, self.record
        regrets, open_samples = np.maximum(-relaxation.reduced, 0.0), ~covers[:, kept].any(axis=1)
        fits = ~covers[~open_samples].any(axis=0) & covers[open_samples].any(axis=0)
        some = np.flatnonzero(fits & (relaxation.reach > self.record.enough))
        lost, most = float(regrets[kept].sum()), record.problem.max_rules
        every_list(
            covers[np.ix_(open_samples, some)],
            among(self.matrix, some),
            regrets[some],
            lambda: relaxation.last_bound - self.record.enough - lost,
            lambda chosen: record.offer(columns[np.concatenate([kept, some[chosen]])]),
            None if most is None else most - len(kept),
            _LITTLE_EFFORT,
        )
