"""Six samples and three stumps, for which every step of the pipeline can be computed by hand.

| rule | conditions        | samples    | labels | wrong | splits shared with |
|------|-------------------|------------|--------|-------|--------------------|
| 0, 4 | x <= 1.5          | 0, 1       | aa     | 0     | three others       |
| 1, 5 | x > 1.5           | 2, 3, 4, 5 | bbbb   | 0     | three others       |
| 2    | x <= 3.5          | 0, 1, 2, 3 | aabb   | 2     | one other          |
| 3    | x > 3.5           | 4, 5       | bb     | 0     | one other          |
"""

import numpy as np
from small_forests import STUMP_ARRAYS

from hedgerow import Forest, RuleListClassifier
from hedgerow.estimators.validation import check_training
from hedgerow.tasks import Labels

X = np.arange(6.0)[:, None]
Y = np.array(["a", "a", "b", "b", "b", "b"])
STUMPS = Forest.from_arrays(
    [STUMP_ARRAYS | {"threshold": [at, 0.0, 0.0]} for at in (1.5, 3.5, 1.5)], ["x"], classes=["a", "b"]
)


def settings_of(ensemble=STUMPS, **given):
    return RuleListClassifier(ensemble, **{"max_rules": 2, "candidates": "leaves"} | given).to_settings()


def samples_of(X=X, y=Y, weight=None):
    return check_training(RuleListClassifier(), Labels, X, y, weight)
