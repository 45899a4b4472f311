"""A list is learned, proven, and proven again by the stand-alone checker: does it all work on this machine?

Each step compares with something else than its own answer: an exhaustive search, the checker, the saved list.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Step:
    """A step of the self-test.

    Attributes
    ----------
    name : str
    passed : bool
    found : str
        What was found, or what went wrong.
    seconds : float
    """

    name: str
    passed: bool
    found: str
    seconds: float


class _WrongResultError(Exception):
    """Something gave another result than it should."""


def self_test() -> list[Step]:
    """Run all steps, up to the first that fails; the later ones would need what it makes."""
    made: dict[str, Any] = {}
    steps = []
    for name, step in _STEPS.items():
        steps.append(_run(name, step, made))
        if not steps[-1].passed:
            break
    return steps


def _run(name: str, step: Callable[[dict[str, Any]], str], made: dict[str, Any]) -> Step:
    started = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, passed = step(made), True
    except _WrongResultError as wrong:
        found, passed = str(wrong), False
    except Exception as error:  # whatever a broken library raises is what the user wants to know
        found, passed = f"{type(error).__name__}: {error}", False
    return Step(name, passed, found, time.perf_counter() - started)


def _solve(made: dict[str, Any]) -> str:
    """Learn a list from a small forest."""
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier

    from hedgerow import RuleListClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)).round(2)
    y = np.where((X[:, 0] > 0) & (X[:, 1] > 0), "yes", "no")
    forest = RandomForestClassifier(5, max_depth=2, random_state=0)
    rules = RuleListClassifier(forest, max_rules=4, random_state=0).fit(X, y)
    made.update(X=X, y=y, rules=rules)
    return f"the best {len(rules.rule_list_)} of {rules.problem_.n_rules} candidate rules for {len(X)} samples"


def _prove(made: dict[str, Any]) -> str:
    """Compare the proof with an exhaustive search."""
    from hedgerow.optimize.solvers.exhaustive import Exhaustive

    solution = made["rules"].solution_
    if not solution.optimal:
        raise _WrongResultError(
            f"the list is not proven: its objective is {solution.objective}, the bound {solution.bound}"
        )
    best = Exhaustive().solve(made["rules"].problem_).objective
    if abs(best - solution.objective) > 1e-9:
        raise _WrongResultError(f"an exhaustive search finds a list of {best}; {solution.objective} was called optimal")
    return "proven optimal, and no list of an exhaustive search is better"


def _check(made: dict[str, Any]) -> str:
    """Run the checker on the certificate, in a Python without packages; it must refuse a list that is not optimal."""
    document = json.loads(made["rules"].to_json(certificate=True))
    refused = {**document, "solution": {**document["solution"], "objective": document["solution"]["objective"] + 1}}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "rows.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow([*document["certificate"]["columns"], "target"])
            rows.writerows(
                [*map(repr, cells), label] for cells, label in zip(made["X"].tolist(), made["y"], strict=True)
            )
        said, proven = _checked(folder, document)
        if not proven:
            raise _WrongResultError(f"the stand-alone checker: {said}")
        if _checked(folder, refused)[1]:
            raise _WrongResultError("the stand-alone checker accepts an objective that is wrong")
    return "proven again by the stand-alone checker, which refuses a wrong objective"


def _checked(folder: Path, document: dict[str, Any]) -> tuple[str, bool]:
    from hedgerow.evidence import checker

    (folder / "rules.json").write_text(json.dumps(document))
    command = [sys.executable, "-S", "-I", checker.__file__, str(folder / "rules.json"), str(folder / "rows.csv")]
    ran = subprocess.run([*command, "--target", "target"], capture_output=True, text=True, check=False)
    return (ran.stdout or ran.stderr).strip(), not ran.returncode


def _read(made: dict[str, Any]) -> str:
    """Save the list, read it and compare its predictions."""
    from hedgerow import RuleList

    read = RuleList.from_json(made["rules"].to_json())
    if read.predict(made["X"]).tolist() != made["rules"].predict(made["X"]).tolist():
        raise _WrongResultError("the list predicts something else after it was saved and read")
    return "the list predicts the same after it was saved and read"


_STEPS = {"solve": _solve, "prove": _prove, "check": _check, "read": _read}
