"""Passes on this machine: threads work on a few chunks at a time while the next one is read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from hedgerow._support.progress import counted
from hedgerow.exceptions import HedgerowError, InvalidDataError
from hedgerow.sources.checksum import Checksum
from hedgerow.sources.source import Chunk, Passes, Reader, S, Source

#: Makes a chunk of what was read, in one of the threads.
Piece = Callable[[], Chunk]
T = TypeVar("T")


class LocalSource(Source):
    """A source that is read on this machine."""

    def pieces(self, columns: Sequence[str | int] | None, targets: bool, threads: int) -> Iterator[Piece]:
        """Yield functions that return the chunks, in the order of the rows and with the same bounds every time.

        What takes time and does not depend on the other chunks belongs inside the functions, which threads call.
        """
        raise NotImplementedError

    def check_columns(self, columns: Sequence[str | int] | None) -> None:
        """Refuse columns that the source does not have."""
        raise NotImplementedError

    def passes(
        self,
        reader: Reader,
        columns: Sequence[str | int] | None = None,
        *,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> Passes:
        """Return an object that makes passes over the rows; see :class:`~hedgerow.sources.Source`."""
        self.check_columns(columns)
        return LocalPasses(self, reader, columns, n_jobs, verbose)


class LocalPasses(Passes):
    """Passes over a source that is read on this machine."""

    source: LocalSource

    def __init__(
        self,
        source: LocalSource,
        reader: Reader,
        columns: Sequence[str | int] | None,
        n_jobs: int | None,
        verbose: bool,
    ) -> None:
        from joblib import effective_n_jobs

        super().__init__(source, reader, columns)
        self.verbose = verbose
        self.threads = effective_n_jobs(n_jobs)

    def run(
        self, statistic: S, *, targets: bool = True, columns: Sequence[str | int] | None = None, what: str = ""
    ) -> S:
        """Make one pass, and return the statistic of all rows."""
        whole = statistic.empty()

        def work(chunk: Chunk) -> S:
            of_chunk = whole.empty()  # which may know from the rows before what is not needed any more
            of_chunk.add(self.reader.rows(chunk))
            return of_chunk

        for of_chunk in self._over_chunks(work, targets, columns, what):
            whole.merge(of_chunk)
        return whole

    def map(
        self,
        function: Callable[[Any], Any],
        *,
        targets: bool = False,
        columns: Sequence[str | int] | None = None,
        what: str = "",
    ) -> Iterator[Any]:
        """Make one pass, and yield what a function returns for the reader's rows of each chunk, in order."""
        return self._over_chunks(lambda chunk: function(self.reader.rows(chunk)), targets, columns, what)

    def _over_chunks(
        self, work: Callable[[Chunk], T], targets: bool, columns: Sequence[str | int] | None, what: str
    ) -> Iterator[T]:
        source = self.source
        if targets and not source.has_targets:
            raise InvalidDataError(f"{source} has no targets. Name the target, or yield pairs of X and y.")
        source.check_columns(columns)
        self.record.n += 1

        def task(piece: Piece) -> tuple[T, Checksum] | None:
            chunk = piece()
            if not chunk.n_rows:
                return None
            checksum = Checksum.of(chunk)
            with named_after(chunk):
                return work(chunk), checksum

        wanted = columns if columns is not None else self.columns
        whole = Checksum()
        total = self.n_rows or source.n_rows
        with counted(total, "rows", f"Pass {self.n}{what and ', '}{what}", self.verbose) as count:
            for done in in_order(task, source.pieces(wanted, targets, self.threads), self.threads):
                if done is None:
                    continue
                result, checksum = done
                whole.merge(checksum)
                yield result
                count(checksum.n_rows)
        self.ended(whole)


def in_order(task: Callable[[Piece], T], pieces: Iterator[Piece], threads: int) -> Iterator[T]:
    """Yield the results of a task for all pieces, in their order, with a bounded number of pieces in memory."""
    executor = ThreadPoolExecutor(threads, thread_name_prefix="hedgerow-pass")
    running: deque[Future[T]] = deque()
    try:
        for piece in pieces:
            running.append(executor.submit(task, piece))
            del piece  # the thread lets go of it when it is done
            if len(running) > threads:  # one waits, so that no thread has to
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:  # after an error or Ctrl-C, nobody waits for what is still being computed
        executor.shutdown(wait=False, cancel_futures=True)


@contextmanager
def named_after(chunk: Chunk) -> Iterator[None]:
    """Have errors say in which chunk they occurred."""
    try:
        yield
    except InvalidDataError as error:
        if chunk.place in str(error):
            raise
        raise InvalidDataError(f"{chunk.place}: {error}", parameter=error.parameter) from error
    except (HedgerowError, ImportError, MemoryError):
        raise
    except Exception as error:
        raise InvalidDataError(f"{chunk.place}: {type(error).__name__}: {error}") from error
