"""A union has the trees of all its forests, routes samples as each does alone, and predicts the mean."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_forests import STUMP_ARRAYS, stump_forest

from hedgerow import Forest, InvalidDataError
from hedgerow.features import HashedCategory, Inputs, SeriesInputs, ShapeletDistance
from hedgerow.forests.tree import Tree
from hedgerow.forests.union import in_double, union


def test_one_forest_is_its_own_union():
    forest = stump_forest()
    assert union([forest]) is forest


def test_a_union_predicts_the_mean_of_its_members_whatever_their_number_of_trees():
    one = stump_forest()  # says 0.8 above 2.5
    two = Forest.from_arrays([STUMP_ARRAYS | {"threshold": [5.0, 0, 0]}] * 2, ["age"], classes=["no", "yes"])
    both = union([one, two])
    assert both.n_trees == 3
    assert both.answer([[2.0], [4.0], [6.0]])[:, 1] == pytest.approx([0.0, 0.4, 0.8])
    assert both.labels([[4.0], [6.0]]).tolist() == ["no", "yes"]
    assert both.apply([[4.0]]).tolist() == [[2, 1, 1]]


def test_a_union_takes_what_all_its_members_take():
    one = Forest.from_arrays([STUMP_ARRAYS], ["age"], classes=["no", "yes"], allows_missing=False)
    both = union([stump_forest(), one])
    assert not both.inputs.allows_missing
    with pytest.raises(InvalidDataError, match="NaN"):
        both.apply([[np.nan]])


def test_other_columns_and_other_classes_are_refused():
    with pytest.raises(InvalidDataError, match="same columns"):
        union([stump_forest(), Forest.from_arrays([STUMP_ARRAYS], ["size"], classes=["no", "yes"])])
    with pytest.raises(InvalidDataError, match="same classes"):
        union([stump_forest(), Forest.from_arrays([STUMP_ARRAYS], ["age"], classes=["yes", "no"])])


@example(float(np.finfo(np.float32).max), 1)
@example(float(np.finfo(np.float32).max), 0)
@example(-float(np.finfo(np.float32).max), -1)
@given(
    st.floats(-1e6, 1e6) | st.floats(width=32, allow_nan=False, allow_infinity=False) | st.just(0.1), st.integers(-2, 2)
)
def test_a_forest_in_double_precision_compares_as_it_did_in_single(threshold, steps):
    single = Forest.from_arrays(
        [STUMP_ARRAYS | {"threshold": [threshold, 0, 0]}], ["age"], classes=["no", "yes"], dtype=np.float32
    )
    double = in_double(single)
    assert double.inputs.dtype is np.float64
    bound = double.trees[0].threshold[0]
    probes = [threshold, bound]
    for _ in range(abs(steps)):
        probes = [np.nextafter(x, np.sign(steps) * np.inf) for x in probes]
    X = np.array(probes)[:, None]
    with np.errstate(over="ignore"):
        assert (
            double.apply(X)[:, 0] == np.where(X[:, 0].astype(np.float32).astype(np.float64) <= threshold, 1, 2)
        ).all()


def hashed(wanted, *hashes):
    """A forest that sends one of the categories it knows left, and all others right."""
    color = HashedCategory.of(0, "color", hashes)
    tree = Tree(
        left=np.array([1, -1, -1]),
        right=np.array([2, -1, -1]),
        feature=np.zeros(3, dtype=np.int64),
        threshold=np.zeros(3),
        missing_left=np.zeros(3, dtype=bool),
        value=np.array([[0.0], [1.0], [2.0]]),
        category=np.array([0, -1, -1]),
        left_codes=np.array([[code == wanted for code in (*hashes, None)]]),
    )
    return Forest((tree,), Inputs((color,), np.float64, allows_missing=True), np.ones(1))


def test_hashed_categories_get_common_codes():
    forests = [hashed(11, 11), hashed(22, 33, 22)]
    both = union(forests)
    (color,) = both.features
    assert set(color.hashes) == {11, 22, 33}
    for k, wanted in enumerate((11, 22)):
        left = both.trees[k].codes_left(0)
        assert [h for h, goes_left in zip((*color.hashes, None), left, strict=True) if goes_left] == [wanted]


def shapelets(*values):
    """A forest over one shapelet, which every forest calls s1."""
    distance = ShapeletDistance(0, values, "euclidean", "dist(x, s1)")
    return replace(
        stump_forest(), inputs=SeriesInputs((distance,), np.float64, n_dimensions=1, length=4), classes=np.array([0, 1])
    )


def test_forests_over_different_shapelets_share_all_of_them_under_different_names():
    one, two = shapelets(1.0, 2.0), shapelets(3.0, 3.0)
    both = union([one, two])
    assert [f.name for f in both.features] == ["dist(x, s1)", "dist(x, s2)"]
    assert [t.feature[0] for t in both.trees] == [0, 1]
    X = np.array([[1.0, 2.0, 8.0, 8.0], [9.0, 3.0, 3.0, 9.0], [9.0, 9.0, 9.0, 9.0]])
    assert (both.apply(X) == np.hstack([one.apply(X), two.apply(X)])).all()


def test_a_union_does_not_predict_from_leaves():
    both = union([stump_forest(), stump_forest()])
    with pytest.raises(ValueError, match="those of its members"):
        both.predictions_of_leaves(np.zeros((1, 2), dtype=np.int64))
