"""What hedgerow needs and what it can use: the installed versions, and whether they are recent enough.

Which versions are wanted is read from the metadata of the installed package, so that it is written down only once, in
``pyproject.toml``. To add a part, write its extra there and its purpose in ``PURPOSES``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Literal

#: What each extra is for. The extra ``parquet`` is part of ``cli``, and ``all`` is all of these.
PURPOSES = {
    "cli": "the command line; tables in files; models in skops files",
    "report": "reports as web pages",
    "sql": "rule lists as SQL",
    "plot": "pictures",
    "onnx": "rule lists as ONNX",
    "parquet": "tables in Parquet files, also larger than memory",
    "dask": "tables on a cluster",
    "xgboost": "models of XGBoost in memory (its files need no extra)",
    "lightgbm": "models of LightGBM in memory (its text files need no extra)",
    "catboost": "models of CatBoost",
    "timeseries": "forests of time series, by aeon, sktime and wildboar",
    "gurobi": "Gurobi as the solver",
    "scip": "SCIP as the solver",
    "baselines": "NodeHarvest, a method to compare with",
}
#: Distributions with another name that hold the same package.
_TWINS = {"xgboost-cpu": ("xgboost",), "pyarrow": ("pyarrow-core",)}
#: Packages that are not called like their distributions.
_MODULES = {"scikit-learn": "sklearn", "xgboost-cpu": "xgboost"}
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*(?:>=\s*(?P<least>[\d.]+))?[^;]*(?:;(?P<marker>.*))?")
_PYTHON = re.compile(r"python_version\s*(?P<compared>>=|<)\s*['\"](?P<version>[\d.]+)['\"]")
_EXTRA = re.compile(r"extra\s*==\s*['\"](?P<name>[\w-]+)['\"]")

State = Literal["ok", "missing", "too old", "broken"]


@dataclass(frozen=True)
class Package:
    """A package that is wanted, and the version that is there.

    Attributes
    ----------
    name : str
    least : str or None
        The oldest version that works.
    installed : str or None
        The installed version.
    error : str or None
        Why it cannot be imported, if that was tried.
    """

    name: str
    least: str | None
    installed: str | None
    error: str | None = None

    @property
    def state(self) -> State:
        """Whether the package can be used."""
        if self.installed is None:
            return "missing"
        if self.error is not None:
            return "broken"
        return "too old" if self.least is not None and release(self.installed) < release(self.least) else "ok"

    @property
    def module(self) -> str:
        """What is imported."""
        return _MODULES.get(self.name, self.name.replace("-", "_").lower())

    def __str__(self) -> str:
        if self.installed is None:
            return f"no {self.name}"
        older = f", needs {self.least}" if self.state == "too old" else ""
        broken = "" if self.error is None else f": {self.error}"
        return f"{self.name} {self.installed}{older}{broken}"


@dataclass(frozen=True)
class Part:
    """What can be installed in addition.

    Attributes
    ----------
    extra : str
    purpose : str
    packages : tuple of Package
    """

    extra: str
    purpose: str
    packages: tuple[Package, ...]

    @property
    def state(self) -> Literal["ok", "missing", "partial", "too old", "broken"]:
        """Whether the part can be used."""
        states: list[State] = [package.state for package in self.packages]
        if "broken" in states:
            return "broken"
        if "too old" in states:
            return "too old"
        if "missing" in states:
            return "partial" if "ok" in states else "missing"
        return "ok"

    @property
    def install(self) -> str:
        """The command that installs the part."""
        return f"pip install 'hedgerow[{self.extra}]'"


def release(text: str) -> tuple[int, ...]:
    """Return the numbers at the head of a version, without zeros at the end.

    >>> release("2.10.0rc1"), release("1.9") < release("1.10")
    ((2, 10), True)
    """
    found = re.match(r"\d+(\.\d+)*", text)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def find_parts(tried: bool = False) -> tuple[tuple[Package, ...], tuple[Part, ...]]:
    """Return the packages that hedgerow needs and the parts that it can use.

    Parameters
    ----------
    tried : bool
        Whether each package is imported, in a process of its own: a library that crashes takes nothing with it.
    """
    wanted: dict[str | None, list[Package]] = {extra: [] for extra in (None, *PURPOSES)}
    for extra, name, least in _wanted(_requirements()):
        if extra in wanted and name != "hedgerow":
            package = _found(name, least)
            wanted[extra].append(_tried(package) if tried else package)
    parts = [Part(extra, purpose, tuple(wanted[extra])) for extra, purpose in PURPOSES.items()]
    return tuple(wanted[None]), tuple(part for part in parts if part.packages)


def _requirements() -> list[str]:
    try:
        return requires("hedgerow") or []
    except PackageNotFoundError:  # the source runs without being installed
        return []


def _wanted(texts: Iterable[str]) -> Iterable[tuple[str | None, str, str | None]]:
    """Yield the extra, the name and the least version of each requirement that holds for this Python.

    >>> list(_wanted(["numpy>=2.0", "wildboar>=1.3; python_version < '3.0' and extra == 'timeseries'"]))
    [(None, 'numpy', '2.0')]
    """
    for text in texts:
        found = _REQUIREMENT.match(text)
        assert found is not None, text
        marker = found["marker"] or ""
        extra = _EXTRA.search(marker)
        newer = {
            limit["compared"]: sys.version_info[:2] >= release(limit["version"]) for limit in _PYTHON.finditer(marker)
        }
        if newer.get(">=", True) and not newer.get("<", False):
            yield None if extra is None else extra["name"], found["name"], found["least"]


def _found(name: str, least: str | None) -> Package:
    for distribution in (name, *_TWINS.get(name, ())):
        try:
            return Package(distribution, least, version(distribution))
        except PackageNotFoundError:
            continue
    return Package(name, least, None)


def _tried(package: Package) -> Package:
    if package.installed is None:
        return package
    command = [sys.executable, "-c", f"import {package.module}"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if not ran.returncode:
        return package
    said = ran.stderr.strip().splitlines() or [f"the process ended with code {ran.returncode}"]
    return Package(package.name, package.least, package.installed, said[-1])
