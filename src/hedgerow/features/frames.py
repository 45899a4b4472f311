"""Columns and cells of data frames, sparse matrices and arrays alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray, is_sparse
from hedgerow._support.lettering import some
from hedgerow.exceptions import InvalidDataError

_BLOCK = 1 << 12


def column_names(X: Any) -> list[str] | None:
    """Return the names of the columns if ``X`` is a data frame (pandas, polars, ...), else None."""
    return [str(name) for name in X.columns] if is_frame(X) else None


def numbered_names(X: Any) -> list[str] | None:
    """Return ``x5`` for a column called 5 if ``X`` is a data frame whose columns are all called by integers, else None.

    scikit-learn ignores such names: the columns count by their positions.
    """
    if not is_frame(X) or not all(isinstance(name, Integral) and not isinstance(name, bool) for name in X.columns):
        return None
    return [f"x{name}" for name in X.columns]


def with_underscores(names: Iterable[str]) -> list[str]:
    """Return names as libraries store them that do not allow spaces."""
    return [str(name).replace(" ", "_") for name in names]


def is_frame(X: Any) -> bool:
    """Return whether ``X`` is a data frame of some library."""
    return hasattr(type(X), "columns")


def is_dask(X: Any) -> bool:
    """Return whether an object belongs to Dask, without loading it."""
    return any(base.__module__.partition(".")[0] == "dask" for base in type(X).__mro__)


def check_in_memory(X: Any) -> None:
    """Refuse rows that are elsewhere: of Dask, or a source (:mod:`hedgerow.sources`)."""
    if not is_dask(X) and not hasattr(X, "passes"):
        return
    what, way = (f"a Dask {type(X).__name__}", "X.compute()") if is_dask(X) else (X, "them as a data frame or an array")
    raise InvalidDataError(
        f"X is {what}, but here all rows must be in memory. Pass {way}, or a sample of them. Rows elsewhere are taken "
        "by fit, predict, predict_proba, apply, score and fidelity of RuleListClassifier and RuleListRegressor."
    )


def frame_or_array(X: Any) -> Any:
    """Return a data frame or a sparse matrix as it is, a table of Arrow as a frame, anything else as an array."""
    check_in_memory(X)
    if hasattr(X, "to_pandas") and hasattr(X, "column_names"):  # pyarrow's Table and RecordBatch
        X = X.to_pandas()
    if is_frame(X):
        if not hasattr(X, "shape"):
            raise InvalidDataError(f"X is a {type(X).__qualname__}, which is not computed yet; collect it first.")
        twice = [name for name, count in Counter(X.columns).items() if count > 1]
        if twice:  # rules could not tell them apart
            raise InvalidDataError(
                f"X has several columns with the same name: {some(map(repr, twice))}. Rename them, for example with "
                "X.columns = [...], or pass X.to_numpy()."
            )
        _refuse_odd_columns(X)
        return X
    if is_sparse(X):
        return X
    try:
        return np.asarray(X)
    except ValueError:
        why = "The samples in X do not all have the same length; pad or cut those that differ."
        raise InvalidDataError(why) from None


def _refuse_odd_columns(X: Any) -> None:
    """Refuse columns of which NumPy has no dense array."""
    dtypes = X.dtypes.to_numpy() if hasattr(X.dtypes, "to_numpy") else X.dtypes
    for name, dtype in zip(X.columns, dtypes, strict=True):
        if str(dtype).startswith("Sparse"):
            raise InvalidDataError(
                f"The column {name} of X is sparse. Pass dense columns: X.sparse.to_dense() if all of them are sparse, "
                "or X[[...]].sparse.to_dense() for some."
            )
        if str(dtype).startswith("Struct("):
            raise InvalidDataError(
                f"The column {name} of X contains structs. Take them apart, as X.unnest({str(name)!r}) does."
            )
        if str(dtype) in ("Int128", "UInt128"):
            raise InvalidDataError(
                f"The column {name} of X contains integers of 128 bits, which NumPy does not have. Cast it to Int64 if "
                "they are small enough, else to Float64 (or to String, if they are identifiers)."
            )


def dense(table: Any) -> FloatArray:
    """Return the numbers in a frame, a sparse matrix or an array as a plain array."""
    if is_sparse(table):
        table = table.toarray()
    elif hasattr(table, "to_numpy"):
        table = table.to_numpy()
    return np.asarray(table, dtype=np.float64)


def numbers_of(X: Any, dtype: Any = None, order: Literal["F"] | None = None) -> AnyArray:
    """Return a table as an array of numbers, as scikit-learn's ``check_array`` does.

    Tables that this takes as they are need no scikit-learn, which takes a second to load.
    """
    if len(X.shape) == 2 and X.shape[1] and _has_plain_numbers(X):
        array = np.asarray(X)
        if order == "F" and dtype is not None and array.flags.c_contiguous and not array.flags.f_contiguous:
            return _by_columns(array, dtype)
        return np.asarray(array, dtype=dtype, order=order)
    from sklearn.utils import check_array

    array = check_array(X, dtype=dtype or "numeric", order=order, ensure_all_finite=False, ensure_min_samples=0)
    return array.astype(np.float64) if array.dtype == object else array  # such as decimals of Arrow and polars


def _by_columns(array: AnyArray, dtype: Any) -> AnyArray:
    """Return a copy in Fortran order, made block by block: in one go, each column would read all rows from memory."""
    copy = np.empty(array.shape, dtype=dtype, order="F")
    for start in range(0, len(array), _BLOCK):
        copy[start : start + _BLOCK] = array[start : start + _BLOCK]
    return copy


def _has_plain_numbers(X: Any) -> bool:
    if type(X) is np.ndarray:
        return X.dtype.kind in "biuf"
    dtypes = X.dtypes if hasattr(X, "iloc") else ()
    # pandas makes objects of numbers beside booleans.
    return len(dtypes) > 0 and all(isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in dtypes)


def column_of(X: Any, index: int) -> Any:
    """Return one column."""
    if hasattr(X, "iloc"):
        return X.iloc[:, index]
    if hasattr(X, "to_series"):
        return X.to_series(index).to_numpy()
    return X[:, [index]].toarray().ravel() if is_sparse(X) else X[:, index]


def with_columns(X: Any, columns: Mapping[int, Any]) -> Any:
    """Return a table of the same type with other values in some columns, given by their positions."""
    if hasattr(X, "iloc"):
        return X.assign(**{X.columns[index]: values for index, values in columns.items()})
    if hasattr(X, "to_series"):
        return X.with_columns(**{X.columns[index]: values for index, values in columns.items()})
    changed = np.array(X, dtype=object)
    for index, values in columns.items():
        changed[:, index] = values
    return changed


def is_low_precision(X: Any, index: int, kinds: str) -> bool:
    """Return whether a column has a dtype of one of these kinds for which numpy computes in less than 64 bits."""
    dtype = X.dtype if hasattr(X, "dtype") else column_of(X, index).dtype
    bits = 8 * getattr(dtype, "itemsize", 8)
    return getattr(dtype, "kind", "") in kinds and bits < (64 if dtype.kind == "f" else 32)


def part_of(X: Any, columns: tuple[int, ...] | int | None) -> Any:
    """Return some columns of a table, or one of them as a vector."""
    if columns is None:
        return X
    if isinstance(columns, int):
        return column_of(X, columns)
    return X.iloc[:, list(columns)] if hasattr(X, "iloc") else X[:, list(columns)]


def cells(X: Any, origin: IntArray) -> Any:
    """Return a table of the same type whose cells are taken from the rows in ``origin``.

    ``origin`` has one column per column of X; one if X is a vector.
    """
    if hasattr(X, "iloc"):
        made = type(X)({j: X.iloc[:, j].array.take(rows) for j, rows in enumerate(origin.T)})
        made.columns = X.columns
        return made
    if hasattr(X, "get_columns"):
        return type(X)([column.gather(rows) for column, rows in zip(X.get_columns(), origin.T, strict=True)])
    if not isinstance(X, np.ndarray):
        raise InvalidDataError(
            f"Cannot make synthetic rows from a {type(X).__qualname__}. Convert it to an array or to a data frame of "
            "pandas or polars, or use a teacher with copies=0."
        )
    return X[origin[:, 0]] if X.ndim == 1 else X[origin, np.arange(X.shape[1])]


def is_present(value: Any) -> bool:
    """Return whether a value is present, that is, not None, NaN, NaT or pandas.NA."""
    try:
        return value is not None and bool(value == value)
    except TypeError:  # pandas.NA equals nothing, not even itself
        return False
