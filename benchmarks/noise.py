"""Whether the most accurate lists use columns that do not matter.

``python -m benchmarks.noise`` adds two such columns to ten sets, one of four strings and one of numbers, and runs what
``hedgerow extract`` runs, with and without them. For each set, it prints the share of the conditions that use them, and
the score of the list on held-out rows beside that of a decision tree with as many leaves. The last line is the mean
over the sets; the exit code is 1 if more than 5 % of all conditions use these columns. The settings were chosen on
most of these sets; ``--others`` takes ten that had no part in it. ``--estimator`` measures the preset of the Python
classes instead, which sees all columns.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.datasets import find_data, load_frame
from hedgerow._support.text_table import aligned
from hedgerow.cli.learning import Learning
from hedgerow.evidence.company import keep_company
from hedgerow.tables.samples import Source, read_samples

SETS = {
    "heart-c": "classification",
    "diabetes": "classification",
    "car": "classification",
    "segment": "classification",
    "FICO": "classification",
    "adult": "classification",
    "autoMpg": "regression",
    "abalone": "regression",
    "wine_quality": "regression",
    "houses": "regression",
}
#: Sets that had no part in the choice of the settings.
OTHERS = {
    "banknote": "classification",
    "blood-transfusion": "classification",
    "ilpd": "classification",
    "vehicle": "classification",
    "satimage": "classification",
    "MagicTelescope": "classification",
    "no2": "regression",
    "space_ga": "regression",
    "kin8nm": "regression",
    "wind": "regression",
}
NOISE = ("noise_text", "noise_number")
#: The share of conditions on noise that is still acceptable.
MOST = 0.05


def with_noise(frame: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Return the table with a column of four strings and one of numbers, both random."""
    rng = np.random.default_rng(seed)
    names = rng.choice(["north", "south", "east", "west"], len(frame))
    return frame.assign(**dict(zip(NOISE, (names, rng.normal(size=len(frame))), strict=True)))


def measure(frame: pd.DataFrame, task: Any, max_rules: int, seed: int, screened: bool = True) -> dict[str, float]:
    """Return the scores of the most accurate list and of a tree, and how many conditions use noise.

    ``screened`` leaves out columns first that do not seem to help, as the command line does.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        frame.to_parquet(path)
        samples = read_samples(Source(path, "target", task=task, seed=seed))
    settings = {"max_rules": max_rules, "random_state": seed, "n_jobs": -1, "time_limit": 20.0}
    learning = Learning(settings)
    samples = learning.screened(samples) if screened else samples
    rules = learning.fit(samples)
    company = keep_company(rules, samples.X, samples.y, samples.X_test, samples.y_test)
    used = [condition.feature.name for rule in rules.rule_list_ for condition in rule.simplified]
    found = {"conditions": len(used), "noise": sum(name in NOISE for name in used)}
    return found | {"list": company.of_list, "tree": company.of_tree, "rules": company.n_rules}


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the directory of the data sets")
    parser.add_argument("--max-rules", type=int, default=8)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--others", action="store_true", help="sets that had no part in the choice of the settings")
    parser.add_argument("--estimator", action="store_true", help="keep all columns, as the Python classes do")
    given = parser.parse_args(arguments)
    directory = find_data(given.data)
    rows = [("set", "rules", "conditions", "on noise", "score", "with noise", "tree", "tree with noise")]
    total: list[dict[str, float]] = []
    seeds = range(given.first_seed, given.first_seed + given.seeds)
    for name, task in (OTHERS if given.others else SETS).items():
        X, y = load_frame(name, directory)
        frame = X.assign(target=y.astype(str) if task == "classification" else y.astype(float))
        runs = [
            [measure(one, task, given.max_rules, seed, not given.estimator) for seed in seeds]
            for one in (frame, with_noise(frame, given.first_seed))
        ]
        clean, noisy = ({key: float(np.mean([run[key] for run in part])) for key in part[0]} for part in runs)
        total.append({f"{key} clean": value for key, value in clean.items()} | noisy)
        rows.append(_row(name, total[-1]))
    mean = {key: float(np.mean([one[key] for one in total])) for key in total[0]}
    rows.append(_row("mean", mean))
    sys.stdout.write("\n".join(aligned(rows, right=frozenset(range(1, len(rows[0]))))) + "\n")
    return int(mean["noise"] > MOST * mean["conditions"])


def _row(name: str, found: dict[str, float]) -> tuple[str, ...]:
    share = found["noise"] / max(1.0, found["conditions"])
    scores = (found[key] for key in ("list clean", "list", "tree clean", "tree"))
    counts = (f"{found['rules']:.1f}", f"{found['conditions']:.1f}", f"{100 * share:.1f} %")
    return (name, *counts, *(f"{score:.4f}" for score in scores))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
