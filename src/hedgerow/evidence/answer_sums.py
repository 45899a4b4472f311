"""What a list and a model answer, added up over rows: all that fidelity needs of them, in memory and in chunks.

Rows in chunks give what they give at once, but for rounding in the last digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow.evidence.agreement import Agreement, brier_scores, divergences
from hedgerow.forests.forest import Forest
from hedgerow.pipeline.asking import predictions_of
from hedgerow.rules.evaluation import Evaluation
from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.weighted_rules import WeightedEvaluation
from hedgerow.sources.columns import columns_of, in_order
from hedgerow.sources.source import Chunk, Source
from hedgerow.tasks import Task


@dataclass(frozen=True, eq=False)
class Answers:
    """What rules and a model answer for some rows.

    Attributes
    ----------
    seen : Evaluation or WeightedEvaluation
        What the rules make of the rows.
    expected : array
        What the model predicts.
    of_model : float array or None
        Its class shares, in the order of the rules'.
    y : array or None
        The targets, if they are known.
    """

    seen: Evaluation | WeightedEvaluation
    expected: AnyArray
    of_model: FloatArray | None
    y: AnyArray | None = None


class Share:
    """How often something is true."""

    def __init__(self) -> None:
        self.n = self.n_true = 0

    def add(self, values: BoolArray) -> None:
        """Add whether it is true, row by row."""
        self.n += len(values)
        self.n_true += int(np.count_nonzero(values))

    def merge(self, other: Share) -> None:
        """Add other rows."""
        self.n += other.n
        self.n_true += other.n_true

    @property
    def mean(self) -> float:
        """The share; NaN without rows."""
        return self.n_true / self.n if self.n else float("nan")


class Moments:
    """The number, the mean and the squared deviations from it of numbers.

    Parts are put together as Chan, Golub and LeVeque do it: no large squares are subtracted from each other.
    """

    def __init__(self) -> None:
        self.n, self.mean, self.squares = 0, float("nan"), 0.0

    def add(self, values: FloatArray) -> None:
        """Add numbers."""
        part = Moments()
        if len(values):
            part.n, part.mean = len(values), float(values.mean())
            part.squares = float(((values - part.mean) ** 2).sum())
        self.merge(part)

    def merge(self, other: Moments) -> None:
        """Add other numbers."""
        n, apart = self.n + other.n, other.mean - self.mean
        if self.n and other.n:
            self.squares += other.squares + apart**2 * (self.n * other.n / n)
            self.mean += apart * (other.n / n)
        elif other.n:
            self.squares, self.mean = other.squares, other.mean
        self.n = n


class AnswerSums:
    """What rules and a model answer, added up over rows.

    Parameters
    ----------
    task : Task
        That of the rules.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.sums: dict[str, Share | Moments] = {}
        #: As many rules as answer somewhere, those that answer nowhere between them included.
        self.n_rules = 0

    def empty(self) -> AnswerSums:
        """Return the sums of no rows."""
        return AnswerSums(self.task)

    def add(self, rows: Answers) -> None:
        """Add the answers for some rows."""
        predicted, expected, n_matching = rows.seen.predictions, rows.expected, rows.seen.matches.sum(axis=1)
        apart = self._distance(predicted, expected)
        self._add("uncovered", n_matching == 0)
        self._add("overlapping", n_matching > 1)
        self._add("all", apart)
        if rows.y is not None:
            self._add("rules to y", self._distance(predicted, rows.y))
            self._add("model to y", self._distance(expected, rows.y))
        if isinstance(rows.seen, Evaluation):
            fired = rows.seen.fired
            self.n_rules = max(self.n_rules, int(fired.max(initial=-1)) + 1)
            for i in np.unique(fired).tolist():
                self._add(f"rule {i + 1}" if i >= 0 else "no rule", apart[fired == i])
        if not self.task.has_labels:
            self._add("model", expected)
            if rows.y is not None:
                self._add("y", np.asarray(rows.y, dtype=np.float64))
            return
        for label in self.task.labels:
            self._add(f"class {label}", apart[expected == label])
        if isinstance(rows.seen, Evaluation) and rows.of_model is not None:
            self._add("brier", brier_scores(rows.seen.shares, rows.of_model))
            self._add("divergence", divergences(rows.seen.shares, rows.of_model))

    def merge(self, other: AnswerSums) -> None:
        """Add the answers for other rows."""
        self.n_rules = max(self.n_rules, other.n_rules)
        for name, part in other.sums.items():
            self._of(name, type(part)).merge(part)

    def _add(self, name: str, values: AnyArray) -> None:
        self._of(name, Share if values.dtype.kind == "b" else Moments).add(values)

    def _of(self, name: str, kind: type[Any]) -> Any:
        return self.sums.setdefault(name, kind())

    def _distance(self, one: AnyArray, other: AnyArray) -> AnyArray:
        """Return which labels are the same, or the squared differences of numbers."""
        return np.asarray(one == other if self.task.has_labels else (one - other) ** 2)

    # What they come to

    @property
    def disagreement(self) -> float:
        """The share of rows with different labels, or the mean squared difference."""
        found = self.sums["all"]
        return (found.n - found.n_true) / found.n if isinstance(found, Share) else found.mean

    def share(self, name: str) -> float:
        """Return the mean of what was added under a name."""
        return self.sums[name].mean

    def mean(self, name: str) -> float | None:
        """Return the mean of what was added under a name, None if nothing was."""
        return self.sums[name].mean if name in self.sums else None

    def score(self, of: Literal["rules", "model"]) -> float | None:
        """Return the accuracy or R²; None without targets."""
        error, y = self.mean(f"{of} to y"), self.sums.get("y")
        if error is None or not isinstance(y, Moments):
            return error
        if y.n < 2:
            return float("nan")
        return 1 - error * y.n / y.squares if y.squares else float(error == 0)

    @property
    def r2(self) -> float | None:
        """R² of the rules' values to the model's; None for labels, NaN if the model's are all the same."""
        of_model = self.sums.get("model")
        if not isinstance(of_model, Moments):
            return None
        return 1 - self.disagreement * of_model.n / of_model.squares if of_model.squares else float("nan")

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """The agreement on all rows, on those of each rule and, for labels, on those of each class of the model."""
        names = [
            "all",
            *(f"rule {i + 1}" for i in range(self.n_rules)),
            *(["no rule"] if "no rule" in self.sums else []),
        ]
        if self.task.has_labels:
            names += [f"class {label}" for label in self.task.labels]
        return tuple(self._agreement(name) for name in names)

    def _agreement(self, of: str) -> Agreement:
        found = self._of(of, Share if self.task.has_labels else Moments)
        if isinstance(found, Share):
            return Agreement.of_counts(of, found.n, found.n_true)
        return Agreement.of_moments(of, found.n, found.mean, found.squares)


@dataclass(frozen=True, eq=False)
class Listener:
    """Asks a list and a model about the rows of a chunk.

    Attributes
    ----------
    rule_list : RuleList
    model : estimator
    forest : Forest or None
        Its neutral form, if it has one.
    columns : tuple of str or int
        What the columns of the list are called in the source.
    """

    rule_list: RuleList
    model: Any
    forest: Forest | None
    columns: tuple[str | int, ...]

    def rows(self, chunk: Chunk) -> Answers:
        """Return what both answer."""
        X = in_order(chunk, self.columns)
        said = predictions_of(self.model, self.forest, self.rule_list.task, X)
        return Answers(self.rule_list.evaluate(X), *said, chunk.y)


def answers_in_chunks(
    rule_list: RuleList, model: Any, forest: Forest | None, source: Source, n_jobs: int | None = None
) -> AnswerSums:
    """Make one pass over a source, and add up what a list and a model answer."""
    columns = columns_of(source, rule_list.inputs, range(len(rule_list.inputs.names)))
    model = None if forest is not None else model  # which may be large
    passes = source.passes(Listener(rule_list, model, forest, tuple(columns)), columns, n_jobs=n_jobs)
    return passes.run(AnswerSums(rule_list.task), targets=source.has_targets, what="comparing")
