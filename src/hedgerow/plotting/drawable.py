"""What the pictures of a rule list accept."""

from __future__ import annotations

from typing import Any

from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.rule_list import RuleList


def rule_list_of(given: Any) -> RuleList:
    """Return a rule list itself, or that of a fitted estimator."""
    rule_list = getattr(given, "rule_list_", given)
    if isinstance(rule_list, RuleList):
        return rule_list
    raise InvalidParameterError(
        f"What is drawn is a RuleList, or the rule_list_ of a fitted RuleListClassifier or RuleListRegressor; this "
        f"{type(given).__qualname__} has none. Fit one, and pass it or its rule_list_."
    )
