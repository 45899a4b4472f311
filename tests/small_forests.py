"""Forests that fit on a hand, written down node by node."""

import numpy as np

from hedgerow.features import Inputs, make_columns
from hedgerow.forests.forest import Forest
from hedgerow.forests.tree import Tree


def tree(*nodes, n_classes=2):
    """A tree of (feature, threshold, left, right) and None for a leaf."""
    left = np.array([-1 if node is None else node[2] for node in nodes])
    right = np.array([-1 if node is None else node[3] for node in nodes])
    return Tree(
        left=left,
        right=right,
        feature=np.array([-1 if node is None else node[0] for node in nodes]),
        threshold=np.array([np.nan if node is None else node[1] for node in nodes]),
        missing_left=np.zeros(len(nodes), dtype=bool),
        value=np.full((len(nodes), n_classes), 1 / n_classes),
    )


def forest(*trees, n_features=11, weights=None, classes=(0, 1)):
    return Forest(
        trees=tuple(trees),
        inputs=Inputs(make_columns(n_features, None)),
        tree_weights=np.ones(len(trees)) if weights is None else np.asarray(weights, dtype=float),
        base=np.zeros(len(classes)),
        classes=np.asarray(classes),
    )


#: The paper's figure "binary decision tree of depth 2"; e^(10) is column 10.
FIGURE = tree((10, 0.7, 1, 2), (8, 12.2, 3, 4), (2, 97.8, 5, 6), None, None, None, None)

#: The paper's example of stability: the tree above, its right side not split.
STUMP = tree((10, 0.7, 1, 2), (8, 12.2, 3, 4), None, None, None)

#: A tree of one split as plain arrays: up to 2.5 the first class, above it the second.
STUMP_ARRAYS = {
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "feature": [0, -1, -1],
    "threshold": [2.5, 0.0, 0.0],
    "value": [[0.5, 0.5], [1.0, 0.0], [0.2, 0.8]],
}


def stump_forest(**changes):
    return Forest.from_arrays([STUMP_ARRAYS | changes], ["age"], classes=["no", "yes"])
