"""The smallest changes that lead to another rule, exactly: a best-first search over the cells of a rule list.

Each column has finitely many cells, within which no condition of the list tells values apart. The cell of the row comes
first, the others by increasing cost. What a rule allows is a set of cells per column; so is what a search has not ruled
out yet. Sets are integers whose bits are cells, so the cheapest cell of a set is its lowest bit.

The search starts with the cells that a wanted rule allows. The cheapest row in there may match an earlier rule with an
unwanted answer; then at least one of that rule's columns must leave what the rule allows, and each of them is tried.
Costs never fall on the way, so the first row with the wanted answer is the cheapest of all.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

#: The search for one answer ends after so many steps.
MOST_STEPS = 5_000


@dataclass(frozen=True)
class Cells:
    """The cells of the columns, and those that each rule allows.

    Attributes
    ----------
    costs : sequence of sequences of float
        For each column, the cost of each cell: 0 for that of the row, which comes first, then increasing.
    rules : sequence of mappings
        For each rule, the cells that it allows, as bits, by column; it does not look at other columns.
    """

    costs: Sequence[Sequence[float]]
    rules: Sequence[Mapping[int, int]]

    @property
    def all(self) -> tuple[int, ...]:
        """All cells of each column."""
        return tuple((1 << len(costs)) - 1 for costs in self.costs)

    def fired(self, point: Sequence[int]) -> int:
        """Return the first rule that matches a cell per column, -1 if none does."""
        for i, rule in enumerate(self.rules):
            if all(allowed >> point[j] & 1 for j, allowed in rule.items()):
                return i
        return -1

    def cost(self, point: Sequence[int]) -> float:
        """Return the sum of the costs, added up column by column."""
        total = 0.0
        for costs, i in zip(self.costs, point, strict=True):
            total += costs[i]
        return total


@dataclass(frozen=True)
class Point:
    """A cell per column, the rule that matches there (-1 if none does), and what it costs to get there."""

    cells: tuple[int, ...]
    rule: int
    cost: float

    @property
    def n_changed(self) -> int:
        """The number of columns that change."""
        return sum(cell > 0 for cell in self.cells)


def least_changes(cells: Cells, wanted: Collection[int], most_steps: int = MOST_STEPS) -> tuple[list[Point], bool]:
    """Return the cheapest ways to a wanted rule, and whether the search was complete.

    Of two ways, the one that changes more columns is returned only if it is cheaper: the first is the cheapest of all,
    each further one the cheapest of those that change fewer columns.

    Parameters
    ----------
    cells : Cells
    wanted : collection of int
        Positions of rules; -1 stands for no rule.
    most_steps : int
        If they do not suffice, what was found is returned: every way is the cheapest with so few columns, but others
        with fewer columns may be missing.

    Examples
    --------
    >>> cells = Cells([[0.0, 1.0, 2.5], [0.0, 0.5]], [{0: 0b001}, {0: 0b010, 1: 0b10}, {0: 0b110}])
    >>> least_changes(cells, {1})
    ([Point(cells=(1, 1), rule=1, cost=1.5)], True)
    >>> least_changes(cells, {2})
    ([Point(cells=(1, 0), rule=2, cost=1.0)], True)
    """
    search = _Search(cells)
    for rule in sorted(wanted):
        search.add(cells.all, cells.rules[rule] if rule >= 0 else {})
    found: list[Point] = []
    for _ in range(most_steps):
        allowed = search.next(found[-1].n_changed if found else len(cells.costs) + 1)
        if allowed is None:
            return found, True
        corner = _corner(allowed)
        rule = cells.fired(corner)
        if rule in wanted:
            found.append(Point(corner, rule, cells.cost(corner)))
            continue
        for column, matching in cells.rules[rule].items() if rule >= 0 else ():
            search.add(allowed, {column: ~matching})
    return found, False


class _Search:
    """What is still to be looked at, cheapest first; of equal costs, fewer changes first, then earlier cells."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._open: list[tuple[float, int, tuple[int, ...], tuple[int, ...]]] = []
        self._known: set[tuple[int, ...]] = set()

    def add(self, allowed: tuple[int, ...], kept: Mapping[int, int]) -> None:
        """Add the cells of ``allowed`` that are also in ``kept``, unless a column has none left."""
        rest = tuple(cells & kept.get(j, -1) for j, cells in enumerate(allowed))
        if all(rest) and rest not in self._known:
            self._known.add(rest)
            corner = _corner(rest)
            n_changed = sum(cell > 0 for cell in corner)
            heapq.heappush(self._open, (self._cells.cost(corner), n_changed, corner, rest))

    def next(self, below: int) -> tuple[int, ...] | None:
        """Return the cheapest cells that change fewer columns than ``below``, None if there are none left."""
        while self._open:
            _, n_changed, _, allowed = heapq.heappop(self._open)
            if n_changed < below:
                return allowed
        return None


def _corner(allowed: Sequence[int]) -> tuple[int, ...]:
    """Return the cheapest cell of each column."""
    return tuple((cells & -cells).bit_length() - 1 for cells in allowed)
