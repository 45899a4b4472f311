"""The contents of a dossier fit the list, and what does not fit is refused."""

from dataclasses import replace

import pytest
from reports import evil_list, fitted
from rule_lists import KINDS

from hedgerow import InvalidDataError, InvalidParameterError, RuleList, RuleListClassifier
from hedgerow.constraints import MaxFeatures
from hedgerow.evidence import Check, check, stability
from hedgerow.exporters.html.dossier import summarize
from hedgerow.exporters.html.dossier.summary import fingerprint


def test_the_fingerprint_is_that_of_the_list_whatever_time_the_search_took():
    rules, _, _ = fitted()
    own = fingerprint(rules.rule_list_)
    assert own == fingerprint(RuleList.from_json(rules.rule_list_.to_json()))
    assert own == fingerprint(replace(rules.rule_list_, solution=replace(rules.rule_list_.solution, seconds=99.0)))
    assert own != fingerprint(replace(rules.rule_list_, constraints=("at most 2 features in all",)))


def test_conditions_have_the_price_of_what_the_list_would_be_without_them():
    _, X, y = fitted()
    plain = RuleListClassifier(max_rules=4, random_state=0).fit(X[:80], y[:80])
    rules = RuleListClassifier(max_rules=4, constraints=MaxFeatures(1), random_state=0).fit(X[:80], y[:80])
    (price,) = summarize(rules.rule_list_, estimator=rules).prices.prices
    assert price.objective == pytest.approx(plain.solution_.objective - rules.solution_.objective)
    assert summarize(plain.rule_list_, estimator=plain).prices is None
    assert summarize(rules.rule_list_).prices is None


def test_changes_are_those_of_the_list():
    rules, _, _ = fitted()
    changed = rules.resolve(forbid=rules.rule_list_[0].conditions[0].feature.name)
    assert summarize(changed.rule_list_, estimator=changed).edits == changed.rule_list_.edits
    assert len(changed.rule_list_.edits) == 1


def test_a_purpose_has_paragraphs():
    found = summarize(evil_list(), purpose=" Which claims\nare read first. \r\n\r\n\n Not for fraud.\n")
    assert found.purpose == ("Which claims are read first.", "Not for fraud.")


def test_wishes_are_priced_if_asked_for():
    rules, _, _ = fitted()
    assert summarize(rules.rule_list_, estimator=rules).wishes is None
    assert summarize(rules.rule_list_, estimator=rules, wishes=[{"max_rules": 2}]).wishes.prices[0].n_rules <= 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"check": True}, "check must be what hedgerow.evidence.check returned"),
        ({"stability": 50}, "stability must be what hedgerow.evidence.stability returned"),
        ({"created": "today"}, "created must be a datetime.date"),
        ({"estimator": RuleListClassifier()}, "has no rule_list_"),
        ({"y": [1, 2]}, "Targets were given without their samples"),
    ],
)
def test_what_does_not_fit_is_refused(given, message):
    with pytest.raises(InvalidParameterError, match=message):
        summarize(evil_list(), **given)


def test_an_estimator_with_another_list_is_refused():
    rules, X, y = fitted()
    other = RuleListClassifier(max_rules=2, random_state=0).fit(X[:80], y[:80])
    with pytest.raises(InvalidParameterError, match="a different rule list"):
        summarize(rules.rule_list_, estimator=other)


def test_an_unpickled_estimator_shows_what_it_knows():
    import pickle

    rules, X, y = fitted()
    found = summarize(rules.rule_list_, estimator=pickle.loads(pickle.dumps(rules)), X=X[:80], y=y[:80])
    assert dict(found.settings)["max_rules"] == "5"


def test_an_unpickled_estimator_needs_its_rows_for_prices():
    import pickle

    _, X, y = fitted()
    rules = RuleListClassifier(max_rules=4, constraints=MaxFeatures(1), random_state=0).fit(X[:80], y[:80])
    again = pickle.loads(pickle.dumps(rules))
    found = {one.anchor: one for one in summarize(rules.rule_list_, estimator=again).sections}
    assert not found["conditions"].is_there
    assert found["conditions"].says.endswith("pass estimator.with_rows(X, y)")
    for given in ({"estimator": again, "X": X[:80], "y": y[:80]}, {"estimator": again.with_rows(X[:80], y[:80])}):
        assert not summarize(rules.rule_list_, **given).prices.unknown


@pytest.mark.skipif("wildboar shapelets" not in KINDS, reason="wildboar is not installed")
def test_shapelets_that_rules_name_are_drawn():
    model, X, y = KINDS["wildboar shapelets"]()
    rules = RuleListClassifier(model, max_rules=6).fit(X, y).rule_list_
    named = {c.feature.name for rule in rules for c in rule.conditions}
    assert {name for name, _ in summarize(rules).pictures.shapelets} == named
    assert summarize(evil_list()).pictures is None


def test_tables_with_the_same_columns_are_shown_as_one():
    rules, X, y = fitted()
    both = {"X": X[:80], "y": y[:80], "X_test": X[80:], "y_test": y[80:]}
    assert summarize(rules.rule_list_, **both).same_columns
    assert not summarize(rules.rule_list_, **both | {"X_test": X[80:].assign(e=1)}).same_columns
    assert not summarize(rules.rule_list_, X=X[:80], y=y[:80]).same_columns


def test_stability_is_shown_as_it_is_given():
    rules, X, y = fitted()
    again = stability(rules, X[:80], y[:80], n=2)
    assert summarize(rules.rule_list_, stability=again).stability is again


def test_a_proof_or_resamples_of_another_list_are_refused():
    rules, X, y = fitted()
    other = RuleListClassifier(max_rules=2, random_state=0).fit(X[:80], y[:80])
    proven = check(other.to_json(certificate=True), X[:80], y[:80])
    assert proven
    with pytest.raises(InvalidParameterError, match="check is about another list"):
        summarize(rules.rule_list_, check=proven)
    with pytest.raises(InvalidParameterError, match="check does not tell which list it is about"):
        summarize(rules.rule_list_, check=Check(True, "proven"))
    again = stability(other, X[:80], y[:80], n=2)
    with pytest.raises(InvalidParameterError, match="stability is about another list"):
        summarize(rules.rule_list_, stability=again)
    assert summarize(other.rule_list_, check=proven, stability=again).check is proven


def test_a_list_from_json_has_the_check_of_the_list():
    rules, X, y = fitted()
    document = rules.to_json(certificate=True)
    proven = check(document, X[:80], y[:80])
    assert summarize(RuleList.from_json(document), check=proven).check is proven


def test_an_estimator_with_another_list_is_told_the_method_that_was_called():
    rules, X, y = fitted()
    other = RuleListClassifier(max_rules=2, random_state=0).fit(X[:80], y[:80])
    with pytest.raises(InvalidParameterError, match=r"rule_list_\.to_dossier"):
        summarize(rules.rule_list_, estimator=other)


@pytest.mark.parametrize("place", ["", "_test"])
def test_a_single_row_is_enough(place):
    rules, X, y = fitted()
    given = {f"X{place}": X[:1], f"y{place}": y[:1]}
    if place:
        assert summarize(rules.rule_list_, **given).tables[0].n_rows == 1
        return
    with pytest.warns(UserWarning, match="the list was learned from 80 rows, and these are 1"):
        assert summarize(rules.rule_list_, **given).tables[0].n_rows == 1


def test_targets_that_are_missing_are_refused_with_a_reason():
    rules, X, _ = fitted()
    with pytest.raises(InvalidDataError, match="y contains"):
        summarize(rules.rule_list_, X_test=X[80:], y_test=[None] * 40)
