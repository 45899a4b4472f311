"""What finding leaves and applying a list cost beside scikit-learn: ``python -m benchmarks.routing``.

The data are synthetic, 20 columns. Both sides take turns in one process, and of each the least time counts, on the
clock and of the processor; a ratio is our time over scikit-learn's. On a busy machine, only the processor's is telling.
Routing is measured from X to the number of the leaf of each row in each tree, beside ``forest.apply``; ``predict`` of a
list beside that of the decision tree whose leaves are its rules.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.table_formats import TextTable
from hedgerow import RuleListClassifier, RuleListRegressor, read_forest

_TRAINING = 20_000
#: Depth, trees and the share of the rows: deeper trees take longer.
_FORESTS = ((3, 100, 1.0), (6, 100, 0.2), (10, 30, 0.2), (None, 30, 0.2))
_N_RULES = (8, 30)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything and print two tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.routing", description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args(arguments)
    X, y = make_classification(given.rows, 20, n_informative=8, random_state=0)
    single = X.astype(np.float32)
    header = ["ours", "scikit-learn", "ratio", "processor's ratio"]
    routing = list(_routing({"float32": single, "float64": X}, y, given.repeats))
    columns = [f"x{i}" for i in range(X.shape[1])]
    tables = {
        "float32": single,
        "float64": X,
        "DataFrame of float32": pd.DataFrame(single, columns=columns),
        "DataFrame of float64": pd.DataFrame(X, columns=columns),
    }
    predicting = list(_predicting(tables, y, given.repeats))
    console = Console(highlight=False, soft_wrap=True)
    for title, first, rows in (
        ("Routing", ["depth", "trees", "rows", "X", "threads"], routing),
        ("Predict", ["rules", "task", "X"], predicting),
    ):
        console.print(TextTable(title, [*first, *header], rows).to_markdown(), markup=False)


def _routing(tables: dict[str, Any], y: Any, repeats: int) -> Iterator[list[str]]:
    for depth, n_trees, share in _FORESTS:
        for name, X in tables.items():
            part = X[: int(share * len(X))]
            model = RandomForestClassifier(n_trees, max_depth=depth, random_state=0)
            forest = read_forest(model.fit(X[:_TRAINING], y[:_TRAINING]))
            ends = [np.where(tree.left < 0, np.cumsum(tree.left < 0) - 1, -1) for tree in forest.trees]
            for n_jobs in (1, 2):
                model.set_params(n_jobs=n_jobs)

                def ours(forest: Any = forest, X: Any = part, ends: Any = ends, n_jobs: int = n_jobs) -> Any:
                    return forest.route(forest.inputs.matrix(X), ends, n_jobs)

                def theirs(model: Any = model, X: Any = part) -> Any:
                    return model.apply(X)

                about = ["full" if depth is None else str(depth), str(n_trees), f"{len(part):,}", name, str(n_jobs)]
                yield [*about, *_compare(ours, theirs, repeats)]


def _predicting(tables: dict[str, Any], y: Any, repeats: int) -> Iterator[list[str]]:
    numbers = tables["float64"][:, :8].sum(axis=1) + y
    for n_rules in _N_RULES:
        for task, kind, estimator, target in (
            ("classification", DecisionTreeClassifier, RuleListClassifier, y),
            ("regression", DecisionTreeRegressor, RuleListRegressor, numbers),
        ):
            for name, X in tables.items():
                few = target[:_TRAINING]
                tree = kind(max_leaf_nodes=n_rules, random_state=0).fit(X[:_TRAINING], few)
                asked = estimator(tree, max_rules=n_rules, candidates="leaves").fit(X[:_TRAINING], few)
                rules = asked.rule_list_
                assert len(rules) == n_rules

                def ours(rules: Any = rules, X: Any = X) -> Any:
                    return rules.predict(X)

                def theirs(tree: Any = tree, X: Any = X) -> Any:
                    return tree.predict(X)

                yield [str(n_rules), task, name, *_compare(ours, theirs, repeats)]


def _compare(ours: Callable[[], Any], theirs: Callable[[], Any], repeats: int) -> list[str]:
    """Return the least seconds of both on the clock, and the ratios on the clock and of the processor."""
    spent = np.full((2, 2), np.inf)  # side, kind of time
    for _ in range(repeats):
        for side, function in enumerate((ours, theirs)):
            started, used = time.perf_counter(), time.process_time()
            function()
            spent[side] = np.minimum(spent[side], [time.perf_counter() - started, time.process_time() - used])
    (clock, processor), (their_clock, their_processor) = spent
    return [
        f"{clock:.3f}",
        f"{their_clock:.3f}",
        f"{clock / their_clock:.2f}",
        f"{processor / max(their_processor, 1e-9):.2f}",
    ]


if __name__ == "__main__":
    main()
