"""NodeHarvest (Meinshausen 2010): a weighted mean over a few nodes of a forest.

The candidates are the root and every node g of the forest with few conditions and enough samples. Each predicts μ_g,
the mean target of its training samples. The weights solve one quadratic program,

    min_w Σ_i (y_i − Σ_{g ∋ i} w_g μ_g)²   with w_g >= 0 and Σ_{g ∋ i} w_g = 1 for every training sample i,

whose solution is sparse. The prediction for a new sample is the weighted mean of the nodes that contain it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow._support.checks import check_integer
from hedgerow.baselines.baseline import (
    Baseline,
    BaselineClassifierMixin,
    BaselineRegressorMixin,
    Training,
    distinct_rules,
)
from hedgerow.baselines.node_weights import node_weights
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.rules.weighted_rules import WeightedRules

#: Nodes whose weight is a smaller share of the largest are dropped.
_NEGLIGIBLE = 0.01


@dataclass(eq=False, repr=False, kw_only=True)
class _NodeHarvest(Baseline):
    """What the classifier and the regressor share."""

    max_conditions: int = 2
    min_samples: int = 10
    max_nodes: int = 1000
    _forest: ClassVar[Any]

    def _check_own(self) -> None:
        for name in ("max_conditions", "min_samples", "max_nodes"):
            check_integer(name, getattr(self, name))

    def _own_ensemble(self) -> Any:
        return self._forest(
            n_estimators=500,
            max_depth=self.max_conditions,
            min_samples_leaf=self.min_samples,
            max_features=1 / 3,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )

    def _weigh(self, training: Training) -> WeightedRules:
        pool, coverage = self._nodes(training)
        total, summed = training.sums(coverage)
        member, means = coverage.matrix().toarray(), summed / total
        columns = zip(means.T, training.targets.T, strict=True)
        self.node_weights_ = np.column_stack([node_weights(member, m, y, training.weight) for m, y in columns])
        self.nodes_ = pool
        negligible = self.node_weights_ < _NEGLIGIBLE * self.node_weights_.max(axis=0)
        weights = np.where(negligible, 0.0, self.node_weights_)
        kept = np.flatnonzero(weights.any(axis=1))
        kept = kept[np.argsort(-self.node_weights_[kept].max(axis=1), kind="stable")][: self.max_rules]
        inside, mean = means[kept], training.mean
        return training.weighted_rules(
            pool, coverage, kept, weights[kept], inside, np.zeros_like(inside), mean, combination="mean"
        )

    def _nodes(self, training: Training) -> tuple[RulePool, Coverage]:
        """Return the candidate nodes, the root first, one per set of samples."""
        pool = make_pool(training.forest, "nodes", self.max_conditions)
        coverage = training.cover(pool)
        inside, n_samples = coverage.counts, coverage.n_samples
        enough = (inside >= self.min_samples) & (n_samples - inside >= self.min_samples)
        enough &= coverage.sums(training.weight) > 0
        root = int(np.flatnonzero(pool.n_conditions == 0)[0])
        chosen = distinct_rules(pool, coverage, np.concatenate([[root], np.flatnonzero(enough)]))
        chosen = np.concatenate([[root], chosen[chosen != root]])[: self.max_nodes]
        return pool.subset(chosen), coverage.subset(chosen)


class NodeHarvestClassifier(BaselineClassifierMixin, _NodeHarvest):
    """NodeHarvest for classification: class probabilities as a weighted mean over a few nodes of a forest.

    Two classes are treated as the numbers 0 and 1, as in the paper. With more, each class has its own weights on the
    same candidates (one against the rest), and the probabilities are scaled to add up to 1. This goes beyond the paper.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, list of them, or None
        A fitted tree ensemble is used as it is; an unfitted one is cloned and fitted. None is a random forest of 500
        trees of depth ``max_conditions`` that tries a third of the features at each split.
    max_rules : int or None
        The budget: the nodes with the largest weights are kept. None keeps all with at least 1 % of the largest
        weight, as the authors' code does.
    max_conditions : int
        The maximum number of conditions of a node (the paper's maximal interaction order).
    min_samples : int
        The minimum number of training samples inside a node, and outside.
    max_nodes : int
        The maximum number of candidates, the root included.
    n_jobs : int or None
        Number of threads, for the default forest and for matching samples with nodes.
    random_state : int, RandomState or None
        For the default forest.

    Attributes
    ----------
    weighted_rules_ : WeightedRules
        The nodes that are kept, the heaviest first. Print it to read them.
    rules_ : tuple of Rule
    nodes_ : RulePool
        All candidates, the root first.
    node_weights_ : array of shape (n_nodes, n_outputs)
        Their weights w as the quadratic program gives them, before any is dropped.
    forest_ : Forest
    ensemble_ : the fitted ensemble
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array
        Only if ``X`` has column names.

    References
    ----------
    Meinshausen, N. (2010). Node harvest. *Annals of Applied Statistics* 4, 2049-2072.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from hedgerow.baselines import NodeHarvestClassifier
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    >>> len(NodeHarvestClassifier(forest, max_rules=6).fit(X, y).rules_)
    6
    """

    _forest = RandomForestClassifier
    _other_task = "NodeHarvestRegressor"


class NodeHarvestRegressor(BaselineRegressorMixin, _NodeHarvest):
    """NodeHarvest for regression: a weighted mean over a few nodes of a forest.

    See :class:`NodeHarvestClassifier` for the parameters and attributes.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from hedgerow.baselines import NodeHarvestRegressor
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(10, max_depth=2, random_state=0).fit(X, y)
    >>> model = NodeHarvestRegressor(forest, max_rules=None).fit(X, y)
    >>> bool(model.score(X, y) > 0.4)
    True
    """

    _forest = RandomForestRegressor
    _other_task = "NodeHarvestClassifier"
