"""One row per column says what it is, what is done with it, and why."""

import numpy as np
import pandas as pd
import pytest
from small_tables import codes

from hedgerow import InvalidDataError
from hedgerow.features import Notation
from hedgerow.tables.summary import TableSummary, summarize
from hedgerow.tables.table import Table

N = 60


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"nr": np.arange(1, N + 1), "age": rng.normal(40, 9, N), "n": rng.integers(1, 5, N)})
    frame["color"] = pd.Series(rng.choice(["red", "blue", None], N), dtype=object)
    frame["name"] = pd.Series([f"person {i}" for i in range(N)], dtype=object)
    frame["day"] = pd.Series(["2020-12-31", "2021-01-01"] * (N // 2), dtype=object)
    frame["same"], frame["nothing"], frame["w"] = 3, None, 1.0
    frame["y"] = pd.Series(["no", "yes"] * (N // 2), dtype=object)
    return frame


def test_every_column_has_a_type_and_a_role(frame):
    summary = summarize(frame, "y", weight="w", drop=["n"])
    assert isinstance(summary, TableSummary)
    assert [(column.name, column.type, column.role) for column in summary] == [
        ("nr", "integers", "left out"),
        ("age", "numbers", "used"),
        ("n", "integers", "dropped"),
        ("color", "strings", "used"),
        ("name", "strings", "left out"),
        ("day", "dates", "left out"),
        ("same", "integers", "left out"),
        ("nothing", "empty", "left out"),
        ("w", "integers", "weight"),
        ("y", "strings", "target"),
    ]
    assert summary.used == ["age", "color"]
    assert summary.identifiers == ["nr"]
    assert {name: why.split()[-1] for name, why in summary.left_out.items()} == {
        "nr": "number",
        "name": "row",
        "day": "for",
        "same": "row",
        "nothing": "empty",
    }


def test_missing_and_distinct_values_are_counted(frame):
    color = next(column for column in summarize(frame) if column.name == "color")
    assert color.n_missing == frame["color"].isna().sum()
    assert color.n_distinct == 2
    assert set(color.examples) == {"red", "blue"}


def test_the_text_has_a_line_per_column(frame):
    lines = summarize(frame, "y").to_text().splitlines()
    assert len(lines) == 1 + frame.shape[1]
    assert lines[0].split() == ["column", "type", "examples", "missing", "distinct", "use"]
    assert lines[1].split()[:2] == ["nr", "integers"]
    assert lines[1].endswith("left out: it looks like a row number")


def test_a_wide_table_shows_what_is_special_and_counts_the_rest(frame):
    wide = pd.concat(
        [pd.DataFrame({f"x{i}": np.random.default_rng(i).normal(size=N) for i in range(100)}), frame], axis=1
    )
    lines = summarize(wide, "y").to_text().splitlines()
    assert len(lines) == 42
    assert lines[-1] == "and 70 more columns, of which 70 are used"
    assert any(line.startswith("nothing ") for line in lines)


def test_columns_can_be_kept_if_they_can_be_used(frame):
    assert "nr" in summarize(frame, "y", keep=["nr"]).used
    for name in ("nothing", "name"):
        with pytest.raises(InvalidDataError, match=f"{name!r} cannot be kept: it") as refused:
            summarize(frame, "y", keep=[name])
        assert refused.value.parameter == "keep"
    with pytest.raises(InvalidDataError, match="no column 'nrr'"):
        summarize(frame, "y", keep=["nrr"])


def test_a_row_number_is_used_if_there_is_nothing_else(frame):
    assert summarize(frame[["nr", "y"]], "y").used == ["nr"]


def test_many_categories_and_leading_zeros_are_told():
    rng = np.random.default_rng(0)
    many = pd.Series([f"c{i}" for i in rng.integers(0, 200, 4000)], dtype=object)
    (column,) = summarize(pd.DataFrame({"many": many}))
    assert column.why == "30 of 200 strings are told apart, the others count as one"
    zips = next(column for column in summarize(codes()) if column.name == "zip")
    assert zips.why == "as strings, because some numbers have leading zeros"


def test_a_model_decides_what_is_used(frame):
    summary = summarize(frame, "y", only=["age", "nr"])
    assert summary.used == ["nr", "age"]
    assert summary.left_out["color"] == "the model does not use it"


def test_notations_are_shown_where_they_are_not_plain():
    notations = {"x": Notation(decimal=",", thousands=".", affixes=("€",)), "z": Notation(thousands=" ")}
    summary = summarize(Table(pd.DataFrame({"x": [1.5, 2.5], "z": [1, 2000]}), notations))
    assert [column.type for column in summary] == ["numbers (decimal ,; thousands .; €)", "integers (thousands blank)"]


def test_examples_are_shown_so_that_they_can_be_told_apart():
    times = [f"2023-06-{day:02}T23:05:00Z" for day in range(1, 29)]
    frame = pd.DataFrame(
        {"at": [*times, "n/a"], "day": [20230618.0, 20230619.5] * 14 + [0], "c": ["Y ", "Y"] * 14 + ["N"]}
    )
    at, day, c = summarize(frame, dates=True).to_text().splitlines()[1:]
    assert "2023-06-01T23:05:00Z, 2023-06-02T23:05:00Z  1 (3 %)" in at
    assert "20230618, 2.02306e+07, 0" in day
    assert "'Y ', Y, N" in c
