"""What a form asks for so that the value of a feature can be found, and how the value follows from the entry."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Recipe:
    """How a page computes the value of a feature from an entry.

    Attributes
    ----------
    kind : "number", "choice", "shapelet" or "interval"
        A number is taken as it is, a choice by its code; the others are computed from a series.
    fill, lowest, highest, blank : float or None
        For a number: what a missing one counts as; the interval that counts as missing; the number that does.
    shapelet : tuple of float
        Scaled to mean 0 and standard deviation 1 if ``is_scaled``.
    start, end, statistic, order
        For an interval, as in :class:`hedgerow.features.IntervalStatistic`.
    """

    kind: Literal["number", "choice", "shapelet", "interval"] = "number"
    fill: float | None = None
    lowest: float | None = None
    highest: float | None = None
    blank: float | None = None
    shapelet: tuple[float, ...] = ()
    is_scaled: bool = False
    start: int = 0
    end: int = 0
    statistic: str = ""
    order: str = ""

    @property
    def field_kind(self) -> Literal["number", "choice", "series"]:
        """The kind of field that is needed."""
        return self.kind if self.kind in ("number", "choice") else "series"


@dataclass(frozen=True)
class FormEntry:
    """What a form asks for.

    Attributes
    ----------
    place : int or None
        The column of a table, or the dimension of a series; None to ask for the value of the feature itself.
    recipe : Recipe
    levels : tuple
        For a choice: the values that can be chosen, in the order of their codes.
    unseen : float or None
        For a choice: the code of any other value; NaN if it counts as missing, None if it is refused.
    """

    place: int | None = None
    recipe: Recipe = Recipe()
    levels: tuple[Any, ...] = ()
    unseen: float | None = math.nan
