"""A larger minimum coverage takes over the lists of a smaller one whose rules it still has."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from small_data import WINE

from hedgerow import InfeasibleError, RuleListClassifier
from hedgerow.estimators.validation import check_training
from hedgerow.optimize.budgets import feasible_path
from hedgerow.optimize.problem import LinearRows
from hedgerow.pipeline.fold import Fold, Setting
from hedgerow.pipeline.nested import Nested
from hedgerow.pipeline.pose import pose
from hedgerow.pipeline.prepare import prepare
from hedgerow.tasks import Labels

BUDGETS = [1, 3, 5, 6, 7, 9]


def posed(candidates):
    """The problem of all candidates, and that of those that cover 3 % of the samples."""
    forest = RandomForestClassifier(30, max_depth=3, random_state=0)
    estimator = RuleListClassifier(forest, candidates=candidates, min_coverage=0.0)
    settings = estimator.to_settings()
    prepared = prepare(settings, check_training(estimator, Labels, *WINE))
    return [pose(prepared, settings.changed(min_coverage=share)) for share in (0.0, 0.03)]


@pytest.fixture(scope="module")
def problems():
    return posed("nodes")


def test_a_list_whose_rules_are_left_is_taken_over(problems):
    wide, narrow = problems
    known, nested = feasible_path(wide.problem, BUDGETS), Nested()
    nested.add(wide, known)
    found, own = nested.path(narrow, BUDGETS), feasible_path(narrow.problem, BUDGETS)
    assert 0 < len(found) < len(BUDGETS)
    for budget, solution in found.items():
        assert solution.objective == solution.bound == pytest.approx(own[budget].objective)
        assert_array_equal(narrow.pool.node[solution.chosen], wide.pool.node[known[budget].chosen])
    for budget in set(BUDGETS) - found.keys():  # the best list has a rule that covers too little
        assert not np.isin(wide.pool.node[known[budget].chosen], narrow.pool.node).all()


def test_where_there_is_no_list_fewer_candidates_have_none_either():
    wide, narrow = posed("leaves")
    nested = Nested()
    nested.add(wide, feasible_path(wide.problem, [1, 3]))
    assert all(isinstance(why, InfeasibleError) for why in nested.path(narrow, [1, 3, 5]).values())
    assert nested.path(narrow, [1, 3, 5]).keys() == {1, 3}


def test_nothing_is_taken_over_from_other_problems(problems):
    wide, narrow = problems
    path = feasible_path(narrow.problem, BUDGETS)
    nested = Nested()
    nested.add(narrow, path)
    assert nested.path(wide, BUDGETS) == {}  # it has more candidates
    nested.add(replace(wide, problem=replace(wide.problem, scores=2 * wide.problem.scores)), path)
    assert nested.path(narrow, BUDGETS) == {}


def test_a_list_that_is_not_proven_is_not_taken_over(problems):
    wide, narrow = problems
    path = feasible_path(wide.problem, BUDGETS)
    nested = Nested()
    nested.add(wide, {b: replace(s, status="time_limit") for b, s in path.items()})
    assert nested.path(narrow, BUDGETS) == {}


def test_a_fold_gives_the_same_lists_for_each_coverage_alone_and_together():
    estimator = RuleListClassifier(RandomForestClassifier(30, max_depth=3, random_state=0))
    settings, samples = estimator.to_settings(), check_training(estimator, Labels, *WINE)
    shared = Fold(settings, samples)
    for share in (0.0, 0.02, 0.05):
        together = dict(shared.lists(Setting(share, 0.5), [3, 5, 7]))
        alone = dict(Fold(settings, samples).lists(Setting(share, 0.5), [3, 5, 7]))
        for budget, lists in alone.items():
            one, other = lists[None].rule_list, together[budget][None].rule_list
            assert str(one) == str(other)


def test_constraints_and_rules_that_the_wider_problem_lacks_leave_nothing_to_take_over(problems):
    wide, narrow = problems
    path = feasible_path(wide.problem, BUDGETS)
    limited_wide, limited = (
        replace(one, problem=replace(one.problem, rows=LinearRows(np.ones(len(one.pool)), -np.inf, 3)))
        for one in problems
    )
    for wider, asked in ((wide, limited), (limited_wide, narrow)):
        nested = Nested()
        nested.add(wider, path)
        assert nested.path(asked, BUDGETS) == {}
    # One of the rules of the narrow problem, the last of its pool, is not in the wider one.
    left = np.flatnonzero(wide.pool.node != narrow.pool.node[-1])
    assert len(narrow.pool) < len(left) == len(wide.pool) - 1
    nested = Nested()
    nested.add(replace(wide, pool=wide.pool.subset(left), problem=wide.problem.subset(left)), path)
    assert nested.path(narrow, BUDGETS) == {}
