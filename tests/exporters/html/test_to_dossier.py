"""The dossier is the same file every time, opens without network on any screen, and can be printed."""

import datetime
import hashlib
import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pandas as pd
import pytest
from axe_rules import RUN, axe
from reports import EVIL, WORSE, evil_list, faithful_list, fitted
from rule_lists import KINDS, numbers
from sklearn.ensemble import RandomForestRegressor

from hedgerow import RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.constraints import MaxFeatures, MinRecall
from hedgerow.evidence import check, stability


@cache
def full_list():
    _, X, y = fitted()
    wanted = [MaxFeatures(2), MinRecall({"perhaps": 0.1})]
    rules = RuleListClassifier(max_rules=5, candidates="nodes", constraints=wanted, random_state=0)
    rules = rules.fit(X[:80], y[:80]).resolve(max_rules=4)
    return rules, X, y


def everything():
    rules, X, y = full_list()
    return {
        "estimator": rules,
        "X": X[:80],
        "y": y[:80],
        "X_test": X[80:],
        "y_test": y[80:],
        "target": "answer",
        "purpose": "Which answers are read first.\n\nNot for anything else.",
        "check": check(rules.to_json(certificate=True), X[:80], y[:80]),
        "stability": stability(rules, X[:80], y[:80], n=2),
        "wishes": [{"max_rules": 2}],
        "files": {"rules.json": "0" * 64},
        "created": datetime.date(2026, 3, 31),
    }


@cache
def full_dossier():
    return full_list()[0].rule_list_.to_dossier(**everything())


def bare():
    return evil_list().to_dossier()


def of_numbers():
    X, _ = numbers(80)
    y = X[:, 0] + X[:, 1] ** 2
    X[::7, 2] = np.nan
    rules = RuleListRegressor(RandomForestRegressor(8, max_depth=3, random_state=0), max_rules=5).fit(X[:60], y[:60])
    return rules.rule_list_.to_dossier(
        estimator=rules, X=X[:60], y=y[:60], X_test=X[60:], y_test=y[60:], test_name="x.csv"
    )


def of_series():
    model, X, y = KINDS["sktime"]()
    rules = RuleListClassifier(model, max_rules=6).fit(X, y)
    return rules.rule_list_.to_dossier(estimator=rules, X=X, y=y)


def of_a_model():
    rules, _, X, y = faithful_list()
    return rules.rule_list_.to_dossier(estimator=rules, X=X[:200], y=y[:200], X_test=X[200:], y_test=y[200:])


MADE = [full_dossier, bare, of_numbers, of_series, of_a_model]


def test_the_same_input_makes_the_same_bytes():
    rules, _, _ = full_list()
    assert rules.rule_list_.to_dossier(**everything()) == full_dossier()


def test_another_process_makes_the_same_bytes(tmp_path):
    """Neither the seed of hashes nor the order of sets or the time of day gets into the file."""
    rules, X, y = fitted()
    (tmp_path / "rules.json").write_text(rules.rule_list_.to_json())
    X.assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    program = (
        "import pandas as pd, hashlib; from hedgerow import RuleList; rows = pd.read_csv('rows.csv'); "
        "rules = RuleList.from_json(open('rules.json').read()); "
        "page = rules.to_dossier(X_test=rows[80:].drop(columns='y'), y_test=rows['y'][80:], purpose='p'); "
        "print(hashlib.sha256(page.encode()).hexdigest())"
    )
    said = set()
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONHASHSEED": seed, "TZ": f"UTC+{seed}"},
        )
        said.add(ran.stdout)
    assert len(said) == 1


def test_a_list_from_json_has_the_dossier_of_the_list():
    rules, X, y = fitted()
    again = RuleList.from_json(rules.rule_list_.to_json())
    held_out = {"X_test": X[80:], "y_test": y[80:]}
    assert again.to_dossier(**held_out) == rules.rule_list_.to_dossier(**held_out)


def test_a_date_is_shown_only_if_it_is_given():
    assert "2026-03-31" in full_dossier()
    assert str(datetime.date.today().year) not in evil_list().to_dossier(title="without")


@pytest.mark.parametrize("make", MADE)
def test_axe_finds_no_violation(open_page, make):
    html, checker = make(), axe()
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            page = open_page(html, viewport={"width": width, "height": 800}, color_scheme=scheme)
            page.evaluate(checker)
            assert page.evaluate(RUN) == [], (width, scheme)


@pytest.mark.parametrize("make", MADE)
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_screen_needs_sideways_scrolling(open_page, make, width):
    page = open_page(make(), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@cache
def of_long_names():
    X, y = numbers(120)
    X = pd.DataFrame(X, columns=["x" * 120, "y" * 120, "c", "d"])
    rules = RuleListClassifier(max_rules=4, random_state=0).fit(X[:80], y[:80])
    again = stability(rules, X[:80], y[:80], n=2)
    held_out = {"X_test": X[80:], "y_test": y[80:]}
    return rules.rule_list_.to_dossier(X=X[:80], y=y[:80], stability=again, **held_out)


@pytest.mark.parametrize(("width", "media"), [(390, "screen"), (1280, "screen"), (700, "print")])
def test_long_names_widen_no_table(open_page, width, media):
    page = open_page(of_long_names(), viewport={"width": width, "height": 800})
    page.emulate_media(media=media)
    assert page.evaluate("[...document.querySelectorAll('.scroll')].every(e => e.scrollWidth <= e.clientWidth + 1)")


@pytest.mark.skipif("wildboar shapelets" not in KINDS, reason="wildboar is not installed")
def test_of_series_it_draws_the_shapelets_and_knows_of_no_certificate(open_page):
    model, X, y = KINDS["wildboar shapelets"]()
    rules = RuleListClassifier(model, max_rules=6).fit(X, y)
    page = open_page(rules.rule_list_.to_dossier(estimator=rules, X=X, y=y))
    assert page.locator("#rules .shapelets li").count()
    assert page.locator("h3:text-is('Columns')").count() == 0
    assert "hedgerow check" not in page.locator("main").inner_text()


def test_every_entry_of_the_contents_leads_to_its_section(open_page):
    page = open_page(full_dossier())
    links = page.locator(".contents a")
    assert links.count() == page.locator("section").count() == 11
    for i in range(links.count()):
        anchor = links.nth(i).get_attribute("href")
        assert page.locator(f"section{anchor} > h2").text_content() in links.nth(i).text_content()
    assert page.locator(".contents .missing").count() == 0
    assert page.locator(".lacking").count() == 0


def test_what_is_missing_is_marked_in_the_contents_and_in_its_section(open_page):
    page = open_page(evil_list().to_dossier())
    assert page.locator(".contents .missing").count() == page.locator(".lacking").count() == 6
    assert page.locator("#validation .lacking").text_content().startswith("None: give rows that the list was not")


def test_the_page_says_what_the_list_and_its_evidence_say(open_page):
    rules, X, y = full_list()
    page = open_page(full_dossier())
    text = page.locator("main").inner_text()
    for said in (
        "Which answers are read first.",
        "at most 2 features in all",
        "Checked again: proven",
        "training: 80 rows, held-out: 40 rows",
        f"{rules.solution_.objective:.6g}",
        "2 lists learned again on resampled rows",
        rules.rule_list_.edits[0].describe(),
        "What each of them costs",
    ):
        assert said in text, said
    first = X[80:].assign(answer=y[80:]).to_csv(index=False, lineterminator="\n")
    assert hashlib.sha256(first.encode()).hexdigest() in text


def test_names_that_are_markup_stay_text(open_page):
    X = np.array([[1.0, EVIL], [7.0, "plain"], [3.0, WORSE]], dtype=object)
    html = evil_list().to_dossier(
        title=EVIL, purpose=WORSE, target=EVIL, X_test=X, y_test=np.array([EVIL, WORSE, EVIL])
    )
    page = open_page(html)
    assert page.locator("h1").text_content() == EVIL
    assert page.locator("script").count() == page.locator("img").count() == 0
    assert page.locator(".purpose").text_content() == WORSE


def test_no_script_may_run_in_it(browser, tmp_path):
    path = tmp_path / "dossier.html"
    path.write_text(bare().replace("<main>", "<main><script>window.ran = true</script>"), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.evaluate("window.ran") is None
    page.close()


def test_it_can_be_printed_on_few_pages(open_page):
    page = open_page(full_dossier())
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert 2 <= pdf.count(b"/Type /Page\n") <= 8


def test_the_file_is_written_whole(tmp_path):
    path = tmp_path / "dossier.html"
    html = evil_list().to_dossier(path)
    assert path.read_text(encoding="utf-8") == html
    assert html.startswith("<!DOCTYPE html>")
    assert json.dumps(html).count("<script") == 0
