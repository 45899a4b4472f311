"""Universal Binary JSON, the format of XGBoost's models, with arrays of numbers as numpy arrays.

Only what these files contain is supported: objects, arrays, strings, numbers, true, false and null.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow._support.arrays import AnyArray

_MARKERS, _DTYPES = b"iUIlLdD", (">i1", ">u1", ">i2", ">i4", ">i8", ">f4", ">f8")
_NUMBERS = {bytes([marker]): np.dtype(name) for marker, name in zip(_MARKERS, _DTYPES, strict=True)}
_WORDS = {b"Z": None, b"T": True, b"F": False}
#: No model nests its values deeper than this.
_DEEPEST = 100


def decode(data: bytes) -> Any:
    """Return the value that the bytes encode.

    >>> decode(b"{i" + bytes([1]) + b"a[$U#i" + bytes([2, 7, 8]) + b"}")
    {'a': array([7, 8], dtype=uint8)}
    """
    return _Decoder(data).value()


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self.data, self.position, self.depth = data, 0, 0

    def value(self) -> Any:
        marker = self._take(1)
        if marker in _NUMBERS:
            return self._numbers(marker, 1)[0].item()
        if marker == b"S":
            return self._text()
        if marker in (b"{", b"["):
            self.depth += 1
            if self.depth > _DEEPEST:
                raise ValueError(f"UBJSON values are nested deeper than {_DEEPEST} (position {self.position - 1}).")
            found = self._object() if marker == b"{" else self._array()
            self.depth -= 1
            return found
        if marker in _WORDS:
            return _WORDS[marker]
        raise ValueError(f"A UBJSON value cannot start with {marker!r} (position {self.position - 1}).")

    def _take(self, n_bytes: int) -> bytes:
        self.position += n_bytes
        return self.data[self.position - n_bytes : self.position]

    def _found(self, marker: bytes) -> bool:
        """Skip the marker if it comes next, and return whether it does."""
        found = self.data.startswith(marker, self.position)
        self.position += found
        return found

    def _count(self) -> int:
        start, count = self.position, int(self._numbers(self._take(1), 1)[0])
        # A negative count would go backwards, and never end; of values, each takes a byte or more.
        if not 0 <= count <= len(self.data) - self.position:
            raise ValueError(f"A UBJSON count is {count} (position {start}), of {len(self.data)} bytes.")
        return count

    def _text(self) -> str:
        return self._take(self._count()).decode()

    def _numbers(self, marker: bytes, n: int) -> AnyArray:
        dtype = _NUMBERS[marker]
        start = self.position
        self.position += n * dtype.itemsize
        return np.frombuffer(self.data, dtype, n, start).astype(dtype.newbyteorder("="))

    def _object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self._found(b"}"):
            name = self._text()
            found[name] = self.value()
        return found

    def _array(self) -> Any:
        if self._found(b"$"):
            marker = self._take(1)
            self.position += 1  # the count marker, which always follows a type
            return self._numbers(marker, self._count())
        if self._found(b"#"):
            return [self.value() for _ in range(self._count())]
        values = []
        while not self._found(b"]"):
            values.append(self.value())
        return values
