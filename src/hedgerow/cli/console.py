"""Output: results on standard output, everything else on standard error.

Colours and progress bars appear only on terminals; pipes and files get plain text, with a line now and then about work
that takes long.
"""

from __future__ import annotations

import logging
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from hedgerow._support.heartbeat import heartbeat
from hedgerow._support.lettering import duration
from hedgerow._support.progress import counting_with, handing_to

if TYPE_CHECKING:
    from hedgerow.rules.rule_list import RuleList
    from hedgerow.tables.notes import Note

#: The console that shows the progress bar: lines printed through it appear above the bar instead of running into it.
_behind_bar: ContextVar[Console | None] = ContextVar("behind_bar", default=None)


def note(text: str, kind: str = "note") -> None:
    """Write one line to standard error."""
    style = {"error": "bold red", "warning": "yellow", "note": "cyan"}[kind]
    line = Text.assemble("hedgerow: ", (f"{kind}:", style), " " + " ".join(text.split()))
    (_behind_bar.get() or Console(stderr=True)).print(line, soft_wrap=True)


def tell(notes: Iterable[Note], kind: str = "note") -> None:
    """Write notes about a table to standard error, with the options that help."""
    for one in notes:
        options = [f"--{one.parameter} {shlex.quote(value)}" for value in one.values] or [f"--{one.parameter}"]
        text = f"{one.text} ({' '.join(options)} to {one.purpose})" if one.parameter else one.text
        note(text, "warning" if one.is_warning else kind)


def show(text: str) -> None:
    """Write lines to standard error as they are."""
    (_behind_bar.get() or Console(stderr=True)).print(Text(text), soft_wrap=True)


def say(text: str) -> None:
    """Write to standard output."""
    sys.stdout.write(text + "\n")


def show_rules(rules: RuleList) -> None:
    """Print a rule list: as a table that fits the terminal, or else as the library's own text."""
    console = Console(highlight=False)
    if not console.is_terminal:
        say(rules.to_text())
        return
    from hedgerow.exporters.rows import rows_of

    table = Table(box=None, pad_edge=False, show_header=True, header_style="bold")
    head, rows = rows_of(rules)
    for name in head:
        is_text = name in ("if", "then")
        table.add_column(name, justify="left" if is_text else "right", overflow="fold", no_wrap=not is_text)
    for number, conditions, prediction, *counts in rows:
        if number:
            table.add_row(f"{number}.", Text(conditions), Text(prediction, style="bold"), *counts)
        else:
            table.add_row("", Text(conditions, style="dim"), Text(prediction), *counts)
    console.print(table)
    if rules.solution is not None:
        console.print(Text(rules.solution.describe(), style="dim"), soft_wrap=True)


class Stages:
    """The progress of a command: one step per stage, and the library's messages in between."""

    def __init__(self, bar: Progress, total: int) -> None:
        self._bar, self._task = bar, bar.add_task("", total=total)
        self._stage = self._message = ""

    def start(self, what: str) -> None:
        """Show the next stage."""
        if self._stage:
            self._bar.advance(self._task)
        self._stage = what
        self.describe("")

    def describe(self, message: str) -> None:
        """Describe the current work within the stage."""
        self._message = message
        self._bar.update(self._task, description=escape(message or self._stage))

    @contextmanager
    def counted(self, total: int | None, unit: str, what: str) -> Iterator[Callable[[int], None]]:
        """Return a function that takes how many more are done; show them below the stages."""
        done, of = 0, "" if total is None else f" of {total:,}"
        row = self._bar.add_task("", total=total)

        def count(more: int) -> None:
            nonlocal done
            done += more
            self._message = f"{what[:1].lower()}{what[1:]}, {done:,}{of} {unit}"
            self._bar.update(row, completed=done, description=escape(self._message))

        try:
            count(0)
            yield count
        finally:
            self._bar.remove_task(row)
            self.describe("")

    def line(self, elapsed: float) -> str:
        """Return the stage, the time since the beginning of the command's work, and what is being done."""
        return ": ".join(filter(None, ("hedgerow", self._stage, duration(elapsed), self._message)))


@contextmanager
def stages(total: int) -> Iterator[Stages]:
    """Show progress on standard error inside the context: a bar on a terminal, elsewhere a line now and then."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), BarColumn(20), TextColumn("{task.description}"), TimeElapsedColumn())
    with ExitStack() as stack:
        bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        shown = Stages(bar, total)
        if console.is_terminal:
            stack.enter_context(bar)
        else:  # a bar that is not shown must not be entered: older releases of rich end it with an empty line
            stack.enter_context(heartbeat(lambda elapsed: console.print(Text(shown.line(elapsed)), soft_wrap=True)))
        before = _behind_bar.set(console)
        stack.callback(_behind_bar.reset, before)
        stack.enter_context(handing_to(_ToStages(shown)))
        stack.enter_context(counting_with(shown.counted))
        yield shown


class _ToStages(logging.Handler):
    """Shows the library's log messages as what is being done in a stage."""

    def __init__(self, shown: Stages) -> None:
        super().__init__()
        self.shown = shown

    def emit(self, record: logging.LogRecord) -> None:
        self.shown.describe(record.getMessage())
