"""A fitted estimator predicts, explains and works with scikit-learn's tools."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from small_data import IRIS, WINE, small_forest

from hedgerow import (
    Condition,
    InvalidDataError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListRegressor,
)
from hedgerow.estimators.predictor import ClassPredictor, RuleListPredictor
from hedgerow.features import Column, Inputs


def test_where_no_rule_matches_the_default_or_the_ensemble_predicts():
    # Rules of several trees part the training data, not the whole space.
    X, y = WINE
    forest = RandomForestClassifier(60, max_depth=3, random_state=1).fit(X[::2], y[::2])
    plain = RuleListClassifier(forest, max_rules=6).fit(X[::2], y[::2])
    asking = clone(plain).set_params(ensemble=forest, uncovered="ensemble").fit(X[::2], y[::2])
    rng = np.random.default_rng(0)
    odd = rng.uniform(X.min(axis=0), X.max(axis=0), size=(2000, X.shape[1]))
    lost = plain.apply(odd) == -1
    assert 0 < lost.sum() < len(odd)
    assert_array_equal(plain.predict(odd)[lost], plain.rule_list_.default.prediction)
    assert_array_equal(asking.predict(odd)[lost], forest.predict(odd)[lost])
    assert_allclose(asking.predict_proba(odd)[lost], forest.predict_proba(odd)[lost])
    assert_array_equal(asking.predict(odd)[~lost], plain.predict(odd)[~lost])
    first = int(np.flatnonzero(lost)[0])
    assert plain.explain(odd)[first].startswith("No rule matches, so the default applies")
    assert asking.explain(odd)[first] == f"No rule matches, so the ensemble decides: {forest.predict(odd)[first]}."
    assert "otherwise" in str(asking.rule_list_)
    assert "what the ensemble says" in str(asking.rule_list_)
    assert_allclose(asking.fidelity(odd).disagreement, np.mean(asking.predict(odd) != forest.predict(odd)))


def test_scikit_learns_tools_work():
    X, y = WINE
    estimator = RuleListClassifier(RandomForestClassifier(10, max_depth=2, random_state=0), max_rules=4)
    assert cross_val_score(estimator, X, y, cv=3).mean() > 0.6
    piped = make_pipeline(StandardScaler(), clone(estimator)).fit(X, y)
    assert piped.score(X, y) > 0.6
    search = GridSearchCV(estimator, {"max_rules": [3, 4], "ensemble__max_depth": [2, 3]}, cv=2).fit(X, y)
    assert set(search.best_params_) == {"max_rules", "ensemble__max_depth"}
    frozen = RuleListClassifier(FrozenEstimator(small_forest(X, y)), max_rules=4)
    assert len(cross_val_score(frozen, X, y, cv=3)) == 3


def test_other_columns_than_the_ensemble_saw():
    X, y = IRIS
    with pytest.raises(InvalidDataError, match="X has 3 columns, but the ensemble was trained on 4"):
        RuleListClassifier(small_forest()).fit(X[:, :3], y)
    frame = pd.DataFrame(X, columns=list("abcd"))
    forest = small_forest(frame, y)
    with pytest.raises(InvalidDataError, match=r"Missing in X: d; unknown to the ensemble: e"):
        RuleListClassifier(forest).fit(frame.rename(columns={"d": "e"}), y)
    with pytest.raises(InvalidDataError, match=r"in a different order.*Reorder them to: a, b, c, d"):
        RuleListClassifier(forest).fit(frame[["b", "a", "c", "d"]], y)
    fitted = RuleListClassifier(forest).fit(frame, y)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame.rename(columns={"d": "e"}))
    with pytest.raises(ValueError, match="X has 2 features, but RuleListClassifier is expecting 4"):
        RuleListClassifier(small_forest()).fit(X, y).predict(X[:, :2])


class Given(ClassPredictor):
    """A predictor whose list is written by hand."""

    def __init__(self, ensemble=None, teacher=None):
        self.ensemble = ensemble
        self.teacher = teacher

    def fit(self):
        a, labels = Column(0, "a"), np.array(["no", "yes"])
        rules = (
            Rule((Condition(a, upper=1.0),), "no", 3, 0.5, (0.75, 0.25)),
            Rule((Condition(a, lower=1.0, upper=5.0),), "yes", 2, 0.5, (0.0, 1.0)),
        )
        self.rule_list_ = RuleList(rules, Rule((), "no", distribution=(0.6, 0.4)), Inputs((a,)), labels)
        self.n_features_in_ = 1
        return self


def test_a_predictor_asks_its_list_however_it_was_made():
    predictor, X = Given().fit(), np.array([[1.0], [2.0], [9.0]])
    assert predictor.apply(X).tolist() == [0, 1, -1]
    assert predictor.predict(X).tolist() == ["no", "yes", "no"]
    assert predictor.predict_proba(X).tolist() == [[0.75, 0.25], [0.0, 1.0], [0.6, 0.4]]
    assert ["a <= 1" in sentence for sentence in predictor.explain(X)] == [True, False, False]
    with pytest.raises(ValueError, match="X has 2 features, but Given is expecting 1"):
        predictor.predict(np.zeros((1, 2)))
    with pytest.raises(NotFittedError):
        Given().predict(X)


def test_shares_are_of_classes_only():
    assert issubclass(RuleListClassifier, ClassPredictor)
    assert issubclass(RuleListRegressor, RuleListPredictor)
    assert not hasattr(RuleListRegressor, "predict_proba")


def test_missing_values_are_allowed_if_every_model_takes_them():
    takes, refuses = HistGradientBoostingClassifier(), GradientBoostingClassifier()
    for ensemble, expected in ((takes, True), (refuses, False), ([takes, refuses], False), (None, True)):
        assert RuleListClassifier(ensemble).__sklearn_tags__().input_tags.allow_nan is expected
