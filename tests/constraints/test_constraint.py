"""The rows of constraints are stacked, and named so that an error can say which one to relax."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from small_forests import STUMP, forest
from wishes import a_monotone, kinds_for, smalls

from hedgerow import InvalidParameterError, LinearRows
from hedgerow.candidates.answers import Majority
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.pool import make_pool
from hedgerow.constraints import Candidates, Demand, MaxFeatures, MinRecall, check_constraints, demand_of
from hedgerow.tasks import Labels

POOL = make_pool(forest(STUMP))  # two rules of two conditions, one of one
COVERAGE = cover(POOL, np.zeros((2, 11)))
Y = np.array([0, 1])


@dataclass(frozen=True)
class MostConditions:
    """At most this many conditions in all."""

    most: int

    def rows(self, pool, coverage, y):
        assert coverage is COVERAGE
        assert y is Y
        return LinearRows(pool.n_conditions[None, :], -np.inf, self.most)


class WithoutRepr:
    def rows(self, pool, coverage, y):
        return LinearRows(np.eye(len(pool)), 0, 1)


class Named:
    def rows(self, pool, coverage, y):
        return LinearRows(np.ones(len(pool)), 1, np.inf, ("at least one rule",))


CANDIDATES = Candidates(POOL, COVERAGE, Y, np.ones(2), Labels(np.array([0, 1])), None, None, Majority(), COVERAGE)


def rows_of(*constraints):
    return Demand.of_all([demand_of(one, CANDIDATES, Y) for one in check_constraints(constraints)]).rows


@pytest.mark.parametrize("none", [None, (), []])
def test_no_constraints_are_no_rows(none):
    assert check_constraints(none) == []
    assert rows_of() is None


def test_a_single_constraint_needs_no_list():
    (single,) = check_constraints(MostConditions(3))
    rows = rows_of(single)
    assert_array_equal(rows.matrix.toarray(), [[2, 2, 1]])
    assert_array_equal(rows.upper, [3])


def test_rows_are_named_by_themselves_by_their_repr_or_by_their_class():
    rows = rows_of(Named(), MostConditions(3), WithoutRepr())
    assert rows.names == ("at least one rule", "MostConditions(most=3)", *["WithoutRepr"] * 3)
    assert_array_equal(rows.lower, [1, -np.inf, 0, 0, 0])


@pytest.mark.parametrize("constraints", ["x0", ["x0"], [Named(), 3]])
def test_what_has_no_rows_is_refused(constraints):
    with pytest.raises(InvalidParameterError, match=r"must have a method rows.*('x0'|3) has none"):
        check_constraints(constraints)


@pytest.mark.parametrize("given", [Named, [Named], [MaxFeatures(3), MinRecall]])
def test_a_class_is_no_constraint(given):
    with pytest.raises(InvalidParameterError, match=r"is a class. Give an instance with what it asks, \w+\(...\)"):
        check_constraints(given)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), small=smalls())
def test_several_wishes_together_give_the_best_list_that_grants_all(data, small):
    kinds = data.draw(st.lists(st.sampled_from(kinds_for(small)), min_size=2, max_size=4))
    if kinds.count(a_monotone) > 1:
        return  # several are one constraint, and may contradict each other
    small.check(*(kind(small, data.draw) for kind in kinds))
