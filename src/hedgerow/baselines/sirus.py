"""SIRUS (Bénard et al. 2021): the rules that come back most often in a forest that splits only at quantiles.

A rule is a path; p̂ is the share of the trees that have it. Those with p̂ > p0 are kept, the most frequent first, and of
rules that depend linearly on those before none. A rule says the mean target of the training samples inside, or of
those outside. Classes are predicted by the plain mean of what the rules say, numbers by a sum with non-negative
weights, those of a ridge regression.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.optimize import nnls
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import roc_auc_score

from hedgerow._support.arrays import AnyArray, FloatArray
from hedgerow.baselines.cross_validation import check_folds, make_folds, mean_squared_error
from hedgerow.baselines.estimator import (
    Baseline,
    OfLabels,
    OfNumbers,
    Training,
    check_share,
    check_whole_number,
    take_rows,
)
from hedgerow.baselines.quantile_forest import find_cuts, fit_between_cuts, numbers_only
from hedgerow.baselines.rule_frequency import Frequencies, dice, most_frequent, rules_below_the_roots
from hedgerow.candidates.coverage import Coverage, cover
from hedgerow.candidates.ensembles import fit_ensemble
from hedgerow.candidates.pool import make_pool
from hedgerow.forests.forest import Forest
from hedgerow.rules.weighted_rules import WeightedRules

#: The most rules if there is no budget.
_MOST = 25
#: The stability that a choice of p0 for numbers aims at, besides a small error.
_STABLE = 0.9
#: λ of the ridge, as shares of the largest diagonal entry of the quadratic form, and the folds that choose it.
_RIDGES = np.geomspace(1e-5, 10, 20)
_RIDGE_FOLDS = 5


@dataclass(frozen=True, eq=False)
class _Spoken:
    """What the most frequent rules say."""

    rules: Frequencies
    coverage: Coverage
    inside: FloatArray
    outside: FloatArray

    def sayings(self, coverage: Coverage) -> FloatArray:
        """Return what each rule says of each sample, of shape (n_samples, n_rules, n_outputs)."""
        holds = coverage.matrix().toarray()[:, :, None]
        return np.where(holds > 0, self.inside, self.outside)


class _Sirus(Baseline):
    """What the classifier and the regressor share."""

    _forest: Any

    def __init__(
        self,
        ensemble: Any = None,
        *,
        max_rules: int | None = 8,
        p0: float | None = None,
        max_conditions: int = 2,
        n_quantiles: int = 10,
        n_trees: int = 500,
        cv: Any = 10,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.ensemble = ensemble
        self.max_rules = max_rules
        self.p0 = p0
        self.max_conditions = max_conditions
        self.n_quantiles = n_quantiles
        self.n_trees = n_trees
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_own(self) -> None:
        check_share("p0", self.p0, optional=True)
        for name, least in (("max_conditions", 1), ("n_quantiles", 2), ("n_trees", 1)):
            check_whole_number(name, getattr(self, name), least=least)
        check_folds(self.cv)

    def _own_ensemble(self) -> Any:
        return self._forest(
            n_estimators=self.n_trees,
            max_depth=self.max_conditions,
            max_features=1 / 3,
            min_samples_split=5,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )

    def _grown(self, X: Any, y: AnyArray, weight: FloatArray | None) -> Forest:
        names = getattr(self, "feature_names_in_", None)
        inputs = numbers_only(self.n_features_in_, None if names is None else list(names))
        values = inputs.matrix(X)
        self.cuts_ = find_cuts(values, np.ones(len(y)) if weight is None else weight, self.n_quantiles)
        return fit_between_cuts(self._own_ensemble(), values, y, weight, self.cuts_, inputs)

    def _weigh(self, training: Training) -> WeightedRules:
        most = _MOST if self.max_rules is None else self.max_rules
        spoken = self._spoken(training.forest, training, most)
        self.p0_ = self._choose(training, spoken, most) if self.p0 is None else float(self.p0)
        kept = np.flatnonzero(spoken.rules.frequency > self.p0_)
        self.ranked_rules_ = tuple(spoken.rules.pool.rule(j) for j in kept)
        said = spoken.sayings(spoken.coverage)[:, kept]
        weights, intercept = self._combine(said, training)
        used = np.flatnonzero(weights.any(axis=1))
        kept, weights = kept[used], weights[used]
        self.frequencies_ = spoken.rules.frequency[kept]
        return self._weighted_rules(
            training,
            spoken.rules.pool,
            spoken.coverage,
            kept,
            weights,
            spoken.inside[kept],
            spoken.outside[kept],
            intercept,
        )

    def _spoken(self, forest: Forest, training: Training, most: int) -> _Spoken:
        """Return the most frequent rules of a forest and what they say of the training samples."""
        pool = rules_below_the_roots(make_pool(forest, "nodes", self.max_conditions))
        rules = most_frequent(pool, training.values, most)
        coverage = training.cover(rules.pool)
        total, weight = training.weight.sum(), coverage.sums(training.weight)
        summed = coverage.many_sums([training.weight * column for column in training.targets.T])
        rest = total * training.default - summed
        return _Spoken(rules, coverage, summed / weight[:, None], rest / (total - weight)[:, None])

    def _combine(self, said: FloatArray, training: Training) -> tuple[FloatArray, FloatArray]:
        """Return the weights of the rules, of shape (n_rules, n_outputs), and the intercept."""
        n_rules, n_outputs = said.shape[1:]
        if n_rules == 0:
            return np.zeros((0, n_outputs)), training.default
        if self._of_labels:
            return np.full((n_rules, n_outputs), 1 / n_rules), np.zeros(n_outputs)
        if n_rules == 1:  # one rule says it all, as in the paper's code
            return np.ones((1, 1)), np.zeros(1)
        weights, intercept = _positive_ridge(said[:, :, 0], training.targets[:, 0], training.weight)
        return weights[:, None], np.array([intercept])

    def _choose(self, training: Training, spoken: _Spoken, most: int) -> float:
        """Return p0: the values that tell numbers of rules apart are tried in folds."""
        frequency = spoken.rules.frequency
        folds = make_folds(self.cv, training.y, self._of_labels)
        if not len(frequency) or not folds:
            return 0.0
        # All below the first: a p0 of its frequency would leave no rule, also where several are as frequent.
        candidates = np.unique(np.append(frequency[frequency < frequency[0]], 0.0))[::-1]
        errors, chosen = np.empty((len(folds), len(candidates))), []
        for f, (train, test) in enumerate(folds):
            errors[f], keys = self._try(training, train, test, candidates, most)
            chosen.append(keys)
        mean = errors.mean(axis=0)
        pairs = list(combinations(chosen, 2))
        stability = np.array([_mean([dice(a[c], b[c]) for a, b in pairs]) for c in range(len(candidates))])
        self.p0_path_ = {"p0": candidates, "error": mean, "stability": stability}
        if self._of_labels:
            spread = _standard_error(errors[:, np.argmin(mean)])
            return float(candidates[np.flatnonzero(mean <= mean.min() + 2 * spread)[0]])
        distance = (mean - mean.min()) ** 2 + np.maximum(_STABLE - stability, 0) ** 2
        return float(candidates[np.argmin(distance)])

    def _try(
        self, training: Training, train: Any, test: Any, candidates: FloatArray, most: int
    ) -> tuple[FloatArray, list[set[Any]]]:
        """Return the error of each p0 in one fold, and the rules that it keeps."""
        y, weight, values = training.y[train], training.weight[train], training.values[train]
        if self.ensemble is None:
            forest = fit_between_cuts(self._own_ensemble(), values, y, weight, self.cuts_, training.forest.inputs)
        else:
            names = getattr(self, "feature_names_in_", None)
            given = None if (training.weight == 1).all() else weight  # not every ensemble takes weights
            forest = fit_ensemble(self.ensemble, take_rows(training.X, train), y, given, names)[1]
        fold = Training(forest, None, y, values, training.targets[train], weight, self.n_jobs)
        spoken = self._spoken(forest, fold, most)
        said_train = spoken.sayings(spoken.coverage)
        said_test = spoken.sayings(cover(spoken.rules.pool, training.values[test]))
        errors, keys, known = np.empty(len(candidates)), [], {}
        for c, p0 in enumerate(candidates):
            n = int(np.count_nonzero(spoken.rules.frequency > p0))
            if n not in known:
                weights, intercept = self._combine(said_train[:, :n], fold)
                said = intercept + (said_test[:, :n] * weights).sum(axis=1)
                known[n] = self._error(said, training.targets[test], training.weight[test], fold.default)
            errors[c] = known[n]
            keys.append(set(spoken.rules.keys[:n]))
        return errors, keys

    def _error(self, said: FloatArray, targets: FloatArray, weight: FloatArray, default: FloatArray) -> float:
        """Return 1 - AUC, the mean over the classes; or the share of the variance that is not explained."""
        if not self._of_labels:
            worst = mean_squared_error(np.broadcast_to(default, targets.shape), targets, weight)
            return mean_squared_error(said, targets, weight) / worst if worst > 0 else 1.0
        areas = [
            roc_auc_score(target, score, sample_weight=weight)
            for target, score in zip(targets.T, said.T, strict=True)
            if len(np.unique(target)) == 2
        ]
        return float(1 - np.mean(areas)) if areas else 0.5


def _mean(stabilities: list[float]) -> float:
    """Return the mean; of one fold alone nothing is known against its rules."""
    return float(np.mean(stabilities)) if stabilities else 1.0


def _standard_error(errors: FloatArray) -> float:
    return float(errors.std(ddof=1) / np.sqrt(len(errors))) if len(errors) > 1 else 0.0


def _positive_ridge(said: FloatArray, y: FloatArray, weight: FloatArray) -> tuple[FloatArray, float]:
    """Return weights >= 0 and a free intercept that minimise Σ v_i (y_i − β_0 − Σ β_k s_ik)² + λ Σ β_k², λ by folds."""
    errors = np.zeros(len(_RIDGES))
    for train, test in make_folds(_RIDGE_FOLDS, y, labels=False):
        for r, ridge in enumerate(_RIDGES):
            weights, intercept = _positive_ridge_of(said[train], y[train], weight[train], ridge)
            errors[r] += np.sum(weight[test] * (y[test] - intercept - said[test] @ weights) ** 2)
    return _positive_ridge_of(said, y, weight, float(_RIDGES[np.argmin(errors)]))


def _positive_ridge_of(said: FloatArray, y: FloatArray, weight: FloatArray, ridge: float) -> tuple[FloatArray, float]:
    center, mean = np.average(said, axis=0, weights=weight), np.average(y, weights=weight)
    apart = said - center
    quadratic = apart.T @ (apart * weight[:, None])
    largest = quadratic.diagonal().max()
    if largest <= 0:
        return np.zeros(said.shape[1]), float(mean)
    # Least squares with the triangle R, R'R = quadratic form, has the same solution with as many rows as rules.
    triangle = np.linalg.cholesky(quadratic + ridge * largest * np.eye(len(quadratic)), upper=True)
    right = np.linalg.solve(triangle.T, apart.T @ (weight * (y - mean)))
    weights: FloatArray = nnls(triangle, right)[0]
    return weights, float(mean - center @ weights)


class SirusClassifier(OfLabels, _Sirus):
    """SIRUS for classification: the plain mean of what the most frequent rules of a forest say.

    The paper has two classes. With more there is one forest of all of them, and the rules say the share of each class
    (one against the rest on common rules): an extension of ours.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, list of them, or None
        A fitted tree ensemble is used as it is; an unfitted one is cloned and fitted, also in each fold. None is the
        paper's: a random forest of depth ``max_conditions`` that tries a third of the features at each split and splits
        only at ``n_quantiles`` quantiles. Without such a restriction hardly any rule comes back.
    max_rules : int or None
        The budget; None is 25.
    p0 : float or None
        Rules that are in a larger share of the trees are kept, as far as the budget allows. None chooses it by
        cross-validation; 0 keeps as many as the budget allows.
    max_conditions : int
        The longest rule.
    n_quantiles : int
        q: a column with more values is cut at its q-quantiles.
    n_trees : int
        The size of the default forest.
    cv : int or splitter of scikit-learn
        The folds that choose p0.
    n_jobs : int or None
        For the default forest and for finding out who satisfies what.
    random_state : int, RandomState or None
        For the default forest.

    Attributes
    ----------
    weighted_rules_ : WeightedRules
        The rules, the most frequent first; print it.
    rules_ : tuple of Rule
    frequencies_ : array
        p̂ of each rule.
    ranked_rules_ : tuple of Rule
        All rules above p0 within the budget, also those to which a regression gives no weight.
    p0_ : float
        The p0 that was taken.
    p0_path_ : dict of arrays
        The p0 that were tried in the folds, with their errors (1 - AUC, or the share of the variance that is not
        explained) and the stability of their rules from fold to fold (Dice). Only if there was a choice.
    forest_ : Forest
    ensemble_ : the fitted ensemble
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array
        Only if ``X`` had names.

    References
    ----------
    Bénard, C., Biau, G., Da Veiga, S. and Scornet, E. (2021). SIRUS: Stable and Interpretable RUle Set for
    classification. *Electronic Journal of Statistics* 15, 427-505.

    Bénard, C., Biau, G., Da Veiga, S. and Scornet, E. (2021). Interpretable random forests via rule extraction.
    *AISTATS*, PMLR 130, 937-945.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from hedgerow.baselines import SirusClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = SirusClassifier(max_rules=5, p0=0, n_trees=100, random_state=0).fit(X, y)
    >>> len(model.rules_), bool(model.score(X, y) > 0.9)
    (5, True)
    """

    _forest = RandomForestClassifier
    _other_task = "SirusRegressor"


class SirusRegressor(OfNumbers, _Sirus):
    """SIRUS for regression: a sum, with non-negative weights, of what the most frequent rules of a forest say.

    As :class:`SirusClassifier`, which says what the parameters and attributes mean. p0 is a compromise of a small error
    and a stability of 0.9. The weights are those of a ridge regression, its λ by folds; rules of weight 0 are left out.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from hedgerow.baselines import SirusRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = SirusRegressor(max_rules=8, p0=0, n_trees=100, random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.3)
    True
    """

    _forest = RandomForestRegressor
    _other_task = "SirusClassifier"
