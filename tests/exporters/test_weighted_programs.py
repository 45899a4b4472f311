"""Weighted rules in SQL and in Python answer as they do themselves, row by row, in real databases."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from databases import DOUBLE, in_memory, postgres
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier
from table_lists import cells, drawn_table_lists, expected, is_text, probes
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
    return probes(replace(rules.listed, rules=(*rules, *ends)))


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
    for k, label in list(enumerate(rules.classes.tolist()))[:3]:
        sql = rules.to_sql(database.dialect, columns=columns, returns="probability", label=label)
        mine = [one for (one,) in database.ask(f"SELECT {sql} FROM t")]
        for one, row in zip(mine, shares, strict=True):
            assert (one is None) if row is None else one == pytest.approx(row[k], rel=1e-9, abs=1e-300)


@given(drawn_weighted_rules())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
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
    if ensemble is None and method in (NodeHarvestClassifier, RuleFitClassifier):
        ensemble = RandomForestClassifier(20, max_depth=2, random_state=0)
    return method(ensemble, max_rules=12, random_state=0, **options).fit(X, y).weighted_rules_


@pytest.mark.parametrize(("method", "name"), CASES, ids=lambda value: getattr(value, "__name__", value))
def test_fitted_baselines_answer_alike(method, name):
    rules, rows = fitted(method, name), tables()[name][0]
    assert len(rules) > 1
    for table in (rows, rows_for(rules).sample(60, random_state=0, replace=True)):
        check_python(rules, table)
        check_sql(databases(), rules, table)


def test_postgres_answers_alike():
    with postgres() as database:
        for method, name in CASES[:8]:
            check_sql([database], fitted(method, name), tables()[name][0])

        @given(drawn_weighted_rules())
        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
        def answers_alike(rules):
            check_sql([database], rules, rows_for(rules))

        answers_alike()
