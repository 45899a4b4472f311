"""The tables of large tables' page: ratios and an estimate, from rows that fit on a hand."""

import pandas as pd
import pytest

from benchmarks.scale_report import estimate, written_table

ROWS = pd.DataFrame(
    [
        {"part": "routing", "case": "10000000 rows", "rows": 10_000_000, "seconds": 4.0, "processor": 8.0},
        {"part": "stream", "case": "1000000 rows, weight 0.5", "rows": 1_000_000, "seconds": 2.0, "processor": 3.0},
        {"part": "stream", "case": "10000000 rows, weight 0.5", "rows": 10_000_000, "seconds": 10.0, "processor": 21.0},
        {"part": "same", "case": "a", "rows": 10, "status": "identical"},
        {"part": "same", "case": "b", "rows": 10, "status": "chunks differs"},
        {"part": "sent", "case": "one partition", "status": "2.00 MB from each partition, 0.1 MB to each worker"},
    ]
).assign(passes=2, memory_gib=0.5, worker_gib=float("nan"))


def test_fits_are_compared_with_routing_and_with_a_million_rows():
    text = written_table(ROWS.fillna({"status": "objective 1, bound 1: proven optimal"}))
    assert "1 of 2 identical" in text
    assert "| a list from Parquet, λ = 0.5 | 10,000,000 | 2 | 10.0 | 21.0 | 0.50 | proven optimal |" in text
    assert "λ = 0.5, on the clock: fit / routing 2.50; ten million / one million rows 5.0." in text


@pytest.mark.parametrize(
    "line",
    [
        "| bytes of a fit | × 2 passes | 1.6 TB |",
        "| processor time of a fit | 10,000 × 2.00 s for each million rows | 20,000 s, 5.6 hours of one core |",
        "| on 64 cores (4 workers of 16) | 20,000 s / 64 | 5.2 minutes |",
        "| reading, at 1 GB/s for each worker | 1,620 GB / 4 GB/s | 6.8 minutes, at the same time |",
        "| between workers, first pass | 10,000 × 2.0 MB, at 1 GB/s and worker | 20 GB, 5 s |",
        "| in all | the longer of work and reading, and what comes with it | 7 minutes |",
        "| money, at $0.05 an hour for a core | 64 cores × 0.12 hours × $0.05 | $0.38 |",
    ],
)
def test_the_estimate_follows_from_what_is_measured(line):
    assert line in estimate(ROWS.set_index(["part", "case"])).replace("---:", "---")
