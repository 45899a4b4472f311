"""A report has the sections that there are data for."""

import re

import numpy as np
import pytest
from reports import evil_list, fitted
from rule_lists import KINDS
from sklearn.ensemble import RandomForestClassifier

from hedgerow import Condition, InvalidDataError, InvalidParameterError, Rule, RuleList, RuleListClassifier
from hedgerow._support.palette import MORE_CLASS_COLORS
from hedgerow.exporters.html.report import summarize
from hedgerow.features import Column, Inputs


def test_sections_without_data_are_empty():
    rules, X, y = fitted()
    report = summarize(rules.rule_list_)
    assert (report.pictures, report.qualities, report.budgets, report.cards) == (None, (), None, ())
    assert report.proof.n_candidates is None
    assert report.title == "What predicts the class: 5 rules"
    assert (report.standing, report.example) == (None, None)
    assert (report.classes, report.question.n_rows) == (("no", "perhaps", "yes"), 80)
    report = summarize(rules.rule_list_, estimator=rules, X_test=X[80:], y_test=y[80:], budgets=[2], title="a\nb")
    assert [quality.name for quality in report.qualities] == ["held-out"]
    assert report.what_if.samples.of == "held-out"
    assert report.proof.n_candidates == rules.problem_.n_rules
    assert len(report.cards) == 5
    assert report.budgets.lists[0].budget == 2
    assert report.title == "a\\nb"
    assert report.example.of == "held-out"


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


def test_without_leave_to_show_samples_no_value_of_a_sample_is_in_the_summary():
    rules, X, y = fitted()
    X = X + np.random.default_rng(0).normal(0, 1e-3, X.shape)  # values that do not occur by chance
    data = {"X": X[:80], "y": y[:80], "X_test": X[80:], "y_test": y[80:]}
    report = summarize(rules.rule_list_, estimator=rules, **data, show_samples=False)
    assert (report.what_if.samples, report.example) == (None, None)
    assert [card.ranges for card in report.cards] == [()] * 5
    assert report.standing.n_rows == 40
    page = rules.rule_list_.to_html(estimator=rules, **data, show_samples=False)
    shown = rules.rule_list_.to_html(estimator=rules, **data)
    values = {repr(value) for value in X.to_numpy().ravel().tolist()}
    assert sum(value in shown for value in values) >= 80
    assert not any(value in page for value in values)
    assert "It contains no rows of the data." in page


def test_typical_series_are_samples_too():
    model, X, y = KINDS["sktime"]()
    rules = RuleListClassifier(model, max_rules=6).fit(X, y)
    assert summarize(rules.rule_list_, X=X, y=y).pictures.examples is not None
    assert summarize(rules.rule_list_, X=X, y=y, show_samples=False).pictures.examples is None


@pytest.mark.parametrize("n_classes", [3, 12, 13, 40])
def test_no_two_classes_have_the_same_color_and_predicted_classes_have_theirs_first(n_classes):
    classes, predicted = [f"c{i:02}" for i in range(n_classes)], n_classes - 1
    shares = (1.0, *[0.0] * (n_classes - 1))
    a = Column(0, "a")
    rules = (Rule((Condition(a, upper=1),), classes[predicted], 1, 1.0, shares),)
    rule_list = RuleList(rules, Rule((), classes[0], distribution=shares), Inputs((a,)), np.array(classes))
    colored = summarize(rule_list).colored
    assert len(set(colored)) == len(colored) == min(n_classes, len(MORE_CLASS_COLORS))
    assert {0, predicted} <= set(colored)
    everything = rule_list.to_html(X=np.zeros((n_classes, 1)), y=classes).partition('id="quality"')[2]
    by_class = everything.partition("</table>")[0]
    of_class = re.findall(r'class="dot( hollow)?" style="--c:([^;]*);', by_class)
    named = [color for hollow, color in of_class if not hollow]
    assert len(of_class) == n_classes
    assert len(named) == len(set(named)) == len(colored)
    assert {color for hollow, color in of_class if hollow} <= {"var(--neutral)"}
