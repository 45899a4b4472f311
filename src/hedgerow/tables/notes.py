"""What a user should know about a table, and the parameter that changes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """One sentence about a table.

    Attributes
    ----------
    text : str
    parameter : str
        The parameter that changes what the note says; empty if there is none.
    values : tuple of str
        The values of the parameter that do so; empty if the user has to choose.
    purpose : str
        What the parameter is for.
    column : str
        The column that the note is about; empty if it is about the whole table.
    is_warning : bool
        Whether the table is probably not read as it is meant.

    Examples
    --------
    >>> print(Note("column n is left out: it looks like a row number", "keep", ("n",), "use it"))
    column n is left out: it looks like a row number (keep=['n'] to use it)
    >>> print(Note("data.csv is read as Windows-1252", "encoding"))
    data.csv is read as Windows-1252 (encoding to change it)
    """

    text: str
    parameter: str = ""
    values: tuple[str, ...] = ()
    purpose: str = "change it"
    column: str = ""
    is_warning: bool = False

    def __str__(self) -> str:
        if not self.parameter:
            return self.text
        value = list(self.values) if self.parameter in ("keep", "drop", "na") else "".join(self.values)
        how = f"{self.parameter}={value!r}" if self.values else self.parameter
        return f"{self.text} ({how} to {self.purpose})"
