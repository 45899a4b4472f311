"""The colors of classes are colors, and no two are alike."""

from itertools import combinations

import numpy as np
import pytest

from hedgerow._support.palette import CLASS_COLORS, MORE_CLASS_COLORS


@pytest.mark.parametrize("colors", [CLASS_COLORS, MORE_CLASS_COLORS])
def test_any_two_classes_are_far_apart_in_color(colors):
    rgb = [np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) for color in colors]
    assert all(len(color) == 7 for color in colors)
    assert min(np.linalg.norm(one - other) for one, other in combinations(rgb, 2)) > 50
