"""From a library's model to a forest: one file a library.

To add a library, write ``from_<library>.py`` with ``read(model, feature_names)
-> Forest`` and name it in ``READERS`` under the library's top-level package. If
its models have files of their own, write ``read_file(path, feature_names)`` and
name the library in ``FILES`` under their suffix.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from hedgerow.exceptions import InvalidParameterError, UnsupportedModelError
from hedgerow.forest import Forest, union

#: Libraries whose ensembles take time series.
SERIES_LIBRARIES = ("wildboar", "aeon", "sktime")

READERS = {
    library: f"hedgerow.readers.from_{library}"
    for library in ("sklearn", "xgboost", "lightgbm", "catboost", *SERIES_LIBRARIES)
}

#: Libraries that write files with this suffix; where several do, a word that is in the files of each.
FILES = {
    ".ubj": {"xgboost": ""},
    ".json": {"xgboost": '"learner"', "catboost": '"features_info"'},
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
        return model
    if isinstance(model, (list, tuple)):
        if not model:
            raise InvalidParameterError("The list of ensembles is empty; give at least one.")
        return union([read_forest(one, feature_names) for one in model])
    if isinstance(model, (str, PathLike)):
        return _read_file(Path(model), feature_names)
    # The class itself may be the user's own; its library is that of the nearest ancestor.
    for ancestor in type(model).__mro__:
        library = ancestor.__module__.partition(".")[0]
        if library in READERS:
            forest: Forest = import_module(READERS[library]).read(model, feature_names)
            return forest
    raise UnsupportedModelError(
        f"Cannot read a {type(model).__qualname__}. Readers exist for: {', '.join(READERS)}. "
        "Pass a hedgerow.Forest to bring your own."
    )


def _read_file(path: Path, feature_names: Sequence[str] | None) -> Forest:
    libraries = FILES.get(path.suffix.lower())
    if libraries is None:
        raise UnsupportedModelError(
            f"Cannot read {path.name!r}: files of models end in {', '.join(FILES)}. "
            f"Or give a fitted model; readers exist for: {', '.join(READERS)}."
        )
    text = path.read_text(encoding="utf-8", errors="replace") if len(libraries) > 1 else ""
    for library, word in libraries.items():
        if word in text:
            forest: Forest = import_module(READERS[library]).read_file(path, feature_names)
            return forest
    raise UnsupportedModelError(f"{path.name!r} is no model of {' or '.join(libraries)}.")
