"""The attack finds a solver that is wrong, stores what it found, and goes on where it stopped."""

import pytest

from benchmarks import attack
from hedgerow.optimize.solvers import Exhaustive


class Careless:
    """Takes the first partition for the best."""

    def solve(self, problem, time_limit=None):
        from dataclasses import replace

        import numpy as np

        return Exhaustive().solve(replace(problem, scores=np.zeros(problem.n_rules)))


@pytest.fixture
def attacked(monkeypatch, tmp_path, capsys):
    def run(solver, *arguments):
        monkeypatch.setattr(attack, "make_solver", lambda name: solver)
        status = attack.main(["--part", "small", "--directory", str(tmp_path), *arguments])
        return status, capsys.readouterr().out

    return run


def test_a_careless_solver_is_found_out_and_a_seed_shows_how(attacked):
    status, shown = attacked(Careless(), "--n", "40")
    assert status == 1
    assert "small: 40 problems" in shown
    assert "wrong objective" in shown
    seed = shown.rpartition("wrong objective: ")[2].partition("seeds ")[2].partition(",")[0].split()[0]
    status, shown = attacked(Careless(), "--only", seed)
    assert status == 1
    assert shown.startswith(f"{seed}: ")
    assert "PartitionProblem(" in shown


def test_an_exhaustive_solver_passes(attacked):
    status, shown = attacked(Exhaustive(), "--n", "40", "--seed", "3")
    assert status == 0
    assert "small: nothing is wrong" in shown


def test_what_was_attacked_is_not_attacked_again(attacked):
    first = attacked(Careless(), "--n", "20")
    assert attacked(None, "--n", "20") == first


def test_a_drawn_forest_is_compared_with_gurobi():
    pytest.importorskip("gurobipy")
    kind, wrong = attack.forest(3, attack.make_solver("ours"))
    assert kind in ("no budget", "few rules", "many rules")
    assert wrong == []
