"""Intervals end at the errors that counting gives, and cover at least what they promise."""

from dataclasses import replace

import numpy as np
import pytest

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow.evidence import PredictionIntervals, conformal
from hedgerow.evidence.prediction_intervals import merged
from hedgerow.features import Column, Inputs

A = Column(0, "a")


def list_of_numbers(shares=(0.5, 0.4, 0.1)):
    """Rules i < a <= i + 1 that predict 10 i; above the last, no rule matches, and 5 is predicted."""
    rules = tuple(
        Rule((Condition(A, lower=float(i), upper=i + 1.0),), 10.0 * i, 10, share, spread=1.0)
        for i, share in enumerate(shares)
    )
    return RuleList(rules, Rule((), 5.0), Inputs((A,), np.float64), n_samples=100)


def drawn(sizes, seed=0):
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(len(sizes)), sizes)
    return (place + 0.5)[:, None], 10.0 * place + rng.normal(size=len(place)) * (1 + place)


def test_the_ends_are_the_errors_that_a_person_counts():
    X, y = np.full((19, 1), 0.5), np.arange(19.0)
    found = conformal(list_of_numbers((1.0,)), X, y, random_state=None)
    # Of 20 rows, 2 may be missed: the one below the least of 19, and the one above the largest.
    assert found.predict_interval([[0.5]]).tolist() == [[0.0, 18.0]]
    found = conformal(list_of_numbers((1.0,)), np.full((59, 1), 0.5), np.arange(59.0), random_state=None)
    assert found.predict_interval([[0.5]]).tolist() == [[2.0, 56.0]]
    found = conformal(list_of_numbers((1.0,)), X, y, 0.5, random_state=None)
    assert found.predict_interval([[0.5]]).tolist() == [[4.0, 14.0]]


@pytest.mark.parametrize("n", [19, 24, 38])
@pytest.mark.parametrize("digits", [9, 0])
@pytest.mark.parametrize("level", [0.8, 0.9])
def test_each_row_left_out_in_turn_is_covered_as_often_as_promised(n, digits, level):
    """Whichever of n + 1 rows is the new one is equally likely, so the mean over them is the coverage itself."""
    _, y = drawn([n + 1])
    y = y.round(digits)
    X = np.random.default_rng(1).uniform(0.01, 0.99, size=(n + 1, 1))
    coarse = X.round()  # 0 or 1
    rules, plain, found_in, coarse_in = list_of_numbers((1.0,)), [], [], []
    for i in range(n + 1):
        rest = np.arange(n + 1) != i
        found = conformal(rules, X[rest], y[rest], level, random_state=None)
        plain.append(found.contains(X[i : i + 1], y[i : i + 1])[0])
        for x, several in ((X, found_in), (coarse, coarse_in)):
            found = conformal(rules, x[rest], y[rest], level)
            several.append(found.contains(x[i : i + 1], y[i : i + 1])[0])
    assert min(np.mean(plain), np.mean(found_in), np.mean(coarse_in)) >= level - 1e-9
    if digits:  # the number of rows is rounded up
        assert np.mean(plain) < level + 1 / (n + 1)
    else:
        assert np.mean(found_in) <= np.mean(plain)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("by_rule", [True, False])
def test_intervals_keep_their_promise_for_a_column_of_two_values_and_targets_of_five(seed, by_rule):
    """All rows of a rule are equal, so that they have one draw, and many errors are equal, too."""
    rng = np.random.default_rng(seed)

    def rows(n):
        place = rng.integers(0, 2, size=n)
        return place[:, None] + 0.5, 10.0 * place + rng.choice(5, size=n, p=[0.3, 0.2, 0.2, 0.2, 0.1])

    rules = list_of_numbers((0.5, 0.5))
    shares = [
        conformal(rules, *rows(600), 0.7, by_rule=by_rule, random_state=seed).contains(*rows(600)).mean()
        for _ in range(20)
    ]
    assert np.mean(shares) > 0.7 - 3 * np.std(shares) / np.sqrt(20)


def test_errors_that_only_rounding_tells_apart_are_the_same():
    targets = np.repeat([1.0, 2.0, 3.0, 4.0], 25)
    predictions = targets - np.array([0.1, 0.2, 0.1, 0.3])[np.arange(100) % 4]
    errors = targets - predictions
    found = merged(errors, targets)
    assert len(np.unique(errors)) > 3
    assert len(np.unique(found)) == 3
    assert np.abs(found - errors).max() < 1e-12
    assert (merged(np.array([1.0, 1.0 + 1e-9]), np.array([5.0, 5.0])) == [1.0, 1.0 + 1e-9]).all()


def test_drawn_intervals_lie_within_those_that_are_not_and_go_with_the_row():
    rules = list_of_numbers((0.6, 0.4))
    rng = np.random.default_rng(0)
    X = rng.uniform(0.01, 1.99, size=(300, 1))
    y = rng.normal(size=300).round()
    found, plain = conformal(rules, X, y), conformal(rules, X, y, random_state=None)
    ends, widest = found.predict_interval(X), plain.predict_interval(X)
    assert (ends[:, 0] >= widest[:, 0] - 1e-8).all()
    assert (ends[:, 1] <= widest[:, 1] + 1e-8).all()
    assert len(np.unique(ends[X[:, 0] < 1], axis=0)) > 1
    assert (found.predict_interval(X[::-1])[::-1] == ends).all()
    assert len(np.unique(widest, axis=0)) == 2


def test_rules_with_many_rows_have_intervals_of_their_own_and_small_ones_share_theirs():
    X, y = drawn([500, 400, 100])
    found = conformal(list_of_numbers((0.5, 0.46, 0.04)), X, y)
    assert found.groups.tolist() == [1, 0, 0, 0]
    found = replace(found, random_state=None)
    width = np.diff(found.predict_interval([[0.5], [1.5], [2.5], [7.0]]))[:, 0]
    assert width[0] == pytest.approx(2 * 1.645, abs=0.5)
    assert width[1] == pytest.approx(width[2]) == pytest.approx(width[3])
    assert width[1] > 4
    assert [row.split()[-2:] for row in str(found).splitlines()[1:4]] == [["by", "itself"], *[["small", "rules"]] * 2]
    assert [len(one) for one in found.errors] == [500, 400, 100, 0]
    pooled = conformal(list_of_numbers((0.5, 0.46, 0.04)), X, y, by_rule=False, random_state=None)
    assert len(np.unique(np.diff(pooled.predict_interval(X)).round(9))) == 1
    assert "with all rules" in str(pooled)
    frame = found.to_frame()
    assert frame["rows"].tolist() == [500, 400, 100]
    assert (frame["below"] < frame["above"]).all()


def test_rows_that_no_rule_matches_are_seen_as_all_rows_if_no_rule_is_small():
    X, y = drawn([500, 400, 100])
    found = conformal(list_of_numbers(), X, y)
    assert found.groups.tolist() == [1, 2, 3, 0]
    pooled = conformal(list_of_numbers(), X, y, by_rule=False)
    assert found.predict_interval([[9.0]]).tolist() == pooled.predict_interval([[9.0]]).tolist()


def test_a_rule_without_rows_has_an_interval_without_ends():
    X, y = drawn([500, 0, 400])
    found = conformal(list_of_numbers((0.3, 0.4, 0.3)), X, y)
    assert found.predict_interval([[1.5]]).tolist() == [[-np.inf, np.inf]]
    assert "−∞ to ∞" in str(found)


def test_intervals_come_back_from_json_with_their_list():
    X, y = drawn([500, 400, 100])
    found = conformal(list_of_numbers(), X, y, 0.8)
    again = PredictionIntervals.from_json(found.to_json())
    assert str(again) == str(found)
    assert again.sentences() == found.sentences()
    assert (again.predict_interval(X) == found.predict_interval(X)).all()
    with pytest.raises(InvalidDataError, match="errors must be 4 lists of errors"):
        PredictionIntervals.from_json(found.to_json().replace('"errors": [[', '"errors": [[], ['))
    with pytest.raises(InvalidDataError, match="draws must be lists of draws, one for each error"):
        PredictionIntervals.from_json(found.to_json().replace('"draws": [[', '"draws": [[0.5, '))


def test_targets_of_another_length_are_refused():
    X, y = drawn([100])
    with pytest.raises(InvalidDataError, match="X has 100 rows, but y has shape"):
        conformal(list_of_numbers((1.0,)), X, y).contains(X, y[:3])


def test_targets_that_are_not_numbers_are_refused_with_what_they_are():
    X, y = drawn([100])
    found = conformal(list_of_numbers((1.0,)), X, y)
    with pytest.raises(InvalidDataError, match="intervals are for numbers, but y contains 'q', 'r'"):
        found.contains(X[:3], [1.0, "q", "r"])
