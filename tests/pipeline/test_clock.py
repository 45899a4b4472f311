"""Seconds are added up by part."""

import time

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
