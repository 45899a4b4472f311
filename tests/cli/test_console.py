"""Lines, bars and colours."""

import re

from small_tables import QUICK

from hedgerow.cli import main


def test_colours_are_for_terminals_that_want_them(made, monkeypatch, capsys):
    call = ["extract", str(made / "people.csv"), "-t", "says", *QUICK]
    colour = re.compile("\x1b\\[[0-9;]*3[0-9]m")
    assert main(call) == 0
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(call) == 0
    assert colour.search(capsys.readouterr().err)
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(call) == 0
    captured = capsys.readouterr()
    assert not colour.search(captured.out + captured.err)


def test_a_line_does_not_run_into_the_bar(made, monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["extract", str(made / "people.csv"), "-t", "says", *QUICK]) == 0
    shown = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert "━" in shown  # a bar; which words it shows depends on how fast the machine is
    assert re.search("^hedgerow: note: classification", shown.replace("\r", "\n"), re.MULTILINE)
