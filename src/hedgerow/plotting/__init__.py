"""Plots of results that were computed elsewhere. They need matplotlib: ``pip install 'hedgerow[plot]'``.

To add one, write a file named after what it draws, and import its function here.
"""

from hedgerow.plotting.alternatives import plot_alternatives
from hedgerow.plotting.budget_path import plot_budget_path
from hedgerow.plotting.critical_difference import plot_critical_difference
from hedgerow.plotting.drift import plot_drift
from hedgerow.plotting.search import plot_search
from hedgerow.plotting.shapelets import plot_shapelets
from hedgerow.plotting.tree import plot_tree
from hedgerow.plotting.validation import plot_validation

__all__ = [
    "plot_alternatives",
    "plot_budget_path",
    "plot_critical_difference",
    "plot_drift",
    "plot_search",
    "plot_shapelets",
    "plot_tree",
    "plot_validation",
]
