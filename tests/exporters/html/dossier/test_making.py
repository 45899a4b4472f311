"""Settings are written alike whenever they are equal, and versions are those that are installed."""

import platform

import numpy as np
import pytest
from reports import fitted

from hedgerow import RuleListClassifier, RuleListClassifierCV
from hedgerow.exporters.html.dossier.making import settings_of, told_settings, versions, written


def a_loss(y):
    return float(len(y))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        ((), "none"),
        ("gini", "gini"),
        (a_loss, "a_loss"),
        (0.25, "0.25"),
        ([a_loss, 1], "[<function a_loss>, 1]"),
    ],
)
def test_a_value_is_written_without_its_place_in_memory(value, text):
    assert written(value) == text


def test_long_values_are_shortened_to_one_line():
    assert len(written(list(range(10_000)))) <= 400
    assert "\n" not in written(np.zeros((5, 5)))


def test_the_settings_are_those_that_the_preset_worked_out():
    rules, X, y = fitted()
    found = dict(settings_of(rules))
    assert found["estimator"] == "RuleListClassifier"
    assert found["max_rules"] == "5"
    assert "constraints" not in found
    accurate = RuleListClassifier.accurate(max_rules=3, random_state=0).fit(X[:80], y[:80])
    assert float(dict(settings_of(accurate))["min_coverage"]) == accurate.settled(X[:80], y[:80]).min_coverage
    assert dict(settings_of(accurate))["preset"] == "accurate"


def test_an_ensemble_that_is_grown_by_default_is_named():
    _, X, y = fitted()
    rules = RuleListClassifier(max_rules=2, random_state=0).fit(X[:80], y[:80])
    said = dict(settings_of(rules))["ensemble"]
    assert said.startswith(type(rules.ensemble_).__name__)
    assert said.endswith(", by default")


def test_of_a_search_they_are_those_of_the_best_list():
    _, X, y = fitted()
    search = RuleListClassifierCV(max_rules=[2, 3], cv=2, random_state=0).fit(X[:80], y[:80])
    assert dict(settings_of(search))["max_rules"] == str(search.best_max_rules_)


def test_settings_can_be_told():
    assert told_settings({"max_rules": 4, "candidates": "nodes", "verbose": True}) == (
        ("candidates", "nodes"),
        ("max_rules", "4"),
    )


def test_versions_are_those_of_python_and_of_what_trained_the_ensemble():
    import sklearn
    import xgboost
    from rule_lists import KINDS

    assert dict(versions())["Python"] == platform.python_version()
    assert dict(versions())["scikit-learn"] == sklearn.__version__
    model, X, y = KINDS["xgboost"]()
    found = versions(RuleListClassifier(model, max_rules=3).fit(X, y))
    assert xgboost.__version__ in [version for name, version in found if name.startswith("xgboost")]
    assert found == (found[0], *sorted(found[1:]))
