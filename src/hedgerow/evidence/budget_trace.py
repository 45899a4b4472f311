"""What each number of rules buys: the data behind the picture of a budget path.

:func:`trace_budgets` computes, :func:`hedgerow.plotting.plot_budget_path` draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import column_or_1d

from hedgerow._support.arrays import AnyArray
from hedgerow._support.progress import track
from hedgerow.estimators.predictor import RuleListPredictor
from hedgerow.estimators.validation import check_training
from hedgerow.evidence.company import fit_tree, tree_inputs
from hedgerow.evidence.fidelity import represented_trees
from hedgerow.exceptions import InfeasibleError, InvalidParameterError
from hedgerow.forests.forest import Forest
from hedgerow.optimize.budgets import check_budgets
from hedgerow.pipeline.fold import Extracted, Fold, Setting
from hedgerow.pipeline.settings import Settings


@dataclass(frozen=True)
class BudgetTrace:
    """One row per budget, and the ensemble's own scores.

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
        The second is None without validation samples. If budgets have ensembles of their own, as with a preset, those
        of the ensemble for the last one.
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
    estimator: Any, X: Any, y: Any, budgets: Iterable[int] = range(1, 16), *, validation: tuple[Any, Any] | None = None
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
    if not isinstance(estimator, RuleListPredictor):
        raise InvalidParameterError(
            f"estimator must be a rule list estimator, fitted or not; got {type(estimator).__name__}."
        )
    budgets = sorted(set(check_budgets(budgets)))
    settings = _settings(estimator)
    fold = Fold(settings, check_training(clone(estimator), settings.task_kind, X, y), budgets)
    setting = Setting(settings.parameters["min_coverage"], settings.stability_weight, settings.smoothing)
    samples = {"train": (X, y)} | ({} if validation is None else {"validation": validation})
    rows: list[dict[str, float]] = []
    skipped: dict[int, str] = {}
    forest: Any = None
    by_ensemble: dict[str, AnyArray] = {}
    for_tree: dict[str, AnyArray] = {}
    for budget, found in track(fold.lists(setting, budgets), len(budgets), "budgets", settings.verbose):
        if isinstance(found, str):
            skipped[budget] = found
            continue
        extracted = found[settings.smoothing]
        if extracted.posed.learned.forest is not forest:  # a preset may have one for each budget
            forest = extracted.posed.learned.forest
            by_ensemble = {name: forest.predictions(here) for name, (here, _) in samples.items()}
            for_tree = {name: tree_inputs(forest, here) for name, (here, _) in samples.items()}
        rows.append({"budget": budget} | _measures(extracted, forest, samples, by_ensemble["train"], for_tree))
    if not rows:
        raise InfeasibleError(f"No budget has a list. For {budgets[-1]}: {skipped[budgets[-1]]}")
    rows.sort(key=lambda row: row["budget"])
    scores = {name: forest.task.score(targets, by_ensemble[name]) for name, (_, targets) in samples.items()}
    name = settings.task_kind.score_name
    return BudgetTrace(name, tuple(rows), scores["train"], scores.get("validation"), skipped)


def _settings(estimator: RuleListPredictor) -> Settings:
    """Return the settings to try budgets with: with the fitted ensemble, if there is one, and without CV."""
    if not hasattr(estimator, "forest_"):
        return estimator.to_settings()
    fitted = estimator.without_search
    return replace(fitted.settings_, ensemble=fitted.forest_, saw_samples=False)


def _measures(
    extracted: Extracted,
    forest: Forest,
    samples: dict[str, tuple[Any, Any]],
    by_ensemble: AnyArray,
    for_tree: dict[str, AnyArray],
) -> dict[str, float]:
    rules, chosen, scores = extracted.rule_list, extracted.solution.chosen, extracted.posed.scores
    task = rules.task
    tree = fit_tree(task, len(rules), for_tree["train"], column_or_1d(samples["train"][1]))
    predictions = {name: rules.predict(here) for name, (here, _) in samples.items()}
    row = {
        "rules": len(rules),
        "loss": float(scores.loss[chosen].sum()),
        "stability": float(scores.stability[chosen].sum()),
        "disagreement": task.disagreement(predictions["train"], by_ensemble),
        "represented_trees": represented_trees(rules, forest),
    }
    for name, (_, y_here) in samples.items():
        row[f"{name}_score"] = task.score(y_here, predictions[name])
        row[f"cart_{name}_score"] = float(tree.score(for_tree[name], y_here))
    return row
