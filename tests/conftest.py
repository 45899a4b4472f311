import os
import signal

# Without it scikit-learn skips its check of array-API input.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
# The tests run a process a core; threads inside them would only stand in each other's way.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell that starts the tests in the background has them ignore Ctrl-C, which some of them send.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

import hypothesis
import pytest
from taught_lists import data, tumours  # noqa: F401 fixtures

# Whether a change may land must not depend on what is drawn. Elsewhere, every run draws other examples.
hypothesis.settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session")
def server():
    """A PostgreSQL server."""
    from databases import postgres

    with postgres() as database:
        yield database


@pytest.fixture(scope="session", params=["sqlite", "duckdb", "postgres"])
def database(request):
    """A real database of each kind."""
    from databases import in_memory

    if request.param == "postgres":
        return request.getfixturevalue("server")
    return next(one for one in in_memory() if one.dialect == request.param)
