"""The checksum of training rows; that an unpickled estimator refuses others is tested with the estimators."""

import numpy as np
import pandas as pd
import pytest
from small_data import IRIS, small_forest

from hedgerow import RuleListClassifier
from hedgerow.constraints import ParityGap
from hedgerow.pipeline.row_checksum import row_checksum
from hedgerow.sources import Chunks

X, y = IRIS[0][:100], np.array(["a", "b"])[IRIS[1][:100]]
MODEL = small_forest(X, y)


def checksum(X=X, y=y, sample_weight=None, **parameters):
    return row_checksum(RuleListClassifier(MODEL, max_rules=3, **parameters).fit(X, y, sample_weight).posed_)


def test_equal_rows_have_the_same_whatever_holds_them():
    assert checksum() == checksum(X.tolist(), y.astype(object)) == checksum(pd.DataFrame(X).to_numpy(), pd.Series(y))


def test_weights_of_one_are_those_of_samples_without_weights():
    assert checksum() == checksum(sample_weight=np.ones(100, dtype=int))


@pytest.mark.parametrize("place", [(0, 0), (99, 3)])
def test_a_value_makes_a_difference(place):
    changed = X.copy()
    changed[place] += 0.001
    assert checksum(changed) != checksum()


def test_the_order_makes_a_difference():
    assert checksum(X[::-1], y[::-1]) != checksum()


def test_a_target_and_a_weight_make_a_difference():
    other = y.copy()
    other[0] = "b"
    assert len({checksum(), checksum(y=other), checksum(sample_weight=np.arange(1, 101))}) == 3


def test_the_groups_of_a_constraint_make_a_difference():
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = small_forest(frame, y)
    found = set()
    for values in (frame["d"] > 0.2, frame["d"] > 0.3):
        rows = frame.assign(d=values.astype(float))
        rules = RuleListClassifier(model, max_rules=3, constraints=ParityGap("d", 1.0, positive="b")).fit(rows, y)
        found.add(row_checksum(rules.posed_))
    assert len(found) == 2


def test_rows_that_are_read_in_chunks_have_none():
    assert row_checksum(RuleListClassifier(MODEL, max_rules=3).fit(Chunks(lambda: [(X, y)])).posed_) is None
