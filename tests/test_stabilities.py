"""Stability counts shared splits, each rule against every other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from small_forests import FIGURE, STUMP, forest

from hedgerow import InvalidParameterError
from hedgerow.candidates.pool import make_pool
from hedgerow.candidates.scores import min_max
from hedgerow.stabilities import dice, dice_by_position, evaluate_stability


def splits(rule, by_position):
    keys = [(c.feature, c.upper if c.lower == -np.inf else c.lower) for c in rule.conditions]
    return set(enumerate(keys)) if by_position else set(keys)


def slow_dice(pool, by_position=False):
    """The paper's formula, word by word."""
    sets = [splits(pool.rule(j), by_position) for j in range(len(pool))]
    return [
        sum(
            abs(pool.weight[k]) * 2 * len(mine & other) / (len(mine) + len(other))
            for k, other in enumerate(sets)
            if k != j and mine | other
        )
        for j, mine in enumerate(sets)
    ]


def test_the_papers_example():
    assert_allclose(dice(make_pool(forest(STUMP))), [1.67, 1.67, 1.33], atol=0.005)


def test_a_rule_without_conditions_has_stability_zero():
    assert dice(make_pool(forest(STUMP), "nodes"))[0] == 0


def test_weights_of_the_trees_count():
    plain = dice(make_pool(forest(STUMP, FIGURE)))
    weighted = dice(make_pool(forest(STUMP, FIGURE, weights=[1, 3])))
    # The first tree's rules gain from the second's, the second's own threefold.
    assert (weighted[:3] > plain[:3]).all()
    assert_allclose(weighted, slow_dice(make_pool(forest(STUMP, FIGURE, weights=[1, -3]))))


def random_forest(seed, n_trees):
    """Trees of random shape over few features and thresholds, so that splits repeat."""
    rng = np.random.default_rng(seed)
    from small_forests import tree

    def grow(depth):
        nodes = []

        def add(left_depth):
            here = len(nodes)
            nodes.append(None)
            if left_depth and rng.random() < 0.8:
                split = (int(rng.integers(2)), float(rng.integers(3)))
                nodes[here] = (*split, add(left_depth - 1), add(left_depth - 1))
            return here

        add(depth)
        return tree(*nodes)

    return forest(*(grow(3) for _ in range(n_trees)), n_features=2, weights=rng.random(n_trees) + 0.1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from(["leaves", "nodes"]))
def test_the_fast_sums_are_the_formula(seed, n_trees, candidates):
    pool = make_pool(random_forest(seed, n_trees), candidates)
    assert_allclose(dice(pool), slow_dice(pool), atol=1e-9)
    assert_allclose(dice_by_position(pool), slow_dice(pool, by_position=True), atol=1e-9)


def test_by_name_by_callable_and_mixed():
    pool = make_pool(forest(STUMP))
    assert_allclose(evaluate_stability("dice", pool), dice(pool))
    assert_allclose(evaluate_stability(lambda pool: pool.n_conditions, pool), [2, 2, 1])
    assert_allclose(evaluate_stability(lambda rule: len(rule.conditions), pool), [2, 2, 1])
    assert_allclose(evaluate_stability(lambda r: len(r.conditions), pool), [2, 2, 1])  # len of a pool's is a number
    assert_allclose(evaluate_stability(lambda r: len(r.simplified), pool), [2, 2, 1])  # a pool has none
    mixed = evaluate_stability([("dice", 0.5), (lambda pool: pool.first, 2.0)], pool)
    assert_allclose(mixed, 0.5 * min_max(dice(pool)) + 2.0 * np.array([0, 0.5, 1]))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("jaccard", "Unknown stability 'jaccard'. Possible: 'dice', 'dice_by_position'"),
        (7, "must be one of"),
        ([], "not all zero"),
        ([("dice", -1.0)], "not negative"),
        ([("dice", float("nan"))], "finite"),
        (lambda pool: np.zeros(2), r"shape \(3,\).*shape \(2,\)"),
        (lambda pool: ["a", "b", "c"], "must return numbers"),
        (lambda rule: float("nan") if "x8 > 12.2" in str(rule) else 1.0, r"rule 1 \(tree 0, node 4: .*x8 > 12.2"),
    ],
)
def test_a_bad_stability_is_refused_by_name(spec, message):
    with pytest.raises(InvalidParameterError, match=message):
        evaluate_stability(spec, make_pool(forest(STUMP)))
