"""Out-of-bag predictions are used where they are known to be those of the training samples."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier, BaggingRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.candidates.out_of_bag import mend, out_of_bag
from hedgerow.losses import sse

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def forest(n=60, **settings):
    return RandomForestRegressor(n, max_depth=3, random_state=0, **settings)


def targets(estimator, X, y):
    """What the estimator learns from, as its loss sees it."""
    seen = []

    def loss(y, weight, coverage):
        seen.append(y)
        return sse(y, weight, coverage)

    estimator.set_params(loss=loss, max_rules=1, candidates="nodes").fit(X, y)
    return seen[0]


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_an_ensemble_fitted_here_predicts_out_of_bag(share):
    X, y = DIABETES
    oob = forest(oob_score=True).fit(X, y)
    expected = share * oob.oob_prediction_ + (1 - share) * y
    assert_allclose(targets(RuleListRegressor(forest(oob_score=True), target=share), X, y), expected)
    in_bag = share * oob.predict(X) + (1 - share) * y
    assert_allclose(targets(RuleListRegressor(forest(), target=share), X, y), in_bag)
    # One that was fitted before may have seen other samples.
    assert_allclose(targets(RuleListRegressor(oob, target=share), X, y), in_bag)


def test_class_shares_out_of_bag_lead_to_lists_and_predictions():
    X, y = IRIS
    model = RandomForestClassifier(60, max_depth=2, oob_score=True, random_state=0)
    fitted = RuleListClassifier(model, max_rules=4, target="ensemble").fit(X, y)
    shares = model.fit(X, y).oob_decision_function_
    assert_allclose(fitted.rule_list_.default.distribution, shares.mean(axis=0))
    for i, rule in enumerate(fitted.rule_list_):
        assert_allclose(rule.distribution, shares[fitted.apply(X) == i].mean(axis=0))
    assert fitted.fidelity(X, y).score == np.mean(fitted.predict(X) == y)


@pytest.mark.parametrize("model", [forest, lambda n, **s: BaggingRegressor(n_estimators=n, random_state=0, **s)])
def test_samples_that_every_tree_has_seen_get_the_ensembles_prediction(model):
    X, y = DIABETES
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns of such samples
        few = model(3, oob_score=True).fit(X, y)
        found = targets(RuleListRegressor(model(3, oob_score=True), target=1.0), X, y)
    unseen = np.ones(len(y), dtype=bool)
    for drawn in few.estimators_samples_:
        unseen &= np.isin(np.arange(len(y)), drawn)
    assert 0 < unseen.sum() < len(y)
    assert_allclose(found[unseen], few.predict(X)[unseen])
    assert_allclose(found[~unseen], few.oob_prediction_[~unseen])


def test_rows_without_class_shares_are_mended():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for model in (
            RandomForestClassifier(2, oob_score=True, random_state=0),
            BaggingClassifier(DecisionTreeClassifier(), 2, oob_score=True, random_state=0),
        ):
            said = out_of_bag(model.fit(*IRIS), 150)
            assert 0 < np.isnan(said).all(axis=1).sum() < 150
            mended = mend(said, model.predict_proba(IRIS[0]))
            assert_allclose(mended.sum(axis=1), 1)


def test_they_are_found_behind_pipelines_and_searches_and_refused_of_other_samples():
    X, y = DIABETES
    piped = make_pipeline(StandardScaler(), forest(oob_score=True)).fit(X, y)
    assert_array_equal(out_of_bag(piped, len(y)), piped[-1].oob_prediction_)
    search = GridSearchCV(forest(20, oob_score=True), {"max_depth": [2]}, cv=2).fit(X, y)
    assert_array_equal(out_of_bag(search, len(y)), search.best_estimator_.oob_prediction_)
    assert out_of_bag(piped, len(y) - 1) is None
    assert out_of_bag([piped], len(y)) is None
    assert_array_equal(mend(None, y), y)
