"""Names for array types, and sparse matrices told from the others.

A name states the dtype; shapes and meanings belong in docstrings.
"""

import sys
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


def is_sparse(array: Any) -> bool:
    """Return whether this is a sparse matrix or array of scipy.

    There is none before ``scipy.sparse`` is loaded, so that it need not be loaded to look.
    """
    issparse = getattr(sys.modules.get("scipy.sparse"), "issparse", None)
    return issparse is not None and bool(issparse(array))
