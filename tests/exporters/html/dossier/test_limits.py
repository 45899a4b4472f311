"""What a dossier lacks is said, in the contents and among the limits."""

from dataclasses import replace

import pytest
from reports import evil_list, fitted

from hedgerow.evidence import check
from hedgerow.exporters.html.dossier import summarize


def states(dossier):
    return {one.anchor: (one.is_there, one.says) for one in dossier.sections}


def test_a_bare_list_lacks_nearly_everything():
    found = states(summarize(evil_list()))
    there = {anchor for anchor, (is_there, _) in found.items() if is_there}
    assert there == {"rules", "conditions", "baseline", "limits", "changes"}
    assert found["proof"][1] == "none: the list was not chosen by an integer program"
    assert found["purpose"][1] == "not stated"
    assert any("not tested on rows" in text for text in summarize(evil_list()).limits)


def test_everything_that_is_given_is_there():
    rules, X, y = fitted()
    dossier = summarize(
        rules.rule_list_, estimator=rules, X=X[:80], y=y[:80], X_test=X[80:], y_test=y[80:], purpose="p"
    )
    found = states(dossier)
    assert {anchor for anchor, (is_there, _) in found.items() if not is_there} == {"stability"}
    assert found["data"][1] == "training: 80 rows, held-out: 40 rows"
    assert "on 40 held-out rows" in found["validation"][1]
    assert not any("not tested on rows" in text for text in dossier.limits)
    assert any("another sample" in text for text in dossier.limits)


def test_training_rows_are_not_taken_for_a_validation():
    rules, X, y = fitted()
    with pytest.warns(UserWarning, match="These seem to be the training rows"):
        dossier = summarize(rules.rule_list_, X_test=X[:80], y_test=y[:80])
    assert states(dossier)["validation"] == (False, "on the training rows, which says nothing about new ones")
    assert any("tested on the rows that it was learned from only" in text for text in dossier.limits)


def test_the_verdict_of_the_checker_is_told():
    rules, X, y = fitted()
    document = rules.to_json(certificate=True)
    proven, refused = check(document, X[:80], y[:80]), check(document, X[:79], y[:79])
    assert states(summarize(rules.rule_list_, check=proven))["proof"][1] == "proven optimal; checked again: proven"
    dossier = summarize(rules.rule_list_, check=refused)
    assert states(dossier)["proof"] == (False, "refused when it was checked again: do not rely on it")
    assert any("Nothing here shows that the list is optimal" in text for text in dossier.limits)
    assert not any("not checked again" in text for text in summarize(rules.rule_list_, check=proven).limits)


@pytest.mark.parametrize("status", ["time_limit", "alternative"])
def test_a_list_that_is_not_proven_says_so(status):
    rules, _, _ = fitted()
    solution = replace(rules.rule_list_.solution, status=status, bound=9.0)
    dossier = summarize(replace(rules.rule_list_, solution=solution))
    assert states(dossier)["proof"][1] == "not proven optimal; not checked again here"
    assert any("a better one may exist" in text for text in dossier.limits)


def test_conditions_without_their_prices_are_a_gap():
    rules, _, _ = fitted()
    dossier = summarize(replace(rules.rule_list_, constraints=("at most 2 features in all",)))
    assert states(dossier)["conditions"] == (False, "1 condition, their prices need the estimator")
    assert "What the conditions cost is not known." in dossier.limits


def test_other_rows_than_those_of_training_are_a_fault():
    rules, X, y = fitted()
    with pytest.warns(UserWarning, match="the list was learned from 80 rows, and these are 40"):
        found = states(summarize(rules.rule_list_, X=X[80:], y=y[80:]))
    assert found["data"][0] is found["baseline"][0] is False
    assert found["data"][1].startswith("the training rows are not those that the list was learned from")
