"""The proof tells what the solver proved, and about what."""

import numpy as np
import pytest
from reports import fitted

from hedgerow import RuleListClassifier
from hedgerow.exporters.html.report.proof import Proof
from hedgerow.rules.solution import Solution


def test_without_an_estimator_only_the_solution_is_known():
    solution = Solution(np.array([0, 2]), objective=1.5, bound=2.0, status="time_limit", seconds=3.0)
    proof = Proof.of(solution)
    assert proof.solution is solution
    assert (proof.n_candidates, proof.max_rules, proof.n_trees) == (None, None, None)


def test_an_estimator_tells_what_was_chosen_from():
    rules, _, _ = fitted()
    proof = Proof.of(rules.solution_, rules)
    assert proof.solution.optimal
    assert proof.solution.bound == pytest.approx(proof.solution.objective)
    assert (proof.max_rules, proof.n_trees) == (5, 10)
    assert proof.n_candidates == len(rules.pool_)


def test_stable_rules_come_from_the_explained_models_own_trees():
    rules, X, y = fitted()
    model = rules.ensemble_
    own, grown = (
        RuleListClassifier.faithful(model, max_rules=3, stability_weight=weight, random_state=0).fit(X, y)
        for weight in (0.5, 0.0)
    )
    assert Proof.of(own.solution_, own).own_trees
    assert not Proof.of(grown.solution_, grown).own_trees
