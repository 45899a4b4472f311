"""The page opens in a browser without network and without errors, on any screen, and shows names as text."""

import re
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest
from date_lists import date_list
from reports import ASK, EVIL, WORSE, data_of, evil_list, fitted, full_report
from rule_lists import KINDS, numbers
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import Condition, Rule, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.features import Column, Inputs


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


def test_names_that_are_not_unicode_can_be_written(tmp_path):
    a = Column(0, "\ud800 a\nb")
    rules = (Rule((Condition(a, upper=1.0),), 1.0, 1, 1.0, spread=0.0),)
    path = tmp_path / "report.html"
    RuleList(rules, Rule((), 2.0, spread=1.0), Inputs((a,))).to_html(path)
    assert "\\ud800 a\\nb &lt;= 1" in path.read_text(encoding="utf-8")


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
    ("names", "classes", "n_cut"),
    [
        (["Temperature, MAXIMUM (°C), by www.example.org", "second"], ["hypothermia MMMM", "none"], 0),
        (
            ["収縮期血圧の入院時の三回測定の平均値（ミリメートル水銀柱）", "나이와 키와 몸무게의 평균"],
            ["低リスク：" * 9, "高"],
            0,
        ),
        (["w" * 200, "W" * 100], ["m_" * 100, "🌲" * 40], 3),
        (["ارتفاع ضغط الدم " * 4, "Ω≤…—ﬃ" * 9], ["उच्च रक्तचाप " * 5, "สูงมาก" * 9], 2),
    ],
    ids=["latin", "east", "endless", "others"],
)
def test_the_text_of_the_tree_fits_its_boxes(open_page, names, classes, n_cut):
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
    asked = [rule.simplified[-1].describe(rule_list.digits) for rule in rules[:2]]
    boxes = page.locator("svg.tree g").all()
    for box, whole in zip(boxes, [asked[0], classes[0], asked[1], classes[1], classes[1]], strict=True):
        lines = [line for line in box.locator("text").all_text_contents() if not line.startswith("rule ")]
        start, dots, end = without_spaces("".join(lines)).partition("...")
        assert box.locator("title").all_text_contents() == ([whole] if dots else [])
        assert without_spaces(whole).startswith(start)
        assert without_spaces(whole).endswith(end)
        assert dots or start == without_spaces(whole)
    assert page.locator("svg.tree title").count() == n_cut


def without_spaces(text):
    return "".join(text.split())


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("n_classes", [2, 4, 13, 26])
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
    page.locator("summary", has_text="Which mistakes").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    table_, box = page.locator(".confusion").first, page.locator(".confusion").locator("..").first
    size, room = table_.bounding_box(), box.bounding_box()
    if n_classes < 26 and (n_classes < 13 or width > 360):  # else it scrolls, and the names stay
        assert size["width"] <= room["width"]
    assert size["height"] < 110 * (n_classes + 1)
    box.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    for cell in (table_.locator("tbody tr").last.locator("td").last, table_.locator("tbody th").last):
        seen = cell.bounding_box()
        assert room["x"] - 1 <= seen["x"]
        assert seen["x"] + seen["width"] <= room["x"] + room["width"] + 1
    titles = [name.get_attribute("title") for name in table_.locator("tbody th > span").all()]
    assert titles == list(names)
    assert [name.get_attribute("title") for name in table_.locator("thead th > span").all()] == titles


def test_the_keyboard_reaches_slider_and_form(open_page):
    page = open_page(full_report())
    page.locator("summary", has_text="Fewer or more rules").press("Enter")
    page.evaluate("document.activeElement.blur()")
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


def test_what_a_lay_reader_asks_is_answered_by_the_visible_text_alone(open_page):
    rules, X, y = fitted()
    data = {"X": X[:80], "y": y[:80], "X_test": X[80:], "y_test": y[80:]}
    about = {"target": "mood", "source": "people.csv", "left_out": {"id": "every row has another value"}}
    page = open_page(rules.rule_list_.to_html(estimator=rules, **data, **about))
    words = " ".join(page.locator("body").inner_text().split())
    n_right = int(np.sum(rules.predict(X[80:]) == y[80:]))
    second = rules.rule_list_[1]
    told = {
        "How often is it right?": f"The prediction is right for {n_right} of the 40 held-out rows",
        "Compared with what?": "the most frequent class",
        "And with a simple model?": "a single decision tree with 5 leaves",
        "What does rule 2 say?": " and ".join(c.describe(rules.rule_list_.digits) for c in second.simplified),
        "What is predicted for a row like this?": "Its prediction is",
        "Where do the data come from?": "people.csv",
        "What was left out?": "id: every row has another value",
    }
    for question, answer in told.items():
        assert answer in words, question
    for technical in ("objective", "bound", "gap", "fidelity"):
        assert technical not in "".join(words.split("Details")[:2])  # it is in the navigation, too


def test_technical_sections_are_folded_and_a_link_unfolds_them(open_page):
    page = open_page(full_report())
    folded = ("quality", "cards", "tree", "budgets", "fidelity", "proof", "use")
    assert not any(page.locator(f"#{name}").is_visible() for name in folded)
    for name in ("score", "list", "holding", "example", "what-if"):
        assert page.locator(f"#{name}").is_visible()
    order = page.evaluate("[...document.querySelectorAll('main > section')].map((one) => one.id)")
    assert order == ["score", "list", "holding", "example", "what-if", "details"]
    page.locator("a", has_text="what “proven” means").click()
    assert page.locator("#proof").is_visible()
    assert "“Optimal” is not “most accurate”." in page.locator("#proof").inner_text()
    page.locator("summary", has_text="Rule by rule").press("Enter")
    assert page.locator(".card:visible").count() == 5


def test_on_paper_headings_stay_with_what_follows_and_what_is_folded_is_printed(browser, tmp_path):
    from pypdf import PdfReader

    path = tmp_path / "report.html"
    path.write_text(full_report(), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    titles = page.locator("h2, .fold > summary, h4:not(.sql h4), .rivals caption, .measures").all_text_contents()
    titles = [without_spaces(title) for title in titles]
    last_words = set()
    for height in (4.5, 5.4, 6.3, 7.2, 8.1, 9):  # inches, so that pages end in many places
        page.pdf(path=str(tmp_path / "report.pdf"), width="8in", height=f"{height}in")
        sheets = [without_spaces(sheet.extract_text()) for sheet in PdfReader(tmp_path / "report.pdf").pages]
        last_words |= {sheet[-200:] for sheet in sheets}
    page.close()
    for folded in ("Whichmistakesitmakes", "Rulebyrule", "Atmost6rules", "What“proven”means", "objective"):
        assert any(folded in sheet for sheet in sheets)
    assert not [title for title in titles if any(words.endswith(title) for words in last_words)]


def test_on_paper_all_lists_are_shown_and_nothing_to_click(open_page):
    page = open_page(full_report())
    page.emulate_media(media="print")
    assert page.locator(".budget:visible").count() == 6
    assert page.locator(".card:visible").count() == 5
    for name in ("#budget", "#what-if", "nav"):
        assert not page.locator(name).is_visible()


def test_without_script_everything_but_the_form_is_there(open_page):
    page = open_page(full_report(), java_script_enabled=False)
    page.locator("summary", has_text="Fewer or more rules").click()
    assert page.locator(".budget:visible").count() == 6
    page.locator("summary", has_text="Use it").click()
    assert page.locator(".sql:visible").count() == 4
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


def test_samples_may_come_in_any_table():
    rules, X, y = fitted()
    expected = rules.rule_list_.to_html(estimator=rules, X=X, y=y)
    assert rules.rule_list_.to_html(estimator=rules, X=pl.from_pandas(X), y=pl.Series(y)) == expected
    assert rules.rule_list_.to_html(X=X.to_numpy().tolist(), y=y.tolist()) == rules.rule_list_.to_html(X=X, y=y)


def test_a_report_of_regression_opens(open_page):
    X, _ = numbers(80)
    y = X[:, 0] + X[:, 1] ** 2
    rules = RuleListRegressor(RandomForestRegressor(8, max_depth=3, random_state=0), max_rules=5).fit(X[:60], y[:60])
    given = {"X": X[:60], "y": y[:60], "X_test": X[60:], "y_test": y[60:]}
    page = open_page(rules.rule_list_.to_html(estimator=rules, budgets=[4, 5], **given))
    assert page.locator(".histogram").count() == 2 + len(rules.rule_list_)


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


def test_the_page_speaks_the_words_of_the_field():
    words = re.sub("<[^>]*>", " ", full_report().split("<body>")[1].split("<script")[0])
    for word in ("predict", "does not match", "Fidelity to the ensemble", "precision and recall", "proven optimal"):
        assert word in words
    assert not re.search(r"\b(answers?|fires|said)\b", words)


def test_a_list_that_always_predicts_the_same_says_so_in_one_line(open_page):
    rules = (Rule((), "no", 6, 1.0, (0.25, 0.75)),)
    rule_list = RuleList(rules, Rule((), "no"), Inputs((Column(0, "a"),)), np.array(["yes", "no"]), 6)
    page = open_page(rule_list.to_html(X=np.zeros((4, 1)), y=np.array(["yes", "no", "no", "no"])))
    assert page.locator("#list .constant").inner_text() == "always predict no 75 %"
    said = page.locator("#list").inner_text().lower()
    assert "otherwise" not in said
    assert "if" not in re.findall(r"\w+", said)
    assert page.locator("#what-if").count() == 0  # there is nothing to enter


def test_it_is_said_where_parts_of_a_date_change_one_by_one():
    said = "The smallest changes take each value marked “computed” on its own"
    assert said in date_list("%Y-%m-%d").to_html()
    assert said not in fitted()[0].rule_list_.to_html()


def test_rows_with_a_name_are_not_called_held_out(open_page):
    rules, X, y = fitted()
    page = open_page(rules.rule_list_.to_html(X=X[:80], y=y[:80], X_test=X[80:], y_test=y[80:], test_name="new <b>"))
    said = page.locator("body").text_content()
    assert "of the 40 rows of new <b>." in said
    assert "If the list was learned from some of these rows, the figure is too good." in said
    assert "on the training and the tested rows" in said
    assert "held-out" not in page.locator("header").text_content() + page.locator("main").text_content()
