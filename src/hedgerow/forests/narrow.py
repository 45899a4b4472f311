"""A forest over the columns that its trees look at, so that a reader of files can leave out the others."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hedgerow._support.arrays import IntArray
from hedgerow.forests.forest import Forest


@dataclass(frozen=True, eq=False)
class Narrow:
    """A forest of fewer columns.

    Attributes
    ----------
    forest : Forest
        Its nodes are numbered as those of the whole forest.
    columns : int array
        The position in the whole table of each of its columns.
    """

    forest: Forest
    columns: IntArray


def narrow(forest: Forest) -> Narrow:
    """Return the forest over the columns that its trees look at; over all, where features are not just columns."""
    inputs = forest.inputs
    split = forest.nodes.feature[forest.nodes.left >= 0]
    used: IntArray = np.unique(split) if len(split) else np.zeros(1, dtype=np.int64)
    in_order = all(inputs.places(feature) == (i,) for i, feature in enumerate(inputs.features))
    if forest.members or inputs.columns is not None or inputs.notations or inputs.delicate or not in_order:
        return Narrow(forest, np.arange(len(inputs.names)))
    moved = {inputs.features[k]: replace(inputs.features[k], index=i) for i, k in enumerate(used)}
    complete = frozenset(moved[feature] for feature in inputs.complete if feature in moved)
    kept = replace(inputs, features=tuple(moved.values()), complete=complete)
    position = np.zeros(len(inputs.features), dtype=np.int64)
    position[used] = np.arange(len(used))
    trees = [replace(tree, feature=position[np.where(tree.left >= 0, tree.feature, used[0])]) for tree in forest.trees]
    return Narrow(replace(forest, trees=tuple(trees), inputs=kept), used)
