"""Results that survive an interruption: one CSV a table, a row a measurement, written as it is made."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

DIRECTORY = Path(__file__).parent / "results"
PACKAGES = (
    "hedgerow",
    "numpy",
    "scipy",
    "scikit-learn",
    "highspy",
    "gurobipy",
    "pyscipopt",
    "xgboost-cpu",
    "lightgbm",
    "catboost",
    "wildboar",
    "aeon",
    "sktime",
    "numba",
    "clarabel",
    "imodels",
    "sirus",
    "te2rules",
    "ruleopt",
    "pystreed",
    "pycontree",
    "licketysplit",
    "osrt",
    "ruleboost",
)
#: How a suite says where it is: (items, their number, what they are) -> the items; and a line of text.
Show = Callable[[Iterable[Any], int, str], Iterable[Any]]
Note = Callable[[str], None]


class Results:
    """The rows of one table, found again by their key columns."""

    def __init__(self, name: str, keys: tuple[str, ...], directory: Path = DIRECTORY) -> None:
        self.path, self.keys = directory / f"{name}.csv", keys
        directory.mkdir(parents=True, exist_ok=True)
        self.failures: list[Any] = []
        self.rows: list[dict[str, Any]] = []
        self.known: set[tuple[Any, ...]] = set()
        self._take_on(self._stored())

    def __contains__(self, key: tuple[Any, ...]) -> bool:
        return key in self.known

    def add(self, *rows: dict[str, Any]) -> None:
        """Append rows and write the file, with what another run has written in the meantime."""
        with _alone_in(self.path.parent):
            self._take_on(self._stored())
            self._take_on(rows)
            written = self.path.with_suffix(".part")  # so that an interruption loses no row
            self.frame().to_csv(written, index=False, float_format="%.6g")
            written.replace(self.path)
        self.path.with_suffix(".versions.json").write_text(json.dumps(versions(), indent=2) + "\n")

    def _stored(self) -> list[dict[str, Any]]:
        return pd.read_csv(self.path).to_dict("records") if self.path.exists() else []

    def _take_on(self, rows: Iterable[dict[str, Any]]) -> None:
        for row in rows:
            if self._key(row) not in self.known:
                self.rows.append(row)
                self.known.add(self._key(row))

    def _key(self, row: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(row[k] for k in self.keys)

    def frame(self) -> pd.DataFrame:
        """Return all rows."""
        return pd.DataFrame(self.rows)


@contextmanager
def _alone_in(directory: Path) -> Iterator[None]:
    """Wait until no other run writes into a directory; where the system has no such locks, do not."""
    if fcntl is None:
        yield
        return
    held = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def versions() -> dict[str, str]:
    """Return the versions of what is measured."""
    found = {"python": platform.python_version(), "machine": platform.machine(), "processor": processor()}
    found["cores"] = str(os.cpu_count())
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def processor() -> str:
    """Return the name of the processor, as far as the system says it."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text().splitlines() if listed.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return how long a call took, and what it returned."""
    started = time.perf_counter()
    answer = function()
    return time.perf_counter() - started, answer
