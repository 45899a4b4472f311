"""From a library's model to a forest: one file a library.

To add a library, write ``from_<library>.py`` with ``read(model, feature_names)
-> Forest`` and name it in ``READERS`` under the library's top-level package. If
its models have files of their own, write ``read_file(path, feature_names)`` and
name the library in ``FILES`` under their suffix.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from sklearn.frozen import FrozenEstimator
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline

from hedgerow.exceptions import InvalidParameterError, UnsupportedModelError
from hedgerow.forests.forest import Forest
from hedgerow.forests.json import FORMAT
from hedgerow.forests.union import union
from hedgerow.readers import from_pipeline, from_sklearn

#: Libraries whose ensembles take time series.
SERIES_LIBRARIES = ("wildboar", "aeon", "sktime")

READERS = {
    library: f"hedgerow.readers.from_{library}"
    for library in ("sklearn", "xgboost", "lightgbm", "catboost", *SERIES_LIBRARIES)
}

#: Libraries that write files with this suffix; where several do, a pattern that is in the files of each.
FILES = {
    ".ubj": {"xgboost": ""},
    ".json": {
        "xgboost": r'\A\s*\{\s*"(learner|version)"',
        "hedgerow": rf'\A\s*\{{\s*"format":\s*"{FORMAT}"',
        "catboost": '"features_info"',
    },
    ".txt": {"lightgbm": ""},
    ".cbm": {"catboost": ""},
}


def read_forest(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted tree ensemble into its neutral form.

    Parameters
    ----------
    model : estimator, path, Forest, or a list of them
        A fitted ensemble of a library in ``READERS``, or the path of a file
        in which such a library keeps it (``FILES``). Of a list, the union.
    feature_names : sequence of str, optional
        What to call the columns; the names the model saw, if not given.

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
            raise InvalidParameterError("The list of ensembles is empty; give at least one.")
        return union([read_forest(one, feature_names) for one in model])
    if isinstance(model, (str, PathLike)):
        return _read_file(Path(model), feature_names)
    if isinstance(model, (FrozenEstimator, BaseSearchCV)):
        return read_forest(from_sklearn.inside(model), feature_names)
    if isinstance(model, Pipeline):
        return from_pipeline.read(model, feature_names, read_forest)
    # The class itself may be the user's own; its library is that of the nearest ancestor.
    for ancestor in type(model).__mro__:
        library = ancestor.__module__.partition(".")[0]
        if library in READERS:
            return import_module(READERS[library]).read(model, feature_names)
    raise UnsupportedModelError(
        f"Cannot read a {type(model).__qualname__}. Readers exist for: {', '.join(READERS)}. "
        "Pass a hedgerow.Forest to bring your own."
    )


def _renamed(forest: Forest, names: Sequence[str]) -> Forest:
    """Return a forest with other names for its columns."""
    if forest.inputs.columns is not None or len(names) != len(forest.features):
        raise InvalidParameterError(
            f"{len(names)} feature names for a forest of {len(forest.features)} features; give one each."
        )
    features = tuple(f.with_name(str(name)) for f, name in zip(forest.features, names, strict=True))
    return replace(forest, inputs=replace(forest.inputs, features=features, has_names=False))


def _read_file(path: Path, feature_names: Sequence[str] | None) -> Forest:
    libraries = FILES.get(path.suffix.lower())
    if libraries is None:
        raise UnsupportedModelError(
            f"Cannot read {path.name!r}: files of models end in {', '.join(FILES)}. "
            f"Or give a fitted model; readers exist for: {', '.join(READERS)}."
        )
    text = path.read_text(encoding="utf-8", errors="replace") if len(libraries) > 1 else ""
    for library, pattern in libraries.items():
        if not re.search(pattern, text):
            continue
        if library == "hedgerow":
            return read_forest(Forest.from_json(text), feature_names)
        return import_module(READERS[library]).read_file(path, feature_names)
    raise UnsupportedModelError(f"{path.name!r} is no model of {' or '.join(libraries)}.")
