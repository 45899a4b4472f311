"""What constraints ask about: the candidate rules, the samples, and what each rule would predict.

A rule's prediction follows from its samples, so a constraint can count what the final list will really predict, before
any rule is chosen. All counts are of samples that were given, with their weights; rows that a teacher added do not
count. A training sample satisfies exactly one rule of a list, so such counts add up over the chosen rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow._support.arrays import BoolArray, FloatArray, IntArray
from hedgerow._support.lettering import close_names, some
from hedgerow.candidates.answers import Answer, Predictions, answered_rules
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool
from hedgerow.candidates.tally import Tally, Targets, Weights, class_weights, sizes, total_weight
from hedgerow.exceptions import InvalidParameterError
from hedgerow.features import Feature
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule import Rule
from hedgerow.tasks import Task


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidate rules, and what is known about them.

    Attributes
    ----------
    pool : RulePool
    coverage : Coverage
        Of the samples that were given; of very many that are read in chunks, of some.
    y : array or Tally
        The targets that were given, or their sums.
    weight : array or Tally
    task : Task
    predict : callable
        Returns what some rules would predict: the fields of :class:`~hedgerow.rules.rule.Rule` about it, for each.
    predict_default : callable
        Returns the same for samples that no rule matches.
    answer : Answer
        How predictions are made from samples.
    few : Coverage
        Of the samples with which the solver begins.
    X : table or None
        The samples that were given; None if they are read in chunks.
    counted : bool array
        Which of them count: those of weight 0 do not, and are in none of the arrays above.
    uncovered : "default" or "ensemble"
        What answers where no rule matches.
    max_rules : int or None
        The budget.
    by_group : callable or None
        Where samples are read in chunks: takes the position of a column and the most groups that are wanted, and
        returns the sums of the samples of each value of it, under None of those where it is missing.
    """

    pool: RulePool
    coverage: Coverage
    y: Targets
    weight: Weights
    task: Task
    predict: Callable[[IntArray], Predictions]
    predict_default: Callable[[], dict[str, Any]]
    answer: Answer
    few: Coverage
    X: Any = None
    counted: BoolArray | None = None
    uncovered: str = "default"
    max_rules: int | None = None
    by_group: Callable[[int, int], dict[Any, Tally]] | None = None

    def __len__(self) -> int:
        return len(self.pool)

    # Rules

    @cached_property
    def uses(self) -> sparse.csr_array:
        """Which rules use which features of the forest, of shape (n_rules, n_features): 1 or 0."""
        rule, branch, _, _ = self.pool.conditions
        shape = (len(self), len(self.pool.forest.features))
        feature = self.pool.forest.nodes.feature[branch]
        found = sparse.csr_array((np.ones(len(rule)), (rule, feature)), shape=shape)
        found.sum_duplicates()
        found.data[:] = 1.0
        return found

    @cached_property
    def uses_of_sources(self) -> sparse.csr_array:
        """Which rules use which sources of features, mostly columns, of shape (n_rules, n_sources): 1 or 0."""
        known: dict[Any, int] = {}
        source = np.array([known.setdefault(feature.source, len(known)) for feature in self.pool.forest.features])
        rule = np.repeat(np.arange(len(self)), np.diff(self.uses.indptr))
        entries = np.ones(len(rule)), (rule, source[self.uses.indices])
        found = sparse.csr_array(entries, shape=(len(self), len(known)))
        found.sum_duplicates()
        found.data[:] = 1.0
        return found

    @cached_property
    def n_conditions(self) -> IntArray:
        """The number of conditions of each rule as it is read: one per feature."""
        return np.diff(self.uses.indptr).astype(np.int64)

    @cached_property
    def rank(self) -> IntArray:
        """The place of each rule in the list of all: rules that cover more come first, then those of the pool."""
        rank = np.empty(len(self), dtype=np.int64)
        rank[np.argsort(-self.sizes, kind="stable")] = np.arange(len(self))
        return rank

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules, as a list would have them. Of large pools, this takes a while."""
        return answered_rules(self.pool, self.coverage, self.weight, self.predictions)

    def like(self, rule: Rule) -> IntArray:
        """Return the rules with the same conditions, in whatever order and however often these are repeated."""
        wanted = frozenset(_of_values(condition) for condition in rule.simplified)
        try:
            columns = [self.pool.forest.features.index(condition.feature) for condition in wanted]
        except ValueError:
            return np.empty(0, dtype=np.int64)
        alike = self.n_conditions == len(columns)
        if columns:
            alike &= np.asarray(self.uses[:, columns].sum(axis=1)).ravel() == len(columns)
        same = [
            j for j in np.flatnonzero(alike) if frozenset(map(_of_values, self.pool.rule(int(j)).simplified)) == wanted
        ]
        return np.array(same, dtype=np.int64)

    # Samples

    @cached_property
    def counts(self) -> IntArray:
        """The number of each rule's samples."""
        return sizes(self.weight, self.coverage)[0]

    @cached_property
    def sizes(self) -> FloatArray:
        """The weight of each rule's samples."""
        return sizes(self.weight, self.coverage)[1]

    @cached_property
    def total(self) -> float:
        """The weight of all samples."""
        return total_weight(self.weight, self.coverage)

    @cached_property
    def class_weights(self) -> FloatArray:
        """The weight of each class among each rule's samples, of shape (n_rules, n_classes)."""
        return class_weights(self.y, self.weight, self.coverage, self.task.classes)

    @cached_property
    def class_totals(self) -> FloatArray:
        """The weight of each class among all samples."""
        return class_weights(self.y, self.weight, self.coverage.everything(), self.task.classes)[0]

    # Predictions

    @cached_property
    def predictions(self) -> Predictions:
        """What each rule would predict."""
        return self.predict(np.arange(len(self)))

    @cached_property
    def default(self) -> dict[str, Any]:
        """What is predicted where no rule matches."""
        return self.predict_default()

    @cached_property
    def predicted(self) -> IntArray:
        """The position of the label that each rule would predict, among the classes."""
        place = {label: k for k, label in enumerate(self.task.labels)}
        return np.array([place[told["prediction"]] for told in self.predictions], dtype=np.int64)

    @cached_property
    def right(self) -> FloatArray:
        """The weight of each rule's samples that have the label it would predict."""
        return self.class_weights[np.arange(len(self)), self.predicted]

    # Names

    def features_named(self, name: Any, asked_by: str) -> IntArray:
        """Return the features of the forest with this name, or that look at this column, by name or position."""
        inputs = self.pool.forest.inputs
        features, columns = inputs.features, inputs.names
        if isinstance(name, Feature):
            found = [k for k, feature in enumerate(features) if feature == name]
            known = bool(found)
        elif isinstance(name, str):
            at = {k for k, column in enumerate(columns) if column == name}
            found = [k for k, one in enumerate(features) if one.name == name or at.intersection(inputs.places(one))]
            known = bool(found or at)
        else:
            is_place = isinstance(name, (int, np.integer)) and not isinstance(name, bool)
            known = is_place and 0 <= name < len(columns)
            found = [k for k, one in enumerate(features) if known and name in inputs.places(one)]
        if not known:
            raise _unknown("feature", name, [*columns, *(feature.name for feature in features)], asked_by)
        return np.array(found, dtype=np.int64)

    def column_named(self, name: Any, asked_by: str) -> int:
        """Return the position of a column of X, by name or position."""
        inputs = self.pool.forest.inputs
        columns = [] if inputs.of_series else inputs.names
        if isinstance(name, str) and name in columns:
            return columns.index(name)
        if isinstance(name, (int, np.integer)) and 0 <= name < len(columns):
            return int(name)
        raise _unknown("column", name, columns, asked_by)

    def using(self, name: Any, asked_by: str) -> BoolArray:
        """Return a mask of the rules that use a feature or column."""
        return np.asarray(self.uses[:, self.features_named(name, asked_by)].sum(axis=1)).ravel() > 0

    def label(self, label: Any, asked_by: str) -> int:
        """Return the position of a label among the classes; a label may be written as a string."""
        self.check_labels(asked_by)
        labels = self.task.labels
        same = [k for k, one in enumerate(labels) if one == label and isinstance(one, bool) == isinstance(label, bool)]
        same = same or [k for k, one in enumerate(labels) if str(one) == str(label)]
        if not same:
            close = close_names(str(label), [str(one) for one in labels])
            hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise InvalidParameterError(
                f"{asked_by} names the label {label!r}, which y does not have; it has {some(map(repr, labels))}. "
                f"{hint}".rstrip()
            )
        return same[0]

    def check_labels(self, asked_by: str) -> None:
        """Refuse numbers."""
        if not self.task.has_labels:
            raise InvalidParameterError(f"{asked_by} is about labels, but this list predicts numbers. Leave it out.")


def _unknown(kind: str, name: Any, known: Sequence[str], asked_by: str) -> InvalidParameterError:
    names = list(dict.fromkeys(known))
    close = close_names(str(name), names)
    hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else f"There are: {some(names)}."
    return InvalidParameterError(f"{asked_by} names the {kind} {name!r}, which there is not. {hint}")


def _of_values(condition: Condition) -> Condition:
    """Return the condition without what may differ between equal ones: the feature's notes."""
    return replace(condition, lower=condition.lower + 0.0, upper=condition.upper + 0.0)  # -0.0 is 0.0
