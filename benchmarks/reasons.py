"""Whether the smallest changes of :func:`hedgerow.evidence.reasons` change the prediction, on real data.

A part of ``python -m benchmarks.evidence`` (``--part reasons``). A list is learned from up to 5,000 rows of a set, with
its categories and missing values as they are. For 2,000 other rows, every change that is suggested is put into a copy
of the table by pandas, and the list predicts that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.datasets import load_frame
from benchmarks.results import Results
from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.evidence.explanation import Change, Reasons
from hedgerow.evidence.reasoning import Reasoner

KEYS = ("set", "task")
#: Sets with categories, with missing values, with integers, and with numbers to predict.
SETS = (
    ("adult", "classification"),
    ("FICO", "classification"),
    ("mushroom", "classification"),
    ("houses", "regression"),
    ("wine_quality", "regression"),
)
N_TRAIN, N_ROWS, MAX_RULES = 5000, 2000, 8

Row = dict[str, Any]


def changed_rows(X: pd.DataFrame, changes: list[tuple[int, Change]]) -> pd.DataFrame:
    """Return a table with a row per change: the one at its position, with the new values."""
    table = X.iloc[[i for i, _ in changes]].reset_index(drop=True).astype(object)
    for k, (_, change) in enumerate(changes):
        for column, value in change.values.items():
            table.loc[k, column] = value
    return table.infer_objects()


def measure(name: str, task: str, directory: Path | None) -> Row:
    """Return how many changes were suggested for the rows of a set, how many of them hold, and how long it took."""
    X, y = load_frame(name, directory)
    order = np.random.default_rng(0).permutation(len(X))
    new, train = order[:N_ROWS], order[N_ROWS : N_ROWS + N_TRAIN]
    estimator = RuleListClassifier if task == "classification" else RuleListRegressor
    targets = y.astype(str if task == "classification" else float)
    fitted = estimator.accurate(max_rules=MAX_RULES, random_state=0).fit(X.iloc[train], targets[train])
    rows = X.iloc[new].reset_index(drop=True)
    reasoner = Reasoner.of(fitted, X.iloc[train])
    started = time.process_time()
    found = [reasoner.reasons(rows.iloc[[i]]) for i in range(len(rows))]
    spent = time.process_time() - started
    return {"set": name, "task": task, "rules": len(fitted.rule_list_), "rows": len(rows)} | {
        **checked(fitted.rule_list_, rows, found),
        "ms": 1000 * spent / len(rows),
    }


def checked(rules: Any, rows: pd.DataFrame, found: list[Reasons]) -> Row:
    """Return how many changes there are, and how many of them lead to the prediction that they promise."""
    given = [(i, other, change) for i, one in enumerate(found) for other in one.others for change in other.changes]
    after = rules.predict(changed_rows(rows, [(i, change) for i, _, change in given]))
    before = np.array([one.prediction for one in found])
    held = [
        now == change.prediction and _is_wanted(now, before[i], other.answer, found[i].is_labels)
        for now, (i, other, change) in zip(after, given, strict=True)
    ]
    others = [other for one in found for other in one.others]
    return {
        "changes": len(given),
        "held": sum(held),
        "answers": len(others),
        "reached": sum(bool(other.changes) for other in others),
        "cut": sum(not other.is_complete for other in others),
        "columns": float(np.mean([len(other.changes[0].columns) for other in others if other.changes])),
        "same": int((rules.predict(rows) == before).sum()),
    }


def _is_wanted(now: Any, before: Any, answer: str, is_labels: bool) -> bool:
    if is_labels:
        return str(now) == answer != str(before)
    return bool(now > before if answer == "higher" else now < before)


def missing(results: Results) -> Iterator[tuple[str, str]]:
    """Yield the sets that are not measured yet."""
    yield from (one for one in SETS if one not in results.known)


def is_fine(results: Results) -> bool:
    """Return whether every change held, for every row the prediction was the list's own, and no search was cut."""
    frame = results.frame()
    fine = (frame["held"] == frame["changes"]) & (frame["same"] == frame["rows"]) & (frame["cut"] == 0)
    return bool(fine.all()) and len(frame) == len(SETS)


def as_markdown(results: Results) -> str:
    """Return the table for the page."""
    lines = ["| set | rules | rows | other answers | reached | changes | that hold | columns | ms per row |"]
    lines.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in results.frame().to_dict("records"):
        numbers = [row[name] for name in ("rules", "rows", "answers", "reached", "changes", "held")]
        cells = [row["set"], *map(str, numbers), f"{row['columns']:.2f}", f"{row['ms']:.1f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
