"""Checks of what constraints are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hedgerow._support.checks import is_number
from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.rule import Rule


class Values(dict[Any, float]):
    """A number for each of several labels or features; it is not to be changed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def only_one(constraint: Any, asked_by: str, names: Sequence[str]) -> None:
    """Refuse several of these, and none."""
    given = [name for name in names if getattr(constraint, name) is not None]
    if len(given) != 1:
        got = " and ".join(given) if given else "none"
        raise InvalidParameterError(
            f"{asked_by} takes one of {', '.join(f'{name}=...' for name in names)}; got {got}. For several, give "
            "several constraints."
        )


def check_rule(asked_by: str, rule: Any, *, optional: bool = True) -> None:
    """Refuse what is not a rule."""
    if not isinstance(rule, Rule) and not (optional and rule is None):
        raise InvalidParameterError(f"{asked_by}(rule=...) takes a Rule, such as one of rule_list_; got {rule!r}.")


def check_share(name: str, value: Any, *, zero: bool = True) -> float:
    """Return a share; refuse what is not a number between 0 and 1."""
    if not is_number(value) or not 0 <= value <= 1 or (value == 0 and not zero):
        above = "between 0 and 1" if zero else "above 0 and at most 1"
        raise InvalidParameterError(f"{name} must be a number {above}; got {value!r}.")
    return float(value)


def shares_of_labels(asked_by: str, given: Any) -> Values:
    """Return a share for each label; refuse anything else."""
    if not isinstance(given, Mapping) or not given:
        raise InvalidParameterError(
            f"{asked_by} takes a dictionary from labels to shares, such as {{'yes': 0.8}}; got {given!r}."
        )
    known = {plain(label): value for label, value in given.items()}
    return Values({label: check_share(f"{asked_by}({label!r})", value, zero=False) for label, value in known.items()})


def plain(label: Any) -> Any:
    """Return a label of numpy as one of Python, which is written as it is read."""
    return label.item() if isinstance(label, np.generic) else label


def thousandths(start: float, end: float) -> list[float]:
    """Return the multiples of 0.001 after one share, up to another, which is the last.

    >>> thousandths(0.0024, 0.0)
    [0.002, 0.001, 0.0]
    """
    first, last, step = start * 1000, round(end * 1000), 1 if end > start else -1
    nearest = int(np.floor(first + 1e-9)) if step > 0 else int(np.ceil(first - 1e-9))
    return [k / 1000 for k in range(nearest + step, last + step, step)]


def check_bound(name: str, value: Any) -> float:
    """Return a bound; refuse what is not a number."""
    if not is_number(value) or np.isnan(value):
        raise InvalidParameterError(f"{name} must be a number; got {value!r}.")
    return float(value)
