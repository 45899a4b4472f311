"""The command reasons: why each of some rows gets its prediction, and what would have to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hedgerow.cli.conditions import SIGNS
from hedgerow.cli.console import note, say, stages
from hedgerow.cli.predicting import columns_for
from hedgerow.cli.saved_lists import naming, read_rules, read_table_for
from hedgerow.cli.writing import given, output_files
from hedgerow.evidence.reasoning import Reasoner
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.files import check_table_name, write_table
from hedgerow.tables.text_format import TextFormat

#: The most rows that are printed unless they are asked for by number.
_MOST_PRINTED = 10
#: A table with so many rows says how far apart the values of its columns usually are.
_ENOUGH = 50


@dataclass(frozen=True)
class Question:
    """What is asked about which rows.

    Attributes
    ----------
    rows : sequence of int
        Their numbers, from 1; empty for all rows.
    change : sequence of str
        ``column``, ``column:+`` or ``column:-``; empty for all columns.
    answer : str or None
    """

    rows: Sequence[int] = ()
    change: Sequence[str] = ()
    answer: str | None = None

    def changeable(self, rules: RuleList) -> dict[str, int] | None:
        """Return the columns that may change, and in which direction; None for all."""
        return dict(_direction(one, rules) for one in self.change) or None

    def positions(self, n_rows: int) -> list[int]:
        """Return the positions of the rows."""
        outside = [row for row in self.rows if not 1 <= row <= n_rows]
        if outside:
            rows = f"only row{'' if n_rows == 1 else 's'} 1{'' if n_rows == 1 else f' to {n_rows}'}"
            raise InvalidParameterError(f"--row {outside[0]}: the table has {rows if n_rows else 'no rows'}.")
        return [row - 1 for row in self.rows] or list(range(n_rows))


def reasons(
    rules: Path, data: Path, reference: Path | None, output: Path | None, question: Question, written: TextFormat
) -> None:
    """Print the reasons for some rows of a table."""
    import pandas as pd

    if output is not None:
        check_table_name(output)
    with output_files(given(output), [rules, data, *given(reference)]) as files:
        with stages(2) as stage:
            stage.start("reading")
            rule_list = read_rules(rules)
            with naming(data):
                X = columns_for(rule_list, read_table_for(rule_list, data, written).frame)
            known = X if len(X) >= _ENOUGH else None
            if reference is not None:
                with naming(reference):
                    known = columns_for(rule_list, read_table_for(rule_list, reference, written).frame)
            stage.start("explaining")
            chosen = question.positions(len(X))
            if not chosen:
                raise InvalidDataError(f"{data} has no rows to explain.")
            reasoner = Reasoner.of(rule_list, known, question.changeable(rule_list))
            found = [reasoner.reasons(X.iloc[[i]], question.answer) for i in chosen]
        if reference is None and known is not None:
            note(f"the spreads of the columns are those of {data}; --reference takes another table")
        shown = found if question.rows else found[:_MOST_PRINTED]
        if output is None or question.rows:
            say("\n\n".join(f"Row {i + 1}. {one}" for i, one in zip(chosen, shown, strict=False)))
            if len(shown) < len(found):
                note(f"{len(found) - len(shown)} more rows: choose some by --row, or write all to a table by --output")
        if output is not None:
            frames: list[Any] = [
                one.to_frame().astype(object).assign(row=i + 1) for i, one in zip(chosen, found, strict=True)
            ]
            table = pd.concat(frames, ignore_index=True)
            files.write(output, write_table(table[["row", *table.columns.drop("row")]], output))
            note(f"wrote {output}")


def _direction(text: str, rules: RuleList) -> tuple[str, int]:
    name, colon, sign = text.rpartition(":")
    if text in rules.inputs.names or not colon or sign not in SIGNS:
        return text, 0
    return name, SIGNS[sign]
