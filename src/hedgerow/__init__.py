"""Short, provably optimal rule lists from trained tree ensembles."""

from hedgerow.budget_trace import BudgetTrace, trace_budgets
from hedgerow.budgets import budget_path, rule_bounds
from hedgerow.estimators import RuleListClassifier, RuleListRegressor
from hedgerow.exceptions import (
    HedgerowError,
    InfeasibleError,
    InvalidDataError,
    InvalidParameterError,
    SolverError,
    TimeLimitError,
    UnfittedModelError,
    UnsupportedModelError,
)
from hedgerow.fidelity import Fidelity
from hedgerow.forest import Forest
from hedgerow.problem import LinearRows, PartitionProblem
from hedgerow.readers import read_forest
from hedgerow.rule import Condition, Rule, Split
from hedgerow.rule_list import RuleList
from hedgerow.selection import RuleListClassifierCV, RuleListRegressorCV
from hedgerow.solution import Solution
from hedgerow.tree import Tree

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
    "budget_path",
    "read_forest",
    "rule_bounds",
    "trace_budgets",
]
