"""How faithful the list is to the model or the ensemble that it explains, and where the two differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.evidence.agreement import Agreement
from hedgerow.evidence.company import Surrogate, fit_tree, tree_inputs
from hedgerow.evidence.disagreements import Disagreements, find_disagreements
from hedgerow.exporters.html.report.confusion import MOST_IN_TABLE
from hedgerow.exporters.html.report.quality import Compared, Quality, explains
from hedgerow.exporters.html.report.samples import TRAINING
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.wording import format_value
from hedgerow.tables.known_rows import seems_to_know


@dataclass(frozen=True)
class ClassAgreement:
    """How often the list predicts a class where the model does."""

    name: str
    class_number: int
    agreement: Agreement


@dataclass(frozen=True)
class Faithfulness:
    """How far the list and what it explains agree on some rows.

    Attributes
    ----------
    whole : str
        What the list explains: "model" for a list that was made by ``faithful``, otherwise "ensemble".
    of : str
        The rows: "held-out", "tested" or "training".
    n_rows : int
    overall : Agreement or None
        The share of equal labels, or R²; None if R² is not defined.
    by_rule : tuple of Agreement
        The same share, or the root of the mean squared difference, on the rows of each rule that has some.
    by_class : tuple of ClassAgreement
        For labels, by what the model predicts; classes that it never predicts are left out.
    n_more : int
        The number of classes that are left out because the table would be too long.
    brier, divergence : float or None
        How far class shares are from the model's.
    found : Disagreements
    surrogate : Surrogate or None
        For a model, a decision tree that explains it; None without training rows.
    knows_rows : bool
        Whether the model seems to have been trained on the rows, though the list was not.
    """

    whole: str
    of: str
    n_rows: int
    overall: Agreement | None
    by_rule: tuple[Agreement, ...]
    by_class: tuple[ClassAgreement, ...]
    n_more: int
    brier: float | None
    divergence: float | None
    found: Disagreements
    surrogate: Surrogate | None = None
    knows_rows: bool = False

    @property
    def is_model(self) -> bool:
        """Whether the list was made to explain a model."""
        return self.whole == "model"


def find_faithfulness(rule_list: RuleList, qualities: Sequence[Quality], estimator: Any) -> Faithfulness | None:
    """Return how faithful the list is on the first of the measured sets of rows; None without an estimator or rows."""
    if not qualities or qualities[0].compared is None:
        return None
    compared, task = qualities[0].compared, rule_list.task
    found = find_disagreements(rule_list, None, None, seen=compared.seen, expected=compared.expected)
    measured = compared.fidelity.agreements
    by_class = [
        ClassAgreement(format_value(label), number, one)
        for number, label in enumerate(task.labels)
        for one in measured
        if one.of == f"class {label}" and one.n_samples
    ]
    shown = sorted(by_class, key=lambda one: -one.agreement.n_samples)[:MOST_IN_TABLE]
    is_model = explains(estimator)
    return Faithfulness(
        whole="model" if is_model else "ensemble",
        of=qualities[0].name,
        n_rows=compared.seen.n_samples,
        overall=found.agreement if task.has_labels else found.r2,
        by_rule=tuple(
            one if task.has_labels else _rooted(one)
            for one in measured
            if one.of.startswith(("rule ", "no rule")) and one.n_samples
        ),
        by_class=tuple(sorted(shown, key=lambda one: one.class_number)),
        n_more=len(by_class) - len(shown),
        brier=compared.fidelity.brier,
        divergence=compared.fidelity.divergence,
        found=found,
        surrogate=_surrogate(rule_list, qualities[-1], compared, estimator) if is_model else None,
        knows_rows=is_model and _knows(qualities[0], compared, rule_list),
    )


def _surrogate(rule_list: RuleList, train: Quality, compared: Compared, estimator: Any) -> Surrogate | None:
    """Return a tree of as many leaves as the list has rules, grown on the model's predictions for the training rows."""
    told, n_rows = train.compared, compared.seen.n_samples
    if train.name != TRAINING or told is None or (n_rows < 2 and not rule_list.task.has_labels):
        return None
    tree = fit_tree(rule_list.task, len(rule_list), tree_inputs(estimator.forest_, told.seen.X), told.expected)
    said = tree.predict(tree_inputs(estimator.forest_, compared.seen.X))
    n_leaves = int(tree.get_n_leaves()) if hasattr(tree, "get_n_leaves") else 1
    return Surrogate(n_leaves, rule_list.task.score(compared.expected, said))


def _knows(quality: Quality, compared: Compared, rule_list: RuleList) -> bool:
    """Return whether the model was probably trained on rows that the list did not learn from."""
    of_model, of_list = compared.fidelity.ensemble_score, compared.fidelity.score
    if quality.name == TRAINING or of_model is None or of_list is None:
        return False
    return seems_to_know(of_model, of_list, rule_list.task)


def _rooted(squares: Agreement) -> Agreement:
    """Return the root of a mean of squares, which is of the size of the differences themselves."""
    value, low, high = map(math.sqrt, (squares.value, squares.low, squares.high))
    return replace(squares, value=value, low=low, high=high)
