"""The smallest changes are found, they really change the prediction, and none is smaller."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from people_lists import AGE, DEBT, JOB, REFERENCE, person, shown, small_list
from rule_lists import KINDS, TABLE_KINDS, UNKNOWN_VALUES, drawn_lists, make
from scipy.sparse import csr_matrix
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from hedgerow import Condition, Forest, Rule, RuleListClassifier
from hedgerow.evidence import reasons
from hedgerow.exceptions import InvalidDataError, InvalidParameterError
from hedgerow.sources import Chunks

# The smallest


@st.composite
def drawn_small_lists(draw):
    """Overlapping rules with gaps on two numbers and a category."""
    ends = st.sampled_from([-math.inf, 0.5, 2.5, 4.0, 7.5, math.inf])

    def condition(feature):
        missing = draw(st.booleans())
        if feature is JOB:
            return Condition(JOB, categories=draw(st.frozensets(st.integers(0, 2))), missing=missing)
        return Condition(feature, draw(ends), draw(ends), missing=missing)

    rules = []
    for _ in range(draw(st.integers(1, 5))):
        used = draw(st.lists(st.sampled_from([AGE, DEBT, JOB]), max_size=3, unique=True))
        rules.append(([condition(feature) for feature in used], draw(st.sampled_from(["no", "yes", "perhaps"]))))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    number = st.sampled_from([0.0, 0.5, 1.3, 2.5, 4.0, 5.0, 7.75, 9.0, math.nan])
    row = person(draw(number), draw(number), draw(st.sampled_from(["chef", "clerk", "smith", "unseen", None])))
    signs = {name: draw(st.sampled_from([0, 1, -1])) for name in draw(st.sets(st.sampled_from(["age", "debt"])))}
    signs |= {"job": 0} if draw(st.booleans()) else {}
    return small_list(rules, dtype=dtype, allows_missing=True), row, signs


def exhaustively(rules, row, signs):
    """Return the least cost of each label and number of changed columns, by asking about every combination of cells."""
    after = np.nextafter if rules.inputs.dtype is np.float64 else lambda t, up: float(np.nextafter(np.float32(t), up))
    options = []
    for name in ("age", "debt"):
        own = row[name][0]
        values = [(own, 0.0, 0)]
        for end in (0.5, 2.5, 4.0, 7.5):
            for value in (end, float(after(end, np.float32(np.inf)))):
                cost = 1.0 if math.isnan(own) else abs(value - own) / 9
                sign = signs.get(name)
                is_allowed = sign == 0 or (sign is not None and np.sign(value - own) == sign)
                if is_allowed and value != own:
                    values.append((value, cost, 1))
        if signs.get(name) == 0 and math.isnan(own):
            values += [(0.0, 1.0, 1), (9.0, 1.0, 1)]
        options.append(values)
    own = row["job"][0]
    options.append([(own, 0.0, 0), *((job, 1.0, 1) for job in JOB.categories if "job" in signs and job != own)])
    every = list(product(*options))
    asked = pd.DataFrame([[value for value, _, _ in one] for one in every], columns=["age", "debt", "job"])
    least = {}
    for one, said in zip(every, rules.predict(asked.astype({"job": object})), strict=True):
        key = said, sum(changed for _, _, changed in one)
        least[key] = min(least.get(key, math.inf), sum(cost for _, cost, _ in one))
    return least


@settings(max_examples=300, deadline=None)
@pytest.mark.filterwarnings(UNKNOWN_VALUES)
@given(drawn_small_lists())
def test_no_combination_of_cells_is_smaller_with_as_few_columns(drawn):
    rules, row, signs = drawn
    least, (now,) = exhaustively(rules, row, signs), rules.predict(row)
    found = reasons(rules, row, reference=REFERENCE, changeable=signs)
    by_answer = {other.answer: other for other in found.others}
    for label in {"no", "yes", "perhaps"} - {now}:
        expected, best = [], math.inf
        for n in range(1, 4):  # of the cheapest with so many columns, those that are cheaper than with fewer
            cost = least.get((label, n), math.inf)
            if cost < best - 1e-6:
                expected.append(cost)
                best = cost
        other = by_answer.get(label)
        changes = () if other is None else other.changes
        assert [change.distance for change in changes] == pytest.approx(expected[::-1], abs=1e-5)
        assert all(change.prediction == label for change in changes)
        assert other is None or other.is_complete


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.filterwarnings(UNKNOWN_VALUES)
@given(drawn_lists(), st.booleans())
def test_every_change_is_confirmed_for_drawn_lists_of_all_kinds_of_columns(drawn, with_reference):
    rules, X = drawn
    names = [feature.name for feature in rules.inputs.features]
    assume(len(set(names)) == len(names))
    for i in range(0, len(X), 7):
        found = reasons(rules, X[i : i + 1], reference=X if with_reference else None)
        assert found.prediction == rules.predict(X[i : i + 1])[0]
        assert found.rule == rules.apply(X[i : i + 1])[0]
        assert all(other.is_complete for other in found.others)
        for change in (change for other in found.others for change in other.changes):
            changed = X[i : i + 1].copy()
            for column, value in change.values.items():
                changed[0, names.index(column)] = value
            assert rules.predict(changed)[0] == change.prediction != found.prediction


@pytest.mark.parametrize("kind", TABLE_KINDS)
@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.filterwarnings(UNKNOWN_VALUES)
def test_the_changed_row_gets_the_prediction_that_is_promised_whatever_the_library(kind, fallback):
    rules, X = make(kind, fallback)
    n_changes = 0
    for i in range(0, len(X), 9):
        row = X.iloc[[i]] if hasattr(X, "iloc") else X[i : i + 1]
        for other in reasons(rules, row, reference=X).others:
            assert other.is_complete
            for change in other.changes:
                new = row.copy()
                for column, value in change.values.items():
                    if hasattr(new, "iloc"):
                        new[column] = pd.Series(
                            [value], index=new.index, dtype=None if isinstance(value, float) else object
                        )
                    else:
                        new[0, rules.inputs.names.index(column)] = value
                assert rules.predict(new)[0] == change.prediction != rules.predict(row)[0]
                n_changes += 1
    assert n_changes


# What is said


def test_only_what_may_change_changes_and_only_in_the_direction_that_is_allowed():
    rules = small_list(
        [([Condition(AGE, upper=4.0), Condition(JOB, categories=frozenset({0}))], "no"), ([Condition(AGE)], "yes")]
    )
    row = person(age=3.0)
    assert shown(reasons(rules, row, reference=REFERENCE)) == [({"age": 4.01}, round(1 / 9, 6))]
    assert shown(reasons(rules, row, changeable=["job"])) == [({"job": "clerk"}, 1.0)]
    assert shown(reasons(rules, row, changeable={"age": -1})) == []
    assert shown(reasons(rules, row, changeable={"age": 1}, reference=REFERENCE)) == [({"age": 4.01}, round(1 / 9, 6))]
    assert "No change of the columns that may change leads to yes." in str(reasons(rules, row, changeable=["debt"]))
    assert shown(reasons(rules, row, changeable=0, reference=REFERENCE)) == [({"age": 4.01}, round(1 / 9, 6))]


def test_numbers_have_a_higher_and_a_lower_answer():
    bands = [([Condition(AGE, low, low + 1)], float(said)) for low, said in ((0, 5), (1, 7), (2, 3))]
    rules = small_list(bands, default=4.0, classes=None)
    found = reasons(rules, person(age=0.5), reference=REFERENCE)
    assert [other.answer for other in found.others] == ["higher", "lower"]
    assert [other.changes[0].prediction for other in found.others] == [7.0, 4.0]
    assert [other.answer for other in reasons(rules, person(age=0.5), answer="lower").others] == ["lower"]
    top = reasons(rules, person(age=1.5), answer="higher").others[0]
    assert (top.changes, top.is_complete) == ((), True)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind in ("sktime", "aeon", "wildboar shapelets")])
def test_what_is_computed_from_a_series_is_changed_itself_and_it_is_said(kind):
    rules, X = make(kind, False)
    found = reasons(rules, X[3], reference=X)
    assert "These values are computed from a series" in found.notes[0]
    (other,) = found.others
    assert other.changes
    name = other.changes[0].columns[0].column
    assert name in {condition.feature.name for rule in rules for condition in rule.simplified}


def test_an_estimator_knows_its_training_rows_and_explains_every_row():
    X = pd.DataFrame({"age": np.arange(40.0), "debt": np.tile([1.0, 2.0], 20)})
    y = np.where(X["age"] > 20, "old", "young")
    rules = RuleListClassifier(max_rules=2, random_state=0).fit(X, y)
    found = rules.explain(X[:3], reasons=True, changeable=["age"])
    assert [one.prediction for one in found] == ["young"] * 3
    assert found[0].others[0].changes[0].columns[0].measure == "spreads"
    assert found[0].others[0].changes == reasons(rules.rule_list_, X[:1], reference=X).others[0].changes
    assert rules.explain(X[:1])[0].startswith("Rule 1 predicts") or rules.explain(X[:1])[0].startswith("Rule 2")
    with pytest.raises(InvalidParameterError, match="reasons=True"):
        rules.explain(X[:3], changeable=["age"])


@pytest.mark.parametrize("make_row", [dict, pd.Series, lambda row: list(row.values()), lambda row: tuple(row.values())])
def test_a_row_may_be_given_in_any_form(make_row):
    rules = small_list([([Condition(AGE, upper=4.0)], "no")], "yes")
    row = make_row({"age": 3.1, "debt": 2.0, "job": "chef"})
    assert shown(reasons(rules, row, reference=REFERENCE)) == [({"age": 4.001}, 0.1)]


def test_sparse_rows_are_taken_where_predict_takes_them():
    X = csr_matrix(np.random.default_rng(0).poisson(1.0, size=(60, 3)).astype(float))
    y = np.where(X[:, 0].toarray().ravel() > 1, "yes", "no")
    model = make_pipeline(MaxAbsScaler(), RandomForestClassifier(10, max_depth=2, random_state=0)).fit(X, y)
    rules = RuleListClassifier(model, max_rules=3, stability_weight=0).fit(X, y).rule_list_
    for i in range(5):
        found = reasons(rules, X[i], reference=X)
        dense = reasons(rules, X[i].toarray(), reference=X.toarray())
        assert found.others[0].changes == dense.others[0].changes != ()
    with pytest.raises(InvalidDataError, match="sparse"):
        reasons(small_list([([Condition(AGE, upper=1.0), Condition(JOB)], "no")]), X[0])


# Bad input


def test_what_is_wrong_is_said_with_the_way_out():
    rules = small_list([([Condition(AGE, upper=4.0), Condition(JOB, categories=frozenset({0}))], "no")], "yes")
    with pytest.raises(InvalidDataError, match=r"reasons is about one row; x has 2. Pass one, such as"):
        reasons(rules, pd.concat([person(), person()]))
    with pytest.raises(InvalidDataError, match="x has 0"):
        reasons(rules, person()[:0])
    with pytest.raises(
        InvalidParameterError, match=r"'agee' is to change, but is not a column of the list. Did you mean 'age'"
    ):
        reasons(rules, person(), changeable=["agee"])
    with pytest.raises(InvalidParameterError, match="job has categories, which neither rise nor fall"):
        reasons(rules, person(), changeable={"job": 1})
    unused = replace(rules, rules=(Rule((Condition(AGE, upper=4.0),), "no"),))  # the list does not look at jobs
    with pytest.raises(InvalidParameterError, match="job has categories, which neither rise nor fall"):
        reasons(unused, person(), changeable={"job": 1})
    with pytest.raises(InvalidParameterError, match="takes 1, -1 or 0 for 'age'; got 2"):
        reasons(rules, person(), changeable={"age": 2})
    with pytest.raises(InvalidParameterError, match="answer must be one of no, perhaps, yes; got 'maybe'"):
        reasons(rules, person(), answer="maybe")
    same = reasons(rules, person(), answer="no")
    assert (same.others, same.notes[0]) == ((), "no is what the list predicts already.")
    assert reasons(rules, person(), answer="perhaps").others[0].changes == ()
    with pytest.raises(InvalidDataError, match="lacks the column"):
        reasons(rules, person().drop(columns="age"))
    with pytest.raises(InvalidDataError, match="lacks the column"):
        reasons(rules, person(), reference=REFERENCE.drop(columns="age"))
    with pytest.raises(InvalidDataError, match="NaN"):
        reasons(rules, person(age=math.nan))
    with pytest.raises(InvalidParameterError, match="Only a RuleList"):
        reasons(Forest, person())
    with pytest.raises(InvalidParameterError, match='"higher" or "lower"'):
        reasons(small_list([], 1.0, classes=None), person(), answer="more")


def test_a_source_is_no_row():
    with pytest.raises(InvalidDataError, match="X is Chunks"):
        reasons(small_list([]), Chunks(lambda: iter([(REFERENCE, None)])))
