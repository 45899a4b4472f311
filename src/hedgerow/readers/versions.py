"""Which versions of the libraries the readers were tested with.

A newer version may store its trees in another way, so a model of one is read with a warning. Once the tests pass with
it, enter it in ``TESTED``.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from hedgerow.exceptions import warn


class Tested(NamedTuple):
    """What a library is called, and the newest version (major, minor) that its reader was tested with."""

    name: str
    newest: tuple[int, int]


TESTED = {
    "sklearn": Tested("scikit-learn", (1, 9)),
    "xgboost": Tested("XGBoost", (3, 4)),
    "lightgbm": Tested("LightGBM", (4, 7)),
    "catboost": Tested("CatBoost", (1, 2)),
    "wildboar": Tested("wildboar", (1, 3)),
    "aeon": Tested("aeon", (1, 6)),
    "sktime": Tested("sktime", (1, 2)),
}

#: What was warned of in this process: one warning per library and version is enough.
_known: set[tuple[str, str]] = set()


def warn_if_newer(library: str, version: str | None = None) -> None:
    """Warn of a version newer than any that was tested: the one that wrote a model file, or else the installed one."""
    installed = version is None
    version = sys.modules[library].__version__ if version is None else version
    found = re.match(r"(\d+)\.(\d+)", version)
    tested = TESTED[library]
    if found is None or (int(found[1]), int(found[2])) <= tested.newest or (library, version) in _known:
        return
    _known.add((library, version))
    newest = f"{tested.newest[0]}.{tested.newest[1]}"
    way_out = f"install {tested.name} {newest} and train again" if installed else f"save the model with {newest}"
    warn(
        f"This model is from {tested.name} {version}, which is newer than the versions this release of hedgerow was "
        f"tested with (up to {newest}). If that version stores trees differently, the rules may be wrong: compare "
        f"read_forest(model).predict(X) with the model's own predictions, update hedgerow, or {way_out}."
    )
