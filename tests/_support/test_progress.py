"""Progress is shown on standard error, and only on request."""

import logging
import sys

import pytest

from hedgerow._support.progress import handing_to, messages, track


def test_items_pass_through_in_silence(capsys):
    assert list(track(iter("abc"), 3, "work", verbose=False)) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("with_rich", [True, False])
def test_progress_is_shown_on_standard_error(with_rich, monkeypatch, capsys):
    if not with_rich:
        monkeypatch.setitem(sys.modules, "rich.progress", None)
    assert list(track(range(30), 30, "counting", verbose=True)) == list(range(30))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "counting" in captured.err
    if not with_rich:
        lines = captured.err.splitlines()
        assert len(lines) == 10
        assert lines[-1] == "hedgerow: counting: 30 of 30"


def test_messages_appear_only_inside_the_context(capsys):
    logger = logging.getLogger("hedgerow.test")
    with messages(True):
        logger.info("inside")
    with messages(False):
        logger.info("silent")
    logger.info("outside")
    assert capsys.readouterr().err == "hedgerow: inside\n"


def test_the_logger_is_as_it_was_after_an_error():
    logger = logging.getLogger("hedgerow")
    before = (logger.level, list(logger.handlers))
    with pytest.raises(KeyError), handing_to(logging.NullHandler()):
        raise KeyError
    assert (logger.level, logger.handlers) == before
