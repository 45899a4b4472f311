import pytest
from databases import in_memory, postgres


@pytest.fixture(scope="session")
def server():
    """A PostgreSQL server."""
    with postgres() as database:
        yield database


@pytest.fixture(scope="session", params=["sqlite", "duckdb", "postgres"])
def database(request):
    """A real database of each kind."""
    if request.param == "postgres":
        return request.getfixturevalue("server")
    return next(one for one in in_memory() if one.dialect == request.param)
