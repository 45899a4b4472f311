"""Instances have names, and a name stands for the same problem whenever it is loaded."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from benchmarks.instances import FAMILIES, QUICK, load, names


def test_every_family_has_cases_and_their_names_are_unique():
    every = names()
    assert {name.partition("/")[0] for name in every} == set(FAMILIES)
    assert len(set(every)) == len(every) >= 150
    assert all(name.count("/") == 2 for name in every)


def test_the_quick_ones_are_among_all_of_them():
    assert names("quick") == list(QUICK)
    assert set(QUICK) <= set(names())


def test_every_seed_has_a_name_of_its_own():
    assert names("nasty", seeds=(0, 1))[0] == "nasty/impossible-rule/0"
    assert len(names("nasty", seeds=(0, 1))) == 2 * len(names("nasty"))


def test_an_unknown_family_is_named():
    with pytest.raises(ValueError, match=r"no family 'papers'. Possible: 'quick', 'paper'"):
        names("papers")


@pytest.mark.parametrize("name", ["bounds/sk-iris-fewest/0", "extra_trees/sk-iris-deep-0/1", "nasty/row-of-costs/0"])
def test_a_kept_problem_is_the_one_that_was_made(name, tmp_path):
    made, kept, other = load(name, tmp_path), load(name, tmp_path), load(name, None)
    assert len(list(tmp_path.iterdir())) == 1
    for problem in (kept, other):
        assert_array_equal(problem.scores, made.scores)
        assert problem.max_rules == made.max_rules
        assert_array_equal(problem.coverage.matrix().toarray(), made.coverage.matrix().toarray())
        assert (problem.preference is None) == (made.preference is None)
        if made.rows is not None:
            assert_array_equal(problem.rows.matrix.toarray(), made.rows.matrix.toarray())
            assert_array_equal(problem.rows.upper, made.rows.upper)


def test_the_tight_budget_has_a_list_and_one_less_has_none(tmp_path):
    highs = pytest.importorskip("hedgerow.solvers").Highs()
    least, below = (load(f"tight/sk-iris-{which}/0", tmp_path) for which in ("least", "below"))
    assert below.max_rules == least.max_rules - 1
    assert len(highs.solve(least, 30).chosen) == least.max_rules
    with pytest.raises(Exception, match="No list of at most"):
        highs.solve(below, 30)


def test_scores_of_bounds_count_the_rules(tmp_path):
    assert set(np.unique(load("bounds/sk-iris-most/0", tmp_path).scores)) == {1.0}
