"""One run of the default solver: rows are added and columns dropped until a bound proves the best list.

The method is described in :mod:`hedgerow.optimize.solvers.row_generation`.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow._support.one_blas_thread import one_blas_thread
from hedgerow.exceptions import TimeLimitError
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.branching import BranchAndCut
from hedgerow.optimize.solvers.first_lists import FirstLists
from hedgerow.optimize.solvers.interruptible import Ending
from hedgerow.optimize.solvers.lagrangian import bound_of, lagrangian_bound
from hedgerow.optimize.solvers.memory import Memory
from hedgerow.optimize.solvers.priced_prunings import offer_priced_prunings
from hedgerow.optimize.solvers.record import OPTIMALITY, Record
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.short_lists import EFFORT, best_short_list
from hedgerow.optimize.solvers.ties import best_of_tied
from hedgerow.optimize.solvers.twins import best_of_twins
from hedgerow.optimize.solvers.violated_rows import first_samples, pick
from hedgerow.rules.solution import Solution, Status, Step

_VIOLATION = 1e-6
# For central multipliers: how far the rows may be from 1, and how close to the optimum the bound must be, as a share
# of its distance from the best list.
_ROUGH, _ROUGH_PRECISION = 0.01, 0.3
# They pay off where the simplex method needs many pivots over many columns, and the rows are few enough for dense
# linear algebra: its work is rows² x columns and a constant, in entries of a matrix that the simplex method looks at.
_FEW_COLUMNS, _CENTRAL_WORK, _MOST_CENTRAL_WORK = 500, 2e7, 5e9
#: After so many pivots, short lists are tried.
_MANY_PIVOTS = 300
#: Above this number of rules, multipliers are found without a linear program, and this many rules are searched first.
_MANY_COLUMNS, _CORE = 8000, 2000
#: Up to this budget, it may be best to try all lists.
_FEW_RULES = 6
#: With extra rows, a first list may have so many rules.
_FIRST_RULES = 4
#: The unit of the scores may be this many times the largest score in the best list; otherwise, a smaller one is tried.
_COARSE = 1e3
#: Lists whose objectives differ by less than this are equal. To compare them, so many entries of the samples' ends may
#: be looked at. Of more rules than this, there are too many lists.
_TIED, _CHEAP_PASS = 1e-9, 20_000_000
_MOST_TIED = 500
#: With extra rows, trees are pruned by prices in every so many rounds.
_PRICED_EVERY = 5
#: What the last step of the log is called.
_ENDS = {"optimal": "proof", "time_limit": "time limit", "interrupted": "Ctrl-C"}


class Search:
    """One run: what it knows is in its record.

    A search that is not ``thorough`` ends with the relaxation and a dive from there, as if it was out of time.
    A bound that is ``known`` need not be proved again.
    """

    def __init__(
        self,
        problem: PartitionProblem,
        time_limit: float | None,
        memory: Memory,
        first_rows: int,
        seed: int,
        *,
        thorough: bool = True,
        known: float = np.inf,
    ) -> None:
        self.record = Record(problem, time_limit, known)
        self.memory, self.first_rows, self.thorough = memory, first_rows, thorough
        self.rng = np.random.default_rng(seed)
        self._multipliers: FloatArray | None = None
        self._root: tuple[float, FloatArray] | None = None

    def run(self) -> Status | None:
        """Search; return the status, or None if the problem is proven infeasible."""
        # Matrices this small are multiplied fastest, and reproducibly, by one thread.
        with one_blas_thread():
            return self._run()

    def _run(self) -> Status | None:
        record = self.record
        unique, best_twin = best_of_twins(record.given)
        if self.memory.best is not None:
            record.offer(self.memory.best)
        self._first_lists = FirstLists(record, self.memory, best_twin)
        # Small relaxations are often whole at once, and then no other list is needed.
        if self._is_easy() or self.memory.prunings is not None or record.problem.n_rules > _MANY_COLUMNS:
            self._first_lists.offer()
        if record.bound == record.best_objective:
            self._shorten(unique)
            return "optimal"
        unique = self._of_use(unique)
        while len(unique):
            record.restart(unique)  # what was proved in coarser units is void
            if record.out_of_time or not self._search_among(unique):
                self._first_lists.offer()
                return "time_limit"
            finer = self._finer(unique)
            if finer is None:
                break
            unique = finer
        if record.best is None:
            return None
        record.lower_to(record.best_objective)
        self._shorten(unique)
        self._settle_ties(unique)
        return "optimal"

    def _is_easy(self) -> bool:
        """Whether there may be a tree without any loss: then no list is better."""
        problem = self.record.problem
        free = problem.scores >= 0
        covered = np.bincount(problem.coverage.group[free], problem.coverage.counts[free])
        return self.record.bound <= 0.0 and bool(covered.max(initial=0.0) >= problem.n_samples)

    def _settle_ties(self, unique: IntArray) -> None:
        """Of all optimal lists, take the one with the fewest rules, then the lowest preference, then the first rules.

        Where these are too many to try, it is the one that the search has found, which depends on nothing but the
        problem either.
        """
        record = self.record
        coverage = record.problem.coverage
        if (
            record.best is None
            or self._multipliers is None
            or coverage.n_samples * len(coverage.ends.n_ranks) > _CHEAP_PASS
        ):
            return
        bound, regrets = self._regrets(unique)
        slack = bound - record.best_objective + _TIED
        columns = np.flatnonzero(regrets <= slack)
        if len(columns) == len(record.best) or len(columns) > _MOST_TIED:
            return
        rare = record.step is None
        found = best_of_tied(record.problem.subset(unique), columns, regrets[columns], slack, rare=rare)
        if found is not None:
            record.prefer(unique[found])
            record.note(f"ties among lists of {len(columns)} rules", coverage.n_samples, len(columns))

    def _shorten(self, unique: IntArray) -> None:
        """Of lists without any loss, look for a short one, as far as the relaxation and a dive from there find it."""
        record = self.record
        if record.best is None or record.best_objective != 0.0 or record.problem.is_constrained:
            return
        if record.problem.scores[unique].max() > 0.0 or len(unique) > _MANY_COLUMNS:
            return
        unique = unique[record.problem.scores[unique] == 0.0]
        mine = replace(record.problem, scores=-np.ones(record.problem.n_rules)).subset(unique)
        memory = Memory(best=np.flatnonzero(np.isin(unique, record.best)))
        seconds = None if record.deadline is None else max(0.0, record.deadline - time.perf_counter())
        search = Search(mine, seconds, memory, self.first_rows, seed=0, thorough=False)
        search.run()
        if search.record.best is not None:
            record.prefer(unique[search.record.best])
            record.note("a short list among equals", 0, len(unique))

    def _regrets(self, unique: IntArray) -> tuple[float, FloatArray]:
        """Return a bound on all lists, and what a list loses of it by each of these rules, at least."""
        if self._root is not None and len(self._root[1]) == len(unique):
            return self._root
        assert self._multipliers is not None
        proved, _ = bound_of(self.record.problem.subset(unique), self._multipliers)
        return proved.bound, proved.bound - proved.reach

    def _search_among(self, unique: IntArray) -> bool:
        """Search for a better list of these rules; return whether the search came to its end.

        Of very many rules, first the most promising ones are searched, then more, until a bound proves that the rest
        cannot matter.
        """
        record = self.record
        if len(unique) <= _MANY_COLUMNS:
            return self._search_core(unique)
        reach = self._reach(unique)
        order, n_core = np.argsort(-reach, kind="stable"), _CORE
        while not record.proved and not record.out_of_time:
            mine = np.isin(unique, [] if record.best is None else record.best)
            if 2 * n_core >= np.count_nonzero(reach > record.enough):
                return self._search_core(unique[mine | (reach > record.best_objective)])
            mine[order[:n_core]] = True  # some of many that are tied, too
            core, target = unique[mine], float(reach[order[n_core]])
            # What is proved holds for the core; any other list has a rule whose reach is the target at most.
            bound, record.others, finished = record.bound, min(record.bound, target), False
            try:
                finished = self._search_core(core)
            finally:
                proved = target if finished else max(record.bound, target)
                record.bound, record.others = bound, -np.inf
                record.lower_to(proved)
            n_core *= 2
        return record.proved

    def _reach(self, unique: IntArray) -> FloatArray:
        """Return for each rule a bound on the lists with it, from multipliers for all samples."""
        record = self.record
        position = None if record.best is None else np.flatnonzero(np.isin(unique, record.best))
        deadline = record.deadline
        if deadline is not None:  # some of the time is for better lists
            deadline -= 0.2 * max(0.0, deadline - time.perf_counter())
        mine = record.problem.subset(unique)
        found = lagrangian_bound(mine, position, record.best_objective, deadline, record.lower_to)
        record.note("multipliers", record.problem.n_samples, len(unique))
        return found.reach

    def _search_core(self, unique: IntArray) -> bool:
        """Search among rules that are not too many for linear programs; return whether the search came to its end."""
        record = self.record
        problem = record.problem.subset(unique)
        relaxation = Relaxation(problem, self._first_samples(problem))
        ending = self._relax(relaxation, unique)
        self.memory.samples, self._multipliers = relaxation.binding(), relaxation.multipliers()
        self._root = relaxation.last_bound, -np.minimum(relaxation.reduced, 0.0)
        if ending == "infeasible" or record.proved:
            return True
        if ending == "stopped":
            return False
        branching = BranchAndCut(relaxation, record, unique, self._pick)
        if not self.thorough:
            branching.dive()
            return record.proved
        if record.problem.is_constrained:
            ending = self._try_more(relaxation, unique, branching)
            if ending != "solved" or record.proved:
                return ending == "infeasible" or record.proved
        return self._try_short_lists(relaxation, unique) or branching.run()

    def _try_more(self, relaxation: Relaxation, unique: IntArray, branching: BranchAndCut) -> Ending:
        """Look for a list that satisfies the extra rows, as pruned trees seldom do; solve once more with the rest."""
        record, best = self.record, self.record.best_objective
        self._try_priced_prunings(relaxation, unique)
        if record.best is None or not record.beats(relaxation.bound):
            branching.dive()
        if record.best is None:
            self._try_few_rules(relaxation, unique)
        if record.best_objective > best:
            self._drop_columns(relaxation)
        relaxation.allow(np.ones(len(relaxation.active), dtype=bool))
        ending = relaxation.solve(record.deadline)
        if ending == "solved":
            record.lower_to(relaxation.bound)
        return ending

    def _first_samples(self, problem: PartitionProblem) -> IntArray:
        """Return the samples whose rows the relaxation starts with: all that differ, if these are few."""
        if len(self.memory.samples):
            return self.memory.samples
        return first_samples(problem, self.first_rows, self.rng)

    def _try_short_lists(self, relaxation: Relaxation, unique: IntArray) -> bool:
        """Try all lists, if a better one can have a few rules only; return whether all were tried."""
        record, columns = self.record, unique[relaxation.active]
        most = self._most_rules(columns)
        if most is None or record.out_of_time:
            return False
        found = best_short_list(
            record.problem,
            columns,
            most,
            deadline=record.deadline,
            above=record.best_objective,
            regrets=-np.minimum(relaxation.reduced, 0.0),
            bound=relaxation.last_bound,
            effort=EFFORT if record.best is None else EFFORT / 3,
        )
        if found.chosen is not None:
            record.offer(found.chosen)
        if found.tried >= most and record.best is not None:
            record.lower_to(record.best_objective)
        record.note(f"all lists of {found.tried} rules", len(relaxation.upper), len(columns))
        return found.tried >= most

    def _try_few_rules(self, relaxation: Relaxation, unique: IntArray) -> None:
        """Look for any list that satisfies the extra rows among those of few rules, which can be tried quickly."""
        record, columns = self.record, unique[relaxation.active]
        most = min(record.problem.max_rules or _FEW_RULES, _FIRST_RULES)
        found = best_short_list(record.problem, columns, most, deadline=record.deadline, effort=EFFORT / 3)
        if found.chosen is not None:
            record.offer(found.chosen)
        record.note(f"first lists of {found.tried} rules", len(relaxation.upper), len(columns))

    def _most_rules(self, columns: IntArray) -> int | None:
        """Return the most rules that a better list can have; None if these are too many to try."""
        record, most = self.record, self.record.problem.max_rules or _FEW_RULES + 1
        least_cost = -record.problem.scores[columns].max()
        if record.best is not None and least_cost > 0:
            most = min(most, int(-record.best_objective / least_cost - OPTIMALITY))
        return most if most <= _FEW_RULES else None

    def _finer(self, rules: IntArray) -> IntArray | None:
        """Return the rules without those whose scores are so large that no list has them; None if there are none.

        Scores that are far larger than those of the best list make the units coarse.
        """
        record = self.record
        scores = record.problem.scores[rules]
        if record.best is None or np.abs(record.problem.scores[record.best]).max() * _COARSE >= 1.0:
            return None
        # A list with a rule scores at least as much as the rule and the worst of all others together.
        worst = np.sort(np.minimum(scores, 0.0))[: record.problem.max_rules or len(rules)].sum()
        too_high = scores + worst > record.bound + 2 * OPTIMALITY
        too_low = np.minimum(scores, 0.0) + record.bound + 2 * OPTIMALITY < record.best_objective
        kept = ~(too_high | too_low) | np.isin(rules, record.best)
        return rules[kept] if not kept.all() else None

    def _of_use(self, rules: IntArray) -> IntArray:
        """Drop the rules that violate an extra row whatever else is chosen, or that cost more than all others can gain.

        None are left if a row cannot be satisfied.
        """
        record = self.record
        scores = record.problem.scores
        with np.errstate(over="ignore"):
            useful = np.minimum(scores, 0.0) + record.gain(scores) > record.best_objective
        if record.best is not None:
            useful[record.best] = True
        rules = rules[useful[rules]]
        while record.problem.rows is not None:
            rows = record.problem.rows.subset(rules)
            if rows.contradictory().any():
                return rules[:0]
            impossible = rows.impossible()
            if not impossible.any():
                break
            rules = rules[~impossible]
        return rules

    def solution(self, status: Status) -> Solution:
        """Return the best solution found, verified."""
        record = self.record
        seconds = record.seconds
        if record.best is None:
            raise TimeLimitError(
                f"No list was found within {seconds:.1f} s. Raise time_limit or max_rules, or use candidates='nodes', "
                "with which every tree has a list of any length."
            )
        chosen = self.memory.best = record.given.verify(record.best)
        objective = record.given.objective(chosen)
        close = status == "optimal" and record.bound - record.best_objective <= OPTIMALITY
        bound = objective if close else max(record.bound * record.unit, objective)
        rows, columns = (record.log[-1].rows, record.log[-1].columns) if record.log else (0, record.given.n_rules)
        end = Step(_ENDS[status], seconds, rows, columns, bound, objective)
        return Solution(chosen, objective, bound, status, seconds, (*record.log, end))

    def _try_priced_prunings(self, relaxation: Relaxation, unique: IntArray) -> None:
        """Prune trees by scores that include what the extra rows cost."""
        if self.record.problem.is_constrained and not self.record.out_of_time:
            offer_priced_prunings(self.record, relaxation, unique)
            self.record.note("pruned trees with prices", len(relaxation.upper), len(unique))

    def _relax(self, relaxation: Relaxation, unique: IntArray) -> Ending:
        """Solve the relaxation over all rows.

        Each round is a warm-started simplex solve. Where that takes many pivots, some rounds are solved approximately
        instead, by central multipliers, which are cheap and good at dropping columns. Short lists are tried then, too:
        to try all of them may take less time than the rest of the relaxation.
        """
        record, central = self.record, False
        n_pivots, n_rounds, tried_lists = 0, 0, False
        while True:
            ending: Ending = "solved"
            if central:
                relaxation.center(record.best_objective, _ROUGH_PRECISION, record.deadline)
            else:
                ending = relaxation.solve(record.deadline)
            if ending == "infeasible":
                return ending
            record.lower_to(relaxation.bound)
            if ending == "stopped" or record.proved or record.out_of_time:
                return "stopped"
            amount = relaxation.covered()
            violated = np.flatnonzero(np.abs(amount - 1.0) > (_ROUGH if central else _VIOLATION))
            record.note(f"relaxation, {len(violated)} samples violated", len(relaxation.upper), len(relaxation.active))
            if not central and not len(violated):
                whole = np.flatnonzero(relaxation.z > 0.5)
                if np.all(np.abs(relaxation.z[whole] - 1.0) < _VIOLATION):
                    record.offer(unique[relaxation.active[whole]])
                if record.proved:
                    return "solved"
            if record.problem.is_constrained and not n_rounds % _PRICED_EVERY:
                self._try_priced_prunings(relaxation, unique)
            self._first_lists.offer()
            if record.proved:
                return "solved"
            self._drop_columns(relaxation)
            n_pivots, n_rounds = n_pivots + relaxation.pivots, n_rounds + 1
            if n_pivots > _MANY_PIVOTS and not tried_lists:
                tried_lists = True
                if self._try_short_lists(relaxation, unique):
                    return "infeasible" if record.best is None else "solved"
            rows = self._pick(violated, np.abs(amount[violated] - 1.0), relaxation)
            extra = None if central else relaxation.problem.lazily_violated(relaxation.over_all())
            if extra is not None:
                relaxation.add_extra(extra)
            if central and len(rows) < self.first_rows:
                central = False  # nearly done; the simplex method solves the rest exactly
                continue
            if not len(rows) and extra is None:
                return "solved"
            if len(rows):
                relaxation.add(rows)
            central = self._can_center(relaxation)

    def _can_center(self, relaxation: Relaxation) -> bool:
        """Whether central multipliers can be computed, and are likely to take less time than the last solve."""
        if self.record.best is None or self.record.problem.is_constrained:
            return False
        n_columns, n_rows = len(relaxation.active), len(relaxation.upper)
        work = n_rows**2 * n_columns
        return n_columns > _FEW_COLUMNS and work <= _MOST_CENTRAL_WORK and relaxation.last_work > work + _CENTRAL_WORK

    def _pick(self, violated: IntArray, amount: FloatArray, relaxation: Relaxation) -> IntArray:
        """Choose new rows to add."""
        return pick(violated, amount, relaxation, self.first_rows, self.rng)

    def _drop_columns(self, relaxation: Relaxation) -> None:
        """Drop the rules that cannot be in a list better than the best."""
        if self.record.best is not None:
            relaxation.keep(relaxation.reach > self.record.enough)
