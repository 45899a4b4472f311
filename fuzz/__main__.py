"""``python -m fuzz``: every parser in turn; fails if one of them crashes, hangs or takes too much memory."""

from __future__ import annotations

import argparse
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
            rest = (until - time.monotonic(), executions - outcome.executions, seed + outcome.kills)
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


def main() -> int:
    """Run the parsers that the command line asks for."""
    command = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    command.add_argument("parsers", nargs="*", metavar="PARSER", help=f"of {', '.join(PARSERS)}; by default, all")
    command.add_argument("--seconds", type=float, default=6, help="for each parser (default: 6)")
    command.add_argument("--executions", type=int, default=10**9, help="at most, for each parser")
    command.add_argument("--seed", type=int, default=0, help="other seeds give other files")
    command.add_argument("--findings", type=Path, default=Path("findings"), help="the folder for files that fail")
    asked = command.parse_args()
    for name in asked.parsers:
        if name not in PARSERS:
            command.error(f"there is no parser {name!r}; there are {', '.join(PARSERS)}")
    n_findings = 0
    for name in asked.parsers or PARSERS:
        outcome = feed(name, asked.findings, asked.seconds, asked.executions, asked.seed)
        whys = sorted(asked.findings.glob(f"{name}-*.why"))
        n_findings += len(whys)
        sys.stdout.write(f"{name:16}{outcome.executions:>10,} executions{len(whys):>4} findings\n")
        for why in whys:
            sys.stdout.write(f"    {why.stem}: {why.read_text(encoding='utf-8').strip()}\n")
        sys.stdout.flush()
    return 1 if n_findings else 0


if __name__ == "__main__":
    sys.exit(main())
