"""The default forest, the settings that beat a single tree of the same size, and those of the command line.

The classmethods ``accurate`` of the estimators use the second; docs/study.md says how they were found. The command line
uses :func:`quick_labels` and :func:`quick_numbers` unless it is told otherwise.
"""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow._support.checks import check_integer
from hedgerow.candidates.ensembles import takes_series
from hedgerow.candidates.feature_forest import FeatureForest
from hedgerow.exceptions import UnfittedModelError, UnsupportedModelError
from hedgerow.readers import read_forest
from hedgerow.tasks import TaskKind
from hedgerow.teachers import Teacher

#: The longest rule of a list without a budget.
_LONGEST = 5
#: What the presets of both tasks set.
_BOTH = {"candidates": "nodes", "stability_weight": 0.0}

#: A tree of the quick forest is grown on at most this many samples: enough for splits that matter to all of them.
_SAMPLES_PER_TREE = 20_000


def default_forest(task_kind: TaskKind, random_state: Any, n_jobs: int | None) -> Any:
    """Return the ensemble of an estimator that is given none: a random forest of 500 trees of depth 3."""
    return task_kind.forest(n_estimators=500, max_depth=3, n_jobs=n_jobs, random_state=random_state)


def accurate_labels(ensemble: Any, max_rules: int | None, random_state: Any, n_jobs: int | None) -> dict[str, Any]:
    """Return the settings for classification.

    One deep random forest provides both the candidates, all its nodes with few conditions and enough samples, and a
    second opinion: its out-of-bag predictions and the labels together decide which rules are chosen. What these predict
    comes from the labels. A fitted ensemble predicts for samples that it has seen, which helps less.
    """
    check_integer("max_rules", max_rules, optional=True)
    given = {"random_state": random_state, "n_jobs": n_jobs}
    if takes_series(ensemble):
        return accurate_series(ensemble, max_rules, random_state, n_jobs)
    if ensemble is None:
        ensemble = RandomForestClassifier(300, min_samples_leaf=3, oob_score=True, **given)
    # One more than the depth of a balanced tree with as many leaves; below 8 rules, 3.
    longest = _LONGEST if max_rules is None else max(3, int(max_rules).bit_length())
    own = {"max_conditions": longest, "min_coverage": 0.02, "loss": "misclassification", "target": 0.75}
    return {"ensemble": ensemble, "max_rules": max_rules} | given | _BOTH | own


def accurate_series(ensemble: Any, max_rules: int | None, random_state: Any, n_jobs: int | None) -> dict[str, Any]:
    """Return the settings for the classification of time series.

    The ensemble provides the features: the distances from all its shapelets, or the statistics of all its intervals. A
    random forest on the table of these features is the teacher, whose synthetic rows differ from the samples as samples
    of one class do. Candidates are all nodes of small trees that are grown on the same rows.
    """
    given = {"random_state": random_state, "n_jobs": n_jobs}
    if not isinstance(ensemble, FeatureForest):
        leaves = None if max_rules is None else max(2, 2 * max_rules)
        ensemble = FeatureForest(ensemble, RandomForestClassifier(50, max_leaf_nodes=leaves, **given))
    teacher = RandomForestClassifier(200, **given)
    own = {
        "max_conditions": 8,
        "loss": "misclassification",
        "teacher": Teacher(teacher, share=0, most=1500, rows="scatter"),
    }
    return {"ensemble": ensemble, "max_rules": max_rules} | given | _BOTH | own


def accurate_numbers(ensemble: Any, max_rules: int | None, random_state: Any, n_jobs: int | None) -> dict[str, Any]:
    """Return the settings for regression.

    A deep random forest is the teacher (:class:`hedgerow.teachers.Teacher`): the list learns from the samples and from
    synthetic rows with the forest's predictions. Candidates are all nodes of small trees that are grown on the same
    rows. A fitted ensemble is the teacher as well. One for time series has no teacher: its own predictions have a share
    of one quarter in the targets.
    """
    check_integer("max_rules", max_rules, optional=True)
    given = {"random_state": random_state, "n_jobs": n_jobs}
    own: dict[str, Any] = {"max_conditions": 8, "loss": "sse"}
    if takes_series(ensemble):  # for which there are no synthetic rows
        own["target"] = 0.25
    else:
        teacher = RandomForestRegressor(100, min_samples_leaf=3, oob_score=True, **given)
        if ensemble is None:
            leaves = None if max_rules is None else max(2, 2 * max_rules)
            ensemble = RandomForestRegressor(50, max_leaf_nodes=leaves, **given)
        elif _is_fitted(ensemble):
            teacher = ensemble
        own["teacher"] = Teacher(teacher)
    return {"ensemble": ensemble, "max_rules": max_rules} | given | _BOTH | own


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
    return {"ensemble": forest, "max_rules": max_rules, "max_conditions": 8, "target": 0.25} | given | _BOTH


def _is_fitted(ensemble: Any) -> bool:
    try:
        read_forest(ensemble)
    except (UnfittedModelError, UnsupportedModelError):  # fit says what is wrong
        return False
    return True
