"""The form of the page finds the same rule as the list itself and says why; the slider shows lists of other budgets."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect
from reports import ASK, EVIL, data_of, evil_list, fitted, full_report, list_with_categories, typed
from rule_lists import KINDS, UNKNOWN_VALUES, drawn_lists
from sklearn.metrics import accuracy_score

from hedgerow import Condition, Rule, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.features import Category, Column, Inputs, IntervalStatistic, SeriesInputs
from hedgerow.features.notation import Notation


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
    rule_list, X, y = list_with_categories()
    assert any(c.categories is not None for rule in rule_list for c in rule.conditions)
    rows = on_thresholds(rule_list, X)
    rows.iloc[::5, 0], rows.iloc[::3, 1], rows.iloc[1::4, 2] = np.nan, np.nan, None
    html = rule_list.to_html(X=X, y=y)
    check_same_rule(open_page(html), html, rule_list, rows)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.filterwarnings(UNKNOWN_VALUES)
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


def test_what_is_not_a_number_is_reported_and_finds_no_rule(open_page):
    page = open_page(full_report())
    for text, complaint in (
        ("12 %", "is not a number. Write it with a point or a comma, such as 12.5 or 12,5, without a unit."),
        ("1,23,4", "is not a number"),
        ("1e60", "too large"),
        ("abc", "abc"),
        ("constructor", "is not a number"),
    ):
        page.locator("#field-0").fill(text)
        assert complaint in page.locator("#verdict .problems").inner_text()
        assert page.locator("#field-0").get_attribute("aria-invalid") == "true"
        assert complaint in page.locator("#hint-0").inner_text()
        assert page.locator("#verdict").get_attribute("data-rule") is None
    page.locator("#field-0").fill(" 1.5 ")
    assert re.match(r"Rule \d+ predicts ", page.locator("#verdict .headline").inner_text())
    page = open_page(evil_list().to_html())  # takes no missing values
    assert page.locator("#verdict").inner_text() == "Enter values to see the prediction."
    assert page.locator("[aria-invalid=true]").count() == 0
    page.locator("#field-0").fill("1")
    page.locator("#field-0").fill("")
    assert page.locator("#verdict .problems").inner_text() == f"Enter a number for {EVIL}."


READ_AS = {
    "12,5": "12.5",
    "-0,25": "-0.25",
    ",5": "0.5",
    "1,5e-3": "0.0015",
    "1.234,5": "1234.5",
    "1,234.5": "1234.5",
    "1 234,5": "1234.5",
    "1,234,567": "1234567",
    "12.5": None,
    "3": None,
}


@pytest.mark.parametrize(("text", "value"), READ_AS.items())
def test_a_comma_is_a_decimal_mark_and_the_page_says_how_it_read_it(open_page, text, value):
    a = Column(0, "a")
    exact = float(value or text)
    # The first rule matches this value alone.
    rules = (Rule((Condition(a, float(np.nextafter(exact, -np.inf)), exact),), 1.0, 1, 0.5), Rule((), 2.0, 1, 0.5))
    page = open_page(RuleList(rules, Rule((), 0.0), Inputs((a,), np.float64)).to_html())
    page.locator("#field-0").fill(text)
    assert page.locator("#verdict").get_attribute("data-rule") == "0"
    assert page.locator("#hint-0").inner_text() == (f"read as {value}" if value else "")
    assert page.locator("#field-0").get_attribute("aria-describedby") == "hint-0"


GERMAN, ENGLISH = Notation("number", ",", ".", ("€",)), Notation("number", ".", ",", ("$",))
SPACED, PLAIN = Notation("number", ",", "\u00a0"), Notation("number", missing=("-999",))


def list_of(notation, exact):
    """A list of one column whose first rule matches one number alone."""
    a = Column(0, "a")
    rules = (Rule((Condition(a, float(np.nextafter(exact, -np.inf)), exact),), 1.0, 1, 0.5), Rule((), 2.0, 1, 0.5))
    inputs = Inputs((a,), np.float64, allows_missing=True, notations=((0, notation),))
    return RuleList(rules, Rule((), 0.0), inputs)


@pytest.mark.parametrize(
    ("notation", "texts", "value"),
    [
        (GERMAN, ["60.000", "60.000,0", "60.000 €", "€60000,", "60000"], 60000),
        (GERMAN, ["-1.234,5", "-1234,5", "-1.234,50 €"], -1234.5),
        (GERMAN, ["1.234"], 1234),
        (ENGLISH, ["6,000", "$6,000", "6000", "6,000.0", "6e3"], 6000),
        (ENGLISH, ["1,234,567.25", "$1234567.25"], 1234567.25),
        (SPACED, ["12\u00a0345,5", "12345,5"], 12345.5),
        (PLAIN, ["1.234"], 1.234),
    ],
)
def test_a_number_is_read_as_the_column_is_written_and_as_predict_reads_it(open_page, notation, texts, value):
    assert notation.read(texts).tolist() == [value] * len(texts)
    rule_list = list_of(notation, value)
    page = open_page(rule_list.to_html())
    for text in texts:
        page.locator("#field-0").fill(text)
        assert page.locator("#verdict").get_attribute("data-rule") == "0"
        is_plain = re.fullmatch(r"[-+0-9.e]+", text) is not None and float(text) == value
        assert page.locator("#hint-0").inner_text() == ("" if is_plain else f"read as {value}")


@pytest.mark.parametrize(
    ("notation", "text", "value"),
    [(GERMAN, "60.25", 60.25), (GERMAN, "1,234.5", 1234.5), (ENGLISH, "12,5", 12.5), (SPACED, "12 345,5", 12345.5)],
)
def test_a_number_in_another_notation_than_the_columns_is_understood_and_the_page_says_how(
    open_page, notation, text, value
):
    page = open_page(list_of(notation, value).to_html())
    page.locator("#field-0").fill(text)
    assert page.locator("#verdict").get_attribute("data-rule") == "0"
    assert page.locator("#hint-0").inner_text() == f"read as {value}"


def test_what_is_no_number_in_a_column_is_refused_with_an_example_and_its_missing_marks_are_missing(open_page):
    page = open_page(list_of(GERMAN, 1.0).to_html())
    page.locator("#field-0").fill("1.23.4")
    assert "is not a number. Write it as the data do, such as 1.234,5." in page.locator("#hint-0").inner_text()
    page = open_page(list_of(PLAIN, -999.0).to_html())
    page.locator("#field-0").fill("-999.0")
    assert page.locator("#verdict").get_attribute("data-rule") == "1"
    assert page.locator("#hint-0").inner_text() == "-999.0 stands for a missing value"


@pytest.mark.parametrize("notation", [GERMAN, ENGLISH, SPACED, PLAIN])
def test_rows_to_start_from_are_filled_in_so_that_they_are_read_as_they_are(open_page, notation):
    values = [60.25, 1.234, 60000.0, -1234567.125, 1e-9, 2.5e22, 0.1, np.nan]
    X = np.array(values)[:, None]
    html = list_of(notation, 1.234).to_html(X=X, y=np.zeros(len(X)))
    page = open_page(html)
    for k, value in enumerate(values):
        page.locator("#sample").select_option(str(k))
        assert page.locator("#verdict .nearest h3").inner_text() == f"Equal to training row {k}"
        text = page.locator("#field-0").input_value()
        assert np.array_equal(notation.read([text]), [value], equal_nan=True)


def test_numbers_of_a_series_may_have_decimal_commas(open_page):
    mean = IntervalStatistic(0, 0, 3, "mean")
    inputs = SeriesInputs((mean,), np.float64, n_dimensions=1, length=3)
    rules = (Rule((Condition(mean, upper=2),), 1.0, 1, 0.5), Rule((), 2.0, 1, 0.5))
    page = open_page(RuleList(rules, Rule((), 0.0), inputs).to_html())
    for text, rule, hint in (
        ("1.5, 2.5, 1.5", "0", ""),
        ("1,5; 2,5; 1,5", "0", "commas are read as decimal marks: 1.5, …"),
        ("3,5 2,5 1,5", "1", "commas are read as decimal marks: 3.5, …"),
        ("1,5,2", "1", ""),
    ):
        page.locator("#field-0").fill(text)
        assert page.locator("#verdict").get_attribute("data-rule") == rule
        assert page.locator("#hint-0").inner_text() == hint
    page.locator("#field-0").fill("1 2")
    assert "expected 3 numbers, got 2" in page.locator("#hint-0").inner_text()


def test_the_sql_of_the_chosen_database_is_copied(browser, tmp_path):
    rule_list = fitted()[0].rule_list_
    path = tmp_path / "report.html"
    rule_list.to_html(path)
    context = browser.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for name, dialect in (("PostgreSQL", "postgres"), ("BigQuery", "bigquery"), ("SQLite", "sqlite")):
        page.locator("#dialect").select_option(name)
        assert page.locator(".sql:visible").count() == 1
        assert page.locator("#copied").inner_text() == ""
        page.locator("#copy").click()
        expect(page.locator("#copied")).to_have_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == rule_list.to_sql(dialect, table="your_table")
    context.close()


def test_without_a_clipboard_the_sql_is_selected_and_copied(open_page):
    page = open_page(fitted()[0].rule_list_.to_html())
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.locator("#copy").click()
    expect(page.locator("#copied")).not_to_be_empty()
    selected = page.evaluate("getSelection().toString()")
    assert selected.strip() == page.locator(".sql:visible code").inner_text().strip()


def test_the_form_says_why_the_other_rules_do_not_match(open_page):
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
    assert page.locator("#sample option:checked").inner_text().startswith(f"training row {samples['row'][0]} ")
    page.locator("#field-0").fill("0.123")
    assert page.locator("#sample option:checked").inner_text() == "your own values"
    assert page.locator("#field-0").input_value() == "0.123"
    page.locator("#sample").select_option(index=3)
    assert float(page.locator("#field-0").input_value()) == samples["values"][0][2]
    page.locator("#sample").select_option(index=0)  # keeps what is there
    assert float(page.locator("#field-0").input_value()) == samples["values"][0][2]


def test_why_not_another_rule_is_open_if_no_rule_matches_or_the_reader_opened_it(open_page):
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


def test_without_a_matching_rule_the_default_applies_or_the_ensemble_predicts(open_page):
    a = Column(0, "a")
    rules = (Rule((Condition(a, upper=1),), 3.0, 1, 0.5),)
    alone = RuleList(rules, Rule((), 9.0), Inputs((a,), np.float64))
    forest = fitted()[0].forest_
    for rule_list, told in (
        (alone, "No rule matches, so the default applies: 9."),
        (replace(alone, fallback=forest), "No rule matches, so the ensemble makes the prediction."),
    ):
        page = open_page(rule_list.to_html())
        page.locator("#field-0").fill("2")
        assert page.locator("#verdict .headline").inner_text() == told
        page.locator("#field-0").fill("1")
        assert page.locator("#verdict .headline").inner_text() == "Rule 1 predicts 3."


def test_the_nearest_stored_sample_tells_what_the_ensemble_predicts(open_page):
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


def test_the_slider_shows_the_best_list_for_each_budget(open_page):
    rules, X, y = fitted()
    page = open_page(full_report())
    page.locator("summary", has_text="Fewer or more rules").click()
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
                " and ".join(c.describe(alone.rule_list_.digits) for c in rule.simplified),
                rule,
            )
            for rule in alone.rule_list_
        ]
        rows = panel.locator("tbody tr").all()
        if [text for text, _ in expected] == [""]:
            assert panel.locator(".constant").inner_text().startswith(f"always predict {expected[0][1].prediction}")
            expected = []
        assert len(rows) == (len(expected) + 1 if expected else 0)
        for row, (text, rule) in zip(rows, expected, strict=False):
            assert " ".join(row.locator(".if").text_content().split()) == (text or "always")
            assert row.locator("strong").text_content() == rule.prediction
            assert row.locator(".figures").text_content().split()[0] == str(rule.coverage)
        accuracy = accuracy_score(y[80:], alone.predict(X[80:]))
        assert f"accuracy {100 * accuracy:.1f}\u00a0% held-out" in panel.locator(".measures").text_content()
        page.keyboard.press("ArrowRight")
