"""Partition problems that fit on a hand, those of small random forests, and some that take a solver some effort."""

from dataclasses import replace

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from hedgerow import PartitionProblem, read_forest
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.pool import make_pool

#             {0} {1,2} {0,1} {2}
COVERAGE = [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]
#: The partitions of COVERAGE are rules 0 and 1, with the score 3, and rules 2 and 3, with the score 1.
SCORES = [1.0, 2.0, 0.5, 0.5]


def drawn_forest(seed, n_samples, n_trees, candidates):
    """The coverage of a small forest's rules, and random scores."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n_samples, 3)), rng.integers(0, 2, n_samples)
    y[:2] = 0, 1
    model = RandomForestClassifier(n_trees, max_depth=int(rng.integers(1, 4)), random_state=seed).fit(X, y)
    forest = read_forest(model)
    coverage = cover(make_pool(forest, candidates), forest.inputs.matrix(X))
    kept = np.flatnonzero(coverage.counts)
    return coverage.subset(kept), rng.normal(size=len(kept))


def random_sets(seed=1, n_samples=24, n_rules=500, size=4):
    """Random sets of samples, and each sample alone: very many lists, and a weak relaxation."""
    rng = np.random.default_rng(seed)
    every = np.arange(n_samples)
    columns = [np.isin(every, rng.choice(n_samples, size, replace=False)) for _ in range(n_rules)]
    matrix = np.column_stack([*columns, np.eye(n_samples, dtype=bool)]).astype(float)
    counts = matrix.sum(axis=0)
    return PartitionProblem(counts + 0.3 * rng.random(len(counts)) - (counts == 1), matrix)


def with_few(coverage, few):
    """Return the coverage of some samples only, with the others to be asked for: two at a time."""

    class Rest:
        n_rows = coverage.n_samples

        def ends(self):
            return coverage.ends

        def against(self, rules):
            all_of_them = Coverage(coverage.ends, rules.group, rules.first, rules.last)
            wrong = np.flatnonzero(all_of_them.counts_of(np.arange(rules.n_rules)) != 1)
            return coverage.ends.ranks[wrong[:2]]

    return replace(coverage, ends=replace(coverage.ends, ranks=coverage.ends.ranks[few], rest=Rest()))
