"""Predictions shrunk towards those of more samples, for rules that cover few.

A smoothed prediction is a weighted average over all nodes on the rule's path, from the root of its tree, which covers
every training sample, to the rule itself. The choice of rules does not change; only their means or class shares do. To
add a smoothing, write a frozen dataclass with ``shares(weight, first, last)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.checks import is_number
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.tally import Weights, sizes
from hedgerow.exceptions import InvalidParameterError

__all__ = [
    "ShrinkAlongPath",
    "ShrinkToDefault",
    "Smoothing",
]


class Smoothing(Protocol):
    """What the estimators need of a smoothing."""

    def shares(self, weight: FloatArray, first: BoolArray, last: BoolArray) -> FloatArray:
        """Return how much each node of each path counts; the shares of a path add up to one.

        Parameters
        ----------
        weight : float array
            Of the samples at each node, the paths one after the other, each from its root down.
        first, last : bool arrays
            Which nodes are roots, and which are the rules themselves.
        """
        ...


@dataclass(frozen=True)
class _Shrinkage:
    strength: float

    def __post_init__(self) -> None:
        if not is_number(self.strength) or not 0 <= self.strength < np.inf:
            name = type(self).__name__
            raise InvalidParameterError(
                f"The strength of a {name} must be a finite number of at least 0; got {self.strength!r}."
            )


@dataclass(frozen=True)
class ShrinkToDefault(_Shrinkage):
    """(n * own + strength * default) / (n + strength), where n is the weight of the covered samples.

    ``strength`` is how many samples the default is worth.
    """

    def shares(self, weight: FloatArray, first: BoolArray, last: BoolArray) -> FloatArray:
        """Return how much each node of each path counts."""
        own = weight[last] / (weight[last] + self.strength)
        shares = np.zeros(len(weight))
        shares[first] += 1 - own
        shares[last] += own
        return shares


@dataclass(frozen=True)
class ShrinkAlongPath(_Shrinkage):
    """Root + Σ (child - parent) / (1 + strength / n of the parent), over the steps of the path.

    Hierarchical shrinkage: a step away from a node with few samples counts less.
    """

    def shares(self, weight: FloatArray, first: BoolArray, last: BoolArray) -> FloatArray:
        """Return how much each node of each path counts: its own step, less the step to the next node."""
        step = np.ones(len(weight))
        step[1:][~first[1:]] = 1 / (1 + self.strength / weight[:-1][~first[1:]])
        return step - np.where(last, 0.0, np.append(step[1:], 0.0))


@dataclass(frozen=True, eq=False)
class Paths:
    """The nodes from the root down to each of some rules, one path after the other.

    Attributes
    ----------
    coverage : Coverage
        Of all nodes.
    first : bool array
        Which nodes are roots.
    smoothing : Smoothing
        What to make of them.
    """

    coverage: Coverage
    first: BoolArray
    smoothing: Smoothing

    @classmethod
    def of(cls, pool: RulePool, coverage: Coverage, rules: IntArray, smoothing: Smoothing) -> Paths:
        """Return the paths of some rules of a pool, whose coverage has the same ends."""
        nodes, here = pool.forest.nodes, pool.node[rules]
        depth = nodes.depth[here]
        path = np.repeat(here, depth + 1)
        start = np.cumsum(depth + 1) - depth - 1
        for back in range(1, int(depth.max(initial=0)) + 1):
            at = (start + depth - back)[depth >= back]
            path[at] = nodes.parent[path[at + 1]]
        first = np.zeros(len(path), dtype=bool)
        first[start] = True
        return cls(Coverage(coverage.ends, nodes.tree[path], *pool.ends_below(path)), first, smoothing)

    def averages(self, of_nodes: FloatArray, weight: Weights) -> FloatArray:
        """Return the smoothed rows of the rules, from those of all nodes; ``weight`` is that of the samples."""
        last = np.append(self.first[1:], True)
        shares = self.smoothing.shares(sizes(weight, self.coverage)[1], self.first, last)
        return np.add.reduceat(shares[:, None] * of_nodes, np.flatnonzero(self.first), axis=0)


def check_smoothing(smoothing: Any, answer: Any) -> None:
    """Refuse what is not a smoothing, and to smooth predictions that are not averages."""
    if smoothing is not None and (isinstance(smoothing, type) or not hasattr(smoothing, "shares")):
        raise InvalidParameterError(
            "smoothing must be None, or hedgerow.smoothing.ShrinkToDefault(strength) or ShrinkAlongPath(strength); "
            f"got {smoothing!r}."
        )
    if smoothing is not None and not answer.averages:
        raise InvalidParameterError(
            "smoothing shrinks means or class shares, but with this loss a rule predicts the "
            f"{answer.name} of its targets. Take smoothing=None, or a loss such as 'mse' or 'sse'."
        )
