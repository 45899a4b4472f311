"""Trained ensembles from files, without running code that a file contains.

Native files of the boosters, forests as JSON and skops files hold data. A pickle is a program: it is loaded only if
its source is declared as trusted, and it is recognized by its bytes, not by its name.
"""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

from hedgerow._support.foreign_files import read_bytes, refuse_blow_up, refuse_pickle
from hedgerow.exceptions import HedgerowError, UnsupportedModelError, UntrustedModelError
from hedgerow.readers import read_forest

_PICKLES = (".pkl", ".pickle", ".joblib")

#: How files of each kind begin; a file that begins differently is not of that kind, whatever its name.
_BEGINNINGS = {
    ".skops": (rb"PK\x03\x04", "a skops file"),
    ".json": (rb"(\xef\xbb\xbf)?\s*\{", "JSON"),
    ".ubj": (rb"\{", "universal binary JSON"),
    ".txt": (rb"tree\r?\n", "a LightGBM model"),
    ".cbm": (rb"CBM1", "a CatBoost model"),
}

#: Types that skops does not trust by default, but of which a file holds arrays and parameters only, no code.
_DATA_TYPES = re.compile(
    r"sklearn\.tree\._tree\.Tree|sklearn\.ensemble\._hist_gradient_boosting\.predictor\.TreePredictor"
    r"|sklearn\.model_selection\._split\.\w*KFold|sklearn\.metrics\._scorer\._PassthroughScorer"
    r"|sklearn\.neural_network\._stochastic_optimizers\.(SGD|Adam)Optimizer"
    r"|sklearn\.compose\._column_transformer\._RemainderColsList"  # of releases before 1.7
    r"|numpy\.dtype|collections\.OrderedDict"
    r"|xgboost\.core\.Booster|xgboost\.sklearn\.XGB\w+|lightgbm\.basic\.Booster|lightgbm\.sklearn\.LGBM\w+"
    r"|catboost\.core\.CatBoost\w*"
)


def load_model(path: Path, trust_pickle: bool = False) -> Any:
    """Return the ensemble in a file: an estimator or a forest.

    Parameters
    ----------
    path : Path
        A skops file, a native file of XGBoost (.json, .ubj), LightGBM (.txt) or CatBoost (.json, .cbm), a forest
        written by ``Forest.to_json``, or a pickle (.pkl, .pickle, .joblib).
    trust_pickle : bool
        Whether to load pickles, and skops files with types unknown to skops. Both run any code that the file contains.

    Raises
    ------
    UntrustedModelError
        If loading the file may run code and ``trust_pickle`` is false.
    UnsupportedModelError
        If the file is not of any of these kinds, or is a pickle under another kind's suffix.
    """
    suffix, content = path.suffix.lower(), read_bytes(path)
    if suffix in _PICKLES:
        return _unpickled(path, trust_pickle)
    if suffix not in _BEGINNINGS:
        raise UnsupportedModelError(
            f"{path} is not a model file of a known kind. Model files end in {', '.join(_BEGINNINGS)}, "
            f"or, if they are trusted pickles, in {', '.join(_PICKLES)}."
        )
    beginning, kind = _BEGINNINGS[suffix]
    if not re.match(beginning, content):
        refuse_pickle(path, content, kind, "If it is a model, and only if you trust its source, rename it to .pkl.")
        raise UnsupportedModelError(f"{path} is not {kind}, though its name ends in {suffix}.")
    return _load_skops(path, content, trust_pickle) if suffix == ".skops" else read_forest(path)


def _unpickled(path: Path, trusted: bool) -> Any:
    if not trusted:
        raise UntrustedModelError(
            f"{path} is a pickle. Loading it runs any code that it contains, with all your permissions. Save the model "
            "with skops or in its library's own format, or load it as trusted only if you trust its source."
        )
    import joblib

    try:
        return joblib.load(path)  # also loads plain pickles
    except ModuleNotFoundError as error:
        raise UnsupportedModelError(f"{path} needs the library {error.name}, which is not installed.") from None
    except Exception as error:  # a pickle may raise anything
        raise UnsupportedModelError(f"{path} cannot be loaded as a pickle: {type(error).__name__}: {error}") from error


def _load_skops(path: Path, content: bytes, trusted: bool) -> Any:
    from skops import io

    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            refuse_blow_up(path, sum(part.file_size for part in packed.infolist()))
        judged = io.get_untrusted_types(data=content)
        unknown = sorted(name for name in judged if not _DATA_TYPES.fullmatch(name))
        if unknown and not trusted:
            raise UntrustedModelError(
                f"{path} has types that skops does not know to be safe: {', '.join(unknown[:5])}. "
                "Loading them may run any code. Load it as trusted only if you trust its source."
            )
        return io.loads(content, trusted=judged)
    except HedgerowError:
        raise
    except ModuleNotFoundError as error:
        raise UnsupportedModelError(f"{path} needs the library {error.name}, which is not installed.") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, AttributeError, ImportError) as error:
        raise UnsupportedModelError(f"{path} cannot be loaded as a skops file: {error}") from error
