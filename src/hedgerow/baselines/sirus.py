"""SIRUS (Bénard et al. 2021): the rules that recur most often in a forest that splits only at quantiles.

A rule is a path; p̂ is the share of the trees that contain it. Rules with p̂ > p0 are kept, the most frequent first,
except those that depend linearly on earlier ones. The output of a rule is the mean target of the training samples
inside, or of those outside. Classes are predicted by the plain mean of the outputs, numbers by their sum with the
non-negative weights of a ridge regression.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import roc_auc_score

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.checks import check_integer
from hedgerow.baselines.baseline import Baseline, BaselineClassifierMixin, BaselineRegressorMixin, Training
from hedgerow.baselines.cross_validation import mean_squared_error
from hedgerow.baselines.parameters import check_folds, check_share
from hedgerow.baselines.positive_ridge import positive_ridge_by_folds
from hedgerow.baselines.quantile_forest import find_cuts, fit_between_cuts, numbers_only
from hedgerow.baselines.rule_frequency import Frequencies, RuleKey, dice, most_frequent
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.ensembles import fit_ensemble
from hedgerow.candidates.pool import make_pool
from hedgerow.forests.forest import Forest
from hedgerow.rules.weighted_rules import WeightedRules

#: The maximum number of rules without a budget.
_MOST = 25
#: The stability that the choice of p0 for numbers aims at, besides a small error.
_STABLE = 0.9


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The most frequent rules, and their outputs inside and outside."""

    rules: Frequencies
    coverage: Coverage
    inside: FloatArray
    outside: FloatArray

    def outputs(self, coverage: Coverage) -> FloatArray:
        """Return the output of each rule for each sample, of shape (n_samples, n_rules, n_outputs)."""
        holds = coverage.matrix().toarray()[:, :, None]
        return np.where(holds > 0, self.inside, self.outside)


@dataclass(eq=False, repr=False, kw_only=True)
class _Sirus(Baseline):
    """What the classifier and the regressor share."""

    p0: float | None = None
    max_conditions: int = 2
    n_quantiles: int = 10
    n_trees: int = 500
    cv: Any = 10
    _forest: ClassVar[Any]

    def _check_own(self) -> None:
        check_share("p0", self.p0)
        for name, least in (("max_conditions", 1), ("n_quantiles", 2), ("n_trees", 1)):
            check_integer(name, getattr(self, name), least=least)
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

    def _grown(self, X: Any, y: AnyArray, weight: FloatArray | None, n_outputs: int) -> Forest:
        inputs = numbers_only(self.n_features_in_, None if self._names is None else list(self._names))
        values = inputs.matrix(X)
        self.cuts_ = find_cuts(values, np.ones(len(y)) if weight is None else weight, self.n_quantiles)
        return fit_between_cuts(self._own_ensemble(), values, y, weight, self.cuts_, inputs)

    def _weigh(self, training: Training) -> WeightedRules:
        most = _MOST if self.max_rules is None else self.max_rules
        ranked = self._ranked(training, most)
        self.p0_ = self._choose(training, ranked, most) if self.p0 is None else float(self.p0)
        kept = np.flatnonzero(ranked.rules.frequency > self.p0_)
        self.ranked_rules_ = tuple(ranked.rules.pool.rule(j) for j in kept)
        weights, intercept = self._combine(ranked.outputs(ranked.coverage)[:, kept], training)
        used = np.flatnonzero(weights.any(axis=1))
        kept, weights = kept[used], weights[used]
        self.frequencies_ = ranked.rules.frequency[kept]
        inside, outside = ranked.inside[kept], ranked.outside[kept]
        return training.weighted_rules(ranked.rules.pool, ranked.coverage, kept, weights, inside, outside, intercept)

    def _ranked(self, training: Training, most: int) -> _Ranked:
        """Return the most frequent rules of the forest, and their outputs on the training samples."""
        rules = most_frequent(make_pool(training.forest, "nodes", self.max_conditions), training.values, most)
        coverage = training.cover(rules.pool)
        total, (weight, summed) = training.weight.sum(), training.sums(coverage)
        rest = total * training.mean - summed
        return _Ranked(rules, coverage, summed / weight, rest / (total - weight))

    def _combine(self, outputs: FloatArray, training: Training) -> tuple[FloatArray, FloatArray]:
        """Return the weights of the rules, of shape (n_rules, n_outputs), and the intercept."""
        if outputs.shape[1] == 0:
            return np.zeros(outputs.shape[1:]), training.mean
        return self._weights(outputs, training)

    def _choose(self, training: Training, ranked: _Ranked, most: int) -> float:
        """Return p0, chosen by cross-validation among the values that lead to different numbers of rules."""
        frequency = ranked.rules.frequency
        folds = training.folds(self.cv)
        if not len(frequency) or not folds:
            return 0.0
        # All are below the first frequency: p0 at that value would leave no rule, also where several rules share it.
        candidates = np.unique(np.append(frequency[frequency < frequency[0]], 0.0))[::-1]
        tried = [self._try(training, train, test, candidates, most) for train, test in folds]
        errors = np.array([error for error, _ in tried])
        pairs = list(combinations([keys for _, keys in tried], 2))
        overlaps = [[dice(a[c], b[c]) for a, b in pairs] or [1.0] for c in range(len(candidates))]
        stability = np.array([np.mean(overlap) for overlap in overlaps])
        self.p0_path_ = {"p0": candidates, "error": errors.mean(axis=0), "stability": stability}
        return float(candidates[self._best(errors, stability)])

    def _try(
        self, training: Training, train: IntArray, test: IntArray, candidates: FloatArray, most: int
    ) -> tuple[FloatArray, list[set[RuleKey]]]:
        """Return the error of each p0 in one fold, and the rules that it keeps."""
        fold, held_out = training.subset(train), training.subset(test)
        if self.ensemble is None:
            forest = fit_between_cuts(
                self._own_ensemble(), fold.values, fold.y, fold.weight, self.cuts_, training.forest.inputs
            )
        else:
            given = None if (training.weight == 1).all() else fold.weight  # not every ensemble takes weights
            forest = fit_ensemble(self.ensemble, fold.X, fold.y, given, self._names)[1]
        fold = replace(fold, forest=forest)
        ranked = self._ranked(fold, most)
        learned, tested = ranked.outputs(ranked.coverage), ranked.outputs(held_out.cover(ranked.rules.pool))
        errors, keys, known = np.empty(len(candidates)), [], {}
        for c, p0 in enumerate(candidates):
            n = int(np.count_nonzero(ranked.rules.frequency > p0))
            if n not in known:
                weights, intercept = self._combine(learned[:, :n], fold)
                known[n] = self._error(intercept + (tested[:, :n] * weights).sum(axis=1), held_out, fold.mean)
            errors[c] = known[n]
            keys.append(set(ranked.rules.keys[:n]))
        return errors, keys

    # What differs between the tasks

    def _weights(self, outputs: FloatArray, training: Training) -> tuple[FloatArray, FloatArray]:
        """Return the weights of at least one rule, and the intercept."""
        raise NotImplementedError

    def _error(self, predicted: FloatArray, held_out: Training, mean: FloatArray) -> float:
        """Return the error of predictions on held-out samples; ``mean`` is that of the training targets."""
        raise NotImplementedError

    def _best(self, errors: FloatArray, stability: FloatArray) -> int:
        """Return the position of the best p0, from its errors (n_folds, n_candidates) and its stability."""
        raise NotImplementedError


class SirusClassifier(BaselineClassifierMixin, _Sirus):
    """SIRUS for classification: the plain mean of the outputs of a forest's most frequent rules.

    The paper has two classes. With more, there is one forest for all of them, and the outputs of a rule are the shares
    of each class (one against the rest on common rules). This goes beyond the paper.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, list of them, or None
        A fitted tree ensemble is used as it is; an unfitted one is cloned and fitted, also in each fold. None is the
        forest of the paper: a random forest of depth ``max_conditions`` that tries a third of the features at each
        split and splits only at ``n_quantiles`` quantiles. Without such a restriction hardly any rule recurs.
    max_rules : int or None
        The budget; None is 25.
    p0 : float or None
        Rules contained in a larger share of the trees are kept, within the budget. None chooses it by
        cross-validation; 0 keeps as many rules as the budget allows.
    max_conditions : int
        The maximum number of conditions per rule.
    n_quantiles : int
        q: a column with more values is cut at its q-quantiles.
    n_trees : int
        The number of trees in the default forest.
    cv : int or scikit-learn splitter
        The folds that choose p0.
    n_jobs : int or None
        Number of threads, for the default forest and for matching samples with rules.
    random_state : int, RandomState or None
        For the default forest.

    Attributes
    ----------
    weighted_rules_ : WeightedRules
        The rules, the most frequent first. Print it to read them.
    rules_ : tuple of Rule
    frequencies_ : array
        p̂ of each rule.
    ranked_rules_ : tuple of Rule
        All rules above p0 within the budget, including those to which a regression gives no weight.
    p0_ : float
        The p0 that was used.
    p0_path_ : dict of arrays
        The values of p0 that were tried, their cross-validated errors (1 - AUC, or the unexplained share of the
        variance), and the stability of their rules across folds (Dice). Only if p0 was chosen.
    forest_ : Forest
    ensemble_ : the fitted ensemble
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array
        Only if ``X`` has column names.

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

    def _weights(self, outputs: FloatArray, training: Training) -> tuple[FloatArray, FloatArray]:
        """Return those of the plain mean."""
        n_rules, n_outputs = outputs.shape[1:]
        return np.full((n_rules, n_outputs), 1 / n_rules), np.zeros(n_outputs)

    def _error(self, predicted: FloatArray, held_out: Training, mean: FloatArray) -> float:
        """Return 1 - AUC, averaged over the classes."""
        areas = [
            roc_auc_score(target, score, sample_weight=held_out.weight)
            for target, score in zip(held_out.targets.T, predicted.T, strict=True)
            if len(np.unique(target)) == 2
        ]
        return float(1 - np.mean(areas)) if areas else 0.5

    def _best(self, errors: FloatArray, stability: FloatArray) -> int:
        """Return the largest p0 within two standard errors of the smallest error."""
        mean, n_folds = errors.mean(axis=0), len(errors)
        slack = 2 * errors[:, np.argmin(mean)].std(ddof=1) / np.sqrt(n_folds) if n_folds > 1 else 0.0
        return int(np.flatnonzero(mean <= mean.min() + slack)[0])


class SirusRegressor(BaselineRegressorMixin, _Sirus):
    """SIRUS for regression: a sum, with non-negative weights, of the outputs of a forest's most frequent rules.

    See :class:`SirusClassifier` for the parameters and attributes. p0 is a compromise between a small error and a
    stability of 0.9. The weights are those of a ridge regression with λ chosen by cross-validation; rules of weight 0
    are left out.

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

    def _weights(self, outputs: FloatArray, training: Training) -> tuple[FloatArray, FloatArray]:
        """Return those of a ridge regression; a single rule predicts alone, as in the authors' code."""
        if outputs.shape[1] == 1:
            return np.ones((1, 1)), np.zeros(1)
        weights, intercept = positive_ridge_by_folds(outputs[:, :, 0], training.targets[:, 0], training.weight)
        return weights[:, None], np.array([intercept])

    def _error(self, predicted: FloatArray, held_out: Training, mean: FloatArray) -> float:
        """Return the unexplained share of the variance."""
        worst = mean_squared_error(np.broadcast_to(mean, predicted.shape), held_out.targets, held_out.weight)
        return mean_squared_error(predicted, held_out.targets, held_out.weight) / worst if worst > 0 else 1.0

    def _best(self, errors: FloatArray, stability: FloatArray) -> int:
        """Return the p0 nearest to the smallest error and to a stability of 0.9."""
        mean = errors.mean(axis=0)
        return int(np.argmin((mean - mean.min()) ** 2 + np.maximum(_STABLE - stability, 0) ** 2))
