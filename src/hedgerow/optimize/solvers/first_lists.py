"""The first lists of a search: mixtures of pruned trees, those of the first trees where all of them take long."""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.optimize.solvers.memory import Memory
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.record import Record

#: Even the shortest time limit should end with a list: so many seconds more may be taken.
_GRACE = 0.5
#: Trees with more nodes than this may take long to prune; then those with so many of the nodes come first.
_MANY_NODES, _FEW_NODES = 100_000, 20_000


class FirstLists:
    """The mixtures of pruned trees of a problem.

    Parameters
    ----------
    record : Record
        Takes the lists.
    memory : Memory
        Keeps the mixtures for other budgets.
    best_twin : int array
        For each rule, the one with the best score that covers the same samples.
    """

    def __init__(self, record: Record, memory: Memory, best_twin: IntArray) -> None:
        self.record, self.memory = record, memory
        self._best_twin: IntArray | None = best_twin

    def offer(self) -> None:
        """Offer the best mixtures, if that has not been done."""
        if self._best_twin is None:
            return
        best_twin, self._best_twin = self._best_twin, None
        record, memory = self.record, self.memory
        problem = record.problem
        # Even the shortest time limit should end with a list.
        deadline = None if record.deadline is None else record.deadline + _GRACE
        largest = memory.largest or problem.max_rules
        if deadline is not None and problem.n_rules > _MANY_NODES and record.best is None:
            self._offer_first_trees(largest, deadline)
        if memory.prunings is None:
            memory.prunings = Prunings(problem.coverage, problem.scores, best_twin, largest, deadline)
        self._offer(memory.prunings)
        record.note("pruned trees", 0, problem.n_rules)

    def _offer_first_trees(self, largest: int | None, deadline: float) -> None:
        """Prune the first trees alone, because all of them may take longer than there is time."""
        coverage = self.record.problem.coverage
        order = np.argsort(coverage.group, kind="stable")
        few = np.sort(order[coverage.group[order] <= coverage.group[order[_FEW_NODES]]])
        alone = Prunings(coverage.subset(few), self.record.problem.scores[few], np.arange(len(few)), largest, deadline)
        self._offer(alone, few)

    def _offer(self, prunings: Prunings, rules: IntArray | None = None) -> None:
        record = self.record
        for pruning in prunings.best(record.problem.max_rules, record.best_objective):
            if record.offer(pruning if rules is None else rules[pruning]):
                return
