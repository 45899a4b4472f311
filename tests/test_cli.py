"""The command line as a user meets it."""

import subprocess
import sys

import pytest

from hedgerow.cli import main


def test_the_demo_ends_in_a_proven_list_and_its_fidelity(capsys):
    assert main(["demo", "--max-rules", "5"]) == 0
    shown = capsys.readouterr().out
    assert "5.  if " in shown
    assert "6.  if " not in shown
    assert "proven optimal" in shown
    assert "disagreement with the ensemble" in shown


def test_it_runs_as_a_module():
    shown = subprocess.run([sys.executable, "-m", "hedgerow", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("hedgerow ")


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["demo", "--max-rules", "0"], ["demo", "--max-rules", "x"]])
def test_a_wrong_call_exits_with_two_and_says_why(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "error:" in capsys.readouterr().err
