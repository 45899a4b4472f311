"""Long work gives a sign of life at growing intervals, quick work none."""

import threading
from itertools import pairwise

import pytest
from waiting import until

from hedgerow._support import heartbeat as module
from hedgerow._support.heartbeat import heartbeat


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(module, "FIRST", 0.05)
    monkeypatch.setattr(module, "LONGEST", 0.2)


def test_quick_work_gives_no_sign():
    beats = []
    with heartbeat(beats.append):
        pass
    assert beats == []


def test_signs_come_at_growing_intervals_and_end_with_the_work(quick):
    beats = []
    with heartbeat(beats.append):
        until(lambda: len(beats) == 6)
    assert beats[0] >= 0.05  # then 0.1, 0.2, 0.4, 0.6, 0.8 on a quick machine
    assert all(later - earlier >= min(earlier, 0.2) for earlier, later in pairwise(beats))
    assert "hedgerow-heartbeat" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("error", [OSError, ValueError])  # a pipe without a reader, a closed file
def test_work_goes_on_where_nobody_can_see_it(quick, error):
    beats = []

    def beat(elapsed):
        beats.append(elapsed)
        raise error

    with heartbeat(beat):
        until(lambda: len(beats) == 2)


def test_an_error_of_the_work_ends_it(quick):
    with pytest.raises(KeyError), heartbeat(lambda _: None):
        raise KeyError
    assert "hedgerow-heartbeat" not in {thread.name for thread in threading.enumerate()}
