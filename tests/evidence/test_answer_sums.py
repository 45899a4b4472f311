"""Answers are added up row by row or part by part: what they come to is what others compute from all rows."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import r2_score
from sklearn.svm import SVC
from small_data import DIABETES, IRIS, small_forest

from hedgerow import RuleListClassifier, RuleListRegressor
from hedgerow.evidence.answer_sums import Answers, AnswerSums, Moments
from hedgerow.rules.evaluation import Evaluation
from hedgerow.sources import Chunks
from hedgerow.tasks import Labels, Numbers


def seen(fired, predicted):
    """Return what a list of two rules makes of some rows, of which each matches at most one."""
    found = Evaluation((), None, None, None, 4, np.empty((len(fired), 0)), {})
    vars(found).update(fired=np.array(fired), predictions=np.array(predicted), matches=np.eye(3)[fired, :2] == 1)
    return found


def test_rows_are_told_apart_by_rule_and_by_class():
    answers = AnswerSums(Labels(np.array(["a", "b"])))
    answers.add(Answers(seen([0, 0, 1, -1], list("aabb")), np.array(list("abbb")), None))
    assert {one.of: (one.n_samples, one.value) for one in answers.agreements} == {
        "all": (4, 0.75),
        "rule 1": (2, 0.5),
        "rule 2": (1, 1.0),
        "no rule": (1, 1.0),
        "class a": (1, 1.0),
        "class b": (3, pytest.approx(2 / 3)),
    }
    assert (answers.disagreement, answers.share("uncovered"), answers.share("overlapping")) == (0.25, 0.25, 0.0)
    numbers = AnswerSums(Numbers())
    numbers.add(Answers(seen([0, 0, 1, -1], [1.0, 2.0, 3.0, 4.0]), np.array([1.0, 0.0, 3.0, 5.0]), None))
    assert [(one.of, one.value) for one in numbers.agreements] == [
        ("all", 1.25),
        ("rule 1", 2),
        ("rule 2", 0),
        ("no rule", 1),
    ]


def test_moments_of_parts_are_those_of_all_numbers():
    rng = np.random.default_rng(0)
    values = 1e9 + rng.normal(size=1000)
    found = Moments()
    for part in np.split(values, [0, 1, 7, 7, 400]):
        found.add(part)
    assert found.n == 1000
    assert found.mean == pytest.approx(values.mean(), rel=1e-14)
    assert found.squares == pytest.approx(1000 * values.var(), rel=1e-6)
    assert np.isnan(Moments().mean)


def test_r2_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    y, predicted, expected = rng.normal(100, 1, (3, 50))
    answers = AnswerSums(Numbers())
    for rows in np.split(np.arange(50), [3, 20]):
        answers.add(Answers(seen([0] * len(rows), predicted[rows]), expected[rows], None, y[rows]))
    assert answers.score("rules") == pytest.approx(r2_score(y, predicted))
    assert answers.score("model") == pytest.approx(r2_score(y, expected))
    assert answers.r2 == pytest.approx(r2_score(expected, predicted))


def test_targets_that_are_all_the_same_have_the_r2_of_scikit_learn():
    for predicted in ([3.0, 3.0], [3.0, 4.0]):
        answers = AnswerSums(Numbers())
        answers.add(Answers(seen([0, 0], predicted), np.array([3.0, 3.0]), None, np.array([3.0, 3.0])))
        assert answers.score("rules") == r2_score([3.0, 3.0], predicted)
        assert np.isnan(answers.r2)
    one = AnswerSums(Numbers())
    one.add(Answers(seen([0], [3.0]), np.array([3.0]), None, np.array([3.0])))
    assert np.isnan(one.score("rules"))


@pytest.mark.parametrize("given", [True, False])
def test_fidelity_in_chunks_is_that_in_memory(given):
    X, y = DIABETES
    numbers = RuleListRegressor(
        RandomForestRegressor(9, max_depth=2, random_state=0), candidates="nodes", uncovered="ensemble"
    ).fit(X, y)
    labels = RuleListClassifier(small_forest(), max_rules=3).fit(*IRIS)
    for rules, (X, y) in ((numbers, DIABETES), (labels, IRIS)):
        parts = np.array_split(np.arange(len(y)), 7)
        source = Chunks([(X[part], y[part]) if given else (X[part],) for part in parts])
        expected, found = vars(rules.fidelity(X, y if given else None)), vars(rules.fidelity(source))
        for name in expected:
            if name == "agreements":
                assert [vars(one) for one in found[name]] == [
                    {k: v if isinstance(v, str) else pytest.approx(v) for k, v in vars(one).items()}
                    for one in expected[name]
                ]
            else:
                assert found[name] == (
                    expected[name] if isinstance(expected[name], str) else pytest.approx(expected[name])
                )


def test_a_model_without_trees_is_asked_about_each_chunk():
    X, y = IRIS
    rules = RuleListClassifier.faithful(SVC().fit(X, y), max_rules=3, random_state=0).fit(X, y)
    source = Chunks([(X[start : start + 40], y[start : start + 40]) for start in range(0, 150, 40)])
    assert str(rules.fidelity(source)) == str(rules.fidelity(X, y))
