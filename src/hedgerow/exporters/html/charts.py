"""The small charts of a report, as SVG shapes: numbers in, coordinates out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow._support.arrays import FloatArray
from hedgerow.exporters.html.report.budget_lists import BudgetLists
from hedgerow.exporters.html.report.quality import Histogram
from hedgerow.exporters.html.tree_svg import path
from hedgerow.rules.series_examples import Example
from hedgerow.rules.wording import format_number


@dataclass(frozen=True)
class Bars:
    """A histogram in a box: (x, y, width, height) of each bar, the x of zero if it is inside, and the end labels."""

    bars: tuple[tuple[float, float, float, float], ...]
    zero: float | None
    least: str
    most: str
    width: float
    height: float


def draw_histogram(histogram: Histogram, width: float, height: float) -> Bars:
    """Draw a histogram in a box of this size."""
    most, n = max(1, *histogram.counts), len(histogram.counts)
    step = width / n
    bars = tuple(
        (i * step, height * (1 - count / most), max(step - 1, 0.5), height * count / most)
        for i, count in enumerate(histogram.counts)
        if count
    )
    first, last = histogram.edges[0], histogram.edges[-1]
    zero = -first / (last - first) * width if first < 0 < last else None
    return Bars(bars, zero, format_number(first, 3), format_number(last, 3), width, height)


@dataclass(frozen=True)
class BudgetChart:
    """Scores against budgets: a name and points (x, y, label) per set of samples, grid lines (y, label), and ticks."""

    lines: tuple[tuple[str, tuple[tuple[float, float, str], ...]], ...]
    grid: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[float, int], ...]
    width: float
    height: float


def draw_budgets(found: BudgetLists, width: float = 640, height: float = 190) -> BudgetChart | None:
    """Draw the scores of each budget; None if there are no scores, or fewer than two budgets."""
    lists = found.lists
    names = [name for name, _ in lists[0].scores] if lists else []
    if not names or len(lists) < 2:
        return None
    scores = np.array([[score for _, score in one.scores] for one in lists])
    left, right, top, bottom = 44.0, 12.0, 10.0, 26.0
    least, most = float(scores.min()), float(scores.max())
    steps = _round_steps(least, most)
    low, high = min(least, steps[0]), max(most, steps[-1])
    budgets = np.array([one.budget for one in lists])
    x = left + (width - left - right) * (budgets - budgets[0]) / (budgets[-1] - budgets[0])

    def at(score: float) -> float:
        return top + (height - top - bottom) * (high - score) / ((high - low) or 1.0)

    lines = tuple(
        (name, tuple((float(xx), at(score), f"{score:.3f}") for xx, score in zip(x, scores[:, i], strict=True)))
        for i, name in enumerate(names)
    )
    grid = tuple((at(step), f"{step:g}") for step in steps)
    return BudgetChart(lines, grid, tuple(zip(x.tolist(), budgets.tolist(), strict=True)), width, height)


def _round_steps(least: float, most: float) -> list[float]:
    """Return a few round numbers that span a range."""
    rough = max(most - least, 1e-3) / 4
    size = 10 ** np.floor(np.log10(rough))
    step = float(next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough))
    first, last = np.floor(least / step + 1e-9), np.ceil(most / step - 1e-9)
    return [round(float(k * step), 10) for k in np.arange(first, max(last, first + 1) + 1)]


@dataclass(frozen=True)
class SeriesChart:
    """A series and what a feature finds in it, as SVG paths in a box, and (x, y, width, height) of an area to shade."""

    series: str
    found: str
    shade: tuple[float, float, float, float] | None
    verdict: str
    width: float
    height: float


def draw_examples(examples: Sequence[Example], width: float = 220, height: float = 90) -> list[SeriesChart]:
    """Draw the examples of one feature, all on one scale."""
    parts = [part for one in examples for part in (one.series, one.found)]
    least, most = min(float(part.min()) for part in parts), max(float(part.max()) for part in parts)
    pad = 4.0
    return [_chart(one, least, (most - least) or 1.0, width, height, pad) for one in examples]


def _chart(one: Example, least: float, spread: float, width: float, height: float, pad: float) -> SeriesChart:
    step = width / max(1, len(one.series) - 1)

    def line(start: int, values: FloatArray) -> str:
        y = height - pad - (height - 2 * pad) * (values - least) / spread
        points = [((start + i) * step, value) for i, value in enumerate(y.tolist())]
        return path(points if len(points) > 1 else points * 2)

    shade = None
    if one.is_interval:
        x = max(0.0, (one.start - 0.5) * step)
        shade = (x, 0.0, min(width, (one.start + len(one.found) - 0.5) * step) - x, height)
    return SeriesChart(line(0, one.series), line(one.start, one.found), shade, one.verdict, width, height)
