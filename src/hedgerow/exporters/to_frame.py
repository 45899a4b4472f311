"""The rule list as a pandas data frame."""

from __future__ import annotations

from typing import Any

from hedgerow.rule_list import RuleList


def export(rule_list: RuleList) -> Any:
    """Return a data frame, a rule a row, the default last."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_frame needs pandas (pip install pandas); to_records gives the same without it.") from None
    return pd.DataFrame(rule_list.to_records())
