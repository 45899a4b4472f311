"""The command line: parse, call, print.

It needs typer and rich (``pip install 'hedgerow[cli]'``), which no other part of the package needs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec

from hedgerow.cli.exit_codes import FAILED, INTERRUPTED
from hedgerow.cli.stopping import Stopped, stoppable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    It is 0 for success, 1 for a failure, 2 for a wrong call or wrong files, 130 after Ctrl-C, and 143 if a signal
    terminates the program (129 if its terminal is closed).
    """
    try:
        with stoppable():
            return _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # Ctrl-C
        sys.stderr.write("hedgerow: note: Interrupted.\n")
        return INTERRUPTED
    except Stopped as stopped:
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write("hedgerow: note: Terminated.\n")
        return stopped.code


def _run(arguments: Sequence[str]) -> int:
    for name in ("pandas", "rich", "typer"):
        if find_spec(name) is None:  # looked for, not loaded: the help is shown without pandas
            if arguments[:1] == ["doctor"]:  # which says what is missing, so it must run without
                from hedgerow.cli.doctor import diagnose

                return diagnose("--json" in arguments, "--imports" in arguments)
            sys.stderr.write(f"hedgerow: error: the command line needs {name}: pip install 'hedgerow[cli]'\n")
            return FAILED
    from hedgerow.cli.running import run

    return run(arguments)
