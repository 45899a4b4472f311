"""Rivals on the same forest and pool: other ways to a few rules from a tree ensemble.

Each gives its rules with their weights in the same form, :class:`WeightedRules`, so that they can be compared. See
docs/baselines.md for what each does and where it differs from its paper or reference code.
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
