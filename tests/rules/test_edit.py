"""An edit says what was wished for."""

import pytest

from hedgerow.rules.edit import KINDS, Edit


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("pin", "age > 3", "keep (age > 3)"),
        ("forbid", "age", "without age"),
        ("add", "age > 3", "candidate (age > 3)"),
        ("constraint", "at most 3 features in all", "at most 3 features in all"),
        ("max_rules", "4", "at most 4 rules"),
        ("max_rules", "1", "at most 1 rule"),
        ("max_rules", "any number of", "any number of rules"),
    ],
)
def test_every_kind_has_words(kind, text, expected):
    assert kind in KINDS
    assert Edit(1, kind, text, 1.0, 0.5, True).describe() == expected
