"""Change the code a little and see whether a test notices: ``python -m benchmarks.mutants [--rooms optimize --n 40]``.

A mutant is a copy of the package with one operator, comparison, number, branch or loop changed (those of cosmic-ray).
It is killed if a test of its module fails, or one of its room; the share of the mutants that are killed is the score.
Mutants are drawn from a seed, at most one of a kind for each line. What cannot matter is left out: annotations,
docstrings, constants of modules, which say how much effort is made and not what the answer is, and the arguments
``strict`` (of ``zip``: it fails only where the code is wrong already) and ``stacklevel``.

Rows are stored as they are measured in ``results/mutants.csv``; a second call goes on where the first stopped, and
``--again`` tries those that survived once more, after a test was added.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from rich.console import Console

from benchmarks.parallel import THREADS
from benchmarks.results import DIRECTORY, Results

ROOT = Path(__file__).parents[1]
ROOMS = ("pipeline", "candidates", "optimize", "rules", "readers")
KEYS = ("file", "code", "operator", "occurrence", "trial")
#: How much longer the tests of a mutant may take than those of the code as it is: a changed loop may never end.
_SLOWER, _MORE_SECONDS = 4, 30
_KILLED, _SURVIVED = "killed", "survived"
#: What is replaced by what: mistakes that somebody could make, which others, such as << for +, are not.
_ALIKE = (
    {"Add", "Sub", "Mul", "Div"},
    {"BitAnd", "BitOr"},
    {"Eq", "NotEq"},
    {"Lt", "LtE", "Gt", "GtE"},
    {"Is", "IsNot"},
    {"Delete", "Not", "USub", "Invert"},
)
#: Arguments that no answer depends on.
_AIDS = {"strict", "stacklevel"}
#: Operators that need to be told variables; and decorators mostly change how fast a program is.
_OTHERS = {"VariableInserter", "VariableReplacer", "RemoveDecorator"}


@dataclass(frozen=True)
class Mutant:
    """A change of a file of the package, relative to the root."""

    file: str
    operator: str
    occurrence: int
    line: int

    @property
    def code(self) -> str:
        """A short digest of the file: another version has other mutants. (A digest alone may look like a number.)"""
        return "#" + hashlib.sha1((ROOT / self.file).read_bytes(), usedforsecurity=False).hexdigest()[:10]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants, print the scores and what survived."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--rooms", default=",".join(ROOMS), help=f"folders of the package; default: {','.join(ROOMS)}")
    parser.add_argument("--n", type=int, default=40, help="mutants of each room; default: 40")
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other mutants")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    parser.add_argument("--directory", type=Path, default=DIRECTORY, help="where the results are")
    options = parser.parse_args(arguments)
    console = Console(soft_wrap=True, markup=False, highlight=False)
    results = Results("mutants", KEYS, options.directory)
    rooms = options.rooms.split(",")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        for room in rooms:
            for mutant in drawn(room, options.n, options.seed):
                _measure(room, mutant, copy, results, options.again, console)
    return _summarize(results, rooms, console)


def drawn(room: str, n: int, seed: int) -> list[Mutant]:
    """Return some mutants of a room, at most one of a kind for each line."""
    rng = np.random.default_rng(seed)
    every = [mutant for file in sorted((ROOT / "src/hedgerow" / room).rglob("*.py")) for mutant in _mutants_of(file)]
    found: dict[tuple[str, int, str], Mutant] = {}
    for k in rng.permutation(len(every)):
        mutant = every[k]
        kind = mutant.operator.partition("_")[0]
        if (mutant.file, mutant.line, kind) not in found and _matters(mutant):
            found[mutant.file, mutant.line, kind] = mutant
        if len(found) == n:
            break
    return list(found.values())


def _mutants_of(file: Path) -> Iterator[Mutant]:
    nodes = list(ast_nodes(get_ast(file.read_text())))
    for name in sorted(operator_names()):
        if not _is_likely(name.removeprefix("core/")):
            continue
        operator, occurrence = get_operator(name)(), 0
        for node in nodes:
            for (line, _), _ in operator.mutation_positions(node):
                yield Mutant(str(file.relative_to(ROOT)), name, occurrence, line)
                occurrence += 1


def _is_likely(operator: str) -> bool:
    """Whether an operator of cosmic-ray makes mistakes that somebody could make."""
    kind, *pair = operator.split("_")
    return kind not in _OTHERS and (not pair or any(set(pair) <= alike for alike in _ALIKE))


def _changed(mutant: Mutant) -> tuple[str, str]:
    """Return the code of a file before and after."""
    before = (ROOT / mutant.file).read_text()
    return before, mutate_code(before, get_operator(mutant.operator)(), mutant.occurrence)


def _matters(mutant: Mutant) -> bool:
    before, after = _changed(mutant)
    try:
        return _what_counts(before) != _what_counts(after)
    except SyntaxError:  # cosmic-ray takes the * before keyword-only parameters for an operator
        return False


class _Stripped(ast.NodeTransformer):
    """Leaves out annotations, docstrings, constants of the module and arguments that no answer depends on."""

    def visit_Module(self, node: ast.Module) -> ast.AST:
        node.body = [part for part in node.body if not _is_constant(part)]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg in _AIDS else self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)


def _is_constant(part: ast.stmt) -> bool:
    if not isinstance(part, ast.Assign | ast.AnnAssign):
        return False
    names = [node.id for node in ast.walk(part) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return all(name.isupper() for name in names)


def _what_counts(code: str) -> str:
    return ast.dump(_Stripped().visit(ast.parse(code)))


def _measure(room: str, mutant: Mutant, copy: Path, results: Results, again: bool, console: Console) -> None:
    """Run the tests of a mutant, and store what came of it."""
    key = {"file": mutant.file, "code": mutant.code, "operator": mutant.operator, "occurrence": mutant.occurrence}
    before = [row for row in results.rows if all(row[name] == value for name, value in key.items())]
    if before and not (again and before[-1]["outcome"] == _SURVIVED):
        return
    code, after = _changed(mutant)
    started = time.perf_counter()
    survived = all(_survives(tests, mutant, after, copy) for tests in _tests_of(room, mutant))
    outcome = _SURVIVED if survived else _KILLED
    lines = difflib.unified_diff(code.splitlines(), after.splitlines(), lineterm="", n=0)
    change = " ".join(line.strip() for line in list(lines)[3:])
    seconds = round(time.perf_counter() - started, 1)
    row = {**key, "trial": len(before), "line": mutant.line, "room": room, "outcome": outcome, "seconds": seconds}
    results.add(row | {"change": change})
    console.print(f"{outcome} after {seconds:.0f} s: {mutant.file}:{mutant.line} {change}")


def _tests_of(room: str, mutant: Mutant) -> list[Path]:
    """Return where the tests of a module are, and those of its room."""
    module = Path(mutant.file).relative_to("src/hedgerow")
    own = ROOT / "tests" / module.with_name(f"test_{module.name}")
    return [tests for tests in (own, ROOT / "tests" / room) if tests.exists()]


@cache
def _seconds(tests: Path, copy: Path) -> float:
    """Return how long the tests of the code as it is take; they must pass, or nothing that is killed would count."""
    started = time.perf_counter()
    if not _pass(tests, copy, None):
        raise SystemExit(f"{tests} fails without any change. Mend that first.")
    return time.perf_counter() - started


def _survives(tests: Path, mutant: Mutant, after: str, copy: Path) -> bool:
    """Return whether no test notices that a file of the copy is changed."""
    most = _SLOWER * _seconds(tests, copy) + _MORE_SECONDS
    changed = copy.parent / mutant.file
    code = changed.read_text()
    changed.write_text(after)
    try:
        return _pass(tests, copy, most)
    finally:
        changed.write_text(code)


def _pass(tests: Path, copy: Path, most: float | None) -> bool:
    environment = os.environ | dict.fromkeys(THREADS, "1") | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", str(tests)]
    try:
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=most, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def _summarize(results: Results, rooms: Sequence[str], console: Console) -> int:
    frame = results.frame()
    if len(frame):  # the last trial of each, of the code as it is now
        frame = frame.drop_duplicates(list(KEYS[:-1]), keep="last")
        digests = {file: Mutant(file, "", 0, 0).code for file in frame["file"].unique() if (ROOT / file).exists()}
        frame = frame[frame["code"] == frame["file"].map(digests)]
    for room in rooms:
        mine = frame[frame["room"] == room] if len(frame) else frame
        if len(mine):
            killed = int((mine["outcome"] == _KILLED).sum())
            console.print(f"{room}: {killed} of {len(mine)} mutants killed, {100 * killed / len(mine):.1f} %")
            for row in mine[mine["outcome"] == _SURVIVED].itertuples():
                console.print(f"  {row.file}:{row.line} {row.change}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
