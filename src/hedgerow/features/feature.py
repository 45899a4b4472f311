"""What a tree needs of a feature.

To add a kind, write a frozen dataclass with the members of :class:`Feature`:
equal features must compare equal, because shared splits are what stability counts.
"""

from __future__ import annotations

from typing import Any, Protocol

from hedgerow.arrays import AnyArray


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
