"""The code on the pages: which blocks there are, what each prints when it runs alone, and what the page shows of it.

A block of Python or of shell commands runs in an empty folder that holds ``examples/`` as in a clone, with none of the
names of other blocks. Compressed tables that it reads are beside it; where there are none on this machine, it does not
run. The ``text``, ``sql``, ``json``, ... block after it shows what it prints, or the file that a comment before the
block names::

    <!-- file: rules.sql -->

In such a block ``...`` on a line of its own stands for any lines, and within a line for any characters. A block that
cannot run says why, in a comment before it: ``<!-- not run: needs a server -->``. On a page with the comment
``<!-- written by: program -->``, no block shows what the code on the page makes.
"""

import gzip
import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import duckdb

from benchmarks.datasets import DEFAULT_DIRECTORY
from hedgerow.cli import main

ROOT = Path(__file__).parents[1]
#: Pages about real data, and the reports that their programs write, compressed.
CASES, REPORTS = ROOT / "docs" / "cases", ROOT / "docs" / "reports"
EXECUTED = ("python", "sh")
SHOWN = ("text", "sql", "json", "csv", "tex", "dot")
_FENCE = re.compile(r"^```(?P<language>\S*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!-- (?P<what>file|not run): (?P<why>(?:(?!-->).)*?) -->\n+\Z", re.DOTALL)
_WRITTEN = re.compile(r"^<!-- (written by: .*?) -->$", re.MULTILINE)
_ELLIPSIS = re.compile(r"\.\.\.|…")


@dataclass(frozen=True)
class Fence:
    """One block between fences, with the comment before it: its kind (file or not run) and its text."""

    page: str
    language: str
    text: str
    start: int
    stop: int
    line: int
    comment: tuple[str, str] = ("", "")

    def says(self, what: str) -> str:
        """Return the text of the comment if it is of this kind, else nothing."""
        return self.comment[1] if self.comment[0] == what else ""


@dataclass(frozen=True)
class Block:
    """Code that runs, and the fences that show what it makes."""

    code: Fence
    number: int
    shown: tuple[Fence, ...] = ()

    def __str__(self) -> str:
        return f"{self.code.page}:{self.code.line}"

    @cached_property
    def files(self) -> dict[str, Fence]:
        """The fences by the file that they show; that of the printed output has no name."""
        return {fence.says("file"): fence for fence in self.shown}


@dataclass(frozen=True)
class Page:
    """The blocks of a page, and the fences that neither run nor show what ran, each with the reason or nothing."""

    blocks: tuple[Block, ...]
    left_out: tuple[tuple[Fence, str], ...]


def pages() -> list[Path]:
    """Return the pages of the project."""
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted(CASES.glob("*.md")),
    ]


def fences(text: str, name: str) -> Iterator[Fence]:
    """Yield the fences of a page."""
    for found in _FENCE.finditer(text):
        comment = _COMMENT.search(text[: found.start()])
        yield Fence(
            page=name,
            language=found["language"],
            text=found["text"],
            start=found.start(),
            stop=found.end(),
            line=text.count("\n", 0, found.start()) + 1,
            comment=(comment["what"], " ".join(comment["why"].split())) if comment else ("", ""),
        )


def read_page(text: str, name: str) -> Page:
    """Return what is on a page."""
    written = _WRITTEN.search(text)
    blocks: list[Block] = []
    left_out = []
    runs = False
    for fence in fences(text, name):
        why = fence.says("not run") or (written[1] if written and fence.language not in EXECUTED else "")
        if fence.language in EXECUTED:
            runs = not why
        if runs and fence.language in EXECUTED:
            blocks.append(Block(fence, len(blocks)))
        elif runs and not why and fence.language in SHOWN:
            blocks[-1] = replace(blocks[-1], shown=(*blocks[-1].shown, fence))
        else:
            left_out.append((fence, why))
    return Page(tuple(blocks), tuple(left_out))


def run(block: Block) -> dict[str, str]:
    """Run a block in the current folder; return the files that the page shows by name, and what is printed as ''."""
    printed = StringIO()
    with chdir("."), redirect_stdout(printed):
        if block.code.language == "python":
            # Empty lines before the code, so that a traceback has the line of the page.
            exec(compile("\n" * block.code.line + block.code.text, block.code.page, "exec"), {"__name__": "__main__"})
        else:
            for command in filter(None, _commands(block.code.text)):
                _run_command(command)
    return {name: Path(name).read_text() if name else printed.getvalue() for name in {"", *block.files}}


def _commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command."""
    command = ""
    for line in text.replace("\\\n", " ").splitlines():
        command += f"{line}\n"
        if command.count('"') % 2 == 0:  # a string may go over several lines
            yield shlex.split(command, comments=True)
            command = ""


def _run_command(command: list[str]) -> None:
    """Run what is ours; of what installs, builds or measures, check that it is there."""
    name, *arguments = [part for part in command if not re.match(r"[A-Z_]+=", part)]
    known = {"hedgerow": _hedgerow, "duckdb": _duckdb, "pip": _pip, "make": _make, "python": _python}
    if name in known:
        known[name](arguments)
    else:
        assert (ROOT / name).is_file(), f"no program of the pages: {name}. Known are {', '.join(known)}."


def _hedgerow(arguments: list[str]) -> None:
    said = StringIO()
    with redirect_stderr(said):
        assert main(arguments) == 0, said.getvalue()


def _duckdb(arguments: list[str]) -> None:
    flag, queries = arguments
    assert flag == "-c"
    with duckdb.connect() as database:
        database.execute(re.sub(r"\$\(cat ([^)\s]+)\)", lambda found: Path(found[1]).read_text(), queries))


def _pip(arguments: list[str]) -> None:
    verb, *wanted = arguments
    assert verb == "install"
    for package in wanted:
        check_install(package)


def check_install(package: str) -> None:
    """Check that a package to install is a clone, as long as there is no release, and that its extras exist."""
    found = re.fullmatch(r"\.(?:\[(.*)\])?", package)
    assert found, f"not a clone of hedgerow: pip install {package}"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {extra for extra in (found[1] or "").split(",") if extra} <= set(extras), package


def _make(arguments: list[str]) -> None:
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(arguments) <= set(targets), f"no such target of make: {arguments}"


def _python(arguments: list[str]) -> None:
    flag, module, *_ = arguments
    assert flag == "-m"
    assert find_spec(module) is not None, f"no module {module}"


def matches(shown: str, made: str) -> bool:
    """Whether what a page shows is what was made, but for its ellipses, empty lines at the ends and trailing blanks."""
    pattern = "".join(_line_pattern(line) for line in _lines(shown))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(made))) is not None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def _line_pattern(line: str) -> str:
    if _is_ellipsis(line):
        return r"(?:.*\n)*?"
    return ".*?".join(re.escape(part) for part in _ELLIPSIS.split(line)) + r"\n"


def _is_ellipsis(line: str) -> bool:
    return _ELLIPSIS.fullmatch(line.strip()) is not None


def renew(shown: str, made: str) -> str:
    """Return what a page should show of what was made: as many lines as before, at the same ends, with its ellipses.

    The lines before the first ellipsis stay at the beginning and those after the last at the end; those in between
    go where they are most alike. An ellipsis within a line stays where what is before it is still true.
    """
    if matches(shown, made):
        return shown
    old, new = _lines(shown), _lines(made)
    parts = _parts(old)
    if sum(map(len, parts)) >= len(new):
        parts = [old]
    lines: list[str] = []
    for i, part in enumerate(parts):
        start = 0 if i == 0 else len(new) - len(part) if i == len(parts) - 1 else _most_alike(part, new)
        stop = len(new) if len(parts) == 1 else start + len(part)
        lines += ([] if i == 0 else [_ellipsis(old, i - 1)]) + _with_ellipses(part, new[max(start, 0) : stop])
    return "".join(f"{line}\n" for line in lines)


def _parts(lines: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for line in lines:
        if _is_ellipsis(line):
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def _ellipsis(lines: list[str], number: int) -> str:
    return [line for line in lines if _is_ellipsis(line)][number]


def _most_alike(part: list[str], lines: list[str]) -> int:
    def likeness(start: int) -> float:
        there = "\n".join(lines[start : start + len(part)])
        return SequenceMatcher(None, "\n".join(part), there, autojunk=False).ratio()

    return max(range(len(lines)), key=likeness, default=0)


def _with_ellipses(old: list[str], new: list[str]) -> list[str]:
    kept = [line for line in old if _ELLIPSIS.search(line) and not _is_ellipsis(line)]
    return [next((line for line in kept if re.match(_line_pattern(line), f"{made}\n")), made) for made in new]


def tables_of(code: str) -> list[Path]:
    """Return where the compressed tables are that code reads, if they are there; see ``benchmarks.datasets``."""
    names = sorted(set(re.findall(r"[\w-]+\.[ct]sv\.gz", code)))
    return [DEFAULT_DIRECTORY / ("tabular" if name.endswith(".csv.gz") else "ucr") / name for name in names]


def update(path: Path, block: Block, made: dict[str, str]) -> None:
    """Write what a block makes into its page, where it shows something else, or nothing of what is printed."""
    text = path.read_text()
    # Blocks before this one may have been written anew, so places are looked up again.
    block = read_page(text, block.code.page).blocks[block.number]
    for fence in reversed(block.shown):
        new = renew(fence.text, made[fence.says("file")])
        text = f"{text[: fence.start]}```{fence.language}\n{new}```{text[fence.stop :]}"
    if made[""].strip() and "" not in block.files:
        text = f"{text[: block.code.stop]}\n\n```text\n{renew('', made[''])}```{text[block.code.stop :]}"
    path.write_text(text)
    if path.parent == CASES:
        for report in Path().glob("*.html"):
            (REPORTS / f"{report}.gz").write_bytes(gzip.compress(report.read_bytes(), mtime=0))
