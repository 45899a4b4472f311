"""Boosters as people train them, on real data with categories and missing values: ``python -m benchmarks.boosters``.

Writes ``results/boosters.csv`` and the rule lists to ``results/boosters.md``.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from benchmarks.datasets import DEFAULT_DIRECTORY, load_frame
from benchmarks.results import DIRECTORY, Results, seconds
from hedgerow import RuleListClassifier, read_forest

SETS = ("heart-c", "bank-marketing", "adult")
LIBRARIES = ("xgboost", "lightgbm", "catboost")
SECONDS = 60.0


def make(library: str) -> Any:
    """Return a classifier with the library's own defaults, on one thread."""
    if library == "xgboost":
        from xgboost import XGBClassifier

        return XGBClassifier(enable_categorical=True, n_jobs=1, random_state=0)
    if library == "lightgbm":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(n_jobs=1, random_state=0, verbose=-1)
    from catboost import CatBoostClassifier

    # Its default for categories, target statistics, has no rules; one column per category has.
    return CatBoostClassifier(
        n_estimators=300, one_hot_max_size=255, thread_count=1, random_state=0, verbose=0, allow_writing_files=False
    )


def prepare(X: Any, library: str) -> Any:
    """Return the frame as the library wants it."""
    names = X.select_dtypes(exclude="number").columns
    if library == "catboost":  # takes no missing category
        return X.assign(**{name: X[name].astype(object).fillna("(none)") for name in names})
    return X.astype(dict.fromkeys(names, "category"))


def measure(data: Path) -> tuple[Results, list[str]]:
    """Train, read, extract; return the table and the lists as text."""
    results, texts = Results("boosters", ("name", "library")), []
    for name, library in track([(s, b) for s in SETS for b in LIBRARIES], "boosters", console=Console(stderr=True)):
        frame, labels = load_frame(name, data)
        X, y = prepare(frame, library), np.unique(labels, return_inverse=True)[1]
        X, X_test, y, y_test = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
        model = make(library)
        if library == "catboost":
            model.set_params(cat_features=list(X.select_dtypes(exclude="number").columns))
        fit_s, _ = seconds(lambda model=model, X=X, y=y: model.fit(X, y))
        read_s, forest = seconds(lambda model=model: read_forest(model))
        rules = RuleListClassifier(model, max_rules=8, time_limit=SECONDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            extract_s, _ = seconds(lambda rules=rules, X=X, y=y: rules.fit(X, y))
        fidelity = rules.fidelity(X_test, y_test)
        said = np.asarray(model.predict(X_test)).ravel()
        row = {
            "name": name,
            "library": library,
            "trees": forest.n_trees,
            "leaves": float(np.mean([tree.n_leaves for tree in forest.trees])),
            "same_labels": float(np.mean(rules.forest_.labels(X_test) == said)),
            "fit_s": fit_s,
            "read_s": read_s,
            "extract_s": extract_s,
            "gap": rules.solution_.gap,
            "list_accuracy": fidelity.score,
            "ensemble_accuracy": fidelity.ensemble_score,
            "agreement": 1 - fidelity.disagreement,
        }
        if (name, library) not in results:
            results.add(row)
        texts.append(f"## {library} on {name}\n\n```text\n{rules.rule_list_}\n```\n")
    return results, texts


def main() -> None:
    """Measure, write, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boosters", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_DIRECTORY, help="the directory with MANIFEST.csv")
    results, texts = measure(parser.parse_args().data)
    head = "# Rule lists of boosters\n\nMade by `python -m benchmarks.boosters`; 75 % of each set for training.\n\n"
    (DIRECTORY / "boosters.md").write_text(head + "\n".join(texts))
    frame = results.frame()
    Console().print(frame.to_string(index=False, float_format="%.4g"), soft_wrap=True, highlight=False)


if __name__ == "__main__":
    main()
