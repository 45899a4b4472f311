"""The methods for experts, as far as they are about the estimator; what they find is tested with the pipeline."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from small_data import IRIS, small_forest

from hedgerow import InvalidDataError, InvalidParameterError, MissingRowsError, RuleListClassifier
from hedgerow.constraints import MaxConditions, MaxFeatures, ParityGap
from hedgerow.sources import Chunks


def fitted(**parameters):
    return RuleListClassifier(small_forest(), max_rules=4, **parameters).fit(*IRIS)


def test_it_returns_a_fitted_estimator_of_the_same_class():
    rules = fitted()
    resolved = rules.resolve(forbid="x3")
    assert type(resolved) is RuleListClassifier
    assert resolved is not rules
    assert resolved.get_params()["max_rules"] == 4
    assert resolved.predict(IRIS[0]).shape == (150,)
    assert resolved.n_features_in_ == 4
    assert cross_val_score(resolved, *IRIS, cv=2).min() >= 0
    assert resolved.fidelity(IRIS[0]) is not None


def test_an_unpickled_estimator_solves_again_once_it_has_its_rows():
    rules = fitted()
    loaded = pickle.loads(pickle.dumps(rules))
    with pytest.raises(MissingRowsError, match=r"price needs the training samples, .*estimator.with_rows\(X, y\)"):
        loaded.price(forbid="x3")
    again = loaded.with_rows(*IRIS)
    assert again.price(forbid="x3").objective == rules.price(forbid="x3").objective
    assert again.alternatives(3).objectives == rules.alternatives(3).objectives
    assert again.resolve(forbid="x3").rule_list_.rules == rules.resolve(forbid="x3").rule_list_.rules
    assert "posed_" not in vars(loaded)
    assert len(pickle.dumps(again)) == len(pickle.dumps(loaded))
    with pytest.raises(InvalidDataError, match="the very samples"):
        loaded.with_rows(IRIS[0][::-1], IRIS[1])


def test_an_unpickled_estimator_refuses_the_same_rows_in_another_order_and_any_other_value():
    X, y = IRIS[0][:100], IRIS[1][:100]
    weight, group = np.resize([1.0, 2.0, 0.0], 100), np.resize(["f", "m"], 100)
    constraints = [ParityGap(group, 0.2, positive=1)]
    rules = RuleListClassifier(small_forest(X, y), max_rules=3, constraints=constraints).fit(X, y, weight)
    loaded = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(rules))))
    assert loaded.with_rows(X, y.astype(float), weight.tolist()).solution_.objective == rules.solution_.objective
    changed = X.copy()
    changed[3, 0] += 1e-3
    order = np.argsort(X[:, 0], kind="stable")
    for others in [(X[order], y[order], weight[order]), (changed, y, weight), (X, y, 2 * weight)]:
        with pytest.raises(InvalidDataError, match="others, or in another order"):
            loaded.with_rows(*others)


def test_an_unpickled_estimator_refuses_other_groups_in_a_column_that_no_tree_looks_at():
    frame = pd.DataFrame(IRIS[0][:100], columns=list("abcd")).assign(sex=np.resize(["f", "m"], 100))
    y = IRIS[1][:100]
    columns = ColumnTransformer([("x", "passthrough", list("abcd"))])
    model = make_pipeline(columns, RandomForestClassifier(20, max_depth=2, random_state=0)).fit(frame, y)
    rules = RuleListClassifier(model, max_rules=3, constraints=[ParityGap("sex", 0.2, positive=1)]).fit(frame, y)
    loaded = pickle.loads(pickle.dumps(rules))
    assert loaded.with_rows(frame, y).rule_list_.rules == rules.rule_list_.rules
    with pytest.raises(InvalidDataError, match="the very samples"):
        loaded.with_rows(frame.assign(sex=np.sort(frame["sex"])), y)


def test_it_needs_a_fitted_estimator():
    with pytest.raises(NotFittedError):
        RuleListClassifier().resolve(pin=0)


def test_a_time_limit_keeps_the_best_list_with_a_warning():
    X, y = load_breast_cancer(return_X_y=True)
    rules = RuleListClassifier(
        small_forest(X, y, depth=6, n=60), max_rules=9, candidates="nodes", stability_weight=0, time_limit=1e-3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        rules.fit(X, y)
    with pytest.warns(ConvergenceWarning, match="The search ended early"):
        resolved = rules.resolve(forbid="x27", time_limit=1e-3)
    assert not resolved.rule_list_.edits[0].proven


def test_a_list_that_grants_the_wish_already_is_proven_without_a_search():
    rules = fitted()
    longest = max(len(rule.simplified) for rule in rules.rule_list_)
    resolved = rules.resolve(constraints=MaxConditions(each=longest))
    assert resolved.solution_.seconds == 0
    assert resolved.solution_.optimal
    assert resolved.rule_list_.rules == rules.rule_list_.rules


def test_prices_need_both_samples_and_targets():
    with pytest.raises(InvalidParameterError, match="both X_test and y_test"):
        fitted().price(MaxConditions(each=1), X_test=IRIS[0])


def test_several_constraints_can_be_priced_together():
    both = [MaxConditions(each=2), MaxFeatures(2)]
    listed, named, mixed = fitted().prices([both, {"constraints": both}, {"constraints": both[0], "forbid": "x3"}])
    assert listed.objective == named.objective == fitted().price(both).objective
    assert mixed.objective == fitted().price(both[0], forbid="x3").objective


def test_wishes_that_there_is_no_time_for_are_not_tried():
    prices = fitted().prices([{"forbid": "x3"}, MaxConditions(each=1)], time_limit=1e-9)
    assert prices[1].reason == "It was not tried: the time was up."
    assert prices[0].wish == "without x3"


def test_a_price_of_no_wish_is_refused():
    with pytest.raises(InvalidParameterError, match="Nothing to resolve"):
        fitted().price()


def test_weights_count_in_the_training_score():
    X, y = IRIS
    weight = np.where(y == 2, 5.0, 1.0)
    rules = RuleListClassifier(small_forest(), max_rules=4).fit(X, y, weight)
    price = rules.price(forbid="x3")
    after, before = price.estimator.score(X, y, weight), rules.score(X, y, weight)
    assert price.score == pytest.approx(after - before)


def test_rows_in_chunks_are_given_back_to_an_unpickled_list():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    source = Chunks(lambda: ((X[i : i + 50], y[i : i + 50]) for i in range(0, 150, 50)))
    rules = RuleListClassifier(forest, max_rules=4).fit(source)
    loaded = pickle.loads(pickle.dumps(rules))
    with pytest.raises(MissingRowsError, match=r"what fit was given: estimator\.with_rows"):
        loaded.resolve(forbid=0)
    in_memory = pickle.loads(pickle.dumps(RuleListClassifier(forest, max_rules=4).fit(X, y)))
    for again in (loaded.with_rows(source), loaded.with_rows(X, y), in_memory.with_rows(source)):
        assert again.resolve(forbid=0).rule_list_.rules == rules.resolve(forbid=0).rule_list_.rules
    with pytest.raises(InvalidDataError, match="the very samples"):
        loaded.with_rows(Chunks(lambda: [(X[:-1], y[:-1])]))


def test_rows_of_a_table_come_back_from_a_source():
    X, y = IRIS
    loaded = pickle.loads(pickle.dumps(fitted()))
    frame = pd.DataFrame(X, columns=loaded.rule_list_.inputs.names)
    source = Chunks(lambda: ((frame[i : i + 50], y[i : i + 50]) for i in range(0, 150, 50)))
    assert loaded.with_rows(source).price(forbid="x3").objective == fitted().price(forbid="x3").objective
