"""Shares, numbers and differences are written such that none is taken for another one."""

import math

import pytest

from hedgerow.exporters.html.rendering import environment, with_colors


def shown(template, **values):
    return environment().from_string(template).render(**values)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.5, "50.0\u00a0%"),
        (0.0, "0.0\u00a0%"),
        (1e-6, "<\u00a00.1\u00a0%"),
        (0.99999, ">\u00a099.9\u00a0%"),
        (math.nan, "–"),
    ],
)
def test_only_nothing_is_0_and_only_all_is_100_percent(share, text):
    assert shown("{{ x | percent | safe }}", x=share) == text


def test_differences_have_a_sign_and_none_is_minus_zero():
    assert shown("{{ x | change(true) }}", x=-0.1234) == "−12.3"
    assert shown("{{ x | change(false) }}", x=0.00001) == "±0"
    assert shown("{{ x | hundredths }}", x=-0.001) == "0.00"
    assert shown("{{ x | signed(true) }}", x=0.05) == "5.0 points above"


def test_markup_is_escaped_and_sentences_start_with_a_capital():
    assert shown("{{ x | sentence }}", x="<b> & none") == "&lt;b&gt; &amp; none"
    assert shown("{{ x | sentence }}", x="none: X") == "None: X"


def test_classes_without_a_color_have_a_neutral_one():
    colored = with_colors(environment(), (2, 0))
    colors = [colored.filters["color"](number) for number in (2, 0, 1, None)]
    assert colors[0] != colors[1]
    assert colors[2] == "var(--neutral)"
    assert colors[3] == "var(--accent)"
