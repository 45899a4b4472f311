"""Broken variants of valid files: of their bytes, their lines and words, or the values that they encode."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

from hedgerow.readers.ubjson import decode

#: Inputs are no longer than this.
LARGEST = 1 << 17

_NUMBERS: tuple[Any, ...] = (
    *(0, -0.0, 1, -1, 2, 3, 7, 31, 32, 63, 64, 127, 128, 255, 256, 32767, 65536, 10**6, 10**9, -(10**9)),
    *(2**31 - 1, 2**31, -(2**31), 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30, 10**400),
    *(0.5, 1e-320, 1e-45, 3.4e38, 1e39, 1.8e308, -1.8e308, 1e-9),
)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, "", "0", "nan", "inf", "-inf", "NaN", "x", "\0", "\ud800", "é" * 50, "a" * 3000, [], {}, [[]]),
    *([None], [0], [-1], [[0]], {"": 0}, [0] * 300, "1e5", "0x10", "1_000", " 1", "%s", "../..", "[1,2]"),
)
_TOKENS: tuple[bytes, ...] = (
    *(b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"\\u", b"\\ud800", b"null", b"NaN", b"Infinity", b"1e999"),
    *(b"\n", b"\r\n", b"\r", b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"=", b" ", b";", b"\t", b"|", b"''", b'""'),
    *(b"tree\n", b"Tree=", b"end of trees", b"\npandas_categorical:", b"cat_threshold=", b"num_cat=1", b"sep=;"),
    *(
        b"$U#",
        b"[$l#l",
        b"#L\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"#i\xff",
        b"Si",
        b"SL",
        b"{L",
        b"[[[[",
        b"Z",
        b"T",
        b"H",
    ),
)

Mutate = Callable[[Random, bytes, Sequence[bytes]], bytes]


def mutated(random: Random, grammar: str, corpus: Sequence[bytes]) -> bytes:
    """Return a broken variant of one of the files."""
    data = min((random.choice(corpus) for _ in range(3)), key=len)  # short ones are read faster, and break as well
    by_structure = _STRUCTURES[grammar]
    # A mutant of a mutant is often no longer JSON; its bytes still are bytes.
    found = by_structure(random, data, corpus) if random.random() < 0.75 else None
    if found is None or random.random() < 0.1:
        found = _of_bytes(random, data if found is None else found, corpus)
    return found[:LARGEST]


def _of_bytes(random: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    for _ in range(random.choice((1, 1, 2, 4))):
        at, size = random.randrange(len(data) + 1), random.choice((1, 1, 2, 4, 8, 64))
        kind = random.randrange(8)
        if kind == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[at + size :]
        elif kind == 2:
            data = data[:at] + random.choice(_TOKENS) + data[at:]
        elif kind == 3:
            data = data[:at] + random.randbytes(size) + data[at + size :]
        elif kind == 4:
            other = random.choice(corpus)
            data = data[:at] + other[random.randrange(len(other) + 1) :]
        elif kind == 5:
            data = data[:at]
        elif kind == 6:
            data = data[:at] + data[at : at + size] * random.choice((2, 3, 50, 1000)) + data[at:]
        else:
            data = data[:at] + random.choice(_TOKENS) * random.choice((2, 100, 5000)) + data[at:]
    return data


def _of_lines(random: Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    for _ in range(random.choice((1, 1, 2, 4))):
        i = random.randrange(len(lines))
        kind = random.randrange(8)
        if kind == 0 and len(lines) > 1:
            del lines[i]
        elif kind == 1:
            lines.insert(random.randrange(len(lines)), lines[i])
        elif kind == 2:
            j = random.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
        elif kind == 3:
            lines[i] = random.choice(random.choice(corpus).split(b"\n"))
        else:
            words = re.split(rb"([ =,:;\t\[\]]+)", lines[i])
            w = random.randrange(len(words))
            words[w] = _word(random, words[w])
            lines[i] = b"".join(words)
    return b"\n".join(lines)


def _word(random: Random, word: bytes) -> bytes:
    value = random.choice((random.choice(_NUMBERS), random.choice(_VALUES), word.decode("latin-1") * 2, ""))
    return str(value).encode("utf-8", "surrogatepass")


def _of_json(random: Random, data: bytes, corpus: Sequence[bytes]) -> bytes | None:
    try:
        value = json.loads(data)
        return json.dumps(_of_value(random, value)).encode()
    except (ValueError, RecursionError):
        return None


def _of_ubjson(random: Random, data: bytes, corpus: Sequence[bytes]) -> bytes | None:
    out = bytearray()
    try:
        _encode(_of_value(random, _listed(decode(data))), out)
    except (LookupError, ValueError, RecursionError):  # a mutant that is not UBJSON, or nested too deeply
        return None
    return bytes(out)


_STRUCTURES: dict[str, Callable[[Random, bytes, Sequence[bytes]], bytes | None]] = {
    "json": _of_json,
    "ubjson": _of_ubjson,
    "lines": _of_lines,
}


def _of_value(random: Random, value: Any) -> Any:
    """Return a value with some of its parts removed, replaced, repeated or moved."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        box, key = _place(random, value)
        if box is None:
            return random.choice(_VALUES)
        kind = random.randrange(10)
        if kind == 0:
            del box[key]
        elif kind == 1:
            other, place = _place(random, value)
            if other is not None:
                box[key] = deepcopy(other[place])
        elif kind == 2:
            box[key] = random.choice(_VALUES)
        elif kind == 3 and isinstance(box, list):
            box.insert(key, deepcopy(box[key]))
        elif kind == 4 and isinstance(box, dict):
            moved = box.pop(key)
            box[random.choice([*box, "x"])] = moved
        elif kind == 5:
            box[key] = _nested(random, box[key])
        elif kind == 6 and isinstance(box[key], list):
            box[key] = box[key] * random.choice((0, 2, 3, 40))
        else:
            box[key] = _near(random, box[key])
    return value


def _place(random: Random, value: Any) -> tuple[Any, Any]:
    """Return a container somewhere in a value and one of its keys."""
    box = key = None
    here = value
    while isinstance(here, (dict, list)) and here:
        if box is not None and random.random() < 0.12:
            break
        box, key = here, random.choice(list(here)) if isinstance(here, dict) else random.randrange(len(here))
        here = box[key]
    return box, key


def _near(random: Random, value: Any) -> Any:
    """Return another value, of the same type more often than not."""
    if isinstance(value, bool) or value is None:
        return random.choice((True, False, None, 0, 1))
    if isinstance(value, str):
        number = str(random.choice(_NUMBERS))
        return random.choice((value + "x", value[1:], value.upper(), number, number, f"[{number}]"))
    if isinstance(value, (int, float)) and random.random() < 0.5 and abs(value) < 1e300:
        return random.choice((value + 1, value - 1, -value, value * 2, value / 2, str(value)))
    return random.choice(_NUMBERS)


def _nested(random: Random, value: Any) -> Any:
    for _ in range(random.choice((1, 2, 50, 900))):
        value = [value] if random.random() < 0.5 else {"a": value}
    return value


def _listed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {name: _listed(one) for name, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, list) else value


def _encode(value: Any, out: bytearray) -> None:
    """Write a value as UBJSON, lists of numbers as typed arrays as XGBoost writes them."""
    if value is None or isinstance(value, bool):
        out += b"Z" if value is None else b"T" if value else b"F"
    elif isinstance(value, int):
        out += b"L" + struct.pack(">q", max(-(2**63), min(2**63 - 1, value)))
    elif isinstance(value, float):
        out += b"D" + struct.pack(">d", value)
    elif isinstance(value, str):
        text = value.encode("utf-8", "surrogatepass")
        out += b"SL" + struct.pack(">q", len(text)) + text
    elif isinstance(value, dict):
        out += b"{"
        for name, one in value.items():
            key = name.encode("utf-8", "surrogatepass")
            out += b"L" + struct.pack(">q", len(key)) + key
            _encode(one, out)
        out += b"}"
    elif value and all(type(one) is int and abs(one) < 2**31 for one in value):
        out += b"[$l#L" + struct.pack(f">q{len(value)}i", len(value), *value)
    elif value and all(type(one) is float and abs(one) < 3e38 for one in value):
        out += b"[$d#L" + struct.pack(f">q{len(value)}f", len(value), *value)
    else:
        out += b"[#L" + struct.pack(">q", len(value))
        for one in value:
            _encode(one, out)
