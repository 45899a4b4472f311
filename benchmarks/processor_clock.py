"""Time limits that count processor time, for measurements on a machine that others use as well.

A limit by the clock cuts programs off earlier where the machine is busy: a search then takes less processor time and
returns other lists. Within :func:`limits_in_processor_time`, it does neither.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import highspy


@contextmanager
def limits_in_processor_time() -> Iterator[None]:
    """Let ``time.perf_counter`` return processor time, and HiGHS, which has a clock of its own, leave limits to us."""
    set_option = highspy.Highs.setOptionValue

    def without_limit(highs: highspy.Highs, option: str, value: Any) -> Any:
        return None if option == "time_limit" else set_option(highs, option, value)

    with patch.object(time, "perf_counter", time.process_time), patch.object(
        highspy.Highs, "setOptionValue", without_limit
    ):  # fmt: skip
        yield
