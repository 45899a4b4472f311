"""The names of array types mean the dtypes that NumPy itself gives."""

from typing import get_args

import numpy as np
import pytest

from hedgerow._support import arrays


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("FloatArray", np.linspace(0, 1, 3)),
        ("IntArray", np.flatnonzero([0, 1])),
        ("BoolArray", np.arange(3) > 1),
        ("ValueArray", np.zeros(2, dtype=np.float32)),
        ("ValueArray", np.zeros(2)),
        ("RankArray", np.zeros(2, dtype=np.uint8)),
    ],
)
def test_an_array_has_the_dtype_of_its_name(name, made):
    ((scalar,),) = [get_args(argument) for argument in get_args(getattr(arrays, name)) if get_args(argument)][-1:]
    assert issubclass(made.dtype.type, getattr(scalar, "__origin__", scalar))
