"""Further requirements of a list: linear rows over the candidate rules, one file per family of constraints."""

from hedgerow.constraints.constraint import Constraint, check_constraints, collect_rows

__all__ = ["Constraint", "check_constraints", "collect_rows"]
