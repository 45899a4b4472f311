"""A column that alone tells the target is found, one that only helps is not."""

import numpy as np
import pandas as pd

from hedgerow.tables.leaks import leaks

RNG = np.random.default_rng(0)
Y = RNG.choice(["no", "yes"], 400)
IS_YES = Y == "yes"


def test_a_threshold_or_categories_that_tell_the_class_are_leaks():
    frame = pd.DataFrame(
        {"paid": np.where(IS_YES, RNG.uniform(50, 90, 400), 0), "helps": IS_YES + RNG.normal(size=400)}
    )
    frame["reason"] = pd.Series(np.where(IS_YES, RNG.choice(["a", "b"], 400), "c"), dtype=object)
    frame["absent"] = np.where(IS_YES, np.nan, 3.0)
    assert leaks(frame, Y, "classification") == {"paid": 1.0, "reason": 1.0, "absent": 1.0}


def test_strings_of_single_rows_are_no_leak():
    frame = pd.DataFrame({"name": pd.Series([f"person {i}" for i in range(400)], dtype=object)})
    assert leaks(frame, Y, "classification") == {}


def test_a_rare_class_that_nothing_tells_is_no_leak():
    y = np.array(["no"] * 3999 + ["yes"])
    assert leaks(pd.DataFrame({"x": RNG.normal(size=4000)}), y, "classification") == {}


def test_the_target_in_another_unit_is_a_leak():
    y = RNG.normal(size=400)
    frame = pd.DataFrame({"pounds": 2.2046 * y, "helps": y + RNG.normal(size=400), "same": 1.0})
    frame["kind"] = pd.Series(np.where(y > 0, "a", "b"), dtype=object)
    assert list(leaks(frame, y, "regression")) == ["pounds"]


def test_few_rows_tell_nothing():
    assert leaks(pd.DataFrame({"x": [0, 1] * 10}), np.array(["a", "b"] * 10), "classification") == {}
