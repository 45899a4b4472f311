"""Tables are described by what a person counts, and by hashes that other programs compute."""

import hashlib
import subprocess

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rule_lists import KINDS, table

from hedgerow import RuleListClassifier
from hedgerow.exporters.html.dossier.data import MOST_COLUMNS, describe_rows, describe_table, file_digest


@pytest.fixture(scope="module")
def known():
    X, y = table()
    return RuleListClassifier.accurate(max_rules=3, random_state=0).fit(X, y).rule_list_, X, y


def test_columns_are_counted_and_those_of_rules_come_first(known):
    rules, X, y = known
    found = describe_rows(rules, "training", X, y, "answer")
    assert (found.n_rows, found.n_columns, found.n_more) == (60, 4, 0)
    used = {c.feature.name for rule in rules for c in rule.conditions}
    assert [one.role for one in found.columns] == ["target", *["in rules"] * len(used), *[""] * (3 - len(used))]
    by_name = {one.name: one for one in found.columns}
    assert by_name["größe, {cm}"].n_missing == X.iloc[:, 1].isna().sum() == 9
    assert by_name["color"].n_distinct == X["color"].nunique()
    assert by_name["answer"].type == "strings"


def test_the_hash_is_that_of_the_values_as_csv(known, tmp_path):
    rules, X, y = known
    path = tmp_path / "rows.csv"
    X.assign(answer=y).to_csv(path, index=False, lineterminator="\n")
    found = describe_rows(rules, "training", X, y, "answer")
    assert found.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.digest != describe_rows(rules, "training", X[::-1], y, "answer").digest
    assert found.digest != describe_rows(rules, "training", X, y[::-1], "answer").digest


def test_a_file_has_the_hash_of_sha256sum(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(bytes(range(256)) * 5000)
    said = subprocess.run(["sha256sum", str(path)], capture_output=True, text=True, check=True).stdout
    assert file_digest(path) == said.split()[0]


def test_arrays_and_frames_of_other_libraries_are_described_alike():
    X = np.arange(24.0).reshape(12, 2)
    frame = pd.DataFrame(X, columns=["a", "b"])
    rules = RuleListClassifier(max_rules=2, random_state=0).fit(frame, X[:, 0] > 9).rule_list_
    of_pandas = describe_rows(rules, "training", frame)
    assert of_pandas == describe_rows(rules, "training", pl.DataFrame({"a": X[:, 0], "b": X[:, 1]}))
    assert of_pandas == describe_rows(rules, "training", X)


def test_of_many_columns_some_are_counted_only(known):
    rules, X, _ = known
    wide = pd.concat([X, pd.DataFrame(0, index=X.index, columns=[f"further {i}" for i in range(100)])], axis=1)
    found = describe_table(rules, "training", wide, None, "wide.csv", "0" * 64)
    assert len(found.columns) == MOST_COLUMNS
    assert found.n_more == 103 - MOST_COLUMNS
    assert found.columns[0].role == "in rules"


def test_series_have_a_hash_and_a_length():
    model, X, y = KINDS["sktime"]()
    rules = RuleListClassifier(model, max_rules=4).fit(X, y).rule_list_
    found = describe_rows(rules, "training", X, y)
    assert found.n_rows == len(y)
    assert not found.columns
    assert found.digest == describe_rows(rules, "training", X.copy(), y).digest
    assert found.digest != describe_rows(rules, "training", X, y[::-1]).digest
