"""Pictures of stored results: nothing is computed here. Needs matplotlib: ``pip install 'hedgerow[plot]'``.

To add one, write a file named after what it draws, and name its function here.
"""

from hedgerow.plotting.budget_path import plot_budget_path

__all__ = ["plot_budget_path"]
