"""What is counted of a table is what apply and the conditions say, and counts of a database are read back."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow.evidence import Counts
from hedgerow.evidence.counts import conditions_of
from hedgerow.features import Category, Column, Inputs

A, B = Column(0, "a"), Column(1, "b")
C = Category(1, "c", ("red", "green"))


def labels_list():
    return RuleList(
        rules=(
            Rule((Condition(A, upper=0),), "no", 6, 0.6, (0.9, 0.1)),
            Rule((Condition(A, lower=0, upper=3), Condition(B, upper=1)), "yes", 4, 0.4, (0.2, 0.8)),
        ),
        default=Rule((), "no", distribution=(0.6, 0.4)),
        inputs=Inputs((A, B), np.float64),
        classes=np.array(["no", "yes"]),
        n_samples=10,
    )


X = np.array([[-1, 0], [-2, 2], [1, 0], [2, 1], [2, 2], [4, 0]], dtype=float)
Y = np.array(["no", "yes", "yes", None, "no", "new"], dtype=object)


def conditions(features, *given, allows_missing=True):
    rules = tuple(Rule((condition,)) for condition in given)
    inputs = Inputs(features, np.float64, allows_missing=allows_missing)
    return [str(one) for one in conditions_of(RuleList(rules, Rule(()), inputs))]


def test_of_two_opposite_conditions_one_is_counted():
    assert [str(one) for one in conditions_of(labels_list())] == ["a <= 0", "a <= 3", "b <= 1"]
    low, high = Condition(A, upper=0), Condition(A, lower=0)
    assert conditions((A,), low, high, allows_missing=False) == ["a <= 0"]
    assert conditions((A,), low, high) == ["a <= 0", "a > 0"]  # neither holds for a missing value
    assert conditions((A,), replace(low, missing=True), high) == ["a <= 0"]
    red, green = (Condition(C, categories=frozenset({code}), missing=code == 0) for code in (0, 1))
    assert len(conditions((A, C), red, green)) == 1


def test_rows_conditions_and_labels_are_counted():
    counts = Counts.of(labels_list(), X, Y)
    assert counts.fired.tolist() == [2, 2, 2]
    assert counts.held.tolist() == [2, 5, 4]
    assert counts.by_class.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 1]]
    assert (counts.n_rows, counts.refused, counts.has_targets) == (6, 0, True)
    assert not Counts.of(labels_list(), X).has_targets
    rate = counts.rate(labels_list(), 1)
    assert (rate.n, rate.mean) == (1, 1.0)


def test_counts_of_two_tables_add_up():
    parts = Counts.of(labels_list(), X[:4], Y[:4]) + Counts.of(labels_list(), X[4:], Y[4:])
    whole = Counts.of(labels_list(), X, Y)
    for name in ("fired", "held", "by_class"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()
    assert (parts + Counts.of(labels_list(), X)).by_class is None


def test_numbers_are_summed():
    rules = RuleList(
        (Rule((Condition(A, upper=0),), 1.0, 5, 0.5, spread=1.0),), Rule((), 2.0), Inputs((A,), np.float64)
    )
    x, y = np.array([[-1.0], [-2.0], [-3.0], [1.0]]), np.array([1.0, 2.0, 6.0, np.nan])
    counts = Counts.of(rules, x, y)
    assert counts.moments.tolist() == [[3, 9, 41], [0, 0, 0]]
    rate = counts.rate(rules, 0)
    assert (rate.n, rate.mean, rate.spread) == (3, 3.0, pytest.approx(y[:3].std(ddof=1)))
    assert np.isnan(counts.rate(rules, 1).mean)


def test_training_is_known_to_the_list():
    counts = Counts.of_training(labels_list())
    assert (counts.fired.tolist(), counts.held, counts.has_targets) == ([6, 4, 0], None, False)
    nameless = RuleList(labels_list().rules, labels_list().default, labels_list().inputs, labels_list().classes)
    with pytest.raises(InvalidDataError, match="does not know its training rows"):
        Counts.of_training(nameless)


ANSWER = [
    (None, "no", 3, 1, 1, 1),
    (-1, "new", 1, 0, 0, 1),
    (-1, "no", 1, 0, 1, 0),
    (0, "no", 1, 1, 1, 1),
    (0, "yes", 1, 1, 1, 0),
    (1, "yes", 1, 0, 1, 1),
    (1, None, 1, 0, 1, 1),
]


@pytest.mark.parametrize("form", [list, pd.DataFrame, lambda rows: [dict(enumerate(row)) for row in rows]])
def test_an_answer_of_a_database_is_read_in_any_form(form):
    counts, expected = Counts.read(labels_list(), form(ANSWER)), Counts.of(labels_list(), X, Y)
    for name in ("fired", "held", "by_class"):
        assert getattr(counts, name).tolist() == getattr(expected, name).tolist()
    assert counts.refused == 3


def test_labels_that_a_database_returns_as_strings_are_found():
    rules = RuleList(
        (Rule((Condition(A, upper=0),), True, 5, 0.5, (0.1, 0.9)),),
        Rule((), False, distribution=(0.5, 0.5)),
        Inputs((A,)),
        np.array([False, True]),
    )
    assert Counts.read(rules, [(0, "True", 4, 4), (0, 0, 3, 3)]).by_class.tolist() == [[3, 4, 0], [0, 0, 0]]


def test_yes_and_no_that_a_database_takes_for_booleans_are_found():
    answer = [(0, False, 2, 2, 2, 2), (1, True, 3, 0, 3, 3)]
    assert Counts.read(labels_list(), answer).by_class.tolist() == [[2, 0, 0], [0, 3, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([(0, "maybe", 2, 2, 2, 2)], "knows none of the labels that were counted, such as 'maybe'"),
        ([], "not the counts of this list"),
        ([(0, "no", 1)], "not the counts of this list"),
        ([(2, "no", 1, 1, 1, 1)], "a rule 2, which the list lacks"),
        (7, "a data frame or a list of rows; got int"),
    ],
)
def test_other_answers_are_refused(answer, message):
    with pytest.raises(InvalidDataError, match=message):
        Counts.read(labels_list(), answer)


def test_rows_and_targets_that_do_not_fit_are_refused():
    with pytest.raises(InvalidDataError, match=r"X has 6 rows, but y has shape \(2,\)"):
        Counts.of(labels_list(), X, Y[:2])
    with pytest.raises(InvalidDataError, match="knows none of the labels in y"):
        Counts.of(labels_list(), X, np.arange(6))
