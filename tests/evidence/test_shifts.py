"""Indices, tests and states are those that a person computes from the counts."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, fisher_exact

from hedgerow import Condition, InvalidParameterError, Rule, RuleList
from hedgerow.evidence import Counts, drift
from hedgerow.evidence.shifts import stability_index
from hedgerow.features import Column, Inputs

A = Column(0, "a")
RULES = RuleList(
    rules=(
        Rule((Condition(A, upper=0),), "no", 60, 0.6, (0.9, 0.1)),
        Rule((Condition(A, lower=0, upper=1),), "yes", 30, 0.3, (0.2, 0.8)),
        Rule((Condition(A, lower=1),), "yes", 10, 0.1, (0.2, 0.8)),
    ),
    default=Rule((), "no", distribution=(0.6, 0.4)),
    inputs=Inputs((A,), np.float64),
    classes=np.array(["no", "yes"]),
    n_samples=100,
)


def rows(n_first, n_second, n_third):
    return np.repeat([[-1.0], [0.5], [2.0]], [n_first, n_second, n_third], axis=0)


def test_the_index_is_the_formula_of_credit_scoring():
    r, c = np.array([5000, 3000, 2000]), np.array([4000, 3500, 2500])
    shares = r / r.sum(), c / c.sum()
    by_hand = np.sum((shares[1] - shares[0]) * np.log(shares[1] / shares[0]))
    assert stability_index(r, c) == pytest.approx(by_hand, rel=1e-3)
    assert stability_index([10, 10], [10, 10]) == 0
    assert np.isfinite(stability_index([10, 0], [0, 10]))
    assert stability_index([10, 5, 0], [5, 10, 0]) == stability_index([10, 5], [5, 10])


def test_shares_are_compared_by_fishers_test_and_all_by_the_chi_squared_test():
    found = drift(RULES, rows(60, 30, 10), rows(40, 45, 15))
    assert [(one.name, one.reference, one.current) for one in found.shares] == [
        ("rule 1", 0.6, 0.4),
        ("rule 2", 0.3, 0.45),
        ("rule 3", 0.1, 0.15),
    ]
    assert [one.name for one in found.conditions] == ["a <= 0", "a <= 1"]
    assert found.overall.index == stability_index([60, 30, 10], [40, 45, 15])
    # Six tests. The first rule and its condition have the smallest p-value: it is multiplied by six, then by five.
    smallest = fisher_exact([[60, 40], [40, 60]]).pvalue
    assert smallest < chi2_contingency([[60, 30, 10], [40, 45, 15]]).pvalue
    assert found.shares[0].p == pytest.approx(6 * smallest)


def test_a_large_change_is_red_if_a_test_agrees_and_green_if_it_may_be_chance():
    changed = drift(RULES, rows(600, 300, 100), rows(200, 500, 300))
    assert (changed.overall.state, changed.shares[0].state, changed.state) == ("red", "red", "red")
    few = drift(RULES, rows(6, 3, 1), rows(2, 5, 3))
    assert few.overall.index > 0.25
    assert few.state == "green"
    assert few.sentences()[-1] == "Nothing has changed by more than chance explains."
    small = drift(RULES, rows(60_000, 30_000, 10_000), rows(59_000, 31_000, 10_000))
    assert small.state == "green"
    assert small.moved


def test_what_moved_is_told():
    said = drift(RULES, rows(600, 300, 100), rows(200, 500, 300)).sentences()
    assert said[0].startswith("The index of the rules is 0.")
    assert any(one.startswith("Rule 1 decides 60.0 % before, 20.0 % now (p < 0.001, index ") for one in said)
    assert any(one.startswith("“a <= 0” holds for 60.0 % before, 20.0 % now") for one in said)


def test_rates_are_compared_if_both_tables_have_targets():
    X = rows(500, 300, 200)
    before = np.where(np.arange(1000) % 10 == 0, "yes", "no")
    after = np.where(np.arange(1000) % 2 == 0, "yes", "no")
    found = drift(RULES, X, X, y_reference=before, y_current=after)
    assert [one.name for one in found.rates] == ["rule 1", "rule 2", "rule 3"]
    assert (found.rates[0].reference, found.rates[0].current) == (0.9, 0.5)
    assert found.rates[0].state == "red"
    assert found.overall.state == "green"
    assert any(one.startswith("Rule 1 has another rate: 90.0 % before, 50.0 % now") for one in found.sentences())


def test_means_are_compared_in_units_of_their_spread():
    rules = RuleList(
        (
            Rule((Condition(A, upper=0),), 1.0, 50, 0.5, spread=1.0),
            Rule((Condition(A, lower=0),), 2.0, 50, 0.5, spread=1.0),
        ),
        Rule((), 1.5),
        Inputs((A,), np.float64),
        n_samples=100,
    )
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 1))
    y = rng.normal(size=2000)
    found = drift(rules, X, X, y_reference=y, y_current=y + 0.6 * (X[:, 0] > 0))
    low, high = found.rates
    assert (low.index, low.state) == (0, "green")
    assert high.index == pytest.approx((0.6 / y[X[:, 0] > 0].std(ddof=1)) ** 2)
    assert high.state == "red"


def test_counts_are_as_good_as_rows_and_training_is_known_to_the_list():
    before, now = rows(60, 30, 10), rows(40, 45, 15)
    expected = drift(RULES, before, now)
    assert drift(RULES, Counts.of(RULES, before), Counts.of(RULES, now)) == expected
    of_training = drift(RULES, None, now)
    assert of_training.shares[0].reference == 0.6
    assert of_training.conditions == ()


def test_the_table_names_all_that_was_compared():
    found = drift(RULES, rows(60, 30, 10), rows(40, 45, 15))
    assert len(str(found).splitlines()) == len(found.shifts) + 2
    assert str(found).splitlines()[-1] == "100 rows, compared with 100: amber"
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["what"].tolist() == ["rules"] + ["share"] * 3 + ["condition"] * 2


def test_rows_of_no_rule_are_compared_if_there_are_any():
    one = RuleList(RULES.rules[:1], RULES.default, RULES.inputs, RULES.classes, n_samples=60)
    found = drift(one, rows(60, 0, 0), rows(20, 40, 0))
    assert [shift.name for shift in found.shares] == ["rule 1", "no rule"]
    assert any(said.startswith("No rule matches 0.0 % before, 66.7 % now") for said in found.sentences())


def test_counts_that_do_not_fit_are_refused():
    counts = Counts.of(RULES, rows(1, 1, 1))
    with pytest.raises(InvalidParameterError, match="hold their targets already"):
        drift(RULES, counts, counts, y_current=["no"] * 3)
    other = RuleList(RULES.rules[:1], RULES.default, RULES.inputs, RULES.classes)
    with pytest.raises(InvalidParameterError, match="The counts are of 3 rules, the list has 1"):
        drift(other, counts, counts)


def test_tables_that_are_drawn_alike_hardly_ever_raise_an_alarm():
    rng, alarms = np.random.default_rng(0), 0
    for _ in range(200):
        tables = [rows(*rng.multinomial(300, [0.6, 0.3, 0.1])) for _ in range(2)]
        y = [np.where(rng.uniform(size=300) < 0.3, "yes", "no") for _ in range(2)]
        alarms += bool(drift(RULES, *tables, y_reference=y[0], y_current=y[1]).moved)
    assert alarms <= 0.05 * 200


def test_conditions_that_differ_in_missing_values_alone_are_one_unless_some_are_missing():
    conditions = Condition(A, lower=1), Condition(A, lower=1, missing=True)
    inputs = Inputs((A,), np.float64, allows_missing=True)
    rules = RuleList(tuple(Rule((one,), 1.0) for one in conditions), Rule((), 0.0), inputs)
    X = rows(60, 30, 10)
    assert [one.name for one in drift(rules, X, X).conditions] == ["a > 1"]
    gaps = drift(rules, X, np.where(X == 0.5, np.nan, X)).conditions
    assert {one.name: one.current for one in gaps} == {"a > 1": 0.1, "(a > 1 or missing)": 0.4}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"y_reference": "no"}, "Pass current and y_current, or leave out y_reference"),
        ({"y_current": "no"}, "Pass reference and y_reference, or leave out y_current"),
        ({"y_current": "no", "reference": None}, "Pass reference and y_reference, or leave out y_current"),
        ({"y_reference": "no", "reference": None}, "y_reference is given, but reference is None"),
        ({"current": None}, "current is None"),
    ],
    ids=["no y of now", "no y of the reference", "training", "no reference", "no current"],
)
def test_targets_of_one_table_alone_are_refused(given, said):
    X = rows(60, 30, 10)
    given = {name: None if value is None else np.repeat(value, len(X)) for name, value in given.items()}
    with pytest.raises(InvalidParameterError, match=said):
        drift(RULES, **{"reference": X, "current": X} | given)
    both = drift(RULES, X, Counts.of(RULES, X, np.repeat("no", len(X))), y_reference=np.repeat("no", len(X)))
    assert [one.reference for one in both.rates] == [1, 0, 0]
