"""Tables in files and data frames: what their columns contain, and the encoder that rules see through."""

from importlib import import_module
from typing import TYPE_CHECKING

from hedgerow._support.names_on_demand import names_on_demand

if TYPE_CHECKING:
    from hedgerow.features.notation import Notation
    from hedgerow.tables.encoder import TableEncoder, table_pipeline
    from hedgerow.tables.files import read_table
    from hedgerow.tables.summary import ColumnSummary, TableSummary, summarize
    from hedgerow.tables.table import Table

__all__ = [
    "ColumnSummary",
    "Notation",
    "Table",
    "TableEncoder",
    "TableSummary",
    "read_table",
    "summarize",
    "table_pipeline",
]

if not TYPE_CHECKING:  # a type checker would take a module with __getattr__ to have any name
    __getattr__, __dir__ = names_on_demand(
        globals(),
        {
            ("Notation",): lambda: import_module("hedgerow.features.notation"),
            ("TableEncoder", "table_pipeline"): lambda: import_module("hedgerow.tables.encoder"),
            ("read_table",): lambda: import_module("hedgerow.tables.files"),
            ("ColumnSummary", "TableSummary", "summarize"): lambda: import_module("hedgerow.tables.summary"),
            ("Table",): lambda: import_module("hedgerow.tables.table"),
        },
    )
