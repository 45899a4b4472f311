"""A saved list and the tables for it are read as those that it was learned from."""

import numpy as np
import pandas as pd
import pytest
from small_tables import people

from hedgerow import InvalidDataError
from hedgerow.cli.saved_lists import read_rules, read_table_for, samples_in
from hedgerow.tables.text_format import TextFormat

AS_FOUND = TextFormat(None, None, None, None, ())


def test_rows_without_a_target_are_left_out_and_the_others_are_named(made, tmp_path):
    rules = read_rules(made / "out.json")
    frame = people().drop(columns="price")
    frame.loc[::3, "says"] = None
    frame.to_csv(tmp_path / "new.csv", index=False)
    table = read_table_for(rules, tmp_path / "new.csv", AS_FOUND, "says").frame
    X, y, rows = samples_in(rules, table, AS_FOUND, "says")
    assert rows.tolist() == np.flatnonzero(frame["says"].notna()).tolist()
    assert y.tolist() == frame["says"].dropna().tolist()
    assert rules.predict(X).tolist() == rules.predict(frame.iloc[rows].drop(columns="says")).tolist()


def test_targets_that_are_all_the_same_are_refused_only_if_something_is_learned_from_them(made, tmp_path):
    rules = read_rules(made / "out.json")
    people()[:20].assign(says="no").to_csv(tmp_path / "new.csv", index=False)
    frame = read_table_for(rules, tmp_path / "new.csv", AS_FOUND, "says").frame
    with pytest.raises(InvalidDataError, match="Every row has the same target no"):
        samples_in(rules, frame, AS_FOUND, "says")
    assert set(samples_in(rules, frame, AS_FOUND, "says", for_learning=False)[1]) == {"no"}


def test_what_is_not_a_list_is_refused(tmp_path):
    (tmp_path / "rules.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidDataError, match="it is not text in UTF-8"):
        read_rules(tmp_path / "rules.json")
    (tmp_path / "rules.json").write_text(pd.DataFrame({"a": [1]}).to_json())
    with pytest.raises(InvalidDataError, match=r"rules\.json: "):
        read_rules(tmp_path / "rules.json")
