"""What MAPIE's sets are like on top of a rule list: ``python -m benchmarks.mapie_sets``, after ``pip install mapie``.

Over 100 splits of two sets at 90 %: the share of test rows with their class in the set, the share of empty sets, and
the share of rows that have another set when the table is turned around. docs/evidence.md has the figures.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split

from hedgerow import RuleListClassifier

SPLITS = 100
#: The sets, and the kind of score that MAPIE has for them; of two classes, it has no other.
SETS: tuple[tuple[Callable[..., Any], str], ...] = ((load_breast_cancer, "lac"), (load_digits, "aps"))


def measure(load: Callable[..., Any], score: str) -> tuple[float, float, float]:
    """Return the shares of a set: covered, empty, and other if turned around."""
    from mapie.classification import SplitConformalClassifier

    X, X_rest, y, y_rest = train_test_split(*load(return_X_y=True), test_size=0.4, random_state=0)
    rules = RuleListClassifier.accurate(max_rules=8, random_state=0).fit(X, y)
    drawn = {} if score == "lac" else {"conformity_score_params": {"include_last_label": "randomized"}}
    found = []
    for seed in range(SPLITS):
        X_known, X_new, y_known, y_new = train_test_split(X_rest, y_rest, test_size=0.5, random_state=seed)
        options = {"confidence_level": 0.9, "prefit": True, "conformity_score": score, "random_state": 0}
        sets = SplitConformalClassifier(rules, **options).conformalize(X_known, y_known)
        masks = sets.predict_set(X_new, **drawn)[1][:, :, 0]
        turned = sets.predict_set(X_new[::-1], **drawn)[1][::-1, :, 0]
        right = masks[np.arange(len(y_new)), y_new]
        found.append((right.mean(), (masks.sum(axis=1) == 0).mean(), (masks != turned).any(axis=1).mean()))
    covered, empty, other = np.mean(found, axis=0).tolist()
    return covered, empty, other


def main() -> int:
    """Print the shares."""
    for load, score in SETS:
        shares = ", ".join(
            f"{name} {100 * share:.1f} %"
            for name, share in zip(("covered", "empty", "other if turned around"), measure(load, score), strict=True)
        )
        sys.stdout.write(f"{load.__name__}: {shares}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
