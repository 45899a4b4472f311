"""An infeasible problem names a smallest set of constraints in conflict, and how far each would have to give way."""

import itertools
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from wishes import (
    Small,
    a_forbid,
    a_max_error,
    a_max_features,
    a_min_coverage,
    a_min_precision,
    a_min_recall,
    a_monotone,
    a_parity_gap,
    a_require,
    max_error,
    max_features,
    min_coverage,
    min_precision,
    min_recall,
    parity_gap,
    smalls,
    some_groups,
)

from hedgerow import InfeasibleError, LinearRows, RuleListClassifier, TimeLimitError
from hedgerow.constraints import (
    Forbid,
    Linear,
    MaxConditions,
    MaxError,
    MaxFeatures,
    MinCoverage,
    MinPrecision,
    MinRecall,
    Monotone,
    ParityGap,
    Pin,
    Require,
)
from hedgerow.optimize.solvers import RowGeneration
from hedgerow.pipeline.conflicts import Budget, Wanted, _rounded

KINDS = [a_max_features, a_forbid, a_require, a_min_coverage, a_max_error, a_min_recall, a_min_precision]
KINDS += [a_parity_gap, a_monotone]


def drawn_conflict(small, draw):
    """Wishes that no list grants, and the error that says so; None if some list does."""
    wishes = {}
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=2, max_size=4)):
        constraint, means = kind(small, draw)
        wishes[repr(constraint) if getattr(constraint, "rule", None) is None else str(constraint)] = constraint, means
    if sum(len(one.signs) for one, _ in wishes.values() if isinstance(one, Monotone)) > 1:
        return None  # they are taken apart, and put together again
    try:
        small.fit([constraint for constraint, _ in wishes.values()])
    except InfeasibleError as error:
        return wishes, error
    return None


def grants(small, wishes, names):
    """Whether some list grants the wishes with these names, of which one is the budget."""
    budget = small.max_rules if f"max_rules={small.max_rules}" in names else None
    meanings = [wishes[name][1] for name in names if name in wishes]
    return replace(small, max_rules=budget).best(*meanings) is not None


@settings(max_examples=50, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(2,), budgets=(1, 2, 3)))
def test_a_smallest_set_of_constraints_in_conflict_is_named(data, small):
    drawn = drawn_conflict(small, data.draw)
    if drawn is None:
        return
    wishes, error = drawn
    everything = [*wishes, f"max_rules={small.max_rules}"]
    sizes = range(len(everything) + 1)
    fewest = next(n for n in sizes for some in itertools.combinations(everything, n) if not grants(small, wishes, some))
    named = [conflict.name for conflict in error.conflicts]
    if not named:  # one that no candidate satisfies says so itself
        assert fewest <= 1, str(error)
        return
    assert len(named) == fewest, str(error)
    assert not grants(small, wishes, named)
    assert all(str(conflict) in str(error) for conflict in error.conflicts)


@settings(max_examples=50, deadline=None)
@given(data=st.data(), small=smalls(n_labels=(2,), budgets=(1, 2, 3)))
def test_how_far_each_gives_way_is_the_least_that_some_list_with_the_others_takes(data, small):
    drawn = drawn_conflict(small, data.draw)
    if drawn is None:
        return
    wishes, error = drawn
    everything = {*wishes, f"max_rules={small.max_rules}"}
    for conflict in error.conflicts:
        others = everything - {conflict.name}
        if not grants(small, wishes, others):
            others = {one.name for one in error.conflicts} - {conflict.name}
        looser, stricter = neighbours(small, conflict)
        if conflict.possible is None:
            # Forbid, Require and Monotone have no degrees; others have none that would do.
            assert looser is None or not possible(small, wishes, others, weakest(small, conflict)), str(error)
            continue
        assert possible(small, wishes, others, looser), str(error)
        assert not possible(small, wishes, others, stricter), str(error)


def possible(small, wishes, others, means):
    if isinstance(means, int):
        return grants(replace(small, max_rules=means), wishes, others | {f"max_rules={means}"})
    name = "the one"
    return grants(small, wishes | {name: (None, means)}, others | {name})


def neighbours(small, conflict):
    """What the bound that is told means, and what a bound that is closer to the one that was asked means."""
    one, value = conflict.constraint, conflict.possible
    step = 1 if isinstance(one, (Budget, MaxFeatures)) or (isinstance(one, MinCoverage) and one.value >= 1) else 0.001
    if value is None:
        return (None, None) if isinstance(one, (Forbid, Require, Monotone)) else (True, None)
    rises = isinstance(one, Budget) or one.rises
    return meaning(small, one, value), meaning(small, one, value - step if rises else value + step)


def weakest(small, conflict):
    one = conflict.constraint
    if isinstance(one, (MinRecall, MinPrecision, MinCoverage)):
        return meaning(small, one, 1e-6)
    return meaning(small, one, 50 if isinstance(one, Budget) else 1e6)


def meaning(small, one, value):
    if isinstance(one, Budget):
        return int(value)
    if isinstance(one, ParityGap):
        return parity_gap(some_groups(small), value, one.of, one.positive)
    label = next(iter(one.shares)) if isinstance(one, (MinRecall, MinPrecision)) else None
    return {
        MaxFeatures: lambda: max_features(value),
        MaxError: lambda: max_error(value),
        MinCoverage: lambda: min_coverage(value),
        MinRecall: lambda: min_recall(label, value),
        MinPrecision: lambda: min_precision(label, value),
    }[type(one)]()


X, Y = load_breast_cancer(return_X_y=True)
FOREST = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, Y)


def error_of(*constraints, max_rules=3, **parameters):
    with pytest.raises(InfeasibleError) as caught:
        RuleListClassifier(FOREST, max_rules=max_rules, candidates="nodes", constraints=constraints, **parameters).fit(
            X, Y
        )
    return caught.value


@pytest.fixture
def unhurried(monkeypatch):
    """An explanation has all the time that it needs, also on a busy machine."""
    monkeypatch.setattr("hedgerow.pipeline.conflicts._SECONDS", 3600.0)


@pytest.mark.usefixtures("unhurried")
def test_what_is_told_can_be_typed_in():
    error = error_of(MinRecall({0: 0.97}), MaxFeatures(1), max_rules=8)
    assert [conflict.name for conflict in error.conflicts] == ["MinRecall({0: 0.97})", "MaxFeatures(n=1)"]
    recall, features = (conflict.possible for conflict in error.conflicts)
    assert f"MinRecall({{0: 0.97}}): at most {recall} is possible with the others" in str(error)
    assert f"MaxFeatures(n=1): it takes at least {features:g} with the others" in str(error)
    for wishes in ([MinRecall({0: recall}), MaxFeatures(1)], [MinRecall({0: 0.97}), MaxFeatures(int(features))]):
        RuleListClassifier(FOREST, max_rules=8, candidates="nodes", constraints=wishes).fit(X, Y)
    error_of(MinRecall({0: recall + 0.001}), MaxFeatures(1), max_rules=8)


def test_a_recall_that_is_out_of_reach_comes_with_advice():
    rare = np.where(np.arange(len(Y)) % 40 == 0, 1, 0)
    estimator = RuleListClassifier(FOREST, max_rules=3, candidates="nodes", constraints=[MinRecall({1: 0.9})])
    with pytest.raises(
        InfeasibleError, match=r"possible with the others.*with loss=cost_matrix\(...\) or sample_weight"
    ):
        estimator.fit(X, rare)


def test_labels_and_bounds_are_told_apart():
    error = error_of(MinRecall({0: 0.97, 1: 0.01}), MaxConditions(total=50, each=1), MaxError(0.5))
    assert {conflict.name for conflict in error.conflicts} <= {
        "MinRecall({0: 0.97})",
        "MaxConditions(total=None, each=1)",
        "max_rules=3",
    }


def test_the_budget_is_one_of_them():
    error = error_of(Require(feature=0), MaxConditions(total=9), max_rules=1)
    assert "max_rules=1: it takes at least 3 with the others" in str(error)
    error_of(Require(feature=0), MaxConditions(total=9), max_rules=2)
    RuleListClassifier(FOREST, max_rules=3, candidates="nodes", constraints=[Require(feature=0)]).fit(X, Y)


def test_a_problem_without_a_list_says_what_it_says_without_constraints():
    with pytest.raises(InfeasibleError, match=r"The smallest budget that works is max_rules=\d") as caught:
        RuleListClassifier(FOREST, max_rules=1, candidates="leaves", constraints=[MaxFeatures(3)]).fit(X, Y)
    assert not caught.value.conflicts


def test_rules_that_overlap_cannot_both_stay():
    small = Small(0, max_rules=3)
    one, other = small.rules[1], small.rules[3]
    with pytest.raises(InfeasibleError, match="These contradict each other: the rule") as caught:
        small.fit([Pin(one), Pin(other), MaxFeatures(3)])
    assert [conflict.constraint for conflict in caught.value.conflicts] == [Pin(one), Pin(other)]


def test_constraints_that_leave_no_candidate_are_named():
    small = Small(0, max_rules=3)
    root = next(rule for rule in small.rules if not rule.conditions)
    with pytest.raises(InfeasibleError, match="These contradict each other"):
        small.fit([Forbid(rule=root), *(Forbid(feature=name) for name in ("age", "income", "debt"))])


def test_numbers_of_a_function_are_called_by_their_name():
    error = error_of(Linear(lambda rule: rule.coverage, upper=3, name="samples"))
    (conflict,) = error.conflicts
    assert conflict.possible == len(Y)  # each sample is in exactly one rule
    assert "samples: at most 3: it takes at least 569" in str(error)


def test_a_constraint_of_ones_own_is_named_and_has_no_degrees():
    class Nothing:
        def __repr__(self):
            return "nothing"

        def rows(self, pool, coverage, y):
            return LinearRows(np.ones(len(pool)), -np.inf, 0.5)

    error = error_of(Nothing(), MaxFeatures(2))
    assert str(error) == "No list satisfies the constraint nothing. Change it, or leave it out."


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("n_in_time", [0, 1, 2, 4])
def test_when_the_time_is_up_what_is_known_to_be_possible_is_told(n_in_time, monkeypatch):
    exact = error_of(MinPrecision({0: 0.99}), MaxConditions(each=1)).conflicts[0]
    calls = []

    class Slow(RowGeneration):
        def feasible_path(self, problem, budgets, time_limit):
            calls.append(time_limit)
            if len(calls) > n_in_time:
                return dict.fromkeys(budgets, TimeLimitError("slow"))
            return super().feasible_path(problem, budgets, time_limit)

    monkeypatch.setattr("hedgerow.pipeline.conflicts.RowGeneration", Slow)
    error = error_of(MinPrecision({0: 0.99}), MaxConditions(each=1))
    told = next(one for one in error.conflicts if one.name == "MinPrecision({0: 0.99})")
    assert exact.proven
    assert not told.proven
    if told.possible is None:
        assert "there was no time to find out what is possible" in str(error)
    else:
        assert told.possible <= exact.possible
        assert f"at least {told.possible:g} is possible" in str(error)
        assert "(the time was up before more was ruled out)" in str(error)


def test_an_explanation_takes_a_few_seconds():
    free = RuleListClassifier(FOREST, max_rules=3, candidates="nodes").fit(X, Y).posed_
    wishes = [MinPrecision({0: 1.0, 1: 0.99})]
    began = time.process_time()
    Wanted(free.problem, free.candidates, Y, wishes, seconds=1, proven=True).error()
    assert time.process_time() - began < 3


def test_without_time_all_constraints_are_named():
    free = RuleListClassifier(FOREST, max_rules=3, candidates="nodes").fit(X, Y).posed_
    wishes = [MinRecall({0: 0.97}), MaxFeatures(1)]
    error = Wanted(free.problem, free.candidates, Y, wishes, seconds=1e-9).error()
    assert str(error).startswith(
        "No list satisfies all constraints: MinRecall({0: 0.97}); MaxFeatures(n=1); max_rules=3"
    )
    assert not error.conflicts


@pytest.mark.parametrize(
    ("value", "below", "above"),
    [
        (0.123456, 0.1234, 0.1235),
        (0.12 + 1e-14, 0.12, 0.12),
        (0.12 - 1e-14, 0.12, 0.12),
        (1.0, 1.0, 1.0),
        (12.34567, 12.34, 12.35),
        (12345.678, 12345.0, 12346.0),
        (-0.123456, -0.1235, -0.1234),
        (0.0, 0.0, 0.0),
        (np.inf, np.inf, np.inf),
    ],
)
def test_a_bound_that_is_told_is_short_and_on_the_safe_side(value, below, above):
    assert _rounded(value, up=False) == below
    assert _rounded(value, up=True) == above


@pytest.mark.parametrize("most", [0, 5])
def test_the_search_for_fewer_constraints_ends_after_so_many_sets(most, monkeypatch):
    asked = []
    possible = Wanted._possible
    monkeypatch.setattr(Wanted, "_possible", lambda self, some: asked.append(some) or possible(self, some))
    monkeypatch.setattr("hedgerow.pipeline.conflicts._MOST_SETS", most)
    free = RuleListClassifier(FOREST, max_rules=3, candidates="nodes").fit(X, Y).posed_
    wishes = [MinCoverage(0.2), MaxFeatures(9), MinRecall({0: 1.0, 1: 1.0})]
    wanted = Wanted(free.problem, free.candidates, Y, wishes, proven=True)
    smallest = wanted._smallest()
    # Each part is left out once, and then so many sets are tried.
    assert len(asked) <= len(wanted.parts) + most
    assert all(possible(wanted, smallest - {i}) is not False for i in smallest)
