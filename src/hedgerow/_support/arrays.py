"""Names for the arrays that the type checker sees everywhere."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
FloatArray = NDArray[Any]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]
