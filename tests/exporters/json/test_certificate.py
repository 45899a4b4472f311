"""A document with a certificate fits the schema and is read as one without; what cannot be certified is refused."""

import json
import pickle

import numpy as np
import pytest
from certified_lists import KINDS, certified, numbers_and_labels
from json_documents import SCHEMA
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from small_data import IRIS, unfitted_forest

from hedgerow import CertificateError, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.evidence import check
from hedgerow.losses import pinball
from hedgerow.sources import Chunks


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__[1:])
def test_a_document_with_a_certificate_fits_the_schema_and_reads_as_the_list(kind):
    case = certified(kind, 0)
    SCHEMA.validate(case.document)
    again = RuleList.from_json(case.text)
    assert again.to_json() == case.rules.rule_list_.to_json()
    assert case.rules.to_json() == case.rules.rule_list_.to_json()


def test_an_indented_document_says_the_same():
    rules = RuleListClassifier(unfitted_forest(), max_rules=4).fit(*IRIS)
    assert json.loads(rules.to_json(2, certificate=True)) == json.loads(rules.to_json(certificate=True))


def test_the_training_rows_are_not_in_it():
    X, y, _, _ = numbers_and_labels(0)
    X["a"] += 12345.678
    rules = RuleListClassifier(unfitted_forest(), max_rules=3).fit(X, y)
    text = rules.to_json(certificate=True)
    assert not any(repr(float(np.float32(x))) in text for x in X["a"])


def test_a_list_that_was_resolved_is_certified_under_its_wishes():
    X, y, _, _ = numbers_and_labels(1)
    rules = RuleListClassifier(unfitted_forest(depth=3), max_rules=5, candidates="nodes").fit(X, y)
    other = rules.resolve(pin=0, forbid="c")
    text = other.to_json(certificate=True)
    assert check(text, X, y)
    assert check(text, X, y).text != check(rules.to_json(certificate=True), X, y).text


def test_an_unpickled_estimator_needs_its_rows_again():
    rules = pickle.loads(pickle.dumps(RuleListClassifier(unfitted_forest(), max_rules=4).fit(*IRIS)))
    assert check(rules.to_json(certificate=True, X=IRIS[0], y=IRIS[1]), *IRIS)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"loss": lambda y: float(len(y))}, "does not know the loss '<lambda>'; possible: misclassification"),
        ({"stability": "dice_by_position"}, "stability='dice_by_position' can only be computed with hedgerow"),
        ({"round_thresholds": True}, "its thresholds are rounded. Fit with round_thresholds=False"),
        ({"extra_rules": "x2 <= 2.5"}, "rules of an expert compete"),
    ],
)
def test_what_others_cannot_compute_again_is_refused(settings, message):
    rules = RuleListClassifier(unfitted_forest(), max_rules=4, candidates="nodes", **settings).fit(*IRIS)
    with pytest.raises(CertificateError, match="This list cannot be certified: ") as raised:
        rules.to_json(certificate=True)
    assert message in str(raised.value)
    assert RuleList.from_json(rules.to_json())  # without one, it is written


@pytest.mark.parametrize("loss", ["mae", pinball(0.8)])
def test_medians_and_quantiles_are_refused(loss):
    X, _, y, _ = numbers_and_labels(0)
    rules = RuleListRegressor(RandomForestRegressor(5, max_depth=2, random_state=0), max_rules=3, loss=loss).fit(X, y)
    with pytest.raises(CertificateError, match="does not know the loss"):
        rules.to_json(certificate=True)


def test_features_that_are_neither_numbers_nor_categories_are_refused():
    steps = make_pipeline(FunctionTransformer(np.sqrt), RandomForestClassifier(5, max_depth=2, random_state=0))
    rules = RuleListClassifier(steps, max_rules=3).fit(*IRIS)
    assert all(type(feature).__name__ != "Column" for feature in rules.forest_.features)
    with pytest.raises(CertificateError, match="the checker reads numbers and categories"):
        rules.to_json(certificate=True)


def test_rows_that_are_read_in_chunks_are_refused():
    X, y = IRIS
    forest = unfitted_forest().fit(X, y)
    rules = RuleListClassifier(forest, max_rules=4).fit(Chunks(lambda: iter([(X[:70], y[:70]), (X[70:], y[70:])])))
    with pytest.raises(CertificateError, match="its rows were read piece by piece"):
        rules.to_json(certificate=True)


def test_a_list_that_is_not_proven_is_not_certified():
    X, y, _, _ = numbers_and_labels(0, 400)
    forest = RandomForestClassifier(80, max_depth=6, random_state=0)
    rules = RuleListClassifier(forest, max_rules=14, candidates="nodes", stability_weight=0.0, time_limit=0.05)
    with pytest.warns(UserWarning, match="time limit"):
        rules.fit(X, y)
    with pytest.raises(CertificateError, match=r"There is nothing to certify: objective .* gap .*Raise time_limit"):
        rules.to_json(certificate=True)
