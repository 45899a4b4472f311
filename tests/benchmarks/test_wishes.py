"""The benchmark of wishes counts what it says it counts, and its rows become tables."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from benchmarks import fair_trees, monotone_pairs, rare_positives, wish_times, wishes
from hedgerow import InfeasibleError, RuleListClassifier
from hedgerow.constraints import Monotone, ParityGap


def drawn(columns, n=300):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(n, len(columns))), columns=list(columns))
    return X, np.where(np.sin(2 * X["a"]) + X["b"] + rng.normal(0, 0.3, n) > 0, "yes", "no")


def fitted(max_rules=4, columns="abc", **more):
    X, y = drawn(columns)
    forest = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, y)
    return X, y, RuleListClassifier(forest, max_rules=max_rules, candidates="nodes", **more).fit(X, y)


def test_pairs_that_break_a_promise_are_counted_and_a_list_that_keeps_it_has_none():
    X, _, free = fitted(6, stability_weight=0)
    _, _, kept = fitted(6, stability_weight=0, constraints=[Monotone({"a": 1})])
    for rules, is_kept in ((free, False), (kept, True)):
        n_pairs, _, n_wrong = monotone_pairs.compare(rules, X, "a", 1, 2000, np.random.default_rng(0))
        assert 1500 < n_pairs <= 2000
        assert (n_wrong == 0) == is_kept


def test_points_are_also_at_thresholds_beyond_the_data_and_missing():
    X, _, rules = fitted()
    points = monotone_pairs.points(rules, X, 4000, np.random.default_rng(0))
    assert (points > X.max()).any().all()
    assert (points < X.min()).any().all()
    assert points.isna().any().all()
    bounds = {end for rule in rules.rule_list_ for one in rule.conditions for end in (one.lower, one.upper)}
    assert points.isin(bounds - {np.inf, -np.inf}).to_numpy().any()


def test_each_constraint_excludes_the_free_list():
    X, y, rules = fitted(columns="abcdef")
    table = SimpleNamespace(X=X, y=y)
    asked = list(wish_times.wishes(table, rules))
    assert len({type(one) for one in asked}) == len(asked) == 11
    for one in asked:
        if isinstance(one, (Monotone, ParityGap)):
            continue  # the free list may happen to satisfy it
        try:
            other = rules.resolve(constraints=[one])
        except InfeasibleError:
            continue
        assert other.solution_.objective < rules.solution_.objective - 1e-9, one


def test_times_become_a_table_and_a_verdict():
    rows = [
        {"constraint": "A", "fit": 2.0, "free_fit": 1.0, "solver": 3.0, "free_solver": 1.0, "outcome": "optimal"},
        {
            "constraint": "A",
            "fit": 4.0,
            "free_fit": 1.0,
            "solver": 5.0,
            "free_solver": 1.0,
            "outcome": "InfeasibleError",
        },
    ]
    frame = pd.DataFrame(rows)
    assert wish_times.lines(frame)[1] == ["`A`", "2", "2", "3.00", "4.0", "4.00", "4.0", "5.00"]
    told, kept = wish_times.verdict(frame)
    assert "2 of 2 problems are proven (1 of them to have no list)" in told
    assert kept
    assert not wish_times.verdict(frame.assign(outcome="time_limit"))[1]
    assert not wish_times.verdict(frame.assign(fit=100.0))[1]


@pytest.mark.parametrize(("violations", "kept"), [(0, True), (1, False)])
def test_one_violation_is_too_many(violations, kept):
    row = {"name": "x", "rules": 3, "trees": 2, "default": "usual", "pairs": 10, "in_gaps": 1, "violations": violations}
    frame = pd.DataFrame([row])
    assert monotone_pairs.verdict(frame)[1] is kept
    assert monotone_pairs.lines(frame)[1][-1] == str(violations)


def test_an_empty_promise_misses_the_bar():
    row = {"name": "x", "seed": 0, "costs": True, "rows": 100, "positives": 1, "outcome": "optimal"}
    row |= {"recall": 0.8, "precision": 0.1, "held_out": 0.5, "low": 0.2, "high": 0.9}
    assert rare_positives.verdict(pd.DataFrame([row]))[1]
    assert not rare_positives.verdict(pd.DataFrame([row | {"recall": 0.79}]))[1]
    assert not rare_positives.verdict(pd.DataFrame([row, row | {"outcome": "no list"}]))[1]


def test_a_limit_that_is_exceeded_misses_the_bar():
    row = {"limit": 0.05, "budget": 4, "seed": 0, "size": 4, "seconds": 1.0, "proven": True}
    rows = [
        row | {"method": one, "accuracy": 0.8, "gap": 0.05, "test_accuracy": 0.8, "test_gap": 0.06}
        for one in fair_trees.METHODS
    ]
    assert fair_trees.verdict(pd.DataFrame(rows))[1]
    assert not fair_trees.verdict(pd.DataFrame(rows).assign(gap=0.051))[1]


def test_the_page_has_a_part_for_each_table():
    text = wishes.PAGE.read_text()
    assert all(f"<!-- table: {name} -->" in text for name in wishes.PARTS)
    assert set(wishes.page(wishes.DIRECTORY)) <= set(wishes.PARTS)
