"""Problems that are hard on floating-point numbers: scores and extra rows of odd scales, ties, and rules of no use.

A case is a function of a random generator; ``CASES`` names them. The numbers must be such that the exact optimum is
clear of rounding errors, because these are problems for a race, not for a proof; for that see :mod:`benchmarks.attack`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

from benchmarks.instances.posing import CLASSIFICATION, REGRESSION, posed, rule_list
from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.optimize.problem import LinearRows, PartitionProblem

Draw = Callable[[np.random.Generator], PartitionProblem]


def cases() -> list[str]:
    """Return the names of the cases."""
    return list(CASES)


def make(case: str, seed: int) -> PartitionProblem:
    """Return the problem of a case."""
    return CASES[case](np.random.default_rng(seed))


# Problems to start from


def impossible_rule(rng: np.random.Generator) -> PartitionProblem:
    """A rule that can be in no list has a huge score."""
    coverage = [[1, 0, 1, 0, 1], [1, 0, 0, 1, 1], [0, 1, 1, 0, 1], [0, 1, 0, 1, 0]]
    return PartitionProblem([0.5, 0.5, 1, 1, 1e9], coverage)


def wide_row(rng: np.random.Generator) -> PartitionProblem:
    """The coefficients of an extra row span ten orders of magnitude."""
    row = LinearRows([[1e5, 1e-5, 1e-5, 7]], 100000.00002, 100000.00002)
    return PartitionProblem([1, 1, 1, 0], [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]], None, row)


def empty_row(rng: np.random.Generator) -> PartitionProblem:
    """A row without entries asks for 1e-12, which no list has: infeasible."""
    return PartitionProblem(
        [1, 1, 0], [[1, 0, 1], [0, 1, 1]], None, LinearRows(sparse.csr_array((1, 3)), 1e-12, np.inf)
    )


def labels(rng: np.random.Generator, n_trees: int = 130, max_rules: int | None = 6) -> PartitionProblem:
    """The nodes of a forest on breast cancer."""
    forest = RandomForestClassifier(n_trees, max_depth=3, random_state=int(rng.integers(2**31)))
    rules = rule_list(CLASSIFICATION)(forest, max_rules=max_rules, candidates="nodes", stability_weight=0.2)
    return posed(rules, *load_breast_cancer(return_X_y=True))


def numbers(rng: np.random.Generator) -> PartitionProblem:
    """The nodes of a forest on scikit-learn's diabetes."""
    forest = RandomForestRegressor(60, max_depth=4, random_state=int(rng.integers(2**31)))
    rules = rule_list(REGRESSION)(forest, max_rules=8, candidates="nodes", loss="sse", stability_weight=0.0)
    return posed(rules, *load_diabetes(return_X_y=True))


def odd_leaves(rng: np.random.Generator) -> PartitionProblem:
    """The leaves of random trees on a few rows."""
    X, y = load_breast_cancer(return_X_y=True)
    forest = ExtraTreesClassifier(60, max_depth=4, random_state=int(rng.integers(2**31)))
    return posed(rule_list(CLASSIFICATION)(forest, max_rules=None, candidates="leaves"), X[:150], y[:150])


def subsets(rng: np.random.Generator, n_samples: int = 60, n_rules: int = 600) -> PartitionProblem:
    """Random triples of samples, and three partitions into triples among them: exact cover, which is hard."""
    triples = [rng.permutation(n_samples).reshape(-1, 3) for _ in range(3)]
    triples.append(np.array([rng.choice(n_samples, 3, replace=False) for _ in range(n_rules)]))
    return PartitionProblem(rng.normal(size=n_rules + n_samples), _matrix(np.concatenate(triples), n_samples))


def intervals(rng: np.random.Generator, n_samples: int = 120, n_rules: int = 1500) -> PartitionProblem:
    """Random intervals, whose relaxation is integral, with a budget that makes it fractional."""
    ends = np.sort(rng.integers(0, n_samples + 1, size=(n_rules, 2)), axis=1)
    ends = ends[ends[:, 0] < ends[:, 1]]
    singles = np.column_stack([np.arange(n_samples), np.arange(n_samples) + 1])
    ends = np.concatenate([ends, singles])
    samples = np.arange(n_samples)[:, None]
    covered = (samples >= ends[:, 0]) & (samples < ends[:, 1])
    return PartitionProblem(rng.uniform(-1, 0.2, len(ends)), covered, 10)


def pairs(rng: np.random.Generator, n_samples: int = 41) -> PartitionProblem:
    """All pairs of an odd number of samples: the relaxation has a solution, the problem has none."""
    first, second = np.triu_indices(n_samples, 1)
    some = rng.permutation(len(first))[:500]
    return PartitionProblem(rng.normal(size=len(some)), _matrix(np.column_stack([first, second])[some], n_samples))


def _matrix(members: AnyArray, n_samples: int) -> AnyArray:
    """Return the coverage of rules with equally many samples."""
    matrix = np.zeros((n_samples, len(members)), dtype=bool)
    matrix[members, np.arange(len(members))[:, None]] = True
    return matrix


# Other scores


def with_scores(draw: Draw, score: Callable[[np.random.Generator, FloatArray], FloatArray]) -> Draw:
    """Return a case that has the coverage of another one, and scores that are made of its scores."""

    def make_it(rng: np.random.Generator) -> PartitionProblem:
        problem = draw(rng)
        return replace(problem, scores=score(rng, problem.scores))

    return make_it


def _wide(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    return rng.choice([-1.0, 1.0], len(scores)) * 10 ** rng.uniform(-9, 9, len(scores))


def _tied(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    return np.round(scores * 4) / 4


def _integers(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    return rng.integers(-5, 6, len(scores)).astype(np.float64)


def _equal(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    return np.zeros(len(scores))


def _nearly_equal(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    return 1 + 1e-6 * rng.integers(-3, 4, len(scores))


def _shifted(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    return scores + 1000.0


def _times(factor: float, rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    return scores * factor


def _one_bad(rng: np.random.Generator, scores: FloatArray) -> FloatArray:
    worse = scores.copy()
    worse[rng.permutation(len(scores))[: len(scores) // 20]] = -1e12
    return worse


def huge_extras(rng: np.random.Generator) -> PartitionProblem:
    """A forest's rules, and random sets of samples that nothing completes, with scores of up to a billion."""
    problem = labels(rng, 40)
    matrix = problem.coverage.matrix().toarray() > 0
    extra = rng.random((problem.n_samples, 60)) < 0.5
    scores = np.concatenate([problem.scores, 10 ** rng.uniform(0, 9, 60)])
    return PartitionProblem(scores, np.hstack([matrix, extra]), 6)


# Extra rows


def with_row(draw: Draw, row: Callable[[np.random.Generator, PartitionProblem], LinearRows]) -> Draw:
    """Return a case with an extra row."""

    def make_it(rng: np.random.Generator) -> PartitionProblem:
        problem = draw(rng)
        return replace(problem, rows=row(rng, problem), preference=None)

    return make_it


def _cost(low: float, high: float, share: float, rng: np.random.Generator, problem: PartitionProblem) -> LinearRows:
    """Every rule has a cost between 10**low and 10**high; a list may cost as much as some rules of a common size do."""
    cost = 10 ** rng.uniform(low, high, problem.n_rules)
    return LinearRows(cost[None], -np.inf, float(np.quantile(cost, share)) * 4)


def _each_sample_once(rng: np.random.Generator, problem: PartitionProblem) -> LinearRows:
    """The sum of all samples' rows, which says nothing new, in another unit."""
    counts = problem.coverage.counts.astype(np.float64)
    return LinearRows(counts[None] * 1e-7, problem.n_samples * 1e-7, problem.n_samples * 1e-7)


def _exactly(n_rules: int, rng: np.random.Generator, problem: PartitionProblem) -> LinearRows:
    return LinearRows(np.ones((1, problem.n_rules)), n_rules, n_rules)


def _half_even(rng: np.random.Generator, problem: PartitionProblem) -> LinearRows:
    """As many rules of one random half as of the other."""
    return LinearRows(rng.permutation(np.arange(problem.n_rules) % 2 * 2.0 - 1)[None], 0, 0)


def _never(rng: np.random.Generator, problem: PartitionProblem) -> LinearRows:
    """Twice the sum of some rules is to be odd: infeasible, though the relaxation is not."""
    return LinearRows(2.0 * (rng.random((1, problem.n_rules)) < 0.5), 3, 3)


def _many(rng: np.random.Generator, problem: PartitionProblem) -> LinearRows:
    """Ten rows of all scales."""
    cost = rng.random((10, problem.n_rules)) * 10 ** rng.uniform(-9, 9, 10)[:, None]
    return LinearRows(cost, -np.inf, np.quantile(cost, 0.5, axis=1) * 6)


CASES: dict[str, Draw] = {
    "impossible-rule": impossible_rule,
    "wide-row": wide_row,
    "empty-row": empty_row,
    "triples": subsets,
    "intervals": intervals,
    "odd-pairs": pairs,
    "huge-extras": huge_extras,
    "wide-scores": with_scores(labels, _wide),
    "wide-scores-triples": with_scores(subsets, _wide),
    "wide-scores-odd-leaves": with_scores(odd_leaves, _wide),
    "tied-scores": with_scores(labels, _tied),
    "integer-scores": with_scores(labels, _integers),
    "integer-scores-odd-leaves": with_scores(odd_leaves, _integers),
    "equal-scores": with_scores(numbers, _equal),
    "nearly-equal-scores": with_scores(labels, _nearly_equal),
    "shifted-scores": with_scores(labels, _shifted),
    "tiny-scores": with_scores(numbers, partial(_times, 1e-12)),
    "large-scores": with_scores(numbers, partial(_times, 1e12)),
    "bad-rules": with_scores(labels, _one_bad),
    "row-of-costs": with_row(labels, partial(_cost, 0, 1, 0.3)),
    "row-of-wide-costs": with_row(labels, partial(_cost, -5, 5, 0.6)),
    "row-of-tiny-costs": with_row(labels, partial(_cost, -12, -11, 0.3)),
    "row-of-huge-costs": with_row(numbers, partial(_cost, 11, 12, 0.3)),
    "redundant-row": with_row(numbers, _each_sample_once),
    "exact-number": with_row(numbers, partial(_exactly, 7)),
    "half-and-half": with_row(labels, _half_even),
    "never": with_row(labels, _never),
    "ten-rows": with_row(labels, _many),
}
