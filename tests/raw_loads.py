"""Raw files in real databases, as people load them: all cells as strings, or with the types that are guessed."""

import re
import subprocess

import duckdb
from databases import Database, needs, quoted, sqlite_of

_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_BOOLEAN = re.compile("true|false|yes|no", re.IGNORECASE)


def types(table, number, boolean, texts):
    """Return the type that a person would give each column after a look at its cells; None for strings."""
    guessed = {}
    for name in table.names:
        cells = [row[name] for row in table.rows if row[name]]
        is_one = next((t for p, t in ((_NUMBER, number), (_BOOLEAN, boolean)) if all(map(p.fullmatch, cells))), None)
        guessed[name] = is_one if cells and name.strip() not in texts else None
    return guessed


def sqlite(table, folder, texts=None):
    """Load a file with the shell of SQLite, into columns of strings, or of numbers except for ``texts``."""
    path, file = folder / "in_utf_8.csv", folder / f"{'strings' if texts is None else 'guessed'}.db"
    path.write_bytes(table.text.encode())  # the only encoding that it knows
    separator, skip = table.separator.replace("\t", "\\t"), ""
    commands = [".mode csv", f'.separator "{separator}"']
    if texts is not None:
        kinds = types(table, "REAL", None, texts)
        columns = ", ".join(f"{quoted(name or '?')} {kind or 'TEXT'}" for name, kind in kinds.items())
        commands.append(f"CREATE TABLE t ({columns});")
        skip = "--skip 1 "
    commands.append(f".import {skip}'{path}' t")
    # The shell keeps blanks at the ends of names, which the list does not know.
    renamed = [name for name in table.names if name != name.strip()]
    commands += [f"ALTER TABLE t RENAME COLUMN {quoted(name)} TO {quoted(name.strip())};" for name in renamed]
    shell = [needs("sqlite3", "sqlite3"), "-bail", str(file)]
    done = subprocess.run(shell, input="\n".join(commands), capture_output=True, text=True, check=True)
    assert not done.stderr, done.stderr
    return sqlite_of(file)


def duck(table, path, texts=None):
    """Load a file into DuckDB, which finds the types itself, except for ``texts``."""
    options = [f"delim = '{table.separator}'", "header = true"]
    if table.encoding != "utf-8":
        options.append(f"encoding = '{table.encoding}'")
    if texts is None:
        options.append("all_varchar = true")
    elif texts:
        pairs = ", ".join("'" + name.replace("'", "''") + "': 'VARCHAR'" for name in texts)
        options.append(f"types = {{{pairs}}}")
    database = Database("duckdb", duckdb.connect(config={"threads": 1}))
    database.run(f"CREATE TABLE t AS FROM read_csv('{path}', {', '.join(options)})")
    return database


def postgres(table, server, texts=None):
    """Copy a file into PostgreSQL, into columns of strings, or of doubles and booleans except for ``texts``."""
    kinds = types(table, "DOUBLE PRECISION", "BOOLEAN", texts) if texts is not None else {}
    columns = ", ".join(f"{quoted(name.strip() or '?')} {kinds.get(name) or 'TEXT'}" for name in table.names)
    server.run("DROP TABLE IF EXISTS t")
    server.run(f"CREATE TABLE t ({columns})")
    separator = "E'\\t'" if table.separator == "\t" else f"'{table.separator}'"
    server.run(f"COPY t FROM STDIN (FORMAT csv, HEADER, DELIMITER {separator})", table.text.encode())
    return server
