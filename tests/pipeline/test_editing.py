"""What an expert insists on is in the list, and no better list with it exists."""

import itertools
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from small_data import DIABETES, IRIS, small_forest

from hedgerow import (
    Condition,
    InfeasibleError,
    InvalidParameterError,
    MissingRowsError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListRegressor,
)
from hedgerow.candidates import excerpt
from hedgerow.constraints import Forbid, MaxConditions, MaxFeatures
from hedgerow.features import Column
from hedgerow.sources import Chunks

NAMES = ["age", "income", "debt"]


def small(seed, n=40):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 12, (n, 3)).astype(float), columns=NAMES)
    y = (X["age"] + rng.normal(0, 4, n) > X["income"]).to_numpy().astype(int)
    return X, y


def fitted(seed=0, max_rules=4, **parameters):
    X, y = small(seed)
    forest = RandomForestClassifier(6, max_depth=2, random_state=seed).fit(X, y)
    return RuleListClassifier(forest, max_rules=max_rules, candidates="nodes", **parameters).fit(X, y)


def best(scores, coverage, budget, fits=lambda chosen: True):
    """The best objective of all lists, by trying them."""
    found = -np.inf
    for n in range(1, budget + 1):
        for chosen in itertools.combinations(range(len(scores)), n):
            if (coverage[:, chosen].sum(axis=1) == 1).all() and fits(chosen):
                found = max(found, scores[list(chosen)].sum())
    return found


def unique(rules):
    """The scores and the coverage of the candidates, the best of those with the same samples."""
    problem = rules.posed_.problem
    dense = problem.coverage.matrix().toarray()
    _, first = np.unique(dense, axis=1, return_inverse=True)
    columns = [max(np.flatnonzero(first == k), key=lambda j: problem.scores[j]) for k in range(first.max() + 1)]
    return problem.scores[columns], dense[:, columns]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 200), position=st.integers(0, 3), pinned=st.booleans())
def test_it_is_the_best_of_all_lists_with_or_without_a_rule(seed, position, pinned):
    rules = fitted(seed, max_rules=3)
    position %= len(rules.rule_list_)
    held = rules.rule_list_.matches(small(seed)[0])[:, position]
    scores, coverage = unique(rules)
    column = int(np.flatnonzero((coverage == held[:, None]).all(axis=0))[0])
    expected = best(scores, coverage, 3, lambda chosen: (column in chosen) is pinned)
    wish = {"pin" if pinned else "forbid": position}
    if expected == -np.inf:
        with pytest.raises(InfeasibleError):
            rules.resolve(**wish)
        return
    resolved = rules.resolve(**wish)
    assert resolved.solution_.optimal
    assert resolved.solution_.objective == pytest.approx(expected, abs=1e-9)
    assert_array_equal((held == resolved.rule_list_.matches(small(seed)[0]).T).all(axis=1).any(), pinned)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 200), feature=st.sampled_from(NAMES), at=st.integers(2, 9))
def test_a_rule_of_an_expert_stays_and_the_rest_is_the_best(seed, feature, at):
    rules = fitted(seed, max_rules=3)
    text = f"{feature} > {at} and debt <= 8" if feature != "debt" else f"debt > {at}"
    X, _ = small(seed)
    held = (X[feature] > at) & ((X["debt"] <= 8) if feature != "debt" else True)
    if not held.any():
        with pytest.raises(InvalidParameterError, match="covers no training sample"):
            rules.resolve(pin=text)
        return
    resolved = rules.resolve(pin=text)
    scores, coverage = unique(resolved)
    matches = resolved.rule_list_.matches(X)
    assert (held.to_numpy() == matches.T).all(axis=1).any()
    assert (matches.sum(axis=1) == 1).all()
    # Every other candidate lies outside, so trying all lists is quick.
    if len(scores) <= 60:
        assert resolved.solution_.objective == pytest.approx(best(scores, coverage, 3), abs=1e-9)


def test_candidates_of_an_expert_change_no_other_score():
    rules = fitted()
    added = rules.resolve(add="age > 5 and income <= 7")
    n = len(rules.pool_)
    assert len(added.pool_) > n
    for name in ("raw_stability", "raw_loss", "stability", "loss", "total"):
        assert_array_equal(getattr(added.scores_, name)[:n], getattr(rules.scores_, name))
    assert added.solution_.objective >= rules.solution_.objective
    assert added.rule_list_.edits[0].kind == "add"


def test_an_experts_rule_scores_as_if_the_ensemble_had_it():
    rules = fitted()
    known = rules.pool_.rule(int(np.argmax(rules.pool_.n_conditions)))
    place = int(np.argmax(rules.pool_.n_conditions))
    alone = RuleListClassifier(
        rules.forest_, max_rules=4, candidates="nodes", extra_rules=[known.with_bounds(known.conditions[0].feature)]
    )
    # The same conditions are known already, so that a wish for them adds nothing.
    assert len(rules.resolve(add=known).pool_) == len(rules.pool_)
    fit = alone.fit(*small(0))
    twins = [j for j in range(len(rules.pool_), len(fit.pool_)) if fit.pool_.rule(j).conditions == known.simplified]
    assert twins
    assert fit.scores_.loss[twins[0]] == pytest.approx(rules.scores_.loss[place])


def test_wishes_add_up_and_the_list_before_stays():
    rules = fitted()
    text = str(rules.rule_list_)
    once = rules.resolve(forbid="debt")
    twice = once.resolve(max_rules=3, constraints=MaxConditions(each=1))
    assert str(rules.rule_list_) == text
    assert {c.feature.name for rule in twice.rule_list_ for c in rule.conditions} <= {"age", "income"}
    assert len(twice.rule_list_) <= 3
    assert [(edit.step, edit.kind, edit.text) for edit in twice.rule_list_.edits] == [
        (1, "forbid", "debt"),
        (2, "constraint", str(MaxConditions(each=1))),
        (2, "max_rules", "3"),
    ]
    assert twice.rule_list_.edits[0].before == rules.solution_.objective
    assert twice.rule_list_.edits[0].after == twice.rule_list_.edits[1].before == once.solution_.objective
    assert twice.rule_list_.edits[2].after == twice.solution_.objective


def test_a_fit_to_other_samples_keeps_to_the_wishes():
    resolved = fitted().resolve(forbid="debt", pin="age > 5 and income <= 7")
    again = clone(resolved).fit(*small(1))
    assert "age > 5 and income <= 7" in [rule.describe() for rule in again.rule_list_]
    assert "debt" not in str(again.rule_list_).partition("subject to")[0]


def test_json_tells_what_was_changed_from_what_was_proven():
    resolved = fitted().resolve(forbid="debt").resolve(pin=0)
    document = json.loads(resolved.rule_list_.to_json())
    assert document["constraints"][0] == "no rule uses debt"
    assert [edit["kind"] for edit in document["edits"]] == ["forbid", "pin"]
    again = RuleList.from_json(json.dumps(document))
    assert again.edits == resolved.rule_list_.edits
    assert again.constraints == resolved.rule_list_.constraints
    assert again.to_json() == resolved.rule_list_.to_json()
    assert "subject to: no rule uses debt; the rule (" in str(again)
    assert "edited in 2 steps; objective" not in str(again)
    assert "edited in 2 steps: objective" in str(again)


def test_a_loss_that_fails_for_an_experts_rule_names_it():
    X, y = small(0)
    held = ((X["age"] > 5) & (X["income"] <= 7)).sum()

    def broken(targets):
        return np.nan if len(targets) == held else float(np.mean(targets != np.bincount(targets.astype(int)).argmax()))

    rules = RuleListClassifier(
        RandomForestClassifier(1, max_depth=1, random_state=0), max_rules=4, candidates="nodes", loss=broken
    ).fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"returned nan for rule \d+ .*age.*finite number for every rule"):
        rules.resolve(pin="age > 5 and income <= 7")


def test_rules_are_found_by_position_as_text_and_as_objects():
    rules = fitted()
    first = rules.rule_list_[0]
    lists = [rules.resolve(pin=given).rule_list_ for given in (0, first, first.describe(), str(first), [first])]
    assert all(one.rules == rules.rule_list_.rules for one in lists)
    assert all(one.constraints == lists[0].constraints for one in lists)


def test_a_rule_with_another_threshold_takes_its_place():
    rules = fitted(2)
    old = next(rule for rule in rules.rule_list_ if len(rule.simplified) == 1)
    name = old.simplified[0].feature.name
    bounds = {side: 4.0 for side in ("lower", "upper") if np.isfinite(getattr(old.simplified[0], side))}
    changed = old.with_bounds(name, **bounds)
    resolved = rules.resolve(pin=changed)
    assert changed.describe() in [rule.describe() for rule in resolved.rule_list_]
    assert (resolved.rule_list_.matches(small(2)[0]).sum(axis=1) == 1).all()


def test_numbers_too():
    X, y = DIABETES
    rules = RuleListRegressor(RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y), max_rules=5).fit(X, y)
    resolved = rules.resolve(pin="x8 > 0 and x2 > 0.01", forbid="x3")
    assert "x8 > 0 and x2 > 0.01" in [rule.describe() for rule in resolved.rule_list_]
    price = rules.price(forbid="x8", X_test=X, y_test=y)
    assert price.score == pytest.approx(price.test_score)
    assert price.score < 0 < price.objective


def test_prices():
    rules = fitted()
    X, y = small(5)
    price = rules.price(Forbid(feature="age"), X, y)
    assert price.wish == "no rule uses age"
    assert price.objective == pytest.approx(rules.solution_.objective - price.estimator.solution_.objective)
    assert price.test_score == pytest.approx(price.estimator.score(X, y) - rules.score(X, y))
    free, impossible = rules.prices([{"max_rules": 8}, {"pin": [0, 1], "max_rules": 2}], time_limit=60)
    assert free.objective <= 0
    assert free.proven
    assert impossible.objective is None
    assert "impossible. No list" in str(impossible) or impossible.reason


def test_after_pickling_it_needs_the_rows():
    rules = pickle.loads(pickle.dumps(fitted().resolve(forbid="debt")))
    with pytest.raises(MissingRowsError, match="resolve needs the training samples"):
        rules.resolve(pin=0)
    again = rules.resolve(*small(0), pin=0)
    assert [edit.kind for edit in again.rule_list_.edits] == ["forbid", "pin"]


def test_rules_about_categories_and_missing_values_become_candidates():
    rng = np.random.default_rng(0)
    X, y = small(0, 120)
    X["job"] = rng.choice(np.array(["clerk", "boss", None], dtype=object), 120)
    X.loc[rng.random(120) < 0.2, "income"] = np.nan
    rules = RuleListClassifier(RandomForestClassifier(20, max_depth=3, random_state=0), max_rules=6).fit(X, y)
    held = X["job"].isna() & (X["age"] > 4)
    for text, expected in {
        "job is missing and age > 4": held,
        "job is not missing": ~X["job"].isna(),
        "job is boss and income is missing": (X["job"] == "boss") & X["income"].isna(),
        "income is missing": X["income"].isna(),
    }.items():
        resolved = rules.resolve(pin=text, max_rules=8)
        matches = resolved.rule_list_.matches(X)
        assert (matches == expected.to_numpy()[:, None]).all(axis=0).any()
        assert (matches.sum(axis=1) == 1).all()


def test_with_round_thresholds_rules_are_known_as_they_are_shown():
    rules = RuleListClassifier(small_forest(depth=2), max_rules=4, round_thresholds=True).fit(*IRIS)
    for rule in (1, rules.rule_list_[1], rules.rule_list_[1].describe()):
        assert rules.resolve(pin=rule).rule_list_.rules == rules.rule_list_.rules


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({}, "Nothing to resolve"),
        ({"pin": 9}, "pin=9 is not a position in the list, which has"),
        ({"pin": "agee > 3"}, "no feature 'agee', .* Did you mean 'age'"),
        ({"forbid": "incom"}, "Did you mean 'income'"),
        ({"pin": 3.5}, "A rule is a text such as"),
        ({"add": "age > 99"}, r"The rule \(age > 99\) covers no training sample"),
        ({"pin": ["age > 3", "age > 5"]}, r"are both to stay, but they share \d+ training samples"),
        ({"pin": 0, "forbid": 0}, "is to stay, and .* is forbidden"),
        ({"pin": "age > 3", "forbid": "age"}, "is to stay, and age is forbidden"),
        ({"pin": [0, 1, 2], "max_rules": 2}, "3 rules are to stay, but max_rules=2"),
        ({"forbid": "age > 3 and debt > 2.25"}, "is not among the candidates"),
    ],
)
def test_what_contradicts_itself_is_refused(wishes, message):
    with pytest.raises(InvalidParameterError, match=message):
        fitted().resolve(**wishes)


def test_rows_in_chunks_can_be_resolved_at_the_same_price_but_take_no_new_rules(monkeypatch):
    monkeypatch.setattr(excerpt, "MOST_ROWS", 30)
    X, y = IRIS
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(frame, y)
    source = Chunks(lambda: ((frame[i : i + 50], y[i : i + 50]) for i in range(0, 150, 50)))
    in_chunks = RuleListClassifier(forest, max_rules=4).fit(source)
    in_memory = RuleListClassifier(forest, max_rules=4).fit(frame, y)
    for wish in ({"forbid": "d"}, {"pin": 1}, {"forbid": 0}, {"constraints": MaxFeatures(1)}):
        resolved = in_chunks.resolve(**wish)
        assert resolved.rule_list_.rules == in_memory.resolve(**wish).rule_list_.rules
        # All rows are asked whether they contradict a new list, and not read again for the same one.
        assert (resolved.solution_.passes > 0) == (resolved.rule_list_.rules != in_chunks.rule_list_.rules)
    for wish in ({"forbid": "d"}, {"constraint": MaxFeatures(1)}):
        assert in_chunks.price(**wish).score == pytest.approx(in_memory.price(**wish).score)
    assert in_memory.resolve(forbid="d").solution_.passes is None
    with pytest.raises(InvalidParameterError, match="a rule of your own needs the rows in memory"):
        in_chunks.resolve(add="d > 1.1")
    with pytest.raises(InvalidParameterError, match="a rule of your own needs the rows in memory"):
        in_chunks.resolve(pin="d > 1.1")


@pytest.mark.parametrize(
    ("forbidden", "refused"),
    [
        (Forbid(feature="age"), True),
        (Forbid(features=["age", "debt"]), False),  # the two together, which the rule does not have
        (Forbid(features=["age", "income"]), True),
        ("age > 5 and income <= 7", True),
        ("age > 3", False),
        (Forbid(rule=Rule((Condition(Column(0, "age"), lower=5.0), Condition(Column(1, "income"), upper=7.0)))), True),
    ],
    ids=str,
)
def test_what_is_forbidden_contradicts_a_rule_only_if_it_rules_it_out(forbidden, refused):
    rules = fitted().resolve(add=["age > 5 and income <= 7", "age > 3"])
    wishes = {"pin": "age > 5 and income <= 7", "forbid": forbidden, "max_rules": 8}
    if refused:
        with pytest.raises(InvalidParameterError, match=r"is to stay, and .* is forbidden\. Leave one of the two"):
            rules.resolve(**wishes)
        return
    resolved = rules.resolve(**wishes)
    assert "age > 5 and income <= 7" in [rule.describe() for rule in resolved.rule_list_]
    assert "age > 3" not in [rule.describe() for rule in resolved.rule_list_]


def test_one_shared_sample_is_one():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 2, "b": [0.0] * 11 + [1.0]})
    y = (X["a"] > 3).astype(int)
    rules = RuleListClassifier(RandomForestClassifier(3, max_depth=1, random_state=0), max_rules=4).fit(X, y)
    with pytest.raises(InvalidParameterError, match="they share 1 training sample, and"):
        rules.resolve(pin=["a > 5", "b > 0.5"])
    with pytest.raises(InvalidParameterError, match="they share 2 training samples, and"):
        rules.resolve(pin=["a > 4", "a <= 5"])


def test_a_rule_that_another_wish_rules_out_is_named():
    with pytest.raises(InfeasibleError, match=r"The rule \(age > 5 and income <= 7\) is to stay, but another wish"):
        fitted().resolve(pin="age > 5 and income <= 7", constraints=MaxConditions(each=1))


def test_positions_count_from_the_end_too_and_the_last_is_the_last():
    rules = fitted()
    n = len(rules.rule_list_)
    last = rules.rule_list_[-1].describe()
    for position in (-1, n - 1, np.int64(-1)):
        assert rules.resolve(pin=position).rule_list_.edits[0].text == last
    for position in (n, -n - 1):
        with pytest.raises(InvalidParameterError, match=f"which has {n} rules: 0 to {n - 1}"):
            rules.resolve(pin=position)
