"""Lines, bars and colours."""

import logging
import re

from small_tables import QUICK
from waiting import until

from hedgerow import RuleList
from hedgerow._support import heartbeat
from hedgerow._support.progress import counted
from hedgerow.cli import main
from hedgerow.cli.console import note, show_rules, stages


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


def test_a_terminal_gets_a_table_of_the_whole_list(made, monkeypatch, capsys):
    rules = RuleList.from_json((made / "out.json").read_text())
    show_rules(rules)
    assert capsys.readouterr().out.rstrip("\n") == rules.to_text().rstrip("\n")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    show_rules(rules)
    shown = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().out)
    assert shown.split()[:3] == ["if", "then", "samples"]
    for i, rule in enumerate(rules, start=1):
        assert re.search(rf"^{i}\. .* {rule.coverage} ", shown, re.MULTILINE)


def test_a_note_is_one_line_with_its_kind(capsys):
    note("two\nlines  and [brackets]", "warning")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hedgerow: warning: two lines and [brackets]\n")


def test_without_a_terminal_long_work_is_told_in_lines(monkeypatch, capsys):
    monkeypatch.setattr(heartbeat, "FIRST", 0.05)
    monkeypatch.setattr(heartbeat, "LONGEST", 0.05)
    lines = []

    def shown(line):
        captured = capsys.readouterr()
        assert captured.out == ""
        lines.extend(captured.err.splitlines())
        return any(re.fullmatch(line, one) for one in lines)

    with stages(2) as stage:
        stage.start("reading")
        stage.start("learning")
        until(lambda: shown(r"hedgerow: learning: \d+ s"))
        logging.getLogger("hedgerow.test").info("proving, gap [3.1] %")
        note("a note in between")
        until(lambda: shown(r"hedgerow: learning: \d+ s: proving, gap \[3\.1\] %"))
    assert lines.count("hedgerow: note: a note in between") == 1
    assert all(line.startswith("hedgerow: ") for line in lines)


def test_quick_work_says_nothing(capsys):
    with stages(1) as stage:
        stage.start("reading")
    assert capsys.readouterr() == ("", "")


def test_a_pass_over_rows_is_part_of_the_stage(monkeypatch, capsys):
    monkeypatch.setattr(heartbeat, "FIRST", 0.05)
    monkeypatch.setattr(heartbeat, "LONGEST", 0.05)
    with stages(1) as stage:
        stage.start("learning")
        with counted(10_000, "rows", "Pass 1, looking at all rules", verbose=False) as count:
            count(2500)
            until(
                lambda: "learning: 0 s: pass 1, looking at all rules, 2,500 of 10,000 rows" in capsys.readouterr().err
            )
        until(lambda: re.search(r"hedgerow: learning: \d+ s\n", capsys.readouterr().err))


def test_a_pass_over_rows_has_a_bar_of_its_own(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    with stages(1) as stage:
        stage.start("learning")
        with counted(None, "rows", "Pass 2", verbose=True) as count:
            count(2500)
            until(lambda: "pass 2, 2,500 rows" in re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err))
