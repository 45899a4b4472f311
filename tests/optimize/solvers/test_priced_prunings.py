"""Pruned trees by prices: what is offered satisfies the rows, and it is found where plain pruning finds nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from small_problems import drawn_forest
from wishes import kinds_for, smalls

from hedgerow import InfeasibleError, LinearRows, PartitionProblem, RuleListClassifier
from hedgerow.constraints import MaxFeatures, MinRecall
from hedgerow.optimize.solvers import Exhaustive, priced_prunings
from hedgerow.optimize.solvers.priced_prunings import offer_priced_prunings
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.relaxation import Relaxation
from hedgerow.optimize.solvers.twins import best_of_twins


def offered(problem):
    """A record of all rules, and their relaxation over all samples, after pruned trees were offered."""
    record, unique = Record(problem, None), np.arange(problem.n_rules)
    record.restart(unique)
    relaxation = Relaxation(record.problem, np.arange(problem.n_samples))
    if relaxation.solve(None) != "infeasible":
        offer_priced_prunings(record, relaxation, unique)
    return record


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_what_it_offers_is_a_list_that_satisfies_the_rows_and_none_is_better_than_the_best(data, small):
    kind = data.draw(st.sampled_from(kinds_for(small)))
    wish, means = kind(small, data.draw)
    try:
        problem = small.fit([wish]).posed_.problem
    except InfeasibleError:
        return
    record = offered(problem)
    if record.best is not None:
        assert problem.accepts(record.best)
        assert problem.objective(record.best) <= small.best(means) + 1e-9


def test_it_finds_lists_where_the_best_trees_violate_the_rows():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(30, max_depth=3, random_state=0).fit(X, y)
    rules = RuleListClassifier(
        forest, max_rules=5, candidates="nodes", constraints=[MinRecall({0: 0.97}), MaxFeatures(2)]
    ).fit(X, y)
    problem = rules.posed_.problem
    _, best_twin = best_of_twins(problem)
    plain = Prunings(problem.coverage, problem.scores, best_twin, 5)
    assert not any(problem.accepts(one) for one in plain.best(5))
    record = offered(problem)
    assert record.best is not None
    assert problem.accepts(record.best)


@pytest.mark.parametrize("is_upper", [True, False])
def test_prices_that_begin_at_nothing_rise_until_a_list_satisfies_the_row(monkeypatch, is_upper):
    offer, tried = priced_prunings._Trial.offer, []

    def counted(trial, mask, prices):
        tried.append(prices)
        return offer(trial, mask, prices)

    monkeypatch.setattr(priced_prunings._Trial, "offer", counted)
    n_problems = 0
    for seed in range(12):
        coverage, scores = drawn_forest(seed, 14, 4, "nodes")
        entries = np.random.default_rng(seed).integers(0, 4, len(scores)).astype(float)
        has = entries[Exhaustive().solve(PartitionProblem(scores, coverage, 4)).chosen].sum()
        rows = LinearRows(entries, *((-np.inf, has - 2) if is_upper else (has + 2, np.inf)))
        problem = PartitionProblem(scores, coverage, 4, rows)
        try:
            best = Exhaustive().solve(problem)
        except InfeasibleError:
            continue
        record, unique = Record(problem, None), np.arange(problem.n_rules)
        record.restart(unique)
        priced_prunings._Trial(record, Relaxation(record.problem), unique).search(rows)
        assert record.best is not None
        assert problem.accepts(record.best)
        assert problem.objective(record.best) <= best.objective + 1e-9
        n_problems += 1
    assert n_problems > 5
    assert 2 * n_problems <= len(tried) <= 5 * n_problems
