"""The tables of docs/editing.md: ``python -m benchmarks.edits_page``.

They are made from what :mod:`benchmarks.edits` and :mod:`benchmarks.alternatives` have measured.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from benchmarks import alternatives, edits
from benchmarks.generated_page import fill_page
from benchmarks.results import DIRECTORY, Results
from benchmarks.table_formats import TextTable

PAGE = Path(__file__).parents[1] / "docs" / "editing.md"
#: What each kind of edit is called on the page.
TITLES = {
    "pin": "one rule stays",
    "forbid": "one rule goes",
    "forbid feature": "one feature goes",
    "max_rules": "a budget of six",
    "move": "a rule with another threshold stays",
}


def edits_table(frame: pd.DataFrame) -> TextTable:
    """Return how long edits take."""
    rows = []
    for kind, title in TITLES.items():
        for candidates, mine in frame[frame["edit"] == kind].groupby("candidates"):
            proven = f"{int(mine['proven'].sum())} of {len(mine)}"
            rows.append([f"{title}, {candidates}", proven, *_seconds(mine), _ratio(mine["seconds"] / mine["fit"])])
    paper = frame[frame["candidates"] == "leaves"]["seconds"]
    told = f"From leaves, the median is {paper.median():.3f} s, the longest {paper.max():.2f} s."
    return TextTable("", ["edit", "proven", "median", "longest", "median share of the fit"], rows, [told])


def alternatives_table(frame: pd.DataFrame) -> TextTable:
    """Return how long alternatives take, and how many there are."""
    rows = []
    for asked in alternatives.ASKED:
        for candidates, mine in frame[frame["asked"] == asked].groupby("candidates"):
            found = f"{mine['found'].median():g} ({mine['found'].min()} to {mine['found'].max()})"
            proven = f"{int(mine['proven'].sum())} of {len(mine)}"
            ratio = _ratio(mine["seconds"] / mine["fit"])
            rows.append([f"{asked}, {candidates}", found, proven, *_seconds(mine), ratio])
    ten = frame[frame["asked"] == "10 best"]
    times = ten["search"] / ten["solver"]
    told = f"The search for the ten best takes {times.median():.1f} times as long as the solver takes for the best "
    told += f"one (median; at most {times.max():.1f} times)."
    head = ["lists", "found", "proven", "median", "longest", "median share of the fit"]
    return TextTable("", head, rows, [told])


def _seconds(rows: pd.DataFrame) -> list[str]:
    return [f"{rows['seconds'].median():.3f} s", f"{rows['seconds'].max():.2f} s"]


def _ratio(times: pd.Series) -> str:
    return f"{times.median():.2f}"


def main() -> int:
    """Write both tables into the page."""
    parts = {
        "edits": edits_table(Results("edits", edits.KEYS, DIRECTORY).frame()),
        "alternatives": alternatives_table(Results("alternatives", alternatives.KEYS, DIRECTORY).frame()),
    }
    fill_page(PAGE, {name: table.to_markdown().partition("\n\n")[2] for name, table in parts.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
