"""What a tree needs of a feature.

To add a kind, write a frozen dataclass with the members of :class:`Feature`:
equal features must compare equal, because shared splits are what stability counts.
Two members more are possible: ``gap``, a :class:`Gap`, if some numbers count as
missing, and ``phrase(lower, upper)``, which returns words of its own for an
interval, or None.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from hedgerow._support.arrays import AnyArray


class Gap(NamedTuple):
    """Numbers from ``lowest`` to ``highest`` that count as missing, and what to call them."""

    lowest: float
    highest: float
    name: str


class Feature(Protocol):
    """What a tree needs of a feature."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    @property
    def has_missing(self) -> bool:
        """Whether the training data had missing values here."""
        ...

    @property
    def absence(self) -> str:
        """What to call a value that becomes NaN: "missing"."""
        ...

    def compute(self, X: Any) -> AnyArray:
        """One number a sample; NaN where the value is missing."""
        ...

    def __hash__(self) -> int:
        """Equal for equal features."""
        ...
