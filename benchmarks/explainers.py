"""What explains a fitted model: a name, and how to make its estimator for a case.

To add one, write a function ``f(case)`` that returns an estimator that is not fitted, and name it in ``EXPLAINERS``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.case import Case, Method
from benchmarks.methods import METHODS, wrong_choice
from benchmarks.taught_trees import LabelledCart, Lessons, TaughtCart
from hedgerow import RuleListClassifier, RuleListRegressor

#: The time limit of the published method, as that of the presets.
_SOLVER_SECONDS = 10.0
#: TE2Rules keeps the rows of each node of each tree: of more rows, it needs gigabytes.
TE2RULES_ROWS = 2000


@dataclass(frozen=True)
class ModelCase(Case):
    """What an explainer is made for.

    Attributes
    ----------
    model : fitted model
    lessons : Lessons
        Those that the model gave already.
    """

    model: Any = None
    lessons: Lessons = field(default_factory=Lessons)

    @property
    def lists(self) -> Any:
        """The class of rule lists."""
        return RuleListClassifier if self.labels else RuleListRegressor


@dataclass(frozen=True)
class Explainer(Method):
    """How to make an explainer, and what it cannot do.

    Attributes
    ----------
    on_predictions : bool
        Whether it is fitted to the model's predictions for the training rows, as their targets; if not, to the true
        targets, beside which it may ask the model itself.
    needs_model : bool
        Whether it sees the model at all.
    needs_trees : bool
        Whether the model must be an ensemble of trees.
    budgets : tuple of int
        The only budgets that it is measured at; all if empty.
    kinds : tuple of str
        The only kinds of model that it takes; all if empty.
    """

    on_predictions: bool = False
    needs_model: bool = True
    needs_trees: bool = False
    budgets: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()

    def takes(self, kind: str, has_trees: bool) -> bool:
        """Say whether it can explain a kind of model."""
        return kind in self.kinds if self.kinds else has_trees or not self.needs_trees


def faithful(case: ModelCase) -> Any:
    """The settings that explain a fitted model best."""
    return case.lists.faithful(case.model, max_rules=case.budget, random_state=case.seed)


def faithful_stable(case: ModelCase) -> Any:
    """The same with the paper's λ, so that rules which many trees have are preferred."""
    return faithful(case).set_params(stability_weight=0.5)


def surrogate_taught(case: ModelCase) -> Any:
    """CART on the rows, soft targets and weights that ``faithful`` learns from."""
    return TaughtCart(faithful(case), case.budget, case.seconds, case.seed, case.lessons)


def surrogate_rows(case: ModelCase) -> Any:
    """CART on the same rows and weights, with the labels that the model predicts for them."""
    return LabelledCart(faithful(case), case.budget, case.seconds, case.seed, case.lessons)


def paper(case: ModelCase) -> Any:
    """The published method on the model's own rules and predictions, with the defaults of the class."""
    settings: dict[str, Any] = {"max_rules": case.budget, "target": "ensemble", "random_state": case.seed}
    return case.lists(case.model, time_limit=_SOLVER_SECONDS, **settings)


def te2rules(case: ModelCase) -> Any:
    """TE2Rules, which has no budget."""
    from benchmarks.te2rules_lists import Te2RulesClassifier

    return Te2RulesClassifier(case.model, seconds=case.seconds)


EXPLAINERS: dict[str, Explainer] = {
    "faithful": Explainer(faithful),
    "surrogate": Explainer(METHODS["cart"].make, on_predictions=True),
    "surrogate_rows": Explainer(surrogate_rows, task="classification"),
    "surrogate_taught": Explainer(surrogate_taught),
    "cart": Explainer(METHODS["cart"].make, needs_model=False),
    "accurate": Explainer(METHODS["accurate"].make, needs_model=False),
    "paper": Explainer(paper, needs_trees=True),
    "rulefit": Explainer(METHODS["rulefit"].make, on_predictions=True, is_sum=True),
    "sirus": Explainer(METHODS["sirus"].make, on_predictions=True, is_sum=True),
    "faithful_stable": Explainer(faithful_stable, needs_trees=True, budgets=(4, 15)),
    "te2rules": Explainer(
        te2rules,
        task="classification",
        most_classes=2,
        most_rows=TE2RULES_ROWS,
        packages=("te2rules",),
        has_budget=False,
        on_predictions=True,
        kinds=("random_forest", "xgboost"),
    ),
    # What seconds are compared with: 500 trees of scikit-learn's settings, fitted to the labels.
    "deep_forest": Explainer(METHODS["deep_forest"].make, needs_model=False, has_budget=False),
}


def complaint(names: Iterable[str]) -> str | None:
    """Say what is wrong with a choice of explainers, if anything."""
    return wrong_choice(names, EXPLAINERS)
