"""The result of the baselines: rules with weights that all contribute to every prediction.

One form serves four methods. A rule has one output for the samples inside and another for those outside. The weighted
outputs are added up (RuleFit, SIRUS, FIRE), or those of the matching rules are averaged (NodeHarvest).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow._support.text_table import aligned
from hedgerow.features import Feature, Inputs, frame_or_array
from hedgerow.rules.condition import Condition
from hedgerow.rules.linear_term import LinearTerm
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList, sum_by_feature
from hedgerow.rules.wording import ROUNDING, format_number, format_value
from hedgerow.tasks import Task, task_of


@dataclass(frozen=True, eq=False)
class WeightedEvaluation:
    """Weighted rules evaluated on some samples.

    Attributes
    ----------
    matches : bool array of shape (n_samples, n_rules)
        Whether each sample satisfies each rule.
    outputs : array of shape (n_samples, n_outputs)
        The combined outputs, before the link.
    predictions : array of shape (n_samples,)
        Labels or values.
    """

    matches: BoolArray
    outputs: FloatArray
    predictions: AnyArray


@dataclass(frozen=True, eq=False)
class WeightedRules:
    """Rules that all contribute to every prediction.

    There is one output for a regression (the value) and for two classes (the probability of the second), otherwise one
    per class.

    Attributes
    ----------
    rules : tuple of Rule
        Each with its coverage and, for the reader, the class shares or the mean of the training samples it covers.
    weights : array of shape (n_rules, n_outputs)
    inside, outside : arrays of shape (n_rules, n_outputs)
        The output of a rule, before its weight, for samples that satisfy it and for those that do not.
    intercept : array of shape (n_outputs,)
        Added to the sum; in a mean, the output where no rule matches.
    inputs : Inputs
        The columns the rules use, and the precision of comparison.
    classes : array or None
        Labels; None for regression.
    n_samples : int
        Number of training samples.
    combination : "sum" or "mean"
        The sum of the weighted outputs of all rules, or the weighted mean over the matching rules.
    link : "identity" or "logistic"
        From outputs to values or class probabilities.
    linear : tuple of LinearTerm
        Added to the sum.
    """

    rules: tuple[Rule, ...]
    weights: FloatArray
    inside: FloatArray
    outside: FloatArray
    intercept: FloatArray
    inputs: Inputs
    classes: AnyArray | None = None
    n_samples: int = 0
    combination: Literal["sum", "mean"] = "sum"
    link: Literal["identity", "logistic"] = "identity"
    linear: tuple[LinearTerm, ...] = ()

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, i: int) -> Rule:
        return self.rules[i]

    @property
    def n_terms(self) -> int:
        """Number of rules and linear terms."""
        return len(self.rules) + len(self.linear)

    def matches(self, X: Any) -> BoolArray:
        """Return a boolean array of shape (n_samples, n_rules): whether each sample satisfies each rule."""
        if not self.rules:
            return np.zeros((frame_or_array(X).shape[0], 0), dtype=bool)
        return self._listed.matches(X)

    @cached_property
    def task(self) -> Task:
        """What the rules predict: labels or numbers."""
        return task_of(self.classes)

    def evaluate(self, X: Any) -> WeightedEvaluation:
        """Match the samples with the rules once, and return all that follows from it."""
        matches = self.matches(X)
        outputs = self._mean(matches) if self.combination == "mean" else self._sum(matches, X)
        return WeightedEvaluation(matches, outputs, self._predictions(outputs))

    def decision_function(self, X: Any) -> FloatArray:
        """Return the outputs before the link, of shape (n_samples, n_outputs)."""
        return self.evaluate(X).outputs

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class; with more than two classes, scaled to add up to 1."""
        if not self.task.has_labels:
            raise AttributeError("Weighted rules for regression have no class probabilities; use predict.")
        from scipy.special import expit

        outputs = self.decision_function(X)
        shares = expit(outputs) if self.link == "logistic" else np.clip(outputs, 0, 1)
        if shares.shape[1] == 1:
            return np.hstack([1 - shares, shares])
        total = shares.sum(axis=1, keepdims=True)
        return np.divide(shares, total, out=np.full_like(shares, 1 / shares.shape[1]), where=total > 0)

    def predict(self, X: Any) -> AnyArray:
        """Return the label or value of each sample: the label with the highest probability, ties go to the first."""
        return self.evaluate(X).predictions

    def feature_importances(self) -> dict[Feature, float]:
        """Return the importance of each feature that is used: the sum over the rules that use it.

        In a sum, the importance of a rule is the standard deviation of its contribution over the training samples,
        |weight (inside - outside)| √(share (1 - share)), and that of a linear term is |slope| times the spread of its
        feature. In a mean it is weight times share, the rule's part in the predictions. Outputs are added up.
        """
        share = np.array([rule.share for rule in self.rules])
        if self.combination == "mean":
            of_rules = self.weights.sum(axis=1) * share
        else:
            effect = np.abs(self.weights * (self.inside - self.outside)).sum(axis=1)
            of_rules = effect * np.sqrt(share * np.clip(1 - share, 0, None))
        rules = [*self.rules, *(Rule((Condition(term.feature),)) for term in self.linear)]
        of_linear = [float(np.abs(term.slope).sum()) * term.spread for term in self.linear]
        return sum_by_feature(rules, [*of_rules.tolist(), *of_linear])

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary per rule, followed by the linear terms and the intercept."""
        records: list[dict[str, Any]] = []
        for i, (rule, weight, outside) in enumerate(zip(self.rules, self.weights, self.outside, strict=True), start=1):
            record = {"rule": i, **self._weight_record(weight), "conditions": rule.describe(self._listed.digits)}
            record |= {"prediction": rule.prediction, "samples": rule.coverage, "share": rule.share}
            if rule.class_share is not None:
                record["class_share"] = rule.class_share
            if rule.spread is not None:
                record["spread"] = rule.spread
            if self.outside.any():
                record["otherwise"] = float(outside[0]) if len(outside) == 1 else tuple(outside.tolist())
            records.append(record)
        for term in self.linear:
            records.append({"rule": "linear", **self._weight_record(term.slope), "conditions": term.describe()})
        records.append({"rule": "intercept", **self._weight_record(self.intercept), "conditions": self._role})
        return records

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of a table of strings: the rules, the linear terms, the intercept."""
        head = ["", "weight", "if", "then", "else", "samples", "share"]
        rows = [
            [
                f"{i}",
                self._weight_text(self.weights[i - 1]),
                rule.describe(self._listed.digits),
                rule.describe_prediction(),
                self._otherwise(i - 1),
                f"{rule.coverage}",
                f"{100 * rule.share:.1f} %",
            ]
            for i, rule in enumerate(self.rules, start=1)
        ]
        others = [(self._weight_text(term.slope), term.describe()) for term in self.linear]
        rows += [
            ["", *other, "", "", "", ""]
            for other in [*others, (self._weight_text(self._readable_intercept), self._role)]
        ]
        if not self.outside.any():
            head, *rows = ([*row[:4], *row[5:]] for row in [head, *rows])
        return head, rows

    def to_text(self) -> str:
        """Return the rules as text, one per line: weight, conditions, prediction, coverage; then the other terms."""
        head, rows = self.cells()
        for row in rows[: len(self.rules)]:
            row[0] += "."
            for c in range(2, len(head) - 2):
                row[c] = f"{head[c]} {row[c]}"
            row[-2] += " sample " if row[-2] == "1" else " samples"
        return "\n".join(aligned(rows, right=frozenset({0, 1, len(head) - 2, len(head) - 1})))

    def to_frame(self) -> Any:
        """Return the rules as a pandas data frame, followed by the other terms."""
        from hedgerow.exporters.to_frame import export

        return export(self)

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Return the rules as a LaTeX table; see :meth:`hedgerow.RuleList.to_latex`."""
        from hedgerow.exporters.to_latex import export

        return export(self, caption=caption, label=label)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        more = f", {len(self.linear)} linear terms" if self.linear else ""
        return f"WeightedRules({len(self)} rules{more}, {self.n_samples} training samples)"

    def _repr_html_(self) -> str:
        from hedgerow.exporters.to_notebook import export

        return export(self)

    @cached_property
    def _listed(self) -> RuleList:
        """The rules as a list, which matches samples and knows how many digits to print."""
        return RuleList(self.rules, Rule(()), self.inputs)

    def _mean(self, matches: BoolArray) -> FloatArray:
        nothing = np.zeros_like(self.intercept)
        total, weighted = (_add(nothing, matches, part) for part in (self.weights, self.weights * self.inside))
        outputs = np.broadcast_to(self.intercept, total.shape).copy()
        return np.divide(weighted, total, out=outputs, where=total > 0)

    def _sum(self, matches: BoolArray, X: Any) -> FloatArray:
        outside_of_all = self.intercept + (self.weights * self.outside).sum(axis=0)
        outputs = _add(outside_of_all, matches, self.weights * (self.inside - self.outside))
        if self.linear:
            inputs = replace(self.inputs, dtype=np.float64)
            values = inputs.values(frame_or_array(X), [term.feature for term in self.linear])
            outputs = sum((term.contribution(values[term.feature]) for term in self.linear), outputs)
        return outputs

    def _predictions(self, outputs: FloatArray) -> AnyArray:
        """Return labels or values; classes are compared by outputs, as probabilities may be rounded to ties."""
        if self.classes is None:
            return outputs[:, 0]
        if self.link == "identity":
            outputs = np.clip(outputs, 0, 1)
        if outputs.shape[1] > 1:
            return self.classes[np.argmax(outputs, axis=1)]
        even = 0.0 if self.link == "logistic" else 0.5
        return self.classes[(outputs[:, 0] > even).astype(np.int64)]

    @property
    def _readable_intercept(self) -> FloatArray:
        """The intercept, with 0 in place of rounding errors."""
        largest = np.abs(self.weights * self.inside).max(initial=0.0)
        return np.where(np.abs(self.intercept) < ROUNDING * largest, 0.0, self.intercept)

    @property
    def _role(self) -> str:
        return "intercept" if self.combination == "sum" else "where no rule matches"

    @property
    def _output_names(self) -> list[str]:
        """The classes of the outputs, if there are several outputs."""
        return [] if len(self.intercept) == 1 else [format_value(label) for label in self.task.labels]

    def _weight_record(self, weight: FloatArray) -> dict[str, float]:
        if len(weight) == 1:
            return {"weight": float(weight[0])}
        return {f"weight of {name}": float(w) for name, w in zip(self._output_names, weight, strict=True)}

    def _weight_text(self, weight: FloatArray) -> str:
        if len(weight) == 1 or (weight == weight[0]).all():
            return format_number(float(weight[0]), 3)
        named = zip(self._output_names, weight, strict=True)
        return ", ".join(f"{name} {format_number(float(w), 3)}" for name, w in named if w)

    def _otherwise(self, i: int) -> str:
        """Describe the output of a rule for samples that do not satisfy it."""
        outside = self.outside[i]
        if not self.task.has_labels:
            return format_number(float(outside[0]))
        shares = np.array([1 - outside[0], outside[0]]) if len(outside) == 1 else outside
        best = int(np.argmax(shares))
        return f"{format_value(self.task.labels[best])} ({100 * shares[best]:.0f} %)"


def _add(start: FloatArray, matches: BoolArray, added: FloatArray) -> FloatArray:
    """Return for each sample the start plus what its matching rules add, one column per output.

    Rule by rule: unlike a matrix product, this gives a sample the same sum whatever other samples come with it.
    """
    total = np.tile(start, (len(matches), 1))
    for match, amount in zip(matches.T, added, strict=True):
        total[match] += amount
    return total
