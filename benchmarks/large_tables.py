"""How long ``hedgerow extract`` takes on a large table, and how much memory.

``python -m benchmarks.large_tables`` makes a CSV file of a million rows and 20 columns from the adult data: rows drawn
with replacement, numbers with some jitter, and six columns that do not matter. It runs the command on it and prints the
seconds of the clock and of computing time, the peak memory, and what the command printed. ``--published`` and
``--report`` are passed on.
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

from benchmarks.datasets import find_data, load_frame


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
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "large.csv"
        large_table(given.rows, find_data(given.data)).to_csv(table, index=False)
        command = [sys.executable, "-m", "hedgerow", "extract", str(table), "--target", "target"]
        command += ["--published"] * given.published
        command += ["--report", str(Path(folder) / "report.html")] * given.report
        started = time.perf_counter()
        code = subprocess.run(command, check=False).returncode
        seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    computing = used.ru_utime + used.ru_stime
    sys.stdout.write(
        f"\n{given.rows} rows: {seconds:.0f} s by the clock, {computing:.0f} s of computing time, "
        f"{used.ru_maxrss / 1024:.0f} MB at the peak\n"
    )
    return code


if __name__ == "__main__":
    sys.exit(main())
