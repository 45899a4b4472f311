"""Lists come out in order, each once, and none is missed: as when all are tried."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from small_problems import COVERAGE, SCORES, drawn_forest

from hedgerow import PartitionProblem, RuleListClassifier
from hedgerow.optimize.problem import LinearRows
from hedgerow.optimize.solvers import enumeration, ranked_beginnings, violated_rows
from hedgerow.optimize.solvers.enumeration import ordered_lists
from hedgerow.optimize.solvers.exhaustive import partitions
from hedgerow.optimize.solvers.ranked_beginnings import Aim, Progress
from hedgerow.optimize.solvers.twins import best_of_twins
from hedgerow.optimize.solvers.violated_rows import pick


class NeverTogether:
    """A requirement that is not written down: two rules exclude each other."""

    names = ("never together",)

    def __init__(self, pairs):
        self.pairs = pairs

    def hold(self, chosen):
        return not self.pairs[np.ix_(chosen, chosen)].any()

    def violated(self, z):
        both = np.argwhere(np.triu(self.pairs) & (z[:, None] + z > 1 + 1e-6))
        if not len(both):
            return None
        row = np.zeros(len(z))
        row[both[0]] = 1.0
        return LinearRows(row, -np.inf, 1.0)

    def conflicts(self, rules, others):
        return self.pairs[np.ix_(rules, others)]

    def fitting(self, chosen):
        return ~self.pairs[chosen].any(axis=0)

    def kinds(self):
        return np.arange(len(self.pairs))

    def havens(self, z):
        return iter(())

    def subset(self, rules):
        return NeverTogether(self.pairs[np.ix_(rules, rules)])


def expected(problem):
    """The objective of each list, the best one first; of those with the same sets of samples, the best one only."""
    best = {}
    for chosen in partitions(problem):
        sets = tuple(sorted(problem.coverage.twins[list(chosen)]))
        best[sets] = max(best.get(sets, -np.inf), problem.objective(np.array(chosen)))
    return sorted(best.values(), reverse=True)


def drawn_problem(seed, budget, extra, places=2):
    coverage, scores = drawn_forest(seed, 14, 4, "nodes")
    rng, n = np.random.default_rng(seed), coverage.n_rules
    rows, lazy = None, ()
    if extra in ("rows", "both"):
        rows = LinearRows(rng.integers(0, 3, n).astype(float), -np.inf, 4.0)
    if extra in ("lazy", "both"):
        pairs = rng.random((n, n)) < 0.2
        lazy = (NeverTogether((pairs | pairs.T) & ~np.eye(n, dtype=bool)),)
    return PartitionProblem(scores.round(places), coverage, budget, rows, lazy=lazy)


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    budget=st.sampled_from([1, 2, 3, 5, None]),
    extra=st.sampled_from(["none", "rows", "lazy", "both"]),
    places=st.sampled_from([0, 2, 16]),
)
def test_all_lists_come_out_in_order_each_once(seed, budget, extra, places):
    problem, progress = drawn_problem(seed, budget, extra, places), Progress()
    found = list(ordered_lists(problem, progress))
    assert all(problem.accepts(chosen) for chosen in found)
    assert len({tuple(sorted(problem.coverage.twins[chosen])) for chosen in found}) == len(found)
    assert_allclose([problem.objective(chosen) for chosen in found], expected(problem), atol=1e-8)
    assert not progress.ended_early
    assert progress.bound == -np.inf


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), share=st.floats(0.01, 1.0), extra=st.sampled_from(["none", "rows", "both"]))
def test_lists_below_a_floor_do_not_come_out_and_none_above_is_missed(seed, share, extra):
    problem, progress = drawn_problem(seed, 4, extra), Progress()
    objectives = expected(problem)
    if not objectives:
        return
    floor = objectives[0] - share * (objectives[0] - objectives[-1])
    found = list(ordered_lists(problem, progress, floor=floor))
    assert_allclose([problem.objective(c) for c in found], [x for x in objectives if x >= floor - 1e-9], atol=1e-8)
    assert progress.bound <= floor


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    few=st.integers(1, 6),
    cuts=st.sampled_from([0, 5, 9999]),
    many=st.sampled_from([4, 8000]),
)
def test_how_many_rules_are_searched_at_once_makes_no_difference(seed, few, cuts, many):
    problem = drawn_problem(seed, 4, "none")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"_FEW": few, "_MORE": 2, "_MANY_COLUMNS": many, "_CORE": 3}.items():
            patch.setattr(enumeration, name, value)
        patch.setattr(ranked_beginnings, "_STEPS_BEFORE_CUTS", cuts)
        found = [problem.objective(chosen) for chosen in ordered_lists(problem, Progress())]
    assert_allclose(found, expected(problem), atol=1e-8)


def test_the_bound_is_on_all_lists_to_come():
    problem, progress = drawn_problem(7, 5, "none"), Progress()
    objectives, n_seen = expected(problem), 0
    for n_seen, _ in enumerate(ordered_lists(problem, progress), start=1):
        assert progress.bound >= max(objectives[n_seen:], default=-np.inf) - 1e-8
    assert n_seen == len(objectives) > 5


def test_without_a_list_none_comes_out():
    problem = PartitionProblem(SCORES[:2] + SCORES[3:], np.delete(np.array(COVERAGE), 2, axis=1), 1)
    assert list(ordered_lists(problem, Progress())) == []


def test_few_samples_are_looked_at_first_and_others_when_they_matter():
    X, y = load_breast_cancer(return_X_y=True)
    from small_data import small_forest

    rules = RuleListClassifier(small_forest(X, y, depth=3, n=30), max_rules=6, candidates="nodes").fit(X, y)
    problem = rules.problem_
    found = list(itertools.islice(ordered_lists(problem, Progress()), 50))
    objectives = [problem.objective(chosen) for chosen in found]
    assert all(problem.accepts(chosen) for chosen in found)
    assert_allclose(objectives, sorted(objectives, reverse=True), atol=1e-8)
    assert objectives[0] == pytest.approx(rules.solution_.objective)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), cuts=st.sampled_from([0, 10, 2000]))
def test_scores_that_count_samples_are_multiples_of_one_number(seed, cuts):
    coverage, _ = drawn_forest(seed, 20, 5, "nodes")
    errors = np.random.default_rng(seed).integers(0, 5, coverage.n_rules)
    problem = PartitionProblem(-errors / 17, coverage, 4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranked_beginnings, "_STEPS_BEFORE_CUTS", cuts)
        found = [problem.objective(chosen) for chosen in ordered_lists(problem, Progress())]
    assert_allclose(found, expected(problem), atol=1e-8)


def test_it_ends_when_the_time_is_up_with_a_bound():
    problem, progress = drawn_problem(7, 5, "none"), Progress()
    found = list(ordered_lists(problem, progress, deadline=time.perf_counter()))
    assert progress.ended_early
    assert progress.bound >= max(expected(problem)[len(found) :])


def test_it_ends_before_it_takes_too_much_memory(monkeypatch):
    monkeypatch.setattr(ranked_beginnings, "_MOST_OPEN", 3)
    progress = Progress()
    found = list(ordered_lists(drawn_problem(7, 5, "none"), progress))
    assert progress.ended_early
    assert len(found) < len(expected(drawn_problem(7, 5, "none")))


@pytest.mark.parametrize("seed", range(6))
def test_of_many_rules_the_most_promising_come_first_with_a_target_that_no_other_list_exceeds(monkeypatch, seed):
    monkeypatch.setattr(enumeration, "_MANY_COLUMNS", 1)
    monkeypatch.setattr(enumeration, "_CORE", 4)
    monkeypatch.setattr(enumeration, "_MORE", 3)
    problem, lists = drawn_problem(seed, 4, "none", 16), []
    lists = [np.array(chosen) for chosen in partitions(problem)]
    cores = list(enumeration._Search(problem, Aim(Progress()), None, -np.inf)._cores())
    unique = best_of_twins(problem)[0]
    assert [len(core) for core, _ in cores[:-1]] == [4 * 3**k for k in range(len(cores) - 1)]
    assert cores[-1][0].tolist() == unique.tolist()
    assert cores[-1][1] == -np.inf
    for core, target in cores[:-1]:
        outside = [problem.objective(c) for c in lists if np.isin(c, unique).all() and not np.isin(c, core).all()]
        assert max(outside) <= target + 1e-9


def test_cliques_and_central_multipliers_leave_fewer_beginnings(monkeypatch):
    coverage, scores = drawn_forest(2, 60, 20, "nodes")
    problem, steps = PartitionProblem(scores, coverage, 6), {}
    for cuts in (0, 10**9):
        monkeypatch.setattr(ranked_beginnings, "_STEPS_BEFORE_CUTS", cuts)
        progress = Progress()
        found = [problem.objective(chosen) for chosen in itertools.islice(ordered_lists(problem, progress), 20)]
        assert found == sorted(found, reverse=True)
        assert progress.bound <= found[-1] + 1e-9
        steps[cuts] = progress.n_steps
    assert steps[0] <= 0.85 * steps[10**9] <= 600


def test_samples_are_added_by_how_much_they_are_violated(monkeypatch):
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(30, max_depth=3, random_state=0).fit(X, y)
    problem, picked = RuleListClassifier(forest, max_rules=6, candidates="nodes").fit(X, y).problem_, []

    def told(violated, amount, relaxation, *arguments):
        picked.append(len(violated))
        assert_allclose(amount, np.abs(relaxation.covered() - 1.0)[violated])
        return pick(violated, amount, relaxation, *arguments)

    monkeypatch.setattr(violated_rows, "_SHORT", 0)  # or all samples would have rows from the start
    monkeypatch.setattr(enumeration, "pick", told)
    next(ordered_lists(problem, Progress()))
    assert len(picked) > 1
    assert picked[-1] == 0 < picked[0]
