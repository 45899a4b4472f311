"""Every error about a JSON document names the place."""

import json
import math

import pytest

from hedgerow import InvalidDataError
from hedgerow._support.json_field import Field, number_record, parse

DOCUMENT = Field({"rules": [{"share": 0.5, "text": "a", "upper": "inf"}, {"share": "nan", "text": 3}], "note": None})


def test_members_and_items_know_their_paths():
    first, second = DOCUMENT["rules"]
    assert (first["share"].path, second.path) == ("rules[0].share", "rules[1]")
    assert DOCUMENT.get("note") is None
    assert DOCUMENT.get("nothing") is None
    with pytest.raises(InvalidDataError, match=r"^rules\[0\]\.lower is missing\.$"):
        first["lower"]
    with pytest.raises(InvalidDataError, match=r"^rules\[1\]\.text must be a string; got 3\.$"):
        second["text"].text()
    with pytest.raises(InvalidDataError, match=r"^The document must be a list; got an object of 2\.$"):
        list(DOCUMENT)


@pytest.mark.parametrize("value", [1.0, True, "1", None, -1, 5, 2**63])
def test_an_integer_has_bounds_and_no_other_type(value):
    with pytest.raises(InvalidDataError, match="n must be an integer of at least 0 and below 5"):
        Field(value, "n").whole(0, 5)
    assert Field(4, "n").whole(0, 5) == 4


def test_infinity_is_a_string_and_nan_only_where_it_is_allowed():
    assert Field("-inf").number() == -math.inf
    assert math.isnan(Field("nan").number(nan=True))
    for value in ("nan", "3", True, 10**400):
        with pytest.raises(InvalidDataError, match="a number other than NaN"):
            Field(value).number()
    with pytest.raises(InvalidDataError, match="a finite number"):
        Field("inf").finite()
    with pytest.raises(InvalidDataError, match="must be between 0 and 1; got 2"):
        Field(2).number(0, 1)


@pytest.mark.parametrize("number", [0.1, -1e300, math.inf, -math.inf, math.nan])
def test_every_number_survives_json(number):
    again = Field(json.loads(json.dumps(number_record(number), allow_nan=False))).number(nan=True)
    assert again == number or (math.isnan(again) and math.isnan(number))


def test_unknown_members_are_refused():
    assert DOCUMENT.only(("rules", "note")) is DOCUMENT
    with pytest.raises(InvalidDataError, match=r"^note is not known; known members are rules"):
        DOCUMENT.only(("rules",))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": NaN}', "NaN is not a JSON number; write it as a string"),
        ('{"a": 1, "a": 2}', "a member twice"),
        ("[" * 100_000, "nested too deeply"),
        ("{", "not valid JSON"),
        (3, "A list is read from a string, not from int"),
    ],
)
def test_what_is_not_json_is_one_error(text, why):
    with pytest.raises(InvalidDataError, match=why):
        parse(text, "A list")


def test_a_long_value_is_shortened_in_errors():
    with pytest.raises(InvalidDataError, match=r"got \"x{56}\.\.\.\.$"):
        Field("x" * 100).truth()
