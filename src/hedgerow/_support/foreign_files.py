"""Files that come from elsewhere: a pickle, which is a program, is recognized by its bytes, not by its name."""

from __future__ import annotations

import pickletools
import re
from pathlib import Path

from hedgerow.exceptions import InvalidDataError, UnsupportedModelError

#: How files compressed by joblib begin: zlib, gzip, bz2, xz, lzma, lz4.
_COMPRESSED = rb"x[\x01\x5e\x9c\xda]|\x1f\x8b|BZh|\xfd7zXZ|\x5d\x00\x00|\x04\x22M\x18"

#: A file may unpack to so many bytes, or else to so many times its own size.
_UNPACKED, _TIMES = 1 << 28, 100


def read_bytes(path: Path) -> bytes:
    """Return the content of a file; one that cannot be read raises an :class:`InvalidDataError`."""
    if path.is_dir():
        raise InvalidDataError(f"{path} is a folder. Name a file in it.")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidDataError(f"Cannot read {path}: {error.strerror}.") from None


def refuse_pickle(path: Path, content: bytes, kind: str, way_out: str) -> None:
    """Raise an error if the content of a file that should be of some kind is a pickle."""
    if _is_pickle(content):
        raise UnsupportedModelError(f"{path} is a pickle, not {kind}: loading it would run the code in it. {way_out}")


def refuse_blow_up(path: Path, unpacked: int) -> None:
    """Raise an error if so many bytes are more than a packed file can hold in earnest.

    A packed file of a megabyte may be a terabyte of the same byte, which would fill the memory.
    """
    if unpacked > max(_UNPACKED, _TIMES * path.stat().st_size):
        raise InvalidDataError(
            f"{path} unpacks to more than {_TIMES} times its size, which is usual only of files that are meant to fill "
            "the memory. If you know better, unpack it and name the unpacked file."
        )


def _is_pickle(content: bytes) -> bool:
    """Return whether the bytes begin with pickle instructions, or were compressed by joblib."""
    if re.match(rb"\x80[\x02-\x0f]|" + _COMPRESSED, content):
        return True
    try:
        return sum(1 for _ in pickletools.genops(content)) > 0  # protocols 0 and 1 have no marker
    except Exception:  # a broken instruction may raise anything
        return False
