"""A side of a race is a process that answers with what it found and how long that took."""

import numpy as np
import pytest

from benchmarks.instances.storage import keep, path_of
from benchmarks.race_sides import ROOT, Side, checked_out, fingerprint
from hedgerow import PartitionProblem

#            {0} {1,2} {0,1} {2}
COVERAGE = [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


@pytest.fixture
def kept(tmp_path):
    for name, budget in (("a/few/0", 1), ("a/some/0", 2)):
        keep(PartitionProblem([1.0, 2.0, 0.5, 0.5], COVERAGE, budget), name, tmp_path)
    return lambda name: path_of(name, tmp_path)


def test_a_side_solves_one_problem_after_the_other(kept):
    with Side.of_solver("ours") as side:
        some, few = (side.solve(kept(name), 5.0) for name in ("a/some/0", "a/few/0"))
        process = side.process
    assert (some["status"], some["objective"], some["bound"], some["chosen"]) == ("optimal", 3.0, 3.0, 2)
    assert 0 < some["cpu"] < 5
    assert few["status"] == "infeasible"
    assert process.poll() is not None


def test_a_process_that_dies_has_failed_and_another_one_takes_over(kept, tmp_path):
    with Side.of_solver("highs") as side:
        assert side.solve(tmp_path / "no such file", 0.1)["status"] == "failed"
        assert side.solve(kept("a/some/0"), 5.0)["status"] == "optimal"


def test_the_fingerprint_tells_two_versions_of_the_code_apart(tmp_path):
    (tmp_path / "module.py").write_text("x = 1\n")
    first = fingerprint(tmp_path)
    assert fingerprint(tmp_path) == first
    (tmp_path / "module.py").write_text("x = 2\n")
    assert fingerprint(tmp_path) != first


def test_a_point_stands_for_the_files_as_they_are():
    with checked_out(".") as root:
        assert root == ROOT
        assert np.array_equal(fingerprint(root / "src"), fingerprint(ROOT / "src"))
