"""Running a command: an error becomes one line and an exit code, a warning one line."""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hedgerow.cli.commands import app
from hedgerow.cli.console import note
from hedgerow.cli.exit_codes import DONE, FAILED, INTERRUPTED, WRONG
from hedgerow.exceptions import (
    HedgerowError,
    InfeasibleError,
    MissingRowsError,
    PoorListWarning,
    SolverError,
    TimeLimitError,
)

#: Failures of the work itself; all other errors of the library can be fixed by another call or other files.
_FAILURES = (InfeasibleError, MissingRowsError, SolverError, TimeLimitError)
#: How typer says that a value is not one of the choices of an option.
_CHOICES = re.compile(
    r"Invalid value for '(?P<option>--[^' ]+)[^:]*: (Value error, )?(?P<got>'.*') is not one of (?P<choices>'.*')\.?"
)


@dataclass
class Session:
    """What is known about the current call."""

    debug: bool = False
    #: The command's options by the names of their parameters, such as ``{"test_size": "--test-size"}``.
    options: dict[str, str] = field(default_factory=dict)


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code."""
    session = Session()
    try:
        with _warnings_in_a_line(session):
            code = app(list(arguments), prog_name="hedgerow", standalone_mode=False, obj=session)
            sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has stopped; Python must not flush again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if _was_interrupted(error):
            raise KeyboardInterrupt from error
        if session.debug:
            traceback.print_exc()
        message, code = _explained(error, session)
        note(message, "error")
        return code
    if code == INTERRUPTED:  # typer's code for Ctrl-C
        raise KeyboardInterrupt
    return code if isinstance(code, int) else DONE


def _was_interrupted(error: BaseException | None) -> bool:
    """Return whether Ctrl-C is behind an error: extension modules make an ImportError of it while they are loaded."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _explained(error: Exception, session: Session) -> tuple[str, int]:
    """Return what went wrong and the exit code."""
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # typer's own errors about a wrong call
        context = getattr(error, "ctx", None)
        message = _CHOICES.sub(_of_choices, error.format_message().strip())
        message += "" if message.endswith((".", "?", "!")) else "."
        return f"{message} See: {getattr(context, 'command_path', 'hedgerow')} --help", WRONG
    if isinstance(error, HedgerowError):
        # The library names its own parameter; the user of a command needs the option.
        option = session.options.get(error.parameter or "")
        message = f"{error} Option: {option}" if option else str(error)
        return message, FAILED if isinstance(error, _FAILURES) else WRONG
    if isinstance(error, ModuleNotFoundError):
        return f"{error.name} is not installed: pip install {error.name}", FAILED
    if isinstance(error, OSError):
        return f"{error.filename or 'the file system'}: {error.strerror or error}", FAILED
    if isinstance(error, MemoryError):
        return "out of memory; use fewer rows or fewer trees (--trees)", FAILED
    return f"{type(error).__name__}: {error} (--debug shows where)", FAILED


def _of_choices(found: re.Match[str]) -> str:
    return f"{found['option']} must be one of {found['choices'].replace(chr(39), '')}; got {found['got']}"


@contextmanager
def _warnings_in_a_line(session: Session) -> Iterator[None]:
    """Print each warning for users once, in one line on standard error; those for developers only with --debug."""
    shown: set[str] = set()

    def show(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        text = str(message)
        # How good a list is, the commands say in their own words, and on held-out rows.
        is_for_users = issubclass(category, UserWarning) and not issubclass(category, PoorListWarning)
        if text not in shown and (session.debug or is_for_users):
            shown.add(text)
            note(text, "warning")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield
