"""Scores, errors and residuals are those of scikit-learn and numpy."""

import numpy as np
import pytest
from reports import fitted
from rule_lists import numbers
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import accuracy_score, confusion_matrix, mean_squared_error, r2_score

from hedgerow import Condition, Rule, RuleList, RuleListRegressor
from hedgerow.exporters.html.report.quality import Confusion, Histogram, measure_all
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.features import Column, Inputs


def measured(rules, X, y, estimator, *parts):
    names = ["training", "held-out"][: len(parts)]
    samples = [
        Samples(name, rules.evaluate(X[part]), None if y is None else y[part])
        for name, part in zip(names, parts, strict=True)
    ]
    return measure_all(rules, samples, estimator)


def test_scores_and_errors_are_those_of_scikit_learn():
    rules, X, y = fitted()
    parts = slice(0, 80), slice(80, None)
    for quality, rows in zip(measured(rules.rule_list_, X, y, rules, *parts), parts, strict=True):
        predicted = rules.predict(X[rows])
        assert quality.n_samples == len(predicted)
        (score,) = quality.scores
        assert (score.name, score.of_list) == ("accuracy", accuracy_score(y[rows], predicted))
        assert score.of_ensemble == rules.ensemble_.score(X[rows], y[rows])
        assert score.of_default == np.mean(y[rows] == rules.rule_list_.default.prediction)
        counts = confusion_matrix(y[rows], predicted, labels=rules.classes_)
        assert quality.confusion.counts == tuple(map(tuple, counts))
        assert quality.confusion.labels == tuple(rules.classes_)
        differs = np.mean(predicted != rules.ensemble_.predict(X[rows]))
        assert quality.fidelity[0] == ("predictions that differ from the ensemble's", pytest.approx(differs))


def test_errors_of_regression_are_those_of_scikit_learn():
    X, _ = numbers(80)
    y = X[:, 0] + X[:, 1] ** 2
    rules = RuleListRegressor(RandomForestRegressor(8, max_depth=3, random_state=0), max_rules=5).fit(X[:60], y[:60])
    parts = slice(0, 60), slice(60, None)
    qualities = measured(rules.rule_list_, X, y, rules, *parts)
    for quality, rows in zip(qualities, parts, strict=True):
        r2, mse = quality.scores
        assert r2.of_list == pytest.approx(r2_score(y[rows], rules.predict(X[rows])))
        assert mse.of_list == pytest.approx(mean_squared_error(y[rows], rules.predict(X[rows])))
        assert mse.of_ensemble == pytest.approx(mean_squared_error(y[rows], rules.ensemble_.predict(X[rows])))
        assert mse.of_default == pytest.approx(np.mean((y[rows] - y[:60].mean()) ** 2))
        assert sum(quality.residuals.counts) == len(y[rows])
    assert qualities[0].residuals.edges == qualities[1].residuals.edges


def test_without_targets_there_is_only_fidelity_and_without_an_estimator_nothing():
    rules, X, _ = fitted()
    (quality,) = measured(rules.rule_list_, X, None, rules, slice(None))
    assert (quality.scores, quality.confusion, quality.residuals) == ((), None, None)
    assert len(quality.fidelity) == 5
    assert measured(rules.rule_list_, X, None, None, slice(None)) == ()


def test_the_rarest_of_many_classes_are_grouped():
    a, n = Column(0, "a"), 15
    rules = tuple(Rule((Condition(a, i - 1, i),), i, 1, 1 / n, tuple(np.eye(n)[i])) for i in range(n))
    rule_list = RuleList(rules, Rule((), 0, distribution=(1.0, *[0.0] * (n - 1))), Inputs((a,)), np.arange(n))
    y = np.repeat(np.arange(n + 1), 3 + np.arange(n + 1))  # the list does not know the class 15
    predicted = np.minimum(y, n - 1)
    (quality,) = measured(rule_list, predicted[:, None].astype(float), y, None, slice(None))
    assert quality.confusion.labels == (*map(str, range(3, n)), "others")
    counts = np.array(quality.confusion.counts)
    assert counts.sum() == len(y)
    assert counts.diagonal().tolist() == [*(3 + np.arange(3, n)), 3 + 4 + 5]
    assert counts[-1, -2] == (y == n).sum()


def test_long_names_make_way_for_numbers_sooner_if_there_are_many():
    def is_numbered(n_classes, length):
        return Confusion(("w" * length, *["a"] * (n_classes - 1)), ()).is_numbered

    assert [is_numbered(2, 12), is_numbered(2, 13), is_numbered(5, 6), is_numbered(5, 7)] == [False, True, False, True]


def test_a_histogram_counts_every_finite_value():
    histogram = Histogram.of(np.array([0.0, 1.0, 1.0, 4.0, np.nan, np.inf]), n_bins=4)
    assert histogram == Histogram((0.0, 1.0, 2.0, 3.0, 4.0), (1, 2, 0, 1))
    assert sum(Histogram.of(np.array([7.0, 7.0])).counts) == 2  # of one value
    assert Histogram.of(np.array([]), extent=(0, 1)).counts == (0,)
    assert Histogram.of(np.array([5.0]), n_bins=2, extent=(0, 4)).counts == (0, 1)  # at the end of the scale
