"""Scores, errors and residuals are those of scikit-learn and numpy."""

import numpy as np
import pytest
from reports import fitted
from rule_lists import numbers
from scipy.stats import binomtest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import accuracy_score, confusion_matrix, mean_squared_error, r2_score, recall_score

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.constraints import MinRecall
from hedgerow.exporters.html.report import quality as quality_module
from hedgerow.exporters.html.report.quality import Histogram, measure_all
from hedgerow.exporters.html.report.samples import Samples
from hedgerow.losses import cost_matrix


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
        assert quality.confusion.truths == tuple(rules.classes_)
        shown = [rules.classes_.tolist().index(name) for name in quality.confusion.columns]
        assert quality.confusion.counts == tuple(map(tuple, counts[:, shown]))
        assert counts[:, shown].sum() == len(predicted)
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


def test_of_many_rows_the_ensemble_is_asked_about_some(monkeypatch):
    rules, X, y = fitted()
    monkeypatch.setattr(quality_module, "MOST_ASKED", 30)
    (quality,) = measured(rules.rule_list_, X, y, rules, slice(0, 80))
    assert (quality.n_samples, quality.n_compared) == (80, 30)
    (score,) = quality.scores
    assert score.of_list == accuracy_score(y[:80], rules.predict(X[:80]))  # of all rows
    assert score.of_ensemble is None
    page = rules.rule_list_.to_html(estimator=rules, X=X[:80], y=y[:80])
    assert "The ensemble was asked about 30 of the 80 training rows, drawn at random." in page


def test_a_histogram_counts_every_finite_value():
    histogram = Histogram.of(np.array([0.0, 1.0, 1.0, 4.0, np.nan, np.inf]), n_bins=4)
    assert histogram == Histogram((0.0, 1.0, 2.0, 3.0, 4.0), (1, 2, 0, 1))
    assert sum(Histogram.of(np.array([7.0, 7.0])).counts) == 2  # of one value
    assert Histogram.of(np.array([]), extent=(0, 1)).counts == (0,)
    assert Histogram.of(np.array([5.0]), n_bins=2, extent=(0, 4)).counts == (0, 1)  # at the end of the scale


def test_a_recall_that_was_asked_for_is_shown_on_held_out_rows_with_its_interval():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 3))
    y = np.where(X[:, 0] + rng.normal(0, 0.7, 600) > 1.5, "ill", "well")
    train, test = slice(0, 300), slice(300, None)
    rules = RuleListClassifier(
        RandomForestClassifier(20, max_depth=2, random_state=0),
        max_rules=4,
        candidates="nodes",
        loss=cost_matrix([[0, 10], [1, 0]]),
        constraints=[MinRecall({"ill": 0.9})],
    ).fit(X[train], y[train])
    assert recall_score(y[train], rules.predict(X[train]), pos_label="ill") >= 0.9
    seen = recall_score(y[test], rules.predict(X[test]), pos_label="ill")
    n_ill = int((y[test] == "ill").sum())
    low, high = binomtest(round(seen * n_ill), n_ill).proportion_ci(method="wilson")
    data = {"X": X[train], "y": y[train], "X_test": X[test], "y_test": y[test]}
    html = rules.rule_list_.to_html(estimator=rules, **data).replace("\N{NO-BREAK SPACE}", " ")
    assert f"{100 * seen:.1f} %<br>" in html
    assert f"{100 * low:.1f} % to {100 * high:.1f} %" in html
    assert "What the list had to satisfy is counted on the training rows; this is how it does on others" in html
    # On the training rows, an interval would say nothing about others.
    alone = rules.rule_list_.to_html(estimator=rules, X=X[train], y=y[train])
    assert "of 100 cases" not in alone.split("Precision: of")[1][:400]
