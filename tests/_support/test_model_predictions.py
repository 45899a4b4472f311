"""What a model predicts is read in any usual form, and refused with the row if it is no label, share or number."""

import numpy as np
import pytest

from hedgerow import InvalidDataError
from hedgerow._support.model_predictions import class_shares, numbers


def row(i):
    return f"row {i}"


def test_labels_the_share_of_the_second_class_and_shares_are_all_shares():
    for said in (["b", "a"], [["b"], ["a"]], [1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]]):
        assert class_shares(np.array(said), ["a", "b"], ["a", "b"], row).tolist() == [[0, 1], [1, 0]]


def test_shares_are_put_in_the_order_of_the_labels():
    said = np.array([[0.2, 0.3, 0.5]])
    assert class_shares(said, ["a", "b", "c"], ["c", "a", "b"], row).tolist() == [[0.3, 0.5, 0.2]]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["a", "c"], "'c' for row 1"),
        ([0.5, 1.5], "1.5 for row 1"),
        ([[0.5, 0.5], [0.5, 0.6]], r"for row 1 are \[0.5, 0.6\]"),
        ([[0.5, 0.5, 0.0]], "3 class shares per row, but y has 2 classes"),
    ],
)
def test_anything_else_is_refused_with_its_row(said, message):
    with pytest.raises(InvalidDataError, match=message):
        class_shares(np.array(said), ["a", "b"], ["a", "b"], row)


def test_numbers_may_come_in_a_column_and_must_be_finite():
    assert numbers(np.array([["1"], ["2"]]), row).tolist() == [1, 2]
    for said, message in (([1, np.nan], "nan for row 1"), (["x"], "'x'"), ([[1, 2]], "returned 2")):
        with pytest.raises(InvalidDataError, match=message):
            numbers(np.array(said), row)
