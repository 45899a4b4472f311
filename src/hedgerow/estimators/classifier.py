"""RuleListClassifier: rule lists for classification."""

from __future__ import annotations

from sklearn.base import ClassifierMixin

from hedgerow.estimators.base import RuleListEstimator
from hedgerow.estimators.predictor import ClassPredictor, Scored


class RuleListClassifier(Scored, ClassifierMixin, ClassPredictor, RuleListEstimator):  # type: ignore[misc]
    """The best short rule list of a tree ensemble, for classification.

    Every path of the ensemble is a rule. An integer program chooses at most ``max_rules`` of them so that every
    training sample matches exactly one, with the highest stability and the lowest loss. The choice is proven optimal.

    Parameters
    ----------
    ensemble : estimator, pipeline, booster, path, Forest, list of them, or None
        A fitted tree ensemble is used as it is; an unfitted one is cloned and fitted; one in a ``FrozenEstimator`` is
        never fitted again. A path is that of a model file. A list stands for the union of its members. None is a
        random forest of 500 trees of depth 3.
    max_rules : int or None
        The budget: the largest number of rules; None for no limit.
    preset : "accurate" or None
        The settings that :meth:`accurate` stands for; use that method. Of ``ensemble``, ``max_conditions``,
        ``min_coverage``, ``loss``, ``target``, ``teacher`` and ``smoothing``, those that are None are then worked out
        in ``fit`` from the budget and the samples.
    candidates : "auto", "leaves" or "nodes"
        Rules are the paths to the leaves (the paper's method), or to all nodes. "auto" takes leaves if some whole tree
        fits the budget, unless nodes give a much better list, and nodes otherwise.
    max_conditions : int or None
        The longest path taken. None means no limit for leaves, and 4 for nodes.
    min_coverage : float or None
        The smallest share of the samples that a rule must cover; synthetic rows of a teacher do not count. Without a
        preset, None is 0.
    max_candidates : int or None
        The largest number of candidates that the solver is given, for large pools; None for all. The list is then the
        best one among the candidates kept by :mod:`hedgerow.optimize.screening`, and never worse than what any single
        tree, pruned, can give.
    stability_weight : float
        λ: the weight of stability against loss, between 0 and 1.
    loss, stability : str, callable, or list of (str or callable, weight); a loss may be None
        See :mod:`hedgerow.losses` and :mod:`hedgerow.stabilities`. A loss is "misclassification", "log_loss", "gini" or
        :func:`hedgerow.losses.cost_matrix`; for regression "mse", "sse", "mae" or :func:`hedgerow.losses.pinball`.
        :func:`hedgerow.losses.priced` adds a price per rule.
        A rule predicts what is best for the loss: the most frequent class, the class of least cost, the mean, the
        median, or a quantile. With a list, the first of these losses decides. Without a preset, None is
        "misclassification", or "mse" for regression.
    target : "labels", "ensemble", a number between 0 and 1, or None
        What the rules are fitted to: ``y``, the ensemble's predictions, or a mix with this share of the ensemble. What
        a rule predicts comes from ``y``, unless the target is the ensemble alone. If the ensemble is fitted here and
        has out-of-bag predictions (scikit-learn's forests and bagging with ``oob_score=True``), these are used; for
        samples that all its trees have seen, its ordinary predictions. Without a preset, None is "labels".
    teacher : Teacher or None
        A stronger model that the list learns from, including in the gaps between samples; see
        :mod:`hedgerow.teachers`. An ensemble that is fitted here is fitted to what the teacher makes of the samples; an
        ensemble of None is then the teacher's own model. A rule that covers synthetic rows only is not a candidate.
    smoothing : ShrinkToDefault, ShrinkAlongPath or None
        Shrinks the means or class shares that rules predict towards those of more samples; see
        :mod:`hedgerow.smoothing`. The choice of rules stays the same. With costs, the prediction is the class that
        costs least by the smoothed shares; medians and quantiles cannot be smoothed.
    round_thresholds : bool
        Whether thresholds become the roundest numbers that no training sample tells from them, such as 40 instead of
        41.37. The list compares doubles then, if that makes no difference to any training sample, so that exported
        programs contain these very numbers.
    constraints : sequence of constraints
        See :mod:`hedgerow.constraints`.
    extra_rules : sequence of str or Rule
        Rules of your own that compete with those of the ensemble, such as "age > 40 and color in {red, blue}". What
        lies outside of them is parted like the trees of the ensemble. Which splits they share with the ensemble decides
        how stable they are, and the stability of all other rules stays the same.
    uncovered : "default" or "ensemble"
        What predicts where no rule matches: the majority class (the mean), or the ensemble.
    solver : object with ``solve(problem, time_limit)``, or None
        None is :class:`hedgerow.solvers.RowGeneration`.
    time_limit : float or None
        Seconds for the solver. If they end before the proof, the best list so far is kept with its gap, and a
        ``ConvergenceWarning`` is given.
    n_jobs : int or None
        For the default forest and for computing which sample satisfies which rule.
    random_state : int, RandomState or None
        For the default forest, the synthetic rows of a teacher, and the order in which the solver looks at rows.
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
        What was solved; synthetic rows of a teacher come after the samples. A pickle leaves it out.
    forest_ : Forest
    ensemble_ : the fitted ensemble
    teacher_ : the teacher's fitted model
        Only with a teacher.
    seconds_ : dict
        How long each part of ``fit`` took; the parts add up to the whole, with what is in none of them as ``rest``.
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
