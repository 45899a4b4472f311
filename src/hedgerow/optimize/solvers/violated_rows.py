"""Which samples' rows a relaxation starts with, and which are added to it."""

from __future__ import annotations

import numpy as np

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow._support.equal_rows import first_of_each
from hedgerow.optimize.problem import PartitionProblem
from hedgerow.optimize.solvers.relaxation import Relaxation

#: Up to so many entries, samples that are in the same rules are found by comparing them. The relaxation starts with all
#: that differ if they have no more entries than this, and are no more than so many times the first rows otherwise.
_FEW_ENTRIES, _SHORT, _MORE = 500_000, 300_000, 10


def first_samples(problem: PartitionProblem, first_rows: int, rng: np.random.Generator) -> IntArray:
    """Return the samples whose rows a relaxation starts with: all that differ, if these are few."""
    samples = np.arange(problem.n_samples)
    if problem.n_samples * problem.n_rules <= _FEW_ENTRIES:
        samples = first_of_each(problem.coverage.held(np.arange(problem.n_rules)).T)
        if len(samples) <= _MORE * first_rows and len(samples) * problem.n_rules <= _SHORT:
            return samples
    return np.sort(rng.choice(samples, min(len(samples), first_rows), replace=False))


def pick(
    violated: IntArray, amount: FloatArray, relaxation: Relaxation, first_rows: int, rng: np.random.Generator
) -> IntArray:
    """Choose new rows to add, of samples violated by these amounts: half the most violated, half at random, all new."""
    known = np.zeros(relaxation.problem.n_samples, dtype=bool)
    known[relaxation.samples] = True
    new = ~known[violated]
    violated, amount = violated[new], amount[new]
    half = (max(first_rows, len(relaxation.samples) // 2) + 1) // 2
    if len(violated) > 2 * half:
        most = np.argpartition(-amount, half)[:half]
        drawn = rng.integers(len(violated), size=half)  # a row drawn twice is added once
        violated = violated[np.unique(np.concatenate([most, drawn]))]
    return violated[first_of_each(relaxation.problem.coverage.ends.ranks[violated])]
