"""What the plots of a rule list accept."""

from __future__ import annotations

from typing import Any

from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.rule_list import RuleList


def rule_list_of(given: Any) -> RuleList:
    """Return a rule list as it is, or that of a fitted estimator."""
    rule_list = getattr(given, "rule_list_", given)
    if isinstance(rule_list, RuleList):
        return rule_list
    raise InvalidParameterError(
        "Only a RuleList, or a fitted estimator with a rule_list_, can be drawn; this "
        f"{type(given).__qualname__} has none. Fit a RuleListClassifier or RuleListRegressor and pass it."
    )
