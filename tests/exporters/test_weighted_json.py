"""Weighted rules saved to JSON answer as before; what does not fit together is refused."""

import json
import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from numpy.testing import assert_array_equal
from referencing import Registry, Resource
from test_to_json import GONE, changed, strictly
from test_weighted_programs import CASES, SUM, A, B, drawn_weighted_rules, fitted, rows_for, tables

from hedgerow import Condition, HedgerowError, InvalidDataError, InvalidParameterError, Rule, RuleList
from hedgerow.baselines import RuleFitClassifier, WeightedRules
from hedgerow.features import Category, Inputs

OF_LISTS, OF_WEIGHTED = (
    json.loads((files("hedgerow.exporters") / f"{name}.schema.json").read_text())
    for name in ("rule_list", "weighted_rules")
)
KNOWN = Registry().with_resource(OF_LISTS["$id"], Resource.from_contents(OF_LISTS))
SCHEMA = Draft202012Validator(OF_WEIGHTED, registry=KNOWN)
CLASSES = replace(
    SUM,
    rules=(
        Rule((Condition(A, upper=5),), "yes", 6, 0.6, (0.25, 0.75)),
        Rule((Condition(B, lower=0, missing=True),), "no", 4, 0.4, (1.0, 0.0)),
    ),
    classes=np.array(["no", "yes"]),
    link="logistic",
    n_samples=10,
)
SHARES = np.array([[0.75], [0.0]])


def check_round_trip(rules, X):
    text = rules.to_json()
    SCHEMA.validate(strictly(text))
    again = WeightedRules.from_json(text)
    assert again.to_json() == text
    assert strictly(rules.to_json(indent=2)) == strictly(text)
    assert again.to_text() == rules.to_text()
    assert again.to_records() == rules.to_records()
    assert repr(again) == repr(rules)
    assert again.feature_importances() == rules.feature_importances()
    for method in (
        "matches",
        "decision_function",
        "predict",
        *(["predict_proba"] if rules.classes is not None else []),
    ):
        said, expected = (answers(getattr(of, method), X) for of in (again, rules))
        assert_array_equal(said, expected)  # bit by bit
        assert getattr(said, "dtype", None) == getattr(expected, "dtype", None)


def answers(method, X):
    try:
        return method(X)
    except HedgerowError as error:
        return str(error)


@pytest.mark.parametrize(("method", "name"), CASES, ids=lambda value: getattr(value, "__name__", value))
def test_rules_of_every_baseline_come_back(method, name):
    rules = fitted(method, name)
    for rows in (tables()[name][0], rows_for(rules)):
        check_round_trip(rules, rows)


@given(drawn_weighted_rules())
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_drawn_rules_come_back(rules):
    if rules.classes is not None:
        # A share that is drawn need not be that of the answer; a file holds only that.
        labels = rules.classes.tolist()
        share_of = {id(rule): rule.distribution[labels.index(rule.prediction)] for rule in rules}
        rules = replace(rules, rules=tuple(replace(rule, class_share=share_of[id(rule)]) for rule in rules))
    if rules.combination == "mean":
        # What is averaged is what the rules answer.
        inside = [[rule.prediction] if rules.classes is None else rule.distribution for rule in rules]
        rules = replace(rules, inside=np.array(inside, dtype=float)[:, -rules.inside.shape[1] :])
    check_round_trip(rules, rows_for(rules))


def test_no_rules_at_all_come_back():
    none = WeightedRules((), *[np.empty((0, 1))] * 3, np.array([3.5]), Inputs((A, B)))
    check_round_trip(none, np.zeros((2, 2)))
    three = WeightedRules((), *[np.empty((0, 3))] * 3, np.array([0.2, 0.5, 0.3]), Inputs((A, B)), np.arange(3))
    check_round_trip(three, [[0.0, 1.0]])


def test_linear_terms_come_back_with_values_in_double_precision():
    check_round_trip(SUM, np.array([[0.0, 2.0 + 1e-12], [np.nan, np.nan], [0.1, 1e300]]))


def test_a_rule_list_and_weighted_rules_are_not_mixed_up():
    with pytest.raises(InvalidDataError, match=r"^format is .* in a rule list; got .*WeightedRules.from_json reads"):
        RuleList.from_json(SUM.to_json())
    listed = RuleList(CLASSES.rules, Rule((), "no", distribution=(1.0, 0.0)), CLASSES.inputs, CLASSES.classes)
    with pytest.raises(InvalidDataError, match=r'format is "hedgerow.weighted_rules" in a document of weighted rules'):
        WeightedRules.from_json(listed.to_json())


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            "version",
            2,
            "The document of weighted rules is of version 2; this release of hedgerow reads versions up to 1",
        ),
        ("rules", GONE, "rules is missing"),
        ("rules.0.rule", GONE, "rules[0].rule is missing"),
        ("rules.0.weight", 1.5, "rules[0].weight is a list; got 1.5"),
        ("rules.0.weight", [1.5, 2.5], "rules[0].weight is a list of 1 numbers, one an output"),
        ("rules.0.inside", ["inf"], 'rules[0].inside[0] is a finite number; got "inf"'),
        ("rules.0.outside", [True], "rules[0].outside[0] is a finite number; got true"),
        ("rules.0.comment", "x", "rules[0].comment is not known here; known are weight, inside, outside, rule"),
        ("rules.1.rule.prediction", "perhaps", "rules[1].rule.prediction is one of the classes"),
        ("rules.1.rule.coverage", 11, "rules[1].rule.coverage is a whole number of at least 0 and below 11"),
        ("rules.1.rule.conditions.0.name", "a", 'rules[1].rule.conditions[0].name is the name of the feature, "b"'),
        ("rules.1.rule.conditions.0.lower", 1, "rules[1].rule.text says something else than the rule"),
        ("intercept", [], "intercept is a list of 1 numbers, one an output"),
        ("combination", "median", "combination is one of sum, mean"),
        ("link", "probit", "link is one of identity, logistic"),
        ("classes", ["yes"], "classes is a list of at least two labels, or null"),
        ("linear.0.feature", 2, "linear[0].feature is a whole number of at least 0 and below 2"),
        ("linear.0.name", "a", 'linear[0].name is the name of the feature, "b"'),
        ("linear.0.high", -2, "linear[0].high is at least low, -1.0; got -2"),
        ("linear.0.spread", -1, "linear[0].spread is at least 0"),
        ("linear.0.slope", [1, 2], "linear[0].slope is a list of 1 numbers"),
        ("linear.0.text", "b", "linear[0].text is not known here"),
        ("comment", "x", "comment is not known here"),
    ],
)
def test_what_was_tampered_with_is_refused(path, value, message):
    document = changed(json.loads(CLASSES.to_json()), path, value)
    with pytest.raises(InvalidDataError, match=re.escape(message)):
        WeightedRules.from_json(json.dumps(document))


def test_what_has_no_mean_and_what_is_no_share_is_refused():
    for wrong, message in (
        (
            replace(CLASSES, combination="mean", inside=SHARES, linear=()),
            r"rules\[1\].weight is a list of numbers of at least 0",
        ),
        (
            replace(SUM, combination="mean", weights=np.ones((2, 1)), linear=()),
            r"rules\[1\].inside is what the rule ans",
        ),
        (
            replace(SUM, combination="mean", weights=np.ones((2, 1)), inside=np.array([[1.0], [2.0]])),
            "linear is an empty list in a mean",
        ),
        (replace(SUM, link="logistic"), 'link is "identity" in a regression'),
        (replace(SUM, intercept=np.array([np.nan])), "has no form in JSON"),
    ):
        with pytest.raises(InvalidDataError, match=message):
            wrong.to_json()
    kind = Category(1, "b", ("x", "y"))
    on_categories = replace(SUM.linear[0], feature=kind)
    with pytest.raises(InvalidDataError, match=r"linear\[0\].feature has categories, which no slope is for"):
        WeightedRules(
            SUM.rules[:1], *[np.ones((1, 1))] * 3, np.zeros(1), Inputs((A, kind)), linear=(on_categories,)
        ).to_json()
    with pytest.raises(InvalidParameterError, match="indent is a number of spaces"):
        SUM.to_json(indent=-1)


def test_the_schema_refuses_what_the_reader_refuses():
    fine = json.loads(fitted(RuleFitClassifier, "two").to_json())
    assert SCHEMA.is_valid(fine)
    for path, value in (
        ("rules.0.weight", "heavy"),
        ("rules.0.rule.share", 2),
        ("link", "probit"),
        ("classes", None),
        ("inputs", {}),
        ("linear", None),
    ):
        assert not SCHEMA.is_valid(changed(fine, path, value))
