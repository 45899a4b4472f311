"""The page finds the same smallest changes as hedgerow.evidence.reasons, and trying one changes the prediction."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reports import data_of, fitted, full_report, list_with_categories, typed
from rule_lists import UNKNOWN_VALUES
from sklearn.ensemble import RandomForestRegressor

from hedgerow import Condition, Rule, RuleList, RuleListRegressor
from hedgerow.evidence import reasons
from hedgerow.evidence.cell_values import easier
from hedgerow.features import Column, Inputs

TOLD = """(rows) => rows.map((row) => {
  row.forEach((value, i) => {
    const input = document.getElementById(`field-${i}`);
    if (input.tagName === "SELECT") input.selectedIndex = value;
    else input.value = value;
  });
  document.getElementById("try").dispatchEvent(new Event("input", {bubbles: true}));
  return [...document.querySelectorAll("#verdict dd[data-answer]")].flatMap((answer) =>
    [...answer.querySelectorAll("li")].map((way) =>
      [answer.dataset.answer, Number(way.dataset.rule), Number(way.dataset.cost), JSON.parse(way.dataset.values)]));
})"""


def expected(rule_list, form, row, reference):
    """What Python finds, with positions of fields and options as the page has them."""
    found = []
    names = [field["label"] for field in form["fields"]]
    for other in reasons(rule_list, row, reference=reference).others:
        assert other.is_complete
        answer = other.answer if rule_list.task.has_labels else f"a {other.answer} number"
        for change in other.changes:
            values = []
            for part in change.columns:
                field = form["fields"][names.index(part.column)]
                is_choice = field["kind"] == "choice"
                values.append(
                    [names.index(part.column), field["options"].index(part.value) if is_choice else part.value]
                )
            found.append([answer, change.rule, change.distance, values])
    return found


def check_same_changes(page, html, rule_list, X, reference=None):
    form = data_of(html)["form"]
    told = page.evaluate(TOLD, typed(form, rule_list, X))
    assert sum(map(len, told)) > len(X) / 2
    for i, found in enumerate(told):
        assert found == expected(rule_list, form, X.iloc[[i]], reference)


def test_the_page_finds_what_python_finds(open_page):
    rules, X, _ = fitted()
    check_same_changes(open_page(full_report()), full_report(), rules.rule_list_, X, X[:80])
    without = rules.rule_list_.to_html()
    check_same_changes(open_page(without), without, rules.rule_list_, X[::5])


@pytest.mark.filterwarnings(UNKNOWN_VALUES)
def test_missing_values_categories_and_integers_are_treated_alike(open_page):
    rule_list, X, y = list_with_categories()
    rows = X.copy()
    rows.iloc[::5, 0], rows.iloc[::3, 1], rows.iloc[1::4, 2] = np.nan, np.nan, None
    html = rule_list.to_html(X=X, y=y)
    check_same_changes(open_page(html), html, rule_list, rows, X)


def test_numbers_have_higher_and_lower_answers_on_the_page(open_page):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 3)), columns=["a", "b", "c"])
    y = X["a"] + X["b"] ** 2
    model = RandomForestRegressor(8, max_depth=3, random_state=0)
    rule_list = RuleListRegressor(model, max_rules=5).fit(X, y).rule_list_
    html = rule_list.to_html(X=X, y=y)
    check_same_changes(open_page(html), html, rule_list, X, X)


def test_trying_a_change_leads_to_the_prediction_that_it_promises(open_page):
    page = open_page(full_report())
    for k in range(1, 30, 5):  # the first is "your own values"
        page.locator("#sample").select_option(index=k)
        for n in range(page.locator("#verdict .ways button").count()):
            page.locator("#sample").select_option(index=k)
            way = page.locator("#verdict .ways li").nth(n)
            rule = way.get_attribute("data-rule")
            (first, _), *_ = json.loads(way.get_attribute("data-values"))
            way.locator("button").click()
            assert page.locator("#verdict").get_attribute("data-rule") == rule
            assert page.evaluate("document.activeElement.id") == f"field-{first}"
            assert page.locator("#sample option:checked").inner_text() == "your own values"


def test_only_checked_values_change(open_page):
    rules, X, _ = fitted()
    page, form = open_page(full_report()), data_of(full_report())["form"]
    names = [field["label"] for field in form["fields"]]
    page.locator("details.may summary").click()
    page.locator("#may-0").uncheck()
    assert page.locator("#sample option:checked").inner_text() != "your own values"
    told = page.evaluate(TOLD, typed(form, rules.rule_list_, X[:40]))
    for i, found in enumerate(told):
        others = reasons(rules.rule_list_, X.iloc[[i]], reference=X[:80], changeable=names[1:]).others
        assert [cost for _, _, cost, _ in found] == [change.distance for one in others for change in one.changes]
    for i in range(1, len(names)):
        page.locator(f"#may-{i}").uncheck()
    assert page.locator("#verdict .ways").count() == 0
    assert "no change leads there" in page.locator("#verdict .changes").inner_text()


def test_of_many_classes_the_nearest_are_shown_and_the_others_folded(open_page):
    a, names = Column(0, "a"), [*"ABCDEFG"]
    rules = tuple(Rule((Condition(a, float(i), float(i + 1)),), name, 1, 0.1) for i, name in enumerate(names))
    page = open_page(RuleList(rules, Rule((), "A"), Inputs((a,), np.float64), np.array(names), 10).to_html())
    page.locator("#field-0").fill("4.5")
    shown = page.locator("#verdict .changes dd:visible")
    assert [one.get_attribute("data-answer") for one in shown.all()] == [*"DFC"]
    page.locator("#verdict .changes summary").click()
    assert [one.get_attribute("data-answer") for one in shown.all()] == [*"DFCGAB"]
    page.locator("#field-0").fill("5.5")
    assert shown.count() == 6  # as the reader has left it


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(
            st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.1, 2.45, 1e-40, 99.99995, 1e22]),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        min_size=20,
    )
)
def test_easy_numbers_are_the_same_in_both_languages(open_page, drawn):
    cases = [(near, center, *sorted((near, 2 * near - center))) for near, center in drawn]
    cases = [case for case in cases if np.isfinite(case).all()]
    page = open_page(full_report())
    script = page.evaluate("document.scripts[document.scripts.length - 1].textContent")
    made = script[script.index("  function easier") : script.index("  // The numbers on either side")]
    asked = f"(cases) => {{ const FARTHER = 0.01; {made} return cases.map((one) => easier(...one)); }}"
    assert page.evaluate(asked, cases) == [easier(*case) for case in cases]
