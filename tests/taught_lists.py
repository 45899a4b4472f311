"""Samples, teachers, and the lists that they teach."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestRegressor

from hedgerow import (
    RuleListClassifier,
    RuleListRegressor,
)
from hedgerow.pipeline.lesson import teach
from hedgerow.pipeline.samples import Samples
from hedgerow.tasks import task_of


@pytest.fixture(scope="module")
def data():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return X[:120], y[:120]


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X[:150], np.where(y[:150] == 1, "benign", "malignant")


def forest(n=40, **given):
    return RandomForestRegressor(n, min_samples_leaf=3, oob_score=n >= 40, random_state=0, **given)


def rules(teacher, kind=RuleListRegressor, **given):
    chosen = {
        "ensemble": RandomForestRegressor(5, max_leaf_nodes=10, random_state=0),
        "max_rules": 5,
        "candidates": "nodes",
        "loss": "sse",
        "stability_weight": 0.0,
        "random_state": 0,
    }
    return kind(teacher=teacher, **chosen | given)


def labels(teacher, **given):
    """The same for labels; the candidates are the teacher's."""
    return rules(
        teacher, RuleListClassifier, **{"ensemble": None, "max_conditions": 2, "loss": "misclassification"} | given
    )


def lesson(teacher, X, y, weight=None, classes=None, seed=0):
    samples = Samples(X, np.asarray(y), weight, task_of(classes), np.shape(X)[-1])
    return teach(teacher, samples, np.random.RandomState(seed))
