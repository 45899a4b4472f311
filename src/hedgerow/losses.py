"""How costly a rule's prediction is on the samples it covers.

A loss takes the targets, the sample weights and the coverage and returns one number per rule. To add one, write it here
and name it in ``LOSSES``, and name what rules predict with it in ``ANSWERS``. Or pass your own callable:
``f(y, weight, coverage)`` returning one number per rule, or a plain ``f(y_covered)`` or ``f(y_covered,
weight_covered)`` returning one number. All losses here except the mean squared error are sums over the covered samples,
so that the losses of a list's rules add up to the loss of the list.

Losses for labels take one label per sample or, for an ensemble's predictions, one row of class shares per sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow._support.checks import is_number
from hedgerow.candidates.answers import Answer, LeastCost, Majority, Mean, Quantile
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.quantiles import weighted_quantiles
from hedgerow.candidates.scores import (
    Function,
    check_vector,
    min_max,
    mix,
    parse_spec,
    required_arguments,
    rule_by_rule,
    share_of_largest,
)
from hedgerow.candidates.tally import (
    Targets,
    Weights,
    class_weights,
    deviations,
    in_memory,
    is_constant,
    largest,
)
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.tasks import Labels, Numbers, TaskKind

__all__ = [
    "CostMatrix",
    "Pinball",
    "Priced",
    "cost_matrix",
    "gini",
    "log_loss",
    "mae",
    "misclassification",
    "mse",
    "pinball",
    "priced",
    "sse",
]


def misclassification(y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
    """N_j - max_c N_cj: the weight of the covered samples that are not of the most frequent class.

    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [1, 1]])
    >>> misclassification(np.array(["a", "a", "b"]), np.ones(3), coverage)
    array([1., 0.])
    """
    counts = class_weights(y, weight, coverage)
    return counts.sum(axis=1) - counts.max(axis=1)


def sse(y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
    """Sum of squared errors of the covered targets about their mean."""
    return _deviations(y, weight, coverage)[1]


def mse(y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
    """Mean squared error of the covered targets about their mean.

    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [0, 1]])
    >>> mse(np.array([1.0, 3.0, 5.0]), np.ones(3), coverage)
    array([1., 0.])
    """
    total, squared = _deviations(y, weight, coverage)
    return squared / total


def log_loss(y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
    """- Σ_c N_cj log(N_cj / N_j): minus the logarithm of the rule's share of each covered sample's class, summed.

    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [0, 1]])
    >>> log_loss(np.array(["a", "b", "b"]), np.ones(3), coverage) / np.log(2)
    array([2., 0.])
    """
    counts = class_weights(y, weight, coverage)
    total = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
    logs = np.log(np.divide(counts, total, out=np.ones_like(counts), where=counts > 0))
    # From zero, because minus zero is not nice to see.
    return 0.0 - np.sum(counts * logs, axis=1)


def gini(y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
    """N_j (1 - Σ_c (N_cj / N_j)²): the Gini impurity times the weight of the covered samples.

    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [0, 1]])
    >>> gini(np.array(["a", "b", "b"]), np.ones(3), coverage)
    array([1., 0.])
    """
    counts = class_weights(y, weight, coverage)
    total = counts.sum(axis=1, keepdims=True)
    return np.sum(counts * (total - counts), axis=1) / total[:, 0]


def mae(y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
    """Sum of the absolute deviations of the covered targets from their median.

    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [1, 1]])
    >>> mae(np.array([1.0, 2.0, 9.0]), np.ones(3), coverage)
    array([8., 0.])
    """
    y, weight = in_memory(y, weight)
    return weighted_quantiles(np.asarray(y, dtype=np.float64), weight, coverage, 0.5)[1]


@dataclass(frozen=True, repr=False)
class Pinball:
    """The loss that :func:`pinball` returns."""

    quantile: float

    @property
    def answer(self) -> Answer:
        """The quantile."""
        return Quantile(self.quantile)

    def __call__(self, y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
        """Return the loss of each rule."""
        (y, weight), q = in_memory(y, weight), self.quantile
        return weighted_quantiles(np.asarray(y, dtype=np.float64), weight, coverage, q, below=1 - q, above=q)[1]

    def __repr__(self) -> str:
        return f"pinball({self.quantile!r})"


def pinball(quantile: float) -> Pinball:
    """Return the loss for which a quantile of the targets is the best prediction.

    A target above the prediction costs ``quantile`` times its distance, one below it ``1 - quantile`` times. Rules
    predict that quantile of the targets they cover.

    >>> coverage = Coverage.from_matrix([[1], [1], [1]])
    >>> pinball(0.9)(np.array([1.0, 2.0, 9.0]), np.ones(3), coverage)
    array([1.5])
    """
    if not isinstance(quantile, Real) or isinstance(quantile, bool) or not 0 < quantile < 1:
        raise InvalidParameterError(f"quantile must be a number between 0 and 1, both excluded; got {quantile!r}.")
    return Pinball(float(quantile))


@dataclass(frozen=True, repr=False)
class CostMatrix:
    """The loss that :func:`cost_matrix` returns.

    Attributes
    ----------
    costs : tuple
        Rows of numbers, or pairs of ((true, said), cost).
    named : bool
        Whether they are pairs.
    classes : tuple or None
        What the rows stand for; None is all labels that occur.
    possible : tuple or None
        More labels that the costs may be about, where the samples are a part of others: those that the part lacks
        cost nothing there.
    """

    costs: tuple[Any, ...]
    named: bool
    classes: tuple[Any, ...] | None = None
    possible: tuple[Any, ...] | None = None

    def among(self, classes: AnyArray) -> CostMatrix:
        """Return the same for these classes, as they come in rows of class shares; refuse costs that do not fit."""
        known = replace(self, classes=tuple(classes.tolist()))
        known._table()
        return known

    def for_part_of(self, labels: tuple[Any, ...]) -> CostMatrix:
        """Return the same for samples that may lack some of these labels."""
        return replace(self, possible=labels)

    @property
    def answer(self) -> Answer:
        """The class of least cost."""
        return LeastCost(self._table())

    def __call__(self, y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
        """Return the loss of each rule."""
        if self.classes is None:
            labels, _ = in_memory(y, weight)
            known = np.unique(labels) if labels.ndim == 1 else np.arange(labels.shape[1])
            return self.among(known)(labels, weight, coverage)
        counts = class_weights(y, weight, coverage, np.array(self.classes))
        return LeastCost(self._table()).of_predicting(counts).min(axis=1)

    def _table(self) -> tuple[tuple[float, ...], ...]:
        """Return the costs as rows, one per true class, in the order of the classes."""
        classes = self.classes
        possible = self.possible or ()
        if not self.named:
            if classes is not None and len(self.costs) == len(possible) and set(classes) < set(possible):
                places = [possible.index(label) for label in classes]
                return tuple(tuple(self.costs[true][said] for said in places) for true in places)
            if classes is not None and len(self.costs) != len(classes):
                raise InvalidParameterError(
                    f"A cost matrix of {len(self.costs)} rows does not fit {len(classes)} classes, which are "
                    f"{list(classes)[:10]}."
                )
            return self.costs
        if classes is None:
            return ()
        unknown = [label for pair, _ in self.costs for label in pair if label not in (*classes, *possible)]
        if unknown:
            raise InvalidParameterError(
                f"cost_matrix names labels that do not occur: {unknown[:10]}. The labels are: {list(classes)[:10]}."
            )
        given = dict(self.costs)
        return tuple(tuple(given.get((true, said), float(true != said)) for said in classes) for true in classes)

    def __repr__(self) -> str:
        return f"cost_matrix({dict(self.costs) if self.named else [list(row) for row in self.costs]!r})"


def cost_matrix(costs: Any) -> CostMatrix:
    """Return the loss with its own cost for each confusion of two classes.

    Rules predict the class that costs least on the samples they cover.

    Parameters
    ----------
    costs : array of shape (n_classes, n_classes), or dict
        Rows are the true classes and columns the predicted ones, both in the order of ``classes_``. Or
        ``{(true, predicted): cost}``; pairs that are not named cost 1, or 0 where both are the same.

    Examples
    --------
    >>> coverage = Coverage.from_matrix([[1], [1], [1]])
    >>> y = np.array(["ill", "well", "well"])
    >>> cost_matrix({("ill", "well"): 10})(y, np.ones(3), coverage)
    array([2.])
    >>> cost_matrix([[0, 10], [1, 0]])(y, np.ones(3), coverage)
    array([2.])
    """
    if isinstance(costs, Mapping):
        pairs = tuple(costs.items())
        if not all(isinstance(key, tuple) and len(key) == 2 and _is_finite(cost) for key, cost in pairs):
            raise InvalidParameterError(f"costs must be {{(true, predicted): finite number}}; got {costs!r}.")
        return CostMatrix(tuple((key, float(cost)) for key, cost in pairs), named=True)
    try:
        table = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size or not np.isfinite(table).all():
        raise InvalidParameterError(
            "costs must be a square array of finite numbers, true classes times predicted ones, or a dict "
            f"{{(true, predicted): cost}}; got {costs!r}."
        )
    return CostMatrix(tuple(tuple(row) for row in table.tolist()), named=False)


@dataclass(frozen=True, repr=False)
class Priced:
    """The loss that :func:`priced` returns."""

    loss: Any
    price: float

    @property
    def answer(self) -> Answer | None:
        """What goes with the loss itself."""
        name, function = self._own()
        return _answer_of(name, function)

    def among(self, classes: AnyArray) -> Priced:
        """Return the same for these classes."""
        return replace(self, loss=self.loss.among(classes)) if hasattr(self.loss, "among") else self

    def for_part_of(self, labels: tuple[Any, ...]) -> Priced:
        """Return the same for samples that may lack some of these labels."""
        return replace(self, loss=self.loss.for_part_of(labels)) if hasattr(self.loss, "for_part_of") else self

    def __call__(self, y: Targets, weight: Weights, coverage: Coverage) -> FloatArray:
        """Return the loss of each rule, and the price; where nothing is to be learned, each rule costs the same."""
        if is_constant(y):
            return np.ones(coverage.n_rules)
        name, function = self._own()
        single = coverage.everything()
        own, whole = (_call(f"The loss {name!r}", function, y, weight, rules, str) for rules in (coverage, single))
        return np.asarray(own) + self.price * float(np.asarray(whole)[0])

    def _own(self) -> tuple[str, Function]:
        ((name, function, _),) = parse_spec(self.loss, LOSSES, "loss")
        return name, function

    def __repr__(self) -> str:
        return f"priced({self.loss!r}, {self.price!r})"


def priced(loss: Any, price: float) -> Priced:
    """Return a loss to which every rule adds a price, so that a rule is spent only where it lowers the loss by more.

    Losses are then scaled from zero instead of from the lowest of all candidates. So with λ = 0 and a loss that adds
    up, the best list has the lowest sum of losses and prices; among lists of equal loss, that is the one with the
    fewest rules. Below a price of 1e-6 the solver may take lists for equal.

    Parameters
    ----------
    loss : str or callable
        As for the estimators.
    price : float
        As a share of the loss of a single rule that covers every sample.

    Examples
    --------
    >>> coverage = Coverage.from_matrix([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> priced("misclassification", 0.25)(np.array(["a", "b", "b", "a"]), np.ones(4), coverage)
    array([1.5, 1.5])
    """
    if not is_number(price) or not math.isfinite(price) or price < 0:
        raise InvalidParameterError(f"price must be a finite number of at least 0; got {price!r}.")
    if not isinstance(loss, str) and not callable(loss):
        raise InvalidParameterError(f"A price is added to a single loss, by name or callable; got {loss!r}.")
    parse_spec(loss, LOSSES, "loss")
    return Priced(loss, float(price))


def _is_finite(value: Any) -> bool:
    return isinstance(value, Real) and math.isfinite(value)


#: Losses by name.
LOSSES: dict[str, Function] = {loss.__name__: loss for loss in (misclassification, mse, sse, mae, log_loss, gini)}
#: What rules predict with each loss. A callable may have an attribute ``answer`` instead.
ANSWERS: dict[str, Answer] = {
    "misclassification": Majority(),
    "mse": Mean(),
    "sse": Mean(),
    "mae": Quantile(0.5),
    "log_loss": Majority(),
    "gini": Majority(),
}
#: The most common loss of each task that adds up over the rules of a list.
ADDITIVE: dict[TaskKind, Function] = {Labels: misclassification, Numbers: sse}
#: The loss of an estimator that is given none.
DEFAULTS: dict[TaskKind, str] = {Labels: "misclassification", Numbers: "mse"}
#: What rules predict with losses that do not say so.
USUAL: dict[TaskKind, Answer] = {Labels: Majority(), Numbers: Mean()}
#: Losses with parameters.
_OWN = (CostMatrix, Priced, Pinball)
#: Losses that know which classes there are.
_OF_CLASSES = (CostMatrix, Priced)
_MADE: dict[TaskKind, str] = {Labels: "cost_matrix(costs)", Numbers: "pinball(quantile)"}


@dataclass(frozen=True)
class Loss:
    """A loss by name, callable or weighted list, looked up; :func:`parse_loss` makes it.

    Attributes
    ----------
    parts : sequence of (name, function, weight)
    answer : Answer
        What a rule predicts: what goes with the first part that says so.
    """

    parts: Sequence[tuple[str, Function, float]]
    answer: Answer

    @property
    def from_zero(self) -> bool:
        """Whether losses are scaled from zero, not from the lowest: where each rule has a price."""
        return any(isinstance(function, Priced) for _, function, _ in self.parts)

    def among(self, classes: AnyArray | None) -> Loss:
        """Return the loss for these classes, in the order of class shares; refuse costs of other classes."""
        if classes is None:
            return self
        parts = [(n, f.among(classes) if isinstance(f, _OF_CLASSES) else f, share) for n, f, share in self.parts]
        return Loss(parts, _first_answer(parts, self.answer))

    def for_part_of(self, classes: AnyArray | None) -> Loss:
        """Return the loss for a part of samples that have these classes; the part may lack some of them."""
        if classes is None:
            return self
        labels = tuple(classes.tolist())
        parts = [(n, f.for_part_of(labels) if isinstance(f, _OF_CLASSES) else f, share) for n, f, share in self.parts]
        return Loss(parts, self.answer)

    def evaluate(self, y: Targets, weight: Weights, coverage: Coverage, describe: Callable[[int], str]) -> FloatArray:
        """Return the loss of each rule; ``describe`` names a rule on which a callable fails."""
        parts = []
        for name, function, share in self.parts:
            title = f"The loss {name!r}"
            values = _call(title, function, y, weight, coverage, describe)
            parts.append((check_vector(values, coverage.n_rules, title, describe), share))
        return mix(parts, share_of_largest if self.from_zero else min_max)


def parse_loss(spec: Any, task_kind: TaskKind) -> Loss:
    """Return the loss that a name, a callable or a weighted list of them stands for; refuse one of another task.

    With callables that do not say what rules predict, it is the majority class or the mean.
    """
    parts = parse_spec(spec, LOSSES, "loss")
    for name, function, _ in parts:
        answer = _answer_of(name, function)
        if answer is not None and answer.task_kind is not task_kind:
            fitting = ", ".join(repr(known) for known in LOSSES if ANSWERS[known].task_kind is task_kind)
            title = repr(name) if name in LOSSES else repr(function)
            raise InvalidParameterError(
                f"The loss {title} does not go with {task_kind.targets} as targets. Possible: {fitting}, "
                f"hedgerow.losses.{_MADE[task_kind]}."
            )
    return Loss(parts, _first_answer(parts, USUAL[task_kind]))


def _first_answer(parts: Sequence[tuple[str, Function, float]], usual: Answer) -> Answer:
    answers = (_answer_of(name, function) for name, function, _ in parts)
    return next((answer for answer in answers if answer is not None), usual)


def _answer_of(name: str, function: Function) -> Answer | None:
    """Return what rules predict with a loss: what its name or an attribute of its function says."""
    answer = ANSWERS[name] if LOSSES.get(name) is function else getattr(function, "answer", None)
    return answer if isinstance(answer, Answer) else None


def _call(
    title: str, function: Function, y: Targets, weight: Weights, coverage: Coverage, describe: Callable[[int], str]
) -> Any:
    n_arguments = len(required_arguments(function))
    if function in LOSSES.values() or isinstance(function, _OWN):
        return function(y, weight, coverage)
    labels, weights = in_memory(y, weight)
    if n_arguments == 3:
        return function(labels, weights, coverage)
    if n_arguments not in (1, 2):
        raise InvalidParameterError(
            f"{title} takes {n_arguments} arguments. A loss is f(y, weight, coverage), one number per rule, "
            "or f(y_covered) or f(y_covered, weight_covered), one number."
        )

    def of_rule(j: int) -> Any:
        rows = coverage.members(j)
        return function(labels[rows]) if n_arguments == 1 else function(labels[rows], weights[rows])

    return rule_by_rule(of_rule, coverage.n_rules, title, describe)


def check_squares(y: Targets) -> None:
    """Refuse targets whose squares are too large or too small for doubles."""
    scale = largest(y) or 1.0
    if not 1e-150 < scale < 1e150:
        raise InvalidDataError(f"Targets of size {scale:.1g} cannot be squared in floating point. Rescale y.")


def _deviations(y: Targets, weight: Weights, coverage: Coverage) -> tuple[FloatArray, FloatArray]:
    """Return the total weight of each rule and its weighted sum of squared deviations."""
    check_squares(y)
    return deviations(y, weight, coverage)
