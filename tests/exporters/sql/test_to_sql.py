"""SQL predicts what the rule list does, in real databases, row by row."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from databases import DOUBLE, in_memory
from hypothesis import HealthCheck, given, settings
from rule_lists import TABLE_KINDS, UNKNOWN_VALUES, make
from table_lists import cells, drawn_table_lists, expected, is_text, probes

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow.features import Column, ColumnWithGap, Inputs

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

FEW = settings(deadline=None, suppress_health_check=list(HealthCheck))
databases = cache(in_memory)


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


def check(database, rules, rows):
    """Ask a database about rows, and compare with what the list says."""
    columns = columns_of(rules)
    last = None if rules.classes is None else rules.classes.tolist()[-1]
    types = ["TEXT" if is_text(rules, i) else DOUBLE[database.dialect] for i in range(len(columns))]
    database.fill(columns, types, cells(rows))
    for kind, theirs in wanted(rules, rows).items():
        label = last if kind == "probability" else None
        sql = rules.to_sql(database.dialect, columns=columns, returns=kind, label=label)
        said = [answer for (answer,) in database.ask(f"SELECT {sql} FROM t")]
        for row, mine, answer in zip(cells(rows), said, theirs, strict=True):
            assert mine == answer, f"{kind} of {row} in {database.dialect}: {mine!r} instead of {answer!r}"


@pytest.mark.filterwarnings(UNKNOWN_VALUES)
@given(rules=drawn_table_lists())
@settings(FEW, max_examples=40)
def test_drawn_lists_predict_alike_on_thresholds_and_beside(rules):
    for database in databases():
        check(database, rules, probes(rules))


@pytest.mark.filterwarnings(UNKNOWN_VALUES)
@given(rules=drawn_table_lists())
@settings(FEW, max_examples=25)
def test_drawn_lists_predict_alike_on_a_server(server, rules):
    check(server, rules, probes(rules))


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_lists_of_every_library_predict_alike(database, kind):
    rules, X = make(kind, False)
    check(database, rules, probes(rules))
    check(database, rules, pd.DataFrame(X).set_axis(rules.inputs.names, axis=1))


@pytest.mark.parametrize("fill", [1.0, -1.0, 0.0])
def test_an_empty_cell_that_is_filled_counts_as_the_number_it_is_filled_with(database, fill):
    column = ColumnWithGap(0, "c", lowest=0.0, highest=0.0, fill=fill)
    rules = (Rule((Condition(column, lower=0.5),), 1.0), Rule((Condition(column, upper=0.5),), 2.0))
    check(database, RuleList(rules, Rule((), 3.0), Inputs((column,))), pd.DataFrame({"c": [np.nan, 2.0, -2.0, 0.0]}))


def test_bigquery_is_read_by_a_parser_and_means_the_same():
    import sqlglot

    _, database = databases()
    for kind in ("random forest", "regression", "catboost", "pipeline", "lightgbm"):
        rules, X = make(kind, False)
        rows = pd.DataFrame(X).set_axis(rules.inputs.names, axis=1).dropna()
        types = ["TEXT" if is_text(rules, i) else "DOUBLE" for i in range(rows.shape[1])]
        database.fill(rows.columns, types, cells(rows))
        (again,) = sqlglot.transpile(rules.to_sql("bigquery", table="t"), read="bigquery", write="duckdb")
        said = [row[-1] for row in database.ask(again)]
        if rules.classes is None:
            assert [float(one) for one in said] == pytest.approx(expected(rules, rows), rel=1e-15)
        else:
            assert said == expected(rules, rows)


def test_text_is_the_rule_in_words(database):
    database.fill(["a", "b"], [DOUBLE[database.dialect]] * 2, [(0.05, 1.0), (0.2, 1.0)])
    said = database.ask(f"SELECT {LIST.to_sql(database.dialect, returns='text')} FROM t")
    assert said == [("if a <= 0.1 then it's (75 %)",), ("otherwise no (55 %)",)]


def test_with_a_fallback_the_rule_can_still_be_asked_for(database):
    rules, X = make("random forest", True)
    database.fill(X.columns, [DOUBLE[database.dialect]] * X.shape[1], cells(X))
    said = database.ask(f"SELECT {rules.to_sql(database.dialect, returns='rule')} FROM t")
    assert [one for (one,) in said] == rules.apply(X).tolist()


def test_labels_without_one_type_in_sql_are_refused():
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


def test_integer_labels_among_floats_become_floats(database):
    labels = np.array([0.5, 1], dtype=object)
    rule = Rule((Condition(A, upper=0.1),), 1, distribution=(0.0, 1.0))
    rules = RuleList((rule,), Rule((), 0.5, distribution=(1.0, 0.0)), Inputs((A,)), labels)
    database.fill(["a"], [DOUBLE[database.dialect]], [(0.0,), (1.0,)])
    said = [answer for (answer,) in database.ask(f"SELECT {rules.to_sql(database.dialect)} FROM t")]
    assert said == [1.0, 0.5]
    assert all(type(answer) is float for answer in said)
