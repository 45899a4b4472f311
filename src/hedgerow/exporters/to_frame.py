"""The rule list, or weighted rules, as a pandas DataFrame."""

from __future__ import annotations

from typing import Any

from hedgerow.rules.rule_list import RuleList
from hedgerow.rules.weighted_rules import WeightedRules


def export(rules: RuleList | WeightedRules) -> Any:
    """Return a DataFrame with one row per record."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError(
            "to_frame needs pandas: pip install pandas. to_records returns the same data without it."
        ) from None
    return pd.DataFrame(rules.to_records())
