"""Synthetic rows take each value from some sample, and keep whole categories."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression
from taught_lists import forest, lesson, rules

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
)
from hedgerow.features import cells
from hedgerow.pipeline.synthetic_rows import draw_origins, draw_rows, nearest, scatter, whole_categories
from hedgerow.teachers import Teacher


def test_synthetic_rows_take_each_value_from_some_sample(data):
    X, y = data
    rows = lesson(Teacher(forest(5), copies=50, most=500, swap=0.5), X, y).X[len(X) :]
    assert len(rows) == 500
    assert list(rows) == list(X)
    for column in X:
        assert set(rows[column]) <= set(X[column])
    samples = set(map(tuple, X.to_numpy()))
    assert sum(tuple(row) in samples for row in rows.to_numpy()) < 50


@pytest.mark.parametrize("as_frame", [False, True])
def test_columns_of_one_category_go_together(as_frame):
    rng = np.random.default_rng(0)
    colour, size = np.eye(4)[rng.integers(4, size=60)], np.eye(2)[rng.integers(2, size=60)]
    flag = rng.integers(2, size=(60, 2))
    X = np.hstack([flag, colour, rng.normal(size=(60, 1)), size])
    y = X @ rng.normal(size=X.shape[1])
    rows = lesson(Teacher(LinearRegression(), swap=0.5), pd.DataFrame(X) if as_frame else X, y).X
    rows = np.asarray(rows)[60:]
    assert_array_equal(rows[:, 2:6].sum(axis=1), 1)
    assert_array_equal(rows[:, 7:].sum(axis=1), 1)
    # The flags are no category; they meet in pairs that have their own share of new ones.
    kept = {tuple(row) for row in X}
    assert len({tuple(row) for row in rows} - kept) > 100


def test_cells_keep_categories_missing_values_and_names():
    frame = pd.DataFrame(
        {
            "number": [1.0, np.nan, 3.0],
            "kind": pd.Categorical(["a", None, "b"], categories=["b", "a", "c"]),
            "whole": pd.array([1, None, 3], dtype="Int64"),
        },
        index=[7, 7, 8],
    )
    origin = np.array([[2, 0, 1], [1, 1, 0]])
    made = cells(frame, origin)
    assert made.dtypes.tolist() == frame.dtypes.tolist()
    assert made["number"].tolist()[0] == 3.0
    assert np.isnan(made["number"][1])
    assert made["kind"][0] == "a"
    assert made["kind"].isna().tolist() == [False, True]
    assert made["whole"][1] == 1
    polar = pl.DataFrame({"number": [1.0, None, 3.0], "kind": pl.Series(["a", None, "b"], dtype=pl.Categorical)})
    again = cells(polar, origin[:, :2])
    assert again.to_dict(as_series=False) == {"number": [3.0, None], "kind": ["a", None]}
    assert again.schema == polar.schema
    assert_array_equal(cells(np.array(["x", "y", "z"]), origin[:, :1]), ["z", "y"])
    with pytest.raises(InvalidDataError, match="copies=0"):
        cells([[1, 2]], origin)


def test_samples_of_weight_zero_have_no_part_in_synthetic_rows(data):
    X, y = data
    weight = np.r_[np.zeros(60), np.ones(60)]
    learned = lesson(Teacher(forest(), copies=4), X, y, weight)
    assert len(learned.X) == 120 + 4 * 60
    for column in X:
        assert set(learned.X[column][120:]) <= set(X[column][60:])
    taught = rules(Teacher(forest(), copies=4)).fit(X, y, weight)
    assert sum(rule.coverage for rule in taught.rule_list_) == taught.rule_list_.n_samples == 60


def test_the_seed_decides_the_synthetic_rows(data):
    first, second, third = (
        rules(Teacher(forest(), copies=2), random_state=seed, max_rules=12).fit(*data).rule_list_ for seed in (1, 1, 2)
    )
    assert list(first) == list(second)
    assert list(first) != list(third)


#: A number, a category of three, a flag, and a category of two.
TABLE = np.array(
    [
        [0.5, 1, 0, 0, 1, 0, 1],
        [1.0, 0, 1, 0, 1, 1, 0],
        [0.0, 0, 0, 1, 0, 1, 0],
        [7.0, 1, 1, 0, 0, 0, 1],
    ]
)


@pytest.mark.parametrize("made", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_columns_of_a_category_have_one_number(made):
    assert whole_categories(made(TABLE), np.arange(3)).tolist() == [0, 1, 1, 1, 2, 3, 3]
    # The last row has two colours: with it, only the last two columns are a category.
    assert whole_categories(made(TABLE), np.arange(4)).tolist() == [0, 1, 2, 3, 4, 5, 5]


def test_columns_of_text_are_each_their_own():
    frame = pd.DataFrame({"a": ["0", "1"], "b": ["1", "0"], "c": [0, 1], "d": [1, 0]})
    assert whole_categories(frame, np.arange(2)).tolist() == [0, 1, 2, 2]
    assert whole_categories(np.array(["x", "y"]), np.arange(2)).tolist() == [0]


@pytest.mark.parametrize(("copies", "most", "n_rows"), [(4, 1000, 12), (4, 5, 5)])
def test_the_number_of_rows_per_sample_and_in_all_is_kept(copies, most, n_rows):
    origin, kept = draw_origins(
        Teacher(None, copies=copies, most=most), TABLE, np.array([0, 1, 3]), np.random.RandomState(0)
    )
    assert origin.shape == (n_rows, 7)
    assert kept.shape == (n_rows,)
    assert set(origin.ravel()) | set(kept) <= {0, 1, 3}


def test_a_cell_comes_from_the_other_sample_as_often_as_said():
    used = np.arange(3)
    none, kept = draw_origins(Teacher(None, copies=40, swap=0.0), TABLE, used, np.random.RandomState(0))
    assert_array_equal(none, np.repeat(kept[:, None], 7, axis=1))
    every, kept = draw_origins(Teacher(None, copies=40, swap=1.0), TABLE, used, np.random.RandomState(0))
    assert (every == every[:, :1]).all()
    assert (every[:, 0] != kept).mean() == pytest.approx(2 / 3, abs=0.15)  # the other one may be the same
    some, kept = draw_origins(Teacher(None, copies=1000, swap=0.3), TABLE, used, np.random.RandomState(0))
    assert_allclose((some != kept[:, None]).mean(axis=0), 0.3 * 2 / 3, atol=0.03)
    assert_array_equal(some[:, 1:4], np.repeat(some[:, 1:2], 3, axis=1))  # the colours come together
    assert (some[:, 3] != some[:, 4]).any()


def test_scattered_rows_lie_about_samples_as_samples_of_a_class_about_their_mean():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) @ [[1.0, 2.0], [0.0, 0.5]] + 10 * y[:, None]
    rows, kept = scatter(X, y, np.arange(60), 20_000, np.random.RandomState(0))
    within = sum(np.cov(X[y == k].T, bias=True) * 20 for k in range(3)) / 57
    assert_allclose(np.cov((rows - X[kept]).T), within, rtol=0.05)
    assert_allclose((rows - X[kept]).mean(axis=0), 0, atol=0.05)


def test_samples_that_do_not_count_scatter_nothing():
    X = np.array([[0.0], [1.0], [5.0], [6.0], [1000.0]])
    rows, kept = scatter(X, np.array([0, 0, 1, 1, 1]), np.arange(4), 200, np.random.RandomState(0))
    assert set(kept) == {0, 1, 2, 3}
    assert np.abs(rows).max() < 20


def test_classes_of_one_sample_each_are_repeated():
    X = np.array([[0.0, 1.0], [2.0, 5.0]])
    rows, kept = scatter(X, np.array(["a", "b"]), np.arange(2), 10, np.random.RandomState(0))
    assert_array_equal(rows, X[kept])


def test_rows_cannot_be_scattered_without_labels_or_numbers(data):
    X, y = data
    with pytest.raises(InvalidParameterError, match="rows='swap'"):
        lesson(Teacher(forest(5), rows="scatter"), X, y)
    with pytest.raises(InvalidDataError, match="a table of numbers"):
        draw_rows(Teacher(None, rows="scatter"), pd.DataFrame({"a": ["x", "y"]}), y[:2], np.arange(2), None)


@pytest.mark.parametrize("made", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_values_come_from_samples_nearby(made):
    # Two groups far apart, and a column that is the same for all.
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1], 50)
    X = np.column_stack([rng.normal(size=(100, 2)) + 20 * group[:, None], np.ones(100)])
    used = np.arange(100)
    near, kept = draw_origins(Teacher(None, copies=20, swap=0.5, rows="near"), made(X), used, np.random.RandomState(0))
    assert (group[near] == group[kept][:, None]).all()
    assert (near != kept[:, None]).mean() == pytest.approx(0.5, abs=0.05)
    anyone, kept = draw_origins(Teacher(None, copies=20, swap=0.5), X, used, np.random.RandomState(0))
    assert (group[anyone] != group[kept][:, None]).mean() > 0.2


def test_nearness_counts_categories_and_passes_over_missing_values():
    n = 200
    kind = np.arange(n) % 2
    frame = pd.DataFrame(
        {
            "kind": np.where(kind, "x", "y"),
            "colour": pd.Categorical(np.where(kind, "red", None)),
            "size": np.where(np.arange(n) % 5, 1.0, np.nan),
            "infinite": np.where(np.arange(n) % 7, 0.0, np.inf),
        }
    )
    kept = np.arange(n)
    found = nearest(frame, kept, kept, np.random.RandomState(0))
    assert found.shape == (n, 5)
    assert (kind[found] == kind[kept][:, None]).all()


def test_samples_that_do_not_count_are_near_to_nobody():
    X = np.arange(10.0)[:, None]
    used = np.array([0, 1, 8, 9])
    assert set(nearest(X, used, used, np.random.RandomState(0)).ravel()) <= set(used)


@pytest.mark.parametrize(("copies", "most", "n_rows"), [(2, 100, 6), (50, 20, 20)])
def test_scattered_rows_come_after_the_samples_and_are_no_copies(copies, most, n_rows):
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1])
    teacher = Teacher(None, rows="scatter", copies=copies, most=most)
    table, kept, copied = draw_rows(teacher, X, y, np.array([0, 2, 3]), np.random.RandomState(0))
    assert_array_equal(table[:4], X)
    assert table.shape == (4 + n_rows, 2)
    assert set(kept) <= {0, 2, 3}
    assert copied.tolist() == [-1] * n_rows


def test_a_row_whose_cells_all_come_from_one_sample_is_its_copy():
    X = np.arange(60.0).reshape(20, 3)
    table, kept, copied = draw_rows(
        Teacher(None, copies=20, swap=0.3), X, np.zeros(20), np.arange(20), np.random.RandomState(0)
    )
    rows = table[20:]
    for made, origin in zip(rows, copied, strict=True):
        same = np.flatnonzero((made == X).all(axis=1))
        assert same.tolist() == ([] if origin < 0 else [origin])
    assert 0 < (copied >= 0).sum() < len(copied)
    assert len(kept) == len(copied) == 400


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_nearness_does_not_depend_on_the_units_of_a_column(scale):
    X = np.random.default_rng(0).normal(size=(80, 3))
    kept = np.arange(80)
    expected = nearest(X, kept, kept, np.random.RandomState(0))
    scaled = np.column_stack([scale * X[:, 0], X[:, 1] - 5, X[:, 2] / scale])
    found = nearest(scaled, kept, kept, np.random.RandomState(0))
    assert (np.sort(found, axis=1) == np.sort(expected, axis=1)).mean() > 0.99
