"""Short, provably optimal rule lists from trained tree ensembles.

A public name is imported when it is first used, with the parts of the package that it needs and no others.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from hedgerow._support.names_on_demand import names_on_demand

if TYPE_CHECKING:
    from hedgerow.estimators.classifier import RuleListClassifier
    from hedgerow.estimators.cv import RuleListClassifierCV, RuleListRegressorCV
    from hedgerow.estimators.regressor import RuleListRegressor
    from hedgerow.evidence.budget_trace import BudgetTrace, trace_budgets
    from hedgerow.evidence.disagreements import Disagreements
    from hedgerow.evidence.fidelity import Fidelity
    from hedgerow.exceptions import (
        CertificateError,
        HedgerowError,
        InfeasibleError,
        InvalidDataError,
        InvalidParameterError,
        MissingRowsError,
        PoorListWarning,
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
    "CertificateError",
    "Condition",
    "Disagreements",
    "Fidelity",
    "Forest",
    "HedgerowError",
    "InfeasibleError",
    "InvalidDataError",
    "InvalidParameterError",
    "LinearRows",
    "MissingRowsError",
    "PartitionProblem",
    "PoorListWarning",
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

if not TYPE_CHECKING:  # a type checker would take a module with __getattr__ to have any name
    __getattr__, __dir__ = names_on_demand(
        globals(),
        {
            ("RuleListClassifier",): lambda: import_module("hedgerow.estimators.classifier"),
            ("RuleListRegressor",): lambda: import_module("hedgerow.estimators.regressor"),
            ("RuleListClassifierCV", "RuleListRegressorCV"): lambda: import_module("hedgerow.estimators.cv"),
            ("BudgetTrace", "trace_budgets"): lambda: import_module("hedgerow.evidence.budget_trace"),
            ("Disagreements",): lambda: import_module("hedgerow.evidence.disagreements"),
            ("Fidelity",): lambda: import_module("hedgerow.evidence.fidelity"),
            (
                "CertificateError",
                "HedgerowError",
                "InfeasibleError",
                "InvalidDataError",
                "InvalidParameterError",
                "MissingRowsError",
                "PoorListWarning",
                "SolverError",
                "TimeLimitError",
                "UnfittedModelError",
                "UnsupportedModelError",
                "UntrustedModelError",
            ): lambda: import_module("hedgerow.exceptions"),
            ("Forest",): lambda: import_module("hedgerow.forests.forest"),
            ("Tree",): lambda: import_module("hedgerow.forests.tree"),
            ("budget_path", "rule_bounds"): lambda: import_module("hedgerow.optimize.budgets"),
            ("LinearRows", "PartitionProblem"): lambda: import_module("hedgerow.optimize.problem"),
            ("read_forest",): lambda: import_module("hedgerow.readers"),
            ("Condition", "Split"): lambda: import_module("hedgerow.rules.condition"),
            ("Rule",): lambda: import_module("hedgerow.rules.rule"),
            ("RuleList",): lambda: import_module("hedgerow.rules.rule_list"),
            ("Solution",): lambda: import_module("hedgerow.rules.solution"),
        },
        # so that `import hedgerow` is enough for hedgerow.losses.squared_error
        modules=(
            "candidates",
            "constraints",
            "estimators",
            "evidence",
            "exceptions",
            "features",
            "forests",
            "losses",
            "optimize",
            "pipeline",
            "presets",
            "readers",
            "rules",
            "smoothing",
            "sources",
            "stabilities",
            "tables",
            "tasks",
            "teachers",
        ),
    )
