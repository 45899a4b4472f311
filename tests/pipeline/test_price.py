"""A price reads as a sentence."""

import pytest

from hedgerow.pipeline.price import Price


def test_what_changes_is_named_with_its_sign():
    price = Price("without age", 0.25, 0.1, -0.02, 0.01, 4)
    assert str(price) == "without age: objective -0.25 (-10 %), training score -0.02, held-out score +0.01"
    assert str(Price("without age", reason="Slow.", in_time=False)) == "without age: not known. Slow."
    assert repr(price) == f"Price({price})"


def test_a_free_wish_and_one_that_is_not_proven():
    assert str(Price("at most 3 rules", 0.0, 0.0, proven=False)) == "at most 3 rules: objective ±0 (±0 %), not proven"


def test_an_impossible_wish_says_why():
    assert str(Price("at most 1 rules", reason="No list.")) == "at most 1 rules: impossible. No list."


@pytest.mark.parametrize(
    ("price", "text"),
    [
        (Price("w", 0.123456, 0.1234567), "w: objective -0.1235 (-12.3 %)"),
        (Price("w", -0.5, -0.25, 0.02), "w: objective +0.5 (+25 %), training score +0.02"),
        (Price("w", 1e-10, 1e-12, -1e-10, 2e-9), "w: objective ±0 (±0 %), training score ±0, held-out score +2e-09"),
        (Price("w", 1.0, None, None, 0.5), "w: objective -1, held-out score +0.5"),
    ],
)
def test_signs_and_digits(price, text):
    assert str(price) == text
