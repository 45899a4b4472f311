"""An encoder that rules see through, for tables with strings.

Each string that is frequent enough becomes a column of zeros and ones, so that a rule says ``color is red`` about the
column of the table. Numbers are passed through, missing ones too: the forest learns where these belong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import check_is_fitted, validate_data

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Column, DatePart, Notation, column_of, frame_or_array, is_frame, is_present
from hedgerow.features.dates import PARTS
from hedgerow.features.inputs import read_cells
from hedgerow.features.refusals import CONVERT, explained
from hedgerow.features.spelled import spelling_of
from hedgerow.tables.column_use import ColumnUse, Wishes, use_of
from hedgerow.tables.columns import check_columns
from hedgerow.tables.identifiers import identifiers


class TableEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turns a data frame into numbers, in a way that rules see through.

    Rules of an ensemble behind this encoder are about the columns of the frame, as ``color is red`` or ``price > 12``.

    ==========================================  ====================================================================
    a column of                                 becomes
    ==========================================  ====================================================================
    numbers                                     itself; missing values stay missing
    strings, booleans, categories               a column of zeros and ones for each of the frequent values, and one
                                                for missing values if there are any
    strings that are numbers (``1.234,5 €``)    numbers; whatever else is written there is missing
    dates, with ``dates=True``                  year, month, weekday, and days since the first date
    ==========================================  ====================================================================

    Left out are dates (unless asked for), row numbers and identifiers, columns that have the same value in every row
    or no value at all, strings that differ in nearly every row, and columns of anything else. ``left_out_`` says which
    and why.

    Parameters
    ----------
    max_categories : int
        The most values of a column that get a column of zeros and ones; those that occur most often.
    min_share : float
        The smallest share of the rows that such a value must have, besides occurring twice.
    dates : bool
        Whether to use dates.
    keep : collection of str
        Columns to use even if they look like row numbers or identifiers.
    notations : mapping of str to Notation, optional
        How the cells of columns are written, where that is known: ``read_table(...).notations``. By default, guessed.

    Attributes
    ----------
    uses_ : dict of int to ColumnUse
        How each column is used, by its position.
    left_out_ : dict of str to str
        The columns that are not used, and why.
    encoder_ : OneHotEncoder or None
        The encoder of the columns with categories.
    n_features_in_, feature_names_in_ :
        The columns that ``fit`` was given.

    Examples
    --------
    >>> import pandas as pd
    >>> from hedgerow.tables import TableEncoder
    >>> frame = pd.DataFrame({"color": ["red", "blue", "red", "blue"], "price": ["1,5", "2", "n/a", "3,25"], "id": 7})
    >>> encoder = TableEncoder().fit(frame)
    >>> encoder.get_feature_names_out().tolist(), encoder.left_out_
    (['color_blue', 'color_red', 'price'], {'id': 'it has the same value in every row'})
    >>> encoder.transform(frame)
    array([[0.  , 1.  , 1.5 ],
           [1.  , 0.  , 2.  ],
           [0.  , 1.  ,  nan],
           [1.  , 0.  , 3.25]])
    """

    def __init__(
        self,
        *,
        max_categories: int = 30,
        min_share: float = 0.001,
        dates: bool = False,
        keep: Collection[str] = (),
        notations: Mapping[str, Notation] | None = None,
    ) -> None:
        self.max_categories = max_categories
        self.min_share = min_share
        self.dates = dates
        self.keep = keep
        self.notations = notations

    def fit(self, X: Any, y: Any = None) -> Self:
        """Decide what each column is used for.

        Parameters
        ----------
        X : pandas or polars data frame
        y : ignored
        """
        frame, known = self._checked(X, reset=True), self.notations or {}
        check_columns(frame, self.keep)
        wishes = Wishes(self.max_categories, self.min_share, self.dates)
        self.uses_: dict[int, ColumnUse] = {}
        self.left_out_: dict[str, str] = {}
        for i, name in enumerate(frame.columns):
            use = use_of(_pandas_column(frame, i), wishes, known.get(name))
            if isinstance(use, ColumnUse):
                self.uses_[i] = use
            else:
                self.left_out_[str(name)] = use
        self._leave_out_identifiers(frame)
        if not self.uses_:
            reasons = "; ".join(f"{name}: {why}" for name, why in list(self.left_out_.items())[:5])
            raise InvalidDataError(f"There is no column left to learn from: {reasons}.")
        self._names = [str(name) for name in frame.columns]
        self.encoder_ = self._fitted_encoder()
        return self

    def transform(self, X: Any) -> FloatArray:
        """Return the table as numbers, missing ones as NaN; not sparse, since forests would not take that with NaN."""
        check_is_fitted(self, "uses_")
        X = read_cells(self._checked(X, reset=False), self._notations())
        texts, numbers, dates = (self.positions(kind) for kind in ("category", "number", "date"))
        features = [Column(i, self._names[i]) for i in numbers] + [part for i in dates for part in self.date_parts(i)]
        n_texts = 0 if self.encoder_ is None else sum(map(len, self.encoder_.categories_))
        made = np.zeros((X.shape[0], n_texts + len(features)))
        if self.encoder_ is not None:
            ones = self.encoder_.transform(self._categories_in(X, texts)).tocoo()
            made[ones.row, ones.col] = 1
        with explained(X, CONVERT, numbers):
            for place, feature in enumerate(features, start=n_texts):
                made[:, place] = feature.compute(X)
        return made

    def get_feature_names_out(self, input_features: Any = None) -> AnyArray:
        """Return the names of the columns that ``transform`` returns."""
        check_is_fitted(self, "uses_")
        texts, numbers, dates = (self.positions(kind) for kind in ("category", "number", "date"))
        of = [self._names[i] for i in texts]
        names = [] if self.encoder_ is None else self.encoder_.get_feature_names_out(of).tolist()
        names += [self._names[i] for i in numbers]
        names += [f"{self._names[i]}_{part}" for i in dates for part in PARTS]
        return np.array(names, dtype=object)

    def date_parts(self, index: int) -> list[DatePart]:
        """Return the features that a column of dates becomes."""
        use = self.uses_[index]
        return [DatePart.of(index, self._names[index], part, use.format, use.first) for part in PARTS]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags

    def _checked(self, X: Any, reset: bool) -> Any:
        if not is_frame(X):
            raise InvalidDataError(
                f"TableEncoder takes a data frame of pandas or polars, but X is a {type(X).__qualname__}. Convert it, "
                "for example with pandas.DataFrame(X)."
            )
        X = frame_or_array(X)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return X

    def positions(self, kind: str) -> list[int]:
        """Return the columns that are used in a way."""
        return [i for i, use in self.uses_.items() if use.kind == kind]

    def _categories_in(self, X: Any, positions: list[int]) -> AnyArray:
        """Return columns of categories as objects, missing values as None."""
        spellings = [spelling_of(self.uses_[i].categories) for i in positions]
        columns = [_objects_in(column_of(X, i)) for i in positions]
        return _columns(
            [c if read is None else [read(value) for value in c] for c, read in zip(columns, spellings, strict=True)]
        )

    def _notations(self) -> list[tuple[int, Notation]]:
        return [(i, use.notation) for i, use in self.uses_.items() if use.notation is not None]

    def _leave_out_identifiers(self, frame: Any) -> None:
        """Leave out columns that tell rows apart, unless there are no others."""
        import pandas as pd

        names = {i: str(name) for i, name in enumerate(frame.columns)}
        numbers = [i for i in self.positions("number") if self.uses_[i].notation is None]
        table = pd.DataFrame({names[i]: Column(i, names[i]).compute(frame) for i in numbers})
        found = identifiers(table, self.keep)
        if len(found) < len(self.uses_):
            self.uses_ = {i: use for i, use in self.uses_.items() if names[i] not in found}
            self.left_out_ |= found

    def _fitted_encoder(self) -> OneHotEncoder | None:
        categories = [list(self.uses_[i].categories) for i in self.positions("category")]
        if not categories:
            return None
        encoder = OneHotEncoder(categories=categories, handle_unknown="ignore")
        encoder.set_output(transform="default")
        longest = max(map(len, categories))
        return encoder.fit(_columns([one + one[:1] * (longest - len(one)) for one in categories]))


def table_pipeline(model: Any, **parameters: Any) -> Pipeline:
    """Return a model behind a :class:`TableEncoder` with these parameters.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hedgerow.tables import table_pipeline
    >>> table_pipeline(RandomForestClassifier(), max_categories=10).steps[0][1]
    TableEncoder(max_categories=10)
    """
    return make_pipeline(TableEncoder(**parameters), model)


def encoded(model: Any, frame: Any) -> Any:
    """Return the model behind an encoder of all columns of a table that was read from a file.

    If there are only numbers, it is the model itself.
    """
    if not has_more_than_numbers(frame):
        return model
    # Which columns are used, and as what, was decided when the whole table was read.
    known = {name: Notation("text") for name in frame if frame[name].dtype == object}
    return table_pipeline(model, dates=True, keep=tuple(frame), notations=known)


def has_more_than_numbers(X: Any, besides: str = "") -> bool:
    """Return whether a data frame has columns that a model of numbers cannot take: strings, categories, dates.

    With ``besides="category"``, columns of pandas' type for categories do not count.
    """
    return is_frame(X) and any(_is_strange(column_of(X, i), besides) for i in range(X.shape[1]))


def _is_strange(column: Any, besides: str) -> bool:
    if str(getattr(column, "dtype", "")) == "category":
        return besides != "category"
    kind = getattr(column.dtype, "kind", "O")
    if kind in "biufc":
        return False
    return kind in "mMUS" or any(isinstance(value, str) or not _is_like_number(value) for value in np.asarray(column))


def _is_like_number(value: Any) -> bool:
    if isinstance(value, np.ndarray):  # a list in a cell, of which NumPy would take a single number
        return False
    try:
        float(value)
    except (TypeError, ValueError):
        return not is_present(value)
    return True


def _pandas_column(frame: Any, index: int) -> Any:
    """Return a column as a pandas series."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("TableEncoder needs pandas: pip install pandas.") from None
    return frame.iloc[:, index] if hasattr(frame, "iloc") else pd.Series(column_of(frame, index))


def _objects_in(column: Any) -> AnyArray:
    values = np.asarray(column).astype(object)
    missing = column.isna().to_numpy() if hasattr(column, "isna") else [not is_present(value) for value in values]
    values[np.asarray(missing, dtype=bool)] = None
    return values


def _columns(columns: Any) -> AnyArray:
    table = np.empty((len(columns[0]), len(columns)), dtype=object)
    for i, values in enumerate(columns):
        table[:, i] = values
    return table
