"""Certificates prove the optimum of problems that all lists are tried for, by the checker's own arithmetic."""

from dataclasses import replace

import numpy as np
import pytest
from small_problems import COVERAGE, SCORES, drawn_forest

from hedgerow.evidence.checker import prove
from hedgerow.exceptions import CertificateError, InfeasibleError
from hedgerow.optimize.certificates import Branch, Drop, Leaf, _Prover, certify
from hedgerow.optimize.problem import LinearRows, PartitionProblem
from hedgerow.optimize.solvers import Exhaustive, RowGeneration
from hedgerow.rules.solution import Solution


def record_of(certificate, problem):
    """A certificate as the checker takes it."""
    steps = []
    for step in certificate.steps:
        if isinstance(step, Branch):
            steps.append({"do": "branch", "rules": step.rules.tolist()})
            continue
        used, what = step.multipliers, "drop" if isinstance(step, Drop) else "contradict" if step.empty else "close"
        of_rows = {name: list(getattr(used, name).items()) for name in ("samples", "rows", "cliques")}
        steps.append({"do": what, "total": used.total, "budget": used.budget} | of_rows)
    cliques = [clique.tolist() for clique in certificate.cliques]
    return {"max_rules": problem.max_rules, "excluded": [], "cliques": cliques, "steps": steps}


def check(problem, certificate, objective):
    """Raise an error if the steps do not prove that no list is better."""
    held, rows = problem.coverage.held(np.arange(problem.n_rules)), []
    masks = [sum(1 << i for i in np.flatnonzero(mine).tolist()) for mine in held]
    if certificate.rows is not None:
        bounds = zip(certificate.rows.matrix.toarray(), certificate.rows.lower, certificate.rows.upper, strict=True)
        rows = [(dict(enumerate(entries.tolist())), low, high) for entries, low, high in bounds]
    scores = problem.scores.tolist()
    prove(record_of(certificate, problem), scores, masks, problem.n_samples, rows, objective)


def drawn_problem(seed):
    coverage, scores = drawn_forest(seed, 16, 4, "nodes" if seed % 2 else "leaves")
    rng = np.random.default_rng(seed)
    rows = None
    if seed % 3 == 0:
        entries = rng.integers(0, 4, (1, len(scores))).astype(float)
        rows = LinearRows(entries, -np.inf, float(rng.integers(4, 9)), ("a row",))
    scores = scores if seed % 4 else np.round(scores)
    return PartitionProblem(scores * 10.0 ** rng.integers(-3, 4), coverage, [None, 3, 4, 5][seed % 4], rows)


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_the_steps_prove_the_best_of_all_lists(start):
    proven = 0
    for seed in range(start, start + 20):
        problem = drawn_problem(seed)
        try:
            best = Exhaustive().solve(problem)
        except InfeasibleError:
            continue
        certificate = certify(problem, best)
        check(problem, certificate, best.objective)
        unit = np.abs(problem.scores).max()
        with pytest.raises(ValueError, match="not enough"):
            check(problem, certificate, best.objective - 1e-3 * unit)
        proven += 1
    assert proven > 5


def test_larger_problems_need_branches_cliques_and_cases_without_a_list():
    found = set()
    for seed in range(60):
        coverage, scores = drawn_forest(seed, 30, 12, "leaves")
        problem = PartitionProblem(scores, coverage)
        solution = RowGeneration().solve(problem)
        certificate = certify(problem, solution)
        check(problem, certificate, solution.objective)
        found |= {type(step) for step in certificate.steps} | ({"clique"} if certificate.cliques else set())
        found |= {"empty" for step in certificate.steps if isinstance(step, Leaf) and step.empty}
    assert found == {Drop, Leaf, Branch, "clique", "empty"}


def test_three_overlapping_pairs_are_a_clique():
    pairs = [[1, 1, 0, 1, 0, 0], [1, 0, 1, 0, 1, 0], [0, 1, 1, 0, 0, 1]]
    problem = PartitionProblem([3.0, 3.0, 3.0, 1.0, 1.0, 1.0], pairs)
    solution = RowGeneration().solve(problem)
    certificate = certify(problem, solution)
    assert solution.objective == 4.0
    assert [set(clique.tolist()) for clique in certificate.cliques] == [{0, 1, 2}]
    assert not any(isinstance(step, Branch) for step in certificate.steps)
    check(problem, certificate, 4.0)


def test_twins_are_told_apart_by_a_row_only():
    # Rules 0 and 1 cover the same samples; both halves of the list may cost 3 together.
    coverage = [[1, 1, 0, 0], [0, 0, 1, 1]]
    rows = LinearRows([[3.0, 1.0, 3.0, 1.0]], -np.inf, 5.0, ("cost",))
    problem = PartitionProblem([2.0, 1.0, 2.0, 1.0], coverage, None, rows)
    solution = RowGeneration().solve(problem)
    certificate = certify(problem, solution)
    assert solution.objective == 3.0
    assert any(isinstance(step, Branch) for step in certificate.steps)
    check(problem, certificate, 3.0)


@pytest.mark.parametrize("worse", [0.5, 2.0])
def test_a_list_that_is_not_the_best_has_no_certificate(worse):
    problem = PartitionProblem(SCORES, COVERAGE)
    claimed = Solution(np.array([2, 3]), 3.0 - worse, 3.0 - worse, "optimal", 0.0)
    with pytest.raises(CertificateError, match="cannot be written down"):
        certify(problem, claimed)


def test_what_is_not_proven_is_not_certified():
    problem = PartitionProblem(SCORES, COVERAGE)
    solution = replace(RowGeneration().solve(problem), status="time_limit", bound=4.0)
    with pytest.raises(CertificateError, match="There is nothing to certify"):
        certify(problem, solution)


def test_without_time_the_error_says_that_the_list_stays_what_it_is():
    coverage, scores = drawn_forest(1, 60, 30, "nodes")
    problem = PartitionProblem(scores, coverage, 5)
    solution = RowGeneration().solve(problem)
    with pytest.raises(CertificateError, match=r"within 0.0 s. The list and its proof stay what they are"):
        certify(problem, solution, 0.0)


def test_short_lists_are_tried_rule_by_rule_where_the_relaxation_is_slow(monkeypatch):
    monkeypatch.setattr("hedgerow.optimize.certificates._MANY_PIVOTS", 0)
    rng, tried = np.random.default_rng(0), 0
    for seed in range(6):
        coverage, scores = drawn_forest(seed, 300, 20, "nodes")
        rows = LinearRows(rng.integers(0, 4, (1, len(scores))), -np.inf, 9.0, ("a row",)) if seed % 2 else None
        problem = PartitionProblem(scores, coverage, 5, rows)
        solution = RowGeneration().solve(problem)
        certificate = certify(problem, solution)
        check(problem, certificate, solution.objective)
        branches = [step for step in certificate.steps if isinstance(step, Branch)]
        tried += len(branches) > 5
    assert tried


def test_where_no_sample_is_in_few_columns_short_lists_are_not_tried(monkeypatch):
    coverage, scores = drawn_forest(0, 300, 20, "nodes")
    problem = PartitionProblem(scores, coverage, 5)
    solution = RowGeneration().solve(problem)
    monkeypatch.setattr("hedgerow.optimize.certificates._MANY_PIVOTS", 0)
    certify(problem, solution)
    monkeypatch.setattr("hedgerow.optimize.certificates._FEW_COLUMNS", 1)
    with pytest.raises(CertificateError, match="could not be written down"):
        certify(problem, solution)


def test_that_no_column_is_left_is_a_step_too():
    problem = PartitionProblem(SCORES, COVERAGE, 3)
    solution = RowGeneration().solve(problem)
    proof = certify(problem, solution)
    prover = _Prover(problem, solution.objective, None)
    assert not prover._is_open(np.zeros(4, dtype=bool))
    # One of all rules is chosen, which has its proof, or none of them.
    steps = (Branch(np.arange(4)), *proof.steps, *prover.steps)
    check(problem, replace(proof, steps=steps), solution.objective)


def test_a_proof_takes_few_steps():
    n_steps = []
    for seed in range(8):
        coverage, scores = drawn_forest(seed, 60, 20, "nodes")
        problem = PartitionProblem(scores, coverage, 6)
        certificate = certify(problem, RowGeneration().solve(problem))
        n_steps.append(len(certificate.steps))
    assert max(n_steps) <= 12
    assert np.mean(n_steps) <= 4
