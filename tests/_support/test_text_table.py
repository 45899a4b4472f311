"""Text in aligned columns."""

from hedgerow._support.text_table import aligned


def test_columns_begin_or_end_in_one_place():
    assert aligned([("a", "1"), ("bc", "20")], right=frozenset({1})) == ["a    1", "bc  20"]


def test_no_line_ends_in_spaces():
    assert aligned([("a", "long"), ("b", "")]) == ["a  long", "b"]
