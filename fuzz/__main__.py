"""``python -m fuzz``: every parser in turn; fails if one of them crashes, hangs or takes too much memory.

Long runs are recorded: ``--record FILE`` adds a row for each parser and seed, and a second call goes on with other
seeds until all rows of a parser add up to the executions that are asked for.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz.parsers import PARSERS
from fuzz.seeds import write_seeds
from fuzz.worker import SHARED_SIZE, Shared, write_finding


@dataclass
class Outcome:
    """How often a parser was fed, and how often reading killed the process."""

    executions: int = 0
    kills: int = 0


def feed(name: str, findings: Path, seconds: float, executions: int, seed: int) -> Outcome:
    """Feed one parser, in a new process whenever reading a file killed the last one."""
    outcome, until = Outcome(), time.monotonic() + seconds
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_seeds(name, folder)
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # the others reserve addresses that they do not use
        while outcome.executions < executions and time.monotonic() < until:
            (folder / "shared").write_bytes(bytes(SHARED_SIZE))
            rest = (until - time.monotonic(), executions - outcome.executions, seed + 1000 * outcome.kills)
            command = [sys.executable, "-m", "fuzz.worker", name, str(folder), str(findings), *map(str, rest)]
            with (folder / "said").open("w") as said:
                ended = subprocess.run(command, env=environment, stdout=said, stderr=said, check=False)
            done, data = Shared(folder / "shared").read()
            outcome.executions += done
            if ended.returncode == 0:
                break
            if ended.returncode > 0 or not done:
                raise RuntimeError(f"The fuzzer itself failed on {name}:\n{(folder / 'said').read_text()[-5000:]}")
            outcome.kills += 1
            write_finding(findings, name, data, f"killed by signal {-ended.returncode} (24 is a hang)")
    return outcome


_COLUMNS = ("parser", "seed", "executions", "kills", "findings", "seconds")


def recorded(record: Path | None, name: str) -> tuple[int, int]:
    """Return how often a parser was fed in all runs that are recorded, and a seed that none of them had."""
    if record is None or not record.exists():
        return 0, 0
    with record.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["parser"] == name]
    return sum(int(row["executions"]) for row in rows), max((int(row["seed"]) + 1 for row in rows), default=0)


def add_row(record: Path, *row: object) -> None:
    """Append the outcome of a run to the record."""
    new = not record.exists()
    with record.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([_COLUMNS, row] if new else [row])


def main() -> int:
    """Run the parsers that the command line asks for."""
    command = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__.partition("\n\n")[0])
    command.add_argument("parsers", nargs="*", metavar="PARSER", help=f"of {', '.join(PARSERS)}; by default, all")
    command.add_argument("--seconds", type=float, default=6, help="for each parser (default: 6)")
    command.add_argument("--executions", type=int, default=10**9, help="at most, for each parser")
    command.add_argument("--seed", type=int, default=0, help="other seeds give other files")
    command.add_argument("--record", type=Path, help="a CSV file of runs, whose executions count")
    command.add_argument("--findings", type=Path, default=Path("findings"), help="the folder for files that fail")
    asked = command.parse_args()
    for name in asked.parsers:
        if name not in PARSERS:
            command.error(f"there is no parser {name!r}; there are {', '.join(PARSERS)}")
    n_findings = 0
    for name in asked.parsers or PARSERS:
        before, unused = recorded(asked.record, name)
        seed, started = max(asked.seed, unused), time.monotonic()
        outcome = feed(name, asked.findings, asked.seconds, asked.executions - before, seed)
        whys = sorted(asked.findings.glob(f"{name}-*.why"))
        n_findings += len(whys)
        if asked.record is not None and outcome.executions:
            seconds = round(time.monotonic() - started)
            add_row(asked.record, name, seed, outcome.executions, outcome.kills, len(whys), seconds)
        sys.stdout.write(f"{name:16}{before + outcome.executions:>10,} executions{len(whys):>4} findings\n")
        for why in whys:
            sys.stdout.write(f"    {why.stem}: {why.read_text(encoding='utf-8').strip()}\n")
        sys.stdout.flush()
    return 1 if n_findings else 0


if __name__ == "__main__":
    sys.exit(main())
