"""The rule list, or anything else that has records, as a pandas data frame."""

from __future__ import annotations

from typing import Any, Protocol


class HasRecords(Protocol):
    """What can be written as rows: a rule list, weighted rules."""

    def to_records(self) -> list[dict[str, Any]]:
        """Return the rows, each a dictionary."""
        ...


def export(rule_list: HasRecords) -> Any:
    """Return a data frame, a record a row."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_frame needs pandas (pip install pandas); to_records gives the same without it.") from None
    return pd.DataFrame(rule_list.to_records())
