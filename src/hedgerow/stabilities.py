"""How much of a rule is repeated through the ensemble.

A stability takes the pool and returns one number a rule. To add one, write it
here and name it in ``STABILITIES``; or pass your own callable: ``f(pool)``
returning one number a rule, or ``f(rule)`` returning a number. A parameter called
``rule`` says which; a function that can do nothing with a pool is taken for the second.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.scores import Function, check_vector, mix, parse_spec, required_arguments, rule_by_rule


def dice(pool: RulePool) -> FloatArray:
    """Sum of |w_l| 2 |S_j ∩ S_l| / (|S_j| + |S_l|) over all other rules l: the paper's stability.

    S is the set of a rule's splits, side ignored; w the weight of its tree.
    """
    rule, branch, _, _ = pool.conditions
    return _summed_dice(pool, rule, pool.split_of_node[branch])


def dice_by_position(pool: RulePool) -> FloatArray:
    """The same, but a split is shared only with the same position in the other path."""
    rule, branch, _, position = pool.conditions
    depth = int(pool.n_conditions.max(initial=0)) + 1
    return _summed_dice(pool, rule, pool.split_of_node[branch] * depth + position)


#: Stabilities by name.
STABILITIES: dict[str, Function] = {"dice": dice, "dice_by_position": dice_by_position}


def evaluate_stability(spec: Any, pool: RulePool) -> FloatArray:
    """Return the stability of each rule by name, by callable or by a weighted list of them."""
    parts = []
    for name, function, share in parse_spec(spec, STABILITIES, "stability"):
        title = f"The stability {name!r}"
        values = _call(title, function, pool)
        parts.append((check_vector(values, len(pool), title, pool.describe), share))
    return mix(parts)


def _call(title: str, function: Function, pool: RulePool) -> Any:
    """Call with the pool; rule by rule if the parameter is called so, or if the pool is not what it wants."""
    wants_rule = required_arguments(function) == ["rule"]
    if not wants_rule:
        try:
            values = function(pool)
        except (AttributeError, TypeError):
            wants_rule = True
        else:
            wants_rule = np.shape(values) == ()
    if not wants_rule:
        return values
    return rule_by_rule(lambda j: function(pool.rule(j)), len(pool), title, pool.describe)


def _summed_dice(pool: RulePool, rule: IntArray, token: IntArray) -> FloatArray:
    """Weighted Dice of each rule's set of tokens with all others', in time linear in the tokens.

    Rules that share a token matter only by their weight and their size: with
    W[s, m] the weight of rules of size m that have token s, the sum is
    Σ_s Σ_m W[s, m] 2 / (|S_j| + m), less the rule's own |w_j|.
    """
    n_rules = len(pool)
    if not len(rule):
        return np.zeros(n_rules)
    _, token = np.unique(token, return_inverse=True)
    n_tokens = int(token.max()) + 1
    pairs = np.unique(rule * n_tokens + token)  # a set: a token counts once a rule
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
