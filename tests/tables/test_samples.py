"""A table becomes training samples and held-out samples."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from small_tables import table

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.features import Notation
from hedgerow.readers import read_forest
from hedgerow.tables.samples import Source, read_samples


@pytest.fixture
def path(tmp_path):
    """Forty rows: a number, a string, a weight, and a label that one row does not have."""
    frame = pd.DataFrame({"x": np.arange(40), "c": ["a", "b"] * 20, "w": np.arange(40) % 3, "y": ["p", "q"] * 20})
    frame.loc[7, "y"] = None
    frame.to_csv(tmp_path / "table.csv", index=False)
    return tmp_path / "table.csv"


def test_rows_are_split_once_and_classes_are_in_both_parts(path):
    samples = read_samples(Source(path, "y", "w", ["c"], test_size=0.25, seed=3))
    assert (len(samples.y), len(samples.y_test)) == (29, 10)
    assert sorted([*samples.X["x"], *samples.X_test["x"]]) == [i for i in range(40) if i != 7]
    assert set(samples.y) == set(samples.y_test) == {"p", "q"}
    np.testing.assert_array_equal(samples.weight, samples.X["x"] % 3)
    np.testing.assert_array_equal(samples.weight_test, samples.X_test["x"] % 3)
    assert list(samples.X.columns) == ["x"]
    assert [note.text for note in samples.notes] == [
        "classification: the target has 2 distinct strings",
        "1 of 40 rows has no target and is left out",
        "classes of y: p (20 rows), q (19 rows)",
    ]


def test_the_seed_decides_which_rows_are_held_out(path):
    first, again, other = (
        read_samples(Source(path, "y", keep=["x"], seed=seed)).X_test["x"].tolist() for seed in (0, 0, 1)
    )
    assert first == again != other


def test_nothing_is_held_out_on_request(path):
    samples = read_samples(Source(path, "y", test_size=0.0))
    assert len(samples.y) == 39
    assert samples.X_test is samples.y_test is samples.weight_test is None


def test_too_few_rows_name_the_parameter(tmp_path):
    (tmp_path / "small.csv").write_text("x,y\n1,p\n2,q\n3,p\n")
    with pytest.raises(InvalidDataError, match="3 rows are too few to hold out 2") as refused:
        read_samples(Source(tmp_path / "small.csv", "y", test_size=0.6))
    assert refused.value.parameter == "test_size"


@pytest.mark.parametrize("roles", [("y", "y"), ("y", None, ["y"]), ("y", "w", ["c", "w"])])
def test_a_column_has_one_role(roles):
    with pytest.raises(InvalidParameterError, match="has two roles"):
        Source(Path("table.csv"), *roles)
    source = Source(Path("table.csv"), "y", "w", ["c", "c"])
    assert source.taken == {"y": "the target", "w": "the weight", "c": "dropped"}


def test_a_trained_model_determines_the_columns_and_the_labels(tmp_path):
    (tmp_path / "codes.csv").write_text("more,b,a,y\n9,2,1,007\n8,4,3,012\n7,6,5,007\n")
    known = pd.DataFrame({"a": [0, 1, 2], "b": [2, 1, 0]})
    forest = read_forest(RandomForestClassifier(1, random_state=0).fit(known, [7, 12, 7]))
    samples = read_samples(Source(tmp_path / "codes.csv", "y", test_size=0), forest)
    assert samples.X.to_numpy().tolist() == [[1, 2], [3, 4], [5, 6]]
    assert samples.y.tolist() == [7, 12, 7]


def test_what_was_read_and_what_is_doubtful_is_told(tmp_path):
    rows = [f"{i},{i % 7},{i / 8:.3f} %,{'ja' if i % 2 else 'nein '}" for i in range(1, 60)]
    (tmp_path / "table.csv").write_text("\n".join(["nr,a,share,y", *rows, "Total,x,,NA", ""]))
    samples = read_samples(Source(tmp_path / "table.csv", "y", test_size=0.25))
    assert list(samples.X.columns) == ["a", "share"]
    assert samples.notations["share"] == Notation(affixes=("%",))
    assert set(samples.y) == {"ja", "nein"}
    assert samples.summary.identifiers == ["nr"]
    assert [note.text for note in samples.notes] == [
        "59 of 60 values of nr are numbers; the other (Total) is read as missing",
        "59 of 60 values of a are numbers; the other (x) is read as missing",
        "classification: the target has 2 distinct strings",
        "blanks at the ends of labels are ignored: 'nein '",
        "the target NA is read as missing",
        "1 of 60 rows has no target and is left out",
        "classes of y: ja (30 rows), nein (29 rows)",
    ]
    assert [(note.parameter, note.values) for note in samples.warnings] == [("keep", ("nr",))]
    kept = read_samples(Source(tmp_path / "table.csv", "y", keep=["nr"]))
    assert (list(kept.X.columns), kept.warnings) == (["nr", "a", "share"], [])


def test_a_column_that_tells_the_target_is_warned_of(tmp_path):
    frame = pd.DataFrame({"x": np.random.default_rng(0).normal(size=80), "y": ["p", "q"] * 40})
    frame.assign(later=(frame["y"] == "p") * 2.5).to_csv(tmp_path / "table.csv", index=False)
    (warning,) = read_samples(Source(tmp_path / "table.csv", "y")).warnings
    assert (
        warning.text == "column later alone predicts the target in 100 % of the rows; it may be known only afterwards"
    )
    assert (warning.parameter, warning.values) == ("drop", ("later",))


def test_dates_are_used_if_asked_for(tmp_path):
    days = pd.Series(pd.date_range("2020-01-01", periods=40)).dt.strftime("%d.%m.%Y")
    table(40).drop(columns="z").assign(day=days).to_csv(tmp_path / "table.csv", index=False)
    left_out, used = (read_samples(Source(tmp_path / "table.csv", "y", dates=dates)) for dates in (False, True))
    assert "day" not in left_out.X
    assert str(left_out.notes[-1]).endswith(
        "day is left out: it contains dates (dates to use year, month, weekday and day)"
    )
    assert used.X["day"].isin(days).all()
    assert "dates" not in str(used.notes[-1])
    assert next(column.why for column in used.summary if column.name == "day").startswith("as year, month")


def test_strays_among_dates_are_missing_and_told(tmp_path):
    days = pd.Series(pd.date_range("2020-01-01", periods=240)).dt.strftime("%Y-%m-%d").copy()
    days[[19, 57]] = "0000-00-00"
    table(240).assign(day=days).to_csv(tmp_path / "table.csv", index=False)
    samples = read_samples(Source(tmp_path / "table.csv", "y", dates=True, test_size=0.0))
    said = "238 of 240 values of day are dates; the others (0000-00-00) are read as missing"
    assert [note.text for note in samples.notes if note.column == "day"] == [said]
    assert samples.X["day"].isna().sum() == 2
    assert next(column.n_missing for column in samples.summary if column.name == "day") == 2


def test_dates_that_are_asked_for_in_vain_are_told(tmp_path):
    table(40).to_csv(tmp_path / "table.csv", index=False)
    asked, other = (read_samples(Source(tmp_path / "table.csv", "y", dates=dates)) for dates in (True, False))
    assert [note.text for note in asked.notes if note not in other.notes] == [
        "no column contains dates, though they are asked for; all columns are used as they are"
    ]
