"""Real databases to ask: SQLite and DuckDB in memory, and a PostgreSQL server of its own in a temporary directory."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

DOUBLE = {"sqlite": "REAL", "duckdb": "DOUBLE", "postgres": "DOUBLE PRECISION"}


def needs(program, package):
    """Return where a program is; else skip the test, or let it fail where everything must be there."""
    found = shutil.which(program) or next(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{program}")), None)
    if found is None:
        message = f"{program} is not installed; it is in Debian's package {package}"
        (pytest.fail if os.environ.get("HEDGEROW_TESTS_NEED_ALL") else pytest.skip)(message)
    return found


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Database:
    """A connection, and how to ask it."""

    def __init__(self, dialect, connection, placeholder="?"):
        self.dialect, self._connection, self._placeholder = dialect, connection, placeholder

    def run(self, query, content=None):
        """Run a query, which copies the content into a table if there is any."""
        if content is None:
            self._connection.execute(query)
        else:
            with self._connection.cursor().copy(query) as copy:
                copy.write(content)

    def ask(self, query, parameters=None):
        """Return the rows of the answer."""
        done = self._connection.execute(query, parameters) if parameters else self._connection.execute(query)
        return [tuple(row) for row in done.fetchall()]

    def fill(self, names, types, rows, table="t"):
        """Make a table anew, with rows in this order."""
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(names, types, strict=True))
        self._connection.execute(f"DROP TABLE IF EXISTS {quoted(table)}")
        self._connection.execute(f"CREATE TABLE {quoted(table)} ({columns})")
        row = f"({', '.join([self._placeholder] * len(names))})"
        values = [value for one in rows for value in one]
        name = quoted(table).replace("%", "%%") if self._placeholder == "%s" else quoted(table)
        self._connection.execute(f"INSERT INTO {name} VALUES {', '.join([row] * len(rows))}", values)


def in_memory():
    """Return a database of each kind that needs no server."""
    return [Database("sqlite", sqlite3.connect(":memory:")), Database("duckdb", duckdb.connect())]


def sqlite_of(path):
    """Return the SQLite database in a file."""
    return Database("sqlite", sqlite3.connect(path))


@contextmanager
def postgres():
    """Start a server that listens to a socket in a temporary directory alone; stop it and clean up in the end."""
    import psycopg

    initdb, server = needs("initdb", "postgresql"), needs("postgres", "postgresql")
    # The server refuses to run as root.
    who = {"user": "postgres"} if os.getuid() == 0 else {}
    home = tempfile.mkdtemp(prefix="pg")
    if who:
        shutil.chown(home, **who)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": home, **who}
    command = [initdb, "-D", f"{home}/data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    running = None
    try:
        subprocess.run(command, check=True, **quiet)
        options = ["-c", "listen_addresses=", "-c", "fsync=off"]
        running = subprocess.Popen([server, "-D", f"{home}/data", "-k", home, *options], **quiet)
        with _connected(psycopg, home, running) as connection:
            yield Database("postgres", connection, "%s")
    finally:
        if running is not None:
            running.terminate()
            running.wait()
        shutil.rmtree(home, ignore_errors=True)


def _connected(psycopg, home, running):
    while running.poll() is None:
        try:
            # Without prepared queries, which fail once their table is made anew with other types.
            options = {"autocommit": True, "prepare_threshold": None}
            return psycopg.connect(host=home, user="tester", dbname="postgres", **options)
        except psycopg.OperationalError:  # not yet
            time.sleep(0.1)
    pytest.fail("the PostgreSQL server did not start")
