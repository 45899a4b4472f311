"""How a search went: what was proven and the best list, against time."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.palette import BLUE, ORANGE
from hedgerow.exceptions import InvalidParameterError
from hedgerow.plotting.style import matplotlib_or_error, quiet
from hedgerow.rules.solution import Solution


def plot_search(solution: Solution, *, axes: Any = None) -> Any:
    """Draw the bound and the objective of the best list against time.

    Where the two lines meet, the list is proven optimal; between them, the gap is shaded.

    Parameters
    ----------
    solution : Solution
        The ``solution_`` of a fitted estimator, with its ``log``.
    axes : matplotlib axes, optional
        Where to draw. A new figure if not given.

    Returns
    -------
    matplotlib axes
    """
    if not isinstance(solution, Solution) or not solution.log:
        raise InvalidParameterError(
            "plot_search draws the log of a search: pass the solution_ of an estimator that was fitted with the "
            "default solver. Other solvers keep no log."
        )
    plt = matplotlib_or_error()
    if axes is None:
        _, axes = plt.subplots(figsize=(7.0, 4.2), layout="constrained")
    # The last step is the end of the search, which may find out more than the last phase has.
    seconds = np.array([*(step.seconds for step in solution.log), solution.seconds])
    bound = np.array([*(step.bound for step in solution.log), solution.bound])
    best = np.array([*(step.objective for step in solution.log), solution.objective], dtype=np.float64)  # None is NaN
    axes.fill_between(seconds, best, bound, step="post", color=ORANGE, alpha=0.12, linewidth=0)
    axes.step(seconds, bound, where="post", color=ORANGE, label="bound: no list is better")
    axes.step(seconds, best, where="post", color=BLUE, label="best list so far")
    axes.set_xlabel("seconds")
    axes.set_ylabel("objective")
    ending = "proven optimal" if solution.optimal else f"gap {100 * solution.gap:.2g} %"
    axes.set_title(f"{ending} after {solution.seconds:.2g} s", loc="left")
    axes.legend(fontsize="small", framealpha=1.0, edgecolor="none")
    quiet(axes)
    return axes
