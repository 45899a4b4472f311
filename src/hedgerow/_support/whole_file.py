"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from secrets import token_hex


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a text, in UTF-8, under a name; what had that name before stays until all is written.

    Raises the error that says what is wrong with ``path``, never with the file that it is written to first.
    """
    target = Path(path).resolve()  # of a link, the file behind it
    is_file = target.is_file()
    if target.exists() and not is_file:  # a pipe or a device cannot be replaced
        target.write_text(text, encoding="utf-8", newline="\n")
        return
    part = target.with_name(f".{target.name}.{token_hex(4)}.part")
    try:
        with open(part, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if is_file:
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def permissions(target: Path) -> int:
    """Return those of the file that is replaced, or those that any new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
