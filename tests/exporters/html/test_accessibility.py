"""axe, run in a real browser, finds nothing wrong with a report: in light and dark, on a desktop and on a phone."""

import numpy as np
import pytest
from axe_rules import RUN, axe
from reports import faithful_report, full_report
from rule_lists import KINDS, numbers
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import RuleListClassifier, RuleListRegressor

UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def binary():
    return full_report()


def many_classes():
    rng = np.random.default_rng(0)
    code = np.arange(520) % 26
    X = np.column_stack([code % 6, code // 6]) + rng.normal(0, 0.3, (520, 2))
    y = np.array([f"class {chr(65 + k)}" for k in code])
    forest = RandomForestClassifier(10, max_depth=4, random_state=0)
    rules = RuleListClassifier(forest, max_rules=9, candidates="nodes").fit(X[::2], y[::2])
    data = {"X": X[::2], "y": y[::2], "X_test": X[1::2], "y_test": y[1::2]}
    return rules.rule_list_.to_html(estimator=rules, target="letter", left_out={"id": "row numbers"}, **data)


def regression():
    X, _ = numbers(80)
    y = X[:, 0] + X[:, 1] ** 2
    X[::7, 2] = np.nan
    rules = RuleListRegressor(RandomForestRegressor(8, max_depth=3, random_state=0), max_rules=5).fit(X[:60], y[:60])
    data = {"X": X[:60], "y": y[:60], "X_test": X[60:], "y_test": y[60:]}
    return rules.rule_list_.to_html(estimator=rules, budgets=[3, 4, 5], **data)


def series():
    model, X, y = KINDS["sktime"]()
    rules = RuleListClassifier(model, max_rules=6).fit(X, y)
    return rules.rule_list_.to_html(estimator=rules, X=X, y=y)


def faithful():
    return faithful_report()


@pytest.mark.parametrize("make", [binary, faithful, many_classes, regression, series])
def test_axe_finds_no_violation(open_page, make):
    html, checker = make(), axe()
    for width in (1200, 360):
        for scheme in ("light", "dark"):
            page = open_page(html, viewport={"width": width, "height": 800}, color_scheme=scheme)
            page.evaluate(checker)
            if (width, scheme) == (1200, "light"):
                assert page.evaluate(RUN) == [], "folded"
            page.evaluate(UNFOLD)
            if page.locator("input[id^=field]").count():
                page.locator("input[id^=field]").first.fill("12 %")  # with a complaint
            assert page.evaluate(RUN) == [], (width, scheme)


def test_axe_finds_what_is_wrong(open_page):
    checker = axe()
    page = open_page(full_report().replace("<main>", '<main><h5 style="color:#ccc;background:#fff">faint</h5>'))
    page.evaluate(checker)
    found = dict(page.evaluate(RUN))
    assert {"color-contrast", "heading-order"} <= set(found)
