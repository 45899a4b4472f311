"""Jobs bring back what they make, or their failure, wherever they run."""

import operator
from contextlib import nullcontext

import pytest

from benchmarks.parallel import Failure, run_jobs


def cluster():
    distributed = pytest.importorskip("distributed")
    return distributed.Client(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0")


@pytest.mark.parametrize("where", ["here", "processes", "Dask"])
def test_jobs_bring_back_what_they_make_or_their_failure(where):
    with cluster() if where == "Dask" else nullcontext():
        found = dict(run_jobs(operator.neg, [1, 2, "x"], n_workers=2 if where == "processes" else 1))
    assert (found[1], found[2]) == (-1, -2)
    assert isinstance(found["x"], Failure)
    assert "TypeError" in found["x"].message
