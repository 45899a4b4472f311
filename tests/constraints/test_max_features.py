"""At most so many columns in all: the best list of all that keep to it, and no row that cuts such a list off."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_data import IRIS, small_forest
from wishes import Small, a_max_features, max_features, smalls

from hedgerow import InvalidParameterError, RuleListClassifier
from hedgerow.constraints import MaxFeatures


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_the_best_list_of_few_features_is_found(data, small):
    small.check(a_max_features(small, data.draw))


@settings(max_examples=30, deadline=None)
@given(small=smalls(n_labels=(2,), budgets=(4,)), most=st.integers(1, 2), seed=st.integers(0, 100))
def test_no_row_excludes_a_list_of_few_features(small, most, seed):
    (rows,) = small.fit([MaxFeatures(most)], max_rules=None).posed_.problem.lazy if _asks(small, most) else (None,)
    if rows is None:
        return
    problem = small.fit([MaxFeatures(most)], max_rules=None).posed_.problem
    rng = np.random.default_rng(seed)
    z = rng.dirichlet(np.ones(problem.n_rules)) * rng.integers(1, 6)
    found = rows.violated(np.minimum(z, 1.0))
    if found is None:
        return
    assert (found.matrix @ np.minimum(z, 1.0) > found.upper).all()
    held = problem.coverage.held(np.arange(problem.n_rules))
    for chosen in _partitions(held, 4):
        if rows.hold(np.array(chosen)):
            assert found.hold(np.array(chosen))


def _asks(small, most):
    """Whether more features are used than that, so that there is something to ask."""
    return small.best(max_features(most)) is not None and bool(small.fit([MaxFeatures(most)]).posed_.problem.lazy)


def _partitions(held, budget):
    def extend(left, chosen):
        if not left.any():
            yield chosen
        elif len(chosen) < budget:
            for j in np.flatnonzero(held[:, np.argmax(left)]):
                if not (held[j] & ~left).any():
                    yield from extend(left & ~held[j], (*chosen, int(j)))

    yield from extend(np.ones(held.shape[1], dtype=bool), ())


def test_no_feature_at_all_leaves_one_rule_without_conditions():
    rules = Small(0, candidates="nodes", max_rules=3).fit([MaxFeatures(0)])
    assert [rule.conditions for rule in rules.rule_list_] == [()]


def test_features_of_the_same_column_count_as_one():
    X, y = IRIS
    twice = np.column_stack([X[:, 2], X[:, 2]])  # two columns that look alike are two all the same
    rules = RuleListClassifier(small_forest(twice, y), max_rules=4, constraints=MaxFeatures(1)).fit(twice, y)
    assert len({c.feature.index for rule in rules.rule_list_ for c in rule.conditions}) == 1
    uses = rules.posed_.candidates.uses_of_sources
    assert uses.shape == (len(rules.posed_.pool), 2)


@pytest.mark.parametrize("n", [-1, 1.5, "two", True, None])
def test_what_is_not_a_number_of_features_is_refused(n):
    with pytest.raises(InvalidParameterError, match=r"MaxFeatures\(n\) must be an integer of at least 0"):
        MaxFeatures(n)


def test_it_is_said_in_words():
    assert str(MaxFeatures(1)) == "at most 1 feature in all"
    assert str(MaxFeatures(4)) == "at most 4 features in all"
