"""The candidate rules of a forest: its leaves, or all its nodes.

The pool stores rules as arrays: the node at which each rule ends, and its conditions as positions in
:class:`~hedgerow.forests.forest.Nodes`. :class:`~hedgerow.rules.rule.Rule` objects are made on demand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray, RankArray
from hedgerow.forests.forest import Forest
from hedgerow.rules.condition import Condition, Split
from hedgerow.rules.rule import Rule


@dataclass(frozen=True, eq=False)
class RulePool:
    """Rules of a forest, one per node, ordered by tree and from left to right.

    Attributes
    ----------
    forest : Forest
    node : int array
        The node of each rule, a position in ``forest.nodes``.
    first, last : int arrays
        The ends below each rule's node: ``range(first, last)``, counted from left to right in the rule's tree. An end
        is a leaf, or a node at which the pool cuts the tree.
    end_rank : int array
        For each node of the forest, its number among its tree's ends, or -1.
    """

    forest: Forest
    node: IntArray
    first: IntArray
    last: IntArray
    end_rank: IntArray = field(repr=False)

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def tree(self) -> IntArray:
        """The tree of each rule."""
        return self.forest.nodes.tree[self.node]

    @cached_property
    def weight(self) -> FloatArray:
        """The weight of each rule's tree."""
        return self.forest.tree_weights[self.tree]

    @cached_property
    def n_conditions(self) -> IntArray:
        """The number of conditions of each rule: the length of its path."""
        return self.forest.nodes.depth[self.node]

    @cached_property
    def conditions(self) -> tuple[IntArray, IntArray, BoolArray, IntArray]:
        """All conditions of all rules: rule, branch node, whether it is the left side, position in the path."""
        nodes = self.forest.nodes
        rules, here = np.arange(len(self)), self.node
        found: list[tuple[IntArray, IntArray, BoolArray, IntArray]] = []
        while len(rules) or not found:
            inside = nodes.parent[here] >= 0
            rules, here = rules[inside], here[inside]
            above = nodes.parent[here]
            found.append((rules, above, nodes.is_left[here], nodes.depth[above]))
            here = above
        rule, branch, is_left, position = (np.concatenate(part) for part in zip(*found, strict=True))
        return rule, branch, is_left, position

    @cached_property
    def split_of_node(self) -> IntArray:
        """One number per node for its split; equal splits have equal numbers."""
        nodes = self.forest.nodes
        on_category = nodes.category >= 0
        value = np.where(on_category, nodes.category, nodes.threshold)
        order = np.lexsort((value, on_category, nodes.feature))
        new = np.ones(len(order), dtype=bool)
        for key in (nodes.feature, on_category, value):
            new[1:] &= key[order][1:] == key[order][:-1]
        new[1:] = ~new[1:]
        split = np.empty(len(order), dtype=np.int64)
        split[order] = np.cumsum(new) - 1
        return split

    def subset(self, rules: IntArray) -> RulePool:
        """Return the pool of these rules only."""
        return replace(self, node=self.node[rules], first=self.first[rules], last=self.last[rules])

    def followed_by(self, others: RulePool) -> RulePool:
        """Return the pool with the rules of another one of the same forest after its own."""
        columns = ((getattr(self, name), getattr(others, name)) for name in ("node", "first", "last"))
        node, first, last = (np.concatenate(pair) for pair in columns)
        return replace(self, node=node, first=first, last=last)

    def ends_below(self, nodes: IntArray) -> tuple[IntArray, IntArray]:
        """Return ``first`` and ``last`` for any nodes of the forest that have ends below them."""
        found = []
        for children in (self.forest.nodes.left, self.forest.nodes.right):
            here = nodes
            while (inside := self.end_rank[here] < 0).any():
                here = np.where(inside, children[here], here)
            found.append(self.end_rank[here])
        return found[0], found[1] + 1

    def leaves(self, ranks: RankArray) -> RankArray | None:
        """Return the leaves in which samples are that reach these ends, in the numbering of ``forest.apply``.

        None if an end is no leaf, because the pool cuts a tree there.
        """
        nodes, ends = self.forest.nodes, np.flatnonzero(self.end_rank >= 0)
        if (nodes.left[ends] >= 0).any():
            return None
        in_order = ends[np.lexsort((self.end_rank[ends], nodes.tree[ends]))]
        starts = np.searchsorted(nodes.tree[in_order], np.arange(self.forest.n_trees))
        return nodes.local[in_order][ranks + starts]

    def rule(self, j: int) -> Rule:
        """Return the j-th rule, without its prediction."""
        nodes, path, here = self.forest.nodes, [], int(self.node[j])
        while nodes.parent[here] >= 0:
            above = int(nodes.parent[here])
            path.append(self.condition(above, bool(nodes.is_left[here])))
            here = above
        local = int(nodes.local[self.node[j]])
        return Rule(conditions=tuple(reversed(path)), tree=int(self.tree[j]), node=local)

    def describe(self, j: int) -> str:
        """Describe the j-th rule for an error message."""
        rule = self.rule(j)
        return f"rule {j} (tree {rule.tree}, node {rule.node}: {rule})"

    def condition(self, branch: int, left: bool) -> Condition:
        """Return one side of a branch node of the forest."""
        nodes = self.forest.nodes
        tree = self.forest.trees[nodes.tree[branch]]
        feature = self.forest.features[nodes.feature[branch]]
        if nodes.category[branch] >= 0:
            assert tree.category is not None
            assert tree.left_codes is not None
            codes = np.flatnonzero(tree.left_codes[tree.category[nodes.local[branch]]])
            split = Split(feature, categories=frozenset(codes.tolist()))
        else:
            split = Split(feature, float(nodes.threshold[branch]))
        return split.sides(bool(nodes.missing_left[branch]))[0 if left else 1]


def make_pool(
    forest: Forest, candidates: Literal["leaves", "nodes"] = "leaves", max_conditions: int | None = None
) -> RulePool:
    """Collect the candidate rules of a forest.

    Parameters
    ----------
    forest : Forest
    candidates : "leaves" or "nodes"
        Every root-to-leaf path, or every path from a root to any node.
    max_conditions : int, optional
        The length of the longest path. With "leaves", longer ones are left out; with "nodes", the trees are cut there,
        so that every tree is still a whole partition.
    """
    nodes = forest.nodes
    is_leaf = nodes.left < 0
    ends = is_leaf
    if candidates == "nodes" and max_conditions is not None:
        ends = (is_leaf & (nodes.depth <= max_conditions)) | (nodes.depth == max_conditions)
    first, last = _ends_below(forest, ends)
    wanted = np.ones(len(ends), dtype=bool) if candidates == "nodes" else ends.copy()
    if max_conditions is not None:
        wanted &= nodes.depth <= max_conditions
    chosen = np.flatnonzero(wanted)
    # By tree, then from left to right, and a node before those below it.
    chosen = chosen[np.lexsort((nodes.depth[chosen], first[chosen], nodes.tree[chosen]))]
    return RulePool(forest, chosen, first[chosen], last[chosen], np.where(ends, first, -1))


def _ends_below(forest: Forest, ends: BoolArray) -> tuple[IntArray, IntArray]:
    """Number the ends of each tree from left to right, and return the range of ends below each node."""
    nodes = forest.nodes
    n_ends = ends.astype(np.int64)
    for level in reversed(nodes.levels):
        inner = level[(nodes.left[level] >= 0) & ~ends[level]]
        n_ends[inner] = n_ends[nodes.left[inner]] + n_ends[nodes.right[inner]]
    first = np.zeros(len(ends), dtype=np.int64)
    for level in nodes.levels:
        inner = level[(nodes.left[level] >= 0) & ~ends[level]]
        left, right = nodes.left[inner], nodes.right[inner]
        first[left] = first[inner]
        first[right] = first[inner] + n_ends[left]
    return first, first + n_ends
