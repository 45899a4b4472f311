"""Text in aligned columns."""

from hedgerow._support.text_table import aligned


def test_columns_start_or_end_at_the_same_place():
    lines = aligned([("name", "n", "why"), ("a", "10", "because"), ("größe", "7", "")], right=frozenset({1}))
    assert lines == ["name    n  why", "a      10  because", "größe   7"]


def test_no_line_ends_in_spaces():
    assert all(line == line.rstrip() for line in aligned([("a", ""), ("abc", "b")]))
