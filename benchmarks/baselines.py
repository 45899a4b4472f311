"""The baselines beside reference code: ``python -m benchmarks.baselines``.

RuleFit beside that of imodels, with as many terms, on five sets: test errors. SIRUS beside the package ``sirus``, on
three sets: the most frequent rules. NodeHarvest on its constraints, FIRE on its descent. What is not installed
(``pip install imodels sirus``; imodels needs ``six``, too) is left out. Rows are stored as they are measured; a second
call goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import Progress

from benchmarks.datasets import DEFAULT_DIRECTORY, Table, load_table
from benchmarks.results import Results, seconds
from hedgerow.baselines import (
    FireRegressor,
    NodeHarvestClassifier,
    NodeHarvestRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SirusClassifier,
    SirusRegressor,
)
from hedgerow.candidates.coverage import cover

SETS = {"boston": "regression", "abalone": "regression", "no2": "regression"}
LABELLED = {"wdbc": "classification", "diabetes": "classification"}
SIRUS_SETS = {"wdbc": "classification", "diabetes": "classification", "boston": "regression"}
MOST_ROWS = 1000
N_TERMS = 20
N_TREES = 2000
N_TOP = 5


def _load(name: str, task: str, data: Path, seed: int) -> Table:
    """Return a set as arrays, its classes as 0 and 1, with at most so many rows to train on."""
    table = load_table(name, task, data, seed)
    y, y_test = table.y[:MOST_ROWS], table.y_test
    if task == "classification":
        second = np.unique(y)[1]
        y, y_test = (y == second).astype(int), (y_test == second).astype(int)
    return Table(name, task, table.X.to_numpy()[:MOST_ROWS], y, table.X_test.to_numpy(), y_test)


def _test_error(model: Any, table: Table) -> float:
    """Return the share of wrong labels, or the mean squared error."""
    said = model.predict(table.X_test)
    return float(np.mean(said != table.y_test if table.task == "classification" else (said - table.y_test) ** 2))


def measure_rulefit(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """Test errors of both RuleFits with the same budget of terms."""
    results = Results("baselines_rulefit", ("name", "seed"))
    imodels = import_module("imodels") if find_spec("imodels") else None
    cases = [(name, task, seed) for name, task in (SETS | LABELLED).items() for seed in seeds]
    for name, task, seed in show(cases, "rulefit"):
        if (name, seed) in results or imodels is None:
            continue
        table = _load(name, task, data, seed)
        kind = "Classifier" if task == "classification" else "Regressor"
        ours = (RuleFitClassifier if kind == "Classifier" else RuleFitRegressor)(max_rules=N_TERMS, random_state=seed)
        theirs = getattr(imodels, f"RuleFit{kind}")(max_rules=N_TERMS, random_state=seed)
        ours_s, _ = seconds(lambda ours=ours, table=table: ours.fit(table.X, table.y))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what another package warns of, hundreds of times, is its business
            theirs_s, _ = seconds(lambda theirs=theirs, table=table: theirs.fit(table.X, table.y))
        results.add(
            {
                "name": name,
                "seed": seed,
                "ours": _test_error(ours, table),
                "imodels": _test_error(theirs, table),
                "ours_terms": ours.weighted_rules_.n_terms,
                "imodels_terms": int(np.count_nonzero(theirs.coef)),
                "ours_s": ours_s,
                "imodels_s": theirs_s,
            }
        )
    return results


def judge_rulefit(frame: pd.DataFrame) -> Iterator[tuple[str, Any, str]]:
    """Yield (what, measured, bar) of RuleFit."""
    for name, rows in frame.groupby("name"):
        yield (
            f"RuleFit, {name}: our test error / that of imodels",
            rows["ours"].mean() / rows["imodels"].mean(),
            "<= 1.05",
        )


def _shapes(rules: Iterable[Any]) -> set[frozenset[tuple[int, bool]]]:
    """Return rules without their cut points: a column and a side each."""
    return {frozenset((c.feature.index, bool(np.isinf(c.lower))) for c in rule.conditions) for rule in rules}


def _their_shapes(rules: Iterable[Any]) -> set[frozenset[tuple[int, bool]]]:
    return {frozenset((int(c.feature), c.op == "<") for c in rule.conditions) for rule in rules}


def measure_sirus(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """How many of the most frequent rules are the same up to their cut points; also of two seeds of the package."""
    results = Results("baselines_sirus", ("name", "seed"))
    package = import_module("sirus") if find_spec("sirus") else None
    for name, task, seed in show([(n, t, s) for n, t in SIRUS_SETS.items() for s in seeds], "sirus"):
        if (name, seed) in results or package is None:
            continue
        table = _load(name, task, data, seed)
        kind = "Classifier" if task == "classification" else "Regressor"
        ours = (SirusClassifier if kind == "Classifier" else SirusRegressor)(
            p0=0, max_rules=N_TOP, n_trees=N_TREES, random_state=seed
        ).fit(table.X, table.y)
        make = getattr(package, f"Sirus{kind}")
        theirs, again = (
            make(num_rules=N_TOP, num_trees=N_TREES, random_state=s).fit(table.X, table.y) for s in (seed, seed + 100)
        )
        # All that were ranked, also those that the ridge regression gives no weight.
        found = _shapes(ours.ranked_rules_)
        expected = _their_shapes(theirs.rules_)
        results.add(
            {
                "name": name,
                "seed": seed,
                "same": len(found & expected) / len(expected),
                "same_of_two_seeds": len(_their_shapes(again.rules_) & expected) / len(expected),
            }
        )
    return results


def judge_sirus(frame: pd.DataFrame) -> Iterator[tuple[str, Any, str]]:
    """Yield (what, measured, bar) of SIRUS."""
    for name, rows in frame.groupby("name"):
        bar = f">= {0.95 * rows['same_of_two_seeds'].mean():.2f}"
        yield f"SIRUS, {name}: share of the first {N_TOP} rules that the package has, too", rows["same"].mean(), bar


def measure_own(data: Path, seeds: Iterable[int], show: Any) -> Results:
    """NodeHarvest's constraints and training error, FIRE's descent."""
    results = Results("baselines_own", ("name", "seed"))
    for name, task, seed in show([(n, t, s) for n, t in (SETS | LABELLED).items() for s in seeds], "own"):
        if (name, seed) in results:
            continue
        table = _load(name, task, data, seed)
        kind = NodeHarvestClassifier if task == "classification" else NodeHarvestRegressor
        nodes = kind(max_rules=None, max_nodes=300, random_state=seed).fit(table.X, table.y)
        member = cover(nodes.nodes_, nodes.forest_.inputs.matrix(table.X)).matrix()
        said = nodes.predict_proba(table.X)[:, 1] if task == "classification" else nodes.predict(table.X)
        row = {
            "name": name,
            "seed": seed,
            "constraint": float(np.abs(member @ nodes.node_weights_ - 1).max()),
            "negative": float(-min(nodes.node_weights_.min(), 0.0)),
            "error_of_root": float(np.mean((said - table.y) ** 2) / np.var(table.y)),
            "rise": 0.0,
        }
        if task == "regression":
            fire = FireRegressor(max_rules=8, lambda_f=0.0, cv=3, random_state=seed).fit(table.X, table.y)
            row["rise"] = float(np.diff(fire.objectives_).max() / fire.objectives_[0])
        results.add(row)
    return results


def judge_own(frame: pd.DataFrame) -> Iterator[tuple[str, Any, str]]:
    """Yield (what, measured, bar) of NodeHarvest and FIRE."""
    yield (
        "NodeHarvest: largest error of a constraint",
        max(frame["constraint"].max(), frame["negative"].max()),
        "<= 1e-8",
    )
    yield "NodeHarvest: training error / that of the root, worst set", frame["error_of_root"].max(), "< 1"
    yield "FIRE: largest rise of the objective in a pass, as a share", frame["rise"].max(), "<= 1e-12"


PARTS = {
    "rulefit": (measure_rulefit, judge_rulefit),
    "sirus": (measure_sirus, judge_sirus),
    "own": (measure_own, judge_own),
}


def main() -> None:
    """Measure and print what was found beside what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.baselines", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--parts", nargs="+", default=list(PARTS), help=f"of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--seeds", type=int, nargs="+", default=range(3), help="seeds (default: 0 to 2)")
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    options = parser.parse_args()
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    with Progress(console=Console(stderr=True)) as progress:

        def show(items: Iterable[Any], what: str) -> Iterable[Any]:
            return progress.track(list(items), description=what)

        for measure, judge in (PARTS[part] for part in options.parts):
            frame = measure(options.data, options.seeds, show).frame()
            for what, measured, bar in judge(frame) if len(frame) else ():
                progress.console.print(f"{what}: {measured:.3g} (asked for: {bar})", highlight=False, markup=False)


if __name__ == "__main__":
    main()
