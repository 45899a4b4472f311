"""The sides of a race: each a process that solves kept instances, with the code of one checkout.

``python -m benchmarks.race_sides SOLVER`` is such a process: it reads a line for each run, with the file of the problem
and the time limit, and answers with a line of JSON.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np

from benchmarks.parallel import THREADS

#: The root of this checkout.
ROOT = Path(__file__).parents[1]
#: The solvers, with the package of each that is not ours.
SIDES = {"ours": "", "gurobi": "gurobipy", "highs": "highspy", "scip": "pyscipopt"}
#: A process that takes this many times the limit, and so many seconds more, is killed.
_PATIENCE, _MORE_SECONDS = 3.0, 60.0


class Side:
    """One side of a race.

    Attributes
    ----------
    label : str
        What it is called in tables and in the name of the file.
    code : str
        What was raced: a fingerprint of our code, or the version of a solver. Rows of other code do not count.
    licensed : bool
        Whether it takes problems within Gurobi's free licence only.
    """

    def __init__(self, label: str, solver: str, source: Path, code: str) -> None:
        self.label, self.solver, self.source, self.code = label, solver, source, code
        self.licensed = solver == "gurobi"
        self.process: subprocess.Popen[str] | None = None

    @classmethod
    def of_solver(cls, solver: str) -> Self:
        """Return a solver, with this checkout."""
        package, source = SIDES[solver], ROOT / "src"
        code = f"{solver}-{version(package)}" if package else fingerprint(source)
        return cls(solver, solver, source, code)

    @classmethod
    def of_commit(cls, root: Path, name: str) -> Self:
        """Return the default solver of a checkout."""
        label = "files" if name == "." else "".join(c if c.isalnum() or c in ".-" else "-" for c in name)
        return cls(label, "ours", root / "src", fingerprint(root / "src"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def solve(self, path: Path, limit: float) -> dict[str, Any]:
        """Return what came of a problem: status, objective, bound, and the seconds of the processor and the clock."""
        if self.process is None:
            self.process = self._start()
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        started = time.perf_counter()
        try:
            process.stdin.write(json.dumps([str(path), limit]) + "\n")
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], _PATIENCE * limit + _MORE_SECONDS)
            answer = process.stdout.readline() if ready else ""
        except BrokenPipeError:
            answer = ""
        if not answer:
            spent = time.perf_counter() - started
            self.stop()
            return _nothing("failed", "The process was killed, or it died.", spent, spent)
        row: dict[str, Any] = json.loads(answer)
        if row["clock"] > 0.9 * limit or row["status"] == "failed":
            self.stop()  # a thread of the solver may still run, and would be measured with the next instance
        return row

    def _start(self) -> subprocess.Popen[str]:
        environment = os.environ | dict.fromkeys(THREADS, "1")
        environment["PYTHONPATH"] = os.pathsep.join([str(self.source), str(ROOT)])
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "benchmarks.race_sides", self.solver, str(self.source)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=ROOT,
        )

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def fingerprint(source: Path) -> str:
    """Return a short digest of the Python files below a folder."""
    digest = hashlib.sha1(usedforsecurity=False)
    for path in sorted(source.rglob("*.py")):
        digest.update(str(path.relative_to(source)).encode() + b"\0" + path.read_bytes())
    return f"hedgerow-{digest.hexdigest()[:10]}"


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check a commit out into a temporary worktree; "." is this checkout as it is."""
    if commit == ".":
        yield ROOT
        return
    with tempfile.TemporaryDirectory(prefix="hedgerow-race-") as folder:
        root = Path(folder) / "checkout"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(root), commit], check=True)
        try:
            yield root
        finally:
            subprocess.run([*git, "remove", "--force", str(root)], check=True)


# In the process


def _nothing(status: str, message: str, cpu: float, clock: float) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(("objective", "bound", "size", "chosen"))
    return {"status": status, **row, "cpu": cpu, "clock": clock, "message": message}


def solved(solver: Any, problem: Any, limit: float) -> dict[str, Any]:
    """Return what a solver makes of a problem."""
    from hedgerow.exceptions import InfeasibleError, TimeLimitError

    clock, cpu = time.perf_counter(), time.process_time()

    def spent() -> tuple[float, float]:
        return time.process_time() - cpu, time.perf_counter() - clock

    try:
        found = answer(solver, problem, limit)
    except InfeasibleError as error:
        return _nothing("infeasible", str(error), *spent())
    except TimeLimitError as error:
        return _nothing("no list", str(error), *spent())
    except Exception as error:  # of a solver that is raced, whatever it is
        return _nothing("failed", f"{type(error).__name__}: {error}", *spent())
    seconds = dict(zip(("cpu", "clock"), spent(), strict=True))
    bound = float(found.bound) if math.isfinite(found.bound) else None
    size = float(np.max(np.abs(problem.scores[found.chosen])))
    row = {"status": found.status, "objective": float(found.objective), "bound": bound, "size": size}
    return row | {"chosen": len(found.chosen), **seconds, "message": ""}


def answer(solver: Any, problem: Any, limit: float) -> Any:
    """Return the best list. If there is none, the budget that would have one is not asked for."""
    from hedgerow.optimize.solvers.solver import SolvesPaths

    if problem.max_rules is None or not isinstance(solver, SolvesPaths):
        return solver.solve(problem, limit)
    found = solver.feasible_path(problem, [problem.max_rules], limit)[problem.max_rules]
    if isinstance(found, Exception):
        raise found
    return found


def make_solver(name: str) -> Any:
    """Return a solver of the hedgerow that is importable."""
    from hedgerow.optimize import solvers

    if name == "ours":
        return solvers.RowGeneration()
    return solvers.Gurobi(threads=1) if name == "gurobi" else solvers.Highs() if name == "highs" else solvers.Scip()


def serve(name: str, source: Path) -> None:
    """Answer the lines on the standard input."""
    import hedgerow
    from benchmarks.instances.storage import unpacked
    from hedgerow.optimize.problem import PartitionProblem

    if Path(hedgerow.__file__).parents[1].resolve() != source.resolve():
        raise SystemExit(f"hedgerow was imported from {hedgerow.__file__}, not from {source}.")
    # What solvers print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    solver = make_solver(name)
    solved(solver, PartitionProblem([1.0, 1.0], np.eye(2)), 1.0)  # what is imported at the first call
    for line in sys.stdin:
        path, limit = json.loads(line)
        with np.load(path, allow_pickle=False) as arrays:
            problem = unpacked(dict(arrays))
        print(json.dumps(solved(solver, problem, limit)), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]))
