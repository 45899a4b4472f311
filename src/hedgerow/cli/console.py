"""What a user sees: results on standard output, everything else on standard error.

Colours and frames are for terminals; into a pipe or a file goes plain text.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from hedgerow._support.progress import handing_to
from hedgerow.rules.rule_list import RuleList

#: The console that shows a bar: lines written through it come above the bar, others would run into it.
_behind_bar: ContextVar[Console | None] = ContextVar("behind_bar", default=None)


def complain(text: str) -> None:
    """Write an error as one line on standard error."""
    note(text, "error")


def note(text: str, kind: str = "note") -> None:
    """Write one line on standard error."""
    style = {"error": "bold red", "warning": "yellow", "note": "cyan"}[kind]
    line = Text.assemble("hedgerow: ", (f"{kind}:", style), " " + " ".join(text.split()))
    (_behind_bar.get() or Console(stderr=True)).print(line, soft_wrap=True)


def say(text: str) -> None:
    """Write on standard output."""
    sys.stdout.write(text + "\n")


def show_rules(rules: RuleList) -> None:
    """Write a rule list: a table that fits a terminal, or the text that the library writes."""
    console = Console(highlight=False)
    if not console.is_terminal:
        say(rules.to_text())
        return
    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    for name, how in (("", "right"), ("if", "left"), ("then", "left"), ("samples", "right"), ("share", "right")):
        table.add_column(name, justify=how, overflow="fold", no_wrap=name in ("", "samples", "share"))  # type: ignore[arg-type]
    for i, rule in enumerate(rules, start=1):
        answer = Text(rule.describe_prediction(), style="bold")
        table.add_row(
            f"{i}.", Text(rule.describe(rules.digits)), answer, str(rule.coverage), f"{100 * rule.share:.1f} %"
        )
    table.add_row("", Text("otherwise", style="dim"), Text(rules.describe_default()), "", "")
    console.print(table)
    if rules.solution is not None:
        console.print(Text(rules.solution.describe(), style="dim"), soft_wrap=True)


class Stages:
    """The bar of a command that takes long: one step a stage, and what the library reports in between."""

    def __init__(self, bar: Progress, total: int) -> None:
        self._bar, self._task, self._begun = bar, bar.add_task("", total=total), False

    def start(self, what: str) -> None:
        """Show the next stage."""
        if self._begun:
            self._bar.advance(self._task)
        self._begun = True
        self.describe(what)

    def describe(self, what: str) -> None:
        """Say what the stage is at."""
        self._bar.update(self._task, description=escape(what))


@contextmanager
def stages(total: int) -> Iterator[Stages]:
    """Show a bar of so many stages on standard error while inside, if that is a terminal."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), BarColumn(20), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        shown = Stages(bar, total)
        before = _behind_bar.set(console)
        try:
            with handing_to(_ToBar(shown)):
                yield shown
        finally:
            _behind_bar.reset(before)


class _ToBar(logging.Handler):
    """Shows what the library logs as what the stage is at."""

    def __init__(self, shown: Stages) -> None:
        super().__init__()
        self.shown = shown

    def emit(self, record: logging.LogRecord) -> None:
        self.shown.describe(record.getMessage())
