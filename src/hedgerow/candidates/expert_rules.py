"""Rules of an expert among the candidates: a forest whose further trees contain them.

A rule alone helps little: a list partitions the samples, so that it also needs rules for all samples outside, and those
of the ensemble hardly ever end where an expert's rule does. So each rule is the leaf of a tree whose branches are its
conditions, and what leaves the path goes on in a tree of the ensemble: there is one such tree for each of many trees of
the ensemble. Their nodes outside the path are candidates too.

The new trees have weight 0. Their rules are as stable as the splits that they share with the ensemble make them, and
the stability of all other rules stays what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray, ValueArray
from hedgerow.candidates.coverage import Coverage, Ends, cover
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.features import Feature
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule import Rule

#: About how many nodes are added for each rule, and in how many trees at least.
_MOST_NODES, _FEWEST_TREES = 4000, 5


@dataclass(frozen=True, eq=False)
class Grafted:
    """Trees that contain rules of an expert.

    Attributes
    ----------
    pool : RulePool
        Their candidates. ``pool.forest`` has the trees of the ensemble first.
    is_expert : bool array
        Which of the candidates are the expert's rules themselves.
    n_before : int
        The number of trees of the ensemble.
    """

    pool: RulePool
    is_expert: BoolArray
    n_before: int

    def cover(self, values: ValueArray, n_jobs: int | None) -> Coverage:
        """Return the coverage of the candidates; groups count from the first of the new trees."""
        forest, first = self.pool.forest, self.n_before
        alone = replace(forest, trees=forest.trees[first:], tree_weights=forest.tree_weights[first:], members=())
        offset = int(np.searchsorted(forest.nodes.tree, first))
        pool = replace(self.pool, forest=alone, node=self.pool.node - offset, end_rank=self.pool.end_rank[offset:])
        return cover(pool, values, n_jobs)


def graft(
    forest: Forest, rules: Sequence[Rule], first_trees: Sequence[int] = (), max_conditions: int | None = None
) -> Grafted:
    """Return the trees of the ensemble, continued outside each of the rules.

    Parameters
    ----------
    forest : Forest
    rules : sequence of Rule
        Conditions over the features of the forest.
    first_trees : sequence of int
        Trees that are certainly taken, such as those of the rules of a list.
    max_conditions : int, optional
        The longest path outside of the rules.
    """
    width = max((0, *(tree.left_codes.shape[1] for tree in forest.trees if tree.left_codes is not None)))
    trees, experts, n_paths = [], [], []
    for rule in rules:
        path = [side for condition in rule.simplified for side in condition.sides]
        for i, k in enumerate(_taken(forest, len(path), first_trees)):
            # Which condition comes first decides what lies outside: half of the trees begin with the last.
            turned = path[::-1] if i % 2 else path
            tree, expert = _grafted(forest, turned, forest.trees[k], width)
            trees.append(tree)
            experts.append(expert)
            n_paths.append(len(path))
    alone = replace(forest, trees=tuple(trees), tree_weights=np.zeros(len(trees)), members=())
    longest = None if max_conditions is None else max(max_conditions, *n_paths)
    pool = make_pool(alone, "nodes", longest)
    nodes = alone.nodes
    local, paths = nodes.local[pool.node], np.array(n_paths)[pool.tree]
    # The branches of the path come first in each tree, then the rule itself.
    kept = np.flatnonzero(local >= paths)
    pool = pool.subset(kept)
    both = replace(
        forest,
        trees=forest.trees + tuple(trees),
        tree_weights=np.concatenate([forest.tree_weights, np.zeros(len(trees))]),
    )
    offset = len(forest.nodes.left)
    end_rank = np.concatenate([np.full(offset, -1), pool.end_rank])
    is_expert = nodes.local[pool.node] == np.array(experts)[pool.tree]
    return Grafted(replace(pool, forest=both, node=pool.node + offset, end_rank=end_rank), is_expert, forest.n_trees)


def joined(pool: RulePool, more: Grafted) -> RulePool:
    """Return a pool of the ensemble with the candidates of the new trees after its own."""
    end_rank = more.pool.end_rank.copy()
    end_rank[: len(pool.end_rank)] = pool.end_rank
    return replace(pool, forest=more.pool.forest, end_rank=end_rank).followed_by(more.pool)


def joined_coverage(coverage: Coverage, more: Coverage) -> Coverage:
    """Return the coverage of the joined pool."""
    ends, other = coverage.ends, more.ends
    ranks = np.concatenate([ends.ranks, other.ranks], axis=1, dtype=np.result_type(ends.ranks, other.ranks))
    return Coverage(
        Ends(np.asfortranarray(ranks), np.concatenate([ends.n_ranks, other.n_ranks])),
        np.concatenate([coverage.group, more.group + len(ends.n_ranks)]),
        np.concatenate([coverage.first, more.first]),
        np.concatenate([coverage.last, more.last]),
    )


def _taken(forest: Forest, n_branches: int, first_trees: Sequence[int]) -> list[int]:
    """Return the trees that are continued outside a rule: all of few, some of many."""
    sizes = np.array([tree.n_nodes for tree in forest.trees])
    most = max(_FEWEST_TREES, int(_MOST_NODES / (n_branches * float(np.mean(sizes)))))
    spread = np.linspace(0, forest.n_trees - 1, min(most, forest.n_trees)).round().astype(int)
    return list(dict.fromkeys([*(k for k in first_trees if 0 <= k < forest.n_trees), *spread.tolist()]))


def _grafted(forest: Forest, path: Sequence[Condition], tree: Tree, width: int) -> tuple[Tree, int]:
    """Return the tree of a path, with another tree wherever the path is left, and the node of the path's end.

    The branches of the path are the first nodes, its end is the next, and the copies of the tree follow.
    """
    n, size = len(path), tree.n_nodes
    roots = n + 1 + size * np.arange(n)
    n_nodes = n + 1 + n * size

    def moved(children: IntArray) -> IntArray:
        copies = np.tile(children, (n, 1))
        return np.where(copies < 0, -1, copies + roots[:, None]).ravel()

    sides = [_side(condition) for condition in path]
    onward, aside = np.arange(1, n + 1), roots
    is_left = np.array([left for left, _ in sides])
    left = np.concatenate([np.where(is_left, onward, aside), [-1], moved(tree.left)])
    right = np.concatenate([np.where(is_left, aside, onward), [-1], moved(tree.right)])
    feature = [_number(forest, condition.feature) for condition in path]
    threshold = [
        np.nan if c.categories is not None else c.upper if on_left else c.lower
        for c, (on_left, _) in zip(path, sides, strict=True)
    ]
    missing_left = [missing for _, missing in sides]
    tables = [] if tree.left_codes is None else [tree.left_codes]
    n_tables = sum(map(len, tables))
    own: list[BoolArray] = []
    category = np.full(n, -1)
    for i, condition in enumerate(path):
        if condition.categories is not None:
            codes = np.zeros(max(width, condition.feature.n_codes), dtype=bool)
            codes[sorted(condition.categories)] = True
            category[i] = n_tables + len(own)
            own.append(codes)
    left_codes = _stacked([*tables, *([np.array(own)] if own else [])])
    of_tree = np.full(size, -1) if tree.category is None else tree.category
    grafted = Tree(
        left=left,
        right=right,
        feature=np.concatenate([feature, [-1], np.tile(tree.feature, n)]).astype(np.int64),
        threshold=np.concatenate([threshold, [np.nan], np.tile(tree.threshold, n)]),
        missing_left=np.concatenate([missing_left, [False], np.tile(tree.missing_left, n)]).astype(bool),
        value=np.zeros((n_nodes, tree.value.shape[1])),
        category=None if left_codes is None else np.concatenate([category, [-1], np.tile(of_tree, n)]),
        left_codes=left_codes,
        output=tree.output,
    )
    return grafted, n


def _side(condition: Condition) -> tuple[bool, bool]:
    """Return whether a condition with one bound is the left side of its split, and whether missing values go left."""
    is_left = condition.categories is not None or condition.lower == -np.inf
    return bool(is_left), bool(condition.missing) == bool(is_left)


def _number(forest: Forest, feature: Feature) -> int:
    return forest.features.index(feature)


def _stacked(tables: Sequence[BoolArray]) -> BoolArray | None:
    """Return tables of codes above each other, as wide as the widest."""
    if not tables:
        return None
    width = max(table.shape[1] for table in tables)
    return np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1]))) for table in tables])
