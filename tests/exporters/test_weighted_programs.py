"""Weighted rules in SQL and in Python answer as they do themselves, row by row, in real databases; and in LaTeX."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from databases import DOUBLE, in_memory, postgres
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from table_lists import cells, drawn_table_lists, expected, is_text, probes
from test_to_latex import read, rows_of
from test_to_python import asked, function
from test_to_sql import columns_of

from hedgerow import Condition, HedgerowError, InvalidDataError, Rule
from hedgerow.baselines import (
    FireRegressor,
    LinearTerm,
    NodeHarvestClassifier,
    NodeHarvestRegressor,
    RuleFitClassifier,
    RuleFitRegressor,
    SirusClassifier,
    SirusRegressor,
    WeightedRules,
)
from hedgerow.features import Category, Column, Inputs

#: Multiples of tenths add up to halves and to other tenths only nearly, in an order of one's own.
AMOUNTS = st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.7, 1 / 3, 2.0, 0.0])
A, B = Column(0, "a"), Column(1, "b")
LOW, HIGH = Rule((Condition(A, upper=0.1),), 1.0, 6, 0.6), Rule((Condition(B, lower=3, missing=True),), 2.0, 4, 0.4)
TERM = LinearTerm(B, np.array([0.5]), low=-1.0, high=4.0, center=1.0, spread=1.0)
SUM = WeightedRules(
    rules=(LOW, HIGH),
    weights=np.array([[1.5], [-2.0]]),
    inside=np.ones((2, 1)),
    outside=np.zeros((2, 1)),
    intercept=np.array([0.25]),
    inputs=Inputs((A, B), np.float32, allows_missing=True),
    linear=(TERM,),
)


@cache
def databases():
    return in_memory()


@st.composite
def drawn_weighted_rules(draw):
    listed = draw(drawn_table_lists())
    classes = listed.classes if listed.classes is not None and len(listed.classes) > 1 else None
    n_outputs = 1 if classes is None or len(classes) == 2 else len(classes)

    def amounts(*shape):
        drawn = draw(st.lists(AMOUNTS, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
        return np.array(drawn).reshape(shape)

    combination, shape = draw(st.sampled_from(["sum", "mean"])), (len(listed), n_outputs)
    signs = 1 if combination == "mean" else np.where(amounts(*shape) > 0.25, 1, -1)
    of_numbers = [feature for feature in listed.inputs.features if isinstance(feature, Column)]
    linear = ()
    if combination == "sum" and of_numbers and draw(st.booleans()):
        feature = draw(st.sampled_from(of_numbers))
        linear = (LinearTerm(feature, amounts(n_outputs), draw(st.sampled_from([-3.0, 0.1])), 0.7, 0.3, 1.0),)
    return WeightedRules(
        rules=listed.rules,
        weights=amounts(*shape) * signs,
        inside=amounts(*shape),
        outside=np.zeros(shape) if combination == "mean" else amounts(*shape),
        intercept=amounts(n_outputs),
        inputs=listed.inputs,
        classes=classes,
        combination=combination,
        link="identity" if classes is None else draw(st.sampled_from(["identity", "logistic"])),
        linear=linear,
    )


def rows_for(rules):
    """Return rows on and beside every threshold and every end of a linear term."""
    ends = [Rule((Condition(term.feature, term.low, term.high),)) for term in rules.linear]
    rows = probes(replace(rules.listed, rules=(*rules, *ends)))
    return rows.sample(min(80, len(rows)), random_state=0)


def check_python(rules, rows):
    predict = function(rules)
    for row, answer in zip(cells(rows), expected(rules, rows, WeightedRules.predict), strict=True):
        mine = asked(predict, row)
        assert mine == answer, f"{row}: {mine!r} instead of {answer!r}"
        assert type(mine) is type(answer)


def check_sql(databases, rules, rows):
    columns, said = columns_of(rules), expected(rules, rows, WeightedRules.predict)
    for database in databases:
        types = ["TEXT" if is_text(rules, i) else DOUBLE[database.dialect] for i in range(len(columns))]
        database.fill(columns, types, cells(rows))
        mine = [one for (one,) in database.ask(f"SELECT {rules.to_sql(database.dialect, columns=columns)} FROM t")]
        for row, one, answer in zip(cells(rows), mine, said, strict=True):
            assert one == answer, f"{row} in {database.dialect}: {one!r} instead of {answer!r}"
        if rules.classes is not None:
            check_shares(database, rules, rows, columns)


def check_shares(database, rules, rows, columns):
    shares = expected(rules, rows, WeightedRules.predict_proba)
    labels = rules.classes.tolist()
    for k in (0, len(labels) - 1):
        sql = rules.to_sql(database.dialect, columns=columns, returns="probability", label=labels[k])
        mine = [one for (one,) in database.ask(f"SELECT {sql} FROM t")]
        for one, row in zip(mine, shares, strict=True):
            assert (one is None) if row is None else one == pytest.approx(row[k], rel=1e-9, abs=1e-300)


@given(drawn_weighted_rules())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_drawn_rules_answer_alike(rules):
    rows = rows_for(rules)
    check_python(rules, rows)
    check_sql(databases(), rules, rows)


@pytest.mark.slow
@given(drawn_weighted_rules())
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
def test_many_drawn_rules_answer_alike(rules):
    rows = rows_for(rules)
    check_python(rules, rows)
    check_sql(databases(), rules, rows)


@cache
def tables():
    iris, cancer, diabetes = (load(as_frame=True) for load in (load_iris, load_breast_cancer, load_diabetes))
    rng = np.random.default_rng(0)
    mixed = iris.data.copy()
    mixed.columns = ["rule_1", "output_1", "said", "LABELS"]
    mixed = mixed.mask(rng.random(mixed.shape) < 0.1)
    kinds = pd.Series(iris.target_names[iris.target]).where(rng.random(150) < 0.6, "it's")
    mixed["kind"] = kinds.mask(rng.random(150) < 0.1).astype("category")
    return {
        "three": (iris.data, iris.target_names[iris.target]),
        "two": (cancer.data.iloc[::3, :8], cancer.target_names[cancer.target][::3]),
        "numbers": (diabetes.data.iloc[::2], diabetes.target[::2]),
        "mixed two": (mixed, iris.target.to_numpy() == 1),
        "mixed three": (mixed, iris.target.to_numpy()),
        "mixed numbers": (mixed, iris.data["petal width (cm)"].to_numpy() + rng.normal(size=150) / 10),
    }


def boosted(name):
    of = HistGradientBoostingRegressor if name == "mixed numbers" else HistGradientBoostingClassifier
    return of(categorical_features="from_dtype", max_iter=10, max_leaf_nodes=5, random_state=0)


CASES = [
    *((method, name) for method in (NodeHarvestClassifier, RuleFitClassifier) for name in ("two", "three")),
    *((method, name) for method in (NodeHarvestClassifier, RuleFitClassifier) for name in ("mixed two", "mixed three")),
    *((SirusClassifier, name) for name in ("two", "three")),
    *((method, "numbers") for method in (NodeHarvestRegressor, RuleFitRegressor, SirusRegressor, FireRegressor)),
    *((method, "mixed numbers") for method in (NodeHarvestRegressor, RuleFitRegressor, FireRegressor)),
]


@cache
def fitted(method, name):
    X, y = tables()[name]
    options = {"penalty": 0.01} if method in (RuleFitClassifier, RuleFitRegressor) else {}
    options |= {"p0": 0.05} if method in (SirusClassifier, SirusRegressor) else {}
    options |= {"lambda_s": 1.0, "lambda_f": 0.1} if method is FireRegressor else {}
    ensemble = boosted(name) if name.startswith("mixed") else None
    if ensemble is None and method not in (SirusClassifier, SirusRegressor):
        of = RandomForestRegressor if name == "numbers" else RandomForestClassifier
        ensemble = of(20, max_depth=2, random_state=0)
    return method(ensemble, max_rules=12, random_state=0, **options).fit(X, y).weighted_rules_


@pytest.mark.parametrize(("method", "name"), CASES, ids=lambda value: getattr(value, "__name__", value))
def test_fitted_baselines_answer_alike(method, name):
    rules, rows = fitted(method, name), tables()[name][0]
    assert len(rules) > 1
    for table in (rows.iloc[::2], rows_for(rules)):
        check_python(rules, table)
        check_sql(databases(), rules, table)


def test_postgres_answers_alike():
    with postgres() as database:
        for method, name in CASES[:4]:
            check_sql([database], fitted(method, name), tables()[name][0])

        @given(drawn_weighted_rules())
        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
        def answers_alike(rules):
            check_sql([database], rules, rows_for(rules))

        answers_alike()


def test_one_row_alone_is_answered_as_among_others():
    X = tables()["numbers"][0]
    rules = fitted(RuleFitRegressor, "numbers")
    assert [rules.predict(X.iloc[i : i + 1])[0] for i in range(20)] == rules.predict(X)[:20].tolist()


def test_a_linear_term_takes_values_in_double_precision():
    rows = np.array([[0.0, 2.0 + 1e-12]])
    assert SUM.predict(rows)[0] == 0.25 + 1.5 + 0.5 * (2.0 + 1e-12 - 1.0)


@pytest.mark.parametrize("table", ["layer", 'my "table"'])
def test_a_whole_table_can_be_selected_with_the_answers(table):
    rows = [(0.1, 1.0), (0.2, None), (0.2, 5.0)]
    for database in databases():
        database.fill(["RULE_1", "share_2_"], [DOUBLE[database.dialect]] * 2, rows, table=table)
        sql = SUM.to_sql(database.dialect, table=table, columns=["RULE_1", "share_2_"], alias="said")
        assert database.ask(sql) == [(*rows[0], 0.25), (*rows[1], 0.25 - 2), (*rows[2], 0.25 - 2 + 0.5 * 3)]


def test_a_linear_term_of_truth_values_counts_one_and_zero():
    rows = [(0.1, True), (0.2, False), (0.2, None)]
    for database in databases():
        database.fill(["a", "b"], [DOUBLE[database.dialect], "BOOLEAN"], rows)
        said = database.ask(f"SELECT {SUM.to_sql(database.dialect, booleans=['b'])} FROM t")
        assert said == [(0.25,), (0.25 - 0.5,), (0.25 - 2,)]


def test_no_rules_at_all_answer_the_intercept():
    none = WeightedRules((), *[np.empty((0, 1))] * 3, np.array([3.5]), Inputs((A, B)))
    assert function(none)([1.0, 2.0]) == 3.5
    for database in databases():
        database.fill(["a", "b"], [DOUBLE[database.dialect]] * 2, [(1.0, 2.0)])
        assert database.ask(f"SELECT {none.to_sql(database.dialect)} FROM t") == [(3.5,)]


def test_hundreds_of_rules_do_not_overflow_the_databases():
    n = 200
    rules = tuple(Rule((Condition(A, upper=float(i)),), 1.0) for i in range(n))
    amounts = np.random.default_rng(0).normal(size=(n, 1))
    many = WeightedRules(rules, amounts, np.ones((n, 1)), np.zeros((n, 1)), np.zeros(1), Inputs((A,)))
    rows = pd.DataFrame({"a": [-1.0, 0.5, 300.0, 1000.0]})
    check_python(many, rows)
    check_sql(databases(), many, rows)


def test_extreme_outputs_have_shares_of_nearly_zero_and_one():
    steep = replace(SUM, weights=np.array([[2000.0], [-2000.0]]), classes=np.array(["no", "yes"]), link="logistic")
    for database in databases():
        database.fill(["a", "b"], [DOUBLE[database.dialect]] * 2, [(0.0, 1.0), (1.0, 5.0)])
        (high,), (low,) = database.ask(f"SELECT {steep.to_sql(database.dialect, returns='probability')} FROM t")
        assert high == 1
        assert 0 <= low < 1e-300


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": "oracle"}, "postgres, sqlite, duckdb, bigquery"),
        ({"returns": "rule"}, "prediction, probability; got 'rule'"),
        ({"returns": "probability"}, "A regression has no probabilities"),
        ({"label": 1}, "returns is another"),
        ({"columns": ["a"]}, "2 names"),
        ({"booleans": ["c"]}, "'c' is none of them"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(HedgerowError, match=message):
        SUM.to_sql(**options)


def test_labels_of_several_types_and_odd_names_of_functions_are_refused():
    mixed = replace(SUM, classes=np.array(["no", 1], dtype=object), link="logistic")
    with pytest.raises(InvalidDataError, match="returns='probability'"):
        mixed.to_sql()
    assert "EXP(" in mixed.to_sql(returns="probability", label="no")
    for name in ("outputs", "class", "a b"):
        with pytest.raises(HedgerowError, match="name of a Python function"):
            SUM.to_python(name)


def test_a_linear_term_on_what_is_no_column_is_refused():
    computed = replace(TERM, feature=Category(0, "kind", ("a", "b")))
    for export in (WeightedRules.to_sql, WeightedRules.to_python):
        with pytest.raises(InvalidDataError, match="no column of numbers"):
            export(replace(SUM, linear=(computed,)))


def test_bigquery_is_read_by_a_parser_and_means_the_same():
    import sqlglot

    database = databases()[1]
    for method, name in ((NodeHarvestClassifier, "three"), (RuleFitClassifier, "two")):
        rules, rows = fitted(method, name), tables()[name][0]
        database.fill(rows.columns, ["DOUBLE"] * rows.shape[1], cells(rows))
        (again,) = sqlglot.transpile(rules.to_sql("bigquery", table="t"), read="bigquery", write="duckdb")
        assert [row[-1] for row in database.ask(again)] == rules.predict(rows).tolist()


@pytest.mark.parametrize("name", ["two", "three"])
def test_latex_has_the_cells_of_the_table(name):
    for rules in (fitted(RuleFitClassifier, name), fitted(SirusClassifier, name)):
        source = rules.to_latex(caption="50 % of all", label="tab:rules")
        head, rows = rules.cells()
        assert [[read(cell) for cell in row] for row in rows_of(source)] == rows
        assert f"\\toprule\n{' & '.join(head)} \\\\\n" in source
        assert "\\caption{50~\\% of all}\n\\label{tab:rules}" in source


def test_the_page_shows_what_the_calls_return():
    page = (Path(__file__).parents[2] / "docs" / "baselines.md").read_text().split("## Elsewhere")[1]
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = SirusClassifier(max_rules=3, p0=0.05, random_state=0).fit(X, np.array(["malignant", "benign"])[y])
    for language, said in (
        ("text", model.weighted_rules_.to_python()),
        ("sql", model.weighted_rules_.to_sql("duckdb")),
    ):
        block = re.search(f"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1]
        assert block.rstrip() in said
