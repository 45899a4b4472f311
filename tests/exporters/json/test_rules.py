"""A rule comes back from its record as it was; a record that does not fit is refused, and the error names the place."""

import json

import numpy as np
import pytest
from json_documents import GONE, LIST, SCHEMA, A, B, changed, pattern

from hedgerow import Condition, InvalidDataError, Rule, RuleList
from hedgerow._support.json_field import Field
from hedgerow.exporters.json.rules import read_rule, rule_record
from hedgerow.features import Category, HashedCategory, Inputs, WholeCategory

COLOR = Category(2, "color", ("red", "blue"), other=True)
INPUTS = Inputs((A, B, COLOR))
PLACES = {id(feature): i for i, feature in enumerate(INPUTS.features)}


@pytest.mark.parametrize(
    "rule",
    [
        Rule((), -0.5),
        Rule((Condition(B, lower=0.1, upper=1 / 3, missing=True),), 1e300, 3, 0.25, spread=0.0, tree=4, node=0),
        Rule((Condition(A, upper=np.inf), Condition(A, lower=-np.inf)), np.inf, 1, 1.0, kind="median"),
        Rule((Condition(COLOR, categories=frozenset({2, 0})),), 2.0, 1, 1.0),
        Rule((Condition(COLOR, categories=frozenset()),), 2.0, 1, 1.0),
    ],
    ids=str,
)
def test_a_rule_of_a_regression_comes_back(rule):
    record = json.loads(json.dumps(rule_record(rule, PLACES), allow_nan=False))
    assert read_rule(Field(record, "rule"), INPUTS, None, n_samples=3) == rule


def test_a_rule_of_labels_comes_back_with_the_share_of_its_own_class():
    # Not the largest share: the costs of errors may choose another class.
    rule = Rule((Condition(A, upper=np.float64(2)),), "no", np.int64(2), 0.5, (0.25, 0.75), class_share=0.25)
    record = json.loads(json.dumps(rule_record(rule, PLACES)))
    again = read_rule(Field(record, "rule"), INPUTS, np.array(["no", "yes"]), n_samples=4)
    assert again == rule
    assert again.class_share == 0.25
    del record["class_share"]
    assert read_rule(Field(record, "rule"), INPUTS, np.array(["no", "yes"]), n_samples=4) == rule


def test_the_share_among_the_samples_may_differ_from_what_is_predicted():
    rule = Rule((Condition(A, upper=2.0),), "no", 2, 0.5, (0.75, 0.25), class_share=1.0)
    record = json.loads(json.dumps(rule_record(rule, PLACES)))
    assert read_rule(Field(record, "rule"), INPUTS, np.array(["no", "yes"]), n_samples=4) == rule
    with pytest.raises(InvalidDataError, match="class_share"):
        read_rule(Field(record | {"class_share": 1.5}, "rule"), INPUTS, np.array(["no", "yes"]), n_samples=4)


def test_what_says_nothing_is_left_out_of_a_record():
    record = rule_record(Rule((Condition(B),), 1.0, 2, 0.5), PLACES)
    assert record["conditions"] == [{"feature": 1, "name": "b"}]
    assert not {"distribution", "spread", "kind"} & set(record)


@pytest.mark.parametrize("label", [True, 1, "1"], ids=repr)
def test_labels_that_python_takes_for_equal_are_told_apart(label):
    classes = np.array([label, "other"], dtype=object)
    shares = {"distribution": [1.0, 0.0], "conditions": [], "coverage": 1, "share": 1.0}
    assert read_rule(Field({"prediction": label} | shares), INPUTS, classes, 1).prediction is label
    for wrong in {True, "1", 1.5} - {label}:
        with pytest.raises(InvalidDataError, match="one of the classes"):
            read_rule(Field({"prediction": wrong} | shares), INPUTS, np.array([1, 2]), 1)


def test_only_the_default_may_leave_out_what_it_covers():
    record = {"prediction": 1.5}
    default = read_rule(Field(record, "default"), INPUTS, None, n_samples=3, is_default=True)
    assert default == Rule((), 1.5)
    with pytest.raises(InvalidDataError, match=r"rules\[0\]\.coverage is missing"):
        read_rule(Field(record | {"conditions": []}, "rules[0]"), INPUTS, None, n_samples=3)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("rules.0", 7, "rules[0] ... an object; got 7"),
        ("rules.0.conditions", GONE, "rules[0].conditions is missing"),
        ("rules.0.share", GONE, "rules[0].share is missing"),
        ("rules.0.share", 1.5, "rules[0].share ... between 0 and 1"),
        ("rules.0.coverage", -1, "rules[0].coverage ... of at least 0"),
        ("rules.0.coverage", 11, "rules[0].coverage ... of at least 0 and below 11; got 11"),
        ("rules.0.coverage", True, "rules[0].coverage ... got"),
        ("rules.1.prediction", "perhaps", 'rules[1].prediction ... one of the classes; got "perhaps"'),
        ("rules.1.prediction", ["no"], "rules[1].prediction ... a finite number, true or false"),
        ("rules.1.distribution", [1.0], "rules[1].distribution ... a list of 2 shares, one per class"),
        ("rules.1.distribution", [0.5, 0.4], "rules[1].distribution must sum to 1; it sums to 0.9"),
        ("rules.1.distribution", [1.5, -0.5], "rules[1].distribution[0] ... between 0 and 1"),
        ("rules.1.distribution", None, "rules[1].distribution ... a list; got null"),
        ("rules.1.distribution", GONE, "rules[1].distribution is missing"),
        ("rules.1.spread", -1, "rules[1].spread ... at least 0"),
        ("rules.1.tree", -2, "rules[1].tree ... of at least -1"),
        ("rules.1.comment", "x", "rules[1].comment is not known ... text, conditions,"),
        ("rules.0.coverage", 0, "rules[0].share is 0.6, but coverage is 0"),
        ("rules.1.conditions.1.feature", 2, "rules[1].conditions[1].feature ... of at least 0 and below 2"),
        ("rules.1.conditions.1.feature", -1, "rules[1].conditions[1].feature ... of at least 0"),
        ("rules.1.conditions.1.feature", 0, 'conditions[1].name ... the name of the feature, "a"; got "b"'),
        ("rules.1.conditions.1.lower", "nan", "rules[1].conditions[1].lower ... NaN"),
        ("rules.1.conditions.1.lower", "3", "rules[1].conditions[1].lower ... NaN"),
        ("rules.1.conditions.1.lower", 10**400, "rules[1].conditions[1].lower ... NaN"),
        ("rules.1.conditions.1.upper", -1, "rules[1].conditions[1].lower is above upper: 0.0 > -1.0"),
        ("rules.1.conditions.1.uper", 1, "rules[1].conditions[1].uper is not known"),
        ("rules.1.conditions.1.missing", 1, "rules[1].conditions[1].missing ... true or false; got 1"),
        ("rules.1.conditions.1.categories", [0], "categories is for features with categories; this one has none"),
        ("default.prediction", GONE, "default.prediction is missing"),
        ("default.distribution", [2, -1], "default.distribution[0] ... between 0 and 1"),
    ],
)
def test_a_field_that_is_wrong_is_named(path, value, message):
    document = changed(json.loads(LIST.to_json()), path, value)
    with pytest.raises(InvalidDataError, match=pattern(message)):
        RuleList.from_json(json.dumps(document))
    if "is missing" in message:
        assert not SCHEMA.is_valid(document)


def test_categories_that_do_not_fit_are_named():
    def listed(feature):
        rule = Rule((Condition(feature, categories=frozenset([0])),), 1.0, 1, 1.0)
        return json.loads(RuleList((rule,), Rule((), 0.0), Inputs((feature,))).to_json())

    whole, hashed = listed(WholeCategory(0, "store", (3, 7))), listed(HashedCategory.of(0, "color", [5, 6]))
    place = "inputs.features[0]"
    for document, path, value, message in (
        (whole, "inputs.features.0.categories", [3, 3], f"{place}.categories"),
        (whole, "inputs.features.0.categories", [7, 3], f"{place}.categories ... increasing"),
        (whole, "inputs.features.0.categories", [], f"{place}.categories ... increasing"),
        (whole, "inputs.features.0.categories", [None, 3], f"{place}.categories[0] ... a finite number"),
        (whole, "rules.0.conditions.0.categories", [2], "rules[0].conditions[0].categories[0] ... of at least 0"),
        (hashed, "inputs.features.0.hashes", [5], f"{place} ... 1 hashes for 2 categories"),
        (hashed, "rules.0.distribution", [1.0], "rules[0].distribution is for classes; this list has none"),
    ):
        with pytest.raises(InvalidDataError, match=pattern(message)):
            RuleList.from_json(json.dumps(changed(document, path, value)))
