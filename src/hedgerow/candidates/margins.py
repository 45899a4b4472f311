"""How far a rule's thresholds lie from the training samples.

Many rules cover the same samples; in small data sets, even whole trees do. The integer program cannot distinguish them,
but new samples can: the wider the gaps around a rule's thresholds, the fewer new samples fall on the wrong side.
"""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray, ValueArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.forests.tree import Nodes


class Gaps:
    """The gaps between the samples' values around the thresholds of some branch nodes.

    Parameters
    ----------
    nodes : Nodes
    branches : int array
    """

    def __init__(self, nodes: Nodes, branches: IntArray) -> None:
        self.nodes, self.branches = nodes, branches[nodes.category[branches] < 0]  # categories have no distance
        of_feature = nodes.feature[self.branches]
        #: For each feature, its thresholds; the next values below and above each; the lowest and the highest value.
        self.thresholds = {k: np.unique(nodes.threshold[self.branches[of_feature == k]]) for k in np.unique(of_feature)}
        self.below = {k: np.full(len(found), -np.inf) for k, found in self.thresholds.items()}
        self.above = {k: np.full(len(found), np.inf) for k, found in self.thresholds.items()}
        self.ends = dict.fromkeys(self.thresholds, (np.inf, -np.inf))

    def empty(self) -> Gaps:
        """Return the same without any samples."""
        return Gaps(self.nodes, self.branches)

    def add(self, values: ValueArray) -> None:
        """Add samples: the features as ``forest.inputs.matrix(X)`` returns them."""
        for k, thresholds in self.thresholds.items():
            known = np.sort(values[np.isfinite(values[:, k]), k]).astype(np.float64)
            if not len(known):
                continue
            n_below: IntArray = np.searchsorted(known, thresholds, side="right")
            padded = np.concatenate([[-np.inf], known, [np.inf]])
            self._see(k, padded[n_below], padded[n_below + 1], (float(known[0]), float(known[-1])))

    def merge(self, other: Gaps) -> None:
        """Add the samples of another part of the data."""
        for k in self.thresholds:
            self._see(k, other.below[k], other.above[k], other.ends[k])

    def _see(self, k: int, below: FloatArray, above: FloatArray, ends: tuple[float, float]) -> None:
        self.below[k] = np.maximum(self.below[k], below)
        self.above[k] = np.minimum(self.above[k], above)
        self.ends[k] = min(self.ends[k][0], ends[0]), max(self.ends[k][1], ends[1])

    def around(self, feature: int, threshold: float) -> tuple[float, float]:
        """Return the values next to a threshold of some branch node: the highest up to it, and the lowest above it."""
        place = int(np.searchsorted(self.thresholds[feature], threshold))
        return float(self.below[feature][place]), float(self.above[feature][place])

    def of_nodes(self) -> FloatArray:
        """Return the gap around each node's threshold, as a share of the feature's range; 1 for other nodes."""
        found = np.ones(len(self.nodes.left))
        of_feature = self.nodes.feature[self.branches]
        for k, thresholds in self.thresholds.items():
            below, above, (low, high) = self.below[k], self.above[k], self.ends[k]
            inside = np.isfinite(below) & np.isfinite(above)
            share = np.zeros(len(thresholds))
            if inside.any():
                # Halved, because the difference of two large numbers may overflow.
                share[inside] = (above[inside] / 2 - below[inside] / 2) / (high / 2 - low / 2)
            mine = self.branches[of_feature == k]
            found[mine] = share[np.searchsorted(thresholds, self.nodes.threshold[mine])]
        return found


def branches_of(pool: RulePool) -> IntArray:
    """Return the branch nodes that the rules' conditions come from."""
    return np.unique(pool.conditions[1])


def preferences(pool: RulePool, coverage: Coverage, samples: ValueArray | Gaps) -> FloatArray:
    """Return one number per rule, lowest for the best: shorter rules are preferred, then wider margins.

    Numbers are only comparable among rules with the same coverage. ``samples`` are their values or, where these are not
    at hand, the gaps around the thresholds of all rules.
    """
    alike = np.column_stack([coverage.twins, pool.n_conditions])
    _, group, size = np.unique(alike, axis=0, return_inverse=True, return_counts=True)
    tied = np.flatnonzero(size[group] > 1)  # margins need sorted columns, so compute them for ties only
    found = pool.n_conditions.astype(np.float64) * 2  # margins are at most 1, so none outweighs a condition
    found[tied] -= margins(pool.subset(tied), samples)
    return found


def margins(pool: RulePool, samples: ValueArray | Gaps) -> FloatArray:
    """Return for each rule the narrowest gap around one of its thresholds, as a share of the feature's range.

    Parameters
    ----------
    pool : RulePool
    samples : array of shape (n_samples, n_features), or Gaps
        The features of the training samples, as ``forest.inputs.matrix(X)`` returns them.
    """
    nodes = pool.forest.nodes
    if not isinstance(samples, Gaps):
        values, samples = samples, Gaps(nodes, branches_of(pool))
        samples.add(values)
    gap = samples.of_nodes()
    narrowest = np.ones(len(gap))  # on the path to each node; 1 for a rule without conditions
    for level in nodes.levels[1:]:
        above = nodes.parent[level]
        narrowest[level] = np.minimum(narrowest[above], gap[above])
    return narrowest[pool.node]
