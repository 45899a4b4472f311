"""Branch and cut: the proof where the relaxation's solution is not a list.

A fractional solution uses two samples that are in the same rule by a part, and in different rules by the rest. One
branch forbids every rule that covers one of the two alone, the other every rule that covers both (Ryan and Foster's
rule). Both forbid many columns at once, so that trees stay small. Each node's bound is strengthened by cliques (see
:mod:`hedgerow.optimize.solvers.cliques`); a dive, which keeps what is nearly whole and the most promising rule, then
solves again, finds good lists early. Rules with which some sample cannot be covered any more are dropped (see
:mod:`hedgerow.optimize.solvers.stranded`), and where a bound leaves few lists, all of them are tried instead of
branching (:mod:`hedgerow.optimize.solvers.few_lists`). Nodes with a higher bound come first, and below a node, one
branch is followed to its end. Nothing depends on time or chance, so the same problem has the same tree.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.equal_rows import first_of_each
from hedgerow.optimize.solvers.cliques import enlarged, violated_cliques
from hedgerow.optimize.solvers.pairs import MOST_PAIRS, Pairs
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.relaxation import Relaxation

_FRACTION = 1e-6
_NEARLY_WHOLE = 0.9
#: Cliques per round, and rounds: at the root, and at other nodes.
_CLIQUES, _ROUNDS = (100, 30), (40, 2)
#: Another round is worth it if the last one has closed this share of the gap.
_PROGRESS = (0.02, 0.1)
#: A dive starts from the first nodes, and then from every so many.
_FIRST_DIVES, _DIVE_EVERY = 3, 10
#: Columns are dropped for good when this share of them is.
_WORTH_DROPPING = 0.1
#: All samples are looked at in each node up to this many samples times trees; above, only where a solution is whole.
_CHEAP_LOOK = 3_000_000


#: Chooses, among violated samples and how much they are violated, those whose rows are added.
Pick = Callable[[IntArray, FloatArray, Relaxation], IntArray]


@dataclass(frozen=True)
class Pair:
    """Two samples that are in the same rule by some share; ``rows`` are their positions among the samples with rows."""

    rows: tuple[int, int]
    share: float


@dataclass(frozen=True)
class Taken:
    """A column that is chosen by some share, where only an extra row tells it from another one."""

    column: int
    share: float


@dataclass(frozen=True)
class Missing:
    """A sample without a row that tells two columns apart: its row comes before any branch."""

    sample: int


def branch_on(relaxation: Relaxation) -> Pair | Taken | Missing:
    """Return what two branches differ in, given a fractional solution."""
    fractional = np.flatnonzero((relaxation.z > _FRACTION) & (relaxation.z < 1 - _FRACTION))
    z = relaxation.z[fractional]
    covers = relaxation.sample_rows[:, fractional].toarray() > 0.5
    patterns = first_of_each(covers)
    covers = covers[patterns].astype(np.float64)
    together = np.triu((covers * z) @ covers.T, 1)
    i, k = (int(place) for place in np.unravel_index(np.argmin(np.abs(together - 0.5)), together.shape))
    share = float(together[i, k])
    if _FRACTION < share < 1 - _FRACTION:
        return Pair((int(patterns[i]), int(patterns[k])), share)
    j = int(fractional[np.argmax(z)])
    sample = _missing_sample(relaxation, j, fractional)
    return Taken(j, float(z.max())) if sample is None else Missing(sample)


def _missing_sample(relaxation: Relaxation, j: int, fractional: IntArray) -> int | None:
    """Return a sample without a row that tells a column from another fractional one; None if there is none."""
    coverage, known = relaxation.problem.coverage, relaxation.samples
    mine = coverage.holds(int(relaxation.active[j]))
    if not mine[known].any():
        return int(np.argmax(mine))
    for k in fractional:
        differs = mine != coverage.holds(int(relaxation.active[k]))
        if differs.any() and not differs[known].any():
            return int(np.argmax(differs))
    return None


class _OutOfTimeError(Exception):
    """The deadline has passed."""


class BranchAndCut:
    """The tree of one problem.

    Parameters
    ----------
    relaxation : Relaxation
        Solved at the root.
    record : Record
        Takes the lists that are found, and the bound.
    unique : int array
        The rules of the record's problem that are the columns of the relaxation.
    pick : Pick
    """

    def __init__(self, relaxation: Relaxation, record: Record, unique: IntArray, pick: Pick) -> None:
        self.relaxation, self.record, self.unique, self._pick = relaxation, record, unique, pick
        self._heap: list[tuple[float, int, BoolArray]] = []
        self._number = itertools.count()
        self._pairs: Pairs | None = None
        self._n_nodes = 0

    def run(self) -> bool:
        """Search until the best list is proven, or there is none; return whether that was in time."""
        try:
            self._root()
            while self._heap:
                bound = -self._heap[0][0]
                self.record.lower_to(bound)
                if self.record.beats(bound):
                    break
                self._follow()
        except _OutOfTimeError:
            self.record.lower_to(self.relaxation.bound)
            return False
        if self.record.best is not None:
            self.record.lower_to(self.record.best_objective)
        if self._n_nodes:
            self._note()
        return True

    def dive(self) -> None:
        """Look for a list from the root, and no more."""
        with suppress(_OutOfTimeError):
            self._dive(np.ones(len(self.relaxation.active), dtype=bool))

    def _root(self) -> None:
        self._dive(np.ones(len(self.relaxation.active), dtype=bool))
        allowed = self._drop_columns(self.relaxation.reach > self.record.enough)
        if len(self.relaxation.active) <= MOST_PAIRS:
            self._pairs = Pairs(self.relaxation, self.record, self.unique)
        self._improve()
        found = self._solve(allowed, at_root=True)
        self._note()
        if found is None:
            return
        self._push(self.relaxation.last_bound, found)
        self._improve()
        self._dive(found)

    def _follow(self) -> None:
        """Take the node with the highest bound, and follow one branch until it ends."""
        negative, _, allowed = heapq.heappop(self._heap)
        bound = -negative
        if self._n_nodes:
            self.relaxation.forget_basis()
        try:
            following: BoolArray | None = allowed
            while following is not None:
                allowed = following
                following = None
                self._n_nodes += 1
                found = self._solve(allowed, at_root=False)
                if found is None:
                    break
                bound = min(bound, self.relaxation.last_bound)
                following, other = self._branches(found)
                if self._n_nodes < _FIRST_DIVES or self._n_nodes % _DIVE_EVERY == 0:
                    self._dive(found)
                    self._improve()
                if other.any():
                    self._push(bound, other)
        except _OutOfTimeError:
            self._push(bound, allowed)
            raise
        if self._n_nodes % _DIVE_EVERY == 0:
            self._note()
            self._shrink()

    def _push(self, bound: float, allowed: BoolArray) -> None:
        heapq.heappush(self._heap, (-bound, next(self._number), allowed))

    def _solve(self, allowed: BoolArray, *, at_root: bool) -> BoolArray | None:
        """Solve the relaxation with these columns; return those that may be in a better list, or None if none may."""
        relaxation, record = self.relaxation, self.record
        n_cliques, n_rounds = _CLIQUES[not at_root], _ROUNDS[not at_root]
        last = np.inf
        for remaining in itertools.count(n_rounds, -1):
            if not self._is_open(allowed):
                return None
            allowed = self._without_stranded(allowed & self._useful())
            if not allowed.any():
                return None
            if (relaxation.z[~allowed] > _FRACTION).any():
                continue
            if self._pairs is not None and self._pairs.try_every_list(allowed):
                return None
            if at_root:  # what is of no use here is of no use anywhere
                allowed = self._drop_columns(allowed)
            relaxation.drop_idle_cliques()
            gap = 1.0 if record.best is None else relaxation.last_bound - record.best_objective
            slow = last - relaxation.last_bound < _PROGRESS[not at_root] * gap
            last = relaxation.last_bound
            if remaining <= 0 or slow or not self._cut(allowed, n_cliques):
                return allowed
        return None

    def _is_open(self, allowed: BoolArray) -> bool:
        """Solve with all violated samples; return whether the solution is fractional and may hide a better list."""
        relaxation, record = self.relaxation, self.record
        while True:
            if record.out_of_time:
                raise _OutOfTimeError
            relaxation.allow(allowed)
            ending = relaxation.solve(record.deadline)
            if ending == "stopped":
                raise _OutOfTimeError
            if ending == "infeasible" or record.beats(relaxation.last_bound):
                return False
            whole = self._whole()
            violated, amount = self._violated(whole is not None)
            if len(violated):
                added = self._pick(violated, amount, relaxation)
                if len(added):
                    relaxation.add(added)
                    continue
            extra = relaxation.problem.lazily_violated(relaxation.over_all())
            if extra is not None:
                relaxation.add_extra(extra)
                continue
            if whole is None:
                return True
            record.offer(self.unique[relaxation.active[whole]])
            if record.beats(relaxation.last_bound):
                return False
            # Rounding errors hide that this choice satisfies no extra row, or is not as good as its bound.
            relaxation.forbid_together(whole)

    def _whole(self) -> IntArray | None:
        """Return the chosen columns if the solution is whole."""
        z = self.relaxation.z
        return None if ((z > _FRACTION) & (z < 1 - _FRACTION)).any() else np.flatnonzero(z > _NEARLY_WHOLE)

    def _violated(self, is_whole: bool) -> tuple[IntArray, FloatArray]:
        """Return the violated samples, and how much they are."""
        relaxation = self.relaxation
        if not is_whole and np.count_nonzero(relaxation.z) * relaxation.problem.n_samples > _CHEAP_LOOK:
            return np.empty(0, dtype=np.int64), np.empty(0)
        off = np.abs(relaxation.covered() - 1.0)
        violated = np.flatnonzero(off > 10 * _FRACTION)
        return violated, off[violated]

    def _useful(self) -> BoolArray:
        """Return the columns that may be in a better list, among those that are allowed now."""
        relaxation = self.relaxation
        reach = np.minimum(relaxation.reach, relaxation.last_bound + np.minimum(relaxation.reduced, 0.0))
        return reach > self.record.enough

    def _without_stranded(self, allowed: BoolArray) -> BoolArray:
        """Return the columns without those with which some sample cannot be covered."""
        return allowed if self._pairs is None else self._pairs.without_stranded(allowed)

    def _improve(self) -> None:
        """Look for a better list near the best one."""
        if self._pairs is not None:
            self._pairs.improve()

    def _cut(self, allowed: BoolArray, most: int) -> bool:
        """Add cliques that the solution violates; return whether there are any."""
        if self._pairs is None:
            return False
        cliques = violated_cliques(self._pairs.matrix, self.relaxation.z, most)
        if not len(cliques):
            return False
        # Enlarged first by what is in the solution or nearly is.
        columns = np.flatnonzero(allowed)
        order = columns[np.argsort(-self.relaxation.reduced[columns], kind="stable")]
        self.relaxation.add_cliques(enlarged(cliques, self._pairs.matrix, order))
        return True

    def _branches(self, allowed: BoolArray) -> tuple[BoolArray, BoolArray]:
        """Return the columns that two branches allow, the more promising first."""
        relaxation = self.relaxation
        split = branch_on(relaxation)
        if isinstance(split, Missing):
            relaxation.add(np.array([split.sample]))
            return allowed, np.zeros_like(allowed)
        if isinstance(split, Pair):
            one, other = relaxation.sample_rows[np.array(split.rows)].toarray() > 0.5
            branches = allowed & (one == other), allowed & ~(one & other)
        else:
            without = allowed.copy()
            without[split.column] = False
            branches = allowed & self._compatible(np.array([split.column])), without
        return branches if split.share >= 0.5 else branches[::-1]

    def _compatible(self, chosen: IntArray) -> BoolArray:
        """Return which columns share no row with the chosen ones, and the chosen ones."""
        rows = self.relaxation.sample_rows
        covered = np.asarray(rows[:, chosen].sum(axis=1)).ravel()
        compatible: BoolArray = rows.T @ covered < 0.5
        for lazy in self.relaxation.problem.lazy:
            compatible &= lazy.fitting(self.relaxation.active[chosen])[self.relaxation.active]
        compatible[chosen] = True
        return compatible

    def _dive(self, allowed: BoolArray) -> None:
        """Look for a list: choose what is nearly whole and the largest fraction, solve again, and so on."""
        with self.relaxation.restored():
            while self._is_open(allowed):
                z = self.relaxation.z
                largest = np.argmax(np.where(z < 1 - _FRACTION, z, 0.0))
                chosen = np.append(np.flatnonzero(z > _NEARLY_WHOLE), largest)
                fewer = self._without_stranded(allowed & self._compatible(chosen) & self._useful())
                if np.array_equal(fewer, allowed):
                    return
                allowed = fewer

    def _drop_columns(self, keep: BoolArray) -> BoolArray:
        """Drop the columns that cannot be in a better list; return a mask of all that are left."""
        if keep.all():
            return keep
        self.relaxation.keep(keep)
        if self._pairs is not None:
            self._pairs.keep(keep)
        self._heap = [(bound, number, columns[keep]) for bound, number, columns in self._heap]
        return np.ones(int(keep.sum()), dtype=bool)

    def _shrink(self) -> None:
        """Drop columns where that makes the linear programs noticeably smaller."""
        keep = self.relaxation.reach > self.record.enough
        if np.mean(keep) < 1 - _WORTH_DROPPING:
            self._drop_columns(keep)

    def _note(self) -> None:
        self.record.lower_to(self.relaxation.bound)
        phase = f"branching, {self._n_nodes} nodes, {len(self._heap)} open" if self._n_nodes else "cliques"
        self.record.note(phase, len(self.relaxation.upper), len(self.relaxation.active))
