import numpy as np
import pytest
from numpy.testing import assert_array_equal
from small_problems import drawn_forest

from hedgerow import PartitionProblem
from hedgerow.optimize.solvers import first_lists
from hedgerow.optimize.solvers.first_lists import FirstLists
from hedgerow.optimize.solvers.memory import Memory
from hedgerow.optimize.solvers.prunings import Prunings
from hedgerow.optimize.solvers.record import Record
from hedgerow.optimize.solvers.row_search import Search


def test_of_very_many_nodes_the_first_trees_give_a_list_even_without_time(monkeypatch):
    coverage, scores = drawn_forest(1, 40, 6, "nodes")
    monkeypatch.setattr(first_lists, "_MANY_NODES", 10)
    monkeypatch.setattr(first_lists, "_FEW_NODES", 3)
    problem = PartitionProblem(scores, coverage, 6)
    late = Search(problem, 1e-9, Memory(prunings=Prunings(coverage, scores, np.arange(len(scores)), 6, 0.0)), 100, 0)
    assert late.run() == "time_limit"
    assert_array_equal(coverage.counts_of(late.solution("time_limit").chosen), 1)


def test_the_best_mixture_is_offered_once_and_kept_for_other_budgets():
    coverage, scores = drawn_forest(3, 40, 6, "nodes")
    problem, memory = PartitionProblem(scores, coverage, 5), Memory(largest=8)
    record = Record(problem, None)
    lists = FirstLists(record, memory, coverage.twins)
    lists.offer()
    assert memory.prunings is not None
    assert record.best_objective == max(scores[one].sum() for one in memory.prunings.best(5))
    record.best = None
    lists.offer()
    assert record.best is None
    assert len(record.log) == 1


@pytest.mark.parametrize("has_list", [False, True])
def test_the_first_trees_come_first_if_there_is_little_time_and_no_list(monkeypatch, has_list):
    coverage, scores = drawn_forest(3, 40, 6, "nodes")
    problem, made = PartitionProblem(scores, coverage, 5), []
    monkeypatch.setattr(first_lists, "_MANY_NODES", 10)
    monkeypatch.setattr(first_lists, "_FEW_NODES", 3)

    def told(mine, *arguments):
        made.append((mine.n_rules, arguments[-1]))
        return Prunings(mine, *arguments)

    monkeypatch.setattr(first_lists, "Prunings", told)
    record = Record(problem, 100.0)
    if has_list:
        assert record.offer(next(Prunings(coverage, scores, np.arange(len(scores)), 5).best(5)))
    FirstLists(record, Memory(), coverage.twins).offer()
    n_first = np.count_nonzero(coverage.group == coverage.group.min())
    assert [n for n, _ in made] == [coverage.n_rules] if has_list else [n_first, coverage.n_rules]
    assert all(deadline == record.deadline + first_lists._GRACE for _, deadline in made)
    made.clear()
    FirstLists(Record(problem, None), Memory(), coverage.twins).offer()
    assert made == [(coverage.n_rules, None)]
