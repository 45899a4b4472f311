"""How long ``hedgerow extract`` takes on a large table, and how much memory.

``python -m benchmarks.large_tables`` makes a CSV file of a million rows and 20 columns from the adult data: rows drawn
with replacement, numbers with some jitter, and six columns that do not matter. It runs the command on it and prints the
seconds of the clock and of computing time, the peak memory, and what the command printed. ``--published`` and
``--report`` are passed on.

``python -m benchmarks.large_tables --forest --rows 133334 --columns 10`` leaves the command one thread and 100,000 rows
to learn from, and compares its computing time with that of a random forest of 100 trees on as many rows.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from benchmarks.datasets import find_data, load_frame
from hedgerow.tables import table_pipeline


def large_table(n_rows: int, directory: Path | None, seed: int = 0) -> pd.DataFrame:
    """Return a table of so many rows and 20 columns, besides the target."""
    X, y = load_frame("adult", directory)
    rng = np.random.default_rng(seed)
    rows = rng.integers(len(X), size=n_rows)
    spread = X.std(numeric_only=True)
    frame = X.iloc[rows].reset_index(drop=True)
    for name, deviation in spread.items():
        frame[name] = (frame[name] + rng.normal(0, 0.02 * deviation, n_rows)).round(2)
    for i in range(4):
        frame[f"noise_{i}"] = rng.normal(size=n_rows).round(4)
    frame["region"] = rng.choice(["north", "south", "east", "west"], n_rows)
    frame["code"] = rng.integers(0, 100, n_rows)
    return frame.assign(target=y[rows])


def main(arguments: list[str] | None = None) -> int:
    """Make the table, run the command, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the directory of the data sets")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--columns", type=int, default=20, help="the number of columns (default: %(default)s)")
    parser.add_argument("--forest", action="store_true", help="one thread, beside a random forest of 100 trees")
    given = parser.parse_args(arguments)
    frame = large_table(given.rows, find_data(given.data))
    frame = frame[[*frame.columns[: given.columns], "target"]]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "large.csv"
        frame.to_csv(table, index=False)
        command = [sys.executable, "-m", "hedgerow", "extract", str(table), "--target", "target"]
        command += ["--published"] * given.published
        command += ["--report", str(Path(folder) / "report.html")] * given.report
        command += ["--jobs", "1"] * given.forest
        started = time.perf_counter()
        code = subprocess.run(command, check=False).returncode
        seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    computing = used.ru_utime + used.ru_stime
    sys.stdout.write(
        f"\n{given.rows} rows: {seconds:.0f} s by the clock, {computing:.0f} s of computing time, "
        f"{used.ru_maxrss / 1024:.0f} MB at the peak\n"
    )
    if given.forest:
        of_forest = _seconds_of_forest(frame.sample(int(0.75 * len(frame)), random_state=0))
        sys.stdout.write(f"a random forest of 100 trees: {of_forest:.0f} s; ratio {computing / of_forest:.2f}\n")
    return code


def _seconds_of_forest(frame: pd.DataFrame) -> float:
    """Return the computing time of a random forest of 100 trees behind the same encoder, with one thread."""
    X, y = frame.drop(columns="target"), frame["target"]
    model = table_pipeline(RandomForestClassifier(100, random_state=0, n_jobs=1))
    started = time.process_time()
    model.fit(X, y)
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(main())
