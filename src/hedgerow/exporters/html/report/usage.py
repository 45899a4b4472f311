"""The list as SQL, to copy."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow.exceptions import HedgerowError
from hedgerow.exporters.sql.dialects import DIALECTS
from hedgerow.rules.rule_list import RuleList

#: The name of the table in the statements, which a reader replaces.
TABLE = "your_table"
#: What people call a database; sqlglot's name is the key.
_NAMES = {"postgres": "PostgreSQL", "sqlite": "SQLite", "duckdb": "DuckDB", "bigquery": "BigQuery"}


@dataclass(frozen=True)
class Usage:
    """The list as a SELECT statement for each database: the database's name and the statement."""

    statements: tuple[tuple[str, str], ...]
    table: str = TABLE


def write_usage(rule_list: RuleList) -> Usage | None:
    """Write the list for every database; None if it cannot be written as SQL, or if sqlglot is missing."""
    if not rule_list.rules:
        return None
    try:
        return Usage(tuple((_NAMES.get(name, name), rule_list.to_sql(name, table=TABLE)) for name in DIALECTS))
    except (HedgerowError, ImportError):
        return None
