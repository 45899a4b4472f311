"""The other lists of a fitted estimator: the k best, those that are near, those that differ."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning
from small_data import DIABETES, IRIS, small_forest

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    MissingRowsError,
    RuleList,
    RuleListClassifier,
    RuleListRegressor,
    TimeLimitError,
)
from hedgerow.constraints import MaxConditions, MaxFeatures, Monotone
from hedgerow.optimize.solvers.exhaustive import partitions
from hedgerow.sources import Chunks


def drawn(seed, n=40, numbers=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n, 3)).astype(float)
    noisy = X[:, 0] - X[:, 1] + rng.normal(0, 2, n)
    return X, noisy if numbers else (noisy > 0).astype(int)


def fitted(seed=0, numbers=False, max_rules=4, **parameters):
    X, y = drawn(seed, numbers=numbers)
    kind, forest = (
        (RuleListRegressor, RandomForestRegressor) if numbers else (RuleListClassifier, RandomForestClassifier)
    )
    forest = forest(5, max_depth=2, random_state=seed).fit(X, y)
    return kind(forest, max_rules=max_rules, candidates="nodes", **parameters).fit(X, y)


def all_of(problem):
    """The objectives of all lists, of those with the same sets of samples the best one's only."""
    best = {}
    for chosen in partitions(problem):
        sets = frozenset(problem.coverage.twins[list(chosen)].tolist())
        best[sets] = max(best.get(sets, -np.inf), problem.objective(np.array(chosen)))
    return sorted(best.values(), reverse=True)


CONSTRAINTS = {
    "none": (),
    "features": (MaxFeatures(2),),
    "conditions": (MaxConditions(each=1),),
    "monotone": (Monotone({"x0": 1}),),
    "all": (MaxFeatures(2), Monotone({"x0": 1})),
}


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 500), numbers=st.booleans(), constraints=st.sampled_from(list(CONSTRAINTS)), k=st.integers(1, 8)
)
def test_they_are_the_k_best_lists_under_the_constraints(seed, numbers, constraints, k):
    rules = fitted(seed, numbers, constraints=CONSTRAINTS[constraints])
    found, expected = rules.alternatives(k), all_of(rules.problem_)
    assert_allclose(found.objectives, expected[:k], atol=1e-8)
    X, y = drawn(seed, numbers=numbers)
    for one, score in zip(found, found.scores, strict=True):
        assert (one.matches(X).sum(axis=1) == 1).all()
        assert len(one) <= 4
        assert score == pytest.approx(rules.rule_list_.task.score(y, one.predict(X)))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 500), within=st.floats(0, 0.5))
def test_all_lists_within_a_share_are_found(seed, within):
    rules = fitted(seed)
    found, expected = rules.alternatives(within=within), all_of(rules.problem_)
    floor = expected[0] - within * abs(expected[0])
    assert_allclose(found.objectives, [objective for objective in expected if objective >= floor - 1e-9], atol=1e-8)
    assert found.more is False
    assert all(share <= within + 1e-8 for share in found.shares)


def moved(one, other):
    """The least share of samples that change their rule, by trying all ways to match the rules of two lists."""
    one, other = (np.asarray(part) for part in (one, other))
    size = max(one.max(), other.max()) + 1
    return min(np.mean(np.array(match)[one] != other) for match in itertools.permutations(range(size)))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 500), differ_by=st.sampled_from([0.05, 0.2, 0.4]))
def test_near_duplicates_are_left_out_and_no_others(seed, differ_by):
    rules = fitted(seed)
    X, _ = drawn(seed)
    everything = [one.apply(X) for one in rules.alternatives(500)]
    taken = []
    for parts in everything:
        if all(moved(parts, other) >= differ_by - 1e-12 for other in taken):
            taken.append(parts)
    found = rules.alternatives(500, differ_by=differ_by)
    assert [one.apply(X).tolist() for one in found] == [parts.tolist() for parts in taken]
    assert found.n_alike == len(everything) - len(taken)


def test_the_first_is_the_list_of_the_estimator_and_the_others_say_what_they_are():
    rules = fitted()
    found = rules.alternatives(3)
    assert found[0] is rules.rule_list_
    assert found[1].solution.describe().endswith("below that of the best list: an alternative")
    assert RuleList.from_json(found[1].to_json()).solution.status == "alternative"
    assert found[1].solution.bound == rules.solution_.objective


def test_an_alternative_becomes_the_list_by_its_rules():
    rules = fitted()
    other = rules.alternatives(3)[2]
    resolved = rules.resolve(pin=other)
    assert resolved.rule_list_.rules == other.rules
    assert [edit.kind for edit in resolved.rule_list_.edits] == ["pin"] * len(other)


def test_weights_count_in_scores_distances_and_reliance():
    X, y = drawn(1)
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
    whole = np.repeat(np.arange(len(y)), weight.astype(int))
    once = RuleListClassifier(forest, max_rules=3, candidates="nodes").fit(X, y, weight).alternatives(4, differ_by=0.1)
    twice = RuleListClassifier(forest, max_rules=3, candidates="nodes").fit(X[whole], y[whole])
    twice = twice.alternatives(4, differ_by=0.1)
    assert once.scores == pytest.approx(twice.scores)
    assert [one.highest for one in once.reliances] == pytest.approx([one.highest for one in twice.reliances])


def test_edits_and_round_thresholds_stay():
    rules = fitted(round_thresholds=True).resolve(forbid="x2")
    X, _ = drawn(0)
    for one in rules.alternatives(4):
        assert one.edits == rules.rule_list_.edits
        assert "x2" not in {c.feature.name for rule in one for c in rule.conditions}
        ends = [t for rule in one for c in rule.conditions for t in (c.lower, c.upper) if np.isfinite(t)]
        assert all(t.is_integer() for t in ends)
        assert (one.matches(X).sum(axis=1) == 1).all()


def test_numbers_with_a_larger_budget():
    X, y = DIABETES
    rules = RuleListRegressor(RandomForestRegressor(40, max_depth=3, random_state=0).fit(X, y), max_rules=8).fit(X, y)
    found = rules.alternatives(20)
    assert len({tuple(one.apply(X)) for one in found}) == 20
    assert list(found.objectives) == sorted(found.objectives, reverse=True)
    assert found.bound <= found.objectives[-1] + 1e-6


def test_after_pickling_it_needs_the_rows():
    rules = pickle.loads(pickle.dumps(fitted()))
    with pytest.raises(MissingRowsError, match="alternatives needs the training samples"):
        rules.alternatives(3)
    assert rules.alternatives(3, *drawn(0)).objectives == fitted().alternatives(3).objectives
    with pytest.raises(InvalidDataError, match="the very samples"):
        rules.alternatives(3, *drawn(1))


def test_rows_in_chunks_have_the_same_alternatives_without_reliance():
    X, y = IRIS
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(frame, y)
    source = Chunks(lambda: ((frame.iloc[i : i + 40], y[i : i + 40]) for i in range(0, 150, 40)))
    streamed = RuleListClassifier(forest, max_rules=4).fit(source)
    found = streamed.alternatives(5)
    in_memory = RuleListClassifier(forest, max_rules=4).fit(frame, y).alternatives(5)
    assert found.objectives == in_memory.objectives
    assert found.scores == pytest.approx(in_memory.scores)
    assert found.reliances == ()
    assert "accuracy if shuffled" not in str(found)
    with pytest.raises(InvalidParameterError, match="differ_by compares lists sample by sample"):
        streamed.alternatives(5, differ_by=0.1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0}, "k must be an integer of at least 1"),
        ({"k": 2.5}, "k must be an integer"),
        ({"within": -0.1}, "within must be a share of at least 0, such as 0.02"),
        ({"within": "2 %"}, "within must be a share"),
        ({"differ_by": 1.5}, "differ_by must be a share of at least 0 and below 1"),
        ({"differ_by": 2}, "differ_by must be a share"),
        ({"time_limit": -1}, "time_limit"),
    ],
)
def test_what_is_not_understood_is_refused(arguments, message):
    with pytest.raises(InvalidParameterError, match=message):
        fitted().alternatives(**arguments)


def test_without_time_the_list_itself_is_returned_and_it_says_so():
    found = fitted().alternatives(time_limit=1e-9)
    assert len(found) == 1
    assert found.ended_early
    assert found.describe() == "The best list, proven. The search ended before it had found all 10: raise time_limit."


def test_without_time_a_list_that_was_not_proven_cannot_be_ranked():
    X, y = DIABETES
    forest = RandomForestRegressor(60, max_depth=6, random_state=0).fit(X, y)
    rules = RuleListRegressor(forest, max_rules=9, candidates="nodes", stability_weight=0, time_limit=1e-3)
    with pytest.warns(ConvergenceWarning):
        rules.fit(X, y)
    with pytest.raises(TimeLimitError, match="No list was proven to be the best one"):
        rules.alternatives(3)


def test_a_list_that_was_not_proven_is_proven_or_beaten():
    rules = RuleListClassifier(small_forest(), max_rules=4).fit(*IRIS)
    other = rules.alternatives(3)[2]
    unproven = rules.resolve(pin=other).resolve(max_rules=5)
    vars(rules)["solution_"] = unproven.solution_.__class__(
        other.solution.chosen, other.solution.objective, np.inf, "time_limit", 0.0
    )
    vars(rules)["rule_list_"] = other
    found = rules.alternatives(3)
    assert found[0].solution.optimal
    assert found.objectives[0] > found.objectives[2] == other.solution.objective
