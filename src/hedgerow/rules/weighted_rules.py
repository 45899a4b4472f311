"""The deliverable of the baselines: rules with weights, which all have a say in each answer.

One form for four methods. A rule says one thing about the samples inside and another about those outside; the
weighted sayings are added up (RuleFit, SIRUS, FIRE), or those of the rules that hold are averaged (NodeHarvest).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from scipy.special import expit

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray
from hedgerow._support.text_table import aligned
from hedgerow.features import Feature, Inputs, frame_or_array
from hedgerow.rules.linear_term import LinearTerm
from hedgerow.rules.rule import ROUNDING, Condition, Rule, format_number, format_value
from hedgerow.rules.rule_list import RuleList, sum_by_feature


@dataclass(frozen=True, eq=False)
class WeightedRules:
    """Rules that all have a say.

    There is one output for a regression (the value) and for two classes (the share of the second), else one a class.

    Attributes
    ----------
    rules : tuple of Rule
        Each with its coverage and, to be read, the class shares or the mean of the training samples it covers.
    weights : array of shape (n_rules, n_outputs)
    inside, outside : arrays of shape (n_rules, n_outputs)
        What a rule says, before its weight, of samples that satisfy it and of those that do not.
    intercept : array of shape (n_outputs,)
        Added to the sum; in an average, what is answered where no rule holds.
    inputs : Inputs
        The columns the rules look at, and the precision of comparison.
    classes : array or None
        Labels; None for regression.
    n_samples : int
        Number of training samples.
    combination : "sum" or "mean"
        The weighted sayings of all rules added up, or the weighted mean over the rules that hold.
    link : "identity" or "logistic"
        From the outputs to values or class shares.
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

    @cached_property
    def listed(self) -> RuleList:
        """The rules as a list, which knows who satisfies them and how many digits tell them apart."""
        return RuleList(self.rules, Rule(()), self.inputs)

    def matches(self, X: Any) -> BoolArray:
        """Return which rules each sample satisfies, of shape (n_samples, n_rules)."""
        if not self.rules:
            return np.zeros((frame_or_array(X).shape[0], 0), dtype=bool)
        return self.listed.matches(X)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the outputs before the link, of shape (n_samples, n_outputs)."""
        holds = self.matches(X)
        if self.combination == "mean":
            total = _summed(np.zeros_like(self.intercept), holds, self.weights)
            said = _summed(np.zeros_like(self.intercept), holds, self.added)
            answered = np.broadcast_to(self.intercept, said.shape).copy()
            return np.divide(said, total, out=answered, where=total > 0)
        raw = _summed(self.base, holds, self.added)
        if self.linear:
            inputs = replace(self.inputs, dtype=np.float64)
            values = inputs.values(frame_or_array(X), [term.feature for term in self.linear])
            for term in self.linear:
                raw = raw + term.contribution(values[term.feature])
        return raw

    @property
    def base(self) -> FloatArray:
        """What a sum begins with: the intercept, and what all rules say of samples outside of them."""
        return self.intercept + (self.weights * self.outside).sum(axis=0)

    @property
    def added(self) -> FloatArray:
        """What a rule that holds adds, of shape (n_rules, n_outputs); in a mean, to what is divided by the weights."""
        return self.weights * (self.inside if self.combination == "mean" else self.inside - self.outside)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the share of each class; of more than two classes, scaled so that they add up to 1."""
        if self.classes is None:
            raise AttributeError("Weighted rules of a regression have no class shares; use predict.")
        raw = self.decision_function(X)
        shares = expit(raw) if self.link == "logistic" else np.clip(raw, 0, 1)
        if shares.shape[1] == 1:
            return np.hstack([1 - shares, shares])
        total = shares.sum(axis=1, keepdims=True)
        return np.divide(shares, total, out=np.full_like(shares, 1 / shares.shape[1]), where=total > 0)

    def predict(self, X: Any) -> AnyArray:
        """Return the label or value of each sample.

        The label is that of the largest share, of equal ones the first. Outputs are compared before they are shares:
        of unlike outputs the shares can be alike by rounding.
        """
        if self.classes is None:
            return self.decision_function(X)[:, 0]
        raw = self.decision_function(X)
        if self.link == "identity":
            raw = np.clip(raw, 0, 1)
        best = (raw[:, 0] > self.middle).astype(np.int64) if raw.shape[1] == 1 else np.argmax(raw, axis=1)
        return self.classes[best]

    @property
    def middle(self) -> float:
        """The output at which two classes have the same share."""
        return 0.0 if self.link == "logistic" else 0.5

    def feature_importances(self) -> dict[Feature, float]:
        """Return how much each feature that is used matters: the importances of the rules that look at it, summed.

        In a sum the importance of a rule is the standard deviation of what it adds, over the training samples,
        |weight (inside - outside)| √(share (1 - share)), and that of a linear term is |slope| times the spread of its
        feature; in a mean it is weight times share, the part that the rule has in the answers. Outputs are added up.
        """
        share = np.array([rule.share for rule in self.rules])
        if self.combination == "mean":
            of_rules = self.weights.sum(axis=1) * share
        else:
            said = np.abs(self.weights * (self.inside - self.outside)).sum(axis=1)
            of_rules = said * np.sqrt(share * np.clip(1 - share, 0, None))
        rules = [*self.rules, *(Rule((Condition(term.feature),)) for term in self.linear)]
        of_linear = [float(np.abs(term.slope).sum()) * term.spread for term in self.linear]
        return sum_by_feature(rules, [*of_rules.tolist(), *of_linear])

    def to_records(self) -> list[dict[str, Any]]:
        """Return the rules as data, each a dictionary; then the linear terms, then the intercept."""
        records: list[dict[str, Any]] = []
        for i, (rule, weight, outside) in enumerate(zip(self.rules, self.weights, self.outside, strict=True), start=1):
            record = {"rule": i, **self._weight_record(weight), "conditions": rule.describe(self.listed.digits)}
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
        """Return a table of text, its heads and its rows: a rule each, then the linear terms, then the intercept."""
        head = ["", "weight", "if", "then", "else", "samples", "share"]
        rows = [
            [
                f"{i}",
                self._weight_text(self.weights[i - 1]),
                rule.describe(self.listed.digits),
                rule.describe_prediction(),
                self._otherwise(i - 1),
                f"{rule.coverage}",
                f"{100 * rule.share:.1f} %",
            ]
            for i, rule in enumerate(self.rules, start=1)
        ]
        others = [(self._weight_text(term.slope), term.describe()) for term in self.linear]
        rows += [["", *other, "", "", "", ""] for other in [*others, (self._weight_text(self._apart), self._role)]]
        if not self.outside.any():
            head, *rows = ([*row[:4], *row[5:]] for row in [head, *rows])
        return head, rows

    def to_text(self) -> str:
        """Return the rules as text, one a line: weight, conditions, answer, coverage; then the other terms."""
        head, rows = self.cells()
        for row in rows[: len(self.rules)]:
            row[0] += "."
            for c in range(2, len(head) - 2):
                row[c] = f"{head[c]} {row[c]}"
            row[-2] += " sample " if row[-2] == "1" else " samples"
        return "\n".join(aligned(rows, right=frozenset({0, 1, len(head) - 2, len(head) - 1})))

    def to_frame(self) -> Any:
        """Return the rules as a pandas data frame, the other terms last."""
        from hedgerow.exporters.to_frame import export

        return export(self)

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Write the rules as a LaTeX table, as :meth:`hedgerow.RuleList.to_latex` does."""
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

    @property
    def _apart(self) -> FloatArray:
        """The intercept to be read: 0 where only rounding keeps it from that."""
        largest = np.abs(self.weights * self.inside).max(initial=0.0)
        return np.where(np.abs(self.intercept) < ROUNDING * largest, 0.0, self.intercept)

    @property
    def _role(self) -> str:
        return "added to all" if self.combination == "sum" else "where no rule holds"

    @property
    def _output_names(self) -> list[str]:
        """The classes that the outputs stand for, if there are several."""
        return [] if self.classes is None or len(self.intercept) == 1 else [format_value(c) for c in self.classes]

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
        """Write what a rule says of samples that do not satisfy it."""
        outside = self.outside[i]
        if self.classes is None:
            return format_number(float(outside[0]))
        shares = np.array([1 - outside[0], outside[0]]) if len(outside) == 1 else outside
        best = int(np.argmax(shares))
        return f"{format_value(self.classes[best])} ({100 * shares[best]:.0f} %)"


def _summed(start: FloatArray, holds: BoolArray, added: FloatArray) -> FloatArray:
    """Return the start plus what each rule that holds adds, an output a column.

    One rule after the other, which a matrix product does not promise: programs elsewhere get the same sums, to the bit.
    """
    total = np.tile(start, (len(holds), 1))
    for held, amount in zip(holds.T, added, strict=True):
        total[held] += amount
    return total
