"""Lines are broken where people would break them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow._support.lettering import fit, shorten, with_article, wrap


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("average_monthly_balance_over_the_year <= 3", ["average_monthly_", "balance_over_the_", "year <=\u00a03"]),
        ("a petal_width of the first", ["a petal_width of", "the first"]),
        ("http://example.org/a/b/c/d > 5", ["http://example.", "org/a/b/c/d >\u00a05"]),
        ("abcdefghijklmnopqrstuvwxyz", ["abcdefghijklmnopqr", "stuvwxyz"]),
    ],
)
def test_long_names_are_broken_after_underscores(text, lines):
    assert wrap(text, 18) == lines


def test_a_number_stays_with_its_sign():
    assert wrap("abc <= 0.123", 8) == ["abc", "<=\N{NO-BREAK SPACE}0.123"]
    together = "5.51\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}3.447"
    assert wrap("No rule at all: 5.51 ± 3.447.", 24) == ["No rule at all:", f"{together}."]
    assert wrap("walking (60 %)", 11) == ["walking", "(60\N{NO-BREAK SPACE}%)"]


@given(st.text(st.sampled_from("ab_./<= \u200b")), st.integers(5, 20))
@settings(deadline=None)
def test_nothing_is_lost(text, most):
    lines = wrap(text, most)
    assert all(len(line) <= most for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.replace("\u200b", "").split())


def test_a_long_name_keeps_its_ends():
    assert shorten("short", 5) == "short"
    for most in range(8, 40):
        text = shorten("the first words of a name that goes on and on, 12", most)
        assert len(text) <= most
        assert text.startswith("t")
        assert text.endswith("2")


@given(st.text(st.sampled_from("abW_ "), min_size=1, max_size=60), st.integers(14, 40), st.integers(1, 4))
@settings(deadline=None)
def test_lines_fit_their_room_and_their_number(text, room, most_lines):
    def width_of(line):
        return sum(2 if letter == "W" else 1 for letter in line)

    lines = fit(text, room, width_of, most_lines)
    assert all(width_of(line) <= room for line in lines)
    assert len(lines) <= most_lines
    unlimited = fit(text, room, width_of)
    assert "".join("".join(unlimited).split()) == "".join(text.split())


def test_too_many_lines_lose_the_middle_of_the_text():
    lines = fit("one two three four five six seven eight", 9, len, most_lines=2)
    assert lines[0].startswith("one")
    assert lines[-1].endswith("ght")
    assert " ... " in " ".join(lines)


@pytest.mark.parametrize(
    "name", ["an int", "an SVC", "an MLPClassifier", "an Oracle", "an UnfittedModel", "an ExtraTree"]
)
def test_an_stands_before_a_vowel_as_it_is_spoken(name):
    assert with_article(name.split()[1]) == name


@pytest.mark.parametrize(
    "name", ["a dict", "a PCA", "a RandomForestClassifier", "a UniformModel", "a User", "a DMatrix"]
)
def test_a_stands_before_anything_else(name):
    assert with_article(name.split()[1]) == name
