"""The options of :meth:`hedgerow.RuleList.to_sql`: named here once, checked, and carried as one value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.sql.dialects import DIALECTS, Dialect
from hedgerow.tasks import Task

_RETURNS = ("prediction", "rule", "text", "probability")


@dataclass(frozen=True)
class Options:
    """What :meth:`hedgerow.RuleList.to_sql` was asked for; its docstring describes each option."""

    dialect: str
    table: str | Sequence[str] | None
    returns: str
    label: Any
    columns: Sequence[str] | None
    booleans: Iterable[str]
    alias: str | None

    def __post_init__(self) -> None:
        if self.dialect not in DIALECTS:
            raise InvalidParameterError(f"dialect must be one of {', '.join(DIALECTS)}; got {self.dialect!r}.")
        if self.returns not in _RETURNS:
            raise InvalidParameterError(f"returns must be one of {', '.join(_RETURNS)}; got {self.returns!r}.")
        if self.label is not None and self.returns != "probability":
            raise InvalidParameterError(
                f"label selects the class for returns='probability'; got returns={self.returns!r}. Leave label out."
            )
        if len(self.table_path) > 3 or not all(self.table_path):
            raise InvalidParameterError(
                f"table must be a name, or up to three: catalog, schema, table; got {self.table!r}."
            )
        if self.alias == "":
            raise InvalidParameterError("alias is the name of the new column and must not be empty.")

    @property
    def database(self) -> Dialect:
        """What the database does differently."""
        return DIALECTS[self.dialect]

    @property
    def table_path(self) -> tuple[str, ...]:
        """The name of the table after those of its schema and catalog; empty if only an expression is wanted."""
        return (self.table,) if isinstance(self.table, str) else tuple(self.table or ())

    def class_index(self, task: Task) -> int:
        """Return the position of the class whose probability is wanted."""
        if not task.has_labels:
            raise InvalidParameterError(
                "A regression list has no probabilities; use returns='prediction', 'rule' or 'text'."
            )
        labels = list(task.labels)
        if self.label is None and len(labels) == 2:
            return 1
        if self.label not in labels:
            raise InvalidParameterError(
                f"label, the class whose probability is wanted, must be one of {labels}; got {self.label!r}."
            )
        return labels.index(self.label)

    def column_names(self, known: list[str], used: Sequence[int]) -> list[str]:
        """Return the names of the columns in the database; those that are used must differ."""
        names = known if self.columns is None else [str(name) for name in self.columns]
        if len(names) != len(known):
            raise InvalidParameterError(f"columns must be {len(known)} names, one per column of X; got {len(names)}.")
        twins = self.database.twins(names[column] for column in used)
        if twins is not None:
            raise InvalidParameterError(
                f"Two columns are called {twins[0]!r} and {twins[1]!r}, which is the same name to the database. "
                "Pass other names with columns=, one per column of X."
            )
        return names

    def boolean_columns(self, names: list[str], used: Sequence[int]) -> set[int]:
        """Return the positions of the used columns that the database holds as BOOLEAN."""
        wanted = {self.booleans} if isinstance(self.booleans, str) else set(self.booleans)
        unknown = wanted - set(names)
        if unknown:
            shown = ", ".join(map(repr, sorted(unknown)))
            raise InvalidParameterError(f"booleans must be names of columns, {names}; {shown} is not one of them.")
        return {column for column in used if names[column] in wanted}
