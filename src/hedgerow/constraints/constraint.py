"""Further requirements of a list: linear rows over the candidate rules.

A constraint is a frozen dataclass with ``rows(pool, coverage, y) -> LinearRows``.
To add one, write it in a new file; or pass an instance of your own to an estimator's ``constraints``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from hedgerow._support.arrays import AnyArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.exceptions import InvalidParameterError
from hedgerow.optimize.problem import LinearRows, stack_rows


@runtime_checkable
class Constraint(Protocol):
    """The one method that every constraint needs."""

    def rows(self, pool: RulePool, coverage: Coverage, y: AnyArray) -> LinearRows:
        """Return rows with one column per rule of the pool."""
        ...


def check_constraints(constraints: Any) -> list[Constraint]:
    """Return constraints, or a single one, as a list; refuse what is not a constraint."""
    given = (
        [constraints] if isinstance(constraints, Constraint) or not isinstance(constraints, Iterable) else constraints
    )
    found = [] if constraints is None else list(given)
    for constraint in found:
        if not isinstance(constraint, Constraint):
            raise InvalidParameterError(
                f"A constraint must have a method rows(pool, coverage, y) -> LinearRows; {constraint!r} has none."
            )
    return found


def collect_rows(
    constraints: Sequence[Constraint] | Constraint | None, pool: RulePool, coverage: Coverage, y: AnyArray
) -> LinearRows | None:
    """Return the rows of all constraints, or None if there are none."""
    parts = []
    for constraint in check_constraints(constraints):
        part = constraint.rows(pool, coverage, y)
        known_as = repr(constraint) if type(constraint).__repr__ is not object.__repr__ else type(constraint).__name__
        parts.append(replace(part, names=part.names or (known_as,) * len(part)))
    return stack_rows(parts)
