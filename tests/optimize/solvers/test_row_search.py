"""A search ends with a proof, and what one budget has found serves the next."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog
from small_problems import COVERAGE, SCORES, drawn_forest, random_sets

from hedgerow import LinearRows, PartitionProblem, TimeLimitError
from hedgerow.optimize.solvers import Exhaustive, lagrangian, row_search, violated_rows
from hedgerow.optimize.solvers.memory import Memory
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.row_search import Search


def search(problem, memory=None, time_limit=None):
    return Search(problem, time_limit, memory or Memory(), first_rows=100, seed=0)


def test_a_search_ends_with_a_proof_or_without_a_solution():
    found = search(PartitionProblem(SCORES, COVERAGE, 2))
    assert found.run() == "optimal"
    solution = found.solution("optimal")
    assert (solution.chosen.tolist(), solution.objective, solution.bound) == ([0, 1], 3.0, 3.0)
    assert search(PartitionProblem(SCORES, COVERAGE, 1)).run() is None


def test_the_solution_of_one_budget_is_where_the_next_starts():
    memory = Memory(largest=3)
    first = search(PartitionProblem(SCORES, COVERAGE, 2), memory)
    first.solution(first.run())
    assert_array_equal(memory.best, [0, 1])
    # No time at all, and no tree to prune: what there is comes from memory.
    again = search(PartitionProblem(SCORES, COVERAGE, 3), memory, time_limit=1e-9)
    assert again.run() == "time_limit"
    assert again.solution("time_limit").objective == 3.0


def test_without_time_and_memory_there_is_no_solution():
    late = search(PartitionProblem(SCORES, COVERAGE, 2), time_limit=1e-9)
    assert late.run() == "time_limit"
    with pytest.raises(TimeLimitError, match="Raise time_limit or max_rules"):
        late.solution("time_limit")


def test_integer_scores_make_integer_bounds():
    # Three samples in a ring: the relaxation's bound is 1.5, which no list of whole scores can have.
    ring = [[1, 0, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 1, 1, 0, 0, 1]]
    found = search(PartitionProblem([1.0, 1, 1, 0, 0, 0], ring))
    assert found.run() == "optimal"
    assert found.solution("optimal").bound == 1.0


def test_of_equal_lists_the_one_with_the_fewest_rules_then_the_lowest_preference_is_taken():
    # {0,1,2,3} is {0,1} + {2,3}, or {0,2} + {1,3}, or four single samples: all score 4.
    matrix = np.column_stack([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1], *np.eye(4)])
    scores = [2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]
    for preference, chosen in ((None, [0, 1]), ([2.0, 2.0, 1.0, 2.0, 0, 0, 0, 0], [2, 3])):
        problem = PartitionProblem(scores, matrix, preference=None if preference is None else np.array(preference))
        for seed in range(8):
            found = Search(problem, None, Memory(), first_rows=2, seed=seed)
            assert found.solution(found.run()).chosen.tolist() == chosen


@pytest.mark.parametrize(("seed", "budget", "status"), [(1, 4, "optimal"), (2, 2, None)])
def test_short_lists_are_tried_before_the_relaxation_takes_long(monkeypatch, seed, budget, status):
    coverage, scores = drawn_forest(seed, 60, 20, "leaves")
    problem = PartitionProblem(scores, coverage, budget)
    late = Search(problem, None, Memory(), first_rows=5, seed=0)
    assert late.run() == status
    monkeypatch.setattr(row_search, "_MANY_PIVOTS", 0)
    early = Search(problem, None, Memory(), first_rows=5, seed=0)
    assert early.run() == status
    assert early.record.log[2].phase == f"all lists of {budget} rules"  # after one round of the relaxation
    if status is not None:
        assert_array_equal(early.solution(status).chosen, late.solution(status).chosen)
        assert early.record.log[2].bound == early.record.log[2].objective  # that proves the best one


@pytest.mark.parametrize("budget", [4, 7, None])
def test_a_large_pool_is_searched_from_its_most_promising_rules_on(monkeypatch, budget):
    coverage, scores = drawn_forest(2, 14, 5, "nodes")
    problem = PartitionProblem(scores, coverage, budget)
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", 1)
    monkeypatch.setattr(row_search, "_CORE", 4)
    found = search(problem)
    assert found.run() == "optimal"
    assert_allclose(found.solution("optimal").objective, Exhaustive().solve(problem).objective)


def test_ctrl_c_among_the_most_promising_rules_leaves_a_bound_on_all_lists(monkeypatch):
    coverage, scores = drawn_forest(2, 14, 5, "nodes")
    problem = PartitionProblem(scores, coverage, 4)
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", 1)
    monkeypatch.setattr(row_search, "_CORE", 2)
    found = search(problem)

    def interrupted(core):
        found.record.bound = found.record.best_objective  # proved among the core alone
        raise KeyboardInterrupt

    monkeypatch.setattr(found, "_reach", lambda rules: np.full(len(rules), found.record.bound))
    monkeypatch.setattr(found, "_search_core", interrupted)
    with pytest.raises(KeyboardInterrupt):
        found.run()
    assert found.solution("interrupted").bound >= Exhaustive().solve(problem).objective - 1e-9
    assert found.record.bound > found.record.best_objective


def test_ctrl_c_during_the_multipliers_keeps_the_bound(monkeypatch):
    coverage, scores = drawn_forest(2, 14, 5, "nodes")
    problem = PartitionProblem(scores, coverage, 4)
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", 1)
    found, proved = search(problem), []
    of_multipliers = lagrangian._proved

    def interrupted(mine, y, sums):
        if len(proved) == 25:
            raise KeyboardInterrupt
        multipliers, chosen = of_multipliers(mine, y, sums)
        proved.append(multipliers.bound * found.record.unit)
        return multipliers, chosen

    monkeypatch.setattr(lagrangian, "_proved", interrupted)
    with pytest.raises(KeyboardInterrupt):
        found.run()
    assert min(proved) < proved[0] - 0.1
    assert_allclose(found.solution("interrupted").bound, min(proved))
    assert min(proved) >= Exhaustive().solve(problem).objective - 1e-9


def test_what_was_proved_of_the_most_promising_rules_and_of_the_others_is_kept_together(monkeypatch):
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", 1)
    monkeypatch.setattr(row_search, "_CORE", 4)
    gained = 0
    for seed in range(30):
        coverage, scores = drawn_forest(seed, 14, 5, "nodes")
        problem = PartitionProblem(scores, coverage, 4)
        found = search(problem)
        of_core = found._search_core

        def interrupted(core, found=found, of_core=of_core):
            of_core(core)
            raise KeyboardInterrupt

        monkeypatch.setattr(found, "_search_core", interrupted)
        try:
            found.run()
        except KeyboardInterrupt:
            multipliers = next(step.bound for step in found.record.log if step.phase == "multipliers")
            gained += found.solution("interrupted").bound < multipliers - 1e-9
        assert found.solution("interrupted").bound >= Exhaustive().solve(problem).objective - 1e-9
    assert gained >= 3


@pytest.mark.parametrize("many", [1, 8000])
def test_bounds_in_the_log_hold_for_all_lists_and_never_rise(monkeypatch, many):
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", many)
    monkeypatch.setattr(row_search, "_CORE", 4)
    for seed in range(20):
        coverage, scores = drawn_forest(seed, 14, 5, "nodes")
        problem = PartitionProblem(scores, coverage, 4)
        found = search(problem)
        solution = found.solution(found.run())
        bounds = np.array([step.bound for step in solution.log])
        lists = np.array([-np.inf if step.objective is None else step.objective for step in solution.log])
        assert np.all(bounds[1:] <= bounds[:-1] + 1e-9)
        assert np.all(lists[1:] >= lists[:-1] - 1e-9)
        assert bounds.min() >= Exhaustive().solve(problem).objective - 1e-9
        assert (bounds[-1], lists[-1], solution.log[-1].phase) == (solution.bound, solution.objective, "proof")


def test_a_search_that_is_not_thorough_ends_with_what_a_dive_finds():
    for seed in range(20):
        coverage, scores = drawn_forest(seed, 12, 6, "leaves")
        problem = PartitionProblem(scores, coverage)
        quick = Search(problem, None, Memory(), 100, 0, thorough=False)
        status = quick.run()
        best = Exhaustive().solve(problem).objective
        assert quick.record.bound * quick.record.unit >= best - 1e-9
        if status == "optimal":
            assert quick.solution(status).objective == pytest.approx(best)
        else:
            assert status == "time_limit"


def test_a_first_list_under_extra_rows_is_found_among_those_of_few_rules():
    coverage, scores = drawn_forest(3, 30, 6, "nodes")
    scores = -np.abs(scores)
    free = search(PartitionProblem(scores, coverage, 5))
    assert free.run() == "optimal"
    # The rules of one list of two rules get as many points as are asked for.
    pairs = [(j, k) for j in range(len(scores)) for k in range(j) if (coverage.counts_of(np.array([j, k])) == 1).all()]
    points = np.isin(np.arange(len(scores)), pairs[len(pairs) // 2]).astype(float)
    found = search(PartitionProblem(scores, coverage, 8, rows=LinearRows(points, 2.0, np.inf)))
    problem = found.record.problem
    relaxation = Relaxation(problem, np.arange(problem.n_samples))
    relaxation.solve(None)
    found._try_few_rules(relaxation, np.arange(problem.n_rules))
    assert found.record.best is not None
    assert problem.accepts(found.record.best)


@pytest.mark.parametrize("looks", range(1, 15))
def test_what_was_proved_in_coarse_units_is_void_if_time_runs_out_before_finer_ones(monkeypatch, looks):
    rng = np.random.default_rng(3)
    covers = rng.random((14, 40)) < 0.2
    covers = np.hstack([covers[:, covers.any(axis=0)], np.eye(14, dtype=bool)])
    scores = rng.choice([-1e12, -1.0, 0.0], covers.shape[1], p=[0.3, 0.4, 0.3])
    problem, left = PartitionProblem(scores, covers, int(rng.integers(6, 14))), iter(range(looks))
    best = search(problem)
    assert best.run() == "optimal"
    monkeypatch.setattr(Record, "out_of_time", property(lambda _: next(left, None) is None))
    found = search(problem, time_limit=1e6)
    status = found.run()
    if found.record.best is not None:
        assert found.solution(status).bound >= best.solution("optimal").objective - 1e-9


def test_of_very_many_rules_with_equal_bounds_some_come_first(monkeypatch):
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", 1)
    monkeypatch.setattr(row_search, "_CORE", 3)
    every = (np.arange(1, 2**5 - 1) >> np.arange(5)[:, None]) & 1  # all sets but the whole one
    assert search(PartitionProblem(np.zeros(30), every)).run() == "optimal"
    assert search(PartitionProblem(np.zeros(30), every, 1)).run() is None


def test_some_of_the_time_for_multipliers_is_kept_for_lists(monkeypatch):
    found, deadlines = search(PartitionProblem(SCORES, COVERAGE), time_limit=100.0), []
    bound = lagrangian.lagrangian_bound

    def told(problem, best, objective, deadline, tell):
        deadlines.append(deadline)
        return bound(problem, best, objective, deadline, tell)

    monkeypatch.setattr(row_search, "lagrangian_bound", told)
    found._reach(np.arange(4))
    assert deadlines[0] - found.record.started == pytest.approx(80.0, abs=5.0)  # a fifth of what is left is kept


def test_rules_that_matter_in_finer_units_stay():
    # A list that is better by a little; a score that no list has; one that costs more than any list may.
    scores = [0.4e-4, 0.6e-4 - 1e-8, 1e-4, 1.0, -1e-3, -1e-7]
    found = search(PartitionProblem(scores, [[1, 0, 1, 1, 0, 1], [0, 1, 1, 0, 1, 0]]))
    record = found.record
    assert record.offer(np.array([0, 1]))
    record.bound = 1e-4
    assert found._finer(np.arange(6)).tolist() == [0, 1, 2, 5]
    assert found._finer(np.array([0, 1, 2, 5])) is None  # all of them stay
    record.problem.scores[0] = 0.4e-2  # now the units are not too coarse
    assert found._finer(np.arange(6)) is None


def test_how_many_rules_a_better_list_can_have_follows_from_what_each_costs():
    scores = -np.array([1.0, 2.0, 1.5, 1.2])
    for budget, most in ((None, 2), (2, 2), (1, 1), (50, 2)):
        found = search(PartitionProblem(scores, COVERAGE, budget))
        if budget != 1:
            assert found.record.offer(np.array([0, 1]))  # it costs 3, so a better one has two rules
        assert found._most_rules(np.arange(4)) == most
    assert search(PartitionProblem(scores, COVERAGE))._most_rules(np.arange(4)) is None
    assert search(PartitionProblem(scores, COVERAGE, 6))._most_rules(np.arange(4)) == 6
    assert search(PartitionProblem(scores, COVERAGE, 7))._most_rules(np.arange(4)) is None
    gains = search(PartitionProblem(np.abs(scores), COVERAGE, 9))
    assert gains.record.offer(np.array([0, 1]))
    assert gains._most_rules(np.arange(4)) is None


def test_rules_that_cost_more_than_all_others_gain_are_of_no_use():
    found = search(PartitionProblem([1.0, 2.0, 0.5, 0.5, -2.0, -1.9], np.column_stack([COVERAGE, [[1, 1]] * 3]), 2))
    assert found._of_use(np.arange(6)).tolist() == list(range(6))
    assert found.record.offer(np.array([2, 3]))  # worth 1; the others gain 3 at most
    assert found._of_use(np.arange(6)).tolist() == [0, 1, 2, 3, 5]


@pytest.mark.parametrize("seed", range(3))
def test_the_relaxation_ends_at_the_optimum_of_the_linear_program(seed):
    problem = random_sets(seed, 60, 300, 3)
    found = Search(problem, None, Memory(), first_rows=2, seed=0, thorough=False)
    found.run()
    every = linprog(-problem.scores, A_eq=problem.coverage.matrix(), b_eq=np.ones(60), bounds=(0, 1))
    relaxed = [step for step in found.record.log if step.phase.startswith("relaxation")]
    assert len(relaxed) > 3  # rows are added as they are violated
    assert relaxed[-1].phase == "relaxation, 0 samples violated"
    assert relaxed[-1].bound == pytest.approx(-every.fun)


def test_where_the_simplex_method_is_slow_a_few_rounds_of_central_multipliers_do_it(monkeypatch):
    coverage, scores = drawn_forest(1, 200, 40, "nodes")
    problem = PartitionProblem(scores, coverage, 8)
    usual = search(problem)
    assert usual.run() == "optimal"
    monkeypatch.setattr(violated_rows, "_SHORT", 0)  # or all samples would have rows from the start
    monkeypatch.setattr(row_search, "_CENTRAL_WORK", -np.inf)
    monkeypatch.setattr(row_search, "_FEW_COLUMNS", 0)
    center, rounds = Relaxation.center, []

    def counted(relaxation, *arguments):
        rounds.append(len(relaxation.upper))
        center(relaxation, *arguments)

    monkeypatch.setattr(Relaxation, "center", counted)
    found = Search(problem, None, Memory(), first_rows=60, seed=0)
    assert found.run() == "optimal"
    assert_allclose(found.solution("optimal").objective, usual.solution("optimal").objective)
    assert 1 <= len(rounds) <= 4
    monkeypatch.setattr(row_search, "_MOST_CENTRAL_WORK", max(rounds) ** 2 * 100)  # too many rows for dense algebra
    rounds.clear()
    assert Search(problem, None, Memory(), first_rows=60, seed=0).run() == "optimal"
    assert not rounds


def zeros(max_rules=None, **changes):
    """A problem with many lists without any loss, of one to eight rules."""
    matrix = np.column_stack([np.eye(8), np.kron(np.eye(4), [[1], [1]]), np.kron(np.eye(2), np.ones((4, 1)))])
    return PartitionProblem(np.zeros(14), matrix, max_rules, **changes)


def test_of_lists_without_any_loss_a_short_one_is_taken(monkeypatch):
    def phases(problem):
        found = search(problem)
        solution = found.solution(found.run())
        return len(solution.chosen), [step.phase for step in solution.log]

    assert phases(zeros())[0] == 2
    assert "a short list among equals" in phases(zeros())[1]
    worse = replace(zeros(), scores=np.append(np.zeros(12), [-1.0, -1.0]))
    assert phases(worse)[0] == 4
    for other in (replace(zeros(), scores=np.full(14, -1.0)), replace(zeros(), scores=np.append(np.zeros(13), 1.0))):
        assert "a short list among equals" not in phases(other)[1]
    assert "a short list among equals" not in phases(zeros(rows=LinearRows(np.ones(14), 3.0, np.inf)))[1]
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", 13)
    assert "a short list among equals" not in phases(zeros())[1]


def test_a_tree_without_any_loss_needs_no_relaxation():
    coverage, scores = drawn_forest(3, 30, 6, "leaves")
    scores = np.where(coverage.group == coverage.group.max(), 0.0, -np.abs(scores))
    found = search(PartitionProblem(scores, coverage))
    assert found.run() == "optimal"
    assert not [step for step in found.record.log if step.phase.startswith("relaxation") and step.objective is None]
    assert found.record.log[0].phase == "pruned trees"
    scores[np.flatnonzero(scores == 0.0)[0]] = -1e-3  # now there is none
    found = search(PartitionProblem(scores, coverage))
    assert found.run() == "optimal"
    assert found.record.log[0].phase.startswith("relaxation")


def test_ties_are_settled_where_that_is_cheap(monkeypatch):
    matrix = np.column_stack([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1], *np.eye(4)])
    problem = PartitionProblem([2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0], matrix)

    def is_settled():
        found = search(problem)
        assert found.run() == "optimal"
        return found.record.log[-1].phase == "ties among lists of 8 rules"

    assert is_settled()
    for name, most in (("_MOST_TIED", 7), ("_CHEAP_PASS", 3)):
        with monkeypatch.context() as patch:
            patch.setattr(row_search, name, most)
            assert not is_settled()
    monkeypatch.setattr(row_search, "_MOST_TIED", 8)
    assert is_settled()


def test_the_rules_that_are_searched_first_become_twice_as_many(monkeypatch):
    monkeypatch.setattr(row_search, "_MANY_COLUMNS", 1)
    monkeypatch.setattr(row_search, "_CORE", 5)
    coverage, scores = drawn_forest(1, 60, 20, "nodes")
    found, sizes = search(PartitionProblem(scores, coverage, 4)), []

    def not_found(core):
        sizes.append(len(core))
        return True

    monkeypatch.setattr(found, "_reach", lambda rules: 1e3 + np.linspace(1.0, 0.0, len(rules)))
    monkeypatch.setattr(found, "_search_core", not_found)
    found.run()
    n_best = len(found.record.best)
    assert len(sizes) > 3
    for k, size in enumerate(sizes[:-1]):
        assert 5 * 2**k <= size <= 5 * 2**k + n_best
    assert 1.9 * sizes[-2] <= sizes[-1] <= len(scores)


def test_rules_that_violate_a_row_alone_are_of_no_use():
    rows = LinearRows([[5.0, 0, 0, 0], [1.0, 1, 1, 1]], [-np.inf, 2.0], [4.0, np.inf])
    assert search(PartitionProblem(SCORES, COVERAGE, rows=rows))._of_use(np.arange(4)).tolist() == [1, 2, 3]
    # With rule 3 alone, the second row cannot be satisfied.
    assert not len(search(PartitionProblem(SCORES, COVERAGE, rows=rows))._of_use(np.array([0, 3])))


def test_a_bound_that_is_above_the_best_list_by_rounding_errors_is_its_objective():
    for above, bound in ((1e-9, 3.0), (1e-3, 3.0 + 2e-3)):  # in units of the largest score, which is 2
        found = search(PartitionProblem(SCORES, COVERAGE, 2))
        assert found.run() == "optimal"
        found.record.bound = found.record.best_objective + above
        assert found.solution("optimal").bound == pytest.approx(bound, abs=1e-12)
        assert found.solution("time_limit").bound == pytest.approx(3.0 + 2 * above, abs=1e-12)


def test_samples_are_added_by_how_much_they_are_violated(monkeypatch):
    coverage, scores = drawn_forest(1, 200, 40, "nodes")
    picked, pick = [], row_search.pick

    def told(violated, amount, relaxation, *arguments):
        picked.append(len(violated))
        assert_allclose(amount, np.abs(relaxation.covered() - 1.0)[violated])
        return pick(violated, amount, relaxation, *arguments)

    monkeypatch.setattr(violated_rows, "_SHORT", 0)  # or all samples would have rows from the start
    monkeypatch.setattr(row_search, "pick", told)
    assert Search(PartitionProblem(scores, coverage, 8), None, Memory(), first_rows=20, seed=0).run() == "optimal"
    assert len(picked) > 1
