"""The base class of features: what trees, rules, exporters and tables ask of a feature, with defaults.

A new kind of feature is one file with a frozen dataclass that extends
:class:`Feature`. It needs the fields ``name: str`` and
``has_missing: bool = field(default=False, compare=False)`` and a method
``compute`` or ``compute_batch``; everything else has a default. Equal features
must compare equal, because stability counts shared splits. Add the kind to
``KINDS`` in :mod:`hedgerow.features.records` so that it can be saved as JSON.

What others need is returned as small values, which they turn into SQL, HTML or
columns: a feature knows nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, get_type_hints

import numpy as np

from hedgerow._support.arrays import ValueArray
from hedgerow._support.json_field import Field, number_record
from hedgerow._support.rounding import shortest_between
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.cell_tests import CellTest
from hedgerow.features.form_entry import FormEntry, Recipe
from hedgerow.features.number_sets import NumberSet


class Gap(NamedTuple):
    """Numbers from ``lowest`` to ``highest`` that count as missing, and what to call them."""

    lowest: float
    highest: float
    name: str


@dataclass(frozen=True)
class TableColumn:
    """A column of a table that a feature reads.

    Attributes
    ----------
    index : int
        The position of the column.
    holds : type or None
        What the column must hold: numbers (``float``), strings (``str``), booleans (``bool``), or anything (None).
    filler : object
        A value that the feature accepts, for tables without a column that no rule uses.
    """

    index: int
    holds: type | None = float
    filler: Any = 0.0


@dataclass(frozen=True)
class Feature:
    """What a split looks at: one number per sample."""

    if TYPE_CHECKING:  # fields of every kind; declared here they would come before the others in positional order

        @property
        def name(self) -> str:
            """What a person calls the feature."""

        @property
        def has_missing(self) -> bool:
            """Whether values were missing in the training data."""

    else:
        has_missing = False  # of a kind without the field

    #: Whether samples without a value are accepted at all.
    takes_missing: ClassVar[bool] = True
    #: Whether the feature can be computed from a sparse matrix that stores missing values as absent entries.
    takes_sparse: ClassVar[bool] = False
    #: Whether a linear term of the feature makes sense.
    is_linear: ClassVar[bool] = False

    # Computing

    def compute(self, X: Any) -> ValueArray:
        """Return one number per sample; NaN where the value is missing."""
        if self.compute_batch.__func__ is Feature.compute_batch.__func__:  # type: ignore[attr-defined]
            raise NotImplementedError(f"{type(self).__qualname__} defines neither compute nor compute_batch.")
        return self.compute_batch(X, [self])[:, 0]

    @property
    def batch(self) -> Hashable:
        """Equal for features that :meth:`compute_batch` computes in one go; None if each is computed by itself."""
        return None

    @classmethod
    def compute_batch(cls, X: Any, features: Sequence[Any]) -> ValueArray:
        """Return the values of features with the same :attr:`batch`, one column per feature."""
        return np.column_stack([feature.compute(X) for feature in features])

    # Identity

    @property
    def source(self) -> Hashable:
        """What the feature is counted as: features with the same source are one feature in importances."""
        return self

    def with_name(self, name: str) -> Self:
        """Return the feature under another name."""
        return replace(self, **{"name": name})

    def with_number(self, number: int) -> Self:
        """Return the feature with another number in its name, if its name contains a running number."""
        return self

    def with_missing(self) -> Self:
        """Return the feature marked as having missing values in the training data."""
        known = any(field.name == "has_missing" for field in fields(self))
        return replace(self, **{"has_missing": True}) if known else self

    def with_values_seen(self, X: Any) -> Self:
        """Return the feature with what it learns from the values in ``X``."""
        return self

    # Wording

    @property
    def absence(self) -> str:
        """What to call a value that becomes NaN."""
        return "missing" if self.gap is None else f"{self.gap.name} or missing"

    @property
    def gap(self) -> Gap | None:
        """The numbers that count as missing, if any."""
        return None

    def phrase(self, lower: float, upper: float) -> str | None:
        """Return words for ``lower < value <= upper``, or None if the interval itself is to be written."""
        return None

    @property
    def curve(self) -> tuple[float, ...]:
        """The shape to draw beside a condition; empty if there is none."""
        return ()

    # Thresholds

    def roundest(self, low: float, high: float, near: float) -> float:
        """Return the threshold in ``low <= x < high`` that is easiest to read; of several, the nearest to ``near``."""
        return shortest_between(low, high, near)

    # Categories

    @property
    def levels(self) -> tuple[Any, ...] | None:
        """The values that the codes 0, 1, ... stand for; None if the feature has no categories."""
        return None

    @property
    def n_codes(self) -> int:
        """The number of codes; 0 if the feature has no categories."""
        return len(self.levels or ())

    def merged(self, features: Sequence[Feature]) -> Feature | None:
        """Return one feature with the codes of all of these; None if they cannot be merged, or need not be."""
        return None

    def codes_of(self, merged: Feature) -> list[int]:
        """Return the own code for each code of a feature that :meth:`merged` returned."""
        return list(range(self.n_codes))

    # Tables, forms and programs

    @property
    def table_columns(self) -> tuple[TableColumn, ...]:
        """The columns of a table that the feature reads; empty if it may read any of them."""
        return ()

    @property
    def form_entry(self) -> FormEntry:
        """What a form asks for; by default the value of the feature itself."""
        return FormEntry(recipe=Recipe(lowest=self.gap.lowest, highest=self.gap.highest) if self.gap else Recipe())

    def cell_test(self, passing: NumberSet, missing: bool) -> CellTest | None:
        """Return the test of a table cell that holds if the value is in ``passing``, or missing where that passes.

        For categories, ``passing`` contains codes. None means that the value cannot be found in a single cell.
        """
        return None

    def refused_cells(self, is_complete: bool) -> CellTest | None:
        """Return the test of cells that ``predict`` refuses, if there are any.

        ``is_complete`` says that the value must not be missing.
        """
        return self.cell_test(NumberSet(), missing=True) if is_complete else None

    # JSON

    def to_record(self) -> dict[str, Any]:
        """Return the feature as JSON data; infinity and NaN become strings."""
        record = {name: number_record(v) if isinstance(v, float) else v for name, v in asdict(self).items()}
        return {"kind": type(self).__name__} | record

    @classmethod
    def from_record(cls, record: Field) -> Self:
        """Return the feature that :meth:`to_record` wrote."""
        types = cls._types()
        required = [one.name for one in fields(cls) if one.default is MISSING]
        record.only(("kind", *types))
        given = {name: _READ[kind](record[name]) for name, kind in types.items() if name in record or name in required}
        try:
            return cls(**given)
        except InvalidDataError as error:
            raise InvalidDataError(f"{record.path}: {error}") from None

    @classmethod
    @cache
    def _types(cls) -> dict[str, Any]:
        hints = get_type_hints(cls)
        return {one.name: hints[one.name] for one in fields(cls)}


#: How a field is read from JSON, by its type.
_READ: dict[Any, Callable[[Field], Any]] = {
    int: Field.whole,
    str: Field.text,
    bool: Field.truth,
    float: lambda field: field.number(nan=True),
    float | None: lambda field: None if field.value is None else field.number(),
    tuple[int, ...]: lambda field: tuple(one.whole() for one in field),
    tuple[float, ...]: lambda field: tuple(one.finite() for one in field),
    tuple[Any, ...]: lambda field: tuple(one.scalar() for one in field),
    tuple[tuple[str, float], ...]: lambda field: tuple((name, field[name].finite()) for name in field.members()),
}
