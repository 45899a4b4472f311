"""The rule list, or anything else that has records, as a pandas DataFrame."""

from __future__ import annotations

from typing import Any, Protocol


class HasRecords(Protocol):
    """Anything that can be written as rows: a rule list, weighted rules."""

    def to_records(self) -> list[dict[str, Any]]:
        """Return the rows, one dictionary each."""
        ...


def export(rules: HasRecords) -> Any:
    """Return a DataFrame with one row per record."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError(
            "to_frame needs pandas: pip install pandas. to_records returns the same data without it."
        ) from None
    return pd.DataFrame(rules.to_records())
