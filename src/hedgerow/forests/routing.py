"""Routing of samples through trees: the hot path of everything that asks which node a sample reaches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hedgerow._support.arrays import BoolArray, IntArray, RankArray, ValueArray
from hedgerow.forests.all_nodes import AllNodes, Block
from hedgerow.forests.all_trees import MOST_ENDS, AllTrees
from hedgerow.forests.descent import Descent
from hedgerow.forests.tree import Tree

#: A tree with at most this many branch nodes is evaluated at all of them; measured.
_WHOLE = 127
#: The same for few samples, for which each node costs more than comparing them there.
_WHOLE_FOR_FEW, _FEW = 15, 1000
#: Up to so many samples go through all trees with few ends at once; measured.
_TOGETHER = 10_000
#: Samples are routed through all trees in blocks of this size, whose columns fit in the processor's cache.
_BLOCK = 1 << 15


def route(trees: Sequence[Tree], values: ValueArray, labels: Sequence[IntArray], n_jobs: int | None) -> RankArray:
    """Return the label of the node at which each row of values ends in each tree.

    ``labels`` has one array per tree: a number of at least 0 for each node to stop at, -1 for those to pass. The result
    has the smallest unsigned dtype that holds all labels.
    """
    from joblib import Parallel, delayed, effective_n_jobs

    n_samples, n_trees = len(values), len(trees)
    highest = int(np.concatenate(labels).max()) if n_trees else 0
    reached = np.empty((n_samples, n_trees), dtype=np.min_scalar_type(highest), order="F")
    values = np.asfortranarray(values)
    with_nan, dtype = _columns_with_nan(values), values.dtype.type
    together = _small_trees(trees, labels) if 0 < n_samples <= _TOGETHER else []
    if together:
        at_once = AllTrees([trees[k] for k in together], [labels[k] for k in together], dtype, with_nan)
        reached.T[together] = at_once.reached(values.T)
    routes = {
        k: _route(trees[k], labels[k], dtype, with_nan, n_samples) for k in sorted({*range(n_trees)} - {*together})
    }
    if not routes:
        return reached

    def fill(starts: range) -> None:
        for start in starts:
            stop = min(start + _BLOCK, n_samples)
            block = Block.of(values, start, stop)
            for k, one in routes.items():
                one.fill(block, reached[start:stop, k])

    n_blocks = -(-n_samples // _BLOCK)
    jobs = min(effective_n_jobs(n_jobs), max(1, n_blocks))
    # Threads, because numpy releases the interpreter lock in everything that takes time here.
    shares = [range(i * _BLOCK, n_samples, jobs * _BLOCK) for i in range(jobs)]
    Parallel(n_jobs=jobs, require="sharedmem")(delayed(fill)(share) for share in shares)
    return reached


def _small_trees(trees: Sequence[Tree], labels: Sequence[IntArray]) -> list[int]:
    """Return the trees with so few ends, and without categories, that they are routed together."""
    starts = np.cumsum([0, *map(len, labels[:-1])])
    n_passed = np.add.reduceat(np.concatenate(labels) < 0, starts, dtype=np.int64)
    small = np.flatnonzero(n_passed < MOST_ENDS).tolist()
    return [k for k in small if (category := trees[k].category) is None or category.max() < 0]


def _columns_with_nan(values: ValueArray) -> BoolArray:
    """Return a mask of the columns in which a value is missing."""
    with np.errstate(all="ignore"):
        suspects = np.isnan(values.sum(axis=0))
    for k in np.flatnonzero(suspects):  # infinities of both signs add up to NaN
        suspects[k] = np.isnan(values[:, k]).any()
    return np.asarray(suspects)


def _route(tree: Tree, labels: IntArray, dtype: Any, with_nan: BoolArray, n_samples: int) -> AllNodes | Descent:
    """Return what routes samples through a tree in the least time."""
    is_few = n_samples <= _FEW
    if np.count_nonzero(labels < 0) <= (_WHOLE_FOR_FEW if is_few else _WHOLE):
        return AllNodes(tree, labels, dtype, with_nan)
    return Descent(tree, labels, dtype, with_nan, 0) if is_few else Descent(tree, labels, dtype, with_nan)
