"""What is measured about large tables, as the tables of docs/scaling.md: the results, and an estimate from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.generated_page import fill_page
from benchmarks.table_formats import TextTable

PAGE = Path(__file__).parents[1] / "docs" / "scaling.md"
_MILLION = 1_000_000
_TITLES = {
    "routing": "routing alone",
    "stream": "a list from Parquet",
    "dask": "a list from Dask, two workers; rows made from a seed",
    "killed": "a list from Dask, one of two workers killed",
}
_MEMORY = {"memory_gib": "", "worker_gib": " (worker)"}
#: What the estimate assumes: rows, bytes of each, workers and their cores, bytes read a second by each worker, and
#: dollars for an hour of a core and for a gigabyte a month.
_ROWS, _BYTES, _WORKERS, _CORES, _SPEED, _CORE_HOUR, _GB_MONTH = 10**10, 20 * 4 + 1, 4, 16, 1e9, 0.05, 0.023


def write_page(frame: pd.DataFrame) -> str:
    """Write both tables into the page; return the first."""
    tables = {"scale": written_table(frame)}
    done = frame.set_index(["part", "case"])
    if {("stream", f"{n * _MILLION} rows, weight 0.5") for n in (1, 10)} <= set(done.index):
        tables["paper"] = estimate(done)
    fill_page(PAGE, tables)
    return tables["scale"]


def written_table(frame: pd.DataFrame) -> str:
    """Return what was measured as a table, with the time of fits beside that of one pass of routing."""
    done = frame.set_index(["part", "case"])
    header = ["what", "rows", "passes", "seconds", "processor's seconds", "memory, GiB", "result"]
    rows = []
    same = frame[frame["part"] == "same"]
    if len(same):
        n_identical = int((same["status"] == "identical").sum())
        text = f"{n_identical} of {len(same)} identical"
        rows.append(["in memory, Parquet, chunks and Dask, five real sets, two λ", "", "", "", "", "", text])
    for part in _TITLES:
        for (_, case), row in done[done.index.get_level_values(0) == part].iterrows():
            rows.append(_row(part, case, row))
    table = TextTable("", header, rows, list(_ratios(done)))
    return table.to_markdown().partition("\n\n")[2]  # without the title


def _row(part: str, case: str, row: Any) -> list[str]:
    memory = [f"{row[name]:.2f}{of}" for name, of in _MEMORY.items() if not pd.isna(row[name])]
    numbers = ["" if pd.isna(row[name]) else f"{row[name]:.1f}" for name in ("seconds", "processor")]
    passes = "" if pd.isna(row["passes"]) else f"{row['passes']:.0f}"
    weight = case.partition(", weight ")[2]
    what = _TITLES[part] + (f", λ = {weight}" if weight else "")
    result = "" if part == "routing" else str(row["status"]).rpartition(": ")[2]
    return [what, f"{row['rows']:,.0f}", passes, *numbers, ", ".join(memory), result]


def _ratios(done: pd.DataFrame) -> Iterator[str]:
    """Yield the time of fits beside that of one pass of routing, and of ten million rows beside one million."""
    for weight in ("0.5", "0"):
        large, small = (("stream", f"{n * _MILLION} rows, weight {weight}") for n in (10, 1))
        alone = ("routing", f"{10 * _MILLION} rows")
        if {large, small, alone} <= set(done.index):
            for column, name in (("seconds", "on the clock"), ("processor", "of processor time")):
                of = done[column]
                ratio, growth = of[large] / of[alone], of[large] / of[small]
                yield f"λ = {weight}, {name}: fit / routing {ratio:.2f}; ten million / one million rows {growth:.1f}."

    for (_, case), row in done[done.index.get_level_values(0) == "dask"].iterrows():
        each = row["processor"] / row["rows"] * _MILLION
        yield f"{case} on Dask: {each:.1f} s of processor time for each million, with making the rows in every pass."


def estimate(done: pd.DataFrame) -> str:
    """Return what ten billion rows would take, from what ten million more than one million take."""
    large, small = (done.loc[("stream", f"{n * _MILLION} rows, weight 0.5")] for n in (10, 1))
    each = (large["processor"] - small["processor"]) / 9
    sent = float(re.findall(r"[\d.]+", str(done.loc[("sent", "one partition")]["status"]))[0])
    n_parts, n_cores = _ROWS // _MILLION, _WORKERS * _CORES
    whole, once = n_parts * each, _ROWS * _BYTES / 1e12
    working, reading = whole / n_cores / 60, 2 * once * 1e12 / _SPEED / _WORKERS / 60
    asking, moving = 2 * n_parts / 1000, n_parts * sent / 1000 / _WORKERS
    minutes = max(working, reading) + (asking + moving) / 60
    dollars = n_cores * minutes / 60 * _CORE_HOUR
    rows = [
        ["bytes of a pass", f"10¹⁰ rows × {_BYTES} bytes", f"{once:.2f} TB"],
        ["bytes of a fit", "× 2 passes", f"{2 * once:.1f} TB"],
        [
            "processor time of a fit",
            f"{n_parts:,} × {each:.2f} s for each million rows",
            f"{whole:,.0f} s, {whole / 3600:.1f} hours of one core",
        ],
        [
            f"on {n_cores} cores ({_WORKERS} workers of {_CORES})",
            f"{whole:,.0f} s / {n_cores}",
            f"{working:.1f} minutes",
        ],
        [
            "reading, at 1 GB/s for each worker",
            f"{2 * once * 1000:,.0f} GB / {_WORKERS} GB/s",
            f"{reading:.1f} minutes, at the same time",
        ],
        [
            "partitions of a million rows",
            f"{n_parts:,} in each pass, 1 ms of the scheduler's time each",
            f"{asking:.0f} s",
        ],
        [
            "between workers, first pass",
            f"{n_parts:,} × {sent:.1f} MB, at 1 GB/s and worker",
            f"{n_parts * sent / 1000:.0f} GB, {moving:.0f} s",
        ],
        ["to the client", f"{sent:.1f} MB and, for the check, less", "nothing"],
        [
            "memory of a worker's thread",
            "two chunks of 131,072 rows × 20 columns × 4 bytes, and what is computed from them",
            "below 0.5 GB",
        ],
        ["the integer program", "20,000 rows, whatever the table", "seconds, on the client"],
        ["in all", "the longer of work and reading, and what comes with it", f"{minutes:.0f} minutes"],
        [
            f"money, at ${_CORE_HOUR} an hour for a core",
            f"{n_cores} cores × {minutes / 60:.2f} hours × ${_CORE_HOUR}",
            f"${dollars:.2f}",
        ],
        [
            f"storage of the table, at ${_GB_MONTH} a month for a gigabyte",
            f"{once * 1000:.0f} × ${_GB_MONTH}",
            f"${once * 1000 * _GB_MONTH:.0f} a month",
        ],
    ]
    return TextTable("", ["what", "arithmetic", "result"], rows).to_markdown().partition("\n\n")[2]
