"""Further requirements of a list: linear rows over the candidate rules, one file per family of constraints."""

from hedgerow.constraints.candidates import Candidates
from hedgerow.constraints.constraint import (
    Constraint,
    Demand,
    Gradual,
    check_constraints,
    demand_of,
    parts_of,
    words_of,
)
from hedgerow.constraints.forbid import Forbid
from hedgerow.constraints.linear import Linear
from hedgerow.constraints.max_conditions import MaxConditions
from hedgerow.constraints.max_features import MaxFeatures
from hedgerow.constraints.min_coverage import MinCoverage
from hedgerow.constraints.monotone import Monotone
from hedgerow.constraints.parity import ParityGap
from hedgerow.constraints.pins import Drop, Pin
from hedgerow.constraints.rates import MaxError, MinPrecision, MinRecall
from hedgerow.constraints.require import Require

__all__ = [
    "Candidates",
    "Constraint",
    "Demand",
    "Drop",
    "Forbid",
    "Gradual",
    "Linear",
    "MaxConditions",
    "MaxError",
    "MaxFeatures",
    "MinCoverage",
    "MinPrecision",
    "MinRecall",
    "Monotone",
    "ParityGap",
    "Pin",
    "Require",
    "check_constraints",
    "demand_of",
    "parts_of",
    "words_of",
]
