"""Waiting for what another thread or process does."""

import time


def until(condition, seconds=60):
    """Wait until a condition holds; fail if that takes too long."""
    end = time.perf_counter() + seconds
    while not condition():
        assert time.perf_counter() < end, "it has not come true"
        time.sleep(0.01)
