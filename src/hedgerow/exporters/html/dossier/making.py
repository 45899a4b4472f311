"""How a list was made: its settings, and the versions of what made it and of what wrote the dossier."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

from hedgerow._support.lettering import shorten

#: What a list depends on, whatever the ensemble.
_PACKAGES = ("hedgerow", "highspy", "numpy", "scikit-learn", "scipy")
#: Parameters that do not change the list, and those that have a section of their own.
_LEFT_OUT = ("constraints", "n_jobs", "verbose", "warm_start")
_MOST_LETTERS = 400
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def settings_of(estimator: Any) -> tuple[tuple[str, str], ...]:
    """Return the parameters of a fitted estimator as text; what a preset has worked out is among them."""
    fitted = estimator.without_search
    given = fitted.get_params(deep=False)
    posed = vars(fitted).get("posed_")
    settled = given if posed is None else given | posed.settings.parameters
    settled |= {"preset": given.get("preset")}
    if settled.get("ensemble", "") is None and vars(fitted).get("ensemble_") is not None:
        settled["ensemble"] = f"{written(fitted.ensemble_)}, by default"
    found = {name: written(value) for name, value in settled.items() if name not in _LEFT_OUT}
    return (("estimator", type(fitted).__name__), *sorted(found.items()))


def told_settings(given: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return settings that are told, such as those in a certificate, as text."""
    return tuple(sorted((name, written(value)) for name, value in given.items() if name not in _LEFT_OUT))


def written(value: Any) -> str:
    """Write a parameter such that equal ones are written alike: no address in memory, one line.

    >>> written(None), written(0.5), written(len), written("dice")
    ('none', '0.5', 'len', 'dice')
    """
    if value is None or (isinstance(value, (tuple, list)) and not value):
        return "none"
    if isinstance(value, str):
        return value
    text = getattr(value, "__qualname__", None) or _ADDRESS.sub("", repr(value))
    return shorten(" ".join(str(text).split()), _MOST_LETTERS)


def versions(estimator: Any = None) -> tuple[tuple[str, str], ...]:
    """Return the versions of Python and of the packages that a list depends on."""
    packages = set(_PACKAGES)
    if estimator is not None:
        library = type(estimator.without_search.ensemble_).__module__.partition(".")[0]
        packages |= set(packages_distributions().get(library, ()))
    found = [("Python", platform.python_version())]
    for name in sorted(packages):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return tuple(found)
