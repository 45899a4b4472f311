"""Small tables for the command line, and what it prints."""

import csv

import numpy as np
import pandas as pd

from hedgerow.tables.files import read_table

QUICK = ["--trees", "12", "--depth", "2", "--jobs", "1"]


def people(n=160):
    """Numbers, texts with quotes, missing values in both, and two targets that follow from them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 80, n).astype(float), "größe, cm": rng.normal(170, 10, n)})
    frame["color"] = rng.choice(["red", "it's blue", 'dark "green"'], n)
    frame["says"] = np.where((frame["age"] > 40) & (frame["color"] == "red"), "yes", "no")
    frame["price"] = (frame["age"] / 10 + (frame["color"] == "red") * 3).round(2)
    frame.loc[::9, "age"] = np.nan
    frame.loc[::11, "color"] = None
    return frame


def codes(n=120):
    """Postcodes with zeros before them, dates, numbers, and labels with zeros that follow from them."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"zip": rng.choice(["00701", "02139", "10115"], n), "age": rng.integers(18, 80, n)})
    frame["day"] = rng.choice(["31/12/2020", "01/02/2021", "15/03/2021"], n)
    frame["since"] = rng.choice(["2020-12-31", "2021-01-02"], n)
    frame["kind"] = np.where(frame["zip"] == "00701", "007", np.where(frame["age"] > 40, "012", "100"))
    return frame


def lines_of(text):
    return list(csv.DictReader(text.splitlines()))


def error_of(captured):
    """The one line that says what is wrong."""
    (line,) = [line for line in captured.err.splitlines() if "error:" in line]
    assert captured.err.endswith(line + "\n")
    assert "Traceback" not in captured.err
    return line


def contents(folder):
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def table(n=60):
    """Two columns, a class and a number that follow from them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.integers(-3, 4, n), "b": rng.normal(size=n)})
    return frame.assign(y=np.where(frame["a"] > 0, "p", "q"), z=frame["a"] + frame["b"])


def table_of(tmp_path, text, name="data.csv", **options):
    """Return the table in a file with this content."""
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_table(path, **options).frame
