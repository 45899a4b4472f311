"""The colors of classes are colors, and no two are alike."""

from itertools import combinations

import numpy as np

from hedgerow._support.palette import CLASS_COLORS


def test_any_two_classes_are_far_apart_in_color():
    rgb = [np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) for color in CLASS_COLORS]
    assert all(len(color) == 7 for color in CLASS_COLORS)
    assert min(np.linalg.norm(one - other) for one, other in combinations(rgb, 2)) > 50
