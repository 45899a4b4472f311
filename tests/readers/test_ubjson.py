"""UBJSON becomes values, arrays of numbers at once."""

import pytest

from hedgerow.readers.ubjson import decode


def test_ubjson_of_every_kind():
    text = (
        b"{i\x01aSi\x02hii\x01b[TFZ]i\x01c[#i\x02I\x01\x00d\x3f\x80\x00\x00i\x01d[$l#L" + b"\0" * 7 + b"\1\0\0\0\x05}"
    )
    found = decode(text)
    assert found["a"] == "hi"
    assert found["b"] == [True, False, None]
    assert found["c"] == [256, 1.0]
    assert found["d"].tolist() == [5]
    with pytest.raises(ValueError, match="A UBJSON value cannot start with b'x'"):
        decode(b"x")


@pytest.mark.parametrize(
    ("marker", "content", "value"),
    [
        (b"i", b"\xff", -1),
        (b"U", b"\xff", 255),
        (b"I", b"\x01\x02", 258),
        (b"l", b"\xff\xff\xff\xfe", -2),
        (b"L", b"\0\0\0\x01\0\0\0\0", 2**32),
        (b"d", b"\x3f\xc0\0\0", 1.5),
        (b"D", b"\xc0\x04\0\0\0\0\0\0", -2.5),
    ],
)
def test_numbers_are_big_endian(marker, content, value):
    assert decode(marker + content) == value
    (in_array,) = decode(b"[$" + marker + b"#i\x01" + content)
    assert in_array == value
    assert in_array.dtype.isnative


def test_text_in_utf8_and_objects_inside_objects():
    assert decode(b"{i\x01a{i\x02\xc3\xb6Si\x02\xc3\xa4}}") == {"a": {"ö": "ä"}}
    assert decode(b"[[]{}]") == [[], {}]


@pytest.mark.parametrize("data", [b"", b"[", b"{i\x01a", b"[$d#i\x09\0\0", b"?"])
def test_broken_data_raise_an_error_and_do_not_hang(data):
    with pytest.raises((KeyError, ValueError, IndexError)):
        decode(data)
