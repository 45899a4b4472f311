"""Numbers are the same doubles in every database; what a database cannot hold is refused."""

import math
from decimal import Decimal

import pytest
from databases import DOUBLE
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hedgerow import InvalidDataError
from hedgerow.exporters.sql.dialects import DIALECTS


@given(number=st.floats(allow_nan=False))
@example(number=0.1)
@example(number=5438.480737149785)  # SQLite 3.40 reads the next number
@example(number=5e-324)
@example(number=-1.7976931348623157e308)
@example(number=123456789012345678.0)
@example(number=math.inf)
@settings(max_examples=100, deadline=None)
def test_numbers_are_read_back_bit_by_bit(database, number):
    dialect = DIALECTS[database.dialect]
    written = [write(number + 0.0).sql(dialect=database.dialect) for write in (dialect.number, dialect.result)]
    ((compared, result),) = database.ask(f"SELECT CAST({written[0]} AS {DOUBLE[database.dialect]}), {written[1]}")
    assert compared == result == number
    assert type(result) is float


@given(number=st.floats(allow_nan=False, allow_infinity=False))
@example(number=0.1)
@example(number=2.0**60)
@example(number=-5e-324)
@settings(deadline=None)
def test_sqlite_needs_to_round_no_decimal(number):
    """Every decimal that is written is a double, so that even a sloppy parser reads it exactly."""
    written = DIALECTS["sqlite"].number(number + 0.0).sql(dialect="sqlite")
    for part in written.replace("-", "").replace("*", "/").split("/"):
        assert Decimal(part.strip()) == Decimal(float(part))
    assert eval(written) == number  # multiplying by powers of two is exact in Python, too


@pytest.mark.parametrize(
    ("dialect", "names", "twins"),
    [
        ("postgres", ["a", "A"], None),
        ("postgres", ["a", "b", "a"], ("a", "a")),
        ("sqlite", ["a", "b", "A"], ("a", "A")),
        ("duckdb", ["STRASSE", "straße"], ("STRASSE", "straße")),
        ("bigquery", ["a", "b"], None),
    ],
)
def test_names_that_are_the_same_to_a_database_are_found(dialect, names, twins):
    assert DIALECTS[dialect].twins(names) == twins


def test_quotes_in_names_and_strings_stay(database):
    dialect, odd = DIALECTS[database.dialect], """it's "odd" \\ ü"""
    written = [one.sql(dialect=database.dialect) for one in (dialect.text(odd), dialect.name(odd))]
    assert database.ask(f"SELECT {written[1]} FROM (SELECT {written[0]} AS {written[1]}) AS t") == [(odd,)]


@pytest.mark.parametrize("odd", ["a\0b", "\ud800"], ids=["null", "surrogate"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_characters_that_no_database_stores_are_refused(dialect, odd):
    for write in (DIALECTS[dialect].text, DIALECTS[dialect].name):
        with pytest.raises(InvalidDataError, match=r"characters.*columns="):
            write(odd)


def test_a_column_without_a_name_is_refused():
    with pytest.raises(InvalidDataError, match="needs a name"):
        DIALECTS["duckdb"].name("")


def test_without_sqlglot_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sqlglot.expressions", None)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[sql\]'"):
        DIALECTS["sqlite"].number(1.0)
