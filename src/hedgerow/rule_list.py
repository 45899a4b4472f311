"""The deliverable: ordered rules, first match wins, and a default.

The list is ordered by training coverage, largest first, so that "of several
matching rules the one that covers most training samples, of none the default"
is an if / else if / else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from hedgerow.arrays import AnyArray, BoolArray, FloatArray, IntArray
from hedgerow.features import Inputs
from hedgerow.rule import Rule
from hedgerow.solution import Solution


@dataclass(frozen=True, eq=False)
class RuleList:
    """Rules that part the training samples, with their proof.

    Attributes
    ----------
    rules : tuple of Rule
        Ordered by training coverage, largest first.
    default : Rule
        What to answer where no rule fires.
    inputs : Inputs
        The columns the rules look at, and the precision of comparison.
    classes : array or None
        Labels in the order of the rules' distributions; None for regression.
    n_samples : int
        Number of training samples.
    solution : Solution or None
        Objective, bound and status of the integer program.
    """

    rules: tuple[Rule, ...]
    default: Rule
    inputs: Inputs
    classes: AnyArray | None = None
    n_samples: int = 0
    solution: Solution | None = field(default=None)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, i: int) -> Rule:
        return self.rules[i]

    def apply(self, X: Any) -> IntArray:
        """Return the position of the rule that answers each sample, -1 if none fires."""
        values, n_samples = self._values(X)
        fired = np.full(n_samples, -1)
        left: IntArray | None = None  # all
        for i, rule in enumerate(self.rules):
            passes = self._holds(rule, values, n_samples, left)
            fired[passes if left is None else left[passes]] = i
            left = np.flatnonzero(~passes) if left is None else left[~passes]
        return fired

    def matches(self, X: Any) -> BoolArray:
        """Return which rules each sample satisfies, of shape (n_samples, n_rules)."""
        values, n_samples = self._values(X)
        return np.column_stack([self._holds(rule, values, n_samples, None) for rule in self.rules])

    def predict(self, X: Any) -> AnyArray:
        """Return the answer for each sample: a label or a value."""
        answers = [rule.prediction for rule in (*self.rules, self.default)]
        if self.classes is None:
            return np.array(answers, dtype=np.float64)[self.apply(X)]
        # By position, so that labels keep the dtype of the classes.
        codes = np.array([self.classes.tolist().index(answer) for answer in answers])
        labels: AnyArray = self.classes[codes[self.apply(X)]]
        return labels

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the class shares of the rule that answers each sample."""
        if self.classes is None:
            raise AttributeError("A regression rule list has no class shares; use predict.")
        shares = np.array([rule.distribution for rule in (*self.rules, self.default)])
        return shares[self.apply(X)]

    def explain(self, X: Any) -> list[str]:
        """Return one sentence a sample: which rule answers, and why."""
        sentences = [self._sentence(i) for i in range(len(self))]
        explained = []
        for row in self.matches(X):
            fired = np.flatnonzero(row)
            if not len(fired):
                explained.append(f"No rule fires, so the default answers: {self.default.describe_prediction()}.")
            elif len(fired) == 1:
                explained.append(sentences[fired[0]] + ".")
            else:
                others = ", ".join(str(i + 1) for i in fired[1:])
                explained.append(f"{sentences[fired[0]]}; it comes before rule {others}, which also fires.")
        return explained

    def to_records(self) -> list[dict[str, Any]]:
        """Return the list as data, a rule a dictionary, the default last."""
        records = []
        for i, rule in enumerate((*self.rules, self.default), start=1):
            is_default = rule is self.default
            record = {
                "rule": "default" if is_default else i,
                "conditions": "otherwise" if is_default else rule.describe(),
                "prediction": rule.prediction,
                "samples": rule.coverage,
                "share": rule.share,
            }
            if rule.distribution is not None and self.classes is not None:
                record["class_share"] = max(rule.distribution)
            if rule.spread is not None:
                record["spread"] = rule.spread
            records.append(record)
        return records

    def to_text(self) -> str:
        """Return the list as text, a rule a line."""
        text: str = self._export("text")
        return text

    def to_frame(self) -> Any:
        """Return the list as a pandas data frame, a rule a row, the default last."""
        return self._export("frame")

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"RuleList({len(self)} rules, {self.n_samples} training samples)"

    def _repr_html_(self) -> str:
        html: str = self._export("notebook")
        return html

    def _export(self, kind: str) -> Any:
        # By name: an exporter knows the rule list, the rule list only where exporters are found.
        return import_module(f"hedgerow.exporters.to_{kind}").export(self)

    def _values(self, X: Any) -> tuple[dict[int, FloatArray], int]:
        """Return the columns that some rule looks at, and the number of samples."""
        used = {condition.feature.index for rule in self.rules for condition in rule.conditions}
        X = X if hasattr(X, "shape") else np.asarray(X)
        return self.inputs.columns(X, sorted(used)), X.shape[0]

    def _holds(self, rule: Rule, values: dict[int, FloatArray], n_samples: int, rows: IntArray | None) -> BoolArray:
        """Say which of the rows (of all samples, if None) satisfy the rule."""
        if rows is None:
            return rule.holds(lambda feature: values[feature.index], n_samples)
        return rule.holds(lambda feature: values[feature.index].take(rows), len(rows))

    def _sentence(self, i: int) -> str:
        rule = self.rules[i]
        return (
            f"Rule {i + 1} answers {rule.describe_prediction()} because {rule.describe()} "
            f"({rule.coverage} training samples, {100 * rule.share:.1f} %)"
        )
