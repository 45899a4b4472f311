from numpy.testing import assert_array_equal
from small_problems import drawn_forest

from hedgerow import PartitionProblem
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.optimize.solvers.memory import Memory


def test_a_path_remembers_the_rows_that_mattered_and_its_last_list():
    coverage, _ = drawn_forest(3, 30, 12, "nodes")
    problem = PartitionProblem(-(coverage.counts**1.5), coverage)  # the more rules, the better
    memory = RowGeneration().memory(6)
    found = RowGeneration().feasible_path(problem, [3, 4, 6], memory=memory)
    assert [len(found[budget].chosen) for budget in (3, 4, 6)] == [3, 4, 6]
    assert_array_equal(memory.best, found[4].chosen)  # the largest budget comes first
    assert len(memory.samples)


def test_two_memories_share_nothing():
    one, other = Memory(), Memory()
    one.more.append(one.samples)
    assert not other.more
