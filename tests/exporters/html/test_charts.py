"""Numbers become coordinates."""

import numpy as np
import pytest

from hedgerow.exporters.html.charts import draw_budgets, draw_examples, draw_histogram
from hedgerow.exporters.html.report.budget_lists import BudgetList, BudgetLists
from hedgerow.exporters.html.report.quality import Histogram
from hedgerow.rules.series_examples import Example


def test_bars_are_as_high_as_their_counts_and_stand_on_the_ground():
    drawn = draw_histogram(Histogram((-1.0, 0.0, 1.0, 2.0, 3.0), (1, 0, 4, 2)), width=40, height=100)
    assert [bar[0] for bar in drawn.bars] == [0, 20, 30]  # an empty bin has no bar
    assert [bar[3] for bar in drawn.bars] == [25, 100, 50]
    assert all(y + height == 100 for _, y, _, height in drawn.bars)
    assert drawn.zero == 10
    assert (drawn.least, drawn.most) == ("-1", "3")
    assert draw_histogram(Histogram((1.0, 2.0), (3,)), 40, 100).zero is None


def budgets(*scores):
    lists = [
        BudgetList(budget, None, None, tuple(zip(("training", "held-out"), both, strict=False)), False)
        for budget, both in scores
    ]
    return BudgetLists(tuple(lists), "accuracy", ())


def test_better_scores_are_higher_and_budgets_go_to_the_right():
    chart = draw_budgets(budgets((2, (0.8, 0.7)), (3, (0.85, 0.75)), (6, (0.95, 0.7))))
    (first, training), (second, held_out) = chart.lines
    assert (first, second) == ("training", "held-out")
    assert [label for _, _, label in held_out] == ["0.700", "0.750", "0.700"]
    x, y = ([point[i] for point in training] for i in (0, 1))
    assert y[0] > y[1] > y[2]  # y grows downwards
    assert held_out[0][1] == held_out[2][1] > held_out[1][1]
    assert (x[2] - x[1]) == pytest.approx(3 * (x[1] - x[0]))
    assert [budget for _, budget in chart.ticks] == [2, 3, 6]


@pytest.mark.parametrize(("least", "most"), [(0.7, 0.95), (0.91, 0.915), (-3.0, 0.99), (0.5, 0.5), (0.0, 1.0)])
def test_grid_lines_are_few_and_round_and_span_the_scores(least, most):
    chart = draw_budgets(budgets((2, (least,)), (3, (most,))))
    values = [float(label) for _, label in chart.grid]
    assert 2 <= len(values) <= 7
    assert values[0] <= least + 1e-9
    assert most - 1e-9 <= values[-1]
    heights = [y for y, _ in chart.grid]
    ((_, points),) = chart.lines
    for (_, y, _), score in zip(points, (least, most), strict=True):
        assert y == pytest.approx(np.interp(score, values, heights))


def test_one_budget_or_no_score_has_no_chart():
    assert draw_budgets(budgets((2, (0.8,)))) is None
    assert draw_budgets(budgets((2, ()), (3, ()))) is None
    assert draw_budgets(budgets()) is None


def example(series, start, found, is_interval=False):
    found, series = np.array(found), np.array(series)
    return Example(start=start, found=found, is_interval=is_interval, series=series, verdict="dist 1 <= 2")


def test_examples_of_a_feature_share_a_scale():
    low, high = draw_examples(
        [example([0.0, 1.0, 0.0], 1, [1.0, 0.0]), example([0.0, 2.0, 4.0], 0, [3.0, 4.0])], 20, 48
    )
    assert low.series == "M0.0 44.0L10.0 34.0L20.0 44.0"
    assert low.found == "M10.0 34.0L20.0 44.0"
    assert high.series.endswith("L20.0 4.0")
    assert low.shade is None
    assert low.verdict == "dist 1 <= 2"


def test_an_interval_is_shaded_half_a_step_to_each_side_and_one_value_is_a_point():
    (chart,) = draw_examples([example([0.0, 1.0, 2.0, 3.0, 4.0], 4, [4.0], is_interval=True)], 40, 48)
    assert chart.shade == (35, 0, 5, 48)  # it ends with the series
    assert chart.found == "M40.0 4.0L40.0 4.0"
