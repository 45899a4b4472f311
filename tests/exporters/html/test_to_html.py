"""The report opens in a browser without network and without errors, and answers as the list itself does."""

import json
import os
import re
import shutil
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rule_lists import KINDS, drawn_lists, numbers, table
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import accuracy_score, confusion_matrix, mean_squared_error, r2_score

from hedgerow import (
    Condition,
    InvalidDataError,
    InvalidParameterError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListClassifierCV,
    RuleListRegressor,
    budget_path,
)
from hedgerow.exporters.html.report import summarize
from hedgerow.exporters.html.report.what_if import MOST_SAMPLES
from hedgerow.features import Category, Column, Inputs, IntervalStatistic, SeriesInputs, ShapeletDistance

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
EVIL = "<script>alert(1)</script>"
WORSE = "</script><!--<img src=x onerror=alert(1)>&amp;\"'"


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI has no chromium; .ci/run installs it")
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Return a function that opens HTML; at the end nothing may have been loaded or complained about."""
    path, trouble, pages = tmp_path / "report.html", [], {}

    def new_page(options):
        page = browser.new_page(offline=True, **options)
        page.set_default_timeout(60_000)  # other tests run beside
        page.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: trouble.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: request.url == path.as_uri() or trouble.append(request.url))
        return page

    def open_html(html, **options):
        path.write_text(html, encoding="utf-8")
        page = pages.setdefault(str(options), None) or new_page(options)
        pages[str(options)] = page
        page.goto(path.as_uri())
        return page

    yield open_html
    for page in pages.values():
        page.close()
    assert trouble == []


@cache
def fitted():
    X, y = numbers(120)
    X = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    labels = np.array(["no", "yes", "perhaps"])[y + (X["b"].to_numpy() > 1)]
    forest = RandomForestClassifier(10, max_depth=4, random_state=0).fit(X[:80], labels[:80])
    rules = RuleListClassifier(forest, max_rules=5, candidates="nodes").fit(X[:80], labels[:80])
    return rules, X, labels


@cache
def full_report():
    rules, X, y = fitted()
    return rules.rule_list_.to_html(
        title="All sections", estimator=rules, X=X[:80], y=y[:80], X_test=X[80:], y_test=y[80:], budgets=range(1, 7)
    )


# What is asked and answered in the browser

ASK = """(rows) => {
  const said = [];
  const verdict = document.getElementById("verdict");
  for (const row of rows) {
    row.forEach((value, i) => {
      const input = document.getElementById(`field-${i}`);
      if (input.tagName === "SELECT") input.selectedIndex = value;
      else input.value = value;
    });
    document.getElementById("try").dispatchEvent(new Event("input", {bubbles: true}));
    const fired = [...verdict.querySelectorAll(":scope > .conditions > li")];
    said.push([verdict.dataset.rule ?? verdict.textContent, fired.map((item) => item.dataset.value),
               fired.every((item) => item.className === "holds")]);
  }
  return said;
}"""


def data_of(html):
    """The data block, read as a parser of HTML reads it."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1])


def typed(form, rule_list, X):
    """What a person would type for each sample: the shortest digits of each number; missing is left empty."""
    rows = []
    for row in X.itertuples(index=False) if hasattr(X, "itertuples") else X:
        cells = []
        for field in form["fields"]:
            value = row[[str(name) for name in rule_list.inputs.names].index(field["label"])]
            is_missing = value is None or value != value
            if field["kind"] == "choice":
                words = field["options"]
                text = "(missing)" if is_missing else str(value)
                cells.append(words.index(text) if text in words else words.index("(another value)"))
            else:
                cells.append("" if is_missing else repr(float(value)))
        rows.append(cells)
    return rows


def check_same_rule(page, html, rule_list, X):
    form = data_of(html)["form"]
    said = page.evaluate(ASK, typed(form, rule_list, X))
    assert [int(rule) for rule, _, _ in said] == rule_list.apply(X).tolist()
    assert all(whole for _, _, whole in said)


def on_thresholds(rule_list, X, seed=0):
    """Random rows of X with many values on a threshold, or one step beside it in either precision."""
    rng = np.random.default_rng(seed)
    rows = X.iloc[rng.integers(0, len(X), 200)].reset_index(drop=True)
    for condition in {c for rule in rule_list for c in rule.conditions if c.categories is None}:
        for threshold in (condition.lower, condition.upper):
            if np.isfinite(threshold):
                single = np.float32(threshold)
                near = [threshold, np.nextafter(threshold, np.inf), np.nextafter(threshold, -np.inf), single]
                near += [np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf))]
                where = rng.random(len(rows)) < 0.15
                rows.loc[where, rows.columns[condition.feature.index]] = rng.choice(near, where.sum()).astype(float)
    return rows


def test_the_form_names_the_rule_that_apply_names_on_and_beside_thresholds(open_page):
    rules, X, _ = fitted()
    rows = on_thresholds(rules.rule_list_, X)
    assert len(np.unique(rules.rule_list_.apply(rows))) >= 4
    check_same_rule(open_page(full_report()), full_report(), rules.rule_list_, rows)


def test_the_form_agrees_on_missing_values_and_categories(open_page):
    X, y = table(120)
    X = X.rename(columns={'the\n"age"': "age", "größe, {cm}": "size"})
    X["color"] = X["color"].cat.rename_categories(["red", "blue", "green"])
    model = HistGradientBoostingClassifier(max_iter=6, max_depth=3, min_samples_leaf=3)
    model.set_params(categorical_features="from_dtype").fit(X, y)
    rule_list = RuleListClassifier(model, max_rules=7).fit(X, y).rule_list_
    assert any(c.categories is not None for rule in rule_list for c in rule.conditions)
    rows = on_thresholds(rule_list, X)
    rows.iloc[::5, 0], rows.iloc[::3, 1], rows.iloc[1::4, 2] = np.nan, np.nan, None
    html = rule_list.to_html(X=X, y=y)
    check_same_rule(open_page(html), html, rule_list, rows)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=drawn_lists())
def test_the_form_agrees_for_drawn_lists_of_all_kinds_of_columns(open_page, drawn):
    rule_list, X = drawn
    html = rule_list.to_html()
    form = data_of(html)["form"]
    fields, features = form["fields"], form["features"]
    names = [feature["name"] for feature in features]
    used = list(dict.fromkeys(c.feature for rule in rule_list for c in rule.simplified))
    assert len(names) == len(used)
    rows = []
    for row in X.tolist():
        cells = [None] * len(fields)
        for made, feature in zip(features, used, strict=True):
            value = row[feature.index]
            if isinstance(feature, Category):
                code = feature.compute(np.array([[None] * feature.index + [value]], dtype=object))[0]
                codes = [float(code) for code in made["codes"]]
                cells[made["field"]] = next(i for i, c in enumerate(codes) if c == code or (c != c and code != code))
            else:
                cells[made["field"]] = "" if np.isnan(value) else repr(float(value))
        rows.append(cells)
    said = open_page(html).evaluate(ASK, rows)
    assert [int(rule) for rule, _, _ in said] == rule_list.apply(X).tolist()


SERIES = [
    kind for kind in ("wildboar shapelets", "wildboar regression", "wildboar intervals", "sktime") if kind in KINDS
]


@pytest.mark.parametrize("kind", SERIES)
def test_the_form_computes_distances_and_statistics_to_the_last_bit(open_page, kind):
    model, X, y = KINDS[kind]()
    estimator = RuleListRegressor if y.dtype.kind == "f" else RuleListClassifier
    rules = estimator(model, max_rules=6).fit(X, y)
    html = rules.rule_list_.to_html(estimator=rules, X=X, y=y)
    form, new = data_of(html)["form"], np.concatenate([X, X[::-1] + np.roll(X, 3, axis=-1)])
    dimensions = [int(field["label"].rpartition(" ")[2]) if "dim" in field["label"] else 0 for field in form["fields"]]
    assert all(field["kind"] == "series" for field in form["fields"])
    series = new[:, None] if new.ndim == 2 else new
    rows = [[" ".join(map(repr, one[d].tolist())) for d in dimensions] for one in series]
    page = open_page(html)
    said = page.evaluate(ASK, rows)
    fired = rules.rule_list_.apply(new)
    assert [int(rule) for rule, _, _ in said] == fired.tolist()
    used = {c.feature for rule in rules.rule_list_ for c in rule.conditions}
    values = rules.rule_list_.inputs.values(new, used)
    for i, (rule, numbers_, _) in enumerate(said):
        if fired[i] >= 0:
            expected = [values[c.feature][i] for c in rules.rule_list_[int(rule)].simplified]
            assert [float(number) for number in numbers_] == [float(number) for number in expected]
    assert page.locator("path.shapelet, rect.shade").count() > 0


def test_what_is_no_number_is_said_and_names_no_rule(open_page):
    page = open_page(full_report())
    for text, complaint in (
        ("1,5", "is not a number"),
        ("1e60", "too large"),
        ("abc", "abc"),
        ("constructor", "is not a number"),
    ):
        page.locator("#field-0").fill(text)
        assert complaint in page.locator("#verdict .problems").inner_text()
        assert page.locator("#field-0").get_attribute("aria-invalid") == "true"
        assert page.locator("#verdict").get_attribute("data-rule") is None
    page.locator("#field-0").fill(" 1.5 ")
    assert page.locator("#verdict .headline").inner_text().startswith("Rule ")
    page = open_page(evil_list().to_html())  # takes no missing values
    page.locator("#field-0").fill("")
    assert page.locator("#verdict .problems").inner_text() == f"Enter a number for {EVIL}."


def test_the_form_says_why_the_other_rules_do_not_fire(open_page):
    rules, X, _ = fitted()
    page = open_page(full_report())
    form = data_of(full_report())["form"]
    row = X.iloc[[3]]
    page.evaluate(ASK, typed(form, rules.rule_list_, row))
    (first,) = rules.rule_list_.apply(row)
    values = rules.rule_list_.inputs.values(row, {c.feature for rule in rules.rule_list_ for c in rule.conditions})
    assert [item.text_content() for item in page.locator("#verdict > .conditions .text").all()] == [
        condition.describe(rules.rule_list_.digits) for condition in rules.rule_list_[first].simplified
    ]
    page.locator("#verdict summary").click()
    for i, rule in enumerate(rules.rule_list_):
        if i != first:
            failing = [
                c.describe(rules.rule_list_.digits) for c in rule.simplified if not c.holds(values[c.feature])[0]
            ]
            item = page.locator(f'#verdict .others > li[value="{i + 1}"]')
            assert [text.text_content() for text in item.locator(".text").all()] == failing
            assert failing


SAID = """(texts) => texts.map((text) => {
  document.getElementById("field-0").value = text;
  document.getElementById("try").dispatchEvent(new Event("input", {bubbles: true}));
  const item = document.querySelector("#verdict .conditions li");
  return [item.className, item.querySelector(".text").textContent, item.querySelector(".value").textContent.trim()];
})"""


def is_true(text, value):
    """Whether a number lies where a written condition on "a" says."""
    return bool(eval(re.sub(r"\ba\b", f"({value})", text)))


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.floats(-1e3, 1e3) | st.floats(0.79995, 0.80005), st.sampled_from([np.float32, np.float64]), st.booleans())
def test_a_condition_is_true_of_the_value_beside_it_as_both_are_written(open_page, bound, dtype, is_between):
    a = Column(0, "a")
    rules = (Rule((Condition(a, bound - 1 if is_between else -np.inf, bound),), 1.0, 1, 1.0),)
    page = open_page(RuleList(rules, Rule((), 0.0), Inputs((a,), dtype)).to_html())
    steps = (0, 1e-9, 1e-6, 3e-5, 1e-3, 0.06)
    values = [bound + sign * step for sign in (1, -1) for step in steps] + [np.nextafter(bound, np.inf), bound - 1]
    for kind, text, shown in page.evaluate(SAID, [repr(float(value)) for value in values]):
        assert is_true(text, shown) == (kind == "holds"), (text, shown)


def test_the_digits_of_the_list_are_shown_where_they_are_enough(open_page):
    a = Column(0, "a")
    rules = (Rule((Condition(a, upper=0.80000123),), 1.0, 1, 1.0),)
    page = open_page(RuleList(rules, Rule((), 0.0), Inputs((a,), np.float64)).to_html())
    said = page.evaluate(SAID, ["0.5", "0.8000001", "0.80000122", "0.80000124", "0.80001"])
    assert said == [
        ["holds", "a <= 0.8", "0.5"],
        ["holds", "a <= 0.800001", "0.8"],
        ["holds", "a <= 0.80000123", "0.800001"],
        ["fails", "a <= 0.8", "0.800001"],
        ["fails", "a <= 0.8", "0.80001"],
    ]


def test_an_edited_sample_is_no_longer_called_by_its_name(open_page):
    page, samples = open_page(full_report()), data_of(full_report())["samples"]
    assert page.locator("#sample option:checked").inner_text().startswith(f"training sample {samples['row'][0]} ")
    page.locator("#field-0").fill("0.123")
    assert page.locator("#sample option:checked").inner_text() == "your own values"
    assert page.locator("#field-0").input_value() == "0.123"
    page.locator("#sample").select_option(index=3)
    assert float(page.locator("#field-0").input_value()) == samples["values"][0][2]
    page.locator("#sample").select_option(index=0)  # keeps what is there
    assert float(page.locator("#field-0").input_value()) == samples["values"][0][2]


def test_why_not_another_rule_is_open_if_no_rule_fires_or_the_reader_opened_it(open_page):
    a = Column(0, "a")
    rules = tuple(Rule((Condition(a, i, i + 1),), float(i), 1, 0.5) for i in range(2))
    page = open_page(RuleList(rules, Rule((), 9.0), Inputs((a,), np.float64)).to_html())

    def is_open(value):
        page.locator("#field-0").fill(value)
        page.wait_for_timeout(50)  # the event of an opened element comes later
        return page.evaluate("document.querySelector('#verdict details').open")

    assert [is_open(value) for value in ("0.5", "7", "1.5")] == [False, True, False]
    page.locator("#verdict summary").press("Enter")
    assert [is_open(value) for value in ("0.5", "7", "1.5")] == [True, True, True]
    page.locator("#verdict summary").click()
    assert [is_open(value) for value in ("0.5", "7", "1.5")] == [False, False, False]


def test_the_list_says_where_missing_values_go_that_training_never_saw():
    def words(inputs, has_missing=False):
        feature = Column(0, "a", has_missing=has_missing)
        rules = (Rule((Condition(feature, upper=1, missing=True),), 1.0), Rule((Condition(feature, lower=1),), 2.0))
        listing = summarize(RuleList(rules, Rule((), 0.0), inputs)).listing
        return [" ".join(row.conditions[0]).strip() for row in listing.rules], listing.says_missing

    a = Column(0, "a")
    assert words(Inputs((a,), allows_missing=True)) == (["a <= 1 or missing", "a > 1"], True)
    assert words(Inputs((a,), allows_missing=True), has_missing=True) == (["(a <= 1 or missing)", "a > 1"], False)
    assert words(Inputs((a,))) == (["a <= 1", "a > 1"], False)
    assert words(Inputs((a,), allows_missing=True, complete=frozenset({a}))) == (["a <= 1", "a > 1"], False)


def test_the_report_says_once_how_dimensions_and_steps_are_counted():
    mean, rise = IntervalStatistic(1, 2, 4, "mean"), ShapeletDistance(1, (0.0, 1.0), name="dist(x1, s1)")
    for feature, n_dimensions, said in (
        (mean, 2, "Dimensions and steps of a series are counted from 0"),
        (rise, 2, "Dimensions of a series are counted from 0."),
        (replace(mean, dimension=0, name="mean(x[2:4])"), 1, "Steps of a series are counted from 0"),
        (replace(rise, dimension=0), 1, None),
    ):
        inputs = SeriesInputs((feature,), np.float64, n_dimensions=n_dimensions, length=5)
        html = RuleList((Rule((Condition(feature, upper=1),), 1.0),), Rule((), 0.0), inputs).to_html()
        assert html.count("counted from 0") == (said is not None)
        assert said is None or said in html


def test_the_nearest_stored_sample_tells_what_the_ensemble_said(open_page):
    rules, X, y = fitted()
    page, data = open_page(full_report()), data_of(full_report())
    said = rules.ensemble_.predict(X[:80])
    for k in (0, 17, 60):
        row = data["samples"]["row"][k]
        page.evaluate(ASK, typed(data["form"], rules.rule_list_, X.iloc[[row]]))
        box = page.locator("#verdict .nearest")
        labels = [field["label"] for field in data["form"]["fields"]]
        nearest = int(box.get_attribute("data-row"))
        assert X[labels].iloc[nearest].tolist() == X[labels].iloc[row].tolist()  # it may have a twin
        texts = [dd.inner_text() for dd in box.locator("dd").all()]
        assert texts[0].startswith(said[nearest])
        assert texts[2] == y[nearest]


# The slider


def test_the_slider_shows_the_list_that_is_solved_for_each_budget(open_page):
    rules, X, y = fitted()
    page = open_page(full_report())
    slider = page.locator("#budget")
    assert page.locator(".budget:visible").get_attribute("data-budget") == "5"
    slider.focus()
    page.keyboard.press("Home")
    for budget in range(1, 7):
        panel = page.locator(".budget:visible")
        assert panel.count() == 1
        assert panel.get_attribute("data-budget") == str(budget)
        assert page.locator("#budget-label").inner_text() == slider.get_attribute("aria-valuetext")
        alone = RuleListClassifier(rules.ensemble_, max_rules=budget, candidates="nodes").fit(X[:80], y[:80])
        expected = [
            (
                " and ".join(
                    c.describe(alone.rule_list_.digits) + " ∅(or missing)" * c.missing for c in rule.simplified
                ),
                rule,
            )
            for rule in alone.rule_list_
        ]
        rows = panel.locator("tbody tr").all()
        assert len(rows) == len(expected) + 1
        for row, (text, rule) in zip(rows, expected, strict=False):
            assert " ".join(row.locator(".if").text_content().split()) == (text or "always")
            assert row.locator("strong").text_content() == rule.prediction
            assert row.locator(".figures").text_content().split()[0] == str(rule.coverage)
        accuracy = accuracy_score(y[80:], alone.predict(X[80:]))
        assert f"accuracy {100 * accuracy:.1f}\u00a0% held-out" in panel.locator(".measures").text_content()
        page.keyboard.press("ArrowRight")


def test_an_estimator_gives_the_list_of_any_solution_of_its_problem():
    rules, X, y = fitted()
    assert rules.list_of(rules.solution_).rules == rules.rule_list_.rules
    (solution,) = budget_path(rules.problem_, [3])
    alone = RuleListClassifier(rules.ensemble_, max_rules=3, candidates="nodes").fit(X[:80], y[:80])
    assert rules.list_of(solution).rules == alone.rule_list_.rules
    by_folds = RuleListClassifierCV(rules.ensemble_, max_rules=[3, 4], cv=2).fit(X[:80], y[:80])
    assert by_folds.list_of(by_folds.solution_).rules == by_folds.rule_list_.rules


def test_budgets_without_a_list_are_named():
    X, y = numbers()
    rules = RuleListClassifier(RandomForestClassifier(3, max_depth=3, random_state=0), candidates="leaves").fit(X, y)
    found = summarize(rules.rule_list_, estimator=rules, budgets=[1, 8]).budgets
    assert [one.budget for one in found.lists] == [8]
    ((budget, reason),) = found.skipped
    assert budget == 1
    assert "budget 1" in rules.rule_list_.to_html(estimator=rules, budgets=[1, 8])
    assert reason


# Names are text


def evil_list():
    a, b = Column(0, EVIL), Category(1, WORSE, (EVIL, WORSE, "plain"))
    rules = (
        Rule((Condition(a, upper=5), Condition(b, categories=frozenset({0, 1}))), EVIL, 6, 0.6, (0.25, 0.75)),
        Rule((Condition(a, lower=5),), WORSE, 4, 0.4, (1.0, 0.0)),
    )
    inputs = Inputs((a, b), np.float64, columns=(EVIL, WORSE), has_names=True)
    return RuleList(rules, Rule((), EVIL, distribution=(0.5, 0.5)), inputs, np.array([WORSE, EVIL]), 10)


def test_names_that_are_markup_stay_text(open_page):
    X = np.array([[1.0, EVIL], [7.0, "plain"], [3.0, WORSE]], dtype=object)
    html = evil_list().to_html(title=EVIL, X=X, y=np.array([EVIL, WORSE, EVIL]))
    page = open_page(html)
    assert page.locator("h1").text_content() == EVIL
    assert page.title() == EVIL
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == 0
    assert page.locator("label[for=field-0]").text_content().strip() == EVIL
    assert page.locator("#field-1 option").first.text_content() == EVIL
    said = page.evaluate(ASK, [["1", 0], ["7", 2], ["1", 2]])
    assert [int(rule) for rule, _, _ in said] == [0, 1, -1]
    assert EVIL in page.locator("#verdict").text_content()
    assert page.locator("#list tbody strong").first.text_content() == EVIL


def test_the_policy_of_the_page_lets_no_other_script_run(browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(full_report().replace("<main>", "<main><script>window.ran = true</script>"), encoding="utf-8")
    page = browser.new_page()
    refused = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(path.as_uri())
    assert page.evaluate("window.ran") is None
    assert page.locator("#verdict .headline").count() == 1
    page.close()
    assert any("Content Security Policy" in text for text in refused)


def test_names_that_are_no_unicode_can_be_written(tmp_path):
    a = Column(0, "\ud800 a\nb")
    rules = (Rule((Condition(a, upper=1.0),), 1.0, 1, 1.0, spread=0.0),)
    path = tmp_path / "report.html"
    RuleList(rules, Rule((), 2.0, spread=1.0), Inputs((a,))).to_html(path)
    assert "\\ud800 a\\nb &lt;= 1" in path.read_text(encoding="utf-8")


# Looks, keyboard, paper


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_needs_no_sideways_scrolling(open_page, scheme):
    X, y = numbers()
    X = pd.DataFrame(X, columns=[f"a_name_that_does_not_end_{'and_goes_on_' * 4}{i}" for i in range(4)])
    labels = np.array(["the class " + "w" * 40, "another class of many words that needs several lines"])[y]
    rules = RuleListClassifier(RandomForestClassifier(5, max_depth=3, random_state=0), max_rules=6).fit(X, labels)
    html = rules.rule_list_.to_html(estimator=rules, X=X, y=labels, budgets=[5, 6, 7])
    for one in (html, full_report()):
        page = open_page(one, viewport={"width": 360, "height": 740}, color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0] < 100")
        assert dark == (scheme == "dark")


@pytest.mark.parametrize(
    ("names", "classes"),
    [
        (["Temperature, MAXIMUM (°C), by www.example.org", "second"], ["hypothermia MMMM", "none"]),
        (
            ["収縮期血圧の入院時の三回測定の平均値（ミリメートル水銀柱）", "나이와 키와 몸무게의 평균"],
            ["低リスク：" * 9, "高"],
        ),
        (["w" * 200, "W" * 100], ["m_" * 100, "🌲" * 40]),
        (["ارتفاع ضغط الدم " * 4, "Ω≤…—ﬃ" * 9], ["उच्च रक्तचाप " * 5, "สูงมาก" * 9]),
    ],
    ids=["latin", "east", "endless", "others"],
)
def test_texts_of_the_tree_fit_their_boxes(open_page, names, classes):
    first, second = columns = tuple(Column(i, name) for i, name in enumerate(names))
    rules = (
        Rule((Condition(first, upper=36.6123),), classes[0], 50, 0.5, (0.9, 0.1)),
        Rule((Condition(first, lower=36.6123), Condition(second, upper=1e-7)), classes[1], 30, 0.3, (0.2, 0.8)),
        Rule((Condition(first, lower=36.6123), Condition(second, lower=1e-7)), classes[1], 20, 0.2, (0.1, 0.9)),
    )
    rule_list = RuleList(rules, Rule((), classes[1]), Inputs(columns), np.array(classes), 100)
    overflowing = """[...document.querySelectorAll("svg.tree g")].flatMap((g) => {
      const box = g.querySelector("rect").getBBox();
      return [...g.querySelectorAll("text")].filter((t) => t.getBBox().x + t.getBBox().width > box.x + box.width);
    }).length"""
    page = open_page(rule_list.to_html())
    assert page.evaluate("document.querySelectorAll('svg.tree g.leaf').length") == 3
    assert page.evaluate(overflowing) == 0
    whole = {*classes, *(c.describe(rule_list.digits) for c in rules[1].simplified)}
    for box in page.locator("svg.tree g").all():
        lines = "".join(box.locator("text").all_text_contents())
        assert " ... " not in lines or box.locator("title").text_content() in whole


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("n_classes", [2, 4, 13])
def test_counts_of_the_confusion_matrix_are_seen_beside_long_names(open_page, width, n_classes):
    a, names = (
        Column(0, "a"),
        np.array([f"{i:02} " + "a class with a long name " * 8 + "w" * 50 for i in range(n_classes)]),
    )
    shares = np.eye(n_classes)
    rules = tuple(
        Rule((Condition(a, i - 1, i),), name, 1, 1 / n_classes, tuple(shares[i])) for i, name in enumerate(names)
    )
    rule_list = RuleList(rules, Rule((), names[0], distribution=tuple(shares[0])), Inputs((a,)), names, n_classes)
    X, y = np.arange(n_classes, dtype=float)[:, None], names
    page = open_page(rule_list.to_html(X=X, y=y, X_test=X, y_test=y), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    table_, box = page.locator(".confusion").first, page.locator(".confusion").locator("..").first
    size, room = table_.bounding_box(), box.bounding_box()
    if n_classes < 13 or width > 360:  # else it scrolls, and the names stay
        assert size["width"] <= room["width"]
    assert size["height"] < 110 * (n_classes + 1)
    box.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    for cell in (table_.locator("tbody tr").last.locator("td").last, table_.locator("tbody th").last):
        seen = cell.bounding_box()
        assert room["x"] - 1 <= seen["x"]
        assert seen["x"] + seen["width"] <= room["x"] + room["width"] + 1
    titles = [name.get_attribute("title") for name in table_.locator("tbody th > span").all()]
    assert titles == [*names[:12], *["others"] * (n_classes > 12)]
    assert [name.get_attribute("title") for name in table_.locator("thead th > span").all()] == titles


def test_the_keyboard_reaches_slider_and_form(open_page):
    page = open_page(full_report())
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    for name in ("budget", "sample", "field-0", "field-1"):
        assert name in reached
    unnamed = page.evaluate(
        "[...document.querySelectorAll('input, select, textarea')].filter((e) => !e.labels.length).length"
    )
    assert unnamed == 0


def test_on_paper_all_lists_are_shown_and_nothing_to_click(open_page):
    page = open_page(full_report())
    page.emulate_media(media="print")
    assert page.locator(".budget:visible").count() == 6
    assert page.locator(".card:visible").count() == 5
    for name in ("#budget", "#what-if", "nav"):
        assert not page.locator(name).is_visible()


def test_without_script_everything_but_the_form_is_there(open_page):
    page = open_page(full_report(), java_script_enabled=False)
    assert page.locator(".budget:visible").count() == 6
    assert not page.locator("#try").is_visible()


class _Outline(HTMLParser):
    """Checks that what is opened is closed, and collects ids."""

    EMPTY = frozenset({"meta", "link", "input", "br", "img", "rect", "path", "line", "circle"})

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.EMPTY:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_startendtag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_markup_is_whole_and_links_stay_in_the_page():
    outline = _Outline()
    outline.feed(full_report())
    outline.close()
    assert not outline.open
    assert len(set(outline.ids)) == len(outline.ids)
    for link in outline.links:
        assert link == "data:," or link.removeprefix("#") in outline.ids


# What is said


def test_scores_and_errors_are_those_of_scikit_learn():
    rules, X, y = fitted()
    given_ = {"X": X[:80], "y": y[:80], "X_test": X[80:], "y_test": y[80:]}
    report = summarize(rules.rule_list_, estimator=rules, **given_)
    for quality, rows in zip(report.qualities, (slice(0, 80), slice(80, None)), strict=True):
        said = rules.predict(X[rows])
        assert quality.scores[0].of_list == accuracy_score(y[rows], said)
        assert quality.scores[0].of_ensemble == rules.ensemble_.score(X[rows], y[rows])
        assert quality.confusion.counts == tuple(map(tuple, confusion_matrix(y[rows], said, labels=rules.classes_)))
        assert quality.confusion.labels == tuple(rules.classes_)
    assert report.proof.n_candidates == rules.problem_.n_rules
    shares = [rule.coverage / 80 for rule in rules.rule_list_]
    assert [card.share for card in report.cards] == pytest.approx(shares)
    assert [card.classes for card in report.cards] == [pytest.approx(rule.distribution) for rule in rules.rule_list_]


def test_errors_of_numbers_are_those_of_scikit_learn(open_page):
    X, _ = numbers(80)
    y = X[:, 0] + X[:, 1] ** 2
    rules = RuleListRegressor(RandomForestRegressor(8, max_depth=3, random_state=0), max_rules=5).fit(X[:60], y[:60])
    given_ = {"X": X[:60], "y": y[:60], "X_test": X[60:], "y_test": y[60:]}
    report = summarize(rules.rule_list_, estimator=rules, **given_)
    for quality, rows in zip(report.qualities, (slice(0, 60), slice(60, None)), strict=True):
        r2, mse = quality.scores
        assert r2.of_list == pytest.approx(r2_score(y[rows], rules.predict(X[rows])))
        assert mse.of_list == pytest.approx(mean_squared_error(y[rows], rules.predict(X[rows])))
        assert mse.of_ensemble == pytest.approx(mean_squared_error(y[rows], rules.ensemble_.predict(X[rows])))
        assert sum(quality.residuals.counts) == len(y[rows])
    assert report.qualities[0].residuals.edges == report.qualities[1].residuals.edges
    assert [sum(card.targets.counts) for card in report.cards] == [rule.coverage for rule in rules.rule_list_]
    html = rules.rule_list_.to_html(estimator=rules, budgets=[4, 5], **given_)
    open_page(html)


def test_ranges_of_a_rule_are_those_of_its_samples():
    rules, X, _ = fitted()
    fired = rules.apply(X[:80])
    for i, card in enumerate(summarize(rules.rule_list_, X=X[:80]).cards):
        for one in card.ranges:
            column = X[:80][one.name][fired == i].to_numpy(dtype=np.float32)
            assert (one.quantiles[0], one.quantiles[-1]) == (column.min(), column.max())
        asked = [one.name for one in card.ranges if one.is_asked]
        assert asked == [c.feature.name for c in rules.rule_list_[i].simplified]


def test_only_some_samples_are_kept_and_some_of_each_rule():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 3))
    a = Column(0, "a")
    rules = (Rule((Condition(a, upper=2.5),), 0.0, 1, 1.0), Rule((Condition(a, lower=2.5),), 1.0, 1, 0.0))
    rule_list = RuleList(rules, Rule((), 0.0), Inputs((a, Column(1, "b"), Column(2, "c"))))
    samples = summarize(rule_list, X=X).what_if.samples
    assert len(samples.row) == MOST_SAMPLES
    assert samples.rule.count(1) >= 5
    assert len(samples.values) == 1  # the one column that rules look at
    assert samples.rule == tuple(rule_list.apply(X[list(samples.row)]))


def test_the_rarest_of_many_classes_are_put_together():
    a, n = Column(0, "a"), 15
    rules = tuple(Rule((Condition(a, i - 1, i),), i, 1, 1 / n, tuple(np.eye(n)[i])) for i in range(n))
    rule_list = RuleList(rules, Rule((), 0, distribution=(1.0, *[0.0] * (n - 1))), Inputs((a,)), np.arange(n))
    y = np.repeat(np.arange(n + 1), 3 + np.arange(n + 1))  # the class 15 is none that the list knows
    said = np.minimum(y, n - 1)
    confusion = summarize(rule_list, X=said[:, None].astype(float), y=y).qualities[0].confusion
    assert confusion.labels == (*map(str, range(3, n)), "others")
    counts = np.array(confusion.counts)
    assert counts.sum() == len(y)
    assert counts.diagonal().tolist() == [*(3 + np.arange(3, n)), 3 + 4 + 5]
    assert counts[-1, -2] == (y == n).sum()


def test_samples_may_come_in_any_table():
    rules, X, y = fitted()
    expected = rules.rule_list_.to_html(estimator=rules, X=X, y=y)
    assert rules.rule_list_.to_html(estimator=rules, X=pl.from_pandas(X), y=pl.Series(y)) == expected
    assert rules.rule_list_.to_html(X=X.to_numpy().tolist(), y=y.tolist()) == rules.rule_list_.to_html(X=X, y=y)


@pytest.mark.parametrize("kind", KINDS)
def test_lists_of_every_library_have_a_report(kind):
    model, X, y = KINDS[kind]()
    estimator = RuleListRegressor if y.dtype.kind == "f" else RuleListClassifier
    rules = estimator(model, uncovered="ensemble").fit(X, y)
    html = rules.rule_list_.to_html(estimator=rules, X=X, y=y, budgets=[7, 8])
    data = data_of(html)
    assert data["samples"]["rule"] == rules.apply(X)[data["samples"]["row"]].tolist()
    again = RuleList.from_json(rules.rule_list_.to_json())
    assert data_of(again.to_html())["form"] == data["form"]


# The file


def test_the_page_is_written_to_a_file_and_returned(tmp_path):
    path = tmp_path / "report.html"
    html = fitted()[0].rule_list_.to_html(path)
    assert path.read_text(encoding="utf-8") == html
    assert html.startswith("<!DOCTYPE html>")


def test_without_jinja_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'hedgerow[report]'")):
        fitted()[0].rule_list_.to_html()


def test_templates_are_found_beside_the_exporter():
    from importlib.resources import files

    names = {path.name for path in (files("hedgerow.exporters.html") / "templates").iterdir()}
    assert {"report.html", "report.css", "report.js"} <= names


def test_what_does_not_fit_together_is_said():
    rules, X, y = fitted()
    rule_list = rules.rule_list_
    with pytest.raises(InvalidParameterError, match="give X as well"):
        rule_list.to_html(y=y)
    with pytest.raises(InvalidDataError, match="120 samples, but there are 80"):
        rule_list.to_html(X=X, y=y[:80])
    with pytest.raises(InvalidParameterError, match="come from an estimator"):
        rule_list.to_html(budgets=[3])
    with pytest.raises(InvalidParameterError, match="no rule_list_"):
        rule_list.to_html(estimator=RandomForestClassifier())
    with pytest.raises(InvalidParameterError, match="different rule list"):
        evil_list().to_html(estimator=rules)
    with pytest.raises(InvalidDataError, match="no samples"):
        rule_list.to_html(X=X[:0])


def test_categories_that_are_called_as_the_other_choices_can_be_told_from_them():
    answer = Category(0, "answer", ("(missing)", "a", "(another value)", "((missing))"), other=True)
    inputs = Inputs((answer,), allows_missing=True)
    rules = RuleList((Rule((Condition(answer, categories=frozenset({0})),), 1.0),), Rule((), 0.0), inputs)
    options = summarize(rules).what_if.form.fields[0].options
    assert options == (*answer.categories, "((another value))", "(((missing)))")
