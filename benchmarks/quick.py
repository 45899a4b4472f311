"""Every suite and every method on three small sets each, in minutes: ``python -m benchmarks.quick``.

The numbers have no meaning; the run shows that all parts work together. The data need no download, and what it writes
goes to a temporary directory. Methods whose package is not installed are left out, and named.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from rich.console import Console

from benchmarks import run, tables
from benchmarks.methods import METHODS, OF_SIZES
from benchmarks.quick_data import write_quick_data
from benchmarks.results import seconds
from benchmarks.rivals import RIVALS

N_TREES = 40
#: The sizes, and the time limit of rivals.
BUDGETS, LIMIT = ("2", "4"), "2"


def main() -> int:
    """Run everything small; return 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quick", description=__doc__.partition("\n\n")[0])
    cores = min(2, os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=cores, help="processes (default: %(default)s)")
    jobs = parser.parse_args().jobs
    console = Console(stderr=True)
    missing = [name for name, method in METHODS.items() if not method.installed]
    if missing:
        console.print(f"not installed, left out: {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as directory:
        spent, failed = seconds(lambda: _run(Path(directory), jobs))
    console.print(f"{'failed' if failed else 'done'} after {spent:.0f} s")
    return failed


def _run(directory: Path, jobs: int) -> int:
    data, results = directory / "data", directory / "results"
    write_quick_data(data)
    installed = [name for name, method in METHODS.items() if method.installed]
    settings = ["--data", str(data), "--results", str(results), "--seeds", "0", "--trees", str(N_TREES)]
    settings += ["--jobs", str(jobs)]
    failed = run.main([*settings, "--methods", ",".join(name for name in installed if name not in RIVALS)])
    of_sizes = ["--methods", ",".join(name for name in installed if name in OF_SIZES), "--budgets", *BUDGETS]
    failed |= run.main([*settings, *of_sizes, "--limit", LIMIT, "--suite", ",".join(run.SIZES)])
    explaining = ["--budgets", "4", "--limit", LIMIT, "--suite", ",".join(run.EXPLAINING)]
    failed |= run.main([*settings, *explaining])
    return failed or tables.main(["--results", str(results)])


if __name__ == "__main__":
    raise SystemExit(main())
