"""Short, provably optimal rule lists from trained tree ensembles."""

from hedgerow.estimators.classifier import RuleListClassifier
from hedgerow.estimators.cv import RuleListClassifierCV, RuleListRegressorCV
from hedgerow.estimators.regressor import RuleListRegressor
from hedgerow.evidence.budget_trace import BudgetTrace, trace_budgets
from hedgerow.evidence.fidelity import Fidelity
from hedgerow.exceptions import (
    HedgerowError,
    InfeasibleError,
    InvalidDataError,
    InvalidParameterError,
    MissingRowsError,
    SolverError,
    TimeLimitError,
    UnfittedModelError,
    UnsupportedModelError,
    UntrustedModelError,
)
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree
from hedgerow.optimize.budgets import budget_path, rule_bounds
from hedgerow.optimize.problem import LinearRows, PartitionProblem
from hedgerow.readers import read_forest
from hedgerow.rules.condition import Condition, Split
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.solution import Solution

__version__ = "0.1.0.dev0"

__all__ = [
    "BudgetTrace",
    "Condition",
    "Fidelity",
    "Forest",
    "HedgerowError",
    "InfeasibleError",
    "InvalidDataError",
    "InvalidParameterError",
    "LinearRows",
    "MissingRowsError",
    "PartitionProblem",
    "Rule",
    "RuleList",
    "RuleListClassifier",
    "RuleListClassifierCV",
    "RuleListRegressor",
    "RuleListRegressorCV",
    "Solution",
    "SolverError",
    "Split",
    "TimeLimitError",
    "Tree",
    "UnfittedModelError",
    "UnsupportedModelError",
    "UntrustedModelError",
    "budget_path",
    "read_forest",
    "rule_bounds",
    "trace_budgets",
]
