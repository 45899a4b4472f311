"""One thread of BLAS while anyone asks for it, and as many as before once all have left."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from hedgerow._support.one_blas_thread import one_blas_thread


def n_threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture
def two_threads():
    np.linalg.norm(np.ones((2, 2)) @ np.ones((2, 2)))
    with threadpool_limits(limits=2, user_api="blas"):
        if n_threads() != {2}:
            pytest.skip("BLAS has one thread here")
        yield


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("first_to_leave", [0, 1])
def test_whoever_leaves_last_restores_the_number(first_to_leave):
    inside = [one_blas_thread(), one_blas_thread()]
    for one in inside:
        one.__enter__()
    assert n_threads() == {1}
    inside[first_to_leave].__exit__(None, None, None)
    assert n_threads() == {1}
    inside[1 - first_to_leave].__exit__(None, None, None)
    assert n_threads() == {2}


@pytest.mark.usefixtures("two_threads")
def test_an_error_inside_restores_it_too():
    with pytest.raises(KeyboardInterrupt), one_blas_thread():
        raise KeyboardInterrupt
    assert n_threads() == {2}
