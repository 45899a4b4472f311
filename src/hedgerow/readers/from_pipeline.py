"""Read a scikit-learn pipeline whose last step is a tree ensemble of any supported library.

The rules are about the columns that go into the pipeline wherever its steps can be inverted. A threshold on a scaled
column becomes the largest float64 that the fitted transformer itself still maps to at most the threshold, so that every
float64 sample is compared exactly as in the pipeline. A threshold on an encoded column becomes a set of categories, and
missing values go where their fill value goes. A value outside a function's domain, such as the logarithm of a negative
number, counts as missing. None and NaN are the same.

Two limits: functions such as the logarithm are not monotone in the last digit of a float64, so a value right next to a
threshold may fall on the other side. And scikit-learn scales float32 and float16 input in that precision, as numpy's
functions do with small integers (int8, int16). No transformer stores the dtype it was fitted on, so thresholds hold for
float64, and such a column raises a warning.

What cannot be inverted is computed by running that part of the pipeline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.pipeline import Pipeline

from hedgerow.exceptions import InvalidParameterError, UnsupportedModelError, warn
from hedgerow.features import Feature, Output
from hedgerow.forests.forest import Forest
from hedgerow.forests.union import in_double
from hedgerow.readers.checks import check_names, check_readable
from hedgerow.readers.rewriting import Rewriting
from hedgerow.readers.tracing import Table, trace


def read(model: Pipeline, feature_names: Sequence[str] | None, read_ensemble: Callable[[Any], Forest]) -> Forest:
    """Read a fitted pipeline: its ensemble, in terms of the columns that go into the pipeline.

    ``read_ensemble`` reads the last step, which may come from any library.
    """
    check_readable(model)
    name, ensemble = model.steps[-1]
    if ensemble is None or isinstance(ensemble, str):
        raise UnsupportedModelError(f"The last step of this Pipeline, {name!r}, is {ensemble!r}, not a tree ensemble.")
    inner = in_double(read_ensemble(ensemble))
    columns = _column_names(model, inner, feature_names)
    start = Table.of_columns(columns)
    table = trace(Pipeline(model.steps[:-1]), start, "", inner.n_features) if model.steps[:-1] else start
    rewritten = Rewriting(inner, table).forest()
    _warn_of_computed(table, rewritten.features)
    has_names = feature_names is None and hasattr(model, "feature_names_in_")
    absent = inner.inputs.absent or "zero"
    inputs = replace(rewritten.inputs, columns=columns, has_names=has_names, absent=absent)
    return replace(rewritten, inputs=inputs)


def _column_names(model: Pipeline, inner: Forest, given: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the columns that go into the pipeline."""
    names = getattr(model, "feature_names_in_", None)
    n_columns = inner.n_features if len(model.steps) == 1 else getattr(model, "n_features_in_", None)
    if n_columns is None:
        vectorizers = (CountVectorizer, HashingVectorizer)
        if given is None and not any(isinstance(part, vectorizers) for part in model.get_params().values()):
            raise InvalidParameterError(
                "The first step of this Pipeline does not store how many columns it was fitted on. Pass feature_names."
            )
        return ("text",) if given is None else tuple(map(str, given))
    check_names(given, n_columns, "a pipeline")
    if given is None and names is None and len(model.steps) == 1:
        return tuple(inner.inputs.names)
    known = names if given is None else given
    return tuple(f"x{i}" for i in range(n_columns)) if known is None else tuple(map(str, known))


def _warn_of_computed(table: Table, features: Sequence[Feature]) -> None:
    outputs: dict[str, list[str]] = {}
    for feature in features:
        if type(feature) is Output and feature.steps.key in table.computed:
            outputs.setdefault(table.computed[feature.steps.key].name, []).append(feature.name)
    if outputs:
        steps = "; ".join(
            f"{step} computes {', '.join(names[:10])}{', ...' * (len(names) > 10)}" for step, names in outputs.items()
        )
        warn(f"Rules are about columns that the pipeline computes, because these steps cannot be inverted: {steps}.")
