"""What a race has shown: ratios of times, proofs within the limit, disagreements, and a performance profile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.size_pictures import COLORS

#: A run that ends like this has proven what there is to prove.
PROVEN = ("optimal", "infeasible")
_LISTS = ("optimal", "time_limit", "interrupted")
#: Objectives may differ by this share of the largest score in either list: the solvers' own tolerances.
_TOLERANCE = 2e-6
#: Shorter times cannot be told apart.
_LEAST_SECONDS = 1e-4
#: How far a run may exceed the limit, because clocks are read at different moments.
_ROUNDED = 1.02
_WORST = 5
_SIDES = ("left", "right")


def disagreement(row: dict[str, Any], labels: tuple[str, str]) -> str:
    """Say how two sides contradict each other; an empty string if they do not."""
    statuses = [row[f"{side}_status"] for side in _SIDES]
    if "infeasible" in statuses and any(status in _LISTS for status in statuses):
        no_list, has_list = labels if statuses[0] == "infeasible" else labels[::-1]
        return f"{no_list} says that there is no list, but {has_list} has one"
    if not all(status in _LISTS for status in statuses):
        return ""
    slack = _TOLERANCE * max(row[f"{side}_size"] for side in _SIDES)
    for one, other, who, whose in ((*_SIDES, *labels), (*_SIDES[::-1], *labels[::-1])):
        objective, bound = row[f"{one}_objective"], row[f"{other}_bound"]
        if bound is not None and objective > bound + slack:
            proof = "proven" if row[f"{other}_status"] == "optimal" else "a bound"
            return f"{who} has a list of {objective!r}, but {whose} says {bound!r}, {proof}"
    return ""


def proven(frame: pd.DataFrame) -> pd.DataFrame:
    """Return which instances each side has proven within the limit, by processor time."""
    found = pd.DataFrame(index=frame.index)
    for side in _SIDES:
        found[side] = frame[f"{side}_status"].isin(PROVEN) & (frame[f"{side}_cpu"] <= _ROUNDED * frame["limit"])
    return found


def timed(frame: pd.DataFrame, what: str = "cpu") -> pd.DataFrame:
    """Return the seconds of both sides; a run without a proof takes the whole limit at least."""
    seconds, done = pd.DataFrame(index=frame.index), proven(frame)
    for side in _SIDES:
        spent = frame[f"{side}_{what}"].clip(lower=_LEAST_SECONDS)
        seconds[side] = spent.where(done[side], np.maximum(spent, frame["limit"]))
    return seconds


def summary(frame: pd.DataFrame, labels: tuple[str, str]) -> Iterator[str]:
    """Yield the lines of the summary."""
    seconds = timed(frame)
    ratio = seconds["right"] / seconds["left"]
    both = _both(frame)
    left, right = labels
    yield f"{len(frame)} instances, {int(frame['free_licence'].sum())} of them within the free licence of Gurobi"
    yield f"{right} / {left}, processor time, geometric mean of all: {_mean(ratio):.3g}"
    clock = timed(frame, "clock")
    yield f"{right} / {left}, by the clock, geometric mean of all: {_mean(clock['right'] / clock['left']):.3g}"
    yield f"{right} / {left}, processor time, of the {both.sum()} that both prove: {_mean(ratio[both]):.3g}"
    yield f"{right} is faster on {(ratio < 1).sum()} of {len(ratio)} = {100 * (ratio < 1).mean():.1f} %"
    for side, label in zip(_SIDES, labels, strict=True):
        counts = frame[f"{side}_status"].value_counts().to_dict()
        yield f"{label}: " + ", ".join(f"{status} {count}" for status, count in counts.items())
        over = frame[f"{side}_clock"] - frame["limit"] * frame["stretch"]
        yield f"{label}: longest run beyond the limit {max(0.0, over.max()):.2f} s ({frame['name'][over.idxmax()]})"
    yield f"worst for {left}:"
    for i in ratio.sort_values().index[:_WORST]:
        states = " and ".join(frame.loc[i, f"{side}_status"] for side in _SIDES)
        yield (
            f"  {frame.loc[i, 'name']}: {seconds.loc[i, 'left']:.3g} s and {seconds.loc[i, 'right']:.3g} s, "
            f"ratio {ratio[i]:.3g} ({states})"
        )
    yield from proven_table(frame, labels).to_string(index=False).splitlines()


def _both(frame: pd.DataFrame) -> pd.Series[Any]:
    return proven(frame).all(axis=1)


def _mean(ratio: pd.Series[Any]) -> float:
    return float(np.exp(np.log(ratio).mean())) if len(ratio) else float("nan")


def proven_table(frame: pd.DataFrame, labels: tuple[str, str]) -> pd.DataFrame:
    """Return for each family, and each budget in it, how many instances each side proves, and the ratio of times."""
    seconds, both = timed(frame), _both(frame)
    rows = []
    for family, part in frame.groupby("family", sort=False):
        rows.append(_proven(str(family), "all", part, labels, seconds, both))
        if part["budget"].nunique(dropna=False) > 1:
            for budget, some in part.groupby("budget", dropna=False):
                shown = "none" if pd.isna(budget) else str(int(budget))
                rows.append(_proven(str(family), shown, some, labels, seconds, both))
    return pd.DataFrame(rows)


def _proven(
    family: str,
    budget: str,
    part: pd.DataFrame,
    labels: tuple[str, str],
    seconds: pd.DataFrame,
    both: pd.Series[Any],
) -> dict[str, Any]:
    row: dict[str, Any] = {"family": family, "budget": budget, "instances": len(part)}
    for side, label in zip(_SIDES, labels, strict=True):
        row[f"{label} proves"] = int(proven(part)[side].sum())
    ratio = seconds.loc[part.index, "right"] / seconds.loc[part.index, "left"]
    row["ratio, all"] = f"{_mean(ratio):.2f}"
    row["ratio, both prove"] = f"{_mean(ratio[both[part.index]]):.2f}"
    row[f"{labels[1]} faster"] = int((ratio < 1).sum())
    return row


def markdown(frame: pd.DataFrame, labels: tuple[str, str], limit: float) -> str:
    """Return a small table: a row per family."""
    table = proven_table(frame, labels)
    table = table[table["budget"] == "all"].drop(columns="budget")
    seconds, both = timed(frame), _both(frame)
    total = _proven("all", "all", frame, labels, seconds, both)
    total.pop("budget")
    rows = [*table.to_dict("records"), total]
    head = list(total)
    lines = [
        f"Race of {labels[0]} and {labels[1]}, {limit:g} s each; ratio: processor time of {labels[1]} / {labels[0]}, "
        "geometric mean.",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(str(row[name]) for name in head)} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def profile(seconds: pd.DataFrame, done: pd.DataFrame) -> dict[str, tuple[Any, Any]]:
    """Return for each side the factors over the faster side, sorted, and the share of instances solved within each.

    The performance profile of Dolan and Moré; what a side does not prove has no factor.

    >>> times = pd.DataFrame({"left": [1.0, 2.0], "right": [2.0, 1.0]})
    >>> within, share = profile(times, times > 0)["left"]
    >>> within.tolist(), share.tolist()
    ([1.0, 2.0], [0.5, 1.0])
    """
    best = seconds.where(done).min(axis=1)
    found = {}
    for side in seconds:
        factors = np.sort((seconds[side] / best)[done[side]].to_numpy())
        found[str(side)] = factors, np.arange(1, len(factors) + 1) / len(seconds)
    return found


def draw_profile(frame: pd.DataFrame, labels: tuple[str, str], path: Path, limit: float) -> None:
    """Draw the performance profile of both sides, and how many instances each proves within how many seconds."""
    from matplotlib.figure import Figure

    seconds, done = timed(frame), proven(frame)
    figure = Figure(figsize=(10.5, 4.6), layout="constrained")
    ratios, times = figure.subplots(1, 2, sharey=True)
    lines = profile(seconds, done)
    longest = max((factors.max() for factors, _ in lines.values() if len(factors)), default=1.0) * 1.5
    for color, side, label in zip(COLORS, _SIDES, labels, strict=False):
        factors, share = lines[side]
        _step(ratios, factors, share, (1.0, longest), color, label)
        _step(times, np.sort(seconds[side][done[side]]), share, (_LEAST_SECONDS, limit), color, label)
    ratios.set_xlabel("processor time / that of the faster side")
    times.set_xlabel("seconds of processor time")
    ratios.set_ylabel(f"share of {len(frame)} instances proven within")
    for axes in (ratios, times):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axes.xaxis.set_minor_formatter(lambda x, _: "")
        axes.set_ylim(0, 1.02)
        axes.grid(color="#DDDDDD", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    if longest < 30:  # where the axis has a power of ten or two
        ratios.set_xticks([tick for tick in (1, 2, 3, 5, 10, 20) if tick < longest])
    ratios.set_xlim(1, longest)
    ratios.legend(loc="lower right", frameon=False)
    figure.savefig(path, dpi=130)


def _step(axes: Any, x: Any, share: Any, ends: tuple[float, float], color: str, label: str) -> None:
    """Draw a staircase from one end of the axis to the other."""
    last = share[-1] if len(share) else 0.0
    axes.step(
        [ends[0], *x, max([ends[1], *x])], [0.0, *share, last], where="post", color=color, label=label, linewidth=2
    )
