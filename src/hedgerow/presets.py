"""The default forest, the presets of the estimators, and the settings of the command line.

A preset is a function from :class:`Circumstances` (the budget, the classes, the rows and columns) to parameters of an
estimator. ``fit`` calls it and takes what the user left at None; so the settings follow the budget, whoever changes it.
To add a preset, write such a function and name it in ``PRESETS``. docs/study.md says how the settings were found.

The command line uses :func:`quick_labels` and :func:`quick_numbers` unless it is told otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from hedgerow._support.checks import check_integer
from hedgerow.exceptions import UnfittedModelError, UnsupportedModelError
from hedgerow.readers import read_forest
from hedgerow.tasks import TaskKind
from hedgerow.teachers import AverageRegressor, Teacher

#: The parameters that a preset may work out.
WORKED_OUT = ("ensemble", "max_conditions", "min_coverage", "loss", "target", "teacher", "smoothing")
#: What ``accurate`` of the estimators sets at once; the rest of its settings is worked out in ``fit``.
ACCURATE = {"preset": "accurate", "candidates": "nodes", "loss": None, "target": None}

#: The longest rule of a list without a budget.
_LONGEST = 5
#: The longest rule of a list for regression: a tree of 30 leaves that grows best-first is rarely deeper.
_LONGEST_OF_NUMBERS = 12
#: With fewer samples, a forest and extra trees together teach numbers.
_FEW_SAMPLES = 600
#: A tree of the quick forest is grown on at most this many samples: enough for splits that matter to all of them.
_SAMPLES_PER_TREE = 20_000


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

    @property
    def given(self) -> dict[str, Any]:
        """What every model takes that the preset makes."""
        return {"random_state": self.random_state, "n_jobs": self.n_jobs}


def default_forest(task_kind: TaskKind, random_state: Any, n_jobs: int | None) -> Any:
    """Return the ensemble of an estimator that is given none: a random forest of 500 trees of depth 3."""
    return task_kind.forest(n_estimators=500, max_depth=3, n_jobs=n_jobs, random_state=random_state)


def accurate(circumstances: Circumstances) -> dict[str, Any]:
    """Return the settings that beat a single tree of the same size."""
    return _accurate_labels(circumstances) if circumstances.task_kind.has_labels else _accurate_numbers(circumstances)


def _accurate_labels(here: Circumstances) -> dict[str, Any]:
    """Return the settings for classification.

    One deep random forest provides both the candidates, all its nodes with few conditions and enough samples, and a
    second opinion: its out-of-bag predictions and the labels together decide which rules are chosen. What these predict
    comes from the labels. A fitted ensemble predicts for samples that it has seen, which helps less.
    """
    return {
        "ensemble": RandomForestClassifier(300, min_samples_leaf=3, oob_score=True, **here.given),
        # One more than the depth of a balanced tree with as many leaves; below 8 rules, 3.
        "max_conditions": _LONGEST if here.max_rules is None else max(3, int(here.max_rules).bit_length()),
        "min_coverage": 0.02,
        "loss": "misclassification",
        "target": 0.75,
    }


def _accurate_numbers(here: Circumstances) -> dict[str, Any]:
    """Return the settings for regression.

    A forest is the teacher (:class:`hedgerow.teachers.Teacher`): the list learns from the samples and from synthetic
    rows with the teacher's predictions. A fitted ensemble is the teacher instead. Candidates are all nodes of small
    trees that are grown on all of these rows; each split considers some of the columns, in one tree all of them. An
    ensemble for time series has no teacher: its own predictions have a share of one quarter in the targets.
    """
    settings: dict[str, Any] = {"max_conditions": _LONGEST_OF_NUMBERS, "loss": "sse"}
    if here.series:  # for which there are no synthetic rows
        return settings | {"target": 0.25}
    leaves = None if here.max_rules is None else max(2, 2 * here.max_rules)
    # Trees on the same rows meet in the same nodes, and what one makes of a node can replace what another makes of it.
    # With the greedy tree among them, the list is never worse on these rows than that tree.
    pool = [
        RandomForestRegressor(49, max_leaf_nodes=leaves, bootstrap=False, max_features=0.7, **here.given),
        DecisionTreeRegressor(max_leaf_nodes=leaves, random_state=here.random_state),
    ]
    return settings | {"ensemble": pool, "teacher": _teacher_of_numbers(here)}


def _teacher_of_numbers(here: Circumstances) -> Teacher:
    """Return who teaches numbers, and how.

    The more samples, the more their out-of-bag predictions tell, compared with one noisy target each. With few samples,
    extra trees make the forest more accurate; with more, synthetic rows do better to stay where samples are. A fitted
    ensemble has no out-of-bag predictions for these samples, so its share stays small.
    """
    if _is_fitted(here.ensemble):
        return Teacher(here.ensemble)
    deep: dict[str, Any] = {"min_samples_leaf": 3, "oob_score": True} | here.given
    share = min(0.9, max(0.25, here.n_samples / 3000))
    if here.n_samples < _FEW_SAMPLES:
        forests = [RandomForestRegressor(60, **deep), ExtraTreesRegressor(60, bootstrap=True, **deep)]
        return Teacher(AverageRegressor(forests), share=share, alone=30)
    return Teacher(RandomForestRegressor(100, **deep), share=share, swap=0.5, nearby=0.2)


#: Presets by name.
PRESETS: dict[str, Callable[[Circumstances], dict[str, Any]]] = {"accurate": accurate}


def quick_labels(n_rows: int, max_rules: int | None, random_state: Any, n_jobs: int | None) -> dict[str, Any]:
    """Return the command line's settings for classification: a good list within seconds.

    The candidates are the nodes of 100 trees with twice as many leaves as the list may have rules. A tree chooses among
    half of the columns at each split. λ = 0: a rule counts by its errors alone, not by how often the forest has its
    like. The forest's out-of-bag predictions have a share of one quarter in the targets, which steadies the choice.
    """
    return _quick(RandomForestClassifier, n_rows, max_rules, random_state, n_jobs) | {"loss": "misclassification"}


def quick_numbers(n_rows: int, max_rules: int | None, random_state: Any, n_jobs: int | None) -> dict[str, Any]:
    """Return the command line's settings for regression: as :func:`quick_labels`, with the sum of squared errors."""
    return _quick(RandomForestRegressor, n_rows, max_rules, random_state, n_jobs) | {"loss": "sse"}


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


def _quick(kind: Any, n_rows: int, max_rules: int | None, random_state: Any, n_jobs: int | None) -> dict[str, Any]:
    check_integer("max_rules", max_rules, optional=True)
    given = {"random_state": random_state, "n_jobs": n_jobs}
    forest = kind(
        100,
        max_leaf_nodes=None if max_rules is None else max(2, 2 * max_rules),
        max_features=0.5,
        min_samples_leaf=min(5, max(1, n_rows // 20)),
        max_samples=_SAMPLES_PER_TREE if n_rows > _SAMPLES_PER_TREE else None,
        oob_score=True,
        **given,
    )
    return (
        {"ensemble": forest, "max_rules": max_rules, "max_conditions": 8, "target": 0.25}
        | given
        | {"candidates": "nodes", "stability_weight": 0.0}
    )


def _is_fitted(ensemble: Any) -> bool:
    if ensemble is None:
        return False
    try:
        read_forest(ensemble)
    except (UnfittedModelError, UnsupportedModelError):  # fit says what is wrong
        return False
    return True
