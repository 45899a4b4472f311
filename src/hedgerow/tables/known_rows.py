"""Whether a model seems to have been trained on the rows that it is tested on.

Nobody but its maker knows. But a model that makes next to no errors on held-out rows has usually seen them, and then
what is measured there, its score and how far a list agrees with it, is not what new rows would show.
"""

from __future__ import annotations

from hedgerow.tasks import Task

#: From these scores on, a model seems to know the rows: labels are noisy and numbers even more so.
_ACCURACY, _R2 = 0.99, 0.9


def seems_to_know(score: float, task: Task) -> bool:
    """Return whether a model with this accuracy or R² on some rows was probably trained on them.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.tasks import Labels, Numbers
    >>> labels = Labels(np.arange(2))
    >>> seems_to_know(1.0, labels), seems_to_know(0.93, labels), seems_to_know(0.93, Numbers())
    (True, False, True)
    """
    return score >= (_ACCURACY if task.has_labels else _R2)
