"""What a database counts is what apply and the conditions say, in SQLite, DuckDB and PostgreSQL."""

import numpy as np
import pandas as pd
import pytest
from databases import DOUBLE
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import Condition, InvalidParameterError, Rule, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.evidence import Counts, drift
from hedgerow.features import Column, Inputs
from hedgerow.tables.encoder import TableEncoder


def frame(n=400, seed=0):
    """Return numbers and strings with missing values, a column called rule, and labels and numbers to predict."""
    rng = np.random.default_rng(seed)
    data = pd.DataFrame({"a": rng.normal(size=n), "rule": rng.normal(size=n), "color": rng.choice(["red", "it's"], n)})
    data["y"] = np.where(data["a"] + rng.normal(0, 0.4, n) > 0, "yes", "no")
    data["z"] = data["a"] * 2 + (data["color"] == "red") + rng.normal(0, 0.1, n)
    data.loc[::9, "a"] = np.nan
    data.loc[::11, "color"] = None
    return data


def fill(database, data, table="t"):
    double = DOUBLE[database.dialect]
    types = [double if data[name].dtype.kind == "f" else "TEXT" for name in data]
    rows = [[None if pd.isna(cell) else cell for cell in row] for row in data.itertuples(index=False)]
    database.fill(list(data), types, rows, table)


def fitted(kind):
    from sklearn.pipeline import make_pipeline

    data, name = frame(), {"labels": "y", "numbers": "z"}[kind]
    model, estimator = {
        "labels": (RandomForestClassifier, RuleListClassifier),
        "numbers": (RandomForestRegressor, RuleListRegressor),
    }[kind]
    forest = make_pipeline(TableEncoder(), model(8, max_depth=3, random_state=0))
    X = data[["a", "rule", "color"]]
    return estimator(forest, max_rules=5, random_state=0).fit(X, data[name]).rule_list_, name


@pytest.mark.parametrize("kind", ["labels", "numbers"])
def test_the_database_counts_what_the_list_counts(database, kind):
    rules, target = fitted(kind)
    data = frame(seed=1)
    data.loc[::7, target] = None
    fill(database, data)
    answer = database.ask(rules.to_sql(database.dialect, table="t", counts=True, target=target))
    counts, expected = Counts.read(rules, answer), Counts.of(rules, data[["a", "rule", "color"]], data[target])
    fired = rules.apply(data[["a", "rule", "color"]])
    assert counts.fired.tolist() == [*(int((fired == i).sum()) for i in range(len(rules))), int((fired < 0).sum())]
    assert counts.held.tolist() == expected.held.tolist()
    if kind == "labels":
        assert counts.by_class.tolist() == expected.by_class.tolist()
    else:
        assert counts.moments == pytest.approx(expected.moments)
    assert counts.refused == 0


def test_counts_without_targets_are_enough_for_drift(database):
    rules, _ = fitted("labels")
    names, parts = ["a", "rule", "color"], (frame(seed=1), frame(seed=2))
    found = []
    for data in parts:
        fill(database, data[names])
        found.append(Counts.read(rules, database.ask(rules.to_sql(database.dialect, table="t", counts=True))))
    assert drift(rules, *found) == drift(rules, *(data[names] for data in parts))


def test_rows_that_the_list_refuses_are_counted_apart(database):
    a = Column(0, "a")
    rules = RuleList(
        (
            Rule((Condition(a, upper=0),), "no", 1, 0.5, (1.0, 0.0)),
            Rule((Condition(a, lower=0),), "yes", 1, 0.5, (0.0, 1.0)),
        ),
        Rule((), "no", distribution=(0.5, 0.5)),
        Inputs((a,), np.float64),
        np.array(["no", "yes"]),
    )
    database.fill(["a"], [DOUBLE[database.dialect]], [[1.0], [None], [-1.0], [2.0]])
    counts = Counts.read(rules, database.ask(rules.to_sql(database.dialect, table="t", counts=True)))
    assert (counts.fired.tolist(), counts.refused) == ([1, 2, 0], 1)


def test_integers_and_booleans_as_labels_are_found_again(database):
    a = Column(0, "a")
    for classes, kind in (([0, 1], "INTEGER"), ([False, True], "BOOLEAN")):
        rules = RuleList(
            (Rule((Condition(a, upper=0),), classes[0], 1, 0.5, (1.0, 0.0)),),
            Rule((), classes[1], distribution=(0.5, 0.5)),
            Inputs((a,), np.float64),
            np.array(classes),
        )
        rows = [[-1.0, classes[0]], [-1.0, classes[1]], [1.0, classes[1]]]
        database.fill(["a", "y"], [DOUBLE[database.dialect], kind], rows)
        answer = database.ask(rules.to_sql(database.dialect, table="t", counts=True, target="y"))
        assert Counts.read(rules, answer).by_class.tolist() == [[1, 1, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"counts": True}, "pass its name with table="),
        ({"counts": True, "table": "t", "alias": "n"}, "leave out returns and alias"),
        ({"counts": True, "table": "t", "returns": "text"}, "leave out returns and alias"),
        ({"table": "t", "target": "y"}, "it needs counts=True"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options, message):
    with pytest.raises(InvalidParameterError, match=message):
        fitted("labels")[0].to_sql("duckdb", **options)
