"""The doctor tells what works, in any terminal, and fails if something does not."""

import json
import subprocess
import sys

import pytest

from hedgerow.cli import doctor, main
from hedgerow.cli.parts import Package, Part
from hedgerow.cli.self_test import Step

OLD = Part("sql", "rule lists as SQL", (Package("sqlglot", "26", "25.1"),))
ABSENT = Part("gurobi", "Gurobi as the solver", (Package("gurobipy", "12", None),))
CRASHING = Part("xgboost", "models of XGBoost", (Package("xgboost", "3.0", "3.1", "OSError: no OpenMP"),))
FAILED = Step("prove", False, "an exhaustive search finds a better list", 0.1)


def told(monkeypatch, capsys, needed=(), parts=(), steps=(), arguments=()):
    monkeypatch.setattr(doctor, "find_parts", lambda tried: (tuple(needed), tuple(parts)))
    monkeypatch.setattr(doctor, "self_test", lambda: list(steps))
    code = main(["doctor", *arguments])
    return code, capsys.readouterr().out


def test_here_everything_works(capsys):
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert shown.endswith("\nhedgerow works here\n")
    assert "ok: numpy 2" in shown
    for step in ("solve", "prove", "check", "read"):
        assert f"  ok: {step}: " in shown


def test_programs_get_json(capsys):
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["broken"] == []
    assert [step["passed"] for step in found["self_test"]] == [True] * 4
    (numpy,) = (package for package in found["needed"] if package["name"] == "numpy")
    assert numpy["state"] == "ok"


def test_what_is_missing_or_old_comes_with_the_command_that_installs_it_and_is_no_failure(monkeypatch, capsys):
    code, shown = told(monkeypatch, capsys, parts=[OLD, ABSENT])
    assert code == 0
    assert "  too old: sql: rule lists as SQL (sqlglot 25.1, needs 26)\n    pip install 'hedgerow[sql]'\n" in shown
    assert "  missing: gurobi: Gurobi as the solver (no gurobipy)\n    pip install 'hedgerow[gurobi]'\n" in shown


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"needed": [Package("highspy", "1.9", None)]}, "broken: no highspy\n"),
        ({"needed": [Package("numpy", "2.0", "1.26.4")]}, "broken: numpy 1.26.4, needs 2.0\n"),
        ({"parts": [CRASHING]}, "broken: the part xgboost\n"),
        ({"steps": [FAILED]}, "broken: the step prove of the self-test\n"),
    ],
)
def test_what_is_broken_is_named_and_the_exit_code_is_1(monkeypatch, capsys, found, said):
    code, shown = told(monkeypatch, capsys, **found)
    assert code == 1
    assert shown.endswith(said)


@pytest.mark.parametrize("columns", [40, 72, 200])
def test_lines_fit_the_terminal_and_have_no_colours(monkeypatch, capsys, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    needed = [Package("scikit-learn", "1.6", "1.9.1")]
    _, shown = told(monkeypatch, capsys, needed, [OLD, ABSENT, CRASHING], [FAILED])
    assert "\x1b" not in shown
    assert shown.isascii()
    assert max(map(len, shown.splitlines())) <= min(columns, 88)


def test_it_runs_without_what_the_command_line_needs():
    program = """
import sys
class Without:
    @staticmethod
    def find_spec(name, path=None, target=None):
        gone = name.partition(".")[0] in ("pandas", "rich", "typer")
        return None if gone else finder.find_spec(name, path, target)
finder, sys.meta_path[-1] = sys.meta_path[-1], Without
from hedgerow.cli import main
assert main(["extract"]) == 1
sys.exit(main(["doctor", "--json"]))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["broken"] == []
