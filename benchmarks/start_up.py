"""How long imports and the command line take: ``python -m benchmarks.start_up``.

Each call runs five times in a process of its own, on a table of 150 rows and a rule list learned from it. The table
shows the median time on the clock and of the processor, and the first as a multiple of what Python itself takes. Below
is what hedgerow adds to ``import sklearn.ensemble``, by the processor: the package alone, and with all of its names.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from rich.console import Console
from sklearn.datasets import load_iris

from benchmarks.table_formats import TextTable
from hedgerow import RuleListClassifier

_RUNS = 5
_HEDGEROW = ("-m", "hedgerow")
_SKLEARN = "import sklearn.ensemble"
_CALLS = {
    'python -c "import json"': ("-c", "import json"),
    'python -c "import hedgerow"': ("-c", "import hedgerow"),
    'python -c "import sklearn.ensemble"': ("-c", _SKLEARN),
    'python -c "import sklearn.ensemble, hedgerow"': ("-c", f"{_SKLEARN}, hedgerow"),
    'python -c "import sklearn.ensemble; from hedgerow import *"': ("-c", f"{_SKLEARN}; from hedgerow import *"),
    "hedgerow --help": (*_HEDGEROW, "--help"),
    "hedgerow extract --help": (*_HEDGEROW, "extract", "--help"),
    "hedgerow predict rules.json iris.csv": (*_HEDGEROW, "predict", "rules.json", "iris.csv"),
    "hedgerow export rules.json --to python": (*_HEDGEROW, "export", "rules.json", "--to", "python"),
    "hedgerow export rules.json --to sql": (*_HEDGEROW, "export", "rules.json", "--to", "sql"),
}


def main() -> None:
    """Measure all calls and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        _prepare(Path(folder))
        seconds = {call: _median_seconds(arguments, folder) for call, arguments in _CALLS.items()}
    bare, _ = next(iter(seconds.values()))
    rows = [
        [call, f"{clock:.2f}", f"{processor:.2f}", f"{clock / bare:.0f}"]
        for call, (clock, processor) in seconds.items()
    ]
    table = TextTable("Seconds to start", ["call", "clock", "processor", "times Python"], rows)
    console = Console(markup=False, highlight=False, soft_wrap=True)
    console.print(table.to_markdown())
    of_sklearn, *with_hedgerow = [processor for call, (_, processor) in seconds.items() if _SKLEARN in call]
    shares = [f"{(seconds - of_sklearn) / of_sklearn:.2f}" for seconds in with_hedgerow]
    console.print(f"added to import sklearn.ensemble: {shares[0]} of its time, and with all names {shares[1]}")


def _prepare(folder: Path) -> None:
    data = load_iris(as_frame=True)
    data.frame.to_csv(folder / "iris.csv", index=False)
    rules = RuleListClassifier(max_rules=4, random_state=0).fit(data.data, data.target_names[data.target]).rule_list_
    (folder / "rules.json").write_text(rules.to_json())


def _median_seconds(arguments: tuple[str, ...], folder: str) -> tuple[float, float]:
    """Return the median time on the clock and of the processor."""
    measured = []
    for _ in range(_RUNS):
        before, started = _processor_seconds(), time.perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=folder, stdout=subprocess.DEVNULL, check=True)
        measured.append((time.perf_counter() - started, _processor_seconds() - before))
    clock, processor = zip(*measured, strict=True)
    return median(clock), median(processor)


def _processor_seconds() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
