"""An ensemble is fitted where it is not yet, gets the columns' names, and is cloned without losing what it is."""

import sys

import numpy as np
import pandas as pd
import pytest
from catboost import CatBoostClassifier
from lightgbm import LGBMClassifier
from messy_frames import labels, messy
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted
from small_data import IRIS, small_forest, unfitted_forest
from xgboost import XGBClassifier

from hedgerow import (
    InvalidDataError,
    InvalidParameterError,
    RuleListClassifier,
    UnfittedModelError,
    UnsupportedModelError,
    read_forest,
)
from hedgerow.candidates.ensembles import (
    clone_ensemble,
    clone_with_ensemble,
    fit_clone,
    fit_ensemble,
    read_fitted,
    takes_missing,
    takes_more_than_numbers,
    takes_series,
)
from hedgerow.tables import TableEncoder, table_pipeline


def search(model):
    return GridSearchCV(model, {}, cv=2)


def categorical_forest():
    X = pd.DataFrame({"a": [0.0, 1, 2, 3] * 8, "b": pd.Categorical(list("xyxz") * 8)})
    model = HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=2, categorical_features="from_dtype")
    return read_forest(model.fit(X, [0, 1, 0, 0] * 8))


def test_a_fitted_ensemble_is_used_as_it_is():
    fitted = small_forest()
    model, forest = fit_ensemble(fitted, IRIS[0][:20], IRIS[1][:20], None, None)
    assert model is fitted
    assert_array_equal(forest.labels(IRIS[0]), fitted.predict(IRIS[0]))


def test_an_unfitted_ensemble_is_fitted_and_the_one_given_stays_unfitted():
    given = unfitted_forest()
    model, forest = fit_ensemble(given, *IRIS, None, None)
    assert_array_equal(forest.labels(IRIS[0]), unfitted_forest().fit(*IRIS).predict(IRIS[0]))
    assert_array_equal(model.predict(IRIS[0]), forest.labels(IRIS[0]))
    with pytest.raises(NotFittedError):
        check_is_fitted(given)


def test_of_a_list_only_those_are_fitted_that_are_not_and_all_trees_are_candidates():
    fitted = small_forest(n=3)
    models, forest = fit_ensemble([fitted, unfitted_forest(n=4)], *IRIS, None, None)
    assert models[0] is fitted
    check_is_fitted(models[1])
    assert forest.n_trees == 7


def test_a_frozen_ensemble_is_never_fitted():
    with pytest.raises(UnfittedModelError, match="not fitted yet"):
        fit_ensemble(FrozenEstimator(unfitted_forest()), *IRIS, None, None)


def test_what_is_not_an_ensemble_is_refused():
    with pytest.raises(InvalidParameterError, match=r"pass an instance of it: RandomForestClassifier\(\)"):
        fit_ensemble(RandomForestClassifier, *IRIS, None, None)
    with pytest.raises(UnsupportedModelError, match="Cannot read a LogisticRegression"):
        fit_ensemble(LogisticRegression(), *IRIS, None, None)
    with pytest.raises(InvalidParameterError, match="The list of ensembles is empty"):
        fit_ensemble([], *IRIS, None, None)


@pytest.mark.parametrize(
    "around",
    [lambda model: model, lambda model: make_pipeline(StandardScaler(), model), search],
    ids=["alone", "pipeline", "search"],
)
def test_weights_reach_the_last_step_as_if_samples_were_left_out(around):
    X, y = IRIS
    weight = (y != 1).astype(float)
    tree = RandomForestClassifier(1, bootstrap=False, max_features=None, max_depth=3, random_state=0)
    weighted = fit_clone(around(tree), X, y, weight)
    assert 1 in fit_clone(around(tree), X, y, None).predict(X)
    assert 1 not in weighted.predict(X)


def test_an_ensemble_that_takes_no_weights():
    class Stubborn(RandomForestClassifier):
        def fit(self, X, y):
            return super().fit(X, y)

    with pytest.raises(InvalidParameterError, match="Stubborn does not take sample_weight"):
        RuleListClassifier(Stubborn(3)).fit(*IRIS, sample_weight=np.ones(150))


def test_names_reach_a_forest_that_was_trained_without():
    X = pd.DataFrame(IRIS[0], columns=list("abcd"))
    fitted = RuleListClassifier(small_forest(), max_rules=4).fit(X, IRIS[1])
    assert {c.feature.name for rule in fitted.rule_list_ for c in rule.conditions} <= set("abcd")
    assert fitted.forest_.inputs.names == list("abcd")


def test_names_that_a_library_changed_are_restored_and_others_stay():
    names = ["petal length", "petal width", "sepal length", "sepal width"]
    model = LGBMClassifier(n_estimators=2, n_jobs=1, verbose=-1).fit(pd.DataFrame(IRIS[0], columns=names), IRIS[1])
    assert read_forest(model).inputs.names[0] == "petal_length"
    assert fit_ensemble(model, *IRIS, None, names)[1].inputs.names == names
    assert fit_ensemble(model, *IRIS, None, list("abcd"))[1].inputs.names[0] == "petal_length"


def test_as_many_names_as_features_or_none():
    forest = read_forest(small_forest())
    assert fit_ensemble(forest, *IRIS, None, ["a", "b"])[1] is forest
    assert fit_ensemble(forest, *IRIS, None, None)[1] is forest


def test_a_clone_has_the_parameters_and_is_not_fitted():
    one, other = clone_ensemble((small_forest(n=3), small_forest(n=4)))
    assert (one.n_estimators, other.n_estimators) == (3, 4)
    assert not hasattr(one, "estimators_")
    frozen = clone_ensemble(FrozenEstimator(small_forest()))
    check_is_fitted(frozen)


def test_what_cannot_be_fitted_again_is_its_own_clone():
    forest = read_forest(small_forest())
    assert clone_ensemble(forest) is forest
    assert clone_ensemble("model.json") == "model.json"
    assert clone_ensemble(None) is None
    assert clone_ensemble(RandomForestClassifier) is RandomForestClassifier  # fit says what is wrong


def test_a_model_that_hands_out_copies_of_its_parameters_can_be_cloned():
    given = CatBoostClassifier(iterations=3, cat_features=[1, 2], allow_writing_files=False)
    twin = clone_ensemble(given)
    assert twin is not given
    assert twin.get_params() == given.get_params()


def test_a_model_that_cannot_be_cloned_says_the_way_out():
    class Odd(BaseEstimator):
        def __init__(self, size=1):
            self.size = size

        def get_params(self, deep=True):
            return {"length": self.size}

    with pytest.raises(InvalidParameterError, match=r"This .*Odd cannot be cloned.*FrozenEstimator"):
        clone_ensemble(Odd())


def test_an_estimator_is_cloned_with_its_ensemble_and_stays_as_it_is():
    forest = read_forest(small_forest())
    given = RuleListClassifier([forest, small_forest()], max_rules=4).fit(*IRIS)
    twin = clone_with_ensemble(given)
    assert twin.max_rules == 4
    assert twin.ensemble[0] is forest
    assert not hasattr(twin.ensemble[1], "estimators_")
    assert not hasattr(twin, "rule_list_")
    assert given.ensemble[0] is forest


def test_missing_values_are_taken_by_those_that_say_so():
    assert takes_missing(HistGradientBoostingClassifier())
    assert takes_missing(categorical_forest())
    assert not takes_missing(make_pipeline(StandardScaler(), LogisticRegression()))
    assert not takes_missing(RandomForestClassifier)
    assert not takes_missing("model.json")


def test_series_are_recognised_by_the_library_of_the_model_however_deep_it_is():
    if sys.version_info < (3, 12):
        pytest.importorskip("wildboar")
    from wildboar import ensemble as ensembles

    class Mine(ensembles.ShapeletForestClassifier):
        pass

    model = Mine(2, max_depth=2, random_state=0)
    rng = np.random.default_rng(0)
    forest = read_forest(model.fit(rng.normal(size=(10, 12)), [0, 1] * 5))
    for given in (model, forest, [unfitted_forest(), model], FrozenEstimator(model), search(model)):
        assert takes_series(given)
    for given in (unfitted_forest(), read_forest(small_forest()), [], None, "model.json", search(unfitted_forest())):
        assert not takes_series(given)


def test_what_may_take_more_than_numbers():
    by_number = HistGradientBoostingClassifier(categorical_features=[0])
    pipeline = make_pipeline(StandardScaler(), unfitted_forest())
    of_categories = CatBoostClassifier(iterations=2, cat_features=[0], verbose=0, allow_writing_files=False)
    mixed = [unfitted_forest(), by_number]
    for given in (by_number, pipeline, of_categories, categorical_forest(), "model.json", mixed):
        assert takes_more_than_numbers(given)
        assert takes_more_than_numbers([given])
    assert takes_more_than_numbers(FrozenEstimator(by_number))
    assert takes_more_than_numbers(search(by_number))
    of_numbers = CatBoostClassifier(iterations=2, depth=2, verbose=0, allow_writing_files=False)
    for given in (HistGradientBoostingClassifier(), unfitted_forest(), read_forest(small_forest()), of_numbers, None):
        assert not takes_more_than_numbers(given)
    assert not takes_more_than_numbers(of_numbers.fit(*IRIS))
    X = pd.DataFrame({"a": list("xyz") * 10, "b": range(30)})
    assert takes_more_than_numbers(of_categories.fit(X, [0, 1, 0] * 10))


def test_a_model_of_numbers_is_put_behind_an_encoder_if_there_are_strings():
    X = messy(0)[["color", "size", "price", "heating"]]
    y = labels(messy(0))
    for model in (RandomForestClassifier(5), GridSearchCV(RandomForestClassifier(5), {"max_depth": [2]}, cv=2)):
        fitted, forest = fit_ensemble(model, X, y, np.ones(len(y)), list(X.columns))
        assert isinstance(fitted, Pipeline)
        assert isinstance(fitted[0], TableEncoder)
        assert type(fitted[-1]) is type(model)
        assert forest.inputs.names == list(X.columns)
        assert_array_equal(forest.predictions(X), fitted.predict(X))
    both, forest = fit_ensemble([RandomForestClassifier(5), ExtraTreesClassifier(5)], X, y, None, None)
    assert [type(one) for one in both] == [Pipeline, Pipeline]
    assert forest.n_trees == 10


STRINGS = pd.DataFrame({"age": [30, 40, 50, 60], "status": ["A11", "A12", "A11", "A12"]})


@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(max_iter=3),
        LGBMClassifier(n_estimators=3, verbose=-1),
        XGBClassifier(n_estimators=3, enable_categorical=True),
        CatBoostClassifier(iterations=3, verbose=0, cat_features=["heating"], one_hot_max_size=9),
        make_pipeline(OrdinalEncoder(), RandomForestClassifier(3)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_model_that_takes_categories_is_left_alone(model):
    X = messy(0)[["size", "heating"]]
    X["heating"] = X["heating"].cat.add_categories("none").fillna("none")
    fitted, _ = fit_ensemble(model, X, (labels(messy(0)) == "yes").astype(int), None, None)
    assert type(fitted) is type(model)


def test_frames_of_numbers_are_left_alone():
    X = messy(0)[["size", "rooms", "balcony", "garden"]].assign(count=pd.Series([1, None] * 75, dtype=object))
    fitted, forest = fit_ensemble(RandomForestClassifier(3), X, labels(messy(0)), None, None)
    assert type(fitted) is RandomForestClassifier
    assert forest.inputs.columns is None


def test_columns_that_are_lost_are_told():
    X = messy(0)[["size", "built"]].assign(row=range(150), one="x", none=None)
    with pytest.warns(
        UserWarning, match=r"not used: built, because it contains dates, .*; row, because it looks"
    ) as told:
        fit_ensemble(RandomForestClassifier(3), X, labels(messy(0)), None, None)
    assert "same value" not in str(told[0].message)
    assert "empty" not in str(told[0].message)


@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(),
        XGBClassifier(n_estimators=1),
        LGBMClassifier(n_estimators=1, verbose=-1),
        CatBoostClassifier(n_estimators=1, verbose=0, allow_writing_files=False),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_library_that_quotes_a_string_is_explained(model):
    """An array has no names, and no encoder is put before the model."""
    with pytest.raises(InvalidDataError, match=r"X\[:, 1\] contains strings, such as 'A11'.* OneHotEncoder"):
        fit_clone(model, STRINGS.to_numpy(), np.array([0, 1, 0, 1]), None)


def test_labels_that_a_library_does_not_take():
    with pytest.raises(InvalidDataError, match=r"XGBClassifier takes only the labels 0, 1, \.\.\.; y has 'no', 'yes'"):
        fit_clone(XGBClassifier(n_estimators=1), STRINGS[["age"]], np.array(["no", "yes"] * 2), None)


def test_a_model_of_the_other_task_says_so():
    X, numbers = STRINGS[["age"]], np.array([0.5, 1.5, 2.5, 3.5])
    with pytest.raises(InvalidParameterError, match="RandomForestClassifier, which predicts classes; give a regressor"):
        fit_clone(RandomForestClassifier(2), X, numbers, None)
    with pytest.raises(InvalidParameterError, match="RandomForestRegressor, which predicts numbers; give a classifier"):
        fit_clone(RandomForestRegressor(2), X, np.array(["no", "yes"] * 2), None)


def test_what_is_wrong_in_a_pipeline_stays_its_own_error():
    model = make_pipeline(OneHotEncoder(max_categories=0), RandomForestClassifier(2))
    with pytest.raises(ValueError, match="max_categories") as caught:
        fit_clone(model, STRINGS[["status"]], np.array(["no", "yes"] * 2), None)
    assert not isinstance(caught.value, InvalidDataError)


@pytest.mark.parametrize("as_strings", [False, True])
def test_the_warning_names_a_way_that_works_to_explain_a_model_that_uses_dates(as_strings):
    days = pd.Series(pd.date_range("2020-01-01", periods=140))
    X = pd.DataFrame({"day": days, "a": np.arange(140) % 9})
    if as_strings:
        X["day"] = days.dt.strftime("%Y-%m-%d")
    y = np.where(days.dt.dayofweek > 4, "free", "busy")
    model = table_pipeline(make_pipeline(StandardScaler(), SVC(C=100)), dates=True).fit(X, y)
    rules = RuleListClassifier.faithful(model, max_rules=3, random_state=0)
    with pytest.warns(UserWarning, match="Some columns of X are not used|explains the model poorly") as said:
        assert rules.fit(X, y).agreement(X) < 1
    steps = (
        "rules = rules.settled(X, y)",
        "rules.ensemble = [table_pipeline(trees, dates=True) for trees in rules.ensemble]",
        "rules.fit(X, y)",
    )
    assert any(f"its predictions: {'; '.join(steps)}." in str(one.message) for one in said)
    rules = rules.settled(X, y)
    rules.ensemble = [table_pipeline(trees, dates=True) for trees in rules.ensemble]
    rules.fit(X, y)
    assert rules.agreement(X) == 1
    assert "weekday of day" in str(rules.rule_list_)


def test_what_is_fitted_is_read_alone_and_in_lists():
    X, y = IRIS
    forests = [RandomForestClassifier(n, max_depth=2, random_state=n).fit(X, y) for n in (2, 3)]
    names = ["a", "b", "c", "d"]
    alone = read_fitted(forests[0], names)
    assert alone.inputs.names == names
    assert_array_equal(alone.labels(X), forests[0].predict(X))
    both = read_fitted(forests, names)
    assert (both.n_trees, both.inputs.names) == (5, names)
    nested = read_fitted([forests[0], (forests[1],)], names)
    assert_array_equal(nested.answer(X), both.answer(X))
    for nothing in ([], ()):
        with pytest.raises(InvalidParameterError, match="list of ensembles is empty"):
            read_fitted(nothing, names)
    with pytest.raises(UnfittedModelError):
        read_fitted([forests[0], RandomForestClassifier()], names)
