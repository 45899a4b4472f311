"""What is not a rule list is refused, with an error that names the place; what was changed on purpose is taken."""

import json
from contextlib import contextmanager, suppress
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from json_documents import GONE, LIST, SCHEMA, changed, pattern, shapelet_list
from rule_lists import KINDS, make

from hedgerow import Condition, HedgerowError, InvalidDataError, Rule, RuleList
from hedgerow.features import Category, Column, Inputs, ShapeletDistance


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "JSON"),
        ("{'a': 1}", "JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": NaN}', "NaN"),
        ("9" * 5000, "JSON"),
        ('{"lower": 1, "lower": 2}', "an object has a member twice ... lower"),
        (b"\xff", "JSON"),
        (None, "not from NoneType. If it is in a file, pass its content"),
        ("[]", "not a rule list of hedgerow: it is not an object but of type list"),
        ("3", "not a rule list of hedgerow: it is not an object but of type int"),
        ('{"learner": {}}', 'its members are "learner". RuleList.to_json'),
        ('{"format": "pmml"}', 'its format is "pmml", not "hedgerow.rule_list"'),
        ("rules.json", "not valid JSON: ... 'rules.json' looks like the name of a file"),
        ("{}", 'not a rule list of hedgerow: it has no member "format"; it is empty'),
        (
            '{"format": "hedgerow.forest", "version": 1}',
            "not a rule list of hedgerow: it is a forest, which hedgerow.Forest.from_json reads",
        ),
        ('{"format": "hedgerow.rule_list"}', "version is missing"),
        ('{"format": "hedgerow.rule_list", "version": "1"}', "version ... of at least 1"),
        ('{"format": "hedgerow.rule_list", "version": 0}', "version ... of at least 1"),
        (
            '{"format": "hedgerow.rule_list", "version": 5}',
            "of version 5; this release of hedgerow reads versions up to 4. Upgrade hedgerow",
        ),
        ('{"format": "hedgerow.rule_list", "version": 1}', "classes is missing"),
    ],
)
def test_text_that_is_not_a_rule_list_is_refused(text, message):
    with pytest.raises(InvalidDataError, match=pattern(message)):
        RuleList.from_json(text)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("rules", GONE, "rules is missing"),
        ("rules", [], "rules ... a list of at least one rule"),
        ("rules", {}, "rules ... a list; got an object of 0"),
        ("rules.1.text", 3, "rules[1].text ... ; got 3"),
        ("rules.1.text", "if a > 3 then yes (100 %)", 'rules[1].text differs from the rule, which is "if a'),
        ("rules.1.prediction", "yes", "rules[1].text differs"),
        ("rules.1.conditions.0.lower", 3.5, "rules[1].text differs"),
        ("default.text", "otherwise no (55 %)", "default.text differs from the rule, which is"),
        ("rules.0.coverage", 7, "The rules cover 11 samples in total, but n_samples is 10"),
        ("rules.0.share", 0.7, "The shares of the rules must sum to 1; they sum to 1.1"),
        ("n_samples", 0, "The rules cover 10 samples in total, but n_samples is 0"),
        ("n_samples", 11, "The rules cover 10 samples in total, but n_samples is 11"),
        ("n_samples", 5, "rules[0].coverage ... of at least 0 and below 6; got 6"),
        ("solution.status", "optimal", "solution.status is optimal, but the bound is above the objective"),
        ("solution.chosen", [0], "solution.chosen has 1 rules, but the list has 2"),
        ("n_samples", 2.5, "n_samples ... of at least 0; got 2.5"),
        ("classes", ["no", "no"], "classes ... a list of ... labels"),
        ("classes", "no", 'classes ... a list; got "no"'),
        ("classes", [1, 2], "classes[0] ... ; got 1"),
        ("classes", None, "rules[0].prediction ... NaN"),
        ("class_dtype", "complex64", "class_dtype ... one of str, bool, object, int8"),
        ("class_dtype", GONE, "class_dtype is missing"),
        ("class_dtype", "bool", "classes[0] ... true or false"),
        ("solution.status", "good", "solution.status ... one of optimal, time_limit, interrupted"),
        ("solution.gap", 0.5, "solution.gap ... 0.25, given the objective and the bound; got 0.5"),
        ("solution.chosen", [-1], "solution.chosen[0] ... of at least 0"),
        ("solution.seconds", -1, "solution.seconds ... at least 0"),
        ("inputs", GONE, "inputs is missing"),
        ("inputs.dtype", "int8", "inputs.dtype ... one of float32, float64"),
        ("inputs.allows_missing", "no", "inputs.allows_missing ... true or false"),
        ("inputs.complete", [2], "inputs.complete[0] ... of at least 0 and below 2"),
        ("inputs.features.1", None, "inputs.features[1] ... an object; got null"),
        ("inputs.features.1.kind", "Row", "inputs.features[1].kind ... one of Column,"),
        ("inputs.features.1.index", 5, "inputs.features[1] ... 'b' ... column 5"),
        ("inputs.features.1.index", "1", "inputs.features[1].index ... got"),
        ("inputs.features.1.name", GONE, "inputs.features[1].name is missing"),
        ("inputs.features.1.unit", "kg", "inputs.features[1].unit is not known"),
        ("inputs.columns", [1, 2], "inputs.columns[0] ... ; got 1"),
        ("inputs.series", {"length": 3}, "inputs.series.n_dimensions is missing"),
        ("inputs.delicate", [[1]], "inputs.delicate[0]"),
        ("inputs.delicate", [[9, "f"]], "inputs.delicate ... 9 ... 2"),
        ("fallback", {}, "fallback: ... forest"),
        ("fallback", {"format": "hedgerow.forest", "version": 1}, "fallback: ... complete"),
        ("comment", "x", "comment is not known"),
    ],
)
def test_a_field_that_is_wrong_is_named(path, value, message):
    document = changed(json.loads(LIST.to_json()), path, value)
    with pytest.raises(InvalidDataError, match=pattern(message)):
        RuleList.from_json(json.dumps(document))
    if "fallback" not in path and "is missing" in message:
        assert not SCHEMA.is_valid(document)


def test_a_bound_below_the_objective_is_refused():
    document = json.loads(LIST.to_json())
    document["solution"] |= {"objective": 2.0, "bound": 1.5, "gap": -0.25}
    with pytest.raises(InvalidDataError, match=r"solution.bound .* at least the objective, 2\.0; got 1\.5"):
        RuleList.from_json(json.dumps(document))


def test_a_rule_changed_by_hand_is_taken_without_its_text():
    document = changed(json.loads(LIST.to_json()), "rules.0.conditions.0.upper", 7.5)
    del document["rules"][0]["text"]
    SCHEMA.validate(document)
    rules = RuleList.from_json(json.dumps(document))
    assert rules.predict([[7.0, 1.0]]).tolist() == ["yes"]
    assert json.loads(rules.to_json())["rules"][0]["text"] == "if a <= 7.5 then yes (75 %)"


def test_letters_that_only_newer_releases_of_python_print_do_no_harm():
    odd = Column(0, "a \U0001fae9")
    rule = Rule((Condition(odd, upper=5),), "yes", 1, 1.0, (0.25, 0.75))
    written = RuleList((rule,), LIST.default, Inputs((odd,)), LIST.classes, n_samples=1).to_json()
    document = json.loads(written)
    for name in ("a \U0001fae9", r"a \U0001fae9"):
        document["rules"][0]["text"] = f"if {name} <= 5 then yes (75 %)"
        assert RuleList.from_json(json.dumps(document)).to_json() == written


def test_labels_beyond_their_type_are_refused():
    document = json.loads(make("random forest", False)[0].to_json())
    with pytest.raises(InvalidDataError, match=r"classes .* a list of labels of .*type int8"):
        RuleList.from_json(json.dumps(document | {"classes": [0, 300], "class_dtype": "int8"}))


def names(document):
    return [feature["name"] for feature in document["inputs"]["features"]]


def test_columns_that_are_not_those_of_the_features_are_refused():
    document = json.loads(make("random forest", False)[0].to_json())
    first, second, *others = names(document)
    for columns, message in (
        ([second, first, *others], f"features[0] ... {first!r} ... {second!r}"),
        ([first, second, *others, first], "inputs.columns"),
    ):
        with pytest.raises(InvalidDataError, match=pattern(message)):
            RuleList.from_json(json.dumps(document | {"inputs": document["inputs"] | {"columns": columns}}))


@pytest.mark.parametrize("categories", [["a", True], ["a", 1], [True, 0], [1.5, "a"]])
def test_categories_of_several_types_are_refused(categories):
    color = Category(0, "color", ("a", "b"))
    rules = RuleList((Rule((Condition(color, categories=frozenset({0})),), 1.0),), Rule((), 0.0), Inputs((color,)))
    document = json.loads(rules.to_json())
    document["inputs"]["features"][0]["categories"] = categories
    del document["rules"][0]["text"]
    with pytest.raises(InvalidDataError, match="categories"):
        RuleList.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("metric", "dwt", "inputs.features[0] ... euclidean, manhattan,"),
        ("metric", "manhattan", "inputs.features[0] ... 'manhattan' ... 'r'"),
        ("metric_params", {"q": 1}, "inputs.features[0] ... 'dtw' ... 'q'"),
        ("metric_params", {"r": "wide"}, 'inputs.features[0].metric_params.r ... a finite number; got "wide"'),
        ("metric_params", [["r", 0.1]], "inputs.features[0].metric_params ... an object"),
    ],
)
def test_a_metric_that_is_wrong_is_named(path, value, message):
    feature = ShapeletDistance(0, (0.0, 1.0), "dtw", metric_params=(("r", 0.1),))
    document = changed(json.loads(shapelet_list(feature).to_json()), f"inputs.features.0.{path}", value)
    with pytest.raises(InvalidDataError, match=pattern(message)):
        RuleList.from_json(json.dumps(document))


def test_a_fallback_of_another_kind_is_refused():
    rules, _ = make("random forest", True)
    document = json.loads(rules.to_json())
    for change, message in (
        ({"fallback": json.loads(make("regression", True)[0].to_json())["fallback"]}, "fallback.classes differ"),
        ({"inputs": document["inputs"] | {"columns": [*names(document), "one", "more"]}}, "samples of another shape"),
    ):
        with pytest.raises(InvalidDataError, match=message):
            RuleList.from_json(json.dumps(document | change))


@cache
def documents():
    found = [(LIST.to_json(), np.array([[1.0, 1.0], [6.0, -1.0]]), False)]
    for kind, fallback in (
        ("random forest", True),
        ("regression", False),
        ("catboost", False),
        ("lightgbm", True),
        ("histogram boosting", False),
        ("pipeline", True),
        ("wildboar shapelets", False),
        ("aeon", True),
    ):
        if kind in KINDS:
            rules, X = make(kind, fallback)
            found.append((rules.to_json(), X[:5], fallback))
    # Without texts, or else these are what is refused.
    return [(json.dumps(without_texts(json.loads(text))), X, fallback) for text, X, fallback in found]


def without_texts(document):
    for rule in (*document["rules"], document["default"]):
        del rule["text"]
    return document


WRONG = st.one_of(
    st.sampled_from([None, -1, 0, 1, 2, 3, 10**30, -(10**30), 1.5, 1e300, "nan", "inf", "-inf", "x", "", True, False]),
    st.sampled_from([[], {}, [[0]], [None], [1, "a"], {"a": 1}, ["x", "x"], GONE]),
    st.integers(-5, 40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=3),
)


@contextmanager
def texts_as_samples_refused():
    try:
        yield
    except ValueError as error:
        if "could not convert string to float" not in str(error):
            raise


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_list_that_was_tampered_with_is_refused_or_predicts(data):
    text, X, fallback = data.draw(st.sampled_from(documents()))
    document = json.loads(text)
    here, path = document, []
    while isinstance(here, (dict, list)) and here:
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        path.append((here, key))
        here = here[key]
    container, key = path[data.draw(st.integers(0, len(path) - 1))]
    value = data.draw(WRONG)
    if value is GONE:
        del container[key]
    else:
        container[key] = value
    try:
        rules = RuleList.from_json(json.dumps(document))
    except HedgerowError:
        return
    if not fallback:  # what the reader of forests takes is for its own tests to say
        SCHEMA.validate(document)
    assert RuleList.from_json(rules.to_json()).to_json() == rules.to_json()
    # Samples that do not fit the changed inputs are refused, or are texts where numbers are looked at.
    with suppress(HedgerowError), np.errstate(all="ignore"), texts_as_samples_refused():
        assert len(rules.predict(X)) == len(rules.explain(X)) == len(X)
