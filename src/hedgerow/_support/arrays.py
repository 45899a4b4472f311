"""Names for array types. To say more of one than its dtype, say it in the docstring."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Targets, labels, and whatever else a user may give.
AnyArray = NDArray[Any]
BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
#: Values of features, in the precision in which a forest compares them: float32 or float64.
ValueArray = NDArray[np.floating[Any]]
#: Integers of any size: one or two bytes where that is enough.
RankArray = NDArray[np.integer[Any]]
