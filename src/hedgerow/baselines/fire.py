"""FIRE (Liu and Mazumder 2023): sparse weights on the leaves of a forest, similar for neighbouring leaves.

    min_w ½‖y − M w‖² + Σ_j MCP(w_j; λ_s, γ) + λ_f Σ_t Σ_j |w_j − w_{j−1}|

M holds the prediction of each leaf for the samples in it, and 0 elsewhere. The minimax concave penalty sets weights to
zero but hardly shrinks the others. The fusion penalty pulls neighbouring leaves of a tree t, which share conditions,
together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestRegressor

from hedgerow._support.arrays import FloatArray, IntArray
from hedgerow._support.checks import check_integer, is_number
from hedgerow.baselines.baseline import Baseline, BaselineRegressorMixin, Training
from hedgerow.baselines.fire_solver import FireProblem, FireSolution, predict_fire, scale_values, solve_fire
from hedgerow.baselines.parameters import check_folds, check_penalty
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.weighted_rules import WeightedRules

#: The path of λ_s: its length, and the last as a share of the first.
_N_PENALTIES = 40
_LAST_PENALTY = 1e-2
#: λ_f as shares of λ_s, if not given.
_FUSIONS = (0.0, 0.1, 0.5)
#: A path ends after this many consecutive solutions beyond the budget: the number of rules does not always grow.
_PATIENCE = 3


@dataclass(eq=False, repr=False, kw_only=True)
class FireRegressor(BaselineRegressorMixin, Baseline):
    """FIRE for regression: a sparse sum of leaves of a forest.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, list of them, or None
        A fitted tree ensemble is used as it is; an unfitted one is cloned and fitted. None is a random forest of 500
        trees of depth 3.
    max_rules : int or None
        The budget: the maximum number of leaves with a weight. None for no limit.
    lambda_s : float or None
        λ_s, the penalty of non-zero weights. None chooses it by cross-validation among the values that keep to the
        budget. A number is used as given or, if it leaves too many rules, increased as far as the budget requires.
    lambda_f : float or None
        λ_f, the penalty of differences between neighbours. None chooses among 0, 0.1 and 0.5 times λ_s by
        cross-validation.
    gamma : float
        γ > 1: the closer to 1, the less large weights are shrunk.
    max_conditions : int or None
        The maximum number of conditions per rule; the trees are cut there. None for no limit.
    tol : float
        The descent stops when a pass over the trees improves the objective by no larger share of the sum of squares.
    cv : int or scikit-learn splitter
        The folds. The leaves are those of the whole ensemble in every fold.
    n_jobs : int or None
        Number of threads, for the default forest and for matching samples with rules.
    random_state : int, RandomState or None
        For the default forest.

    Attributes
    ----------
    weighted_rules_ : WeightedRules
        The leaves with a weight, in order of their effect on the training samples. Print it to read them.
    rules_ : tuple of Rule
    lambda_s_, lambda_f_ : float
        The chosen penalties.
    objectives_ : array
        The objective after each pass of the descent, for these penalties.
    forest_ : Forest
    ensemble_ : the fitted ensemble
    n_features_in_ : int
    feature_names_in_ : array
        Only if ``X`` has column names.

    References
    ----------
    Liu, B. and Mazumder, R. (2023). FIRE: an optimization approach for fast interpretable rule extraction. *KDD*,
    1396-1405.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> from hedgerow.baselines import FireRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    >>> model = FireRegressor(forest, max_rules=8, cv=3).fit(X, y)
    >>> len(model.rules_) <= 8, bool(model.score(X, y) > 0.3)
    (True, True)
    """

    lambda_s: float | None = None
    lambda_f: float | None = None
    gamma: float = 1.1
    max_conditions: int | None = 4
    tol: float = 1e-6
    cv: Any = 5
    _other_task = None

    def _check_own(self) -> None:
        check_penalty("lambda_s", self.lambda_s)
        check_penalty("lambda_f", self.lambda_f)
        if not is_number(self.gamma) or not self.gamma > 1:
            raise InvalidParameterError(f"gamma must be a number above 1; got {self.gamma!r}.")
        if not is_number(self.tol) or not 0 < self.tol < 1:
            raise InvalidParameterError(f"tol must be a number between 0 and 1; got {self.tol!r}.")
        check_integer("max_conditions", self.max_conditions, optional=True)
        check_folds(self.cv)

    def _own_ensemble(self) -> Any:
        return RandomForestRegressor(500, max_depth=3, n_jobs=self.n_jobs, random_state=self.random_state)

    def _weigh(self, training: Training) -> WeightedRules:
        pool, coverage = self._leaves(training)
        ends, mean = coverage.ends.ranks, training.mean
        values, divisors = scale_values(ends, _leaf_values(training, coverage), training.weight)
        y = training.targets[:, 0] - mean[0]
        problem = FireProblem(ends, values, y, training.weight, float(self.gamma), self.tol)
        # λ_f itself if given, else shares of λ_s
        fusions = _FUSIONS if self.lambda_f is None else (float(self.lambda_f),)
        paths = {fusion: self._path(problem, fusion) for fusion in fusions}
        fusion, step = self._choose(training, problem, paths)
        self.lambda_s_, solution = paths[fusion][step]
        self.lambda_f_ = self._fusion(fusion, self.lambda_s_)
        self.objectives_ = np.array(solution.objectives)
        rules, weights, inside = _with_weights(pool, coverage, solution, values, divisors)
        return training.weighted_rules(pool, coverage, rules, weights, inside, np.zeros_like(inside), mean)

    def _leaves(self, training: Training) -> tuple[RulePool, Coverage]:
        """Return the leaves of the trees, cut at the maximum number of conditions."""
        if self.max_conditions is None:
            pool = make_pool(training.forest, "leaves")
        else:
            pool = make_pool(training.forest, "nodes", self.max_conditions)
            pool = pool.subset(np.flatnonzero(pool.end_rank[pool.node] >= 0))
        return pool, training.cover(pool)

    def _fusion(self, fusion: float, lambda_s: float) -> float:
        return fusion * lambda_s if self.lambda_f is None else fusion

    def _path(self, problem: FireProblem, fusion: float) -> list[tuple[float, FireSolution]]:
        """Return the λ_s of the path, the largest first, each with its solution, which starts from the previous one."""
        first = problem.largest_penalty * (1 + 1e-6)
        if self.lambda_s is not None and (self.max_rules is None or self.lambda_s >= first):
            penalties = np.array([float(self.lambda_s)])
        else:
            last = _LAST_PENALTY * first if self.lambda_s is None else self.lambda_s
            penalties = np.geomspace(first, last, _N_PENALTIES) if last > 0 else np.linspace(first, 0, _N_PENALTIES)
        if first == 0:
            penalties = np.zeros(1)
        path: list[tuple[float, FireSolution]] = []
        beyond, start = 0, None
        for penalty in penalties.tolist():
            solution = solve_fire(problem, penalty, self._fusion(fusion, penalty), start)
            path.append((penalty, solution))
            start = solution.weights
            beyond = beyond + 1 if self.max_rules is not None and solution.n_rules > self.max_rules else 0
            if beyond == _PATIENCE:
                break
        return path

    def _choose(
        self, training: Training, problem: FireProblem, paths: dict[float, list[tuple[float, FireSolution]]]
    ) -> tuple[float, int]:
        """Return the chosen fusion and position on its path."""
        budget = np.inf if self.max_rules is None else self.max_rules
        allowed = {f: [i for i, (_, s) in enumerate(path) if s.n_rules <= budget] for f, path in paths.items()}
        folds = training.folds(self.cv)
        if self.lambda_s is not None:
            allowed = {fusion: steps[-1:] for fusion, steps in allowed.items()}
        if not folds or sum(map(len, allowed.values())) == 1:
            fusion = next(iter(allowed))
            return fusion, allowed[fusion][-1]
        errors = {(fusion, i): 0.0 for fusion, steps in allowed.items() for i in steps}
        for train, test in folds:
            fold, center = _fold_of(problem, train)
            # With fewer samples, the columns of M are shorter.
            scale = np.sqrt(fold.weight.sum() / problem.weight.sum())
            residual = problem.y[test] - center
            for fusion, steps in allowed.items():
                start = None
                for i in steps:
                    penalty = paths[fusion][i][0] * scale
                    # A given λ_f is an absolute number, which shrinks with the fold as well.
                    between = fusion * penalty if self.lambda_f is None else fusion * scale
                    start = solve_fire(fold, penalty, between, start).weights
                    predicted = predict_fire(problem.ends[test], fold.values, start)
                    errors[fusion, i] += float(np.sum(problem.weight[test] * (residual - predicted) ** 2))
        return min(errors, key=lambda place: errors[place])


def _leaf_values(training: Training, coverage: Coverage) -> list[FloatArray]:
    """Return the mean prediction at each end of each tree, minus the tree's mean prediction over all samples."""
    ends, values, trees = coverage.ends, [], training.forest.trees
    labels = [np.where(tree.left < 0, np.arange(tree.n_nodes), -1) for tree in trees]
    leaves = training.forest.route(training.values, labels, training.n_jobs)
    for t, tree in enumerate(trees):
        predicted = tree.value[leaves[:, t], 0]
        predicted = predicted - np.average(predicted, weights=training.weight)
        rank, n_ends = ends.ranks[:, t], int(ends.n_ranks[t])
        total = np.bincount(rank, training.weight, minlength=n_ends)
        summed = np.bincount(rank, training.weight * predicted, minlength=n_ends)
        values.append(np.divide(summed, total, out=np.zeros(n_ends), where=total > 0))
    return values


def _fold_of(problem: FireProblem, train: IntArray) -> tuple[FireProblem, float]:
    """Return the problem for some of the samples, and the mean that was subtracted from their targets."""
    weight, ends = problem.weight[train], np.asfortranarray(problem.ends[train])
    center = float(np.average(problem.y[train], weights=weight))
    values = scale_values(ends, problem.values, weight)[0]
    return FireProblem(ends, values, problem.y[train] - center, weight, problem.gamma, problem.tol), center


def _with_weights(
    pool: RulePool, coverage: Coverage, solution: FireSolution, values: list[FloatArray], divisors: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the leaves that have a weight and samples, their weights and their values, the most important first."""
    weight, inside = np.zeros(len(pool)), np.zeros(len(pool))
    for t, block in solution.weights.items():
        mine = np.flatnonzero(pool.tree == t)
        weight[mine] = block[pool.first[mine]] / divisors[t]
        inside[mine] = values[t][pool.first[mine]] * divisors[t]
    used = np.flatnonzero((weight != 0) & (inside != 0) & (coverage.counts > 0))
    effect = np.abs(weight * inside)[used] * np.sqrt(coverage.counts[used])
    rules = used[np.argsort(-effect, kind="stable")]
    return rules, weight[rules, None], inside[rules, None]
