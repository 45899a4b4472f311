"""Which way finds shapelets fastest: ``python -m benchmarks.shapelet_search``.

The distances of shapelets of a UCR set from its training series, by hedgerow's own search, by
wildboar's compiled function, by stumpy's MASS and by a plain loop that numba compiles:
seconds, and how far each is from wildboar's distances.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
from stumpy.core import mass_absolute
from wildboar.distance import pairwise_subsequence_distance

from benchmarks.datasets import DEFAULT_DIRECTORY, load_series
from benchmarks.results import Results, seconds
from hedgerow.features.shapelet_search import PlainSearch

SETS = ("ItalyPowerDemand", "ECGFiveDays", "Coffee", "OliveOil", "Wafer")
N_SHAPELETS = 200


def drawn_shapelets(X: Any, seed: int = 0) -> list[Any]:
    """Return stretches of the series, of any length from 10 % on."""
    random = np.random.default_rng(seed)
    length = X.shape[1]
    found = []
    for _ in range(N_SHAPELETS):
        size = random.integers(max(3, length // 10), length + 1)
        start = random.integers(0, length - size + 1)
        found.append(X[random.integers(len(X)), start : start + size].copy())
    return found


def own(X: Any, shapelets: list[Any]) -> Any:
    """Return the distances by hedgerow's search."""
    search = PlainSearch(X)
    return np.sqrt(np.column_stack([search.match(shapelet)[0] for shapelet in shapelets]))


def by_wildboar(X: Any, shapelets: list[Any]) -> Any:
    """Return the distances by wildboar."""
    return pairwise_subsequence_distance(shapelets, X)


def by_stumpy(X: Any, shapelets: list[Any]) -> Any:
    """Return the distances by stumpy, a pair of series and shapelet at a time."""
    return np.array([[mass_absolute(shapelet, series).min() for shapelet in shapelets] for series in X])


@numba.njit  # type: ignore[untyped-decorator]
def _least(series: Any, shapelet: Any) -> float:
    least = np.inf
    for start in range(len(series) - len(shapelet) + 1):
        total = 0.0
        for i in range(len(shapelet)):
            total += (series[start + i] - shapelet[i]) ** 2
            if total >= least:
                break
        least = min(least, total)
    return float(least)


def by_numba(X: Any, shapelets: list[Any]) -> Any:
    """Return the distances by a compiled loop that leaves a stretch as soon as it is too far."""
    return np.sqrt([[_least(series, shapelet) for shapelet in shapelets] for series in X])


WAYS: dict[str, Callable[[Any, list[Any]], Any]] = {
    "hedgerow": own,
    "wildboar": by_wildboar,
    "stumpy": by_stumpy,
    "numba": by_numba,
}


def measure(data: Path) -> Results:
    """Measure what is not yet measured."""
    results = Results("shapelet_search", ("name", "way"))
    for name in SETS:
        X, _ = load_series(name, data)
        shapelets = drawn_shapelets(X)
        truth = by_wildboar(X, shapelets)
        for way, compute in WAYS.items():
            if (name, way) in results:
                continue
            compute(X[:2], shapelets[:2])  # compiled before the clock starts
            spent, found = seconds(lambda compute=compute, X=X, shapelets=shapelets: compute(X, shapelets))
            apart = float(np.max(np.abs(found - truth)))
            results.add(
                {"name": name, "way": way, "series": len(X), "length": X.shape[1], "seconds": spent, "apart": apart}
            )
    return results


def main() -> None:
    """Measure and print."""
    description = __doc__.partition("\n\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shapelet_search", description=description)
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    frame = measure(parser.parse_args().data).frame()
    console = Console(soft_wrap=True, highlight=False)
    console.print(
        frame.pivot_table(index=["name", "series", "length"], columns="way", values="seconds").round(3).to_string()
    )
    console.print(f"largest difference from wildboar's distances: {frame.groupby('way')['apart'].max().to_dict()}")


if __name__ == "__main__":
    main()
