"""Each kind of test means the same in real databases as in the rule list; comments and names do no harm."""

import numpy as np
import pandas as pd
import pytest
from databases import DOUBLE
from table_lists import hashed

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow.features import Category, Column, Inputs, WholeCategory

A, B = Column(0, "a"), Column(1, "b")


def one_rule(*conditions, dtype=np.float64):
    """Return a list that says 1.0 where the conditions hold, and else 0.0."""
    features = tuple(sorted({condition.feature for condition in conditions}, key=lambda feature: feature.index))
    return RuleList((Rule(conditions, 1.0),), Rule((), 0.0), Inputs(features, dtype, allows_missing=True))


def said(database, rules, **options):
    return [answer for (answer,) in database.ask(f"SELECT {rules.to_sql(database.dialect, **options)} FROM t")]


@pytest.mark.parametrize("threshold", [2.0**53, 2.0**53 + 2, 2.0**62])
def test_integers_that_doubles_do_not_hold_are_compared_as_doubles_as_numpy_does(database, threshold):
    values = [2**53 + k for k in range(-2, 5)] + [2**62 + 1, -(2**53) - 1, 0, None]
    database.fill(["a"], ["BIGINT"], [(value,) for value in values])
    wanted = [0.0 if value is None else float(float(value) <= threshold) for value in values]
    assert said(database, one_rule(Condition(A, upper=threshold))) == wanted


@pytest.mark.parametrize("missing", [False, True])
def test_columns_of_booleans(database, missing):
    flag, kind = Column(0, "is it"), Category(1, "kind", (False, True))
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
    frame = pd.DataFrame(rows, columns=["is it", "kind"], dtype=object)
    assert said(database, rules, booleans=["is it"]) == rules.predict(frame).tolist()


def test_a_select_adds_a_column_to_the_table(database):
    rules = one_rule(Condition(A, lower=0.1), Condition(B, lower=3, missing=True))
    rows, columns = [(0.1, 1.0), (0.2, None), (0.2, 3.0)], ["a", 'b "c"']
    database.fill(columns, [DOUBLE[database.dialect]] * 2, rows, table='my "table"')
    for options, wanted in (({"alias": "said"}, [0.0, 1.0, 0.0]), ({"returns": "rule"}, [-1, 0, -1])):
        sql = rules.to_sql(database.dialect, table='my "table"', columns=columns, **options)
        assert database.ask(sql) == [(*row, answer) for row, answer in zip(rows, wanted, strict=True)]
        assert f'AS "{options.get("alias", "rule")}"' in sql


def test_the_new_column_has_a_name_of_its_own(database):
    rules = one_rule(Condition(Column(0, "prediction"), lower=0.1), Condition(Column(1, "Prediction_2"), lower=3))
    database.fill(["prediction", "Prediction_2"], [DOUBLE[database.dialect]] * 2, [(0.2, 4.0)])
    sql = rules.to_sql(database.dialect, table="t")
    assert sql.count('AS "prediction_3"') == 1
    assert database.ask(sql) == [(0.2, 4.0, 1.0)]
    assert 'AS "prediction"' in rules.to_sql(database.dialect, table="t", alias="prediction")


def test_a_schema_comes_before_the_table():
    sql = one_rule(Condition(A, upper=1.0)).to_sql("duckdb", table=("c", "s", "t"))
    assert sql.endswith('FROM "c"."s"."t"')


def test_sqlite_does_not_take_a_wrong_column_for_a_string(database):
    """SQLite reads a quoted name that is not a column as a string, unless the table is named."""
    database.fill(["other"], [DOUBLE[database.dialect]], [(1.0,)])
    sql = one_rule(Condition(A, upper=1.0)).to_sql(database.dialect, table="t")
    with pytest.raises(Exception, match=r"\ba\b"):
        database.ask(sql)


def test_bigquery_looks_for_nan_which_there_compares_with_nothing():
    rules = one_rule(Condition(A, lower=0.1), Condition(B, lower=3, missing=True))
    sql = " ".join(rules.to_sql("bigquery").split())
    assert "CAST(`a` AS FLOAT64) > 0.1 AND" in sql
    assert "OR IS_NAN(CAST(`b` AS FLOAT64)) OR `b` IS NULL" in sql


def test_a_comment_cannot_end_early(database):
    column = Column(0, "a */ b /* c")
    database.fill([column.name], [DOUBLE[database.dialect]], [(1.0,), (2.0,)])
    assert said(database, one_rule(Condition(column, upper=1.0))) == [1.0, 0.0]


def test_a_quote_in_a_comment_does_not_change_the_names_after_it(database):
    first, second = Column(0, '6" pipe'), Column(1, "no\u00a0break")
    rules = RuleList(
        (Rule((Condition(first, upper=1.0),), 1.0), Rule((Condition(second, upper=1.0),), 2.0)),
        Rule((), 0.0),
        Inputs((first, second), np.float64),
    )
    database.fill([first.name, second.name], [DOUBLE[database.dialect]] * 2, [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0)])
    assert said(database, rules) == [1.0, 2.0, 0.0]


def test_many_categories_do_not_overflow_the_parser(database):
    store = WholeCategory(0, "store", tuple(range(0, 2200, 2)), other=True)
    rules = one_rule(Condition(store, categories=frozenset(range(0, 1100, 2))))
    values = [0.0, 0.9, 1.0, 2.0, 4.0, 2196.5, 2198.0, None]
    database.fill(["store"], [DOUBLE[database.dialect]], [(value,) for value in values])
    assert said(database, rules) == [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]


def test_a_category_known_by_its_hash_alone_is_compared_as_text(database):
    number = hashed(0, "n", [3, 12])
    rules = RuleList(
        (Rule((Condition(number, categories=frozenset({0})),), 1.0),), Rule((), 0.0), Inputs((number,), np.float64)
    )
    database.fill(["n"], ["INTEGER"], [(3,), (12,), (4,), (None,)])
    assert said(database, rules) == [1.0, 0.0, 0.0, None]


def test_categories_of_several_types_are_refused():
    odd = Category(0, "odd", ("a", 1))
    with pytest.raises(InvalidDataError, match=r"odd are of several types.*strings only"):
        one_rule(Condition(odd, categories=frozenset({0, 1}))).to_sql()
