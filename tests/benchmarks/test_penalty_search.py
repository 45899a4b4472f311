"""A penalty is found for which the leaves fit."""

from benchmarks.penalty_search import search_penalty


def leaves(penalty):
    """More leaves the smaller the penalty: 100 at 0.01, 1 at 1."""
    return round(1 / penalty)


def search(budget, bounds=(0.01, 1.0), fit=leaves, **settings):
    return search_penalty(fit, lambda model: model, budget, bounds, **settings)


def test_the_smallest_penalty_that_fits_uses_the_whole_budget():
    assert [search(budget) for budget in (100, 30, 8, 1)] == [100, 30, 8, 1]


def test_what_fits_without_a_penalty_is_taken_at_once():
    tried = []
    assert search(200, fit=lambda penalty: tried.append(penalty) or 100) == 100
    assert tried == [0.01]


def test_steps_that_are_skipped_leave_the_next_smaller_tree():
    assert search(7, fit=lambda penalty: 2 ** round(leaves(penalty) / 10)) == 4


def test_after_the_time_the_search_goes_on_until_something_fits():
    assert 0 < search(30, seconds=0.0) <= 30
    assert search(30, n_fits=1) <= 30


def test_nothing_fits():
    assert search(5, fit=lambda penalty: 6) is None
