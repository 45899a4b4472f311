import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.rules.in_chunks import evaluated, look, said_by
from hedgerow.sources import Chunks


@pytest.fixture(params=["labels", "numbers"])
def fitted(request):
    X, y = (load_wine if request.param == "labels" else load_diabetes)(return_X_y=True, as_frame=True)
    if request.param == "labels":
        y = np.array(["c", "a", "b"])[y]
        return (
            RuleListClassifier(RandomForestClassifier(5, max_depth=2, random_state=0), candidates="nodes").fit(X, y),
            X,
            y,
        )
    forest = RandomForestRegressor(5, max_depth=2, random_state=0)
    return RuleListRegressor(forest, candidates="nodes", uncovered="ensemble").fit(X, y), X, y.to_numpy()


def source_of(X, y):
    return Chunks(lambda: ((X.iloc[i : i + 33], y[i : i + 33]) for i in range(0, len(y), 33)))


def test_parts_in_chunks_are_those_of_all_rows_at_once(fitted):
    rules, X, y = fitted
    seen = rules.rule_list_.evaluate(X)
    parts = ("matches", "fired", "predictions", *(["shares"] if rules.rule_list_.classes is not None else []))
    found = look(rules.rule_list_, source_of(X, y), parts)
    assert set(found) == set(parts)
    again = evaluated(rules.rule_list_, found)
    for name in parts:
        assert_array_equal(found[name], getattr(seen, name))
        assert_array_equal(getattr(again, name), getattr(seen, name))
    assert again.n_samples == len(y)


def test_what_the_ensemble_predicts_comes_with_the_targets(fitted):
    rules, X, y = fitted
    found = look(rules.rule_list_, source_of(X, y), ("fired",), rules.forest_)
    said, shares = said_by(rules.forest_, rules.rule_list_, found)
    assert_array_equal(found["y"], y)
    assert_array_equal(said, rules.forest_.predictions(X))
    if rules.rule_list_.classes is not None:
        assert_array_equal(shares, rules.forest_.answer(X))
    else:
        assert shares is None
