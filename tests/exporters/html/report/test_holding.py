"""The section about new rows says what the validation of these rows says."""

import numpy as np
import pytest
from reports import fitted

from hedgerow.evidence.validating import validated
from hedgerow.exporters.html.report.holding import find_holding
from hedgerow.exporters.html.report.samples import Samples


def samples(X, y, name="held-out"):
    rules, *_ = fitted()
    return Samples(name, rules.rule_list_.evaluate(X), y)


def test_the_rows_of_the_table_are_those_of_the_validation():
    rules, X, y = fitted()
    rows = samples(X[80:], y[80:])
    found = find_holding(rules.rule_list_, [samples(X[:80], y[:80], "training"), rows])
    expected = validated(rules.rule_list_, rows.seen, rows.y)
    assert [one.n_rows for one in found.rules] == [row.n_rows for row in expected.rules]
    assert [one.verdict for one in found.rules if one.number] == [expected.verdict(r) for r in expected.rules if r.rule]
    assert (found.of, found.n_rows, found.n_none) == ("held-out", 40, expected.n_none)
    first, row = found.rules[0], expected.rules[0]
    assert first.span == pytest.approx((row.value.low, row.value.high, row.value.value))
    assert first.mark == row.value_in_training
    assert not found.is_training


def test_there_is_nothing_without_new_rows_or_without_targets_or_with_other_labels():
    rules, X, y = fitted()
    assert find_holding(rules.rule_list_, []) is None
    assert find_holding(rules.rule_list_, [samples(X[:80], y[:80], "training")]) is None
    assert find_holding(rules.rule_list_, [samples(X[80:], None)]) is None
    assert find_holding(rules.rule_list_, [samples(X[80:], np.full(40, "other"))]) is None


def test_training_rows_under_another_name_are_recognized():
    rules, X, y = fitted()
    assert find_holding(rules.rule_list_, [samples(X[:80], y[:80], "tested")]).is_training


@pytest.mark.parametrize("width", [1200, 390])
def test_the_section_fits_a_screen_and_a_phone_and_marks_rules_that_changed(open_page, width):
    rules, X, y = fitted()
    wrong = np.where(y[80:] == "no", "yes", "no")
    page = open_page(rules.rule_list_.to_html(X_test=X[80:], y_test=wrong), viewport={"width": width, "height": 800})
    section = page.locator("#holding")
    assert "on held-out rows?" in section.locator("h2").inner_text()
    assert section.locator("tr.changed").count() >= 1
    assert section.locator("tbody tr").count() >= len(rules.rule_list_)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert section.locator(".picture svg").first.is_visible() == (width > 736)
