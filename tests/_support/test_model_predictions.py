"""What a model predicts is read in any usual form, and refused with the row if it is no label, share or number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import InvalidDataError
from hedgerow._support.model_predictions import class_shares, numbers, shares_or_labels


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


@given(
    st.lists(st.sampled_from([0.0, 0.25, 1.0, 2.0, -1.0]), min_size=1, max_size=6),
    st.lists(st.integers(-1, 2), min_size=2, max_size=2, unique=True).map(sorted),
    st.integers(1, 6),
)
def test_numbers_are_what_all_of_them_can_be_however_they_are_cut(said, labels, size):
    parts = [np.array(said[i : i + size]) for i in range(0, len(said), size)]
    as_labels = [labels.index(one) for one in said] if set(said) <= set(labels) else None
    as_shares = said if all(0 <= one <= 1 for one in said) else None
    if as_labels is not None and as_shares is not None and as_labels != as_shares:
        with pytest.raises(InvalidDataError, match="Say which"):
            shares_or_labels(parts, labels)
        return
    found = shares_or_labels(parts, labels)
    if (as_labels is None) == (as_shares is None):  # neither, or both the same
        assert found is None
    else:
        assert found == ("shares" if as_labels is None else "labels")
