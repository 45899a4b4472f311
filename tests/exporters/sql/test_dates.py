"""Databases find the same date in a cell as Python does, and none where Python finds none."""

import math

import pandas as pd
import pytest
import sqlglot
from date_lists import FORMATS, date_list, dates, strings

from hedgerow import InvalidDataError
from hedgerow.exporters.sql.dates import DateCell
from hedgerow.exporters.sql.dialects import DIALECTS, exp
from hedgerow.features.dates import PARTS, DateReading


def numbers(database, reading, cells, kind):
    database.fill(["i", "x"], ["INTEGER", kind], list(enumerate(cells)))
    column = exp.column(DIALECTS[database.dialect].name("x"))
    sql = DateCell(database.dialect, reading).value(column).sql(dialect=database.dialect)
    return [value for (value,) in database.ask(f"SELECT {sql} FROM t ORDER BY i")]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("form", FORMATS)
def test_strings_are_dates_to_a_database_if_they_are_to_python(database, form, part):
    reading, cells = DateReading(part, form, "2020-02-29"), strings(form)
    expected = [None if math.isnan(number) else number for number in reading.numbers(cells)]
    assert numbers(database, reading, cells, "TEXT") == expected


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP"])
def test_columns_of_dates_are_read_too(database, part, kind):
    reading = DateReading(part, first="2020-02-29")
    cells = [str(day) for day in dates()] if database.dialect == "sqlite" else dates()
    assert numbers(database, reading, [*cells, None], kind) == [*reading.numbers(dates()), None]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("table", ["t", None])
def test_a_list_on_dates_predicts_alike_on_raw_strings(database, form, table):
    rules, cells = date_list(form), strings(form)
    database.fill(["i", "day"], ["INTEGER", "TEXT"], list(enumerate(cells)))
    sql = rules.to_sql(database.dialect, table=table, alias="said")
    query = f"SELECT said FROM ({sql}) AS s ORDER BY i" if table else f"SELECT {sql} FROM t ORDER BY i"
    expected = rules.predict(pd.DataFrame({"day": pd.Series(cells, dtype=object)}))
    assert [value for (value,) in database.ask(query)] == expected.tolist()
    assert sql.startswith("/* Load these columns as text: day */") is (form != "%Y-%m-%d")


def test_bigquery_gets_valid_sql():
    for form in FORMATS:
        sql = date_list(form).to_sql("bigquery", table="t")
        assert sqlglot.parse_one(sql, read="bigquery").sql(dialect="bigquery", pretty=True) in sql
        assert "SAFE_CAST" in sql


@pytest.mark.parametrize("form", ["%-d.%-m.%Y", "%d.%m.%y"])
def test_formats_of_no_fixed_width_are_refused_with_the_way_out(form):
    with pytest.raises(InvalidDataError, match=r"four digits for the year .* Write them as 2020-12-31") as caught:
        date_list(form).to_sql("duckdb")
    assert "%" not in str(caught.value)


def test_a_type_that_loses_what_is_written_is_refused(database):
    if database.dialect == "sqlite":
        pytest.skip("SQLite does not guess types")
    for form, kind in (("%Y-%m-%d%z", "TIMESTAMP WITH TIME ZONE"), ("%d.%m.%Y", "DATE")):
        with pytest.raises(Exception, match=r"(?i)trim"):
            numbers(database, DateReading("year", form), [None], kind)
