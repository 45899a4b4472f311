"""Evidence about rules and methods: fidelity, validation, drift, reasons, proofs checked again, comparisons of methods.

A public name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from hedgerow._support.names_on_demand import names_on_demand

if TYPE_CHECKING:
    from hedgerow.evidence.calibrating import conformal
    from hedgerow.evidence.counts import Counts
    from hedgerow.evidence.explanation import Reasons
    from hedgerow.evidence.prediction_intervals import PredictionIntervals
    from hedgerow.evidence.prediction_sets import PredictionSets
    from hedgerow.evidence.proof_check import Check, check
    from hedgerow.evidence.reasoning import reasons
    from hedgerow.evidence.refits import RuleStability, Stability, stability
    from hedgerow.evidence.shifts import Drift, Shift, drift
    from hedgerow.evidence.validating import validate
    from hedgerow.evidence.validation import RuleValidation, Validation

__all__ = [
    "Check",
    "Counts",
    "Drift",
    "PredictionIntervals",
    "PredictionSets",
    "Reasons",
    "RuleStability",
    "RuleValidation",
    "Shift",
    "Stability",
    "Validation",
    "check",
    "conformal",
    "drift",
    "reasons",
    "stability",
    "validate",
]

if not TYPE_CHECKING:  # a type checker would take a module with __getattr__ to have any name
    __getattr__, __dir__ = names_on_demand(
        globals(),
        {
            ("Check", "check"): lambda: import_module("hedgerow.evidence.proof_check"),
            ("PredictionIntervals",): lambda: import_module("hedgerow.evidence.prediction_intervals"),
            ("PredictionSets",): lambda: import_module("hedgerow.evidence.prediction_sets"),
            ("conformal",): lambda: import_module("hedgerow.evidence.calibrating"),
            ("Counts",): lambda: import_module("hedgerow.evidence.counts"),
            ("Reasons",): lambda: import_module("hedgerow.evidence.explanation"),
            ("reasons",): lambda: import_module("hedgerow.evidence.reasoning"),
            ("RuleStability", "Stability", "stability"): lambda: import_module("hedgerow.evidence.refits"),
            ("Drift", "Shift", "drift"): lambda: import_module("hedgerow.evidence.shifts"),
            ("RuleValidation", "Validation"): lambda: import_module("hedgerow.evidence.validation"),
            ("validate",): lambda: import_module("hedgerow.evidence.validating"),
        },
    )
