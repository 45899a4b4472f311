"""A captured problem is the one that the estimator solves."""

from numpy.testing import assert_array_equal
from sklearn.ensemble import RandomForestClassifier

from benchmarks.instances.posing import posed, rows_of, there
from hedgerow import RuleListClassifier


def test_what_is_posed_is_what_fit_solves():
    X, y, _ = rows_of("sk-iris")
    forest = RandomForestClassifier(5, max_depth=2, random_state=0).fit(X, y)
    solved = RuleListClassifier(forest, max_rules=4, candidates="nodes").fit(X, y).problem_
    problem = posed(RuleListClassifier(forest, max_rules=4, candidates="nodes"), X, y)
    assert_array_equal(problem.scores, solved.scores)
    assert_array_equal(problem.coverage.matrix().toarray(), solved.coverage.matrix().toarray())


def test_embedded_and_drawn_sets_are_always_there():
    assert there("sk-wine", "sonar-like", "no such set") == ["sk-wine", "sonar-like"]
    assert rows_of("sonar-like", 1)[0].shape == (208, 60)
