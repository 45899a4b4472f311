"""Files that a command writes: all of them or none, and never one half-written.

Each goes into a temporary file in the folder of the final one, made before the long work starts, so that a folder
that cannot be written to is noticed at once. Only when all is done they are moved into place.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from hedgerow._support.whole_file import permissions
from hedgerow.exceptions import InvalidParameterError


class OutputFiles:
    """The files that will be written, as a context: left without an error they are there, else none is.

    Parameters
    ----------
    paths : iterable of paths
        Each once. What is there is replaced; a link stays one; a device or a pipe is written to at the end.
    sources : iterable of paths
        Files that are read, which must not be replaced.

    Raises
    ------
    InvalidParameterError
        On entering, if one of the files cannot be written.
    """

    def __init__(self, paths: Iterable[Path], sources: Iterable[Path] = ()) -> None:
        self._paths, self._sources = list(paths), list(sources)
        self._temporary: dict[Path, Path] = {}
        self._contents: dict[Path, bytes] = {}

    def __enter__(self) -> Self:
        try:
            for path in self._paths:
                self._prepare(path)
        except BaseException:
            self._remove()
            raise
        return self

    def write(self, path: Path, content: str | bytes) -> None:
        """Keep what will be in one of the files."""
        self._contents[path] = content.encode() if isinstance(content, str) else content

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._commit()
        finally:
            self._remove()

    def _prepare(self, path: Path) -> None:
        others = [*self._temporary, *(source.resolve() for source in self._sources)]
        place = path.resolve()
        if place in others:
            what = "is read by this command" if place not in self._temporary else "is named for two outputs"
            raise InvalidParameterError(f"{path} {what}. Write to another file.")
        if path.is_dir():
            raise InvalidParameterError(f"{path} is a folder. Name a file in it.")
        if path.exists() and not path.is_file():
            return
        if path.exists() and not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise InvalidParameterError(f"{path} is write-protected. Name another file.")
        try:
            handle, name = tempfile.mkstemp(prefix=f".{place.name[:50]}.", suffix=".tmp", dir=place.parent)
        except OSError as error:
            raise InvalidParameterError(f"Cannot write {path}: {error.strerror}.") from None
        os.close(handle)
        self._temporary[place] = Path(name)

    def _commit(self) -> None:
        for path, content in self._contents.items():
            temporary = self._temporary.get(path.resolve())
            if temporary is not None:
                temporary.write_bytes(content)
                temporary.chmod(permissions(path))
        for path, content in self._contents.items():
            place = path.resolve()
            if place in self._temporary:
                self._temporary.pop(place).replace(place)
            else:
                path.write_bytes(content)

    def _remove(self) -> None:
        for temporary in self._temporary.values():
            temporary.unlink(missing_ok=True)
