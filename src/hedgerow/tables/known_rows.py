"""Whether a model seems to have been trained on the rows that it is tested on.

Nobody but its maker knows. But a model that does very well on held-out rows, where a short list does not, has usually
seen them. Then what is measured there, its score and how far the list agrees with it, is not what new rows would show.
"""

from __future__ import annotations

from hedgerow.tasks import Task

#: From these scores on, a model seems to know the rows: labels are noisy and numbers even more so.
_ACCURACY, _R2 = 0.99, 0.9


def seems_to_know(of_model: float, of_list: float, task: Task) -> bool:
    """Return whether a model with this accuracy or R² on some rows was probably trained on them.

    Where a list that has not seen the rows is as good, they are easy to predict.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.tasks import Labels
    >>> labels = Labels(np.arange(2))
    >>> seems_to_know(1.0, 0.8, labels), seems_to_know(0.93, 0.8, labels), seems_to_know(1.0, 1.0, labels)
    (True, False, False)
    """
    least = _ACCURACY if task.has_labels else _R2
    return of_model >= least and not of_list >= least
