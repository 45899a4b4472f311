"""A rule list looked at on some samples, once: which rules match, which one comes first, what is predicted, and why.

:meth:`hedgerow.RuleList.evaluate` makes it. Each part is computed when it is first asked for, and kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray, BoolArray, FloatArray, IntArray, RankArray, ValueArray
from hedgerow.features import Feature
from hedgerow.forests.forest import Forest
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule import Rule
from hedgerow.rules.wording import format_value
from hedgerow.tasks import Task

#: Rules are tried on blocks of so many samples, whose values fit in the processor's cache.
_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a rule list makes of some samples.

    Attributes
    ----------
    rules : tuple of Rule
    default : Rule
    fallback : Forest or None
        What predicts where no rule matches, instead of the default.
    task : Task
    digits : int
        With how many digits thresholds are written.
    X : table
        The samples.
    values : dict
        The features that some rule looks at, computed for all samples.
    """

    rules: tuple[Rule, ...]
    default: Rule
    fallback: Forest | None
    task: Task
    digits: int
    X: Any
    values: Mapping[Feature, ValueArray]

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return int(self.X.shape[0])

    @cached_property
    def matches(self) -> BoolArray:
        """Which rules match each sample, of shape (n_samples, n_rules)."""
        found = np.empty((self.n_samples, len(self.rules)), dtype=bool, order="F")
        for i, rule in enumerate(self.rules):
            found[:, i] = rule.holds(lambda feature: self.values[feature], self.n_samples)
        return found

    @cached_property
    def fired(self) -> IntArray:
        """The position of the first rule that matches each sample, -1 if none does."""
        fired = self._first.astype(np.int64)
        fired[fired == len(self.rules)] = -1
        return fired

    @cached_property
    def _first(self) -> RankArray:
        """The position of the first rule that matches each sample, the number of rules if none does.

        The highest of the numbers n, n - 1, ..., 1 that belong to matching rules says which is the first of n.
        """
        n_rules = len(self.rules)
        first = np.zeros(self.n_samples, dtype=np.min_scalar_type(n_rules))
        sides: dict[Condition, int] = {}  # rules share many, and each is compared once
        rules = [[sides.setdefault(s, len(sides)) for c in rule.simplified for s in c.sides] for rule in self.rules]
        columns = [self.values[side.feature] for side in sides]
        tests = [side.test(column.dtype.type) for side, column in zip(sides, columns, strict=True)]
        for start in range(0, self.n_samples, _BLOCK):
            rows = slice(start, start + _BLOCK)
            held = [test(column[rows]) for test, column in zip(tests, columns, strict=True)]
            highest = first[rows]
            always = np.ones(len(highest), dtype=bool)
            for i, rule in enumerate(rules):
                matches = held[rule[0]] if rule else always
                if len(rule) > 1:
                    matches = matches & held[rule[1]]
                for k in rule[2:]:
                    matches &= held[k]
                np.maximum(highest, matches.view(np.uint8) * first.dtype.type(n_rules - i), out=highest)
        return np.subtract(n_rules, first, dtype=first.dtype)

    @cached_property
    def predictions(self) -> AnyArray:
        """The prediction for each sample: a label or a value."""
        said = self.task.pick([rule.prediction for rule in (*self.rules, self.default)], self._first)
        if self.fallback is not None and len(self._uncovered):
            said[self._uncovered] = self.fallback.predictions(self._rows_uncovered)
        return said

    @cached_property
    def shares(self) -> FloatArray:
        """The class shares for each sample, of shape (n_samples, n_classes)."""
        shares = np.array([rule.distribution for rule in (*self.rules, self.default)], dtype=np.float64)[self._first]
        if self.fallback is not None and len(self._uncovered):
            shares[self._uncovered] = self.fallback.answer(self._rows_uncovered)
        return shares

    def sentences(self) -> list[str]:
        """Return one sentence per sample: which rule makes the prediction, and why."""
        missing = {feature: np.isnan(column) for feature, column in self.values.items()}
        missing = {feature: holes for feature, holes in missing.items() if holes.any()}
        # Samples with the same matches and the same gaps have the same sentence, which is written once.
        told = np.packbits(np.column_stack([np.ones(self.n_samples, bool), self.matches, *missing.values()]), axis=1)
        keys = np.ascontiguousarray(told).view(np.dtype((np.void, told.shape[1]))).ravel()
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        written = [self._sentence(i, {feature for feature, holes in missing.items() if holes[i]}) for i in first]
        sentences = [written[k] for k in which]
        if self.fallback is not None:
            for i in self._uncovered:
                sentences[i] = f"No rule matches, so the ensemble decides: {format_value(self.predictions[i])}."
        return sentences

    def _sentence(self, sample: int, missing: set[Feature]) -> str:
        matching = np.flatnonzero(self.matches[sample]).tolist()
        if not matching:
            return f"No rule matches, so the default applies: {self.default.describe_prediction()}."
        rule = self.rules[matching[0]]
        why = " and ".join(c.describe(self.digits, c.feature in missing) for c in rule.simplified)
        sentence = (
            f"Rule {matching[0] + 1} predicts {rule.describe_prediction()} because {why or 'it has no conditions'} "
            f"({rule.coverage} training sample{'' if rule.coverage == 1 else 's'}, {100 * rule.share:.1f} %)"
        )
        *others, last = (str(k + 1) for k in matching)
        if len(matching) == 2:
            sentence += f"; it comes before rule {last}, which also matches"
        elif len(matching) > 2:
            sentence += f"; it comes before rules {', '.join(others[1:])} and {last}, which also match"
        return sentence + "."

    @cached_property
    def _uncovered(self) -> IntArray:
        return np.flatnonzero(self._first == len(self.rules))

    @cached_property
    def _rows_uncovered(self) -> Any:
        from sklearn.utils import _safe_indexing

        return _safe_indexing(self.X, self._uncovered)
