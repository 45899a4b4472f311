"""At most so many conditions, all together or in each rule: one per feature of a rule, as they are read."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import Small, a_max_conditions, smalls

from hedgerow import InvalidParameterError
from hedgerow.constraints import MaxConditions


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_the_best_list_of_few_conditions_is_found(data, small):
    small.check(a_max_conditions(small, data.draw))


def test_conditions_are_counted_as_they_are_written_not_as_a_tree_makes_them():
    pool = Small(3, candidates="leaves", depth=3).fit([MaxConditions(each=2)]).pool_
    shown = [pool.rule(j).describe() for j in range(len(pool))]
    assert max(text.count(" and ") + 1 for text in shown) == 2
    assert pool.n_conditions.max() == 3  # "3 < age <= 5 and debt > 2" takes three steps


@pytest.mark.parametrize("given", [{"total": -1}, {"each": 1.5}, {"total": "few"}, {"each": True}])
def test_what_is_not_a_number_of_conditions_is_refused(given):
    with pytest.raises(InvalidParameterError, match=r"MaxConditions\(\w+\) must be an integer of at least 0, or None"):
        MaxConditions(**given)


def test_one_of_both_must_be_given():
    with pytest.raises(InvalidParameterError, match=r"total=..., each=... or both; got neither"):
        MaxConditions()


def test_it_is_said_in_words():
    assert str(MaxConditions(each=3)) == "at most 3 conditions in each rule"
    assert str(MaxConditions(total=9)) == "at most 9 conditions in all"
