"""How often a rule recurs in the trees of a forest, and which rules add something new."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray, ValueArray
from hedgerow.candidates.coverage import cover
from hedgerow.candidates.pool import RulePool

#: A rule is new if some sample differs by more than this from every linear combination of the earlier rules.
_NEWS = 1e-8
#: The maximum number of samples on which rules are compared, as they are and with shuffled columns.
_N_COMPARED = 2000

#: A rule as a set of (feature, threshold or number of a category set, left or right), to compare rules across forests.
RuleKey = frozenset[tuple[int, float, bool]]


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Distinct rules of a forest, the most frequent first.

    Attributes
    ----------
    pool : RulePool
        One copy of each rule.
    keys : tuple of RuleKey
    frequency : array
        p̂: the share of the trees that contain the rule.
    """

    pool: RulePool
    keys: tuple[RuleKey, ...]
    frequency: FloatArray

    def subset(self, rules: IntArray) -> Frequencies:
        """Return some of the rules."""
        return Frequencies(self.pool.subset(rules), tuple(self.keys[j] for j in rules), self.frequency[rules])


def count_rules(pool: RulePool) -> Frequencies:
    """Count the trees that contain each rule, roots excluded; ties go to the shorter rule, then to the first."""
    nodes = pool.forest.nodes
    rule, branch, is_left, _ = pool.conditions
    code = 2 * pool.split_of_node[branch] + is_left
    order = np.lexsort((code, rule))
    ends = np.flatnonzero(np.diff(rule[order])) + 1
    trees: dict[tuple[int, ...], set[int]] = {}
    first: dict[tuple[int, ...], int] = {}
    for part in np.split(order, ends) if len(order) else ():
        key, j = tuple(code[part].tolist()), int(rule[part[0]])
        trees.setdefault(key, set()).add(int(pool.tree[j]))
        first.setdefault(key, j)
    frequency = np.array([len(found) for found in trees.values()]) / pool.forest.n_trees
    chosen = np.array(list(first.values()), dtype=np.int64)
    ranked = np.lexsort((chosen, pool.n_conditions[chosen], -frequency))
    value = np.where(nodes.category >= 0, nodes.category, nodes.threshold)
    splits = dict(zip(code.tolist(), zip(nodes.feature[branch], value[branch], is_left, strict=True), strict=True))
    keys = [frozenset((int(f), float(v), bool(side)) for f, v, side in map(splits.__getitem__, key)) for key in first]
    return Frequencies(pool.subset(chosen[ranked]), tuple(keys[i] for i in ranked), frequency[ranked])


def most_frequent(pool: RulePool, values: ValueArray, most: int) -> Frequencies:
    """Return the most frequent rules, without linear combinations of earlier rules and a constant.

    These are detected on the samples and on samples with shuffled columns, so that rules which happen to coincide on
    the samples are still told apart.
    """
    counted = count_rules(pool)
    rng = np.random.default_rng(0)
    some = rng.permutation(len(values))[:_N_COMPARED]
    shuffled = np.column_stack([rng.permutation(column)[: len(some)] for column in values.T])
    compared = cover(counted.pool, np.asfortranarray(np.vstack([values[some], shuffled])))
    inside = cover(counted.pool, np.asfortranarray(values)).counts
    basis = np.full((compared.n_samples, 1), compared.n_samples**-0.5)
    kept: list[int] = []
    for j in range(len(counted.pool)):
        if len(kept) == most:
            break
        if not 0 < inside[j] < len(values):
            continue
        news = compared.holds(j).astype(np.float64)
        for _ in range(2):  # the second pass removes what rounding has left
            news -= basis @ (basis.T @ news)
        if np.abs(news).max() > _NEWS:
            basis = np.column_stack([basis, news / np.linalg.norm(news)])
            kept.append(j)
    return counted.subset(np.array(kept, dtype=np.int64))


def dice(a: set[RuleKey], b: set[RuleKey]) -> float:
    """Return the overlap of two sets of rules: 2 |a ∩ b| / (|a| + |b|); 1 if both are empty."""
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0
