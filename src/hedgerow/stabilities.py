"""How much of a rule recurs throughout the ensemble.

A stability takes the pool and returns one number per rule. To add one, write it here and name it in ``STABILITIES``.
Users can also pass a callable: ``f(pool)`` that returns one number per rule, or ``f(rule)`` that returns one number.
A function is called rule by rule if its parameter is named ``rule``, or if it fails on a pool.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.scores import Function, check_vector, mix, parse_spec, required_arguments, rule_by_rule

__all__ = [
    "dice",
    "dice_by_position",
]


def dice(pool: RulePool) -> FloatArray:
    """Return Σ |w_l| 2 |S_j ∩ S_l| / (|S_j| + |S_l|) over all other rules l: the paper's stability.

    S_j is the set of a rule's splits, ignoring the side, and w_l the weight of a rule's tree.
    """
    rule, branch, _, _ = pool.conditions
    return _summed_dice(pool, rule, pool.split_of_node[branch])


def dice_by_position(pool: RulePool) -> FloatArray:
    """Return the same sum, but splits count as shared only at the same position of both paths."""
    rule, branch, _, position = pool.conditions
    depth = int(pool.n_conditions.max(initial=0)) + 1
    return _summed_dice(pool, rule, pool.split_of_node[branch] * depth + position)


#: Stabilities by name.
STABILITIES: dict[str, Function] = {"dice": dice, "dice_by_position": dice_by_position}


def evaluate_stability(spec: Any, pool: RulePool) -> FloatArray:
    """Return the stability of each rule, given a name, a callable or a weighted list of them."""
    parts = []
    for name, function, share in parse_spec(spec, STABILITIES, "stability"):
        title = f"The stability {name!r}"
        values = _call(title, function, pool)
        parts.append((check_vector(values, len(pool), title, pool.describe), share))
    return mix(parts)


def _call(title: str, function: Function, pool: RulePool) -> Any:
    """Call the function with the pool; or rule by rule if its parameter is named so, or it cannot take a pool."""
    if required_arguments(function) != ["rule"]:
        with suppress(AttributeError, TypeError):
            values = function(pool)
            if np.shape(values) != ():
                return values
    return rule_by_rule(lambda j: function(pool.rule(j)), len(pool), title, pool.describe)


def _summed_dice(pool: RulePool, rule: IntArray, token: IntArray) -> FloatArray:
    """Return the weighted Dice sum of each rule's token set with those of all others, in linear time.

    Rules that share a token matter only through their weight and size. If W[s, m] is the total weight of the rules of
    size m that have token s, the sum is Σ_s Σ_m W[s, m] 2 / (|S_j| + m), minus the rule's own |w_j|.
    """
    n_rules = len(pool)
    if not len(rule):
        return np.zeros(n_rules)
    _, token = np.unique(token, return_inverse=True)
    n_tokens = int(token.max()) + 1
    pairs = np.unique(rule * n_tokens + token)  # a set: a token counts once per rule
    rule, token = pairs // n_tokens, pairs % n_tokens
    size = np.bincount(rule, minlength=n_rules)
    n_sizes = int(size.max()) + 1
    weight = np.abs(pool.weight)
    by_size = np.bincount(token * n_sizes + size[rule], weight[rule], minlength=n_tokens * n_sizes)
    sizes = np.arange(n_sizes)
    dice_of_sizes = 2.0 / np.maximum(1, sizes[:, None] + sizes)
    shared = by_size.reshape(n_tokens, n_sizes) @ dice_of_sizes
    total = np.bincount(rule, shared[token, size[rule]], minlength=n_rules)
    return np.where(size > 0, total - weight, 0.0)
