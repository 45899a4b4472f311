"""What the paper reports: ``paper_tables.csv``.

Suites ``classification``, ``regression`` and ``timeseries`` have mean and standard deviation by set and method;
``..._fidelity`` has the averages over the sets by measure and method, ``..._ranks`` the average ranks.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

PAPER_TABLES = Path(__file__).parent / "paper_tables.csv"


def paper_table(suite: str) -> pd.DataFrame:
    """Return what the paper reports: mean and std, a row a set, a column a method."""
    frame = _read(suite)
    wide = frame.pivot_table(index="set", columns="method", values=["mean", "std"], sort=False)
    return wide.reindex(columns=frame["method"].unique(), level="method")


def paper_fidelity(task: str) -> pd.DataFrame:
    """Return the paper's fidelity: a row a measure, a column a method."""
    return _means(f"{task}_fidelity")


def paper_ranks(task: str) -> pd.Series:
    """Return the paper's average ranks."""
    return _means(f"{task}_ranks").loc["rank"]


def _means(suite: str) -> pd.DataFrame:
    return _read(suite).pivot_table(index="set", columns="method", values="mean", sort=False)


def _read(suite: str) -> pd.DataFrame:
    frame = pd.read_csv(PAPER_TABLES)
    return frame[frame["suite"] == suite]
