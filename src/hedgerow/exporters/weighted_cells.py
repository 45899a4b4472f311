"""What weighted rules ask of the cells of a table, and in which words."""

from __future__ import annotations

from dataclasses import replace

from hedgerow.baselines import WeightedRules
from hedgerow.exceptions import InvalidDataError
from hedgerow.exporters.cells import TableRules
from hedgerow.features import Column
from hedgerow.rule import Condition, Rule


def cells_of(rules: WeightedRules, what: str) -> TableRules:
    """Return the tests of each rule, and then of each linear term, which contributes where its column has a value."""
    for term in rules.linear:
        if not isinstance(term.feature, Column):
            raise InvalidDataError(f"A linear term on {term.feature.name}, which is no column of numbers: no {what}.")
    present = (Rule((Condition(term.feature),)) for term in rules.linear)
    return TableRules.of(replace(rules.listed, rules=(*rules, *present)), what)


def comments_of(rules: WeightedRules) -> list[str]:
    """Return what each rule, and then each linear term, says."""
    texts = [f"{i}. if {rule.describe(rules.listed.digits)}" for i, rule in enumerate(rules, start=1)]
    return texts + [term.describe() for term in rules.linear]
