"""A real browser runs nothing that is in the name of a column, a category or a label."""

import numpy as np
import pandas as pd
from nasty_strings import NASTY_STRINGS, nasty_list, rows_for, wanted


def test_a_browser_shows_names_as_text(open_page):
    for text in NASTY_STRINGS:
        frame = pd.DataFrame(rows_for(text), columns=[text, "kind"])
        page = open_page(nasty_list(text).to_html(title=text, X=frame, y=np.array(wanted(text), dtype=object)))
        assert page.evaluate("window.pwned === undefined"), text
        assert page.locator("iframe, img, base, object, embed").count() == 0, text
        assert page.evaluate("document.scripts.length") == 2, text
        attributes = page.evaluate(
            "[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()).filter(n => n.startsWith('on'))"
        )
        assert attributes == [], text
        if text.isprintable():  # line breaks and the like are shown as escapes
            assert page.locator("#list tbody strong").first.text_content().split() == text.split()


def test_a_notebook_shows_names_as_text(open_page):
    for text in NASTY_STRINGS:
        page = open_page(f"<!doctype html><meta charset=utf-8><title>t</title>{nasty_list(text)._repr_html_()}")
        assert page.evaluate("window.pwned === undefined && document.scripts.length === 0"), text
        assert page.locator("iframe, img, svg").count() == 0, text
