"""Seconds are added up by part."""

import time

import pytest

from hedgerow.pipeline.clock import Clock


def test_the_seconds_of_a_part_add_up():
    clock = Clock()
    for _ in range(2):
        with clock.timing("sleep"):
            time.sleep(0.01)
    with clock.timing("nothing"):
        pass
    assert clock.seconds["sleep"] >= 0.02
    assert clock.seconds["nothing"] < clock.seconds["sleep"]


def test_a_part_inside_another_counts_for_itself_alone():
    clock, started = Clock(), time.perf_counter()
    with clock.timing("outer"):
        with clock.timing("inner"):
            time.sleep(0.02)
        with clock.timing("outer"):
            time.sleep(0.01)
    total = time.perf_counter() - started
    assert clock.seconds["inner"] >= 0.02
    assert clock.seconds["inner"] + clock.seconds["outer"] == pytest.approx(total, rel=0.01)


def test_the_parts_of_another_clock_count_instead_of_the_part_it_ran_in():
    clock, other, started = Clock(), Clock(), time.perf_counter()
    with clock.timing("outer"):
        with other.timing("inner"):
            time.sleep(0.02)
        clock.add(other.seconds)
    total = time.perf_counter() - started
    assert clock.seconds["inner"] == other.seconds["inner"]
    assert 0 <= clock.seconds["outer"] < 0.01
    assert sum(clock.seconds.values()) == pytest.approx(total, rel=0.01)


def test_a_part_that_fails_is_closed():
    clock = Clock()
    with pytest.raises(ValueError, match="broken"), clock.timing("broken"):
        raise ValueError("broken")
    time.sleep(0.01)
    with clock.timing("next"):
        pass
    assert clock.seconds["broken"] < 0.01


def test_the_parts_of_another_clock_are_taken_from_the_innermost_part_that_is_open():
    clock = Clock()
    with clock.timing("outer"), clock.timing("inner"):
        clock.add({"search": 500.0, "proof": 250.0})
        clock.add({"search": 50.0})
    assert clock.seconds["search"] == 550.0
    assert clock.seconds["inner"] == pytest.approx(-800.0, abs=5)
    assert clock.seconds["outer"] == pytest.approx(0.0, abs=5)
    alone = Clock()
    alone.add({"search": 3.0})
    assert alone.seconds == {"search": 3.0}
