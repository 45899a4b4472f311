"""The command dossier: everything that is known about a saved list, and what is not, on one page to be signed."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from hedgerow.cli.console import note, stages
from hedgerow.cli.exit_codes import FAILED
from hedgerow.cli.proving import certificate_in, checked
from hedgerow.cli.saved_lists import naming, read_rules, read_table_for, samples_in
from hedgerow.cli.writing import given, output_files
from hedgerow.evidence import Check
from hedgerow.exceptions import InvalidParameterError
from hedgerow.exporters.html.dossier.data import DataTable, describe_table, file_digest
from hedgerow.exporters.html.dossier.summary import fingerprint
from hedgerow.rules.rule_list import RuleList
from hedgerow.tables.columns import check_columns
from hedgerow.tables.text_format import TextFormat

#: What a certificate says about how the list was chosen.
_SETTINGS = ("max_rules", "candidates", "max_conditions", "min_coverage", "stability_weight", "loss")


@dataclass(frozen=True)
class Asked:
    """What the dossier is about: tables, their target, weights for the check, and what a person has to say."""

    data: Path | None
    test: Path | None
    target: str | None
    weight: str | None
    title: str | None
    purpose: str | None
    date: str | None
    check: bool

    def __post_init__(self) -> None:
        if self.target is None and given(self.data, self.test):
            raise InvalidParameterError("--data and --test need --target, the column of true values.")
        if self.weight is not None and self.data is None:
            raise InvalidParameterError("--weight is a column of the training rows; name their file with --data FILE.")

    @property
    def day(self) -> datetime.date | None:
        """The date to show, if there is one."""
        if self.date is None:
            return None
        try:
            return datetime.date.fromisoformat(self.date)
        except ValueError:
            raise InvalidParameterError(f"--date must be written like 2026-03-31; got {self.date!r}.") from None


def dossier(rules: Path, asked: Asked, output: Path, written: TextFormat) -> None:
    """Write the dossier on a saved list; the exit code is 1 if the check refuses its proof."""
    day = asked.day
    with output_files([output], given(rules, asked.data, asked.test)) as files, stages(3) as stage:
        stage.start("reading")
        rule_list = read_rules(rules)
        rows: dict[str, Any] = {}
        tables = []
        for name, path, place in (("training", asked.data, ""), ("held-out", asked.test, "_test")):
            if path is not None and asked.target is not None:
                others = [] if asked.weight is None or path is not asked.data else [asked.weight]
                with naming(path):
                    read = _read(rule_list, name, path, written, asked.target, others)
                table, rows[f"X{place}"], rows[f"y{place}"] = read
                tables.append(table)
        stage.start("checking")
        certificate = certificate_in(rules)
        check = _check(rules, asked, rule_list, certificate is not None)
        stage.start("writing")
        page = rule_list.to_dossier(
            title=asked.title,
            purpose=asked.purpose,
            target=asked.target,
            check=check,
            settings={name: certificate[name] for name in _SETTINGS} if certificate else None,
            tables=tables,
            files={rules.name: file_digest(rules)},
            created=day,
            **rows,
        )
        files.write(output, page)
    note(f"wrote {output}")
    if check is not None and not check:
        note(f"the proof was refused when it was checked again: {check.text}", "warning")
        raise typer.Exit(FAILED)


def _read(
    rule_list: RuleList, name: str, path: Path, written: TextFormat, target: str, others: Sequence[str]
) -> tuple[DataTable, Any, Any]:
    """Return what is said about a table, its rows that have a target, and their targets; ``others`` must be there."""
    frame = read_table_for(rule_list, path, written, target).frame
    check_columns(frame, others)
    X, y, _ = samples_in(rule_list, frame.copy(), written, target, for_learning=False)
    return describe_table(rule_list, name, frame, target, path.name, file_digest(path)), X, y


def _check(rules: Path, asked: Asked, rule_list: RuleList, is_certified: bool) -> Check | None:
    """Return what the checker says, if the list has a certificate and its training rows are given."""
    if not is_certified or asked.data is None or asked.target is None or not asked.check:
        return None
    return replace(checked(rules, asked.data, asked.target, asked.weight), digest=fingerprint(rule_list))
