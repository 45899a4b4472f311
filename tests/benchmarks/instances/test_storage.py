"""A problem that is written comes back as it was, whatever it has; a broken file is as good as none."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from benchmarks.attack_draws import draw
from benchmarks.instances.storage import keep, kept, packed, path_of, unpacked
from hedgerow.optimize.problem import PartitionProblem


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_nothing_of_a_problem_is_lost(seed):
    problem, _ = draw(seed)
    again = unpacked(packed(problem))
    assert_array_equal(again.scores, problem.scores)
    assert again.max_rules == problem.max_rules
    assert_array_equal(again.coverage.matrix().toarray(), problem.coverage.matrix().toarray())
    assert (again.rows is None) == (problem.rows is None)
    if problem.rows is not None:
        assert_array_equal(again.rows.matrix.toarray(), problem.rows.matrix.toarray())
        assert_array_equal(again.rows.lower, problem.rows.lower)
        assert_array_equal(again.rows.upper, problem.rows.upper)
        assert again.rows.names == problem.rows.names


def test_groups_without_rules_are_left_out_and_the_rest_stays():
    problem = PartitionProblem([1.0, 2.0, 3.0], [[1, 1, 0], [1, 0, 1]], 2).subset(np.array([0, 2]))
    arrays = packed(problem)
    assert arrays["ranks"].shape == (2, 2)
    assert_array_equal(unpacked(arrays).coverage.matrix().toarray(), [[1, 0], [1, 1]])


def test_a_file_that_was_cut_off_counts_as_missing(tmp_path):
    keep(PartitionProblem([1.0], [[1]]), "family/case/0", tmp_path)
    path = path_of("family/case/0", tmp_path)
    assert kept("family/case/0", tmp_path) is not None
    path.write_bytes(path.read_bytes()[:100])
    assert kept("family/case/0", tmp_path) is None
