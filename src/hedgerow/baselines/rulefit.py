"""RuleFit (Friedman and Popescu 2008): a sparse linear model of rules and of the features themselves.

    F(x) = a_0 + Σ_k a_k r_k(x) + Σ_j b_j l_j(x_j)

The rules r_k are the nodes of a tree ensemble except the roots: 1 inside, 0 outside. The linear terms l_j are features
clipped at their outer quantiles and scaled by 0.4 / standard deviation, so that they weigh as much as a typical rule.
The coefficients minimise the mean loss (squared or logistic) plus λ (Σ|a_k| + Σ|b_j|).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.utils import check_random_state

from hedgerow._support.arrays import AnyArray, FloatArray, IntArray
from hedgerow._support.checks import check_integer
from hedgerow.baselines.baseline import (
    Baseline,
    BaselineClassifierMixin,
    BaselineRegressorMixin,
    Training,
    distinct_rules,
)
from hedgerow.baselines.lasso import Logistic, Model, Path, Squares, largest_penalty, refit, solve_path
from hedgerow.baselines.parameters import check_folds, check_penalty
from hedgerow.candidates.coverage import Coverage
from hedgerow.candidates.pool import RulePool, make_pool
from hedgerow.exceptions import InvalidParameterError
from hedgerow.rules.linear_term import LinearTerm
from hedgerow.rules.weighted_rules import WeightedRules

#: The paper's settings: share winsorised at each end, scale of a linear term, mean number of leaves, shrinkage.
_TRIM = 0.025
_SCALE = 0.4
_MEAN_LEAVES = 4
_SHRINKAGE = 0.01
#: The number of trees of the default ensemble, and of consecutive trees with the same number of leaves.
_N_TREES = 300
_BLOCK = 10
#: The last penalty of the path as a share of the first.
_LAST_PENALTY = 5e-3


@dataclass(frozen=True, eq=False)
class _Terms:
    """The terms of the model before they have coefficients: the linear ones, then the rules."""

    linear: tuple[LinearTerm, ...]
    pool: RulePool
    coverage: Coverage
    design: FloatArray


@dataclass(eq=False, repr=False, kw_only=True)
class _RuleFit(Baseline):
    """What the classifier and the regressor share."""

    penalty: float | None = None
    refit: bool = False
    linear_terms: bool = True
    max_conditions: int | None = None
    max_candidates: int = 2000
    cv: Any = 5
    _boosting: ClassVar[Any]
    _model: ClassVar[Model]

    def _check_own(self) -> None:
        check_penalty("penalty", self.penalty)
        if self.penalty == 0:
            raise InvalidParameterError("penalty must be positive: without one the coefficients are not unique.")
        for name in ("linear_terms", "refit"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidParameterError(f"{name} must be True or False; got {getattr(self, name)!r}.")
        check_integer("max_conditions", self.max_conditions, optional=True)
        check_integer("max_candidates", self.max_candidates)
        check_folds(self.cv)

    def _own_ensemble(self) -> Any:
        return self._boosting(learning_rate=_SHRINKAGE, max_depth=None, random_state=self.random_state)

    def _grown(self, X: Any, y: AnyArray, weight: FloatArray | None, n_outputs: int) -> Any:
        n_blocks = -(-_N_TREES // (_BLOCK * n_outputs))
        random = check_random_state(self.random_state)
        return grow_trees_of_random_sizes(self._own_ensemble(), X, y, weight, n_blocks, random)

    def _weigh(self, training: Training) -> WeightedRules:
        terms = self._terms(training)
        path = self._path(training, terms.design)
        self.penalties_, self.errors_, chosen = path.penalties, *self._choose(training, terms.design, path)
        self.penalty_ = float(path.penalties[chosen])
        coefficients, intercepts = path.coefficients[chosen], path.intercepts[chosen]
        if self.refit:
            coefficients, intercepts = refit(self._model, terms.design, training.targets, training.weight, coefficients)
        importance = np.abs(coefficients).max(axis=1) * terms.design.std(axis=0)
        n_linear = len(terms.linear)
        used = np.flatnonzero((coefficients[n_linear:] != 0).any(axis=1))
        rules = used[np.argsort(-importance[n_linear + used], kind="stable")]
        weights = coefficients[n_linear + rules]
        inside, outside = np.ones_like(weights), np.zeros_like(weights)
        slopes = zip(terms.linear, coefficients, strict=False)
        linear = tuple(replace(term, slope=slope * term.slope[0]) for term, slope in slopes if slope.any())
        how = {"link": self._model.link, "linear": linear}
        return training.weighted_rules(terms.pool, terms.coverage, rules, weights, inside, outside, intercepts, **how)

    def _terms(self, training: Training) -> _Terms:
        """Return the linear terms and the rules, with the matrix of all of them.

        Among rules that hold for the same samples, or for exactly the other samples, one is kept.
        """
        pool = make_pool(training.forest, "nodes", self.max_conditions)
        coverage = training.cover(pool)
        chosen = distinct_rules(pool, coverage, np.arange(len(pool)))
        chosen = chosen[(coverage.counts[chosen] > 0) & (coverage.counts[chosen] < coverage.n_samples)]
        chosen = chosen[_of_each_pair(pool.n_conditions[chosen], coverage.subset(chosen))]
        if len(chosen) > self.max_candidates:  # evenly, so that early and late trees are both represented
            chosen = chosen[np.linspace(0, len(chosen) - 1, self.max_candidates).astype(np.intp)]
        pool, coverage = pool.subset(chosen), coverage.subset(chosen)
        linear = _linear_terms(training) if self.linear_terms else ()
        columns = dict(zip(training.forest.features, training.values.T, strict=True))
        design = [term.contribution(columns[term.feature]) for term in linear]
        return _Terms(linear, pool, coverage, np.hstack([*design, coverage.matrix().toarray()]))

    def _path(self, training: Training, design: FloatArray) -> Path:
        largest = largest_penalty(design, training.targets, training.weight)
        # Slightly more, so that the first model has no terms despite rounding.
        first = largest * (1 + 1e-6) if largest > 0 else 1.0
        if self.penalty is not None and (self.max_rules is None or self.penalty >= first):
            penalties = np.array([float(self.penalty)])
        else:
            last = first * _LAST_PENALTY if self.penalty is None else self.penalty
            penalties = np.geomspace(first, last, self._model.n_penalties)
        return solve_path(self._model, design, training.targets, training.weight, penalties, self.max_rules)

    def _choose(self, training: Training, design: FloatArray, path: Path) -> tuple[FloatArray, int]:
        """Return the cross-validated error of each penalty within the budget (NaN beyond), and the chosen index."""
        errors = np.full(len(path.penalties), np.nan)
        allowed = np.flatnonzero(path.n_used <= (np.inf if self.max_rules is None else self.max_rules))
        folds = training.folds(self.cv)
        if self.penalty is not None or not folds or len(allowed) == 1:
            return errors, int(allowed[-1])
        total = np.zeros(len(allowed))
        for train, test in folds:
            part, held_out = training.subset(train), training.subset(test)
            fold = solve_path(self._model, design[train], part.targets, part.weight, path.penalties[allowed])
            for i, outputs in enumerate(fold.decide(design[test])):
                total[i] += self._model.error(outputs, held_out.targets, held_out.weight)
        errors[allowed] = total / len(folds)
        return errors, int(np.nanargmin(errors))


def _of_each_pair(n_conditions: IntArray, coverage: Coverage) -> IntArray:
    """Return which rules to keep, given distinct ones: of a rule and its complement the shorter, or else the first.

    Next to an intercept the two are one term: what one adds inside, the other subtracts outside.
    """
    # Integers small enough that all sums are exact; those of a rule and its complement add up to the total.
    random = np.random.default_rng(0).integers(1, 2 ** (52 - coverage.n_samples.bit_length()), (2, coverage.n_samples))
    inside = coverage.many_sums([row.astype(np.float64) for row in random])
    outside = random.sum(axis=1) - inside
    swapped = (outside[:, 0] < inside[:, 0]) | ((outside[:, 0] == inside[:, 0]) & (outside[:, 1] < inside[:, 1]))
    pair = np.where(swapped[:, None], outside, inside)
    order = np.argsort(n_conditions, kind="stable")
    _, first = np.unique(pair[order], axis=0, return_index=True)
    return np.sort(order[first])


def _linear_terms(training: Training) -> tuple[LinearTerm, ...]:
    """Return a term for each numeric column that varies, with slope 0.4 / standard deviation."""
    terms = []
    for i, feature in enumerate(training.forest.features):
        if not feature.is_linear:
            continue
        known = ~np.isnan(training.values[:, i])
        values, weight = training.values[known, i].astype(np.float64), training.weight[known]
        if not len(values):
            continue
        ends = np.quantile(values, [_TRIM, 1 - _TRIM], weights=weight, method="inverted_cdf")
        if not np.isfinite(ends).all() or ends[0] == ends[1]:
            # Most values are equal: clip nothing, provided the range is finite.
            ends = np.array([values.min(), values.max()])
        values = np.clip(values, *ends)
        with np.errstate(all="ignore"):
            center = np.average(values, weights=weight)
            spread = np.sqrt(np.average((values - center) ** 2, weights=weight))
            slope = _SCALE / spread
        if np.isfinite([center, slope]).all() and spread > 1e-12 * np.abs(ends).max():
            low, high, center, spread = (float(x) for x in (*ends, center, spread))
            terms.append(LinearTerm(feature, np.array([slope]), low, high, center, spread))
    return tuple(terms)


def grow_trees_of_random_sizes(
    boosting: Any, X: Any, y: AnyArray, weight: FloatArray | None, n_blocks: int, random: np.random.RandomState
) -> Any:
    """Fit boosted trees of random sizes, each on a random part of the samples.

    The number of leaves is 2 + ⌊e⌋ with exponential e, 4 on average. Ten consecutive trees share it, because each
    change of size costs a pass over all earlier trees. A tree is grown on min(N / 2, 100 + 6 √N) samples.
    """
    n_samples = X.shape[0]
    share = max(min(0.5, (100 + 6 * np.sqrt(n_samples)) / n_samples), 1 / n_samples)
    sizes = 2 + np.floor(random.exponential(_MEAN_LEAVES - 2, n_blocks)).astype(int)
    # A generator instead of a seed: with a seed, every block would draw the same samples.
    boosting.set_params(warm_start=True, subsample=share, random_state=random)
    for block, size in enumerate(sizes, start=1):
        boosting.set_params(max_leaf_nodes=int(size), n_estimators=block * _BLOCK).fit(X, y, sample_weight=weight)
    return boosting


class RuleFitClassifier(BaselineClassifierMixin, _RuleFit):
    """RuleFit for classification: a sparse logistic model of rules and features.

    With more than two classes, each has its own coefficients on the same terms (one against the rest), and the
    probabilities are scaled to add up to 1. This goes beyond the paper.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, list of them, or None
        A fitted tree ensemble is used as it is; an unfitted one is cloned and fitted. None is the ensemble of the
        paper: 300 boosted trees of random sizes, with 4 leaves on average.
    max_rules : int or None
        The budget: the maximum number of terms, rules and linear terms together, over all classes. None for no limit.
    penalty : float or None
        λ. None chooses it by cross-validation among the values that keep to the budget. A number is used as given or,
        if it leaves too many terms, increased as far as the budget requires.
    refit : bool
        Whether to fit the terms that the penalty leaves once more without it. A small budget needs a large penalty,
        which can shrink the coefficients so far that the most frequent class is always predicted. Not in the paper.
    linear_terms : bool
        Whether to include linear terms, for numeric columns.
    max_conditions : int or None
        The maximum number of conditions per rule; None for no limit.
    max_candidates : int
        The maximum number of rules in the linear model. If there are more, an even selection over the trees is used.
    cv : int or scikit-learn splitter
        The folds. The rules are those of the whole ensemble in every fold.
    n_jobs : int or None
        Number of threads that match samples with rules.
    random_state : int, RandomState or None
        For the default ensemble.

    Attributes
    ----------
    weighted_rules_ : WeightedRules
        The rules, the most important first (|a_k| times the standard deviation of r_k), and the linear terms. Print it
        to read them.
    rules_ : tuple of Rule
    penalty_ : float
        The chosen λ.
    penalties_, errors_ : arrays
        The values of λ that were tried, and their cross-validated errors (mean squared error or log loss); NaN where
        not computed.
    forest_ : Forest
    ensemble_ : the fitted ensemble
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array
        Only if ``X`` has column names.

    References
    ----------
    Friedman, J. H. and Popescu, B. E. (2008). Predictive learning via rule ensembles. *Annals of Applied Statistics*
    2, 916-954.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hedgerow.baselines import RuleFitClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(20, max_depth=2, random_state=0).fit(X, y)
    >>> model = RuleFitClassifier(forest, max_rules=5).fit(X, y)
    >>> model.weighted_rules_.n_terms <= 5, bool(model.score(X, y) > 0.9)
    (True, True)
    """

    _boosting = GradientBoostingClassifier
    _model = Logistic
    _other_task = "RuleFitRegressor"


class RuleFitRegressor(BaselineRegressorMixin, _RuleFit):
    """RuleFit for regression: a sparse linear model of rules and features.

    See :class:`RuleFitClassifier` for the parameters and attributes.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> from hedgerow.baselines import RuleFitRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(20, max_depth=2, random_state=0).fit(X, y)
    >>> model = RuleFitRegressor(forest, max_rules=20).fit(X, y)
    >>> bool(model.score(X, y) > 0.4)
    True
    """

    _boosting = GradientBoostingRegressor
    _model = Squares
    _other_task = "RuleFitClassifier"
