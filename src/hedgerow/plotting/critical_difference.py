"""Which methods differ: a critical difference diagram."""

from __future__ import annotations

from typing import Any

from hedgerow._support.palette import INK
from hedgerow.evidence.comparison import Comparison
from hedgerow.plotting.style import matplotlib_or_error, plain

#: In inches: the height of a label and of the axis with its ticks, and the width of the figure.
_LINE, _AXIS, _WIDTH = 0.27, 0.75, 7.5


def plot_critical_difference(comparison: Comparison, *, alpha: float = 0.05, ax: Any = None) -> Any:
    """Draw average ranks on a line; a bar joins methods no two of which differ.

    Parameters
    ----------
    comparison : Comparison
        The result of :func:`hedgerow.evidence.comparison.compare_methods`.
    alpha : float
        Methods differ if their corrected p-value is smaller.
    ax : matplotlib axes, optional
        Where to draw. If not given, a new figure is made, as high as the methods need.

    Returns
    -------
    matplotlib axes
    """
    plt = matplotlib_or_error()
    try:
        from scikit_posthocs import critical_difference_diagram
    except ImportError as error:
        raise ImportError("This plot needs scikit-posthocs: pip install 'hedgerow[plot]'.") from error
    from pandas import DataFrame  # scikit-posthocs depends on it

    names = [plain(name) for name in comparison.names]
    if ax is None:
        # The number of bars above each other, estimated from the methods that do not differ from some other.
        n_bars = int(((comparison.p_values >= alpha).sum(axis=0) > 1).sum() + 1) // 2
        n_lines = (len(names) + 1) // 2 + n_bars
        _, ax = plt.subplots(figsize=(_WIDTH, _AXIS + _LINE * n_lines), layout="constrained")
    critical_difference_diagram(
        dict(zip(names, comparison.ranks.tolist(), strict=True)),
        DataFrame(comparison.p_values, index=names, columns=names),
        alpha=alpha,
        ax=ax,
        label_fmt_left="{label}  {rank:.2f} ",
        label_fmt_right=" {rank:.2f}  {label}",
        label_props={"fontsize": 10},
        elbow_props={"color": INK, "linewidth": 0.9},
        marker_props={"color": INK, "s": 14},
        # A dot for each method that a bar joins: it may also pass one that differs.
        crossbar_props={"color": INK, "linewidth": 3, "marker": "o", "markersize": 5},
        text_h_margin=0.05 * (len(names) - 1),
    )
    ax.set_xlim(1, len(names))
    ax.xaxis.set_major_locator(plt.MaxNLocator(integer=True))
    return ax
