"""Further requirements of a list: what a constraint says, and how those of several constraints are put together.

A constraint of your own is an object with ``rows(pool, coverage, y) -> LinearRows``. Those of this package ask more:
what each rule would predict, say. They have ``demand(candidates) -> Demand`` instead, and may do without some rules
altogether, or ask what would take too many rows to write down. To add one, write a frozen dataclass in a new file with
either method; ``__str__`` says what it asks, for error messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, IntArray
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.tally import Tally
from hedgerow.constraints.candidates import Candidates
from hedgerow.exceptions import InvalidParameterError
from hedgerow.optimize.problem import LazyRows, LinearRows, stack_rows


@runtime_checkable
class Constraint(Protocol):
    """The one method that a constraint of your own needs."""

    def rows(self, pool: RulePool, coverage: Coverage, y: AnyArray) -> LinearRows:
        """Return rows with one column per rule of the pool."""
        ...


@runtime_checkable
class Demanding(Protocol):
    """The method of constraints that ask about more than coverage and targets."""

    def demand(self, candidates: Candidates) -> Demand:
        """Return what the constraint asks of a choice among these candidates."""
        ...


@runtime_checkable
class Gradual(Protocol):
    """What a constraint has that can give way by degrees: a bound.

    Attributes
    ----------
    rises : bool
        Whether it gives way by a higher bound.
    """

    @property
    def rises(self) -> bool:
        """Whether it gives way by a higher bound."""

    def levels(self, candidates: Candidates) -> Sequence[float]:
        """Return weaker bounds, the nearest first; none if the value of its only row is what the bound is about."""

    def at(self, level: float) -> Any:
        """Return the constraint with another bound."""


@dataclass(frozen=True, eq=False)
class Demand:
    """What a constraint asks of a choice of rules, or several constraints.

    Attributes
    ----------
    allowed : bool array or None
        The rules that may be chosen; None if all may.
    rows : LinearRows or None
    lazy : tuple of LazyRows
        What would take too many rows to write down.
    default : callable or None
        Returns what is predicted where none of the chosen rules matches, from these and the usual default.
    """

    allowed: BoolArray | None = None
    rows: LinearRows | None = None
    lazy: tuple[LazyRows, ...] = ()
    default: Callable[[IntArray, dict[str, Any]], dict[str, Any]] | None = None

    @staticmethod
    def of_all(demands: Sequence[Demand]) -> Demand:
        """Return what all of them ask together."""
        masks = [demand.allowed for demand in demands if demand.allowed is not None]
        rows = stack_rows([demand.rows for demand in demands if demand.rows is not None])
        lazy = tuple(one for demand in demands for one in demand.lazy)
        default = next((demand.default for demand in demands if demand.default is not None), None)
        return Demand(np.logical_and.reduce(masks) if masks else None, rows, lazy, default)

    def subset(self, rules: IntArray) -> Demand:
        """Return what is asked of a choice among some of the rules; ``default`` still takes the numbers of all."""
        return Demand(
            None if self.allowed is None else self.allowed[rules],
            None if self.rows is None else self.rows.subset(rules),
            tuple(one.subset(rules) for one in self.lazy),
            self.default,
        )


def check_constraints(constraints: Any) -> list[Any]:
    """Return constraints, or a single one, as a list; refuse what is not a constraint."""
    alone = _is_constraint(constraints) or isinstance(constraints, str) or not isinstance(constraints, Iterable)
    given = [constraints] if alone else constraints
    found = [] if constraints is None else list(given)
    for constraint in found:
        if isinstance(constraint, type) and issubclass(constraint, (Constraint, Demanding)):
            raise InvalidParameterError(
                f"{constraint.__name__} is a class. Give an instance with what it asks, {constraint.__name__}(...)."
            )
        if not _is_constraint(constraint):
            raise InvalidParameterError(
                "A constraint must have a method rows(pool, coverage, y) -> LinearRows, or be one of "
                f"hedgerow.constraints; {constraint!r} has none."
            )
    return _merged(found)


def _merged(constraints: list[Any]) -> list[Any]:
    """Put constraints of the same kind together, of kinds that ask for it."""
    kinds = dict.fromkeys(type(one) for one in constraints if hasattr(one, "together"))
    for kind in kinds:
        alike = [one for one in constraints if type(one) is kind]
        if len(alike) > 1:
            place = constraints.index(alike[0])
            constraints = [one for one in constraints if type(one) is not kind]
            constraints.insert(place, kind.together(alike))
    return constraints


def _is_constraint(given: Any) -> bool:
    return not isinstance(given, type) and isinstance(given, (Constraint, Demanding))


def parts_of(constraint: Any) -> list[Any]:
    """Return the constraints that say the same together, each as simple as possible."""
    return list(constraint.parts()) if hasattr(constraint, "parts") else [constraint]


def words_of(constraint: Any) -> str:
    """Return what a constraint is called in messages."""
    if _defines(constraint, "__str__"):
        return str(constraint)
    return repr(constraint) if _defines(constraint, "__repr__") else type(constraint).__name__


def _defines(constraint: Any, method: str) -> bool:
    return any(method in vars(kind) for kind in type(constraint).__mro__[:-1])


def demand_of(constraint: Any, candidates: Candidates, targets: Any) -> Demand:
    """Return what one constraint asks; ``targets`` are those by which rules are chosen."""
    if isinstance(constraint, Demanding):
        return constraint.demand(candidates)
    if isinstance(targets, Tally):
        raise InvalidParameterError(
            f"The constraint {words_of(constraint)} asks about each target, but the rows are read in chunks. Take one "
            "of hedgerow.constraints, such as Linear, or fit on rows that fit in memory."
        )
    rows = constraint.rows(candidates.pool, candidates.coverage, targets)
    return Demand(rows=replace(rows, names=rows.names or (words_of(constraint),) * len(rows)))
