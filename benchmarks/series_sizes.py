"""Lists of at most eight rules on time series, beside trees of as many leaves.

For each UCR set with a test part, and each seed: two Random Shapelet Forests of 100 unpruned trees, one with plain and
one with scaled distances, and the list that ``RuleListClassifier.accurate`` makes of both; one shapelet tree in several
forms (of depth 3, with plain, scaled or both distances; the same with ten times as many shapelets tried at a node; and
unpruned, then cut back to the eight leaves with the fewest errors on the training series); and scikit-learn's tree with
eight leaves on two kinds of features from aeon: catch22, and random shapelets. Each is fitted to the training part and
scored on the test part.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier
from wildboar.ensemble import ShapeletForestClassifier
from wildboar.tree import ShapeletTreeClassifier

from benchmarks.datasets import load_series, series_sets
from benchmarks.parallel import Failure, run_jobs
from benchmarks.results import DIRECTORY, Note, Results, Show, seconds
from benchmarks.timeseries import FEWEST_SHAPELETS, SMALLEST, shapelets_at_a_node
from hedgerow import RuleListClassifier, read_forest

N_TREES, MAX_RULES, DEPTH = 200, 8, 3
#: The distances from shapelets: as they are, and after both were brought to mean 0 and standard deviation 1.
METRICS = ("euclidean", "scaled_euclidean")
BOTH = [(metric, None) for metric in METRICS]
#: How many times as many shapelets the tree with more of them tries at a node.
MORE = 10
#: How many shapelets aeon's transform looks at.
SAMPLED_SHAPELETS = 1000
#: The bars: mean accuracy of the lists; their mean gain over one shapelet tree, and its p-value.
LEAST_ACCURACY, LEAST_GAIN, LARGEST_P = 0.83, 0.04, 0.01


@dataclass
class Case:
    """A set's training part, and a seed; the forests are fitted once, for all that need them."""

    X: Any
    y: Any
    seed: int
    n_trees: int
    fitted: Any = None
    forests_s: float = 0.0

    @property
    def shapelets(self) -> dict[str, Any]:
        """What forests and trees are told about shapelets."""
        return {"n_shapelets": shapelets_at_a_node(*self.X.shape), "min_shapelet_size": SMALLEST}

    def forests(self) -> Any:
        """Return the fitted forests, one per metric, with half of the trees each."""
        if self.fitted is None:
            settings = self.shapelets | {"n_jobs": 1, "random_state": self.seed}
            forests = [ShapeletForestClassifier(self.n_trees // 2, metric=metric, **settings) for metric in METRICS]
            self.forests_s, self.fitted = seconds(lambda: [forest.fit(self.X, self.y) for forest in forests])
        return self.fitted

    def tree(self, **settings: Any) -> Any:
        """Return a fitted shapelet tree."""
        tree = ShapeletTreeClassifier(**self.shapelets | settings, strategy="random", random_state=self.seed)
        return tree.fit(self.X, self.y)


def _accurate(case: Case) -> tuple[Any, int]:
    rules = RuleListClassifier.accurate(case.forests(), max_rules=MAX_RULES, random_state=case.seed).fit(case.X, case.y)
    return rules.predict, len(rules.rule_list_)


def _forests(case: Case) -> tuple[Any, int]:
    forests = case.forests()

    def predict(X: Any) -> Any:
        shares = np.mean([forest.predict_proba(X) for forest in forests], axis=0)
        return forests[0].classes_[np.argmax(shares, axis=1)]

    return predict, case.n_trees


def _tree(metric: Any, more: int = 1) -> Callable[[Case], tuple[Any, int]]:
    """Return a function that fits a tree with a metric, and with so many times as many shapelets at a node."""

    def fitted(case: Case) -> tuple[Any, int]:
        tree = case.tree(max_depth=DEPTH, metric=metric, n_shapelets=more * case.shapelets["n_shapelets"])
        return tree.predict, read_forest(tree).trees[0].n_leaves

    return fitted


def _tree_cut_back(case: Case) -> tuple[Any, int]:
    # The nodes of one tree have no other partitions than its prunings.
    cut = RuleListClassifier(
        case.tree(), max_rules=MAX_RULES, candidates="nodes", max_conditions=100, stability_weight=0.0
    ).fit(case.X, case.y)
    return cut.predict, len(cut.rule_list_)


def _tree_on_catch22(case: Case) -> tuple[Any, int]:
    from aeon.transformations.collection.feature_based import Catch22

    return _tree_on(Catch22(replace_nans=True), case)


def _tree_on_random_shapelets(case: Case) -> tuple[Any, int]:
    from aeon.transformations.collection.shapelet_based import RandomShapeletTransform

    return _tree_on(RandomShapeletTransform(SAMPLED_SHAPELETS, random_state=case.seed), case)


def _tree_on(transformer: Any, case: Case) -> tuple[Any, int]:
    table = transformer.fit_transform(case.X, case.y)
    tree = DecisionTreeClassifier(max_leaf_nodes=MAX_RULES, random_state=case.seed).fit(table, case.y)
    return lambda X: tree.predict(transformer.transform(X)), tree.get_n_leaves()


#: From a case to a function that predicts, and the number of rules or leaves.
METHODS: dict[str, Callable[[Case], tuple[Any, int]]] = {
    "accurate": _accurate,
    "shapelet tree": _tree("euclidean"),
    "shapelet tree, scaled": _tree("scaled_euclidean"),
    "shapelet tree, both": _tree(BOTH),
    "shapelet tree, 10 x shapelets": _tree("euclidean", MORE),
    "shapelet tree, both, 10 x shapelets": _tree(BOTH, MORE),
    "shapelet tree, cut back": _tree_cut_back,
    "tree on catch22": _tree_on_catch22,
    "tree on random shapelets": _tree_on_random_shapelets,
    "forests": _forests,
}


@dataclass(frozen=True)
class Job:
    """One fit: a set, a seed, a method."""

    name: str
    seed: int
    method: str
    data: Path
    n_trees: int


def measure(
    data: Path | None,
    seeds: Iterable[int],
    show: Show,
    note: Note,
    sets: Iterable[str] | None = None,
    directory: Path = DIRECTORY,
    n_workers: int = 1,
    n_trees: int = N_TREES,
) -> Results:
    """Run what is not yet in the results, the cheapest sets first; forests have at most ``N_TREES`` trees."""
    results = Results("series_sizes", ("name", "seed", "method"), directory)
    known = [name for name in series_sets(data) if sets is None or name in sets]
    wanted = [(name, seed, method) for seed in seeds for name in known for method in METHODS]
    jobs = [Job(*key, data, min(n_trees, N_TREES)) for key in wanted if key not in results]
    for job, row in show(run_jobs(run, jobs, n_workers), len(jobs), "lists on series"):
        if isinstance(row, Failure):
            note(f"failed: {job.name}, seed {job.seed}, {job.method}: {row.message}")
            results.failures.append(row)
        else:
            results.add({"name": job.name, "seed": job.seed, "method": job.method} | row)
    return results


def run(job: Job) -> dict[str, Any]:
    """Return one row: the accuracy on the test part, the number of rules or leaves, the seconds of the fit.

    The seconds of the list do not include those of its forests.
    """
    case = _case(job.name, job.seed, job.data, job.n_trees)
    X_test, y_test = load_series(job.name, job.data, "TEST")
    if job.method == "accurate":
        case.forests()
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        predict, n_rules = METHODS[job.method](case)
    taken = case.forests_s if job.method == "forests" else time.perf_counter() - started
    return {"accuracy": float(np.mean(predict(X_test) == y_test)), "rules": n_rules, "fit_s": taken}


@lru_cache(maxsize=1)
def _case(name: str, seed: int, data: Path, n_trees: int) -> Case:
    """Return a case, the same one as long as the set and the seed do not change."""
    return Case(*load_series(name, data), seed, n_trees)


def report(results: Results) -> str:
    """Return the accuracies, one row per set, and how the lists stand against the bars, as Markdown."""
    frame = results.frame()
    table = frame.pivot_table(index="name", columns="method", values="accuracy", sort=False)
    table = table[[method for method in METHODS if method in table]].dropna()
    seeds = frame[frame["method"] == "accurate"].groupby("name")["seed"].count()
    lines = [
        f"| set | {' | '.join(table.columns)} | seeds |",
        f"|---|{'---|' * (len(table.columns) + 1)}",
        *(f"| {name} | {_cells(row)} | {seeds[name]} |" for name, row in table.iterrows()),
        f"| *mean of {len(table)}* | {_cells(table.mean(), 3)} | |",
        f"| *rules or leaves* | {_cells(frame.groupby('method')['rules'].mean()[table.columns], 1)} | |",
    ]
    return "\n".join([*lines, "", *_judged(table), "", *_how(frame)])


def _judged(table: pd.DataFrame) -> list[str]:
    """Return the gain over each rival, and whether the bars are reached."""
    own = table["accurate"]
    reached = "reached" if own.mean() >= LEAST_ACCURACY else "missed"
    lines = [f"Mean accuracy of the lists on {len(own)} sets: {own.mean():.3f} (bar {LEAST_ACCURACY}: {reached}).", ""]
    lines += ["| against | gain | wins : losses | p (Wilcoxon) | bar |", "|---|---|---|---|---|"]
    for rival in table.columns.drop("accurate"):
        gain = own - table[rival]
        p = wilcoxon(gain).pvalue if gain.any() else 1.0
        bar = "reached" if gain.mean() >= LEAST_GAIN and p < LARGEST_P else "missed"
        shown = bar if rival.startswith("shapelet tree") else ""
        lines.append(f"| {rival} | {gain.mean():+.3f} | {(gain > 0).sum()} : {(gain < 0).sum()} | {p:.2g} | {shown} |")
    return lines


def _how(frame: pd.DataFrame) -> list[str]:
    taken = frame.pivot_table(index="name", columns="method", values="fit_s").dropna()
    ratio = (taken["accurate"] / taken["forests"]).median() if len(taken) else float("nan")
    return [
        f"The bar of the gain: at least {LEAST_GAIN} with p < {LARGEST_P}. Time for the list / time to fit the forests "
        f"of {N_TREES} trees, median over the sets: {ratio:.2f}.",
        f"Trees and lists have at most {MAX_RULES} leaves or rules. A node of a tree tries as many shapelets as one of "
        f"the forest (at least {FEWEST_SHAPELETS}), or {MORE} times as many; aeon's transform looks at "
        f"{SAMPLED_SHAPELETS}.",
    ]


def _cells(row: pd.Series, digits: int = 2) -> str:
    return " | ".join(f"{value:.{digits}f}" for value in row)
