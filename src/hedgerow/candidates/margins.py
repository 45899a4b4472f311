"""How far a rule's thresholds lie from the training samples.

Many rules cover the same samples; in small data sets, even whole trees do. The integer program cannot distinguish them,
but new samples can: the wider the gaps around a rule's thresholds, the fewer new samples fall on the wrong side.
"""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray, ValueArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool


def preferences(pool: RulePool, coverage: Coverage, values: ValueArray) -> FloatArray:
    """Return one number per rule, lowest for the best: shorter rules are preferred, then wider margins.

    Numbers are only comparable among rules with the same coverage.
    """
    alike = np.column_stack([coverage.twins, pool.n_conditions])
    _, group, size = np.unique(alike, axis=0, return_inverse=True, return_counts=True)
    tied = np.flatnonzero(size[group] > 1)  # margins need sorted columns, so compute them for ties only
    found = pool.n_conditions.astype(np.float64) * 2  # margins are at most 1, so none outweighs a condition
    found[tied] -= margins(pool.subset(tied), values)
    return found


def margins(pool: RulePool, values: ValueArray) -> FloatArray:
    """Return for each rule the narrowest gap around one of its thresholds, as a share of the feature's range.

    Parameters
    ----------
    pool : RulePool
    values : array of shape (n_samples, n_features)
        The features of the training samples, as ``forest.inputs.matrix(X)`` returns them.
    """
    nodes = pool.forest.nodes
    branches = np.unique(pool.conditions[1])
    branches = branches[nodes.category[branches] < 0]
    branches = branches[np.argsort(nodes.feature[branches], kind="stable")]
    features, first = np.unique(nodes.feature[branches], return_index=True)
    gap = np.ones(len(nodes.left))  # categories have no distance
    for feature, mine in zip(features, np.split(branches, first)[1:], strict=True):
        gap[mine] = _gaps(values[:, feature], nodes.threshold[mine])
    narrowest = np.ones(len(gap))  # on the path to each node; 1 for a rule without conditions
    for level in nodes.levels[1:]:
        above = nodes.parent[level]
        narrowest[level] = np.minimum(narrowest[above], gap[above])
    return narrowest[pool.node]


def _gaps(column: ValueArray, thresholds: FloatArray) -> FloatArray:
    """Return the distance between the next values below and above each threshold, as a share of the range."""
    known = np.sort(column[np.isfinite(column)]).astype(np.float64)
    n_below: IntArray = np.searchsorted(known, thresholds, side="right")
    inside = (n_below > 0) & (n_below < len(known))
    found = np.zeros(len(thresholds))
    if inside.any():
        # Halved, because the difference of two large numbers may overflow.
        span = known[-1] / 2 - known[0] / 2
        found[inside] = (known[n_below[inside]] / 2 - known[n_below[inside] - 1] / 2) / span
    return found
