"""The default forest, the presets of the estimators, and the settings of the command line.

A preset is a function from :class:`Circumstances` (the budget, the classes, the rows and columns) to parameters of an
estimator. ``fit`` calls it and takes what the user left at None; so the settings follow the budget, whoever changes it.
To add a preset, write such a function and name it in ``PRESETS``. docs/study.md says how the settings were found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.candidates.rooted_trees import RootedTrees
from hedgerow.exceptions import InvalidParameterError, UnfittedModelError, UnsupportedModelError
from hedgerow.losses import priced
from hedgerow.pipeline.asking import forest_of
from hedgerow.readers import read_forest
from hedgerow.tasks import TaskKind
from hedgerow.teachers import Oracle, Teacher, as_oracle

#: What ``faithful`` sets at once.
FAITHFUL = {"preset": "faithful", "candidates": "nodes", "loss": None, "target": None}
#: About how many synthetic rows a model that is to be explained is asked, and at most how many are made of a sample.
_QUESTIONS, _COPIES = 5000, 50
#: From how many samples on a rule says what the model predicts for these alone.
_ENOUGH_OF_MODEL = 100
#: How much impurity counts, compared with errors, where a model is explained.
_SHARPNESS_OF_MODEL = 0.1
#: For so many rules, trees that explain numbers differ in their second splits too: how many on each side of a first
#: one, and how many first splits there are then. With fewer rules it makes no difference, with more it takes long.
_SECOND, _MORE_ROOTS, _SOME_RULES = 8, 40, range(5, 9)
#: How much less a rule costs there than where labels are learned, which are noisy.
_PRICE_OF_MODEL = 0.1

#: The parameters that a preset may work out.
WORKED_OUT = ("ensemble", "max_conditions", "min_coverage", "loss", "target", "teacher", "smoothing")
#: What ``accurate`` of the estimators sets at once; the rest of its settings is worked out in ``fit``.
ACCURATE = {"preset": "accurate", "candidates": "nodes", "loss": None, "target": None}

#: The longest rule that is a candidate: a tree of 30 leaves that grows best-first is rarely deeper.
_LONGEST = 12
#: A tree of the teacher is grown on at most this many samples, and one that provides candidates on at most this many.
_TAUGHT_BY, _ROWS_PER_TREE = 20_000, 100_000
#: What counts as the budget where there is none.
_MANY_RULES = 30
#: The lowest price of a rule that the solver can tell from none.
_LEAST_PRICE = 1e-6
#: How many trees consider some of the columns at each split, and how many differ in their first split.
_TREES, _ROOTS = 25, 20
#: More samples than this need no synthetic rows.
ENOUGH_ROWS = 20_000
#: How many samples the teacher's opinion is worth in the class shares of a rule.
_OPINION = 5
#: Up to this budget, errors count more than impurity, and some candidates have random thresholds.
_FEW_RULES = 8


@dataclass(frozen=True)
class Circumstances:
    """What a preset may depend on.

    Attributes
    ----------
    task_kind : Labels or Numbers
    max_rules : int or None
        The budget.
    n_classes : int
        0 for regression.
    n_samples, n_columns : int
        Training samples of weight 0 do not count.
    series : bool
        Whether the ensemble is one for time series.
    ensemble : as for the estimators, or None
        The one that the user gave.
    random_state, n_jobs :
        For the models that the preset makes.
    stability_weight : float
        The weight of the stability, λ.
    """

    task_kind: TaskKind
    max_rules: int | None
    n_classes: int
    n_samples: int
    n_columns: int
    series: bool
    ensemble: Any
    random_state: Any
    n_jobs: int | None
    stability_weight: float = 0.0

    @property
    def given(self) -> dict[str, Any]:
        """What every model takes that the preset makes."""
        return {"random_state": self.random_state, "n_jobs": self.n_jobs}

    @property
    def leaves(self) -> int | None:
        """The number of leaves of a tree that provides candidates: twice that of a tree with as many rules."""
        return None if self.max_rules is None else max(2, 2 * self.max_rules)

    @property
    def smallest_rule(self) -> float:
        """The share of the samples that a rule must cover: at most 1 %, and less the more rules there may be."""
        return min(0.01, 0.03 / (self.max_rules or _MANY_RULES))

    @property
    def deep(self) -> dict[str, Any]:
        """The settings of a teacher's forest."""
        # With a few dozen samples, leaves of three would leave little to tell.
        least = min(3, max(1, self.n_samples // 20))
        return {"min_samples_leaf": least, "oob_score": True} | self.at_most(_TAUGHT_BY) | self.given

    def at_most(self, n_rows: int) -> dict[str, Any]:
        """Return how many samples each tree of a forest is grown on: these, or as many as there are."""
        return {"max_samples": n_rows if self.n_samples > n_rows else None}

    @property
    def random_trees(self) -> int:
        """The number of trees with random thresholds: 300 for two rules, 75 for eight, none for more than that."""
        if self.max_rules is None or self.max_rules > _FEW_RULES:
            return 0
        return round(600 / max(2, self.max_rules) * self.affordable)

    @property
    def short(self) -> int:
        """The number of conditions of a rule that suffices for a balanced tree with as many rules, and two more."""
        return (self.max_rules or _MANY_RULES).bit_length() + 2

    @property
    def affordable(self) -> float:
        """The share of the trees of some kinds that are grown: fewer beyond 20,000 samples, where each takes long."""
        return min(1.0, ENOUGH_ROWS / self.n_samples)

    @property
    def synthetic_rows(self) -> int:
        """The largest number of synthetic rows: 5000 for up to 2500 samples, none for more than 20,000."""
        return 0 if self.n_samples > ENOUGH_ROWS else int(min(5000, max(1000, 12_500_000 // self.n_samples)))


def default_forest(task_kind: TaskKind, random_state: Any, n_jobs: int | None) -> Any:
    """Return the ensemble of an estimator that is given none: a random forest of 500 trees of depth 3."""
    return task_kind.forest(n_estimators=500, max_depth=3, n_jobs=n_jobs, random_state=random_state)


def accurate(circumstances: Circumstances) -> dict[str, Any]:
    """Return the settings that beat a single tree of the same size."""
    return _accurate_labels(circumstances) if circumstances.task_kind.has_labels else _accurate_numbers(circumstances)


def _accurate_labels(here: Circumstances) -> dict[str, Any]:
    """Return the settings for classification.

    A deep random forest is the teacher (:class:`hedgerow.teachers.Teacher`): the list learns from the samples, whose
    labels are mixed with the forest's out-of-bag predictions, and from synthetic rows with the forest's predictions.
    Candidates are all nodes of small best-first trees that are grown on the same rows: these may be as unbalanced as
    the data ask for. With few rules, the thresholds with the fewest errors are rarely those with the least impurity,
    which is what trees look for: so trees with random thresholds join them. The more samples there are, the fewer
    synthetic rows, until there are none. A fitted ensemble is the teacher as well.
    """
    if here.series:
        return _accurate_series(here)
    rows: dict[str, Any] = {"weight": 0.3, "most": here.synthetic_rows, "alone": 1}
    if _is_fitted(here.ensemble):  # which has seen the samples, so that its opinion of them is worth less
        teacher = Teacher(here.ensemble, share=0.25, **rows)
    else:
        forest = RandomForestClassifier(100, **here.deep)
        teacher = Teacher(forest, share=0.5, opinion=_OPINION, unseen=True, **rows)
    return {
        "ensemble": [*_pool(here), *_random_pool(here)] if here.ensemble is None else here.ensemble,
        "teacher": teacher,
        "max_conditions": _LONGEST,
        "min_coverage": here.smallest_rule,
        "loss": _worth_a_rule(here),
    }


def _pool(here: Circumstances) -> list[Any]:
    """Return the trees that provide the candidates.

    Trees on the same rows meet in the same nodes, and what one makes of a node can replace what another makes of it.
    In some, each split considers some of the columns. Others differ in their first split, and are greedy below it. With
    the greedy tree itself among the candidates, the list is never worse on the rows than that tree.
    """
    forest = here.task_kind.forest(_TREES, max_leaf_nodes=here.leaves, max_features=0.7, **here.given)
    forest.set_params(bootstrap=here.n_samples > _ROWS_PER_TREE, **here.at_most(_ROWS_PER_TREE))
    tree = here.task_kind.tree(max_leaf_nodes=here.leaves, random_state=here.random_state)
    return [forest, RootedTrees(tree, round(_ROOTS * here.affordable))]


def _random_pool(here: Circumstances) -> list[Any]:
    """Return the trees with random thresholds, if any are wanted."""
    n_trees = here.random_trees
    return (
        [ExtraTreesClassifier(n_trees, max_leaf_nodes=here.leaves, max_features=0.3, **here.given)] if n_trees else []
    )


def _worth_a_rule(here: Circumstances) -> list[tuple[Any, float]]:
    """Return the loss with which a rule is spent only where it changes a prediction or sharpens class shares.

    Errors count, and impurity, which steadies the choice where samples are few and rules are many; it counts the less,
    the more samples there are, and the fewer rules.
    """
    few = 1.0 if here.max_rules is None else min(1.0, here.max_rules / _FEW_RULES)
    return _errors_and_impurity(here, max(0.05, few * min(1.0, 1500 / here.n_samples)))


def _errors_and_impurity(here: Circumstances, sharpness: float, price: float = 1.0) -> list[tuple[Any, float]]:
    """Return a loss of errors and impurity with a price.

    A rule costs as much as the average sample's impurity without any rule, or ``price`` times that: neighbours with the
    same label and about the same shares are one rule.
    """
    price = max(_LEAST_PRICE, price / (here.n_samples * sharpness))
    return [("misclassification", 1.0), (priced("gini", price), sharpness)]


def _accurate_series(here: Circumstances) -> dict[str, Any]:
    """Return the settings for the classification of time series.

    The ensemble provides the features: the distances from all its shapelets, or the statistics of all its intervals. A
    random forest on the table of these features is the teacher, whose synthetic rows differ from the samples as samples
    of one class do. Candidates are all nodes of small trees that are grown on the same rows.
    """
    ensemble = here.ensemble
    if not isinstance(ensemble, FeatureForest):
        trees = RandomForestClassifier(50, max_leaf_nodes=here.leaves, **here.given)
        ensemble = FeatureForest(ensemble, trees)
    return {
        "ensemble": ensemble,
        "teacher": Teacher(RandomForestClassifier(200, **here.given), share=0, most=1500, rows="scatter"),
        "max_conditions": 8,
        "loss": "misclassification",
    }


def _accurate_numbers(here: Circumstances) -> dict[str, Any]:
    """Return the settings for regression.

    A forest is the teacher (:class:`hedgerow.teachers.Teacher`): the list learns from the samples and from synthetic
    rows with the teacher's predictions. A fitted ensemble is the teacher instead. Candidates are all nodes of small
    trees that are grown on all of these rows; each split considers some of the columns, in one tree all of them. An
    ensemble for time series has no teacher: its own predictions have a share of one quarter in the targets.
    """
    settings: dict[str, Any] = {"max_conditions": _LONGEST, "loss": _worth_a_rule_of_numbers(here)}
    if here.series:  # for which there are no synthetic rows
        return settings | {"ensemble": here.ensemble, "target": 0.25}
    pool = _pool(here) if here.ensemble is None else here.ensemble
    return settings | {"ensemble": pool, "teacher": _teacher_of_numbers(here)}


def _worth_a_rule_of_numbers(here: Circumstances, price: float = 1.0) -> Any:
    """Return squared errors with a price: what is exact gets no further rules.

    A rule costs a tenth of the average sample's squared distance from the mean, or ``price`` times that.
    """
    return priced("sse", max(_LEAST_PRICE, 0.1 * price / here.n_samples))


def _teacher_of_numbers(here: Circumstances) -> Teacher:
    """Return who teaches numbers, and how.

    The more samples, the more their out-of-bag predictions tell, compared with one noisy target each. A fitted ensemble
    has no out-of-bag predictions for these samples, so its share stays small.
    """
    if _is_fitted(here.ensemble):
        teacher = Teacher(here.ensemble)
        return teacher if here.n_samples <= ENOUGH_ROWS else replace(teacher, most=0)
    return Teacher(RandomForestRegressor(100, **here.deep), share=min(0.9, max(0.25, here.n_samples / 3000)))


def faithful(here: Circumstances) -> dict[str, Any]:
    """Return the settings that explain a fitted model best.

    The model is the teacher (:class:`hedgerow.teachers.Oracle`), and its predictions are all that counts: for the
    samples, and for synthetic rows near them, because what a model predicts for its own training samples is often what
    it remembers of them. Candidates are the nodes of small trees that are grown on these predictions. With λ > 0, the
    rules are to be typical of the model's own trees: then its own nodes are the candidates, if it has any.
    """
    oracle = as_oracle(here.ensemble)
    if oracle.model is None:
        raise InvalidParameterError("preset='faithful' explains a fitted model. Pass it: faithful(model).")
    labels = here.task_kind.has_labels
    if here.series:  # for which there are no synthetic rows
        errors = "misclassification" if labels else "sse"
        teacher = Teacher(oracle, share=1, copies=0)
        return {"ensemble": oracle.model, "teacher": teacher, "max_conditions": 8, "loss": errors}
    loss: Any = _worth_a_rule_of_numbers(here, _PRICE_OF_MODEL)
    if labels:
        loss = _errors_and_impurity(here, _SHARPNESS_OF_MODEL, _PRICE_OF_MODEL)
    settings = {"min_coverage": here.smallest_rule, "teacher": _explained(here, oracle), "loss": loss}
    if here.stability_weight > 0 and _is_fitted(oracle.model):
        own = oracle.model if oracle.classes is None else forest_of(oracle)
        return settings | {"ensemble": own, "max_conditions": here.short}
    pool = [*_pool(here), *_random_pool(here)] if labels else _pool_of_explained_numbers(here)
    return settings | {"ensemble": pool, "max_conditions": _LONGEST}


def _pool_of_explained_numbers(here: Circumstances) -> list[Any]:
    """Return the trees that provide the candidates.

    Numbers that a model predicts have little noise, so that a partition which is closer on the rows is closer on unseen
    ones, too: with few rules, more trees are worth their time.
    """
    forest, rooted = _pool(here)
    if here.max_rules in _SOME_RULES:
        rooted.set_params(n_roots=round(_MORE_ROOTS * here.affordable), n_second=_SECOND)
    return [forest, rooted]


def _explained(here: Circumstances, oracle: Oracle) -> Teacher:
    """Return the model as a teacher.

    The synthetic rows count as much as 1000 samples, but at least 0.3 times and at most three times as much as the
    samples there are: the more samples, the less a model remembers single ones. What a rule with few samples predicts
    comes from the synthetic rows in it as well.
    """
    n_rows = min(_QUESTIONS, _COPIES * here.n_samples)
    total = min(3 * here.n_samples, max(0.3 * here.n_samples, 1000))
    return Teacher(
        oracle,
        share=1,
        rows="near",
        swap=0.5,
        copies=_COPIES,
        most=_QUESTIONS,
        weight=total / n_rows,
        enough=here.n_samples,
        alone=_ENOUGH_OF_MODEL,
    )


#: Presets by name.
PRESETS: dict[str, Callable[[Circumstances], dict[str, Any]]] = {"accurate": accurate, "faithful": faithful}


def screening_forest(task_kind: TaskKind, n_rows: int, random_state: Any, n_jobs: int | None) -> Any:
    """Return the forest that shows the command line which columns help.

    Each column gets its turn in some tree, and leaves are large: small ones fit so much by chance that columns which
    help a little would seem to do harm.
    """
    least = min(100, max(5, n_rows // 40))
    return task_kind.forest(
        n_estimators=100,
        max_leaf_nodes=16,
        max_features="sqrt",
        min_samples_leaf=least,
        random_state=random_state,
        n_jobs=n_jobs,
    )


def _is_fitted(ensemble: Any) -> bool:
    if ensemble is None:
        return False
    try:
        read_forest(ensemble)
    except (UnfittedModelError, UnsupportedModelError):  # fit says what is wrong
        return False
    return True
