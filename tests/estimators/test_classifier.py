"""The classifier takes any labels and any ensemble of a classification."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier
from small_data import DIABETES, IRIS, WINE, small_forest

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleListClassifier,
    RuleListRegressor,
)

ENSEMBLES = [
    ExtraTreesClassifier(10, max_depth=2, random_state=0),
    GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=0),
    HistGradientBoostingClassifier(max_iter=5),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=5, random_state=0),
    DecisionTreeClassifier(),
]


@pytest.mark.parametrize("ensemble", ENSEMBLES, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("labels", [np.array(["x", "y", "z"]), np.array([5, -3, 11])], ids=["text", "numbers"])
def test_any_ensemble_any_labels(ensemble, labels):
    X, y = WINE[0], labels[WINE[1]]
    fitted = RuleListClassifier(ensemble, max_rules=5).fit(X, y)
    assert fitted.solution_.optimal
    assert fitted.predict(X).dtype == labels.dtype
    assert fitted.score(X, y) > 0.6
    assert_array_equal(fitted.classes_, np.unique(y))


def test_a_class_weight_of_the_ensemble_is_respected():
    forest = RandomForestClassifier(10, max_depth=2, class_weight="balanced", random_state=0)
    fitted = RuleListClassifier(forest, max_rules=4).fit(*IRIS)
    assert fitted.ensemble_.class_weight == "balanced"
    assert fitted.solution_.optimal


def test_one_class_only():
    with pytest.raises(InvalidDataError, match="only one class, 0"):
        RuleListClassifier(small_forest()).fit(*IRIS, sample_weight=(IRIS[1] == 0).astype(float))
    with pytest.raises(InvalidDataError, match="only one class, 'a'"):
        RuleListClassifier(small_forest()).fit(IRIS[0], ["a"] * 150)


def test_targets_of_the_wrong_type():
    with pytest.raises(InvalidDataError, match="must contain numbers"):
        RuleListRegressor().fit(IRIS[0], ["a"] * 150)
    with pytest.raises(InvalidDataError, match="must contain numbers"):
        RuleListRegressor().fit(IRIS[0], np.full(150, "2020-01-01", dtype="datetime64[s]"))
    with pytest.raises(InvalidParameterError, match="does not go with numbers"):
        RuleListRegressor(loss="misclassification").fit(*DIABETES)
    with pytest.raises(ValueError, match="Unknown label type"):
        RuleListClassifier().fit(IRIS[0], np.linspace(0, 1, 150))
    with pytest.raises(InvalidDataError, match=r"not trained on: \['a', 'b'\].*knows: \[0, 1, 2\]"):
        RuleListClassifier(small_forest()).fit(IRIS[0], np.array(["a", "b", "a"])[IRIS[1]])


def test_of_equally_good_lists_every_seed_has_the_same():
    model = RandomForestClassifier(50, max_depth=4, random_state=0).fit(*WINE)
    lists = {
        str(
            RuleListClassifier(model, candidates="nodes", stability_weight=0.0, random_state=seed).fit(*WINE).rule_list_
        )
        for seed in range(8)
    }
    assert len(lists) == 1


def test_of_lists_without_errors_a_short_one_is_taken():
    forest = RandomForestClassifier(100, max_depth=4, random_state=0)
    rules = RuleListClassifier(forest, max_rules=12, candidates="nodes", stability_weight=0.0).fit(*WINE)
    assert rules.score(*WINE) == 1.0
    shorter = rules.set_params(max_rules=len(rules.rule_list_) - 1).fit(*WINE)
    assert shorter.score(*WINE) < 1.0
