"""Evidence about rules and methods: fidelity, the trace over budgets, comparisons of methods, proofs checked again.

A public name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from hedgerow._support.names_on_demand import names_on_demand

if TYPE_CHECKING:
    from hedgerow.evidence.proof_check import Check, check

__all__ = ["Check", "check"]

if not TYPE_CHECKING:  # a type checker would take a module with __getattr__ to have any name
    __getattr__, __dir__ = names_on_demand(
        globals(),
        {("Check", "check"): lambda: import_module("hedgerow.evidence.proof_check")},
    )
