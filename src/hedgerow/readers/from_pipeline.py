"""Read a scikit-learn pipeline whose last step is a tree ensemble of any library that can be read.

The rules speak of the columns that go into the pipeline wherever its steps
can be undone. A threshold on a scaled column becomes the largest float64 that
the fitted transformer, asked itself, still sends below the threshold; so the
comparison is the pipeline's own, sample by sample, for float64 input. (Functions
such as the logarithm are not monotone in the last digit of a float64; there a
value next to a threshold may fall on the other side. Input in float32 or float16
is scaled in that precision by scikit-learn, and numpy's functions take small
whole numbers, int8 or int16, to float16 or float32; no transformer keeps the
dtype it was fitted on, so the thresholds are those for float64, and a warning
is given when such a column comes.) A threshold on an encoded column becomes a
set of categories, missing values go where what they are filled with goes. A
value outside a function's domain, such as the logarithm of a negative number,
counts as missing. None and NaN are the same.

What cannot be undone is computed by running that part of the pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from hedgerow.exceptions import InvalidParameterError, UnfittedModelError, UnsupportedModelError, warn
from hedgerow.features import Feature, Output
from hedgerow.forests.forest import Forest
from hedgerow.forests.union import in_double
from hedgerow.readers.rewriting import Rewriting
from hedgerow.readers.tracing import Table, trace


def read(model: Pipeline, feature_names: Sequence[str] | None, read_ensemble: Callable[[Any], Forest]) -> Forest:
    """Read a fitted pipeline: its ensemble, in terms of the columns that go into the pipeline.

    ``read_ensemble`` reads the last step, which may be of any library.
    """
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise UnfittedModelError("This Pipeline is not fitted yet. Call fit on it before its rules are read.") from None
    name, ensemble = model.steps[-1]
    if ensemble is None or isinstance(ensemble, str):
        raise UnsupportedModelError(f"The last step of this Pipeline, {name!r}, is {ensemble!r}, not a tree ensemble.")
    inner = in_double(read_ensemble(ensemble))
    columns = _column_names(model, inner, feature_names)
    start = Table.of_columns(columns)
    table = trace(Pipeline(model.steps[:-1]), start, "", inner.n_features) if model.steps[:-1] else start
    rewritten = Rewriting(inner, table).forest()
    _warn_of_undone(table, rewritten.features)
    has_names = feature_names is None and hasattr(model, "feature_names_in_")
    absent = inner.inputs.absent or "zero"
    inputs = replace(rewritten.inputs, columns=columns, has_names=has_names, absent=absent)
    return replace(rewritten, inputs=inputs)


def _column_names(model: Pipeline, inner: Forest, given: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the columns that go into the pipeline."""
    names = getattr(model, "feature_names_in_", None)
    n_columns = inner.n_features if len(model.steps) == 1 else getattr(model, "n_features_in_", None)
    if n_columns is None:
        texts = (CountVectorizer, HashingVectorizer)
        if given is None and not any(isinstance(part, texts) for part in model.get_params().values()):
            raise InvalidParameterError(
                "The first step of this Pipeline does not say how many columns it was fitted on. Pass feature_names."
            )
        return ("text",) if given is None else tuple(map(str, given))
    if given is not None and len(given) != n_columns:
        raise InvalidParameterError(f"{len(given)} feature names for a pipeline of {n_columns} columns; give one each.")
    if given is None and names is None and len(model.steps) == 1:
        return tuple(inner.inputs.names)
    return tuple(map(str, given if given is not None else names if names is not None else _numbered(n_columns)))


def _numbered(n_columns: int) -> list[str]:
    return [f"x{i}" for i in range(n_columns)]


def _warn_of_undone(table: Table, features: Sequence[Feature]) -> None:
    undone: dict[str, list[str]] = {}
    for feature in features:
        if type(feature) is Output and feature.steps.key in table.undone:
            undone.setdefault(table.undone[feature.steps.key].name, []).append(feature.name)
    if undone:
        steps = "; ".join(
            f"{step} makes {', '.join(names[:10])}{', ...' * (len(names) > 10)}" for step, names in undone.items()
        )
        warn(f"The rules speak of columns that the pipeline makes, because these steps cannot be undone: {steps}.")
