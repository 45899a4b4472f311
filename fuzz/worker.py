"""One parser, fed in this process until its time or its executions are used up.

What is being read, and how many were, stands in memory shared with the process that started this one: it is still there
if reading kills this process.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import resource
import struct
import sys
import time
import traceback
import warnings
from pathlib import Path
from random import Random
from typing import Any

from fuzz.mutations import LARGEST, mutated
from fuzz.parsers import PARSERS, Parser
from hedgerow.exceptions import HedgerowError

#: What one file may take: bytes of memory beyond those of the libraries, and seconds of processor time.
MEMORY, SLOW, HANGS = 1 << 30, 10.0, 30
_HEAD = struct.Struct("QQ")
SHARED_SIZE = _HEAD.size + LARGEST
#: Variants that reach new lines are kept and mutated further; no more than this.
_MOST_KEPT = 400


class Shared:
    """The number of executions and the current input, in a file that is mapped into memory."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), SHARED_SIZE)

    def write(self, executions: int, data: bytes) -> None:
        """Store the number of an execution and its input, before it starts."""
        _HEAD.pack_into(self._memory, 0, executions, len(data))
        self._memory[_HEAD.size : _HEAD.size + len(data)] = data

    def read(self) -> tuple[int, bytes]:
        """Return what was stored."""
        executions, size = _HEAD.unpack_from(self._memory)
        return executions, bytes(self._memory[_HEAD.size : _HEAD.size + size])


class NewLines:
    """Whether lines of the package ran for the first time; never, before Python 3.12."""

    def __init__(self) -> None:
        self.n_lines = self._n_seen = 0
        monitoring = getattr(sys, "monitoring", None)
        if monitoring is None:
            return
        package = f"{os.sep}hedgerow{os.sep}"

        def reached(code: Any, _: int) -> Any:
            self.n_lines += package in code.co_filename
            return monitoring.DISABLE  # each line once, so that this costs next to nothing

        monitoring.use_tool_id(4, "fuzz")
        monitoring.register_callback(4, monitoring.events.LINE, reached)
        monitoring.set_events(4, monitoring.events.LINE)

    def any(self) -> bool:
        """Return whether there are new lines since this was last asked."""
        new, self._n_seen = self.n_lines > self._n_seen, self.n_lines
        return new


def failure(parser: Parser, path: Path) -> str | None:
    """Return what is wrong with how a file is read, None if it is read or refused as it should be."""
    started = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parser.use(path)
    except HedgerowError:
        pass
    except Exception as error:
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if "hedgerow" in frame.filename]
        where = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else "?"
        return f"{type(error).__name__} at {where}: {str(error)[:200]}"
    seconds = time.process_time() - started
    return f"slow: {seconds:.0f} s of processor time" if seconds > SLOW else None


def limit_memory() -> None:
    """Let this process use no more than ``MEMORY`` in addition to what it uses now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(name: str, folder: Path, findings: Path, seconds: float, executions: int, seed: int) -> None:
    """Feed a parser with variants of the seeds in a folder, and write what fails to ``findings``."""
    parser, random, shared = PARSERS[name], Random(seed), Shared(folder / "shared")
    corpus = [path.read_bytes() for path in sorted(folder.glob("*.seed"))]
    path = folder / f"input{parser.suffix}"
    for data in corpus:  # which loads the libraries
        path.write_bytes(data)
        failure(parser, path)
    limit_memory()
    lines, found = NewLines(), set[str]()
    until, limit_at = time.monotonic() + seconds, 0.0
    for i in range(executions):
        if time.monotonic() > until:
            break
        if time.process_time() >= limit_at:
            limit_at = time.process_time() + 1
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit_at) + HANGS, resource.RLIM_INFINITY))
        data = mutated(random, parser.grammar, corpus)
        shared.write(i + 1, data)
        path.write_bytes(data)
        why = failure(parser, path)
        if why is not None:
            key = why.partition(": ")[0]  # what it is and where
            if key not in found:
                found.add(key)
                write_finding(findings, name, data, why)
        if lines.any() and len(corpus) < _MOST_KEPT and len(data) < 20_000:
            corpus.append(data)
            (folder / f"{len(corpus):04d}-{seed}.seed").write_bytes(data)


def write_finding(findings: Path, name: str, data: bytes, why: str) -> None:
    """Write an input that fails, and why it does."""
    findings.mkdir(parents=True, exist_ok=True)
    called = f"{name}-{hashlib.sha256(data).hexdigest()[:8]}"
    (findings / f"{called}{PARSERS[name].suffix}").write_bytes(data)
    (findings / f"{called}.why").write_text(f"{why}\n", encoding="utf-8", errors="replace")


if __name__ == "__main__":
    own_name, own_folder, own_findings, *numbers = sys.argv[1:]
    run(own_name, Path(own_folder), Path(own_findings), float(numbers[0]), int(numbers[1]), int(numbers[2]))
