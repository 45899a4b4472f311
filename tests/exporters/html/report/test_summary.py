"""A report has the sections that there are data for."""

import pytest
from reports import evil_list, fitted
from sklearn.ensemble import RandomForestClassifier

from hedgerow import InvalidDataError, InvalidParameterError
from hedgerow.exporters.html.report import summarize


def test_sections_without_data_are_empty():
    rules, X, y = fitted()
    report = summarize(rules.rule_list_)
    assert (report.pictures, report.qualities, report.budgets, report.cards) == (None, (), None, ())
    assert report.proof.n_candidates is None
    assert report.title == "A list of 5 rules"
    assert (report.classes, report.n_samples) == (("no", "perhaps", "yes"), 80)
    report = summarize(rules.rule_list_, estimator=rules, X_test=X[80:], y_test=y[80:], budgets=[2], title="a\nb")
    assert [quality.name for quality in report.qualities] == ["held-out"]
    assert report.what_if.samples.of == "held-out"
    assert report.proof.n_candidates == rules.problem_.n_rules
    assert len(report.cards) == 5
    assert report.budgets.lists[0].budget == 2
    assert report.title == "a\\nb"


def test_what_does_not_fit_together_is_refused():
    rules, X, y = fitted()
    rule_list = rules.rule_list_
    with pytest.raises(InvalidParameterError, match="give X as well"):
        summarize(rule_list, y=y)
    with pytest.raises(InvalidDataError, match="X_test has 120 samples, but there are 80"):
        summarize(rule_list, X_test=X, y_test=y[:80])
    with pytest.raises(InvalidParameterError, match="come from an estimator"):
        summarize(rule_list, budgets=[3])
    with pytest.raises(InvalidParameterError, match="no rule_list_"):
        summarize(rule_list, estimator=RandomForestClassifier())
    with pytest.raises(InvalidParameterError, match="different rule list"):
        summarize(evil_list(), estimator=rules)
