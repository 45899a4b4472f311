"""Whether lists of 2 to 30 rules are as good as they should be: what is measured, the bar, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import pandas as pd

from benchmarks.size_tables import (
    ENSEMBLES,
    OURS,
    TAUGHT,
    at_budget,
    best_tree,
    budgets_of,
    forest_ratio,
    gain,
    p_value,
    paired,
    proven_share,
)
from benchmarks.table_formats import NOTHING, TextTable
from benchmarks.tabular_report import by_method

#: Budgets at which the gain over CART must be significant, and how much.
_CART_BUDGETS, _CART_P = (4, 8, 15), 0.01
#: Against the best optimal tree, at one of these.
_TREE_BUDGETS, _TREE_P = (4, 8), 0.05
#: The largest ratio of our error to CART's, by budget.
_RATIOS = {8: 0.95, 15: 0.93, 30: 0.95}
#: The least share of proven lists, by budget.
_PROVEN = {8: 0.8, 15: 0.6}
#: The largest median of the time of a fit, divided by that of a forest of 500 trees.
_SLOWEST = 3.0
#: From here on, more rules must not hurt.
_GROWING = (4, 8, 15, 30)
#: The budget at which sums of rules are compared.
_SUM_BUDGET = 15

#: What, what was measured, the bar, and whether it is met; None if it is only stated.
Bar = tuple[str, str, str, bool | None]


def bar_table(task: str, frame: pd.DataFrame) -> TextTable:
    """Return all bars of a task that can be judged by what is measured."""
    notes = [
        "On the sets and seeds that both methods have. p: two-sided Wilcoxon tests over the sets' means.",
        f"Sets measured: {frame.loc[frame['method'] == OURS, 'name'].nunique()}.",
    ]
    return verdict_table(f"The bars, {task}", bars(task, frame), notes)


def verdict_table(title: str, judged: Iterable[Bar], notes: list[str]) -> TextTable:
    """Return a row per bar."""
    verdicts = {True: "met", False: "not met", None: "stated"}
    rows = [[what, measured, bar, verdicts[None if met is None else bool(met)]] for what, measured, bar, met in judged]
    return TextTable(title, ["what", "measured", "bar", "verdict"], rows, notes=notes)


def bars(task: str, frame: pd.DataFrame) -> Iterator[Bar]:
    """Yield the bars."""
    yield from _against_cart(frame) if task == "classification" else _against_cart_by_ratio(frame)
    if task == "classification":
        yield from _against_trees(frame)
    else:
        yield from _against_fire(frame)
    yield from _taught(task, frame)
    yield from _growing(task, frame)
    yield from _proofs(frame)
    yield from _seconds(frame)


def _against_cart(frame: pd.DataFrame) -> Iterator[Bar]:
    for budget in budgets_of(frame):
        means = paired(frame, budget, "cart")
        if means is None:
            continue
        found, p = gain("classification", means[OURS], means["cart"]), p_value(means[OURS], means["cart"])
        strict = budget in _CART_BUDGETS
        bar = f"> 0, p < {_CART_P}" if strict else "> 0"
        met = bool(found > 0 and (not strict or p < _CART_P))
        yield f"accuracy minus CART's, {budget} rules", f"{found:+.4f}, p = {p:.2g}", bar, met


def _against_trees(frame: pd.DataFrame) -> Iterator[Bar]:
    significant: dict[int, bool] = {}
    for budget in budgets_of(frame):
        rival = best_tree("classification", frame, budget)
        means = paired(frame, budget, rival)
        if means is None:
            continue
        found, p = gain("classification", means[OURS], means[rival]), p_value(means[OURS], means[rival])
        significant[budget] = bool(found > 0 and p < _TREE_P)
        yield f"minus {rival}'s, the best tree at {budget} rules", f"{found:+.4f}, p = {p:.2g}", ">= 0", found >= 0
    known = [budget for budget in _TREE_BUDGETS if budget in significant]
    if known:
        where = " and ".join(str(budget) for budget in known if significant[budget]) or "none"
        asked = " or ".join(map(str, _TREE_BUDGETS))
        yield "budgets where that is significant", where, f"p < {_TREE_P} at {asked}", where != "none"


def _against_cart_by_ratio(frame: pd.DataFrame) -> Iterator[Bar]:
    for budget in budgets_of(frame):
        means = paired(frame, budget, "cart")
        if means is None:
            continue
        ratio, p = means[OURS].mean() / means["cart"].mean(), p_value(means[OURS], means["cart"])
        measured = f"{ratio:.3f} (geometric mean {gain('regression', means[OURS], means['cart']):.3f}), p = {p:.2g}"
        most = _RATIOS.get(budget)
        bar = NOTHING if most is None else f"<= {most}, p < {_CART_P}"
        met = None if most is None else bool(ratio <= most and p < _CART_P)
        yield f"MSE / CART's, {budget} rules", measured, bar, met


def _against_fire(frame: pd.DataFrame) -> Iterator[Bar]:
    means = paired(frame, _SUM_BUDGET, "fire")
    if means is not None:
        worse = int((means[OURS] > means["fire"]).sum())
        measured = f"{worse} of {len(means)}, ratio {means[OURS].mean() / means['fire'].mean():.3f}"
        yield f"sets worse than FIRE's sum of {_SUM_BUDGET} rules", measured, "at most half", worse <= len(means) / 2


def _taught(task: str, frame: pd.DataFrame) -> Iterator[Bar]:
    for rival in TAUGHT:
        for budget in budgets_of(frame):
            means = paired(frame, budget, rival)
            if means is not None:
                found, p = gain(task, means[OURS], means[rival]), p_value(means[OURS], means[rival])
                said = f"{found:+.4f}" if task == "classification" else f"ratio {found:.3f} (geometric mean)"
                yield f"against {rival}, {budget} rules", f"{said}, p = {p:.2g}", NOTHING, None


def _growing(task: str, frame: pd.DataFrame) -> Iterator[Bar]:
    """Judge that more rules never hurt, on the sets and seeds that have all sizes."""
    part = frame[(frame["method"] == OURS) & frame["budget"].isin(_GROWING)]
    scores = part.pivot_table(index=["name", "seed"], columns="budget", values="score").dropna()
    if scores.shape[1] < 2 or scores.empty:
        return
    means = scores.groupby("name").mean().mean()
    better = means if task == "classification" else -means
    measured = ", ".join(f"{budget:.0f}: {value:.4f}" for budget, value in means.items())
    yield "mean score by the most rules", measured, "never worse", all(a <= b for a, b in pairwise(better))


def _proofs(frame: pd.DataFrame) -> Iterator[Bar]:
    for budget in budgets_of(frame):
        share = proven_share(frame[(frame["method"] == OURS) & (frame["budget"] == budget)])
        if not np.isnan(share):
            least = _PROVEN.get(budget)
            bar, met = (NOTHING, None) if least is None else (f">= {100 * least:.0f} %", share >= least)
            yield f"proven optimal, {budget} rules", f"{100 * share:.0f} %", bar, met


def _seconds(frame: pd.DataFrame) -> Iterator[Bar]:
    for forest in ENSEMBLES:
        spent = by_method(at_budget(frame, 0), "cpu_s") if (frame["budget"] == 0).any() else pd.DataFrame()
        ratio = forest_ratio(frame[frame["method"] == OURS], spent, forest)
        if not np.isnan(ratio):
            yield f"fit / fit of {forest}, median", f"{ratio:.2f}", f"<= {_SLOWEST:.0f}", ratio <= _SLOWEST
