"""The list of each budget is the one that an estimator with that budget finds."""

from reports import fitted
from rule_lists import numbers
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score

from hedgerow import RuleListClassifier, RuleListClassifierCV, budget_path
from hedgerow.exporters.html.report.budget_lists import try_budgets
from hedgerow.exporters.html.report.listing import Listing
from hedgerow.exporters.html.report.samples import Samples


def test_each_list_is_that_of_an_estimator_with_its_budget():
    rules, X, y = fitted()
    samples = [Samples("held-out", rules.rule_list_.evaluate(X[80:]), y[80:])]
    found = try_budgets(rules.rule_list_, rules, [5, 3], samples)
    assert [(one.budget, one.is_chosen) for one in found.lists] == [(3, False), (5, True)]
    assert found.score == "accuracy"
    for one in found.lists:
        alone = RuleListClassifier(rules.ensemble_, max_rules=one.budget, candidates="nodes").fit(X[:80], y[:80])
        assert one.listing == Listing.of(alone.rule_list_)
        assert one.scores == (("held-out", accuracy_score(y[80:], alone.predict(X[80:]))),)
        assert one.solution.objective == alone.solution_.objective


def test_samples_without_targets_have_no_score():
    rules, X, _ = fitted()
    (one,) = try_budgets(rules.rule_list_, rules, [4], [Samples("training", rules.rule_list_.evaluate(X))]).lists
    assert one.scores == ()


def test_budgets_without_a_list_are_named():
    X, y = numbers()
    rules = RuleListClassifier(RandomForestClassifier(3, max_depth=3, random_state=0), candidates="leaves").fit(X, y)
    found = try_budgets(rules.rule_list_, rules, [1, 8], [])
    assert [one.budget for one in found.lists] == [8]
    ((budget, reason),) = found.skipped
    assert budget == 1
    assert reason
    assert "budget 1 (" in rules.rule_list_.to_html(estimator=rules, budgets=[1, 8])


def test_an_estimator_gives_the_list_of_any_solution_of_its_problem():
    rules, X, y = fitted()
    assert rules.list_of(rules.solution_).rules == rules.rule_list_.rules
    (solution,) = budget_path(rules.problem_, [3])
    alone = RuleListClassifier(rules.ensemble_, max_rules=3, candidates="nodes").fit(X[:80], y[:80])
    assert rules.list_of(solution).rules == alone.rule_list_.rules
    by_folds = RuleListClassifierCV(rules.ensemble_, max_rules=[3, 4], cv=2).fit(X[:80], y[:80])
    assert by_folds.list_of(by_folds.solution_).rules == by_folds.rule_list_.rules
    assert try_budgets(by_folds.rule_list_, by_folds, [3], []).lists[0].listing == Listing.of(rules.list_of(solution))
