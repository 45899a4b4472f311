"""Leaves and features of time series forests against the libraries' own: ``python -m benchmarks.series_leaves``.

Every series of the training and the test part of UCR sets goes through every
tree, once by the library and once by hedgerow, from the model itself and from
its JSON. Writes ``results/series_leaves.csv``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.datasets import DEFAULT_DIRECTORY, load_series
from benchmarks.results import Results, seconds
from hedgerow import Forest, read_forest
from hedgerow.features import ShapeletDistance

SETS = ("GunPoint", "ItalyPowerDemand", "Coffee", "ECGFiveDays", "TwoLeadECG", "MoteStrain")
TREES = 100


def make(kind: str) -> Any:
    """Return a forest of this kind, not fitted."""
    library, name = kind.split(" ", 1)
    if library == "wildboar":
        from wildboar.ensemble import IntervalForestClassifier, ShapeletForestClassifier

        if name == "intervals":
            return IntervalForestClassifier(TREES, random_state=0)
        return ShapeletForestClassifier(TREES, metric=name, random_state=0)
    if library == "aeon":
        from aeon.classification.interval_based import TimeSeriesForestClassifier as OfAeon

        return OfAeon(n_estimators=TREES, random_state=0)
    from sktime.classification.interval_based import TimeSeriesForestClassifier as OfSktime

    return OfSktime(n_estimators=TREES, random_state=0)


KINDS = ("wildboar euclidean", "wildboar scaled_euclidean", "wildboar intervals", "aeon intervals", "sktime intervals")


def own_tables(model: Any, X: Any) -> list[Any]:
    """Return the table of interval features of each tree, made by aeon or sktime."""
    if type(model).__module__.startswith("aeon"):
        return [selectors[0].transform(X[:, None]) for selectors in model.intervals_]
    from sktime.base._panel.forest._tsf import _transform

    return [_transform(X, intervals) for intervals in model.intervals_]


def own_leaves(model: Any, X: Any) -> Any:
    """Return the library's own leaves, of shape (n_series, n_trees)."""
    if type(model).__module__.startswith("wildboar"):
        return np.column_stack([tree.apply(X) for tree in model.estimators_])
    return np.column_stack([t.apply(table) for t, table in zip(model.estimators_, own_tables(model, X), strict=True)])


def own_features(model: Any, forest: Forest, X: Any) -> Callable[[int], Any]:
    """Return a function from the number of a feature to its values by the library's own functions."""
    if type(model).__module__.startswith("wildboar"):
        return lambda i: _of_wildboar(forest.features[i], X)
    own: dict[int, Any] = {}
    for member, tree, table in zip(model.estimators_, forest.trees, own_tables(model, X), strict=True):
        for node in np.flatnonzero(tree.left >= 0):
            own[int(tree.feature[node])] = table[:, member.tree_.feature[node]]
    return own.__getitem__


def _of_wildboar(feature: Any, X: Any) -> Any:
    if isinstance(feature, ShapeletDistance):
        from wildboar.distance import pairwise_subsequence_distance

        return pairwise_subsequence_distance(np.array(feature.shapelet), X, metric=feature.metric).ravel()
    from wildboar.transform import IntervalTransform

    part = np.ascontiguousarray(X[:, feature.start : feature.end])
    made = IntervalTransform(n_intervals=1, intervals="fixed", summarizer="mean_var_slope").fit_transform(part)
    return made[:, ("mean", "variance", "slope").index(feature.statistic)]


def measure(data: Path) -> Results:
    """Fit each kind of forest on each set, and compare."""
    results = Results("series_leaves", ("name", "forest", "part"))
    for name, kind in track([(s, k) for s in SETS for k in KINDS], "series", console=Console(stderr=True)):
        if (name, kind, "TEST") in results:
            continue
        model = make(kind).fit(*load_series(name, data))
        forest = read_forest(model)
        again = Forest.from_json(forest.to_json())
        for part in ("TRAIN", "TEST"):
            X, _ = load_series(name, data, part)
            taken, leaves = seconds(lambda X=X, forest=forest: forest.apply(X))
            of_library, expected = seconds(lambda X=X, model=model: own_leaves(model, X))
            own = own_features(model, forest, X)
            apart = max(np.abs(feature.compute(X) - own(i)).max() for i, feature in enumerate(forest.features))
            results.add(
                {
                    "name": name,
                    "forest": kind,
                    "part": part,
                    "series": len(X),
                    "length": X.shape[1],
                    "trees": forest.n_trees,
                    "features": len(forest.features),
                    "leaves": leaves.size,
                    "other_leaves": int((leaves != expected).sum()),
                    "other_leaves_from_json": int((again.apply(X) != expected).sum()),
                    "largest_difference_of_a_feature": float(apart),
                    "seconds": taken,
                    "seconds_of_library": of_library,
                }
            )
    return results


def main() -> None:
    """Compare, write, and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.series_leaves", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    frame = measure(parser.parse_args().data).frame()
    Console().print(frame.to_string(index=False, float_format="%.3g"), soft_wrap=True, highlight=False)
    wrong = int(frame["other_leaves"].sum() + frame["other_leaves_from_json"].sum())
    Console().print(f"{wrong} of {2 * frame['leaves'].sum()} leaves differ.", highlight=False)


if __name__ == "__main__":
    main()
