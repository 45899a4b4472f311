"""A table says how its cells were written."""

import pandas as pd
from small_tables import table

from hedgerow.features import Notation
from hedgerow.tables.files import read_table
from hedgerow.tables.table import Table


def test_text_files_have_notations_and_others_have_none(tmp_path):
    frame = table(5)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.csv")
    assert isinstance(read, Table)
    assert read.notations == {"a": Notation(), "b": Notation(), "y": Notation("text"), "z": Notation()}
    assert read.notes == []
    assert read_table(tmp_path / "t.parquet").notations == {}
    pd.testing.assert_frame_equal(read.frame, read_table(tmp_path / "t.parquet").frame, check_dtype=False)
