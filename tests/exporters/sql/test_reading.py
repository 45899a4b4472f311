"""Real databases read a cell as the same value as Python does: from strings, and from what they guess of these."""

import math
import random
import re

import numpy as np
import pandas as pd
import pytest
from databases import DOUBLE, in_memory

from hedgerow import Condition, Rule, RuleList
from hedgerow.exporters.sql.dialects import DIALECTS, exp
from hedgerow.exporters.sql.reading import Reading
from hedgerow.features import Category, Column, Inputs, Notation

ODD = """NA|N/A|null|None|?|-|.|+|e5|1e|1e+|5.|.5|+5|--5|+-5|0x1A|1_000|1e1_0|inf|-inf|Infinity|nan|-nan|1,5|1 2
1.2.3|true|t|1f|1d|007|-0|1E5|½|²|٣|１２|'1'|0b1|-999|-999.0|-9.99e2|(1)|−5|1e5.5|1.e5|.e5|00|$1|$ 1,234.50|12 %|12%
9007199254740993|123456789012345678901234567890|2020-01-02|1.234,5 €|1.234|1,234|1 234,5|12:30|Total|#N/A|1-|- 5"""
ODD = [
    *ODD.replace("\n", "|").split("|"),
    "",
    " ",
    "\t1\n",
    "\v1\f",
    "1\u00a0",
    "\u00a01",
    "1\u00a0234,5",
    "1\x1c",
    "1\x85",
]
NOTATIONS = {
    "plain": Notation(),
    "a sentinel": Notation(missing=("-999", "NA", "5")),
    "decimal commas": Notation(decimal=","),
    "European": Notation(decimal=",", thousands=".", affixes=("€",)),
    "dollars": Notation(thousands=",", affixes=("$", "%")),
    "wide blanks": Notation(decimal=",", thousands="\u00a0"),
    "blanks": Notation(decimal=",", thousands=" "),
    "apostrophes": Notation(thousands="'"),
}


def written(n=2000):
    """Return cells of all kinds: odd ones, and random strings of what numbers are made of."""
    rng, signs = random.Random(0), "0123456789" * 2 + "..,," + "eE+-" * 2 + " _\t\n€$%\u00a0xnaif"
    drawn = ["".join(rng.choice(signs) for _ in range(rng.randint(1, 7))) for _ in range(n)]
    parts = [
        "",
        "0",
        "1",
        "12",
        "123",
        "1234",
        *["000", "234"] * 2,
        *",.,.' \u00a0\u00a0",
        "-",
        "+",
        "e5",
        "€",
        " ",
        "\t",
    ]
    drawn += ["".join(rng.choice(parts) for _ in range(rng.randint(2, 7))) for _ in range(n)]
    for thousands, decimal in (",.", ".,", "\u00a0,", " ,", "'."):
        groups = (f"{rng.randint(-(10**12), 10 ** rng.randint(1, 20)):,}" for _ in range(n // 40))
        drawn += [f"{whole.replace(',', thousands)}{decimal}{rng.randint(0, 10**6)}" for whole in groups]
    # PostgreSQL refuses numbers that no double is near, with an error.
    return [cell for cell in dict.fromkeys([*ODD, *drawn]) if not re.search("[eE]([^0-9]*[0-9]){3}", cell)]


def values(database, reading, cells, kind):
    """Return what a database reads in a column of this type."""
    column = exp.column(DIALECTS[database.dialect].name("x"), table=DIALECTS[database.dialect].name("t"))
    database.fill(["i", "x"], ["INTEGER", kind], list(enumerate(cells)))
    sql = reading.value(column).sql(dialect=database.dialect)
    return [value for (value,) in database.ask(f"SELECT {sql} FROM t ORDER BY i")]


def or_none(number):
    return None if math.isnan(number) else number


@pytest.mark.parametrize("name", NOTATIONS)
def test_a_string_is_a_number_to_a_database_if_it_is_one_to_python(database, name):
    notation, cells = NOTATIONS[name], [*written(), None]
    found = values(database, Reading(DIALECTS[database.dialect], "number", notation), cells, "TEXT")
    for cell, value in zip(cells, found, strict=True):
        assert value == or_none(notation.number(cell)), repr(cell)


@pytest.mark.parametrize("name", ["plain", "a sentinel", "dollars", "decimal commas"])
def test_numbers_in_columns_of_numbers_are_read_to_the_last_digit(database, name):
    notation, rng = NOTATIONS[name], np.random.default_rng(0)
    doubles = [*(rng.normal(size=300) * 10.0 ** rng.integers(-20, 20, 300)).tolist(), -999.0, 0.1, 5.0, None]
    wholes = [*rng.integers(-(2**62), 2**62, 100).tolist(), -999, 2**53 + 1, 5, 0, None]
    reading = Reading(DIALECTS[database.dialect], "number", notation)
    for cells, kind in ((doubles, DOUBLE[database.dialect]), (wholes, "BIGINT")):
        assert values(database, reading, cells, kind) == [or_none(notation.number(cell)) for cell in cells]


def test_sqlite_reads_cells_of_any_type_in_columns_of_any_type():
    lite, _ = in_memory()
    cells = [*written(300), *(cell for cell in (1, -999, 0.1, 2**53 + 1, 1e300, None))]
    for notation in (NOTATIONS["plain"], NOTATIONS["dollars"]):
        reading = Reading(DIALECTS["sqlite"], "number", notation)
        for kind in ("", "TEXT", "REAL", "NUMERIC", "INTEGER", "BLOB"):
            assert values(lite, reading, cells, kind) == [or_none(notation.number(cell)) for cell in cells]


def test_not_a_number_and_infinity_are_missing_where_databases_hold_them(database):
    reading = Reading(DIALECTS[database.dialect], "number", Notation())
    found = values(database, reading, [math.nan, 1.0], DOUBLE[database.dialect])
    assert found == [None, 1.0]


def test_strings_are_as_written_and_marks_are_null(database):
    cells, notation = ["", " ", "NA", "na", "red ", "it's", None], Notation("text", missing=("NA", "it's"))
    reading = Reading(DIALECTS[database.dialect], "text", notation, frozenset({"red "}))
    assert values(database, reading, cells, "TEXT") == [None, " ", None, "na", "red ", None, None]


@pytest.mark.parametrize("words", [("True", "False"), ("yes", "no"), ("TRUE", "FALSE"), ("true", "false"), ("T", "F")])
def test_booleans_that_a_database_guesses_are_spelled_as_in_the_file(database, words):
    reading = Reading(DIALECTS[database.dialect], "text", Notation("text"), frozenset(words))
    assert not reading.needs_text
    assert values(database, reading, [*words, "", "tRUE", None], "TEXT") == [*words, None, "tRUE", None]
    if database.dialect != "sqlite":
        assert values(database, reading, [True, False, None], "BOOLEAN") == [*words, None]


@pytest.mark.parametrize(
    ("kind", "notation", "known", "needs_text"),
    [
        ("number", Notation(thousands=".", decimal=","), (), True),
        ("number", Notation(thousands=" ", decimal=","), (), True),
        ("number", Notation(thousands=","), (), False),
        ("text", Notation("text"), ("007", "012"), True),
        ("text", Notation("text"), ("12:30", "08:00"), True),
        ("text", Notation("text"), ("2020-01-02",), True),
        ("text", Notation("text"), ("007", "red"), False),
        ("text", Notation("text"), ("E", "T"), False),
        ("text", Notation("text"), ("True", "TRUE"), True),
        ("text", Notation("text"), (), False),
    ],
)
def test_a_column_needs_strings_where_a_guessed_type_loses_something(kind, notation, known, needs_text):
    assert Reading(DIALECTS["duckdb"], kind, notation, frozenset(known)).needs_text is needs_text


X, ZIP = Column(0, "price"), Category(1, "zip", ("007", "012"))
GERMAN = RuleList(
    (
        Rule((Condition(X, upper=1000.0), Condition(ZIP, categories=frozenset({0}))), 1.0),
        Rule((Condition(X, lower=1000.0, missing=True),), 2.0),
    ),
    Rule((), 0.0),
    Inputs((X, ZIP), np.float64, True, notations=((0, NOTATIONS["European"]), (1, Notation("text", missing=("NA",))))),
)


@pytest.mark.parametrize("table", ["t", None])
def test_a_list_with_notations_predicts_alike_on_raw_strings(database, table):
    rows = [("1.234,5 €", "007"), ("7", "007"), ("0,5", "7"), ("n/a", "NA"), ("", ""), ("12", "012"), (None, None)]
    database.fill(["price", "zip"], ["TEXT", "TEXT"], rows)
    sql = GERMAN.to_sql(database.dialect, table=table)
    said = [row[-1] for row in database.ask(sql if table else f"SELECT {sql} FROM t")]
    assert said == GERMAN.predict(pd.DataFrame(rows, columns=["price", "zip"])).tolist()
    assert sql.splitlines()[0] == "/* Load these columns as text: price, zip */"


def test_a_guess_that_loses_something_is_refused_by_the_database(server):
    _, duck = in_memory()
    for database in (duck, server):
        for kinds, row in (([DOUBLE[database.dialect], "TEXT"], (1.234, "007")), (["TEXT", "INTEGER"], ("1", 7))):
            database.fill(["price", "zip"], kinds, [row])
            with pytest.raises(Exception, match=r"(?i)replace|convert|invalid input"):
                database.ask(GERMAN.to_sql(database.dialect, table="t"))


def test_sqlite_does_not_take_strings_for_zero_even_without_notations():
    lite, _ = in_memory()
    below = RuleList((Rule((Condition(X, upper=1.0),), 1.0),), Rule((), 0.0), Inputs((X,), np.float64, True))
    lite.fill(["price"], ["TEXT"], [("0.5",), ("",), ("NA",), (" 2 ",), ("-1",)])
    assert [said for _, said in lite.ask(below.to_sql("sqlite", table="t"))] == [1.0, 0.0, 0.0, 0.0, 1.0]


def test_bigquery_means_the_same():
    import sqlglot

    _, duck = in_memory()
    cells = written(300)
    for notation in NOTATIONS.values():
        sql = Reading(DIALECTS["bigquery"], "number", notation).value(exp.column("x")).sql(dialect="bigquery")
        assert "SAFE_CAST" in sql
        assert "REGEXP_CONTAINS" in sql
        (again,) = sqlglot.transpile(sql, read="bigquery", write="duckdb")
        duck.fill(["i", "x"], ["INTEGER", "TEXT"], list(enumerate(cells)))
        found = [value for (value,) in duck.ask(f"SELECT {again} FROM t ORDER BY i")]
        assert found == [or_none(notation.number(cell)) for cell in cells]


def test_a_value_that_is_read_is_called_like_its_column_unless_that_is_ambiguous():
    lists = RuleList(
        (Rule((Condition(Column(0, "a"), upper=1.0), Condition(Column(1, "a as number"), upper=1.0)), 1.0),),
        Rule((), 0.0),
        Inputs((Column(0, "a"), Column(1, "a as number")), notations=((0, Notation()), (1, Notation()))),
    )
    _, duck = in_memory()
    duck.fill(["a", "A as number"], ["TEXT", "TEXT"], [("0.5", "1"), ("0.5", "2"), ("x", "1")])
    assert [said for (said,) in duck.ask(f"SELECT {lists.to_sql('duckdb')} FROM t")] == [1.0, 0.0, None]
    assert 'END AS "a"' in lists.to_sql("duckdb", table="t")
    assert 'END AS "a"' in lists.to_sql("postgres")
