"""RuleListClassifier: rule lists for classification."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import ClassifierMixin

from hedgerow.estimators.base import RuleListEstimator
from hedgerow.estimators.predictor import ClassPredictor
from hedgerow.presets import accurate_labels


class RuleListClassifier(ClassifierMixin, ClassPredictor, RuleListEstimator):  # type: ignore[misc]
    """The best short list of rules of a tree ensemble, for classification.

    Every path of the ensemble is a rule. An integer program chooses at most
    ``max_rules`` of them so that every training sample is in exactly one, with
    the highest stability and the lowest loss; the choice is proven optimal.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, list of them, or None
        A fitted tree ensemble is used as it is; an unfitted one is cloned and
        fitted; one in a ``FrozenEstimator`` is never fitted again. A path is
        that of a model file. A list stands for the union. None is a random
        forest of 500 trees of depth 3.
    max_rules : int or None
        The budget: the most rules the list may have; None for no limit.
    candidates : "auto", "leaves" or "nodes"
        Rules are the paths to the leaves (the paper's method), or to all nodes.
        "auto" takes leaves if some whole tree fits the budget, nodes otherwise.
    max_conditions : int or None
        The longest path taken. None is no limit for leaves, and 4 for nodes.
    min_coverage : float
        The least share of the samples that a rule must cover; rows that a teacher makes up do not count.
    max_candidates : int or None
        The most candidates that the solver is given, for large pools; None for all. The best list is then that of those
        kept by :mod:`hedgerow.optimize.screening`, and never worse than what any one tree, cut back, can give.
    stability_weight : float
        λ: the weight of stability against loss, between 0 and 1.
    loss, stability : str, callable, or list of (str or callable, weight)
        See :mod:`hedgerow.losses` and :mod:`hedgerow.stabilities`. A loss is "misclassification", "log_loss", "gini" or
        :func:`hedgerow.losses.cost_matrix`; for regression "mse", "sse", "mae" or :func:`hedgerow.losses.pinball`.
        A rule gives the answer that goes with the loss: the most frequent class, the class of least cost, the
        mean, the median, or a quantile; of a list, with the first loss of these.
    target : "labels", "ensemble", or a number between 0 and 1
        What the rules are fitted to: ``y``, the ensemble's answers, or a mix
        with this share of the ensemble. What a rule answers comes from ``y``,
        unless the target is the ensemble alone. Of an ensemble that is fitted here and has out-of-bag answers
        (scikit-learn's forests and bagging with ``oob_score=True``) these are taken; for samples that all its trees
        have seen, its answers.
    teacher : Teacher or None
        A stronger model that the list learns from, also between the samples; see :mod:`hedgerow.teachers`. The
        ensemble, if it is fitted here, is fitted to what the teacher makes of the samples; an ensemble of None is then
        the teacher's own model. A rule that covers no sample, only rows that the teacher made up, is no candidate.
    smoothing : ShrinkToDefault, ShrinkAlongPath or None
        Draws the means or class shares that rules answer towards those of more samples; see
        :mod:`hedgerow.smoothing`. The choice of rules stays the same. With costs, the class is the one that costs least
        by the smoothed shares; medians and quantiles cannot be smoothed.
    constraints : sequence of constraints
        See :mod:`hedgerow.constraints.constraint`.
    uncovered : "default" or "ensemble"
        Who answers where no rule fires: the majority class (the mean), or the ensemble.
    solver : object with ``solve(problem, time_limit)``, or None
        None is :class:`hedgerow.optimize.solvers.RowGeneration`.
    time_limit : float or None
        Seconds for the solver. If they end before the proof, the best list so
        far is kept with its gap, and a ``ConvergenceWarning`` is given.
    n_jobs : int or None
        For the default forest and for finding out who satisfies what.
    random_state : int, RandomState or None
        For the default forest, the rows that a teacher makes up, and the order in which the solver looks at rows.
    verbose : bool
        Whether to report progress on standard error.

    Attributes
    ----------
    rule_list_ : RuleList
    solution_ : Solution
        Status, objective, bound, gap and seconds.
    pool_ : RulePool
        The candidate rules after the filter by coverage and the screening.
    scores_ : Scores
        Stability and loss of each candidate, raw and scaled.
    problem_ : PartitionProblem
        What was solved; after the samples come the rows that a teacher made up.
    forest_ : Forest
    ensemble_ : the fitted ensemble
    teacher_ : the teacher's fitted model
        Only with a teacher.
    seconds_ : dict
        How long each part of ``fit`` took.
    classes_ : array
        The labels.
    n_features_in_ : int
    feature_names_in_ : array
        Only if ``X`` had names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from hedgerow import RuleListClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = RandomForestClassifier(100, max_depth=2, random_state=0).fit(X, y)
    >>> rules = RuleListClassifier(forest, max_rules=3).fit(X, y)
    >>> rules.solution_.optimal
    True
    >>> round(rules.score(X, y), 3)
    0.96
    """

    @classmethod
    def accurate(
        cls,
        ensemble: Any = None,
        *,
        max_rules: int | None = 8,
        random_state: Any = None,
        n_jobs: int | None = None,
        time_limit: float | None = 10.0,
        **others: Any,
    ) -> Self:
        """Return an estimator, not fitted, with the settings that win against one tree of the same size.

        One deep random forest gives both the candidates, all its nodes of few conditions and enough samples, and a
        second opinion: its out-of-bag answers and the labels together decide which rules are chosen. What they
        answer comes from the labels.

        Parameters
        ----------
        ensemble : as of the class
            Where the candidates come from, and the second opinion; None is a random forest of 300 trees with at least 3
            samples a leaf. One that is fitted already answers for samples that it has seen, which helps less.
        max_rules : int or None
            The budget; from 8 rules on these may have more than 3 conditions. For another budget make another preset:
            ``set_params`` changes the budget alone.
        random_state, n_jobs :
            For the forests made here, too.
        time_limit : float or None
            Seconds for the solver.
        **others :
            Any other parameter of the class, or another value for one that the preset sets.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from hedgerow import RuleListClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> len(RuleListClassifier.accurate(max_rules=4, random_state=0).fit(X, y).rule_list_) <= 4
        True
        """
        return cls._accurate(
            ensemble,
            accurate_labels,
            others,
            max_rules=max_rules,
            random_state=random_state,
            n_jobs=n_jobs,
            time_limit=time_limit,
        )
