"""Progress is shown on standard error, and only on request."""

import logging
import re
import sys
import threading
import time

import pytest
from waiting import until

from hedgerow._support import heartbeat, progress
from hedgerow._support.progress import counted, handing_to, hint, messages, track


def test_items_pass_through_in_silence(capsys):
    assert list(track(iter("abc"), 3, "work", verbose=False)) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("with_rich", [True, False])
def test_progress_is_lines_on_standard_error_where_a_bar_cannot_move(with_rich, monkeypatch, capsys):
    if not with_rich:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setitem(sys.modules, "rich.progress", None)
    assert list(track(range(30), 30, "counting", verbose=True)) == list(range(30))
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert len(lines) == 10
    assert lines[0] == "hedgerow: counting: 3 of 30, 0 s so far, about 0 s left"
    assert lines[-1] == "hedgerow: counting: 30 of 30, 0 s so far"


def test_a_terminal_gets_a_bar_with_the_time_so_far_and_the_rest(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert list(track(range(3), 3, "counting", verbose=True)) == [0, 1, 2]
    captured = capsys.readouterr()
    shown = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", captured.err)
    assert captured.out == ""
    assert re.search(r"counting ━+ 3 of 3, 0:00:0\d so far, 0:00:0\d left", shown)


def test_a_slow_item_gives_signs_of_life_with_what_is_left(monkeypatch, capsys):
    monkeypatch.setattr(heartbeat, "FIRST", 0.05)
    items, lines = track(range(50), 50, "counting", verbose=True), []
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    until(lambda: lines.extend(capsys.readouterr().err.splitlines()) or lines)
    assert re.fullmatch(r"hedgerow: counting: 3 of 50, \d+ s so far, about \d+ s left", lines[0])
    assert len(list(items)) == 47


def test_messages_appear_only_inside_the_context(capsys):
    logger = logging.getLogger("hedgerow.test")
    with messages(True):
        logger.info("inside")
    with messages(False):
        logger.info("silent")
    logger.info("outside")
    assert capsys.readouterr().err == "hedgerow: inside\n"


def test_between_messages_the_time_is_shown(monkeypatch, capsys):
    monkeypatch.setattr(heartbeat, "FIRST", 0.1)
    lines = []
    with messages(True):
        until(lambda: lines.extend(capsys.readouterr().err.splitlines()) or lines)
    assert re.fullmatch(r"hedgerow: \d+ s so far", lines[0])


def test_the_logger_is_as_it_was_after_an_error():
    logger = logging.getLogger("hedgerow")
    before = (logger.level, list(logger.handlers))
    with pytest.raises(KeyError), handing_to(logging.NullHandler()):
        raise KeyError
    assert (logger.level, logger.handlers) == before


def wait(monkeypatch, times=1, on_terminal=True):
    """Wait impatiently, and for the first time, for work that takes long."""
    monkeypatch.setattr(progress, "PATIENCE", 0.05)
    monkeypatch.setattr(progress, "_told", threading.Lock())
    monkeypatch.setattr(sys.stderr, "isatty", lambda: on_terminal)
    for _ in range(times):
        with hint("RuleListClassifierCV"):
            time.sleep(0.2)


def test_who_waits_at_a_terminal_is_told_once_how_to_see_the_progress(monkeypatch, capsys):
    wait(monkeypatch, times=2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "hedgerow: still working; RuleListClassifierCV(verbose=True) shows the progress.\n"


def test_nothing_is_said_where_nobody_watches(monkeypatch, capsys):
    wait(monkeypatch, on_terminal=False)
    assert capsys.readouterr() == ("", "")


def test_nothing_is_said_about_quick_work(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with hint("RuleListClassifierCV"):
        time.sleep(0.2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("level", ["ERROR", "INFO"])
def test_nothing_is_said_to_those_who_want_less_or_see_more(level, monkeypatch, capsys):
    logger = logging.getLogger("hedgerow")
    logger.setLevel(level)
    try:
        wait(monkeypatch)
    finally:
        logger.setLevel(logging.NOTSET)
    assert capsys.readouterr() == ("", "")


def test_the_hint_does_not_disturb_messages(monkeypatch, capsys):
    with messages(True):
        wait(monkeypatch)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("total", "of"), [(None, "1,500 rows"), (2_000, "1,500 of 2,000 rows")])
def test_what_is_counted_is_shown_at_the_end(capsys, total, of):
    with counted(total, "rows", "Pass 1", verbose=True) as count:
        count(1_000)
        count(500)
    assert capsys.readouterr().err.startswith(f"hedgerow: Pass 1: {of}, 0 s so far")


def test_nothing_is_shown_unless_asked_for(capsys):
    with counted(None, "rows", "Pass 1", verbose=False) as count:
        count(1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("total", "of"), [(None, "1,500 rows"), (2_000, "1,500 of 2,000 rows")])
def test_a_terminal_gets_a_bar_of_what_is_counted(monkeypatch, capsys, total, of):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with counted(total, "rows", "Pass 1", verbose=True) as count:
        count(1_500)
    shown = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert re.search(rf"Pass 1 .* {of}, 0:00:0\d so far", shown)
