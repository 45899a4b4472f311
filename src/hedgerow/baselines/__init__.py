"""Rival methods that also extract a few rules from a tree ensemble, on the same forest and pool.

All return their rules and weights as :class:`WeightedRules`, so that they can be compared. docs/baselines.md describes
each method and where it differs from its paper or reference code.
"""

from hedgerow.baselines.fire import FireRegressor
from hedgerow.baselines.node_harvest import NodeHarvestClassifier, NodeHarvestRegressor
from hedgerow.baselines.rulefit import RuleFitClassifier, RuleFitRegressor
from hedgerow.baselines.sirus import SirusClassifier, SirusRegressor
from hedgerow.rules.linear_term import LinearTerm
from hedgerow.rules.weighted_rules import WeightedRules

__all__ = [
    "FireRegressor",
    "LinearTerm",
    "NodeHarvestClassifier",
    "NodeHarvestRegressor",
    "RuleFitClassifier",
    "RuleFitRegressor",
    "SirusClassifier",
    "SirusRegressor",
    "WeightedRules",
]
