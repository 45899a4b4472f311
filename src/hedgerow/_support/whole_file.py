"""Files that are written completely or not at all.

Content goes to a temporary file in the folder of the final one, which it replaces at the end.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import IO, Self


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write one file; an existing one stays as it is until everything is written."""
    with WholeFiles([Path(path)]) as files:
        files.write(Path(path), content)


class WholeFiles:
    """Files that appear when the context is left without an error: all of them or none.

    Parameters
    ----------
    paths : iterable of Path
        Existing files are replaced and keep their permissions. A link remains a link. A device or a pipe is written to
        at the end.

    Raises
    ------
    OSError
        On entering, if one of the files cannot be written. Errors name the file that was asked for, never the
        temporary one.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths = list(paths)
        self._parts: dict[Path, Path | None] = {}
        self._contents: dict[Path, bytes] = {}
        self._open: dict[Path, IO[bytes]] = {}

    def __enter__(self) -> Self:
        try:
            for path in self._paths:
                with _naming(path):
                    target = path.resolve()
                    # Noted before it is there, so that it is removed wherever a signal may interrupt.
                    part = self._parts[path] = _part_of(target)
                    if part is not None:
                        _create(part, target)
        except BaseException:
            self._discard()
            raise
        return self

    def write(self, path: Path, content: str | bytes) -> None:
        """Keep the content of one of the files; strings are encoded as UTF-8."""
        self._contents[path] = content.encode() if isinstance(content, str) else content

    def opened(self, path: Path) -> IO[bytes]:
        """Return a file for the content of one of the files, to be written bit by bit; it is closed at the end."""
        part = self._parts[path]
        with _naming(path):
            self._open[path] = (path if part is None else part).open("wb")
        return self._open[path]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for path, file in self._open.items():
                with _naming(path):
                    file.close()
            if kind is None:
                self._commit()
        finally:
            self._discard()

    def _commit(self) -> None:
        parts = {path: part for path, part in self._parts.items() if part is not None and path in self._contents}
        for path, part in parts.items():
            with _naming(path):
                part.write_bytes(self._contents[path])
        for path in self._open:
            written = self._parts[path]
            if written is not None:
                with _naming(path):
                    os.replace(written, path.resolve())
        for path, content in self._contents.items():
            with _naming(path):
                if path in parts:
                    os.replace(parts[path], path.resolve())
                else:
                    path.write_bytes(content)

    def _discard(self) -> None:
        for part in self._parts.values():
            if part is not None:
                with suppress(FileNotFoundError, NotADirectoryError):  # it may not have been created
                    part.unlink()


def _part_of(target: Path) -> Path | None:
    """Return the file that will replace the target; None for a device or a pipe, which cannot be replaced."""
    if target.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    is_file = target.is_file()
    if target.exists() and not is_file:
        return None
    if is_file and not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    return target.with_name(f".{target.name[:50]}.{token_hex(4)}.part")


def _create(part: Path, target: Path) -> None:
    """Create the empty file that will replace the target, with its permissions."""
    part.touch(exist_ok=False)
    if target.is_file():
        shutil.copymode(target, part)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors of the file system name this file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
