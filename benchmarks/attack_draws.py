"""Small partition problems with odd numbers, each drawn from a seed.

What is drawn: the coverage, the scores, the budget and the extra rows, each of one of several kinds. To add a kind,
write a function and name it in ``COVERAGES``, ``SCORES`` or ``ROWS``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.tree import ExtraTreeClassifier

from benchmarks.exact import List, TooManyError, partitions
from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.optimize.problem import LinearRows, PartitionProblem, stack_rows

Generator = np.random.Generator


def draw(seed: int) -> tuple[PartitionProblem, tuple[str, str, str]]:
    """Return the problem of a seed, with the kinds of its coverage, scores and rows."""
    rng = np.random.default_rng(seed)
    while True:
        of_coverage, of_scores = (str(rng.choice(list(kinds))) for kinds in (COVERAGES, SCORES))
        coverage = COVERAGES[of_coverage](rng)
        coverage = coverage[:, coverage.any(axis=0)]
        if coverage.shape[1] == 0:
            continue
        scores = SCORES[of_scores](rng, coverage.shape[1])
        budget = None if rng.random() < 0.5 else int(rng.integers(1, len(coverage) + 1))
        problem = PartitionProblem(scores, coverage, budget)
        try:
            lists = partitions(problem)
        except TooManyError:
            continue
        of_rows = "none" if rng.random() < 0.4 else str(rng.choice(list(ROWS)))
        rows = [] if of_rows == "none" else [ROWS[of_rows](rng, problem, lists) for _ in range(rng.integers(1, 4))]
        problem = PartitionProblem(scores, coverage, budget, stack_rows(rows))
        return problem, (of_coverage, of_scores, of_rows)


# Coverage


def _noise(rng: Generator) -> AnyArray:
    return rng.random((int(rng.integers(2, 8)), int(rng.integers(2, 16)))) < rng.uniform(0.15, 0.6)


def _partitioned(rng: Generator) -> AnyArray:
    """Several random partitions."""
    n_samples = int(rng.integers(2, 9))
    parts = []
    for _ in range(rng.integers(1, 5)):
        block = rng.integers(0, rng.integers(1, n_samples + 1), n_samples)
        parts.append(block[:, None] == np.unique(block))
    return np.hstack(parts)


def _twins(rng: Generator) -> AnyArray:
    """A few partitions, whose rules come several times."""
    matrix = _partitioned(rng)
    return matrix[:, rng.integers(0, matrix.shape[1], int(rng.integers(1, 2 * matrix.shape[1] + 1)))]


def _intervals(rng: Generator) -> AnyArray:
    n_samples = int(rng.integers(2, 9))
    ends = np.sort(rng.integers(0, n_samples + 1, (int(rng.integers(3, 18)), 2)), axis=1)
    return (np.arange(n_samples)[:, None] >= ends[:, 0]) & (np.arange(n_samples)[:, None] < ends[:, 1])


def _pairs(rng: Generator) -> AnyArray:
    """Pairs of samples, and some single ones: the relaxation is fractional on odd cycles."""
    n_samples = int(rng.integers(3, 9))
    first, second = np.triu_indices(n_samples, 1)
    some = rng.permutation(len(first))[: int(rng.integers(2, 16))]
    pairs = np.zeros((n_samples, len(some)), dtype=bool)
    pairs[first[some], np.arange(len(some))] = pairs[second[some], np.arange(len(some))] = True
    return np.hstack([pairs, np.eye(n_samples, dtype=bool)[:, rng.random(n_samples) < 0.3]])


def _forest(rng: Generator) -> AnyArray:
    """All nodes, or the leaves, of a few small trees on a few samples."""
    n_samples = int(rng.integers(3, 16))
    X, y = rng.normal(size=(n_samples, 3)).round(1), np.arange(n_samples) % 2
    parts = []
    for _ in range(rng.integers(1, 5)):
        depth = int(rng.integers(1, 4))
        tree = ExtraTreeClassifier(max_depth=depth, random_state=int(rng.integers(2**31))).fit(X, y)
        path = tree.decision_path(X).toarray() > 0
        parts.append(path if rng.random() < 0.5 else path[:, tree.tree_.children_left < 0])
    return np.hstack(parts)


COVERAGES: dict[str, Callable[[Generator], AnyArray]] = {
    "noise": _noise,
    "partitions": _partitioned,
    "twins": _twins,
    "intervals": _intervals,
    "pairs": _pairs,
    "forest": _forest,
}

# Scores


def _signs(rng: Generator, n: int) -> FloatArray:
    return rng.choice([-1.0, 1.0], n)


def _powers(low: float, high: float) -> Callable[[Generator, int], FloatArray]:
    return lambda rng, n: _signs(rng, n) * 10 ** rng.uniform(low, high, n)


def _one_huge(rng: Generator, n: int) -> FloatArray:
    scores = rng.uniform(0, 1, n)
    scores[rng.integers(n)] = 10 ** rng.uniform(5, 300) * rng.choice([-1, 1])
    return scores


def _some_huge(rng: Generator, n: int) -> FloatArray:
    huge = rng.random(n) < 0.2
    return np.where(huge, 10 ** rng.uniform(7, 12) * _signs(rng, n), rng.uniform(-1, 1, n))


def _scale(rng: Generator, n: int) -> FloatArray:
    """Common scores in an uncommon unit."""
    return rng.uniform(-1, 1, n) * 10 ** rng.uniform(-300, 300)


SCORES: dict[str, Callable[[Generator, int], FloatArray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "positive": lambda rng, n: rng.uniform(0, 1, n),
    "negative": lambda rng, n: -rng.uniform(0, 1, n),
    "integers": lambda rng, n: rng.integers(-3, 4, n).astype(np.float64),
    "large integers": lambda rng, n: rng.integers(-(10**9), 10**9, n).astype(np.float64),
    "tenths": lambda rng, n: rng.integers(-9, 10, n) / 10,
    "zero": lambda rng, n: np.zeros(n),
    "equal": lambda rng, n: np.full(n, rng.choice([-1.0, 1.0, 0.1, -1 / 3])),
    "nearly equal": lambda rng, n: 1 + rng.integers(-4, 5, n) * 10 ** rng.uniform(-16, -5),
    "wide": _powers(-9, 9),
    "extreme": _powers(-300, 300),
    "tiny": lambda rng, n: rng.integers(-9, 10, n) * 5e-324,
    "one huge": _one_huge,
    "some huge": _some_huge,
    "scale": _scale,
}

# Extra rows


def _entries(rng: Generator, problem: PartitionProblem) -> FloatArray:
    values: FloatArray = rng.choice([rng.uniform(-1, 1, problem.n_rules), rng.integers(-3, 4, problem.n_rules)])
    return values * (rng.random(problem.n_rules) < rng.uniform(0.2, 1))


def _row(rng: Generator, entries: FloatArray, lists: list[List]) -> LinearRows:
    """Return a row whose bounds are what some list has, exactly, or near that, or about that."""
    usual = 0.0
    if lists:
        usual = math.fsum(entries[list(lists[rng.integers(len(lists))])])
    near = float(rng.choice([0.0, 0.0, 1e-12, -1e-12, 1e-5, -1e-5, 0.3, -0.3])) * float(np.abs(entries).max())
    kind = rng.integers(4)
    if kind == 0:
        return LinearRows(entries, usual + near, usual + near)
    if kind == 1:
        return LinearRows(entries, -np.inf, usual + near)
    if kind == 2:
        return LinearRows(entries, usual + near, np.inf)
    return LinearRows(entries, usual - abs(near), usual + abs(near))


def _common(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    return _row(rng, _entries(rng, problem), lists)


def _of_any_scale(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    return _row(rng, _entries(rng, problem) * 10 ** rng.uniform(-12, 12), lists)


def _of_extreme_scale(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    return _row(rng, _entries(rng, problem) * 10 ** rng.uniform(-305, 300), lists)


def _of_wide_entries(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    return _row(rng, _entries(rng, problem) * 10 ** rng.uniform(-6, 6, problem.n_rules), lists)


def _empty(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    """A row without entries, which is redundant or says that there is no list."""
    bound = float(rng.choice([0.0, 1e-12, -1e-12, 1.0, -1.0, 5e-324]))
    lower, upper = [(bound, np.inf), (-np.inf, bound), (bound, bound)][rng.integers(3)]
    return LinearRows(np.zeros((1, problem.n_rules)), lower, upper)


def _redundant(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    """The sum of all samples' rows, in another unit."""
    unit = 2.0 ** rng.integers(-40, 40)
    size = problem.n_samples * unit
    return LinearRows(problem.coverage.counts * unit, size, size)


def _infeasible(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    """More than any list has."""
    entries = _entries(rng, problem)
    most = max((math.fsum(entries[list(chosen)]) for chosen in lists), default=0.0)
    return LinearRows(entries, most + float(np.abs(entries).max()) * 10 ** rng.uniform(-7, 0) + 1e-30, np.inf)


def _number(rng: Generator, problem: PartitionProblem, lists: list[List]) -> LinearRows:
    """How many of some rules there are."""
    entries = (rng.random(problem.n_rules) < 0.6).astype(np.float64)
    low, high = np.sort(rng.integers(0, 4, 2))
    return LinearRows(entries, low, high)


ROWS: dict[str, Callable[[Generator, PartitionProblem, list[List]], LinearRows]] = {
    "common": _common,
    "any scale": _of_any_scale,
    "extreme scale": _of_extreme_scale,
    "wide entries": _of_wide_entries,
    "empty": _empty,
    "redundant": _redundant,
    "infeasible": _infeasible,
    "number": _number,
}


def written(problem: PartitionProblem) -> str:
    """Return the Python expression that makes a small problem."""
    matrix: Any = problem.coverage.matrix().toarray().astype(int).tolist()
    rows = "None"
    if problem.rows is not None:
        given = problem.rows
        rows = f"LinearRows({given.matrix.toarray().tolist()}, {given.lower.tolist()}, {given.upper.tolist()})"
    return f"PartitionProblem({problem.scores.tolist()}, {matrix}, {problem.max_rules}, {rows})"
