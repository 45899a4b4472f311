"""The tables of docs/editing.md are those of the stored measurements."""

import pandas as pd
import pytest

from benchmarks import alternatives, edits
from benchmarks.edits_page import PAGE, alternatives_table, edits_table
from benchmarks.results import DIRECTORY


@pytest.mark.parametrize(
    ("table", "name", "keys"),
    [(edits_table, "edits", edits.KEYS), (alternatives_table, "alternatives", alternatives.KEYS)],
)
def test_the_page_shows_what_was_measured(table, name, keys):
    frame = pd.read_csv(DIRECTORY / f"{name}.csv")
    assert not frame.duplicated(list(keys)).any()
    assert table(frame).to_markdown().partition("\n\n")[2] in PAGE.read_text()
