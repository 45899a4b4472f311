"""A change that does not lead where it promises is counted as one that does not hold."""

from dataclasses import replace

import numpy as np
import pandas as pd
from people_lists import AGE, REFERENCE, person, small_list

from benchmarks.reasons import KEYS, SETS, as_markdown, changed_rows, checked, is_fine, measure
from benchmarks.results import Results
from hedgerow import Condition
from hedgerow.evidence import reasons

RULES = small_list([([Condition(AGE, upper=4.0)], "no"), ([Condition(AGE, lower=4.0)], "yes")])
ROWS = pd.concat([person(age=1.0), person(age=8.0)], ignore_index=True)


def found():
    return [reasons(RULES, ROWS.iloc[[i]], reference=REFERENCE) for i in range(2)]


def test_changes_are_put_into_copies_of_the_rows():
    changes = [(i, one.others[0].changes[0]) for i, one in enumerate(found())]
    table = changed_rows(ROWS, changes)
    assert table["age"].tolist() == [change.values["age"] for _, change in changes]
    assert RULES.predict(table).tolist() == ["yes", "no"]


def test_all_changes_hold_and_a_wrong_one_is_counted():
    assert checked(RULES, ROWS, found()) == {
        "changes": 2,
        "held": 2,
        "answers": 2,
        "reached": 2,
        "cut": 0,
        "columns": 1.0,
        "same": 2,
    }
    first, second = found()
    (other,) = first.others
    (change,) = other.changes
    wrong = replace(change, columns=(replace(change.columns[0], value=3.0),))
    first = replace(first, others=(replace(other, changes=(wrong,)),))
    assert checked(RULES, ROWS, [first, second])["held"] == 1


def test_a_set_is_measured_and_shown(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.choice(["u", "v"], 300)})
    X.loc[::9, "a"] = np.nan
    y = np.where((X["a"] > 0) | (X["b"] == "u"), "p", "q")
    monkeypatch.setattr("benchmarks.reasons.load_frame", lambda name, directory: (X, y))
    monkeypatch.setattr("benchmarks.reasons.N_ROWS", 40)
    row = measure("adult", "classification", None)
    assert row["rows"] == row["same"] == 40
    assert row["held"] == row["changes"] >= 40
    results = Results("reasons", KEYS, tmp_path)
    results.add(row)
    assert "| adult |" in as_markdown(results)
    assert not is_fine(results)  # the other sets are missing
    results.add(*(row | {"set": name, "task": task} for name, task in SETS))
    assert is_fine(results)
