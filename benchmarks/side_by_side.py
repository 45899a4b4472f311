"""Is this checkout as fast as another: ``python -m benchmarks.side_by_side OTHER``.

OTHER is the directory of another checkout. Both run the same work in turn, in processes of their own, so that each
ratio (this one / the other) is from one run on one machine. The work: extraction with the paper's settings on five sets
(the fit of the forest not included), ``explain`` and ``predict`` on 100,000 rows, and the size of a pickle after a fit
to a million rows with 500 trees.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from benchmarks.datasets import DEFAULT_DIRECTORY, load_table, paper_forest
from benchmarks.results import seconds
from hedgerow import RuleListClassifier, RuleListRegressor

SETS = {
    "banknote": "classification",
    "diabetes": "classification",
    "wdbc": "classification",
    "kin8nm": "regression",
    "cpu_small": "regression",
}
ROWS = 100_000
MANY_ROWS = 1_000_000


def measure(data: Path, repeats: int) -> dict[str, float]:
    """Return what each piece of work takes with the hedgerow that is importable: the least of some repeats."""
    found: dict[str, float] = {}
    for name, task in SETS.items():
        table = load_table(name, task, data, 0)
        kind, budget = (RuleListClassifier, 4) if task == "classification" else (RuleListRegressor, 15)
        forest = paper_forest(task, 0).fit(table.X, table.y)
        estimator = kind(forest, max_rules=budget, candidates="leaves", random_state=0)
        found[f"extract {name}, s"] = _least(lambda e=estimator, t=table: e.fit(t.X, t.y), repeats)
    X, y = make_classification(ROWS, 20, n_informative=8, random_state=0)
    X[np.random.default_rng(0).random(X.shape) < 0.01] = np.nan
    forest = RandomForestClassifier(100, max_depth=3, random_state=0, n_jobs=-1).fit(X, y)
    rules = RuleListClassifier(forest, max_rules=8, random_state=0).fit(X, y)
    found[f"explain {ROWS:,} rows, s"] = _least(lambda: rules.explain(X), repeats)
    found[f"predict {ROWS:,} rows, s"] = _least(lambda: rules.predict(X), repeats)
    return found


def pickled_size() -> float:
    """Return the size of a pickle, in MB, after a fit to very many rows."""
    X, y = make_classification(MANY_ROWS, 10, n_informative=6, random_state=0)
    forest = RandomForestClassifier(500, max_depth=3, random_state=0, n_jobs=-1).fit(X[:20_000], y[:20_000])
    return len(pickle.dumps(RuleListClassifier(forest, max_rules=8, random_state=0).fit(X, y))) / 1e6


def _least(work: Any, repeats: int) -> float:
    return min(seconds(work)[0] for _ in range(repeats))


def main() -> None:
    """Measure both, in turn, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", type=Path, nargs="?", help="another checkout")
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pickle", action="store_true", help="also measure the pickle (in the first round)")
    parser.add_argument("--rounds", type=int, default=3, help="how often the two take turns")
    given = parser.parse_args()
    if given.other is None:
        found = measure(given.data, given.repeats)
        if given.pickle:
            found[f"pickle after {MANY_ROWS:,} rows, MB"] = pickled_size()
        sys.stdout.write(json.dumps(found))
        return
    here = Path(__file__).parents[1]
    rounds: dict[Path, list[dict[str, float]]] = {here: [], given.other: []}
    for k in range(given.rounds):
        for checkout, results in rounds.items():
            call = [sys.executable, "-m", "benchmarks.side_by_side", "--data", str(given.data.resolve())]
            call += ["--pickle"] * (k == 0)
            environment = os.environ | {"PYTHONPATH": str((checkout / "src").resolve())}
            done = subprocess.run(
                [*call, "--repeats", str(given.repeats)], cwd=here, env=environment, stdout=subprocess.PIPE, check=True
            )
            results.append(json.loads(done.stdout))
    this, other = (
        {name: min(r[name] for r in results if name in r) for name in results[0]} for results in rounds.values()
    )
    print(f"{'':32}{'this':>10}{'other':>10}{'ratio':>8}")  # noqa: T201
    for name, value in this.items():
        print(f"{name:32}{value:10.3f}{other[name]:10.3f}{value / other[name]:8.2f}")  # noqa: T201


if __name__ == "__main__":
    main()
