"""Which of equally good lists is taken: all of them are tried, where they are few.

The rules that an optimal list can have are few, and most samples are in only one of them, which is then in every such
list and excludes all that overlap it. What is left often falls apart into regions that have no sample in common. In
each, take the sample that the fewest rules cover, and try each of them in turn. Rules are bits of integers, so a step
takes microseconds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.equal_rows import first_of_each
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.bits import as_integers

#: So many samples may be looked at to find the one to go on with, in all steps together; a step costs so many more.
#: Where the scores are not multiples of one number, ties are rare, and less is looked at.
_EFFORT, _EFFORT_IF_RARE, _STEP = 10_000, 2_000, 20
# Scores that differ by less than this share of the largest are equal: in decimal places.
_PLACES = 12


class _TooManyError(Exception):
    """There are too many lists to try."""


def best_of_tied(
    problem: PartitionProblem, columns: IntArray, regrets: FloatArray, slack: float, *, rare: bool = False
) -> IntArray | None:
    """Return the best list of some rules: of equal scores, the fewest rules, the lowest preference, the first rules.

    It is for lists that are equal but for rounding errors.

    Parameters
    ----------
    problem : PartitionProblem
    columns : int array
        The rules to choose from, in increasing order.
    regrets : float array of shape (n_columns,)
        None is negative, and those of a list's rules add up to at most ``slack``.
    slack : float
    rare : bool
        Whether ties are not likely, so that less effort is worth it.

    Returns
    -------
    int array or None
        None if there is no such list, or too many to try.
    """
    covers = problem.coverage.held(columns)
    covers = covers[:, first_of_each(covers.T)]
    forced, left, covers = _settled(covers)
    most = len(columns) if problem.max_rules is None else problem.max_rules
    if forced is None or len(forced) > most:
        return None
    most -= len(forced)
    covers = covers[:, first_of_each(covers.T)]
    effort, whole = _Effort(_EFFORT_IF_RARE if rare else _EFFORT), [np.arange(len(left))]

    def best_of(regions: list[IntArray]) -> IntArray | None:
        chosen = forced[:0]
        for region in regions:
            mine = left[region]
            tried = _lists(covers[region], regrets[mine].tolist(), slack, most, effort)
            found = _first(problem, columns, forced, [mine[some] for some in tried])
            if found is None:
                return None
            chosen = np.concatenate([chosen, found])
        return chosen

    try:
        found = best_of(whole if problem.is_constrained else _regions(covers))
        if found is not None and len(found) > most:
            found = best_of(whole)  # the best of each region are too many together
    except _TooManyError:
        return None
    return None if found is None else np.sort(columns[np.concatenate([forced, found])])


class _Effort:
    """What may still be spent."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, amount: int) -> None:
        """Spend it; raise if there is not enough."""
        self.left -= amount
        if self.left < 0:
            raise _TooManyError


def _settled(covers: BoolArray) -> tuple[IntArray | None, IntArray, BoolArray]:
    """Return the rules that all lists have, those that are open, and which of the other samples these cover.

    The first is None if there is no list.
    """
    forced, left = [np.empty(0, dtype=np.int64)], np.arange(len(covers))
    while covers.shape[1]:
        amount = covers.sum(axis=0, dtype=np.int32)
        needed = covers[:, amount == 1].any(axis=1)
        done = covers[needed].sum(axis=0, dtype=np.int32)
        if not amount.all() or (done > 1).any():
            return None, left, covers
        if not needed.any():
            break
        forced.append(left[needed])
        keep = ~covers[:, done > 0].any(axis=1)
        left, covers = left[keep], covers[keep][:, done == 0]
    return np.concatenate(forced), left[: 0 if not covers.shape[1] else None], covers


def _regions(covers: BoolArray) -> list[IntArray]:
    """Return the rules that are connected by samples in common, a set after the other."""
    overlap = covers.astype(np.float32) @ covers.T.astype(np.float32) > 0
    regions, open_rules = [], np.ones(len(covers), dtype=bool)
    while open_rules.any():
        region = np.zeros(len(covers), dtype=bool)
        region[np.argmax(open_rules)] = True
        size = 0
        while size < (size := int(region.sum())):
            region |= overlap[region].any(axis=0)
        regions.append(np.flatnonzero(region))
        open_rules &= ~region
    return regions


def _lists(covers: BoolArray, regrets: list[float], slack: float, most: int, effort: _Effort) -> Iterator[list[int]]:
    """Yield the choices of at most so many rules that cover each sample once, among those that some rule covers."""
    rows = as_integers(covers[:, covers.any(axis=0)].T)
    excluded = as_integers(covers.astype(np.float32) @ covers.T.astype(np.float32) > 0)
    open_lists: list[tuple[list[int], list[int], float]] = [([], rows, slack)]
    while open_lists:
        chosen, rows, rest = open_lists.pop()
        if not rows:
            yield chosen
            continue
        if len(chosen) >= most:
            continue
        effort.spend(len(rows) + _STEP)
        choices = min(rows, key=int.bit_count)
        while choices:
            bit = choices & -choices
            choices ^= bit
            rule = bit.bit_length() - 1
            if regrets[rule] <= rest:
                allowed = ~excluded[rule]
                open_lists.append(
                    ([*chosen, rule], [row & allowed for row in rows if not row & bit], rest - regrets[rule])
                )


def _first(problem: PartitionProblem, columns: IntArray, forced: IntArray, tried: list[IntArray]) -> IntArray | None:
    """Return the choice that comes first, of those that with the forced rules satisfy the extra rows."""
    unit = float(np.abs(problem.scores[columns]).max(initial=0.0)) or 1.0
    best, best_rank = None, None
    for some in tried:
        chosen = np.sort(columns[some])
        if problem.is_constrained and not problem.satisfies_extra(np.concatenate([columns[forced], chosen])):
            continue
        score = np.round(problem.scores[chosen].sum() / unit, _PLACES)
        preference = 0.0 if problem.preference is None else np.round(problem.preference[chosen].sum(), _PLACES)
        rank = (-score, len(chosen), preference, *chosen.tolist())
        if best_rank is None or rank < best_rank:
            best, best_rank = some, rank
    return best
