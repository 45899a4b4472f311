"""The list as SQL, for every database."""

import sqlite3
import sys
from dataclasses import replace

import pytest
from reports import fitted
from rule_lists import KINDS

from hedgerow import RuleListClassifier
from hedgerow.exporters.html.report.usage import TABLE, write_usage
from hedgerow.exporters.sql.dialects import DIALECTS


def test_a_statement_predicts_what_the_list_predicts():
    rules, X, _ = fitted()
    statements = dict(write_usage(rules.rule_list_).statements)
    assert list(statements) == ["PostgreSQL", "SQLite", "DuckDB", "BigQuery"]
    assert len(statements) == len(DIALECTS)
    database = sqlite3.connect(":memory:")
    X.to_sql(TABLE, database, index=False)
    assert [row[-1] for row in database.execute(statements["SQLite"])] == rules.predict(X).tolist()


@pytest.mark.skipif("sktime" not in KINDS, reason="needs sktime")
def test_a_list_that_sql_cannot_write_has_none():
    model, X, y = KINDS["sktime"]()
    assert write_usage(RuleListClassifier(model, max_rules=6).fit(X, y).rule_list_) is None
    rules, _, _ = fitted()
    assert write_usage(replace(rules.rule_list_, fallback=rules.forest_)) is None


def test_without_sqlglot_the_page_has_no_sql(monkeypatch):
    rules, _, _ = fitted()
    assert 'id="copy"' in rules.rule_list_.to_html()
    for name in [name for name in sys.modules if name.partition(".")[0] == "sqlglot"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    assert write_usage(rules.rule_list_) is None
    assert 'id="copy"' not in rules.rule_list_.to_html()
