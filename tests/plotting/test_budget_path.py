"""A picture shows the numbers of its trace."""

import matplotlib.pyplot as plt
import pytest
from numpy.testing import assert_allclose

from hedgerow import BudgetTrace, InvalidParameterError
from hedgerow.plotting import plot_budget_path

ROWS = tuple(
    {
        "budget": budget,
        "rules": budget,
        "train_score": 0.7 + 0.05 * budget,
        "validation_score": 0.7 + 0.04 * budget,
        "cart_train_score": 0.75,
        "cart_validation_score": 0.74,
        "loss": 1.0,
        "stability": 0.5 * budget,
        "disagreement": 0.2,
        "represented_trees": 0.1 * budget,
    }
    for budget in (2, 3, 4)
)


@pytest.mark.parametrize("score", ["accuracy", "R²"])
@pytest.mark.parametrize("of_ensemble", [None, 0.93])
def test_the_picture_has_every_line_of_the_trace(score, of_ensemble):
    axes = plot_budget_path(BudgetTrace(score, ROWS, 0.95, of_ensemble))
    lines = {line.get_label(): line for one in axes for line in one.get_lines()}
    assert_allclose(lines["list, training"].get_xydata(), [[row["budget"], row["train_score"]] for row in ROWS])
    assert_allclose(lines["ensemble, training"].get_ydata(), 0.95)
    assert_allclose(lines["CART, training"].get_ydata(), 0.75)
    assert_allclose(lines["stability"].get_ydata(), [1.0, 1.5, 2.0])
    assert ("list, validation" in lines) == (of_ensemble is not None)
    assert axes[0].get_title("left") == f"Score: {score}"


def test_it_draws_where_it_is_told_to():
    figure, axes = plt.subplots(3)
    assert plot_budget_path(BudgetTrace("accuracy", ROWS, 0.9), axes=axes)[0].figure is figure


def test_fewer_than_three_axes_are_refused():
    with pytest.raises(InvalidParameterError, match=r"three axes.*got 2"):
        plot_budget_path(BudgetTrace("accuracy", ROWS, 0.9), axes=plt.subplots(2)[1])
