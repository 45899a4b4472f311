"""What a fitted scikit-learn transformer does to each column, so that it can be inverted.

A :class:`Move` describes an output of a transformer that depends on one input only. Numbers are never inverted by
formula: a search with the transformer itself finds where its outputs cross a threshold, so that its rounding is
accounted for. To add a transformer, write a function that returns a move for each of its outputs and add it to
``MOVES``.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse, special
from sklearn import feature_selection, impute, preprocessing

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.features import DatePart, Notation, dense, is_present


class NotInvertible(Exception):  # noqa: N818 - a signal within the readers
    """An output has to be computed, because it cannot be expressed in terms of the columns."""


@dataclass(frozen=True, eq=False)
class Move:
    """An output that equals the input; the subclasses change it.

    Attributes
    ----------
    source : int
        The number of the input.
    increasing : bool
        Whether the output never falls as the input grows; otherwise it never rises.
    restricted : bool
        Whether numbers below some bound become NaN.
    marker :
        The value that stands for a missing one, besides NaN and None; None if there is none.
    notation : Notation or None
        How the cells of the input are written; None if they are values.
    """

    source: int
    _: KW_ONLY
    increasing: bool = True
    restricted: bool = False
    marker: Any = None
    notation: Notation | None = None

    @property
    def key(self) -> Any:
        """Equal for moves that can be applied together."""
        return type(self)

    def numbers(self, moves: Sequence[Any], values: FloatArray) -> FloatArray:
        """Return the outputs of moves of one key for numbers, one move per column."""
        return values

    def objects(self, values: AnyArray) -> AnyArray:
        """Return the output for values of any kind."""
        return values


@dataclass(frozen=True, eq=False)
class Monotone(Move):
    """An output that rises (or falls) monotonically with a number."""

    step: Any

    @property
    def key(self) -> int:
        return id(self.step)

    def numbers(self, moves: Sequence[Monotone], values: FloatArray) -> FloatArray:
        table = np.ones((len(values), self.step.n_features_in_))
        columns = [move.source for move in moves]
        if getattr(self.step, "method", None) == "box-cox":  # which would reject the whole table
            values = np.where(values > 0, values, np.nan)
        table[:, columns] = values
        with quiet():
            return dense(self.step.transform(table))[:, columns]

    def objects(self, values: AnyArray) -> AnyArray:
        return self.numbers([self], values.astype(np.float64)[:, None])[:, 0]


@dataclass(frozen=True, eq=False)
class Fill(Move):
    """An output in which missing values, or values that mark them, are filled."""

    value: Any

    def numbers(self, moves: Sequence[Fill], values: FloatArray) -> FloatArray:
        return np.where(np.isnan(values), np.array([move.value for move in moves], dtype=np.float64), values)

    def objects(self, values: AnyArray) -> AnyArray:
        filled = np.array(values, dtype=object)
        filled[_absent(values, self.marker)] = self.value
        return filled


@dataclass(frozen=True, eq=False)
class Flag(Move):
    """An output that is 1 where a value is missing, else 0."""

    def numbers(self, moves: Sequence[Flag], values: FloatArray) -> FloatArray:
        return np.isnan(values).astype(np.float64)

    def objects(self, values: AnyArray) -> AnyArray:
        return np.array(_absent(values, self.marker), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Encode(Move):
    """An output that depends on the category of a value.

    ``place`` is the number of the input among those of the encoder, if that is not ``source``.
    """

    target: int
    encoder: Encoder
    place: int | None = None

    @property
    def known(self) -> list[Any]:
        """The categories that the encoder knows."""
        return self.encoder.known[self._place]

    @property
    def categories(self) -> list[Any]:
        """The categories that the encoder knows, without missing values."""
        return [c for c in self.known if is_present(c)]

    @property
    def names_others(self) -> bool:
        """Whether unknown categories form a category of their own."""
        return self.encoder.is_one_hot or not self.encoder.is_strict

    @property
    def refuses_missing(self) -> bool:
        """Whether the transformer raises an error for a missing value."""
        return self.encoder.is_strict and all(is_present(c) for c in self.known)

    def objects(self, values: AnyArray) -> AnyArray:
        return self.encoder.outputs(self.target)[self.encoder.rows(self._place, values)]

    @property
    def _place(self) -> int:
        return self.source if self.place is None else self.place


@dataclass(frozen=True, eq=False)
class Rounded(Move):
    """An output that is a number in single precision."""

    def numbers(self, moves: Sequence[Rounded], values: FloatArray) -> FloatArray:
        with quiet():
            return values.astype(np.float32).astype(np.float64)

    def objects(self, values: AnyArray) -> AnyArray:
        return self.numbers([self], values.astype(np.float64))


@dataclass(frozen=True, eq=False)
class TakePart(Move):
    """An output that is a part of a date."""

    part: DatePart


class Encoder:
    """An encoder of categories, evaluated once on each of them."""

    def __init__(self, step: Any) -> None:
        self.is_one_hot = isinstance(step, preprocessing.OneHotEncoder)
        self.is_strict = getattr(step, "handle_unknown", "ignore") == "error"
        self.step = bare(step)
        if self.is_one_hot:
            self.step.sparse_output = True  # a dense output for many categories is large
            self.step.handle_unknown = "ignore" if self.is_strict else step.handle_unknown
        elif isinstance(step, preprocessing.OrdinalEncoder):
            self.step.dtype = np.float64
            if self.is_strict:
                self.step.handle_unknown, self.step.unknown_value = "use_encoded_value", np.nan
        self.known = [c.tolist() for c in step.categories_]
        for known in self.known:
            if sum(not is_present(c) for c in known) > 1:
                raise NotInvertible  # None and NaN are two categories here, but the same in a rule

    @cached_property
    def _made(self) -> Any:
        """The outputs: a row per category, the second to last for a missing value, the last for any other."""
        table = np.empty((max(map(len, self.known)) + 2, len(self.known)), dtype=object)
        for i, known in enumerate(self.known):
            missing = [c for c in known if not is_present(c)] or [np.nan]
            table[:, i] = known[0]
            for row, value in enumerate(known):
                table[row, i] = value
            table[-2, i], table[-1, i] = missing[0], unseen(known)
        with quiet():
            made = self.step.transform(table)
        return made.tocsc() if sparse.issparse(made) else np.asarray(made, dtype=np.float64)

    def outputs(self, target: int) -> FloatArray:
        """Return one output for each row of the table of categories."""
        return dense(self._made[:, [target]])[:, 0]

    def rows(self, source: int, values: Iterable[Any]) -> list[int]:
        """Return the row of each value of an input."""
        position = {category: row for row, category in enumerate(self.known[source]) if is_present(category)}
        return [position.get(value, -1) if is_present(value) else -2 for value in values]


def moves_of(step: Any, n_columns: int) -> list[Move | None] | None:
    """Return a move per output, None for outputs that cannot be inverted; None if no output can be."""
    if isinstance(step, feature_selection.SelectorMixin):
        return [Move(int(i)) for i in np.flatnonzero(step.get_support())]
    if type(step).__module__.partition(".")[0] != "sklearn":
        return None  # a user's class may transform differently from its base class
    for kinds, make in MOVES:
        if isinstance(step, kinds):
            try:
                return make(step, n_columns)
            except NotInvertible:
                return None
    return None


def bare(step: Any) -> Any:
    """Return a shallow copy that takes and returns plain arrays."""
    step = copy.copy(step)
    vars(step).pop("feature_names_in_", None)
    step._sklearn_output_config = {"transform": "default"}
    return step


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the warnings of numpy and scikit-learn about extreme values."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _absent(values: AnyArray, marker: Any) -> list[bool]:
    return [not is_present(v) or (marker is not None and v == marker) for v in values]


def unseen(known: Sequence[Any]) -> Any:
    """Return a value that is not among the categories."""
    numbers = [float(c) for c in known if isinstance(c, (bool, int, float)) and is_present(c)]
    return max(numbers) + 1 if numbers else "\N{REPLACEMENT CHARACTER}unseen"


def _each(step: Any, n_columns: int, **settings: Any) -> list[Move | None]:
    step = bare(step)
    return [Monotone(i, step, **settings) for i in range(n_columns)]


def _power(step: Any, n_columns: int) -> list[Move | None]:
    return _each(step, n_columns, restricted=step.method == "box-cox")


def _bins(step: Any, n_columns: int) -> list[Move | None]:
    if step.encode != "ordinal":
        raise NotInvertible
    return _each(step, n_columns)


def _function(step: Any, n_columns: int) -> list[Move | None]:
    if step.func is None:
        return [Move(i) for i in range(n_columns)]
    if step.kw_args or step.func not in (*_INCREASING, *_FROM_A_BOUND, np.negative):
        raise NotInvertible
    return _each(step, n_columns, increasing=step.func is not np.negative, restricted=step.func in _FROM_A_BOUND)


def _fill(step: Any, n_columns: int) -> list[Move | None]:
    marker = step.missing_values if is_present(step.missing_values) else None
    kept = [i for i, value in enumerate(step.statistics_) if step.keep_empty_features or is_present(value)]
    flags = step.indicator_.features_ if step.indicator_ is not None else ()
    filled = [Fill(i, step.statistics_[i], marker=marker) for i in kept]
    return [*filled, *(Flag(int(i), marker=marker) for i in flags)]


def _flag(step: Any, n_columns: int) -> list[Move | None]:
    marker = step.missing_values if is_present(step.missing_values) else None
    return [Flag(int(i), marker=marker) for i in step.features_]


def _one_hot(step: Any, n_columns: int) -> list[Move | None]:
    sources = np.repeat(np.arange(n_columns), step._n_features_outs)
    encoder = Encoder(step)
    return [Encode(int(source), target, encoder) for target, source in enumerate(sources)]


def _encode(step: Any, n_columns: int) -> list[Move | None]:
    # A target encoder has one output per class for each column.
    each = len(step.classes_) if getattr(step, "target_type_", None) == "multiclass" else 1
    encoder = Encoder(step)
    return [Encode(target // each, target, encoder) for target in range(n_columns * each)]


def _powers(step: Any, n_columns: int) -> list[Move | None]:
    return [Move(int(row.argmax())) if row.sum() == 1 else None for row in step.powers_]


#: Non-decreasing numpy functions; those in the second tuple are NaN below a bound.
_INCREASING = (
    *(np.exp, np.exp2, np.expm1, np.cbrt, np.sinh, np.arcsinh, np.tanh, np.arctan, special.expit),
    *(np.floor, np.ceil, np.rint, np.trunc, np.sign, np.positive),
)
_FROM_A_BOUND = (np.log, np.log2, np.log10, np.log1p, np.sqrt)

MOVES: tuple[tuple[Any, Callable[[Any, int], list[Move | None]]], ...] = (
    ((preprocessing.StandardScaler, preprocessing.RobustScaler, preprocessing.QuantileTransformer), _each),
    ((preprocessing.MinMaxScaler, preprocessing.MaxAbsScaler, preprocessing.Binarizer), _each),
    (preprocessing.PowerTransformer, _power),
    (preprocessing.KBinsDiscretizer, _bins),
    (preprocessing.FunctionTransformer, _function),
    (preprocessing.OneHotEncoder, _one_hot),
    ((preprocessing.OrdinalEncoder, preprocessing.TargetEncoder), _encode),
    (preprocessing.PolynomialFeatures, _powers),
    (impute.SimpleImputer, _fill),
    (impute.MissingIndicator, _flag),
)
