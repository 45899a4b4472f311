"""What the paper reports: ``paper_tables.csv``, mean and standard deviation by suite, set and method."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

PAPER_TABLES = Path(__file__).parent / "paper_tables.csv"


def paper_table(suite: str) -> pd.DataFrame:
    """Return what the paper reports: mean and std, a row a set, a column a method."""
    frame = pd.read_csv(PAPER_TABLES)
    frame = frame[frame["suite"] == suite]
    wide = frame.pivot_table(index="set", columns="method", values=["mean", "std"], sort=False)
    return wide.reindex(columns=frame["method"].unique(), level="method")
