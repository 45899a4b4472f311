"""A rule list as tests of table cells: what SQL queries and other programs are written from."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.exceptions import InvalidDataError
from hedgerow.features import CellTest, Feature, NumberSet
from hedgerow.features.number_sets import ALL, at_most
from hedgerow.rules.condition import Condition
from hedgerow.rules.rule import Rule
from hedgerow.rules.rule_list import RuleList


@dataclass(frozen=True)
class TableRules:
    """A rule list as tests of table cells.

    Attributes
    ----------
    refused : tuple of CellTest
        The list makes no prediction for a row that passes any of these: ``predict`` raises an error.
    rules : tuple of tuple of CellTest
        For each rule, the tests that must all pass; a rule that never matches has a single, impossible one.
    """

    refused: tuple[CellTest, ...]
    rules: tuple[tuple[CellTest, ...], ...]

    @classmethod
    def of(cls, rule_list: RuleList, what: str) -> TableRules:
        """Return the tests of a list; ``what`` names the program to be written, for errors."""
        used = list(dict.fromkeys(c.feature for rule in rule_list for c in rule.conditions))
        for feature in used:
            if feature.cell_test(NumberSet(), missing=False) is None:
                raise InvalidDataError(
                    f"The rules use {feature.name}, which is computed and not a column of a table; {what} can only use "
                    "columns. Save the list with to_json, or compute this feature beforehand and train the ensemble on "
                    "it."
                )
        inputs = rule_list.inputs
        refused = {feature: feature.refused_cells(not inputs.can_be_missing(feature)) for feature in used}
        complete = {feature for feature, test in refused.items() if test is not None and test.missing}
        rules = tuple(tuple(_tests(rule, complete, inputs.dtype)) for rule in rule_list)
        return cls(tuple(test for test in refused.values() if test is not None), rules)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns that some test looks at, in order."""
        return tuple(sorted({test.column for tests in (self.refused, *self.rules) for test in tests}))


def _tests(rule: Rule, complete: set[Feature], dtype: Any) -> list[CellTest]:
    """Return the tests of a rule; missing values of ``complete`` features are refused beforehand."""
    tests: list[CellTest] = []
    for condition in rule.simplified:
        test = condition.feature.cell_test(_passing(condition, dtype), condition.missing)
        assert test is not None, "features were checked"
        if condition.feature in complete:
            test = replace(test, missing=None)
        if test.is_impossible:
            return [test]
        if not test.is_certain:
            tests.append(test)
    return tests


def _passing(condition: Condition, dtype: Any) -> NumberSet:
    """Return the doubles, or the codes, that satisfy a condition after they are rounded to ``dtype``."""
    if condition.categories is not None:
        return NumberSet.of(*((float(code), float(code)) for code in condition.categories))
    above = ALL if condition.lower == -math.inf else ~at_most(condition.lower, dtype)
    return above & (ALL if condition.upper == math.inf else at_most(condition.upper, dtype))
