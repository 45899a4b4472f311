import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import accuracy_score, r2_score

from hedgerow import Rule, RuleList, RuleListClassifier, RuleListRegressor
from hedgerow.exceptions import InvalidDataError
from hedgerow.features import Column, Inputs
from hedgerow.rules.in_chunks import look, score
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
    for part in ("matches", "fired", "predictions", *(["shares"] if rules.rule_list_.classes is not None else [])):
        assert_array_equal(look(rules.rule_list_, source_of(X, y), part), getattr(seen, part))


@pytest.mark.parametrize("weighted", [False, True])
def test_the_score_in_chunks_is_that_of_all_rows_at_once(fitted, weighted):
    rules, X, y = fitted
    weight = np.random.default_rng(0).uniform(size=len(y)) * (np.arange(len(y)) >= 33) if weighted else None
    parts = [part for part in (X, y, weight) if part is not None]
    source = Chunks(lambda: (tuple(part[i : i + 33] for part in parts) for i in range(0, len(y), 33)))
    predicted = rules.predict(X)
    expected = (r2_score if rules.rule_list_.classes is None else accuracy_score)(y, predicted, sample_weight=weight)
    assert score(rules.rule_list_, source) == pytest.approx(expected)
    assert rules.score(source) == pytest.approx(rules.score(X, y, weight))


def test_a_score_needs_targets(fitted):
    rules, X, y = fitted
    with pytest.raises(InvalidDataError, match="score needs targets: pass y"):
        rules.score(X)
    with pytest.raises(InvalidDataError, match="has no targets"):
        rules.score(Chunks([X]))
    with pytest.raises(InvalidDataError, match="has its own targets"):
        rules.score(source_of(X, y), y)


@pytest.mark.parametrize(("said", "expected"), [(5.0, 1.0), (4.0, 0.0)])
def test_the_score_of_targets_that_are_all_equal_is_that_of_scikit_learn(said, expected):
    listed, X, y = RuleList((), Rule((), said), Inputs((Column(0, "a"),))), np.arange(6.0)[:, None], np.full(6, 5.0)
    assert r2_score(y, listed.predict(X)) == expected
    assert score(listed, Chunks(lambda: ((X[i : i + 2], y[i : i + 2]) for i in range(0, 6, 2)))) == expected


def test_rows_without_weight_have_no_score():
    listed, X = RuleList((), Rule((), 5.0), Inputs((Column(0, "a"),))), np.arange(6.0)[:, None]
    with pytest.raises(InvalidDataError, match="no rows of positive weight"):
        score(listed, Chunks(lambda: [(X, np.arange(6.0), np.zeros(6))]))
