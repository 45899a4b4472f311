"""Runs a command: errors become one line and an exit code, warnings one line."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hedgerow.cli.commands import app
from hedgerow.cli.console import complain, note
from hedgerow.cli.exit_codes import DONE, FAILED, INTERRUPTED, WRONG
from hedgerow.exceptions import (
    HedgerowError,
    InvalidDataError,
    InvalidParameterError,
    UnfittedModelError,
    UnsupportedModelError,
    UntrustedModelError,
)

#: What the one who asked can mend; other errors are of the work itself.
_MENDABLE = (InvalidDataError, InvalidParameterError, UnfittedModelError, UnsupportedModelError)


@dataclass
class Session:
    """What the options of one call say about the call itself."""

    debug: bool = False


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit code."""
    session = Session()
    try:
        with _warnings_in_a_line(session):
            code = app(list(arguments), prog_name="hedgerow", standalone_mode=False, obj=session)
            sys.stdout.flush()
    except BrokenPipeError:  # who reads has had enough, as `head` has; nothing more can be written, not even at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if session.debug:
            traceback.print_exc()
        return _explained(error)
    if code == INTERRUPTED:  # typer makes this of Ctrl-C
        raise KeyboardInterrupt
    return code if isinstance(code, int) else DONE


def _explained(error: Exception) -> int:
    """Say in one line what went wrong; return the exit code."""
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # typer's own, of a wrong call
        context = getattr(error, "ctx", None)
        said = error.format_message().strip()
        said += "" if said.endswith((".", "?", "!")) else "."
        complain(f"{said} See: {getattr(context, 'command_path', 'hedgerow')} --help")
        return WRONG
    if isinstance(error, HedgerowError):
        hint = " To load it as trusted, pass --trust-pickle." if isinstance(error, UntrustedModelError) else ""
        complain(f"{error}{hint}")
        return WRONG if isinstance(error, _MENDABLE) else FAILED
    if isinstance(error, ModuleNotFoundError):
        complain(f"{error.name} is not installed: pip install {error.name}")
    elif isinstance(error, OSError):
        complain(f"{error.filename or 'the file system'}: {error.strerror or error}")
    elif isinstance(error, MemoryError):
        complain("there is not enough memory; take fewer rows, or fewer trees (--trees)")
    else:
        complain(f"{type(error).__name__}: {error} (--debug shows where)")
    return FAILED


@contextmanager
def _warnings_in_a_line(session: Session) -> Iterator[None]:
    """Show each warning to users as one line on standard error, once; warnings to programmers only with --debug."""
    shown: set[str] = set()

    def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        text = str(message)
        if text not in shown and (session.debug or issubclass(category, UserWarning)):
            shown.add(text)
            note(text, "warning")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
