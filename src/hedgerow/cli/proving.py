"""The command that proves a saved list again: it runs the checker as anyone can, in a Python without any packages."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import typer

from hedgerow.cli.console import say
from hedgerow.cli.exit_codes import FAILED
from hedgerow.cli.saved_lists import read_rules
from hedgerow.evidence import Check, checker
from hedgerow.exceptions import InvalidDataError, InvalidParameterError


def check(rules: Path, data: Path, target: str, weight: str | None) -> None:
    """Print what is proven, or what is wrong; then the exit code is 1."""
    read_rules(rules)  # which says what is wrong with a file that is no rule list
    if certificate_in(rules) is None:
        raise InvalidDataError(
            f"{rules} has no certificate. Write one with extract --certificate FILE, or with "
            "to_json(certificate=True) of the fitted estimator."
        )
    found = checked(rules, data, target, weight)
    say(found.text)
    if not found:
        raise typer.Exit(FAILED)


def certificate_in(rules: Path) -> dict[str, Any] | None:
    """Return the certificate in a file with a rule list; None if it has none."""
    found: dict[str, Any] | None = json.loads(rules.read_text(encoding="utf-8")).get("certificate")
    return found


def checked(rules: Path, data: Path, target: str, weight: str | None = None) -> Check:
    """Return what the checker says about a list with a certificate."""
    certificate = certificate_in(rules) or {}
    _check_header(data, [*certificate["columns"], target, *([] if weight is None else [weight])])
    options = ["--target", target, *([] if weight is None else ["--weight", weight])]
    command = [sys.executable, "-S", "-I", checker.__file__, str(rules), str(data), *options]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return Check(not ran.returncode, (ran.stdout or ran.stderr).strip())


def _check_header(data: Path, needed: list[str]) -> None:
    """Refuse a file without a column that the checker needs."""
    with data.open(newline="", encoding="utf-8", errors="replace") as file:
        names = csv.DictReader(file).fieldnames or []
    for name in needed:
        if name not in names:
            raise InvalidParameterError(
                f"{data} has no column {name!r}. Give the rows that the list was learned from, as comma-separated "
                "values with a header, such as the file that extract --certificate writes."
            )
