"""From a library's model to a forest: one file per library.

To add a library, write ``from_<library>.py`` with ``read(model, feature_names) -> Forest`` and add it to ``READERS``
under the library's top-level package, with its newest tested version in ``TESTED`` (``versions.py``). If the library
has model files of its own, write ``read_file(path, feature_names)`` and add it to ``FILES`` under the files' suffix. A
reader imports its library inside its functions, never at module level.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from sklearn.frozen import FrozenEstimator
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline

from hedgerow._support.lettering import with_article
from hedgerow.exceptions import HedgerowError, InvalidParameterError, UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.forests.json import FORMAT
from hedgerow.forests.union import union
from hedgerow.readers import (
    from_aeon,
    from_catboost,
    from_lightgbm,
    from_pipeline,
    from_sklearn,
    from_sktime,
    from_wildboar,
    from_xgboost,
)
from hedgerow.readers.versions import warn_if_newer

#: Libraries whose ensembles take time series.
SERIES_LIBRARIES = ("wildboar", "aeon", "sktime")

READERS: dict[str, Callable[[Any, Sequence[str] | None], Forest]] = {
    "sklearn": from_sklearn.read,
    "xgboost": from_xgboost.read,
    "lightgbm": from_lightgbm.read,
    "catboost": from_catboost.read,
    "wildboar": from_wildboar.read,
    "aeon": from_aeon.read,
    "sktime": from_sktime.read,
}


def _read_json(path: Path, feature_names: Sequence[str] | None) -> Forest:
    return read_forest(Forest.from_json(path.read_text(encoding="utf-8", errors="replace")), feature_names)


#: By suffix and library: a pattern that tells its files from those of the others, and their reader.
FILES: dict[str, dict[str, tuple[str, Callable[[Path, Sequence[str] | None], Forest]]]] = {
    ".ubj": {"xgboost": ("", from_xgboost.read_file)},
    ".json": {
        "xgboost": (r'\A\s*\{\s*"(learner|version)"', from_xgboost.read_file),
        "hedgerow": (rf'\A\s*\{{\s*"format":\s*"{FORMAT}"', _read_json),
        "catboost": ('"features_info"', from_catboost.read_file),
    },
    ".txt": {"lightgbm": ("", from_lightgbm.read_file)},
    ".cbm": {"catboost": ("", from_catboost.read_file)},
}


def read_forest(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted tree ensemble into its neutral form.

    Parameters
    ----------
    model : estimator, path, Forest, or a list of them
        A fitted ensemble of a library in ``READERS``, or the path of a model
        file of such a library (``FILES``). A list stands for the union.
    feature_names : sequence of str, optional
        Names of the columns; by default those that the model was trained with.

    Returns
    -------
    Forest

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hedgerow import read_forest
    >>> X, y = load_iris(return_X_y=True)
    >>> read_forest(RandomForestClassifier(10, random_state=0).fit(X, y))
    Forest(10 trees, 4 features, 3 classes)
    """
    if isinstance(model, Forest):
        return model if feature_names is None else _renamed(model, feature_names)
    if isinstance(model, (list, tuple)):
        if not model:
            raise InvalidParameterError("The list of ensembles is empty; pass at least one.")
        return union([read_forest(one, feature_names) for one in model])
    if isinstance(model, (str, PathLike)):
        return _read_file(Path(model), feature_names)
    if isinstance(model, (FrozenEstimator, BaseSearchCV)):
        return read_forest(from_sklearn.inside(model), feature_names)
    if isinstance(model, Pipeline):
        return from_pipeline.read(model, feature_names, read_forest)
    if hasattr(type(model), "to_forest"):  # a model that knows its neutral form
        return model.to_forest(feature_names)
    # The class may be the user's own; its library is that of its nearest ancestor.
    for ancestor in type(model).__mro__:
        library = ancestor.__module__.partition(".")[0]
        if library in READERS:
            warn_if_newer(library)
            return READERS[library](model, feature_names)
    raise UnsupportedModelError(
        f"Cannot read {with_article(type(model).__qualname__)}. Readers exist for: {', '.join(READERS)}. "
        "For other models, pass a hedgerow.Forest."
    )


def _renamed(forest: Forest, names: Sequence[str]) -> Forest:
    """Return the forest with other names for its columns."""
    if forest.inputs.columns is not None or len(names) != len(forest.features):
        raise InvalidParameterError(
            f"{len(names)} feature names for a forest of {len(forest.features)} features; pass one name per feature."
        )
    features = tuple(f.with_name(str(name)) for f, name in zip(forest.features, names, strict=True))
    return replace(forest, inputs=replace(forest.inputs, features=features, has_names=False))


def _read_file(path: Path, feature_names: Sequence[str] | None) -> Forest:
    libraries = FILES.get(path.suffix.lower())
    if libraries is None:
        raise UnsupportedModelError(
            f"Cannot read {path.name!r}: model files end in {', '.join(FILES)}. "
            f"Alternatively, pass a fitted model; readers exist for: {', '.join(READERS)}."
        )
    text = path.read_text(encoding="utf-8", errors="replace") if len(libraries) > 1 else ""
    for pattern, read_file in libraries.values():
        if re.search(pattern, text):
            try:
                return read_file(path, feature_names)
            except (HedgerowError, ModuleNotFoundError):
                raise
            except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
                raise UnsupportedModelError(
                    f"{path.name!r} is not a complete model: {type(error).__name__}: {error}. Save the model again."
                ) from error
    raise UnsupportedModelError(f"{path.name!r} is not a model of {' or '.join(libraries)}.")
