"""Flags are shown without a type, and errors name options."""

import re
from pathlib import Path

import pandas as pd
import pytest
from small_tables import QUICK, error_of

import hedgerow
from hedgerow.cli import main

COMMANDS = ["demo", "extract", "predict", "export", "report"]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=str)
def test_the_help_of_a_flag_says_what_it_does_and_no_type(command, capsys):
    assert main([*command, "--help"]) == 0
    flags = re.findall(
        r"--(?:debug|help|version|published|explain|install-completion)\W+(\w+)", capsys.readouterr().out
    )
    assert len(flags) >= 2
    assert not {"bool", "BOOLEAN"} & set(flags)


def test_an_error_names_the_option_of_the_command_that_helps(folder, capsys):
    pd.DataFrame({"a": [1, 2, 3], "y": ["p", "q", "p"]}).to_csv("small.csv", index=False)
    assert main(["extract", "small.csv", "-t", "y", *QUICK, "--test-size", "0.8"]) == 2
    assert error_of(capsys.readouterr()).endswith("Hold out a smaller share. Option: --test-size")
    (folder / "table.dat").write_text((folder / "table.csv").read_text())
    assert main(["predict", "rules.json", "table.dat"]) == 2
    assert error_of(capsys.readouterr()).endswith("give the separator. Option: --separator")


def test_the_library_names_no_options():
    source = Path(hedgerow.__file__).parent
    script = source / "evidence" / "checker.py"  # runs by itself, with options of its own
    for path in source.rglob("*.py"):
        if path.relative_to(source).parts[0] != "cli" and path != script:
            assert not re.search(
                r"--(drop|keep|target|weight|task|test-size|separator|encoding|decimal|na|trust-pickle|model)\b",
                path.read_text(),
            ), path
