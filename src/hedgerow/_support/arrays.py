"""Names for array types. They state the dtype; shapes and meanings belong in docstrings."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Targets, labels, and anything else a user may pass.
AnyArray = NDArray[Any]
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: Feature values in the precision in which a forest compares them: float32 or float64.
ValueArray = NDArray[np.floating[Any]]
#: Integers of any size: one or two bytes where that suffices.
RankArray = NDArray[np.integer[Any]]
