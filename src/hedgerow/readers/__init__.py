"""From a library's model to a forest: one file a library.

To add a library, write ``from_<library>.py`` with ``read(model, feature_names)
-> Forest`` and name it in ``READERS`` under the library's top-level package.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from hedgerow.exceptions import InvalidParameterError, UnsupportedModelError
from hedgerow.forest import Forest, union

READERS = {"sklearn": "hedgerow.readers.from_sklearn"}


def read_forest(model: Any, feature_names: Sequence[str] | None = None) -> Forest:
    """Read a fitted tree ensemble into its neutral form.

    Parameters
    ----------
    model : estimator, Forest, or a list of them
        A fitted ensemble of a library in ``READERS``. Of a list, the union.
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
