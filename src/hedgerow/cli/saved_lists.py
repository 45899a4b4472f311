"""A saved rule list, and tables read as the one that it was learned from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hedgerow._support.arrays import AnyArray, IntArray
from hedgerow._support.foreign_files import read_bytes, refuse_pickle
from hedgerow.cli.console import tell
from hedgerow.cli.predicting import columns_for
from hedgerow.exceptions import InvalidDataError
from hedgerow.features.notation import Notation
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.columns import are_texts, as_labels, check_columns, known_notations, take_targets
from hedgerow.tables.files import read_table
from hedgerow.tables.table import Table
from hedgerow.tables.targets import tidy_labels
from hedgerow.tables.text_format import TextFormat

_WAY_OUT = "Give a rule list written by extract --json."


def read_rules(path: Path) -> RuleList:
    """Return the rule list in a JSON file."""
    content = read_bytes(path)
    refuse_pickle(path, content, "a rule list", _WAY_OUT)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise InvalidDataError(f"{path} is not a rule list: it is not text in UTF-8. {_WAY_OUT}") from None
    if not text.lstrip().startswith(("{", "[")):
        raise InvalidDataError(f"{path} is not a rule list: it is not JSON. {_WAY_OUT}")
    try:
        return RuleList.from_json(text)
    except InvalidDataError as error:
        raise InvalidDataError(f"{path}: {error}") from None


def read_table_for(rule_list: RuleList, path: Path, written: TextFormat, target: str = "") -> Table:
    """Return a table, its columns read as those that the list was learned from."""
    inputs, texts = rule_list.inputs, {target: Notation("text")} if are_texts(rule_list.classes) else {}
    table = read_table(path, notations=known_notations(inputs) | texts, **asdict(written))
    features = {condition.feature for rule in rule_list for condition in rule.conditions}
    used = {inputs.names[i] for feature in features for i in inputs.places(feature)}
    tell(note for note in table.notes if note.column in ("", target, *used))
    return table


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Have errors about a table name its file: a command may read several."""
    try:
        yield
    except InvalidDataError as error:
        if str(path) in str(error):
            raise
        raise InvalidDataError(f"{path}: {error}", parameter=error.parameter) from error


def samples_in(
    rule_list: RuleList, frame: Any, written: TextFormat, target: str, for_learning: bool = True
) -> tuple[Any, AnyArray, IntArray]:
    """Return the rows of a table that have a target: what the list takes of them, their targets, and which they are.

    If nothing is learned from the targets (``for_learning``), all of them may be the same.
    """
    check_columns(frame, [target])
    known = [] if rule_list.classes is None else rule_list.classes.tolist()
    frame[target], notes = tidy_labels(frame[target], written.na, known)
    tell(notes)
    targets = take_targets(frame, target, rule_list.task.name, "the rule list", for_learning)
    X = columns_for(rule_list, frame.iloc[targets.rows].drop(columns=target), target)
    return X, as_labels(targets.values, rule_list.classes), targets.rows
