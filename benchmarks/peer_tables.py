"""Other packages beside our lists and one tree, each on the sets and seeds that were measured of it."""

from __future__ import annotations

import pandas as pd

from benchmarks.methods import METHODS
from benchmarks.table_formats import NOTHING, TextTable, plus_minus, span
from benchmarks.tabular_report import by_method
from hedgerow.evidence.comparison import signed_rank

#: Methods of other packages, which are measured on fewer sets and stand in a table of their own.
PEERS = tuple(name for name, method in METHODS.items() if method.packages)
#: What they stand beside; the first is compared with them.
_BESIDE = ("accurate", "paper", "cart")


def peer_table(task: str, frame: pd.DataFrame) -> TextTable | None:
    """Return a row a package: its mean beside those of our methods on the same splits; None if none was measured."""
    scores, rules = by_method(frame, "score"), by_method(frame, "rules")
    beside = [name for name in _BESIDE if name in scores]
    rows = []
    for peer in PEERS:
        if peer not in scores:
            continue
        shared = scores[[peer, *beside]].dropna()
        if shared.empty:
            continue
        means = shared.groupby("name").mean()
        rows.append(
            [
                peer,
                plus_minus(means[peer].mean(), digits=4),
                *(plus_minus(means[name].mean(), digits=4) for name in beside),
                *_compared(task, means, peer),
                f"{rules.loc[shared.index, peer].groupby('name').mean().mean():.1f}",
                str(len(means)),
                span(shared.groupby("name").size()),
            ]
        )
    if not rows:
        return None
    measure = "Accuracy" if task == "classification" else "Mean squared error"
    return TextTable(
        title=f"{measure} of other packages, {task}",
        head=["package", "its mean", *beside, f"{_BESIDE[0]} better on", "p", "its rules", "sets", "seeds"],
        rows=rows,
        notes=[
            "Means over the sets and seeds that all methods in a row have; rows may cover different sets.",
            "p: two-sided Wilcoxon test over the sets, not corrected.",
        ],
    )


def _compared(task: str, means: pd.DataFrame, peer: str) -> tuple[str, str]:
    """Return on how many sets ours is better, and the p-value."""
    if _BESIDE[0] not in means:
        return NOTHING, NOTHING
    ours, theirs = means[_BESIDE[0]], means[peer]
    better = int((ours > theirs if task == "classification" else ours < theirs).sum())
    tested = len(means) > 1 and (ours != theirs).any()
    return f"{better} of {len(means)}", f"{signed_rank(ours, theirs):.2g}" if tested else NOTHING
