"""Whether intervals, tests and alarms keep what they promise: ``python -m benchmarks.evidence``.

All data but those of ``reasons``, ``sets``, ``intervals`` and ``coarse`` are drawn, so that the truth is known. A list
has one rule per interval of a column; its rules, targets and rates are drawn anew in each run, and what is checked is
what :func:`hedgerow.evidence.validate` and :func:`hedgerow.evidence.drift` say.

- ``shares``, ``means``: how often the intervals contain the true rate, for rules of 10 rows and more; ``counts`` are
  Poisson's, of a rate that is drawn anew in each run;
- ``errors``: how often any test says that something differs, where nothing does: labels are shuffled over the rows of
  all rules, in training and in the new rows;
- ``learned``: the same for lists that are themselves learned from shuffled labels; then the rates of training are too
  good, and the test against them is right to say so;
- ``power``: how often a rule with 5 % of 20,000 rows is found if its rate moves by 10 points, the others stay;
- ``alarms``: how often drift raises an alarm although both tables are drawn alike;
- ``reasons``: whether the smallest changes that are suggested change the prediction, on real data
  (:mod:`benchmarks.reasons`).
- ``sets``, ``intervals``: how many test rows have their true class in the set, or their number in the interval, at a
  level of 90 %, over up to 100 splits of real sets: half of the rows to learn from, a quarter to calibrate on, a
  quarter to test on. ``empty``: sets may be empty. ``undrawn``: all rows of a rule have the same set or interval.
  ``by rule``, ``pooled``: rules are calibrated each by itself, or all together;
- ``coarse``: the same over 20 splits of sets whose columns are categories, so that many rows have equal values. Of
  large sets, 6,000 rows are drawn; ``grades`` has a single column of two values.

Each part is stored by blocks of runs as it is measured; a second call goes on where the first stopped. The table is
written into docs/evidence.md. The exit code is 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from sklearn.datasets import load_diabetes, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from benchmarks import reasons
from benchmarks.datasets import find_data, load_complete
from benchmarks.generated_page import fill_page
from benchmarks.results import DIRECTORY, Results
from hedgerow import Condition, Rule, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow._support.text_table import aligned
from hedgerow.evidence import conformal, drift, validate
from hedgerow.evidence.shifts import AMBER
from hedgerow.evidence.skewed_means import mean_interval
from hedgerow.features import Column, Inputs

PAGE = Path(__file__).parents[1] / "docs" / "evidence.md"
KEYS = ("part", "case", "block", "what")
#: Runs of a part, and how many of them are stored together.
RUNS, BLOCK = 1000, 100
#: The rows per rule in the parts about intervals.
SIZES = (10, 20, 40, 80, 160, 320)
SIZES_OF_MEANS = (10, 20, 40, 80)
#: Kinds of numbers, with the rows of training and of the new table.
OF_NUMBERS = tuple(f"{kind} {n} 300" for kind in ("normal", "exponential") for n in (300, 3000))


def load_grades(return_X_y: bool) -> tuple[Any, Any]:
    """Return 4,000 rows of two grades, of which four in five have the likelier class."""
    rng = np.random.default_rng(0)
    grade, is_likely = rng.random((4000, 1)) < 0.5, rng.random(4000) < 0.8
    return grade.astype(float), (grade[:, 0] == is_likely).astype(int)


#: Sets that need no file; grades are drawn, the others come with scikit-learn.
SHIPPED: dict[str, Callable[..., Any]] = {"digits": load_digits, "progression": load_diabetes, "grades": load_grades}
#: Of these sets, lists of eight rules are right about more than 90 % of the rows.
EASY = ("wdbc", "banknote")
#: Of the sets with categories, those with numbers as targets.
COARSE_NUMBERS = ("socmob",)
#: Parts that are slow have fewer blocks.
BLOCKS_OF = {"sets": 5, "intervals": 5, "coarse": 1}
#: The runs of a block, where they are not BLOCK.
RUNS_OF = {"sets": 20, "intervals": 20, "coarse": 20}
#: The most rows of a set with categories.
MOST_ROWS = 6000
X = Column(0, "x")

Row = dict[str, Any]


def list_of(sizes: Any, training: list[Any]) -> RuleList:
    """Return a list with a rule per interval [i, i + 1), and what its training targets say about it."""
    of_labels = training[0].dtype == np.int64
    n = sum(sizes)
    rules = []
    for i, (size, y) in enumerate(zip(sizes, training, strict=True)):
        lower = float(i) if i else -np.inf
        condition = Condition(X, lower=lower, upper=float(i + 1) if i + 1 < len(sizes) else np.inf)
        if of_labels:
            share = float(y.mean())
            told: Row = {"prediction": int(share >= 0.5), "distribution": (1 - share, share)}
            told["class_share"] = max(share, 1 - share)
        else:
            told = {"prediction": float(y.mean()), "spread": float(y.std())}
        rules.append(Rule((condition,), coverage=int(size), share=size / n, **told))
    everything = np.concatenate(training)
    mean = float(everything.mean())
    default = Rule((), int(mean >= 0.5), distribution=(1 - mean, mean)) if of_labels else Rule((), mean, spread=1.0)
    classes = np.array([0, 1]) if of_labels else None
    return RuleList(tuple(rules), default, Inputs((X,), np.float64), classes, n_samples=int(n))


def rows_of(sizes: Any) -> Any:
    """Return rows of which each rule has so many."""
    return np.repeat(np.arange(len(sizes)) + 0.5, sizes)[:, None]


def shares(case: str, rng: Any) -> Row:
    """Return how many intervals of the shares of each size contain the true rate."""
    rates = rng.uniform(0.5, 0.98, size=len(SIZES))
    training = [(rng.uniform(size=500) < rate).astype(np.int64) for rate in rates]
    rules = list_of([500] * len(SIZES), training)
    y = [(rng.uniform(size=n) < rate).astype(np.int64) for n, rate in zip(SIZES, rates, strict=True)]
    weight = rng.uniform(0.5, 1.5, size=sum(SIZES)) if case == "weighted" else None
    found = validate(rules, rows_of(SIZES), np.concatenate(y), weight)
    true = [rate if rule.prediction else 1 - rate for rule, rate in zip(rules, rates, strict=True)]
    pairs = zip(SIZES, found.rules, true, strict=True)
    return {f"rows {n}": one.value.low <= rate <= one.value.high for n, one, rate in pairs}


def draw_numbers(case: str, rng: Any, n: int) -> Any:
    """Return numbers of which the mean is 0."""
    if case == "normal":
        return rng.normal(size=n)
    if case == "counts":
        rate = rng.uniform(0.5, 5)
        return rng.poisson(rate, size=n) - rate
    return rng.exponential(size=n) - 1 if case == "exponential" else rng.lognormal(size=n) - np.exp(0.5)


def means(case: str, rng: Any) -> Row:
    """Return whether the interval of a mean of so many numbers contains the true mean."""
    kind = case.removeprefix("weighted ")
    weights = {n: np.ones(n) if case == kind else rng.uniform(0.5, 1.5, size=n) for n in SIZES_OF_MEANS}
    found = {n: mean_interval(draw_numbers(kind, rng, n), weight) for n, weight in weights.items()}
    return {f"rows {n}": one.low <= 0 <= one.high for n, one in found.items()}


def errors(case: str, rng: Any) -> Row:
    """Return whether any test says that something differs although all targets are drawn alike."""
    kind, *numbers = case.split()
    parts = [0.3, 0.25, 0.15, 0.1, 0.08, 0.06, 0.04, 0.02]
    sizes = [np.maximum(rng.multinomial(int(n), parts), 2) for n in numbers]

    def draw(n: int) -> Any:
        return (rng.uniform(size=n) < 0.7).astype(np.int64) if kind == "labels" else draw_numbers(kind, rng, n)

    rules = list_of(sizes[0], [draw(size) for size in sizes[0]])
    found = validate(rules, rows_of(sizes[1]), draw(sizes[1].sum()))
    p = {name: [getattr(one.p, name) for one in found.rules] for name in ("coverage", "training", "rest", "nearest")}
    return {"any": any(min(values) < 0.05 for values in p.values())} | {
        name: min(values) < 0.05 for name, values in p.items()
    }


def power(case: str, rng: Any) -> Row:
    """Return whether the rule whose rate moves by ten points is found, and whether another one is."""
    rate = float(case)
    rates = np.array([0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, rate])
    parts = [0.3, 0.2, 0.15, 0.1, 0.1, 0.06, 0.04, 0.05]
    sizes = rng.multinomial(20_000, parts, size=2)
    rules = list_of(
        sizes[0], [(rng.uniform(size=n) < r).astype(np.int64) for n, r in zip(sizes[0], rates, strict=True)]
    )
    moved = rates - 0.1 * (np.arange(8) == 7)
    y = [(rng.uniform(size=n) < r).astype(np.int64) for n, r in zip(sizes[1], moved, strict=True)]
    found = validate(rules, rows_of(sizes[1]), np.concatenate(y))
    p = [one.p.training for one in found.rules]
    return {"found": p[7] < 0.05, "another": min(p[:7]) < 0.05}


def alarms(case: str, rng: Any) -> Row:
    """Return whether drift raises any alarm although both tables are drawn alike."""
    rates, parts = [0.95, 0.9, 0.85, 0.8, 0.7, 0.65, 0.6, 0.55], [0.3, 0.25, 0.15, 0.1, 0.08, 0.06, 0.04, 0.02]
    sizes = [rng.multinomial(int(n), parts) for n in case.split()]
    rules = list_of([100] * 8, [np.array([0] * round(100 * (1 - rate)) + [1] * round(100 * rate)) for rate in rates])
    tables = []
    for of_rule in sizes:
        y = [(rng.uniform(size=n) < rate).astype(np.int64) for n, rate in zip(of_rule, rates, strict=True)]
        tables.append((rows_of(of_rule), np.concatenate(y)))
    (before, y_before), (now, y_now) = tables
    found = drift(rules, before, now, y_reference=y_before, y_current=y_now)
    return {
        "any test": bool(found.moved),
        "amber or red": found.state != "green",
        "index": found.overall.index >= AMBER,
    }


def learned(case: str, rng: Any) -> Row:
    """Return what is said to differ about a list that was learned from shuffled labels."""
    n_train, n_test = map(int, case.split())
    data = rng.normal(size=(n_train + n_test, 5))
    y = rng.permutation(np.arange(len(data)) % 10 < 7).astype(np.int64)
    forest = RandomForestClassifier(10, max_depth=3, random_state=int(rng.integers(1 << 30)))
    rules = RuleListClassifier(forest, max_rules=6, time_limit=5.0).fit(data[:n_train], y[:n_train])
    found = validate(rules.rule_list_, data[n_train:], y[n_train:])
    names = ("coverage", "rest", "nearest", "training")
    p = {name: [getattr(one.p, name) for one in found.rules if one.rule] for name in names}
    hits = {name: bool((np.array(values) < 0.05).any()) for name, values in p.items()}
    return {"any but training": any(hits[name] for name in names[:3])} | hits


def split(case: str, task: str, rng: Any) -> tuple[Any, ...]:
    """Return half of the rows of a real set, a quarter and a quarter, with their targets."""
    if case in SHIPPED:
        data, y = SHIPPED[case](return_X_y=True)
    else:
        frame, y = load_complete(case, task, find_data(None))
        kept = rng.permutation(len(frame))[:MOST_ROWS] if case in PARTS["coarse"][1] else np.arange(len(frame))
        data, y = frame.to_numpy()[kept], y[kept]
    seeds = rng.integers(1 << 30, size=2).tolist()
    X_train, X_rest, y_train, y_rest = train_test_split(data, y, test_size=0.5, random_state=seeds[0])
    X_known, X_new, y_known, y_new = train_test_split(X_rest, y_rest, test_size=0.5, random_state=seeds[1])
    return X_train, y_train, X_known, y_known, X_new, y_new


def sets(case: str, rng: Any) -> Row:
    """Return the share of test rows with their class in the set, for each kind of set."""
    X_train, y_train, X_known, y_known, X_new, y_new = split(case, "classification", rng)
    rules = RuleListClassifier.accurate(max_rules=8, random_state=0).fit(X_train, y_train).rule_list_
    kinds: dict[str, Row] = {
        "default": {},
        "empty": {"empty": True},
        "undrawn": {"random_state": None},
        "by rule": {"by_rule": True},
    }
    found = {name: conformal(rules, X_known, y_known, **kind) for name, kind in kinds.items()}
    return {name: one.contains(X_new, y_new).mean() for name, one in found.items()}


def intervals(case: str, rng: Any) -> Row:
    """Return the share of test rows with their number in the interval."""
    X_train, y_train, X_known, y_known, X_new, y_new = split(case, "regression", rng)
    rules = RuleListRegressor.accurate(max_rules=8, random_state=0).fit(X_train, y_train).rule_list_
    kinds: dict[str, Row] = {"default": {}, "undrawn": {"random_state": None}, "pooled": {"by_rule": False}}
    found = {name: conformal(rules, X_known, y_known, **kind) for name, kind in kinds.items()}
    return {name: one.contains(X_new, y_new).mean() for name, one in found.items()}


def coarse(case: str, rng: Any) -> Row:
    """Return the share of test rows of a coarse set with their class in the set, or their number in the interval."""
    return intervals(case, rng) if case in COARSE_NUMBERS else sets(case, rng)


#: New parts and cases come last, so that the random numbers of the others stay.
PARTS: dict[str, tuple[Callable[[str, Any], Row], tuple[str, ...]]] = {
    "shares": (shares, ("plain", "weighted")),
    "power": (power, ("0.6", "0.75", "0.9")),
    "alarms": (alarms, ("300 300", "5000 500", "20000 20000")),
    "errors": (errors, ("labels 300 300", "labels 3000 300", "labels 20000 20000", *OF_NUMBERS, "lognormal 3000 300")),
    "means": (means, ("normal", "exponential", "lognormal", "counts", "weighted lognormal")),
    "learned": (learned, ("300 300", "2000 2000")),
    "sets": (sets, ("digits", "vehicle", "diabetes", *EASY)),
    "intervals": (intervals, ("progression", "abalone", "space_ga")),
    "coarse": (coarse, ("grades", "adult", "mushroom", "car", *COARSE_NUMBERS)),
}


def measure(part: str, case: str, block: int) -> Iterator[Row]:
    """Yield how often each thing happened in a block of runs."""
    run, cases = PARTS[part]
    rng = np.random.default_rng([list(PARTS).index(part), cases.index(case), block])
    seen = [run(case, rng) for _ in range(RUNS_OF.get(part, BLOCK))]
    for name in seen[0]:
        yield {"part": part, "case": case, "block": block, "what": name, "hits": sum(float(one[name]) for one in seen)}


def bar_of(part: str, case: str, what: str) -> tuple[float, float] | None:
    """Return the least and the largest share that is good, or None if there is no bar."""
    if part in ("shares", "means"):
        return (0.93, 0.97)
    if part in ("sets", "intervals"):
        return (0.89, 0.91) if what == ("empty" if case in EASY else "default") else None
    if part == "coarse":  # how many rows are equal says how many more are covered
        return (0.89, 1.0)
    if part == "power":
        return (0.9, 1.0) if what == "found" else (0.0, 0.05)
    return (0.0, 0.05) if what in ("any", "any but training", "any test", "amber or red") else None


def table(results: Results) -> tuple[list[tuple[str, ...]], bool]:
    """Return what was measured, and whether all bars are met."""
    frame, fine = results.frame(), True
    rows = [("part", "case", "what", "runs", "share", "bar", "")]
    for (part, case, what), found in frame.groupby(["part", "case", "what"], sort=False):
        n, bar = RUNS_OF.get(part, BLOCK) * len(found), bar_of(part, case, what)
        share = found["hits"].sum() / n
        met = bar is None or bar[0] <= share <= bar[1]
        fine &= met
        wanted = "" if bar is None else f"{100 * bar[0]:g} to {100 * bar[1]:g} %"
        rows.append((part, case, what, str(n), f"{100 * share:.1f} %", wanted, "" if met else "missed"))
    return rows, fine


def as_markdown(rows: list[tuple[str, ...]]) -> str:
    """Return the table for the page, one line per case."""
    cases: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for row in rows[1:]:
        cases.setdefault((row[0], row[1]), []).append(row)
    lines = ["| part | case | runs | measured | bar |", "|---|---|--:|---|---|"]
    for (part, case), found in cases.items():
        bar = next((row[5] for row in found if row[5]), "")
        cells = [f"{row[2]}: **{row[4]}**" if row[6] else f"{row[2]}: {row[4]}" for row in found]
        lines.append(f"| {part} | {case} | {found[0][3]} | {', '.join(cells)} | {bar} |")
    return "\n".join([*lines, "", "Bold: outside its bar."])


def main() -> int:
    """Measure what is missing, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--part", choices=[*PARTS, "reasons"], action="append", help="only this part; may be given several times"
    )
    parser.add_argument("--blocks", type=int, default=RUNS // BLOCK, help="blocks of 100 runs, or of 20")
    parser.add_argument("--show", action="store_true", help="print what is stored, and measure nothing")
    parser.add_argument("--data", type=Path, help="the data directory of the part reasons; by default, OpenML")
    asked = parser.parse_args()
    results, of_reasons = Results("evidence", KEYS, DIRECTORY), Results("reasons", reasons.KEYS, DIRECTORY)
    parts = asked.part or [*PARTS, "reasons"]
    of_parts = [(part, case) for part in parts if part in PARTS for case in PARTS[part][1]]
    blocks = range(0 if asked.show else asked.blocks)
    wanted = [(*one, block) for block in blocks for one in of_parts if block < BLOCKS_OF.get(one[0], asked.blocks)]
    missing = [one for one in wanted if not any(key[:3] == one for key in results.known)]
    for one in track(missing, description="blocks", console=Console(stderr=True)):
        results.add(*measure(*one))
    if "reasons" in parts and not asked.show:
        for name, task in track(list(reasons.missing(of_reasons)), "sets", console=Console(stderr=True)):
            of_reasons.add(reasons.measure(name, task, find_data(asked.data)))
    rows, fine = table(results)
    sys.stdout.write("\n".join(aligned(rows, right=frozenset((3, 4)))) + "\n")
    sys.stdout.write(f"\n{reasons.as_markdown(of_reasons)}\n")
    fill_page(PAGE, {"evidence": as_markdown(rows), "reasons": reasons.as_markdown(of_reasons)})
    return 0 if fine and reasons.is_fine(of_reasons) else 1


if __name__ == "__main__":
    sys.exit(main())
