"""The commands, their help and their completion."""

import os
import subprocess
import sys

import pytest
from small_tables import error_of

from hedgerow.cli import main

COMMANDS = [
    "demo",
    "extract",
    "predict",
    "export",
    "report",
    "validate",
    "check",
    "drift",
    "reasons",
    "dossier",
    "doctor",
]


def test_it_runs_as_a_module():
    shown = subprocess.run([sys.executable, "-m", "hedgerow", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("hedgerow ")


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["demo", "--max-rules", "0"], ["demo", "--max-rules", "x"], ["extract"], ["extract", "a.csv"]],
)
def test_a_wrong_call_exits_with_two_and_says_why(arguments, capsys):
    assert main(arguments) == 2
    assert "--help" in error_of(capsys.readouterr())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_has_examples(command, capsys):
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Examples" in shown
    assert f"hedgerow {command}" in shown.partition("Examples")[2]


def test_the_shell_can_complete_commands():
    asked = {"_HEDGEROW_COMPLETE": "complete_bash", "COMP_WORDS": "hedgerow ex", "COMP_CWORD": "1"}
    program = "import sys; from hedgerow.cli import main; sys.exit(main([]))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ | asked)
    assert shown.stdout.split() == ["extract", "export"]
