"""What is said about each rule is what counting by hand and other libraries say, and bad input is refused in words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import fisher_exact
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.svm import SVC

from hedgerow import (
    Condition,
    InvalidDataError,
    InvalidParameterError,
    Rule,
    RuleList,
    RuleListClassifier,
)
from hedgerow.evidence import validate
from hedgerow.features import Column, Inputs

A, B = Column(0, "a"), Column(1, "b")


def labels_list(times=1):
    """Three rules, of which the second and the third overlap."""
    return RuleList(
        rules=(
            Rule((Condition(A, upper=0),), "no", 50 * times, 0.5, (0.9, 0.1)),
            Rule((Condition(A, lower=0), Condition(B, upper=1)), "yes", 30 * times, 0.3, (0.2, 0.8)),
            Rule((Condition(A, lower=0), Condition(B, lower=0)), "yes", 20 * times, 0.2, (0.25, 0.75)),
        ),
        default=Rule((), "no", distribution=(0.6, 0.4)),
        inputs=Inputs((A, B), np.float64),
        classes=np.array(["no", "yes"]),
        n_samples=100 * times,
    )


def rows():
    """Return rows and labels: 4 of the first rule, 3 of the second, one of these of the third as well, and 2 of it."""
    X = np.array([[-1, 0], [-2, 0], [-3, 5], [-1, 1], [1, -1], [2, -1], [1, 0.5], [1, 2], [1, 3]], dtype=float)
    y = np.array(["no", "no", "no", "yes", "yes", "yes", "no", "yes", "no"])
    return X, y


def test_coverage_rates_and_matches_are_those_that_a_person_counts():
    found = validate(labels_list(), *rows())
    assert [row.n_rows for row in found.rules] == [4, 3, 2]
    assert [row.coverage.value for row in found.rules] == pytest.approx([4 / 9, 3 / 9, 2 / 9])
    assert [row.value.value for row in found.rules] == pytest.approx([3 / 4, 2 / 3, 1 / 2])
    assert [row.value_in_training for row in found.rules] == [0.9, 0.8, 0.75]
    assert [one.value for one in found.rules[1].shares] == pytest.approx([1 / 3, 2 / 3])
    assert (found.n_rows, found.n_several, found.n_none) == (9, 1, 0)
    assert found.score.value == pytest.approx(accuracy_score(rows()[1], labels_list().predict(rows()[0])))
    # Of the five rows that are not of the first rule, two are "no".
    assert found.rules[0].of_rest == pytest.approx(2 / 5)
    assert [row.nearest for row in found.rules] == [3, 3, 2]
    assert found.rules[1].of_nearest == pytest.approx(1 / 2)


def test_each_test_is_fishers_of_the_counts_and_all_are_corrected_together():
    found = validate(labels_list(), *rows())
    raw = [
        fisher_exact([[4, 5], [50, 50]]).pvalue,
        fisher_exact([[3, 1], [45, 5]]).pvalue,
        fisher_exact([[3, 1], [2, 3]]).pvalue,
        fisher_exact([[3, 1], [1, 2]]).pvalue,
    ]
    p = found.rules[0].p
    # Twelve tests, none of which is anywhere near: every product with 12, 11, ... is above 1.
    assert min(raw) * 6 > 1
    assert (p.coverage, p.training, p.rest, p.nearest) == (1, 1, 1, 1)
    many = [np.repeat(part, 100, axis=0) for part in rows()]
    p = validate(labels_list(), *many).rules[0].p
    alone = fisher_exact([[300, 100], [45, 5]]).pvalue
    assert alone <= p.training <= 12 * alone


def test_rows_of_no_rule_come_last_and_have_no_training():
    rules = replace(labels_list(), rules=labels_list().rules[:1])
    found = validate(rules, *rows())
    assert (found.rules[-1].rule, found.rules[-1].n_rows, found.n_none) == (0, 5, 5)
    assert found.rules[-1].value.value == pytest.approx(2 / 5)
    assert np.isnan(found.rules[-1].value_in_training)
    assert found.rules[0].nearest == 0
    assert np.isnan(found.rules[0].p.nearest)


def test_weights_count_as_rows_and_rows_of_weight_zero_do_not_count():
    X, y = rows()
    weight = np.array([1, 1, 0, 1, 2, 1, 1, 1, 1.0])
    found = validate(labels_list(), X, y, weight)
    assert found.n_rows == 8
    assert [row.value.value for row in found.rules] == pytest.approx([2 / 3, 3 / 4, 1 / 2])
    assert found.score.value == pytest.approx(accuracy_score(y, labels_list().predict(X), sample_weight=weight))
    same = validate(labels_list(), X, y, np.full(9, 3.0))
    assert same.rules[0].value == validate(labels_list(), X, y).rules[0].value
    wider = validate(labels_list(), X, y, np.array([1, 1, 1, 9, 1, 1, 1, 1, 1.0])).score
    plain = validate(labels_list(), X, y).score
    assert wider.high - wider.low > plain.high - plain.low


def numbers_list():
    return RuleList(
        rules=(
            Rule((Condition(A, upper=0),), 1.0, 60, 0.6, spread=1.0),
            Rule((Condition(A, lower=0),), 3.0, 40, 0.4, spread=2.0),
        ),
        default=Rule((), 1.8, spread=2.0),
        inputs=Inputs((A,), np.float64),
        n_samples=100,
    )


def test_numbers_are_measured_by_their_means():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 1))
    y = np.where(X[:, 0] > 0, 4.0, 1.0) + rng.normal(size=300)
    found = validate(numbers_list(), X, y)
    high = y[X[:, 0] > 0]
    assert found.rules[1].value.value == pytest.approx(high.mean())
    assert found.rules[1].value.low == pytest.approx(high.mean() - 1.98 * high.std() / np.sqrt(len(high)), abs=0.03)
    assert found.score.value == pytest.approx(r2_score(y, numbers_list().predict(X)))
    assert [found.verdict(row) for row in found.rules] == ["holds", "higher"]
    assert found.rules[0].p.rest < 0.05
    assert "R² is" in found.sentences()[0]
    assert found.calibration_error == pytest.approx(np.mean(np.where(X[:, 0] > 0, high.mean() - 3, 0)), abs=0.1)


@pytest.mark.parametrize("n", range(1, 40))
def test_if_all_rows_are_right_that_is_what_is_written(n):
    X, weight = np.random.default_rng(n).normal(size=(n, 2)), np.random.default_rng(0).uniform(size=n)
    right = labels_list().predict(X)
    for found in (validate(labels_list(), X, right), validate(labels_list(), X, right, weight)):
        assert found.score.value == 1.0
        assert found.sentences()[0].startswith("The prediction is right for 100.0 % of ")
        assert ">99.9 %" not in str(found)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 13, 100])
@pytest.mark.parametrize("constant", [7.0, 0.1, 151.3, -1e9])
def test_r2_of_targets_that_do_not_vary_is_not_defined(n, constant):
    X = np.random.default_rng(0).normal(size=(n, 1))
    found = validate(numbers_list(), X, np.full(n, constant))
    assert np.isnan(found.score.value)
    assert found.sentences()[0].endswith("for which R² is not defined.")


def test_targets_whose_squares_are_too_large_are_refused():
    with pytest.raises(InvalidDataError, match=r"numbers of size 2e\+300, whose squares are too large"):
        validate(numbers_list(), [[-1.0], [1.0]], [1e300, 2e300])


def test_the_interval_of_r2_is_as_wide_as_resampled_rows_make_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 1))
    y = np.where(X[:, 0] > 0, 3.0, 1.0) + rng.normal(size=400)
    score, said = validate(numbers_list(), X, y).score, numbers_list().predict(X)
    draws = [rng.integers(400, size=400) for _ in range(400)]
    spread = np.std([r2_score(y[rows], said[rows]) for rows in draws])
    assert score.high - score.low == pytest.approx(2 * 1.96 * spread, rel=0.15)


def test_a_mean_of_many_rows_that_moved_far_is_found_however_many_rules_are_tested():
    rules = RuleList(
        tuple(
            Rule((Condition(A, lower=float(i), upper=i + 1.0),), float(i), 2000, 0.02, spread=1.0) for i in range(50)
        ),
        Rule((), 25.0, spread=15.0),
        Inputs((A,), np.float64),
        n_samples=100_000,
    )
    which = np.repeat(np.arange(50), np.where(np.arange(50) == 7, 1500, 20))
    y = which + np.random.default_rng(0).normal(size=len(which)) + 0.5 * (which == 7)
    found = validate(rules, which[:, None] + 0.5, y)
    assert [row.rule for row in found.rules if found.verdict(row) != "holds"] == [8]
    assert found.rules[7].p.training < 1e-20


def test_a_median_is_not_compared_with_a_mean():
    rules = numbers_list()
    rules = replace(rules, rules=tuple(replace(rule, kind="median") for rule in rules))
    found = validate(rules, np.array([[1.0], [2.0], [-1.0], [-2.0]]), np.array([3.0, 4.0, 1.0, 0.0]))
    assert all(np.isnan(row.value_in_training) and np.isnan(row.p.training) for row in found.rules)
    assert np.isnan(found.calibration_error)


def test_stated_probabilities_are_compared_with_shares():
    found = validate(labels_list(), *rows())
    apart = [abs(0.9 - 3 / 4), abs(0.8 - 2 / 3), abs(0.75 - 1 / 2)]
    assert found.calibration_error == pytest.approx(np.dot(apart, [4 / 9, 3 / 9, 2 / 9]))
    spreads = np.sqrt([0.9 * 0.1 / 4, 0.8 * 0.2 / 3, 0.75 * 0.25 / 2])
    assert found.calibration_by_chance == pytest.approx(np.sqrt(2 / np.pi) * np.dot(spreads, [4 / 9, 3 / 9, 2 / 9]))


def fitted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + rng.normal(0, 0.5, 200) > 0, "p", "q")
    forest = RandomForestClassifier(5, max_depth=2, random_state=0)
    return RuleListClassifier(forest, max_rules=3, random_state=0).fit(X[:120], y[:120]), X, y


def test_an_estimator_is_validated_as_its_list_is():
    rules, X, y = fitted()
    assert str(validate(rules, X[120:], y[120:])) == str(validate(rules.rule_list_, X[120:], y[120:]))


def test_labels_that_the_list_does_not_know_count_as_wrong():
    X, y = rows()
    y = np.where(np.arange(9) == 0, "perhaps", y)
    with pytest.warns(UserWarning, match=r"labels that the list does not know: perhaps\. 1 of 9 rows count as wrong"):
        found = validate(labels_list(), X, y)
    assert found.unknown == (("perhaps", 1),)
    assert found.rules[0].value.value == pytest.approx(2 / 4)
    assert "1 row has the class perhaps, which the list does not know." in found.sentences()


def test_one_row_and_rules_without_rows_are_told_as_such():
    X, y = rows()
    found = validate(labels_list(), X[:1], y[:1])
    assert [row.n_rows for row in found.rules] == [1, 0, 0]
    assert (found.rules[1].value.low, found.rules[1].value.high) == (0.0, 1.0)
    assert [found.verdict(row) for row in found.rules] == ["holds", "no rows", "no rows"]
    assert "Rule 2 is not tested: it decides none of these rows." in found.sentences()
    one = validate(numbers_list(), [[1.0]], [2.0])
    assert one.sentences()[0] == "There is 1 row, for which R² is not defined."
    assert (one.rules[1].value.low, one.rules[1].value.high) == (-np.inf, np.inf)
    assert "∞" in str(one)
    assert found.sentences()[1] == one.sentences()[1] == "It matches one rule."
    assert "100.0 % of its 1 row is no" in found.sentences()[3]
    assert "2 is the mean of 1 row (" in one.sentences()[4]
    # The spread of one row is not known, so neither is what chance gives.
    assert one.sentences()[2] == "Predictions and means differ by 1 on average over the rows."


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        (rows()[0], [0, 1] * 4 + [1], {}, r"knows none of the labels in y, which are 0, 1\. It knows: 'no', 'yes'"),
        (rows()[0], rows()[1][:5], {}, "X has 9 rows, but there are 5 targets"),
        (rows()[0], ["no", None] * 4 + ["no"], {}, "missing value in 4 of 9 rows"),
        (rows()[0][:0], rows()[1][:0], {}, "no rows|0 sample"),
        (rows()[0], rows()[1], {"weight": np.ones(3)}, r"weight must have shape \(9,\); got \(3,\)"),
        (rows()[0], rows()[1], {"weight": -np.ones(9)}, "finite numbers of at least 0"),
        (rows()[0], rows()[1], {"weight": ["x"] * 9}, "weight must contain numbers"),
        (pd.DataFrame({"a": [1.0]}), ["no"], {}, "b"),
    ],
)
def test_rows_that_do_not_fit_are_refused(X, y, options, message):
    with pytest.raises(InvalidDataError, match=message):
        validate(labels_list(), X, y, **options)


def test_what_is_not_a_list_and_levels_that_are_none_are_refused():
    with pytest.raises(InvalidParameterError, match="this SVC has none"):
        validate(SVC(), *rows())
    with pytest.raises(InvalidParameterError, match="level must be a number"):
        validate(labels_list(), *rows(), level=95)


def test_where_the_ensemble_decides_the_rate_is_how_often_it_is_right():
    rules, X, y = fitted()
    forest = rules.forest_
    only_first = replace(rules.rule_list_, rules=rules.rule_list_.rules[:1], fallback=forest)
    found = validate(only_first, X[120:], y[120:])
    rest = only_first.apply(X[120:]) < 0
    right = forest.predictions(X[120:])[rest] == y[120:][rest]
    assert found.rules[-1].value.value == pytest.approx(right.mean())


def drawn_list(rng, n, rate):
    """Return four rules of very different sizes, of which each has this rate in training."""
    sizes = rng.multinomial(n, [0.5, 0.3, 0.15, 0.05])
    shares = rng.binomial(sizes, rate) / sizes
    rules = tuple(
        Rule((Condition(A, i, i + 1),), "yes", int(size), size / n, (1 - share, share), class_share=share)
        for i, (size, share) in enumerate(zip(sizes, shares, strict=True))
    )
    default = Rule((), "yes", distribution=(0.5, 0.5))
    return RuleList(rules, default, Inputs((A,), np.float64), np.array(["no", "yes"]), n_samples=n)


def drawn_rows(rng, n, rates):
    which = rng.choice(4, n, p=[0.5, 0.3, 0.15, 0.05])
    return which[:, None] + 0.5, np.where(rng.uniform(size=n) < np.array(rates)[which], "yes", "no")


def test_where_nothing_differs_hardly_any_list_is_said_to_differ():
    rng, alarms = np.random.default_rng(0), 0
    for _ in range(200):
        found = validate(drawn_list(rng, 200, 0.7), *drawn_rows(rng, 200, [0.7] * 4))
        tests = [p for row in found.rules for p in (row.p.coverage, row.p.training, row.p.rest, row.p.nearest)]
        alarms += min(p for p in tests if not np.isnan(p)) < 0.05
    assert alarms <= 0.05 * 200


def test_a_small_rule_that_moves_by_ten_points_is_found_among_many_rows():
    rng, hits = np.random.default_rng(0), 0
    for _ in range(40):
        found = validate(drawn_list(rng, 20_000, 0.75), *drawn_rows(rng, 20_000, [0.75, 0.75, 0.75, 0.65]))
        hits += found.verdict(found.rules[3]) == "lower"
    assert hits >= 0.9 * 40
