"""Whether lists explain models as well as they should: what is measured, the bar, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.explaining_tables import (
    ON_THE_SAME_ROWS,
    OURS,
    RIVAL,
    forest_ratio,
    internal_means,
    measure,
    paired,
)
from benchmarks.size_bars import Bar, verdict_table
from benchmarks.size_tables import budgets_of, gain, p_value
from benchmarks.table_formats import NOTHING, TextTable

#: Budgets at which the gain over a surrogate tree must be significant and so large, as a difference and as a ratio.
_STRICT, _GAIN, _RATIO, _P = (8, 15), 0.02, 0.93, 0.01
#: The largest median of the time of a fit, divided by that of a forest of 500 trees.
_SLOWEST = 3.0
_STABLE = "faithful_stable"


def bar_table(suite: str, frame: pd.DataFrame) -> TextTable:
    """Return all bars of a suite that can be judged by what is measured."""
    n_sets = frame.loc[frame["method"] == OURS, "name"].nunique()
    notes = [
        "On the sets, seeds and kinds of model that both have. p: two-sided Wilcoxon tests over the sets' means.",
        f"Sets measured: {n_sets}; kinds of model: {', '.join(sorted(set(frame['model']) - {'labels'}))}.",
    ]
    return verdict_table(f"The bars of explaining, {suite}", bars(suite, frame), notes)


def bars(suite: str, frame: pd.DataFrame) -> Iterator[Bar]:
    """Yield the bars."""
    if suite == "others":
        yield from _of_others(frame)
        return
    yield from _against_surrogate(frame) if suite == "classification" else _by_ratio(frame)
    yield from _on_the_same_rows(suite, frame)
    yield from _on_labels(suite, frame)
    yield from _inside(frame)
    yield from _seconds(frame)


def _against_surrogate(frame: pd.DataFrame) -> Iterator[Bar]:
    for budget, means in _by_budget(frame, RIVAL):
        found, p = gain("classification", means[OURS], means[RIVAL]), p_value(means[OURS], means[RIVAL])
        strict = budget in _STRICT
        bar = f">= +{_GAIN}, p < {_P}" if strict else "> 0"
        met = bool(found >= _GAIN and p < _P) if strict else found > 0
        yield f"agreement minus {RIVAL} CART's, {budget} rules", f"{found:+.4f}, p = {p:.2g}", bar, met


def _by_ratio(frame: pd.DataFrame) -> Iterator[Bar]:
    for budget, means in _by_budget(frame, RIVAL):
        ratio, p = means[OURS].mean() / means[RIVAL].mean(), p_value(means[OURS], means[RIVAL])
        both = f"{ratio:.3f} (geometric mean {gain('regression', means[OURS], means[RIVAL]):.3f}), p = {p:.2g}"
        strict = budget in _STRICT
        bar, met = (f"<= {_RATIO}, p < {_P}", bool(ratio <= _RATIO and p < _P)) if strict else (NOTHING, None)
        yield f"1 - R² to the model / {RIVAL} CART's, {budget} rules", both, bar, met


def _on_the_same_rows(suite: str, frame: pd.DataFrame) -> Iterator[Bar]:
    for rival in ON_THE_SAME_ROWS:
        for budget, means in _by_budget(frame, rival):
            found, p = gain(suite, means[OURS], means[rival]), p_value(means[OURS], means[rival])
            labels = suite == "classification"
            said = f"{found:+.4f}" if labels else f"ratio {found:.3f} (geometric mean)"
            bar, met = (">= 0", found >= 0) if labels else ("<= 1", found <= 1)
            yield f"{measure(suite)}, against {rival}, {budget} rules", f"{said}, p = {p:.2g}", bar, met


def _on_labels(suite: str, frame: pd.DataFrame) -> Iterator[Bar]:
    """Judge the score on the true targets against CART on the true targets."""
    for budget, means in _by_budget(frame, "cart", "score"):
        found, p = gain(suite, means[OURS], means["cart"]), p_value(means[OURS], means["cart"])
        if suite == "classification":
            bar, met = ("> 0", found > 0) if budget in _STRICT else (NOTHING, None)
            yield f"accuracy minus CART's on the labels, {budget} rules", f"{found:+.4f}, p = {p:.2g}", bar, met
        else:
            yield f"MSE / CART's on the targets, {budget} rules", f"{found:.3f}, p = {p:.2g}", NOTHING, None


def _inside(frame: pd.DataFrame) -> Iterator[Bar]:
    """Judge whether the paper's measures are best with the paper's weight of stability."""
    for budget in budgets_of(frame):
        for by in ("condition", "path"):
            means = internal_means(frame, budget, by)
            if _STABLE in means and len(means) > 1:
                best = means.drop(_STABLE)
                said = f"{means[_STABLE]:.3f}; {best.idxmax()} {best.max():.3f}"
                yield f"trees represented by {by}, {budget} rules", said, "the most", means[_STABLE] >= best.max()


def _of_others(frame: pd.DataFrame) -> Iterator[Bar]:
    for kind in [None, *sorted(set(frame["model"]) - {"labels"})]:
        for budget, means in _by_budget(frame if kind is None else frame[frame["model"] == kind], RIVAL):
            found, p = gain("classification", means[OURS], means[RIVAL]), p_value(means[OURS], means[RIVAL])
            what = f"agreement minus {RIVAL} CART's, {kind or 'both models'}, {budget} rules"
            yield what, f"{found:+.4f}, p = {p:.2g}", "> 0", found > 0


def _seconds(frame: pd.DataFrame) -> Iterator[Bar]:
    ratios = forest_ratio(frame).dropna()
    if len(ratios):
        said = ", ".join(f"{budget:.0f}: {ratio:.2f}" for budget, ratio in ratios.items())
        worst = float(ratios.max())
        what = "seconds without the model's predictions / fit of a forest of 500 trees, median by rules"
        yield what, said, f"<= {_SLOWEST:.0f}", bool(np.isfinite(worst) and worst <= _SLOWEST)


def _by_budget(frame: pd.DataFrame, rival: str, column: str = "to_model") -> Iterator[tuple[int, pd.DataFrame]]:
    for budget in budgets_of(frame):
        means = paired(frame, budget, rival, column)
        if means is not None:
            yield budget, means
