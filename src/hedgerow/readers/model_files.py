"""Trained ensembles from files, without running code that a file brings.

Native files of the boosters, forests as JSON and skops files hold data. A pickle is a program: it is opened only if
that is asked for, and what is a pickle is told by its bytes, not by its name.
"""

from __future__ import annotations

import pickletools
import re
import zipfile
from pathlib import Path
from typing import Any

from hedgerow.exceptions import HedgerowError, InvalidDataError, UnsupportedModelError
from hedgerow.readers import read_forest

_PICKLES = (".pkl", ".pickle", ".joblib")

#: How files of each kind begin; what begins otherwise is not of that kind, whatever its name says.
_BEGINNINGS = {
    ".skops": (rb"PK\x03\x04", "a skops file"),
    ".json": (rb"(\xef\xbb\xbf)?\s*\{", "JSON"),
    ".ubj": (rb"\{", "universal binary JSON"),
    ".txt": (rb"tree\r?\n", "a model of LightGBM"),
    ".cbm": (rb"CBM1", "a model of CatBoost"),
}

#: How the files begin that joblib compresses: zlib, gzip, bz2, xz, lzma, lz4.
_COMPRESSED = rb"x[\x01\x5e\x9c\xda]|\x1f\x8b|BZh|\xfd7zXZ|\x5d\x00\x00|\x04\x22M\x18"

#: Types that skops leaves to be judged, of which a file brings the arrays and the parameters, and no code.
_DATA_TYPES = re.compile(
    r"sklearn\.tree\._tree\.Tree|sklearn\.ensemble\._hist_gradient_boosting\.predictor\.TreePredictor"
    r"|sklearn\.model_selection\._split\.\w*KFold|sklearn\.metrics\._scorer\._PassthroughScorer"
    r"|numpy\.dtype|collections\.OrderedDict"
    r"|xgboost\.core\.Booster|xgboost\.sklearn\.XGB\w+|lightgbm\.basic\.Booster|lightgbm\.sklearn\.LGBM\w+"
    r"|catboost\.core\.CatBoost\w*"
)


def load_model(path: Path, trust_pickle: bool = False) -> Any:
    """Return the ensemble in a file: an estimator, or a forest.

    Parameters
    ----------
    path : Path
        A skops file, a native file of XGBoost (.json, .ubj), LightGBM (.txt) or CatBoost (.json, .cbm), a forest that
        ``Forest.to_json`` wrote; or a pickle (.pkl, .pickle, .joblib).
    trust_pickle : bool
        Whether to open pickles, and skops files with types that skops does not know. Both run what code the file says.

    Raises
    ------
    UnsupportedModelError
        If the file is none of these, is a pickle that is not trusted, or a pickle under the name of something else.
    """
    suffix, content = path.suffix.lower(), read_bytes(path)
    if suffix in _PICKLES:
        return _unpickled(path, trust_pickle)
    if suffix not in _BEGINNINGS:
        raise UnsupportedModelError(
            f"{path} is no model file of a known kind. Models end in {', '.join(_BEGINNINGS)}; "
            f"pickles ({', '.join(_PICKLES)}) are opened with --trust-pickle only."
        )
    beginning, kind = _BEGINNINGS[suffix]
    if not re.match(beginning, content):
        refuse_pickle(
            path,
            content,
            kind,
            "If it is a model and you trust who made it, rename it to .pkl and give --trust-pickle.",
        )
        raise UnsupportedModelError(f"{path} is not {kind}, though its name ends in {suffix}.")
    return _load_skops(path, content, trust_pickle) if suffix == ".skops" else _read_native(path)


def read_bytes(path: Path) -> bytes:
    """Return what is in a file; one that cannot be read is an error of the data."""
    if path.is_dir():
        raise InvalidDataError(f"{path} is a folder. Name a file in it.")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidDataError(f"Cannot read {path}: {error.strerror}.") from None


def refuse_pickle(path: Path, content: bytes, kind: str, way_out: str) -> None:
    """Raise an error if what should be of some kind is a pickle."""
    if _is_pickle(content):
        raise UnsupportedModelError(f"{path} is a pickle, not {kind}: opening it would run the code in it. {way_out}")


def _is_pickle(content: bytes) -> bool:
    """Whether the bytes are instructions of a pickle (as far as the first of them), or what joblib compresses."""
    if re.match(rb"\x80[\x02-\x0f]|" + _COMPRESSED, content):
        return True
    try:
        return sum(1 for _ in pickletools.genops(content)) > 0  # the protocols 0 and 1 have no mark of their own
    except Exception:  # genops raises whatever a broken instruction leads to
        return False


def _unpickled(path: Path, trusted: bool) -> Any:
    if not trusted:
        raise UnsupportedModelError(
            f"{path} is a pickle. Opening one runs whatever code is in it, with all your rights: give --trust-pickle "
            "only if you trust who made it. Better keep the model with skops, or in a file of its own library."
        )
    import joblib

    try:
        return joblib.load(path)  # plain pickles, too
    except ModuleNotFoundError as error:
        raise UnsupportedModelError(f"{path} needs the library {error.name}, which is not installed.") from None
    except Exception as error:  # a pickle may raise anything
        raise UnsupportedModelError(f"{path} cannot be opened as a pickle: {type(error).__name__}: {error}") from error


def _load_skops(path: Path, content: bytes, trusted: bool) -> Any:
    from skops import io

    try:
        judged = io.get_untrusted_types(data=content)
        unknown = sorted(name for name in judged if not _DATA_TYPES.fullmatch(name))
        if unknown and not trusted:
            raise UnsupportedModelError(
                f"{path} has types that skops does not know to be safe: {', '.join(unknown[:5])}. "
                "Give --trust-pickle only if you trust who made it: loading them may run any code."
            )
        return io.loads(content, trusted=judged)
    except HedgerowError:
        raise
    except ModuleNotFoundError as error:
        raise UnsupportedModelError(f"{path} needs the library {error.name}, which is not installed.") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, AttributeError, ImportError) as error:
        raise UnsupportedModelError(f"{path} is no skops file that can be loaded: {error}") from error


def _read_native(path: Path) -> Any:
    try:
        return read_forest(path)
    except (HedgerowError, ModuleNotFoundError):
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise UnsupportedModelError(f"{path} is no whole model: {type(error).__name__}: {error}") from error
