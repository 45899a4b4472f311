"""The report says how far list and model agree, and where they differ."""

import re

import numpy as np
import pytest
from reports import faithful_list, faithful_report, fitted
from rule_lists import numbers
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeClassifier

from hedgerow import RuleListRegressor
from hedgerow.evidence.company import Surrogate, grow_surrogate
from hedgerow.exporters.html.report import summarize


def test_the_figures_are_those_of_the_model_on_held_out_rows():
    rules, model, X, y = faithful_list()
    data = {"X": X[:200], "y": y[:200], "X_test": X[200:], "y_test": y[200:]}
    found = summarize(rules.rule_list_, estimator=rules, **data).faithfulness
    said, expected = rules.predict(X[200:]), model.predict(X[200:])
    assert (found.whole, found.of, found.n_rows) == ("model", "held-out", len(said))
    assert found.overall.value == np.mean(said == expected)
    fired = rules.apply(X[200:])
    for one in found.by_rule:
        rows = fired == int(one.of.removeprefix("rule ")) - 1
        assert (one.n_samples, one.value) == (rows.sum(), np.mean((said == expected)[rows]))
    for one in found.by_class:
        rows = expected == one.name
        assert (one.agreement.n_samples, one.agreement.value) == (rows.sum(), np.mean((said == expected)[rows]))
    assert sum(one.agreement.n_samples for one in found.by_class) == len(said)
    assert len(found.found) == np.sum(said != expected)


def test_a_page_about_a_faithful_list_has_the_section_first_and_speaks_of_the_model():
    page, (rules, model, X, _) = faithful_report(), faithful_list()
    share = np.mean(rules.predict(X[200:]) == model.predict(X[200:]))
    assert page.index('id="faithful"') < page.index('id="score"') < page.index('id="list"')
    assert re.search(rf"{100 * share:.1f}\u00a0%</strong> The list predicts the class that the model predicts", page)
    assert "the model that the list explains" in page
    assert "Fidelity to the model" in page
    assert "Where they differ" in page
    text = re.sub(r"<style>.*?</style>|<script.*", "", page, flags=re.DOTALL)
    assert "the whole ensemble" not in text
    assert rules.disagreements(X[200:]).places[0].conditions.split(" ")[0] in text.partition("Where they differ")[2]


def test_a_surrogate_tree_stands_beside_the_list_as_the_command_line_prints_it():
    rules, model, X, y = faithful_list()
    tested = {"X_test": X[200:], "y_test": y[200:]}
    found = summarize(rules.rule_list_, estimator=rules, X=X[:200], y=y[:200], **tested).faithfulness
    tree = DecisionTreeClassifier(max_leaf_nodes=len(rules.rule_list_), random_state=0)
    said = tree.fit(X[:200], model.predict(X[:200])).predict(X[200:])
    assert found.surrogate == Surrogate(tree.get_n_leaves(), np.mean(said == model.predict(X[200:])))
    assert found.surrogate == grow_surrogate(rules, X[:200], X[200:])
    page = rules.rule_list_.to_html(estimator=rules, X=X[:200], y=y[:200], **tested)
    share = f"{100 * found.surrogate.agreement:.1f}\u00a0%"
    assert f"with {tree.get_n_leaves()} leaves, grown on the model’s predictions, agrees with it on {share}." in page
    assert summarize(rules.rule_list_, estimator=rules, **tested).faithfulness.surrogate is None


@pytest.mark.parametrize("knows", [True, False])
def test_nothing_is_promised_for_new_rows_if_the_model_was_trained_on_the_held_out_ones(knows):
    rules, model, X, _ = faithful_list()
    y = model.predict(X)  # it makes no errors on these
    if not knows:
        y = np.where(np.arange(len(y)) % 10, y, np.roll(y, 1))
        assert np.mean(model.predict(X[200:]) == y[200:]) < 0.99
    data = {"X": X[:200], "y": y[:200], "X_test": X[200:], "y_test": y[200:]}
    assert summarize(rules.rule_list_, estimator=rules, **data).faithfulness.knows_rows == knows
    page = rules.rule_list_.to_html(estimator=rules, **data)
    assert ("probably trained on them" in page) == knows
    assert ("its own figure is too good" in page) == knows
    assert page.lower().count("on many new rows") == (0 if knows else 2)


def test_other_lists_have_it_among_the_details():
    rules, X, y = fitted()
    page = rules.rule_list_.to_html(estimator=rules, X=X[:80], y=y[:80])
    assert 'id="faithful"' not in page
    assert page.index("Fidelity to the ensemble") < page.index("Agreement with the ensemble, rule by rule")
    assert summarize(rules.rule_list_, estimator=rules, X=X).faithfulness.of == "training"
    assert summarize(rules.rule_list_, X=X, y=y).faithfulness is None
    assert summarize(rules.rule_list_, estimator=rules).faithfulness is None


def test_of_numbers_there_are_r2_and_differences_of_the_size_of_the_target():
    X, _ = numbers(120)
    y = 3 * X[:, 0] + X[:, 1]
    model = SVR(C=10).fit(X, y)
    rules = RuleListRegressor.faithful(model, max_rules=3, random_state=0).fit(X, y)
    found = summarize(rules.rule_list_, estimator=rules, X=X, y=y).faithfulness
    off, fired = rules.predict(X) - model.predict(X), rules.apply(X)
    assert found.overall.value == pytest.approx(1 - np.mean(off**2) / np.var(model.predict(X)))
    assert found.by_class == ()
    assert [one.value for one in found.by_rule] == pytest.approx(
        [np.sqrt(np.mean(off[fired == i] ** 2)) for i in range(len(rules.rule_list_))]
    )
    page = rules.rule_list_.to_html(estimator=rules, X=X, y=y)
    assert f"R² {found.overall.value:.2f}</strong>" in page
    assert f"has R² {found.surrogate.agreement:.2f} to it" in page
    assert "No rows were held out, so this says little about new ones: expect less agreement there." in page
