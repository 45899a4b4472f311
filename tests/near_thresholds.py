"""Samples on which a comparison in the wrong precision, or on the wrong side, shows."""

import numpy as np


@np.errstate(over="ignore")
def beside(threshold):
    """Return numbers on a threshold, next to it in both precisions, and half-way to the next single precision one."""
    double = [threshold, *(np.nextafter(threshold, to) for to in (np.inf, -np.inf))]
    nearest = np.float32(threshold)
    up, down = (np.nextafter(nearest, np.float32(to)) for to in (np.inf, -np.inf))
    single = [float(x) for x in (nearest, up, down, np.nextafter(up, np.float32(np.inf)))]
    half = (single[0] + single[1]) / 2
    edges = [np.nextafter(single[1], -np.inf), np.nextafter(half, np.inf), np.nextafter(half, -np.inf)]
    return [*double, *single, half, *edges]


def around_thresholds(forest, X, n_rows=300, seed=0, extremes=()):
    """Return rows of X with values on and next to thresholds, and extreme ones in every other row if there are any."""
    rng = np.random.default_rng(seed)
    rows = np.array(X, dtype=np.float64)[rng.integers(len(X), size=n_rows)]
    nodes = forest.nodes
    inner = np.flatnonzero((nodes.left >= 0) & (nodes.category < 0) & np.isfinite(nodes.threshold))
    for row in rows:
        picked = rng.choice(inner, size=min(len(inner), 4))
        columns = [forest.features[i].index for i in nodes.feature[picked]]
        for column, threshold in zip(columns, nodes.threshold[picked], strict=True):
            row[column] = rng.choice(beside(threshold))
        if columns and len(extremes) and rng.random() < 0.5:
            row[rng.choice(columns)] = rng.choice(extremes)
    return rows
