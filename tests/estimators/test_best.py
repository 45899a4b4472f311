"""An estimator with cross-validation edits, prices and shows the lists of its best estimator."""

import inspect

import pytest
from sklearn.exceptions import NotFittedError
from small_data import IRIS, small_forest

from hedgerow import RuleListClassifier, RuleListClassifierCV
from hedgerow.constraints import MaxFeatures


@pytest.fixture(scope="module")
def search():
    return RuleListClassifierCV(small_forest(), max_rules=[2, 3], cv=3, random_state=0).fit(*IRIS)


def test_its_best_list_is_edited_and_an_estimator_without_cross_validation_returned(search):
    edited = search.resolve(forbid="x3")
    assert type(edited) is RuleListClassifier
    assert edited.rule_list_.rules == search.best_estimator_.resolve(forbid="x3").rule_list_.rules


def test_prices_and_alternatives_are_those_of_its_best_list(search):
    best = search.best_estimator_
    assert search.price(MaxFeatures(1)).objective == best.price(MaxFeatures(1)).objective
    assert [one.wish for one in search.prices([{"forbid": "x3"}])] == ["without x3"]
    assert search.alternatives(3).objectives == best.alternatives(3).objectives
    assert search.to_json() == best.to_json()


@pytest.mark.parametrize("name", ["resolve", "price", "prices", "alternatives", "with_rows", "list_of", "lists_of"])
def test_methods_have_the_parameters_and_the_documentation_of_those_that_they_call(name):
    mine, best = getattr(RuleListClassifierCV, name), getattr(RuleListClassifier, name)
    assert inspect.signature(mine) == inspect.signature(best)
    assert mine.__doc__ == best.__doc__


def test_it_needs_a_fitted_estimator():
    with pytest.raises(NotFittedError):
        RuleListClassifierCV().resolve(pin=0)
