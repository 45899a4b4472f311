"""SQL answers as the rule list does, in real databases, row by row."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from databases import DOUBLE, in_memory, postgres
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rule_lists import TABLE_KINDS, make
from table_lists import cells, drawn_table_lists, expected, hashed, is_text, probes

from hedgerow import Condition, HedgerowError, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.exporters.sql.dialects import DIALECTS
from hedgerow.features import Category, Column, ColumnWithGap, Inputs, WholeCategory

A, B = Column(0, "a"), Column(1, "b")
LIST = RuleList(
    rules=(
        Rule((Condition(A, upper=0.1),), "it's", 6, 0.6, (0.25, 0.75)),
        Rule((Condition(A, lower=0.1), Condition(B, lower=3, missing=True)), "no", 4, 0.4, (1.0, 0.0)),
    ),
    default=Rule((), "no", distribution=(0.45, 0.55)),
    inputs=Inputs((A, B), np.float32, allows_missing=True),
    classes=np.array(["no", "it's"]),
    n_samples=10,
)
FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@cache
def databases():
    return in_memory()


def columns_of(rules):
    """Return the names of the columns, or others if no database takes them."""
    names = rules.inputs.names
    is_sound = "\0" not in "".join(names) and all(names) and len({name.casefold() for name in names}) == len(names)
    if is_sound and not any("\ud800" <= letter <= "\udfff" for name in names for letter in name):
        return names
    return [f"column {i}" for i in range(len(names))]


def wanted(rules, rows):
    """Return what the list itself says of rows, by what SQL can return; None for rows that it refuses."""
    fired = expected(rules, rows, RuleList.apply)
    taken = np.array([one is not None for one in fired])
    asked = {"rule": rules.apply, "prediction": rules.predict}
    if rules.classes is not None:
        asked["probability"] = lambda rows: rules.predict_proba(rows)[:, -1]
    answers = {}
    for kind, ask in asked.items():
        said = iter(ask(rows[taken]).tolist())
        answers[kind] = [next(said) if is_taken else None for is_taken in taken]
    return answers


def check(databases, rules, rows):
    """Ask databases about rows, and compare with what the list says."""
    columns, answers = columns_of(rules), wanted(rules, rows)
    last = None if rules.classes is None else rules.classes.tolist()[-1]
    for database in databases:
        types = ["TEXT" if is_text(rules, i) else DOUBLE[database.dialect] for i in range(len(columns))]
        database.fill(columns, types, cells(rows))
        for kind, theirs in answers.items():
            label = last if kind == "probability" else None
            sql = rules.to_sql(database.dialect, columns=columns, returns=kind, label=label)
            said = [answer for (answer,) in database.ask(f"SELECT {sql} FROM t")]
            for row, mine, answer in zip(cells(rows), said, theirs, strict=True):
                assert mine == answer, f"{kind} of {row} in {database.dialect}: {mine!r} instead of {answer!r}"


@pytest.mark.parametrize("fill", [1.0, -1.0, 0.0])
def test_an_empty_cell_that_is_filled_is_answered_as_the_number_it_is_filled_with(fill):
    column = ColumnWithGap(0, "c", lowest=0.0, highest=0.0, fill=fill)
    rules = (Rule((Condition(column, lower=0.5),), 1.0), Rule((Condition(column, upper=0.5),), 2.0))
    check(databases(), RuleList(rules, Rule((), 3.0), Inputs((column,))), pd.DataFrame({"c": [np.nan, 2.0, -2.0, 0.0]}))


@given(drawn_table_lists())
@FEW
def test_drawn_lists_answer_alike_on_thresholds_and_beside(rules):
    check(databases(), rules, probes(rules))


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_lists_of_every_library_answer_alike(kind):
    rules, X = make(kind, False)
    check(databases(), rules, probes(rules))
    check(databases(), rules, pd.DataFrame(X).set_axis(rules.inputs.names, axis=1))


@given(st.floats(allow_nan=False))
@example(0.1)
@example(5438.480737149785)  # SQLite 3.40 reads the next number
@example(5e-324)
@example(-1.7976931348623157e308)
@example(123456789012345678.0)
@example(math.inf)
@settings(max_examples=200, deadline=None)
def test_numbers_are_read_back_bit_by_bit(number):
    for database in databases():
        check_number(database, number)


def check_number(database, number):
    dialect = DIALECTS[database.dialect]
    written = [write(number + 0.0).sql(dialect=database.dialect) for write in (dialect.number, dialect.result)]
    ((compared, result),) = database.ask(f"SELECT CAST({written[0]} AS {DOUBLE[database.dialect]}), {written[1]}")
    assert compared == result == number
    assert type(result) is float


def check_whole_numbers(database):
    """Whole numbers that doubles do not hold are compared as doubles, as numpy does."""
    column = Column(0, "n")
    values = [2**53 + k for k in range(-2, 5)] + [2**62 + 1, -(2**53) - 1, 0, None]
    for threshold in (2.0**53, 2.0**53 + 2, 2.0**62):
        rules = RuleList(
            (Rule((Condition(column, upper=threshold),), 1.0),),
            Rule((), 0.0),
            Inputs((column,), np.float64, allows_missing=True),
        )
        database.fill(["n"], ["BIGINT"], [(value,) for value in values])
        said = [answer for (answer,) in database.ask(f"SELECT {rules.to_sql(database.dialect)} FROM t")]
        assert said == [0.0 if value is None else float(float(value) <= threshold) for value in values]


def check_truth_values(database):
    flag, kind = Column(0, "is it"), Category(1, "kind", (False, True))
    for missing in (False, True):
        rules = RuleList(
            (
                Rule((Condition(flag, upper=0.5, missing=missing), Condition(kind, categories=frozenset({1}))), 1.0),
                Rule((Condition(flag, lower=0.5, missing=missing),), 2.0),
                Rule((Condition(kind, categories=frozenset({0}), missing=missing),), 3.0),
            ),
            Rule((), 4.0),
            Inputs((flag, kind), np.float64, allows_missing=True),
        )
        rows = [(a, b) for a in (False, True, None) for b in (False, True, None)]
        database.fill(["is it", "kind"], ["BOOLEAN", "BOOLEAN"], rows)
        sql = rules.to_sql(database.dialect, booleans=["is it"])
        said = [answer for (answer,) in database.ask(f"SELECT {sql} FROM t")]
        assert said == rules.predict(pd.DataFrame(rows, columns=["is it", "kind"], dtype=object)).tolist()


def check_select(database):
    rows = [(0.1, 1.0), (0.2, None), (0.2, 3.0)]
    database.fill(["a", 'b "c"'], [DOUBLE[database.dialect]] * 2, rows, table='my "table"')
    sql = LIST.to_sql(database.dialect, table='my "table"', columns=["a", 'b "c"'], alias="said")
    assert database.ask(sql) == [(0.1, 1.0, "no"), (0.2, None, "no"), (0.2, 3.0, "no")]
    assert database.ask(LIST.to_sql(database.dialect, table='my "table"', columns=["a", 'b "c"'], returns="rule")) == [
        (0.1, 1.0, -1),
        (0.2, None, 1),
        (0.2, 3.0, -1),
    ]


@pytest.mark.parametrize("check_one", [check_whole_numbers, check_truth_values, check_select])
def test_in_databases_without_a_server(check_one):
    for database in databases():
        check_one(database)


def test_postgres_answers_alike():
    with postgres() as database:

        @given(drawn_table_lists())
        @settings(FEW, max_examples=25)
        def answers_alike(rules):
            check([database], rules, probes(rules))

        @given(st.floats(allow_nan=False))
        @example(5e-324)
        @settings(max_examples=100, deadline=None)
        def reads_back(number):
            check_number(database, number)

        answers_alike()
        reads_back()
        for check_one in (check_whole_numbers, check_truth_values, check_select):
            check_one(database)
        for kind in ("random forest", "xgboost", "catboost", "pipeline"):
            rules, _ = make(kind, False)
            check([database], rules, probes(rules))


def test_bigquery_is_read_by_a_parser_and_means_the_same():
    import sqlglot

    database = databases()[1]
    for kind in ("random forest", "regression", "catboost", "pipeline", "lightgbm"):
        rules, X = make(kind, False)
        rows = pd.DataFrame(X).set_axis(rules.inputs.names, axis=1).dropna()
        database.fill(
            rows.columns, ["TEXT" if is_text(rules, i) else "DOUBLE" for i in range(rows.shape[1])], cells(rows)
        )
        sql = rules.to_sql("bigquery", table="t")
        (again,) = sqlglot.transpile(sql, read="bigquery", write="duckdb")
        said = [row[-1] if rules.classes is not None else float(row[-1]) for row in database.ask(again)]
        assert (
            said == pytest.approx(expected(rules, rows), rel=1e-15) if rules.classes is None else expected(rules, rows)
        )


def test_bigquery_looks_for_nan_which_there_compares_with_nothing():
    sql = " ".join(LIST.to_sql("bigquery").split())
    assert "WHEN CAST(`a` AS FLOAT64) <" in sql
    assert "OR IS_NAN(CAST(`b` AS FLOAT64)) OR `b` IS NULL" in sql


def test_text_says_the_rule_in_words():
    for database in databases():
        database.fill(["a", "b"], [DOUBLE[database.dialect]] * 2, [(0.05, 1.0), (0.2, 1.0)])
        said = database.ask(f"SELECT {LIST.to_sql(database.dialect, returns='text')} FROM t")
        assert said == [("if a <= 0.1 then it's (75 %)",), ("otherwise no (55 %)",)]


def test_with_a_fallback_the_rule_can_still_be_asked_for():
    rules, X = make("random forest", True)
    database = databases()[0]
    database.fill(X.columns, ["REAL"] * X.shape[1], cells(X))
    said = database.ask(f"SELECT {rules.to_sql('sqlite', returns='rule')} FROM t")
    assert [one for (one,) in said] == rules.apply(X).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": "oracle"}, "postgres, sqlite, duckdb, bigquery"),
        ({"returns": "answer"}, "prediction, rule, text, probability"),
        ({"returns": "probability", "label": "maybe"}, r"label.*\['no', \"it's\"\]"),
        ({"label": "no"}, "Leave label out"),
        ({"columns": ["a"]}, "2 names"),
        ({"columns": ["a", "a"]}, "Two columns.*columns="),
        ({"columns": ["a", "A"], "dialect": "duckdb"}, "Two columns"),
        ({"columns": ["a", ""]}, "needs a name"),
        ({"columns": ["a", "b\0"]}, "characters"),
        ({"booleans": ["c"]}, "'c' is not one of them"),
        ({"table": ["a", "b", "c", "d"]}, "catalog"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(HedgerowError, match=message):
        LIST.to_sql(**options)


def test_a_comment_cannot_end_early():
    column = Column(0, "a */ b /* c")
    rules = RuleList((Rule((Condition(column, upper=1.0),), 1.0),), Rule((), 0.0), Inputs((column,), np.float64))
    for database in databases():
        database.fill([column.name], [DOUBLE[database.dialect]], [(1.0,), (2.0,)])
        assert database.ask(f"SELECT {rules.to_sql(database.dialect)} FROM t") == [(1.0,), (0.0,)]


def test_a_quote_in_a_comment_does_not_change_the_names_after_it():
    first, second = Column(0, '6" pipe'), Column(1, "no\u00a0break")
    rules = RuleList(
        (Rule((Condition(first, upper=1.0),), 1.0), Rule((Condition(second, upper=1.0),), 2.0)),
        Rule((), 0.0),
        Inputs((first, second), np.float64),
    )
    for database in databases():
        database.fill([first.name, second.name], [DOUBLE[database.dialect]] * 2, [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0)])
        assert database.ask(f"SELECT {rules.to_sql(database.dialect)} FROM t") == [(1.0,), (2.0,), (0.0,)]


def test_labels_of_several_types_are_refused():
    mixed = replace(LIST, classes=np.array(["no", 1], dtype=object), default=Rule((), 1, distribution=(0.5, 0.5)))
    with pytest.raises(InvalidDataError, match=r"int, str.*returns='rule'"):
        mixed.to_sql()
    large = RuleList(
        (Rule((Condition(A, upper=1.0),), 2**63, distribution=(1.0, 0.0)),),
        Rule((), 0, distribution=(0.0, 1.0)),
        Inputs((A,)),
        np.array([2**63, 0], dtype=object),
    )
    with pytest.raises(InvalidDataError, match="64-bit"):
        large.to_sql()


def test_many_categories_do_not_overflow_the_parser():
    store = WholeCategory(0, "store", tuple(range(0, 4400, 2)), other=True)
    rules = RuleList(
        (Rule((Condition(store, categories=frozenset(range(0, 2200, 2))),), 1.0),),
        Rule((), 0.0),
        Inputs((store,), np.float64, allows_missing=True),
    )
    database, values = databases()[0], [0.0, 0.9, 1.0, 2.0, 4.0, 4396.5, 4398.0, None]
    database.fill(["store"], ["REAL"], [(value,) for value in values])
    said = [answer for (answer,) in database.ask(f"SELECT {rules.to_sql('sqlite')} FROM t")]
    assert said == [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_without_sqlglot_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sqlglot.expressions", None)
    with pytest.raises(ImportError, match=r"pip install 'hedgerow\[sql\]'"):
        LIST.to_sql()


def test_a_category_known_by_its_hash_alone_is_compared_as_text():
    number = hashed(0, "n", [3, 12])
    rules = RuleList(
        (Rule((Condition(number, categories=frozenset({0})),), 1.0),), Rule((), 0.0), Inputs((number,), np.float64)
    )
    for database in databases():
        database.fill(["n"], ["INTEGER"], [(3,), (12,), (4,), (None,)])
        assert database.ask(f"SELECT {rules.to_sql(database.dialect)} FROM t") == [(1.0,), (0.0,), (0.0,), (None,)]


@pytest.mark.parametrize("wrong", [{"table": ""}, {"table": ("schema", "")}, {"table": "t", "alias": ""}], ids=str)
def test_a_table_and_a_new_column_have_a_name(wrong):
    with pytest.raises(InvalidParameterError, match="name"):
        LIST.to_sql(**wrong)
