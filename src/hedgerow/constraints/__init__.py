"""Further requirements of a list: linear rows over the candidate rules, one file per family of constraints."""

from hedgerow.constraints.constraint import Constraint, collect_rows

__all__ = ["Constraint", "collect_rows"]
