"""A proof that others can check: few steps, each of which is one pass over the candidates.

The solver's own search drops columns for many reasons and tries short lists one by one, which nobody wants to repeat.
So the proof is made afterwards. The objective is known by then, and what is left to show is that no list is better:

- ``Drop``: for any multipliers of the rows, a bound on all lists follows, and one on the lists with a column. Columns
  whose bound is not above the objective leave.
- ``Leaf``: multipliers whose bound over the columns that are left is not above the objective, or, with scores of zero,
  below zero, so that there is no list at all.
- ``Branch``: one of some rules is chosen, or none of them. If one is, no other rule has a sample that all of them
  share. Mostly, these are the rules with two samples, which are thus in the same rule or in different ones. The first
  case is proven first.

Multipliers refer to the samples, the sum of all their rows, the budget, the extra rows and cliques: sets of rules that
share a sample in pairs, so that a list has at most one of them. Most problems need a ``Drop`` or two and a ``Leaf``.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.equal_rows import first_of_each
from hedgerow.exceptions import CertificateError, SolverError
from hedgerow.optimize.problem import LinearRows, PartitionProblem, stack_rows
from hedgerow.optimize.solvers.branching import Missing, Pair, branch_on
from hedgerow.optimize.solvers.cliques import conflicts, enlarged, violated_cliques
from hedgerow.optimize.solvers.record import OPTIMALITY
from hedgerow.optimize.solvers.relaxation import CLIQUE, SIDE, Relaxation
from hedgerow.optimize.solvers.twins import best_of_twins
from hedgerow.rules.solution import Solution

#: Of what counts as equally good, this share is used here: the checker adds up in another order.
_SHARE = 0.5
_FRACTION, _VIOLATION = 1e-6, 1e-6
#: Rows per round: at least so many, or this share of those that are there.
_ROWS, _MORE = 60, 0.5
#: A step that drops columns is worth it for this share of them.
_WORTH_DROPPING = 0.3
#: Cliques per round, rounds, and the share of the gap that a round must close.
_CLIQUES, _ROUNDS, _PROGRESS = 40, 20, 0.02
#: After so many pivots, short lists are tried rule by rule instead, if they have so few rules, where that is cheap:
#: where no more columns than this contain some sample.
_MANY_PIVOTS, _FEW_RULES, _FEW_COLUMNS = 1000, 6, 1500
#: Of so few columns, it is first asked whether they cover every sample.
_VERY_FEW = 100
#: Above this number of columns, a matrix of all pairs takes too much memory.
_MOST_PAIRS = 6000


@dataclass(frozen=True)
class Multipliers:
    """One number per row that matters: by sample, extra row and clique, and for the sum of all samples and the budget.

    The row of a sample says that its rules add up to 1, ``total`` is of the mean of these rows.
    """

    total: float
    budget: float
    samples: dict[int, float]
    rows: dict[int, float]
    cliques: dict[int, float]


@dataclass(frozen=True)
class Drop:
    """Columns leave that no better list has."""

    multipliers: Multipliers


@dataclass(frozen=True)
class Leaf:
    """No list of the columns that are left is better; if it is ``empty``, there is none."""

    multipliers: Multipliers
    empty: bool = False


@dataclass(frozen=True, eq=False)
class Branch:
    """One of some candidates is chosen; then none of them."""

    rules: IntArray


Step = Drop | Leaf | Branch


@dataclass(frozen=True, eq=False)
class Certificate:
    """The steps of a proof that no list of a problem is better than the best one.

    Attributes
    ----------
    rows : LinearRows or None
        The extra rows that the steps refer to, over all candidates.
    cliques : tuple of int arrays
        Candidates that exclude each other.
    steps : tuple of steps
    """

    rows: LinearRows | None
    cliques: tuple[IntArray, ...]
    steps: tuple[Step, ...]


def certify(problem: PartitionProblem, solution: Solution, time_limit: float | None = None) -> Certificate:
    """Return a proof that the solution is optimal, as steps that can be checked without a solver.

    Raises
    ------
    CertificateError
        If the solution is not proven optimal, or its proof takes too long to write down.
    """
    if not solution.optimal:
        raise CertificateError(
            f"There is nothing to certify: {solution.describe()}. Raise time_limit and fit again, for a list that is "
            "proven optimal."
        )
    return _Prover(problem, solution.objective, time_limit).certificate()


@dataclass
class _Prover:
    """Proves a problem again, among its unique columns, with scores in units of the largest one."""

    given: PartitionProblem
    objective: float
    time_limit: float | None
    steps: list[Step] = field(default_factory=list)
    #: The cliques of the relaxation, and those that the steps refer to.
    cliques: list[IntArray] = field(default_factory=list)
    used: list[IntArray] = field(default_factory=list)

    def __post_init__(self) -> None:
        given = self.given
        self.deadline = None if self.time_limit is None else time.perf_counter() + self.time_limit
        self.unique, best_twin = best_of_twins(given)
        #: For each candidate, the column that stands for it.
        self.column: IntArray = np.searchsorted(self.unique, best_twin)
        self.unit = float(np.abs(given.scores).max()) or 1.0
        self.target = self.objective / self.unit + _SHARE * OPTIMALITY
        problem = given.subset(self.unique)
        self.problem = replace(problem, scores=problem.scores / self.unit)
        self.parts = [] if problem.rows is None else [problem.rows]
        self.relaxation = Relaxation(self.problem, self._first_samples())
        self.pairs: BoolArray | None = None
        self.pivots = 0

    def certificate(self) -> Certificate:
        """Return the proof."""
        self._prove(np.ones(len(self.relaxation.active), dtype=bool), at_root=True)
        rows = stack_rows(self.parts)
        if rows is not None:
            whole = sparse.csr_array(sparse.csc_array(rows.matrix)[:, self.column])
            rows = LinearRows(whole, rows.lower, rows.upper, rows.names)
        return Certificate(rows, tuple(self.used), tuple(self.steps))

    def _first_samples(self) -> IntArray:
        """Return the samples whose rows come first."""
        n = self.problem.n_samples
        drawn = np.random.default_rng(0).choice(n, min(n, _ROWS), replace=False)
        return np.sort(drawn[first_of_each(self.problem.coverage.ends.ranks[drawn])])

    def _prove(self, allowed: BoolArray, *, at_root: bool = False) -> None:
        """Add the steps that show that no list of these columns is better."""
        left = self._tightened(allowed, at_root=at_root)
        if left is None:
            return
        if at_root and self._is_slow:
            self._try_each(left)
            return
        split = branch_on(self.relaxation)
        if isinstance(split, Missing):
            self.relaxation.add(np.array([split.sample]))
            self._prove(left)
            return
        if isinstance(split, Pair):
            one, other = self.relaxation.sample_rows[np.array(split.rows)].toarray() > 0.5
            among, beside = one & other, ~(one | other)
        else:
            among, beside = np.arange(len(left)) == split.column, self._beside(split.column)
        self.steps.append(Branch(self._candidates(left & among)))
        self._prove(left & (among | beside))
        self._prove(left & ~among)

    @property
    def _is_slow(self) -> bool:
        """Whether lists are so short that they are tried sooner than the relaxation is solved."""
        budget = self.problem.max_rules
        few = budget is not None and budget <= _FEW_RULES and not self.problem.lazy
        return few and self.pivots > _MANY_PIVOTS

    def _try_each(self, allowed: BoolArray) -> None:
        """Take the sample with the fewest columns, and branch on each of these: one of them is in every list."""
        held = self.problem.coverage.subset(self.relaxation.active[allowed])
        sample = int(np.argmin(held.dot(np.ones(held.n_rules))))
        mine = np.flatnonzero(allowed & self._with_sample(sample))
        if len(mine) > _FEW_COLUMNS:
            raise self._out_of_time()
        for column in mine[np.argsort(-self.problem.scores[self.relaxation.active[mine]], kind="stable")]:
            among = np.arange(len(allowed)) == column
            self.steps.append(Branch(self._candidates(among)))
            self._prove_apart(allowed & (among | self._beside(int(column))))
            allowed = allowed & ~among
        self.steps.append(_without(sample))

    def _prove_apart(self, allowed: BoolArray) -> None:
        """Prove a case with few columns by a relaxation of its own, which is quicker than the whole."""
        whole = self.relaxation, self.pairs, self.cliques
        relaxation = Relaxation(self.problem, self._first_samples())
        relaxation.keep(np.isin(relaxation.active, self.relaxation.active[allowed]))
        self.relaxation, self.pairs, self.cliques = relaxation, None, []
        self._prove(np.ones(len(relaxation.active), dtype=bool))
        self.relaxation, self.pairs, self.cliques = whole

    def _with_sample(self, sample: int) -> BoolArray:
        """Return which columns contain a sample."""
        alone = np.zeros(self.problem.n_samples)
        alone[sample] = 1.0
        has: BoolArray = self.problem.coverage.subset(self.relaxation.active).sums(alone) > 0.5
        return has

    def _tightened(self, allowed: BoolArray, *, at_root: bool) -> BoolArray | None:
        """Solve with all rows and some cliques; return the columns that are left, or None if the case is closed."""
        relaxation, last, n_rounds = self.relaxation, np.inf, 0
        while True:
            if not self._is_open(allowed):
                return None
            useful = allowed & (relaxation.last_bound + np.minimum(relaxation.reduced, 0.0) > self.target)
            if np.count_nonzero(useful) <= (1 - _WORTH_DROPPING) * np.count_nonzero(allowed):
                self.steps.append(Drop(self._multipliers(relaxation.duals, self.unit)))
                allowed = useful
                if at_root and self.pairs is None:
                    relaxation.keep(useful)
                    allowed = np.ones(len(relaxation.active), dtype=bool)
            if self._added_rows():
                if at_root and self._is_slow:
                    return allowed
                continue
            self._drop_idle_cliques()
            slow = last - relaxation.last_bound < _PROGRESS * (relaxation.last_bound - self.target)
            last, n_rounds = relaxation.last_bound, n_rounds + 1
            if slow or n_rounds > _ROUNDS or not self._added_cliques(allowed):
                return allowed

    def _is_open(self, allowed: BoolArray) -> bool:
        """Solve with these columns; if that shows that no list of them is better, add the step that says so."""
        relaxation = self.relaxation
        if not allowed.any():
            self.steps.append(Leaf(Multipliers(-1.0, 0.0, {}, {}, {}), empty=True))
            return False
        held = self.problem.coverage.subset(relaxation.active[allowed])
        covered = held.dot(np.ones(held.n_rules)) if held.n_rules <= _VERY_FEW else np.ones(1)
        if not covered.all():
            self.steps.append(_without(int(np.argmin(covered))))
            return False
        relaxation.allow(allowed)
        try:
            ending = relaxation.solve(self.deadline)
        except SolverError as error:
            raise self._unclear() from error
        self.pivots += relaxation.pivots
        if ending == "stopped" or (self.deadline is not None and time.perf_counter() > self.deadline):
            raise self._out_of_time()
        if ending == "infeasible":
            if relaxation.ray is None:
                raise self._unclear()
            self.steps.append(Leaf(self._multipliers(relaxation.ray, 1.0), empty=True))
            return False
        if relaxation.last_bound <= self.target:
            self.steps.append(Leaf(self._multipliers(relaxation.duals, self.unit)))
            return False
        return True

    def _added_rows(self) -> bool:
        """Add rows that the solution violates; return whether there are any."""
        relaxation = self.relaxation
        amount = np.abs(relaxation.covered() - 1.0)
        amount[relaxation.samples] = 0.0
        violated = np.flatnonzero(amount > _VIOLATION)
        if len(violated):
            most = max(_ROWS, int(_MORE * len(relaxation.samples)))
            violated = violated[np.argsort(-amount[violated], kind="stable")][: 4 * most]
            new = violated[first_of_each(self.problem.coverage.ends.ranks[violated])][:most]
            relaxation.add(np.sort(new))
            return True
        extra = self.problem.lazily_violated(relaxation.over_all())
        if extra is not None:
            self.parts.append(extra)
            relaxation.add_extra(extra)
            return True
        if not ((relaxation.z > _FRACTION) & (relaxation.z < 1 - _FRACTION)).any():
            raise self._unclear()
        return False

    def _out_of_time(self) -> CertificateError:
        return CertificateError(
            f"The proof could not be written down as steps to check within {self.time_limit} s. The list and its proof "
            "stay what they are: raise time_limit, or write the JSON without a certificate."
        )

    def _unclear(self) -> CertificateError:
        return CertificateError(
            "The proof cannot be written down as steps to check: rounding errors are as large as what it is about. The "
            "list and its proof stay what they are; write the JSON without a certificate."
        )

    def _added_cliques(self, allowed: BoolArray) -> bool:
        """Add cliques that the solution violates; return whether there are any."""
        relaxation = self.relaxation
        if len(relaxation.active) > _MOST_PAIRS:
            return False
        if self.pairs is None:  # from now on, the columns stay
            self.pairs = conflicts(relaxation.sample_rows)
        cliques = violated_cliques(self.pairs, relaxation.z, _CLIQUES)
        if not len(cliques):
            return False
        columns = np.flatnonzero(allowed)
        cliques = enlarged(cliques, self.pairs, columns[np.argsort(-relaxation.reduced[columns], kind="stable")])
        relaxation.add_cliques(cliques)
        self.cliques += [self._candidates(clique) for clique in cliques]
        return True

    def _drop_idle_cliques(self) -> None:
        stay = self.relaxation.drop_idle_cliques()
        self.cliques = [clique for clique, stays in zip(self.cliques, stay, strict=True) if stays]

    def _candidates(self, columns: BoolArray) -> IntArray:
        """Return the candidates that some columns of the relaxation stand for, with their twins."""
        return np.flatnonzero(np.isin(self.column, self.relaxation.active[columns]))

    def _beside(self, column: int) -> BoolArray:
        """Return the columns that share no sample with one, and maybe some that do, in samples without a row."""
        rows = self.relaxation.sample_rows
        beside: BoolArray = rows.T @ rows[:, [column]].toarray().ravel() < 0.5
        return beside

    def _multipliers(self, duals: FloatArray, unit: float) -> Multipliers:
        """Return the multipliers of the rows of the relaxation, in terms of the rows and scores that were given."""
        of_row = self.relaxation.of_row[: len(duals)]
        y, side = duals * unit, np.flatnonzero(of_row == SIDE)
        samples = np.flatnonzero((of_row >= 0) & (y != 0))
        n_own = 1 + (self.problem.max_rules is not None)
        sizes = np.concatenate([np.ones(0), *(part.sizes for part in self.parts)])
        extra = y[side[n_own:]] / sizes[: len(side) - n_own]
        cliques = y[of_row == CLIQUE]
        return Multipliers(
            total=float(y[side[0]]),
            budget=float(y[side[1]]) if n_own > 1 else 0.0,
            samples=dict(zip(of_row[samples].tolist(), y[samples].tolist(), strict=True)),
            rows={int(r): float(extra[r]) for r in np.flatnonzero(extra)},
            cliques={self._number(int(c)): float(cliques[c]) for c in np.flatnonzero(cliques)},
        )

    def _number(self, clique: int) -> int:
        """Return the number of a clique of the relaxation among those that the steps refer to."""
        members = self.cliques[clique]
        for number, other in enumerate(self.used):
            if other is members:
                return number
        self.used.append(members)
        return len(self.used) - 1


def _without(sample: int) -> Leaf:
    """Return the step that says that a sample is in no column."""
    return Leaf(Multipliers(0.0, 0.0, {sample: -1.0}, {}, {}), empty=True)
