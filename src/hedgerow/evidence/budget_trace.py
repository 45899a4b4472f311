"""What each number of rules buys: the data behind the picture of a budget path.

:func:`trace_budgets` computes, :func:`hedgerow.plotting.plot_budget_path` draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted

from hedgerow._support.arrays import AnyArray
from hedgerow._support.progress import track
from hedgerow.estimators.folds import Fold, Setting
from hedgerow.evidence.fidelity import disagreement, ensemble_score, represented_trees
from hedgerow.exceptions import InfeasibleError, InvalidParameterError
from hedgerow.optimize.budgets import check_budgets


@dataclass(frozen=True)
class BudgetTrace:
    """One row a budget, and the ensemble's own scores.

    Attributes
    ----------
    score : str
        The name of the score: "accuracy" or "R²".
    rows : tuple of dict
        For each budget that has a list: ``budget``, ``rules`` (in the list), ``train_score``, ``loss`` and
        ``stability`` (the two parts of the objective, summed over the list), ``disagreement`` with the ensemble,
        ``represented_trees`` (by condition), ``cart_train_score`` of a decision tree with as many leaves, and,
        with validation samples, ``validation_score`` and ``cart_validation_score``.
    ensemble_train_score, ensemble_validation_score : float
        The second is None without validation samples.
    skipped : dict
        The budgets without a list, and why.
    """

    score: str
    rows: tuple[dict[str, float], ...]
    ensemble_train_score: float
    ensemble_validation_score: float | None = None
    skipped: dict[int, str] = field(default_factory=dict)

    def column(self, name: str) -> AnyArray:
        """Return one column as an array; NaN where there is none."""
        return np.array([row.get(name, np.nan) for row in self.rows])

    def to_frame(self) -> Any:
        """Return the rows as a pandas data frame."""
        import pandas as pd

        return pd.DataFrame(self.rows)


def trace_budgets(
    estimator: Any,
    X: Any,
    y: Any,
    budgets: Iterable[int] = range(1, 16),
    *,
    validation: tuple[Any, Any] | None = None,
) -> BudgetTrace:
    """Find the best list of each budget, and what it is worth.

    Parameters
    ----------
    estimator : RuleListClassifier or RuleListRegressor
        If fitted, its ensemble is used; if not, its ensemble is fitted on ``X``.
    X, y :
        The training samples.
    budgets : iterable of int
        Those without any list are left out. With ``candidates="auto"`` small budgets take nodes and larger ones leaves,
        which are scaled each on their own.
    validation : (X, y), optional
        Samples that were not used for training.

    Returns
    -------
    BudgetTrace

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hedgerow import RuleListClassifier, trace_budgets
    >>> X, y = load_wine(return_X_y=True)
    >>> forest = RandomForestClassifier(20, max_depth=2, random_state=0)
    >>> trace = trace_budgets(RuleListClassifier(forest), X, y, [2, 3, 4])
    >>> trace.column("rules").tolist()
    [2, 3, 3]
    """
    if not hasattr(estimator, "rule_list_") and not hasattr(estimator, "fit"):
        raise InvalidParameterError(
            f"estimator is a rule list estimator, fitted or not; got {type(estimator).__name__}."
        )
    budgets = sorted(set(check_budgets(budgets)))
    plain = _plain(estimator)
    fold = Fold(plain, X, np.asarray(y))
    setting = Setting(plain.min_coverage, plain.stability_weight, plain.smoothing)
    samples = {"train": (X, y)} | ({} if validation is None else {"validation": validation})
    rows: list[dict[str, float]] = []
    skipped: dict[int, str] = {}
    of_ensemble: dict[str, float] = {}
    for budget, fitted in track(fold.lists(setting, budgets), len(budgets), "budgets", plain.verbose):
        if isinstance(fitted, str):
            skipped[budget] = fitted
            continue
        rows.append({"budget": budget} | _measures(fitted, samples))
        if not of_ensemble:
            of_ensemble = {name: ensemble_score(fitted.forest_, *data) for name, data in samples.items()}
    if not rows:
        raise InfeasibleError(f"No budget has a list. Of {budgets[-1]}: {skipped[budgets[-1]]}")
    rows.sort(key=lambda row: row["budget"])
    score = "accuracy" if plain._of_labels else "R²"
    return BudgetTrace(score, tuple(rows), of_ensemble["train"], of_ensemble.get("validation"), skipped)


def _plain(estimator: Any) -> Any:
    """Return the estimator to try budgets with: with the fitted ensemble, if there is one, and without CV."""
    try:
        check_is_fitted(estimator, "forest_")
    except NotFittedError:
        return estimator._inner(None) if hasattr(estimator, "_inner") else estimator
    fitted = getattr(estimator, "best_estimator_", estimator)
    return type(fitted)(**fitted.get_params(deep=False) | {"ensemble": fitted.forest_})


def _measures(fitted: Any, samples: dict[str, tuple[Any, Any]]) -> dict[str, float]:
    rules, chosen = fitted.rule_list_, fitted.solution_.chosen
    X, y = samples["train"]
    inputs = fitted.forest_.inputs
    tree = _cart(fitted._of_labels, len(rules)).fit(inputs.matrix(X), y)
    row = {
        "rules": len(rules),
        "loss": float(fitted.scores_.loss[chosen].sum()),
        "stability": float(fitted.scores_.stability[chosen].sum()),
        "disagreement": disagreement(rules, fitted.forest_, X),
        "represented_trees": represented_trees(rules, fitted.forest_),
    }
    for name, (X_here, y_here) in samples.items():
        row[f"{name}_score"] = float(fitted.score(X_here, y_here))
        row[f"cart_{name}_score"] = float(tree.score(inputs.matrix(X_here), y_here))
    return row


def _cart(of_labels: bool, n_leaves: int) -> Any:
    """Return a decision tree with at most so many leaves."""
    if n_leaves == 1:
        return DummyClassifier() if of_labels else DummyRegressor()
    return (DecisionTreeClassifier if of_labels else DecisionTreeRegressor)(max_leaf_nodes=n_leaves, random_state=0)
