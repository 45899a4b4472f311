"""Rules that learn from a forest."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from benchmarks.distilled import DistilledClassifier, DistilledRegressor
from hedgerow import RuleListClassifier, RuleListRegressor


@pytest.fixture(scope="module")
def data():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return X[:120], y[:120]


@pytest.fixture
def forest():
    return RandomForestRegressor(40, min_samples_leaf=3, oob_score=True, random_state=0)


@pytest.fixture
def rules():
    pool = RandomForestRegressor(5, max_leaf_nodes=10, random_state=0)
    return RuleListRegressor(pool, max_rules=5, candidates="nodes", loss="sse", stability_weight=0.0, random_state=0)


def test_without_made_up_rows_and_without_the_forest_the_list_is_the_plain_one(data, forest, rules):
    X, y = data
    plain = clone(rules).fit(X, y, sample_weight=np.ones(len(X)))
    distilled = DistilledRegressor(forest, rules, share=0, copies=0).fit(X, y)
    np.testing.assert_allclose(distilled.predict(X), plain.predict(X))
    assert [rule.conditions for rule in distilled.rule_list_] == [rule.conditions for rule in plain.rule_list_]


def test_every_made_up_row_and_every_sample_is_in_one_rule(data, forest, rules):
    X, y = data
    distilled = DistilledRegressor(forest, rules, copies=3, random_state=0).fit(X, y)
    made_up = distilled._made_up(X)
    assert len(made_up) == 3 * len(X)
    for rows in (X, made_up):
        assert (distilled.rule_list_.matches(rows).sum(axis=1) == 1).all()
    assert len(distilled.rule_list_) <= 5


def test_made_up_rows_take_each_value_from_some_sample(data, forest, rules):
    X, _ = data
    rows = DistilledRegressor(forest, rules, copies=50, most=500, swap=0.5, random_state=1)._made_up(X)
    assert len(rows) == 500
    for column in X:
        assert set(rows[column]) <= set(X[column])
    samples = set(map(tuple, X.to_numpy()))
    assert sum(tuple(row) in samples for row in rows.to_numpy()) < 50


def test_the_forest_alone_decides_what_is_learned_if_its_share_is_one(data, forest, rules):
    X, y = data
    distilled = DistilledRegressor(forest, rules, share=1, copies=0).fit(X, y)
    answers = clone(forest).fit(X, y).oob_prediction_
    where = distilled.rule_list_.apply(X)
    for i in range(len(distilled.rule_list_)):
        assert distilled.rule_list_[i].prediction == pytest.approx(answers[where == i].mean())


def test_a_classifier_weighs_labels_by_how_sure_the_forest_is():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X, y = X[:150], np.where(y[:150] == 1, "benign", "malignant")
    forest = RandomForestClassifier(60, oob_score=True, random_state=0)
    rules = RuleListClassifier(
        max_rules=3,
        candidates="nodes",
        max_conditions=2,
        stability_weight=0.0,
        random_state=0,
        loss="misclassification",
    )
    distilled = DistilledClassifier(forest, rules, share=1, copies=0).fit(X, y)
    shares = clone(forest).fit(X, y).oob_decision_function_
    where = distilled.rule_list_.apply(X)
    for i in range(len(distilled.rule_list_)):
        likelier = shares[where == i].sum(axis=0).argmax()
        assert distilled.rule_list_[i].prediction == distilled.classes_[likelier]
    assert np.mean(distilled.predict(X) == y) > 0.85
