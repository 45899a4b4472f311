"""TE2Rules as an estimator: the rules for the second of two classes, as many as it finds.

The package, ``pip install te2rules``, is for non-commercial use only; nothing else needs it. Version 1.0.1 reads random
forests of scikit-learn and XGBoost's classifiers of two classes.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator


class Te2RulesClassifier(BaseEstimator):  # type: ignore[misc]
    """The rules of TE2Rules.

    Parameters
    ----------
    model : fitted random forest or XGBoost classifier
    n_stages : int
        Up to how many nodes of different trees a rule combines. The package's own default is as many as there are
        trees, which takes minutes on the smallest sets; its authors recommend 2 or 3.
    seconds : float
        The most processor time, where the system can limit it. If it is not enough, rules of fewer nodes are looked
        for, as long again.
    """

    def __init__(self, model: Any, n_stages: int = 2, seconds: float = 60.0) -> None:
        self.model, self.n_stages, self.seconds = model, n_stages, seconds

    def fit(self, X: Any, y: Any) -> Self:
        """Find rules for the model's predictions ``y``, which are 0 or 1."""
        from te2rules.explainer import ModelExplainer

        self.explainer_ = ModelExplainer(self.model, [f"x{i}" for i in range(X.shape[1])])
        for n_stages in range(self.n_stages, 0, -1):
            try:
                with _limited(self.seconds), redirect_stderr(StringIO()):  # it draws bars
                    self.rules_ = self.explainer_.explain(X, y, num_stages=n_stages)
            except TimeoutError:
                if n_stages == 1:
                    raise
            else:
                self.status_ = f"stages: {n_stages}"
                break
        return self

    def predict(self, X: Any) -> Any:
        """Return 1 where some rule matches, and 0 elsewhere."""
        return np.asarray(self.explainer_.predict(X), dtype=int)

    @property
    def n_rules_(self) -> int:
        """The number of rules."""
        return len(self.rules_)


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError after so many seconds of processor time."""
    if not hasattr(signal, "setitimer"):  # on Windows
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeoutError(f"it takes more than {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
