"""A rule list saved to JSON answers as before, without the libraries it came from; what is no rule list is refused."""

import copy
import json
import pickle
import re
import subprocess
import sys
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from numpy.testing import assert_array_equal
from rule_lists import KINDS, drawn_lists, make, numbers
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

from hedgerow import (
    Condition,
    HedgerowError,
    InvalidDataError,
    InvalidParameterError,
    Rule,
    RuleList,
    RuleListClassifier,
    RuleListRegressor,
    Solution,
    read_forest,
)
from hedgerow.features import (
    Category,
    Column,
    ColumnWithBlank,
    ColumnWithGap,
    HashedCategory,
    Inputs,
    SeriesInputs,
    ShapeletDistance,
    WholeCategory,
)
from hedgerow.features.shapelet_metrics import METRICS
from hedgerow.losses import cost_matrix

SCHEMA = Draft202012Validator(json.loads((files("hedgerow.exporters.json") / "rule_list.schema.json").read_text()))
A, B = Column(0, "a"), Column(1, "b")
LIST = RuleList(
    rules=(
        Rule((Condition(A, upper=5),), "yes", 6, 0.6, (0.25, 0.75), tree=3, node=2),
        Rule((Condition(A, lower=3), Condition(B, lower=0, missing=True)), "no", 4, 0.4, (1.0, 0.0)),
    ),
    default=Rule((), "yes", distribution=(0.45, 0.55)),
    inputs=Inputs((A, B)),
    classes=np.array(["no", "yes"]),
    n_samples=10,
    solution=Solution(np.array([0, 1]), 1.5, 2.0, "time_limit", 0.1),
)


def strictly(text):
    """What a parser says that knows no Infinity and no NaN."""
    return json.loads(text, parse_constant=lambda token: pytest.fail(f"{token} is not JSON"))


def check_round_trip(rules, X):
    text = rules.to_json()
    SCHEMA.validate(strictly(text))
    again = RuleList.from_json(text)
    assert again.to_json() == text
    assert strictly(rules.to_json(indent=2)) == strictly(text)
    assert RuleList.from_json(rules.to_json(indent=0)).to_json() == text
    check_same(again, rules, X)
    return again


def check_same(again, rules, X):
    assert_array_equal(again.apply(X), rules.apply(X))
    assert_array_equal(again.matches(X), rules.matches(X))
    assert_array_equal(again.predict(X), rules.predict(X))
    assert again.predict(X).dtype == rules.predict(X).dtype
    assert again.explain(X) == rules.explain(X)
    assert again.to_text() == rules.to_text()
    assert again.to_records() == rules.to_records()
    assert repr(again) == repr(rules)
    assert [rule.conditions for rule in again] == [rule.conditions for rule in rules]
    for name in ("dtype", "allows_missing", "allows_infinity", "has_names", "columns", "absent", "delicate", "names"):
        assert getattr(again.inputs, name) == getattr(rules.inputs, name)
    assert [(rule.tree, rule.node) for rule in again] == [(rule.tree, rule.node) for rule in rules]
    if rules.classes is not None:
        assert_array_equal(again.predict_proba(X), rules.predict_proba(X))  # bit by bit
        assert again.classes.dtype == rules.classes.dtype
        assert again.classes.tolist() == rules.classes.tolist()


@pytest.mark.parametrize("fallback", [False, True], ids=["default", "ensemble"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_every_library_comes_back(kind, fallback):
    rules, X = make(kind, fallback)
    again = check_round_trip(rules, X)
    assert (again.fallback is not None) == fallback
    assert_array_equal(again.solution.chosen, rules.solution.chosen)
    assert (again.solution.objective, again.solution.bound) == (rules.solution.objective, rules.solution.bound)
    assert (again.solution.status, again.solution.seconds) == (rules.solution.status, rules.solution.seconds)


def test_what_a_rule_answers_other_than_majority_and_mean_comes_back():
    X, y = numbers()
    costs = RuleListClassifier(max_rules=3, loss=cost_matrix([[0, 1], [50, 0]]), random_state=0).fit(X, y).rule_list_
    assert "least cost" in check_round_trip(costs, X).to_text()
    median = RuleListRegressor(max_rules=3, candidates="nodes", loss="mae", random_state=0).fit(X, X[:, 0]).rule_list_
    assert "median" in check_round_trip(median, X).to_text()


@given(drawn_lists())
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_drawn_lists_come_back(drawn):
    check_round_trip(*drawn)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["no", 'the "yes"\n']),
        np.array(["no", "ja €"], dtype=object),
        np.array([-1, 1]),
        np.array([0, 255], dtype=np.uint8),
        np.array([0, 2**63], dtype=np.uint64),
        np.array([-3, 7], dtype=np.int32),
        np.array([False, True]),
        np.array([0.1, 2.0]),
        np.array([0.1, 2.0], dtype=np.float32),
        np.array(["1", 1], dtype=object),
        np.array([np.int64(3), 2.5], dtype=object),
    ],
    ids=lambda labels: f"{labels.dtype}-{labels[1]!r}",
)
def test_labels_keep_their_type(labels):
    no, yes = labels.tolist()
    rules = tuple(
        Rule(rule.conditions, {"no": no, "yes": yes}[rule.prediction], rule.coverage, rule.share, rule.distribution)
        for rule in LIST
    )
    odd = RuleList(rules, Rule((), yes, distribution=(0.5, 0.5)), LIST.inputs, labels)
    again = check_round_trip(odd, np.array([[1.0, 1.0], [6.0, 1.0], [6.0, -1.0]]))
    said = again.predict([[1.0, 1.0], [6.0, 1.0]]).tolist()
    assert [isinstance(label, str) for label in said] == [isinstance(label, str) for label in (yes, no)]


def test_labels_without_a_form_in_json_are_refused():
    for labels in (np.array([b"no", b"yes"]), np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]")):
        with pytest.raises(InvalidDataError, match="have no form in JSON"):
            RuleList(LIST.rules, LIST.default, LIST.inputs, labels).to_json()


def test_infinity_and_nan_are_legal_json():
    blank = ColumnWithGap(0, "a", -np.inf, -5.0)
    never = Rule((Condition(blank, lower=np.inf, missing=True),), -np.inf, 1, 0.5, spread=np.inf)
    always = Rule((Condition(blank, upper=-np.inf), Condition(blank, lower=-np.inf)), 1.0, 1, 0.5, spread=5e-324)
    proof = Solution(np.array([0, 3]), 1.0, np.inf, "time_limit", 0.0)
    odd = RuleList((never, always), Rule((), -0.0), Inputs((blank,), allows_missing=True, allows_infinity=True))
    proved = RuleList(odd.rules, odd.default, odd.inputs, n_samples=2, solution=proof)
    again = check_round_trip(proved, np.array([[np.nan], [1.0]]))
    assert again.rules == odd.rules
    assert np.signbit(again.default.prediction)
    assert again.solution.bound == np.inf
    nan = ColumnWithBlank(0, "a", blank=np.nan)
    text = RuleList((Rule((Condition(nan, upper=1.0),), 1.0, 1, 1.0),), odd.default, Inputs((nan,))).to_json()
    assert strictly(text)["inputs"]["features"][0]["blank"] == "nan"
    assert RuleList.from_json(text).predict([[0.0], [2.0]]).tolist() == [1.0, 0.0]


# Without the libraries

PROGRAM = """
import sys

class Blocked:
    names = sys.argv[2].split()

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
import json
from pathlib import Path
import numpy as np
from hedgerow import RuleList

for path in Path(sys.argv[1]).glob("*.json"):
    rules = RuleList.from_json(path.read_text())
    X = np.load(path.with_suffix(".npy"), allow_pickle=True)  # texts beside numbers
    said = {"predict": rules.predict(X).tolist(), "apply": rules.apply(X).tolist(), "explain": rules.explain(X)}
    said["shares"] = None if rules.classes is None else rules.predict_proba(X).tolist()
    path.with_suffix(".said").write_text(json.dumps(said))
assert not set(Blocked.names) & set(sys.modules)
"""
BLOCKED = "wildboar aeon sktime numba stumpy pandas polars xgboost lightgbm catboost matplotlib jsonschema treelite"


def as_array(kind, X):
    """The samples as they are without pandas; categories by their codes for libraries that take these."""
    if kind in ("xgboost", "lightgbm"):
        X = X.assign(color=X["color"].cat.codes)
    return np.asarray(X)


def test_a_rule_list_saved_to_json_predicts_without_the_libraries(tmp_path):
    expected = {}
    for kind, fallback in product(KINDS, (False, True)):
        (rules, X), name = make(kind, fallback), f"{kind}-{fallback}"
        X = as_array(kind, X)
        (tmp_path / f"{name}.json").write_text(rules.to_json())
        np.save(tmp_path / f"{name}.npy", X)
        said = {"predict": rules.predict(X).tolist(), "apply": rules.apply(X).tolist(), "explain": rules.explain(X)}
        expected[name] = said | {"shares": None if rules.classes is None else rules.predict_proba(X).tolist()}
    subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path), BLOCKED], check=True)
    assert {name: json.loads((tmp_path / f"{name}.said").read_text()) for name in expected} == expected


def test_of_all_features_of_series_only_those_of_the_rules_are_written():
    rules, _ = make("sktime", False)
    used = {condition.feature for rule in rules for condition in rule.conditions}
    again = RuleList.from_json(rules.to_json())
    assert set(again.inputs.features) == used
    assert len(rules.inputs.features) > len(used)


def shapelet_list(*features):
    rules = tuple(Rule((Condition(feature, upper=1.5),), 1.0, 2, 0.5) for feature in features)
    return RuleList(rules, Rule((), 0.0), SeriesInputs(features, np.float64, n_dimensions=2, length=8))


def test_metrics_and_their_parameters_are_kept():
    rules = shapelet_list(
        ShapeletDistance(0, (0.0, 1.0)),
        ShapeletDistance(0, (0.0, 1.0), "dtw", "dist(x0, s2; dtw)"),
        ShapeletDistance(1, (0.0, 0.1), "scaled_adtw", metric_params=(("r", 0.1), ("p", 1 / 3))),
    )
    document = json.loads(rules.to_json())
    SCHEMA.validate(document)
    records = document["inputs"]["features"]
    assert [record.get("metric_params") for record in records] == [None, None, {"p": 1 / 3, "r": 0.1}]
    again = RuleList.from_json(rules.to_json())
    assert again.inputs.features == rules.inputs.features
    assert again.to_json() == rules.to_json()


def test_the_schema_knows_all_metrics():
    for metric, parameters in METRICS.items():
        feature = ShapeletDistance(0, (0.0, 1.0), metric, metric_params=tuple((name, 0.5) for name in parameters))
        SCHEMA.validate(json.loads(shapelet_list(feature).to_json()))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("metric", "dwt", "inputs.features[0]: A metric is one of euclidean, manhattan,"),
        ("metric", "manhattan", "inputs.features[0]: The metric 'manhattan' has no parameters; got 'r'"),
        ("metric_params", {"q": 1}, "inputs.features[0]: The metric 'dtw' has the parameters r; got 'q'"),
        ("metric_params", {"r": "wide"}, 'inputs.features[0].metric_params.r is a finite number; got "wide"'),
        ("metric_params", [["r", 0.1]], "inputs.features[0].metric_params is an object"),
    ],
)
def test_a_metric_that_is_wrong_is_named(path, value, message):
    feature = ShapeletDistance(0, (0.0, 1.0), "dtw", metric_params=(("r", 0.1),))
    document = changed(json.loads(shapelet_list(feature).to_json()), f"inputs.features.0.{path}", value)
    with pytest.raises(InvalidDataError, match=re.escape(message)):
        RuleList.from_json(json.dumps(document))


# What cannot be written


def forest_of_a_pipeline_with_pca():
    steps = make_column_transformer((PCA(1), [0, 1]), ("passthrough", [2, 3]))
    X, y = numbers()
    model = make_pipeline(steps, RandomForestClassifier(5, max_depth=2, random_state=0)).fit(X, y)
    with pytest.warns(UserWarning, match="pca"):
        return read_forest(model), X


def test_what_a_step_computes_cannot_be_written_but_does_no_harm_if_no_rule_uses_it():
    forest, X = forest_of_a_pipeline_with_pca()
    (computed,) = (feature for feature in forest.features if "pca" in feature.name)
    plain = next(feature for feature in forest.features if "pca" not in feature.name)
    default = Rule((), 0, distribution=(1.0, 0.0))

    def listed(feature, fallback=None):
        rule = Rule((Condition(feature, upper=0.0),), 1, 1, 1.0, (0.0, 1.0))
        return RuleList((rule,), default, forest.inputs, np.array([0, 1]), fallback=fallback)

    for bad in (listed(computed), listed(plain, forest)):
        with pytest.raises(InvalidDataError, match=f"{computed.name} cannot be written as JSON.*or apply that step"):
            bad.to_json()
    check_round_trip(listed(plain), X)


def test_a_list_made_by_hand_that_does_not_fit_together_is_not_written():
    for rule, message in (
        (Rule(LIST[0].conditions, "perhaps", 1, 0.1, (0.5, 0.5)), r"rules\[0\].prediction is one of the classes"),
        (Rule(LIST[0].conditions, "yes", 1, 0.1, (0.5, 0.4)), r"rules\[0\].distribution must sum to 1"),
        (Rule((Condition(A, lower=np.nan),), "yes", 1, 0.1, (0.5, 0.5)), r"conditions\[0\].lower is a number"),
        (Rule((Condition(Column(1, "z")),), "yes", 1, 0.1, (0.5, 0.5)), "A rule uses z, which is not among"),
        (Rule(LIST[0].conditions, "yes", 1, np.nan, (0.5, 0.5)), "share"),
        (Rule(LIST[0].conditions, "yes", 1, 0.1, (np.nan, 0.5)), "distribution"),
    ):
        with pytest.raises(InvalidDataError, match=message):
            RuleList((rule,), LIST.default, LIST.inputs, LIST.classes).to_json()
    for indent in (-1, "  ", True):
        with pytest.raises(InvalidParameterError, match="indent must be a number of spaces"):
            LIST.to_json(indent=indent)


def test_a_category_without_a_form_in_json_is_refused():
    for odd in (pd.Timestamp("2020-01-01"), np.inf):
        feature = Category(0, "day", (odd,))
        rule = Rule((Condition(feature, categories=frozenset([0])),), 1.0, 1, 1.0)
        with pytest.raises(InvalidDataError, match="has no form in JSON"):
            RuleList((rule,), Rule((), 0.0), Inputs((feature,))).to_json()


def test_copies_and_equal_features_are_found_among_the_inputs():
    rules, _ = make("aeon", False)
    for copied in (copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert copied.to_json() == rules.to_json()
    other = RuleList(LIST.rules, LIST.default, Inputs((Column(0, "a"), Column(1, "b"))), LIST.classes)
    check_round_trip(other, np.zeros((1, 2)))


# What cannot be read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "This is no JSON"),
        ("{'a': 1}", "This is no JSON"),
        ("[" * 100_000, "no JSON that can be read: it is nested too deeply"),
        ('{"a": NaN}', "no JSON: NaN is no number there"),
        ("9" * 5000, "This is no JSON"),
        ('{"lower": 1, "lower": 2}', "This is no JSON: an object has a member twice, of lower"),
        (b"\xff", "This is no JSON"),
        (None, "read from text, not from NoneType. Read the file first"),
        ("[]", "The document is an object; got a list of 0"),
        ("3", "The document is an object; got 3"),
        ("{}", "format is missing"),
        (
            '{"format": "hedgerow.forest", "version": 1}',
            'format is "hedgerow.rule_list" in a rule list; got "hedgerow.',
        ),
        ('{"format": "hedgerow.rule_list"}', "version is missing"),
        ('{"format": "hedgerow.rule_list", "version": "1"}', "version is a whole number of at least 1"),
        ('{"format": "hedgerow.rule_list", "version": 0}', "version is a whole number of at least 1"),
        (
            '{"format": "hedgerow.rule_list", "version": 2}',
            "of version 2; this release of hedgerow reads versions up to 1. Upgrade hedgerow",
        ),
        ('{"format": "hedgerow.rule_list", "version": 1}', "classes is missing"),
    ],
)
def test_text_that_is_no_rule_list_is_refused(text, message):
    with pytest.raises(InvalidDataError, match=re.escape(message)):
        RuleList.from_json(text)


GONE = object()


def changed(document, path, value):
    """The document with the value at the path, or without it."""
    document, keys = copy.deepcopy(document), [int(k) if k.isdigit() else k for k in path.split(".")]
    here = document
    for key in keys[:-1]:
        here = here[key]
    if value is GONE:
        del here[keys[-1]]
    else:
        here[keys[-1]] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("rules", GONE, "rules is missing"),
        ("rules", [], "rules is a list of at least one rule"),
        ("rules", {}, "rules is a list; got an object of 0"),
        ("rules.0", 7, "rules[0] is an object; got 7"),
        ("rules.0.conditions", GONE, "rules[0].conditions is missing"),
        ("rules.0.share", GONE, "rules[0].share is missing"),
        ("rules.0.share", 1.5, "rules[0].share is between 0 and 1"),
        ("rules.0.coverage", -1, "rules[0].coverage is a whole number of at least 0"),
        ("rules.0.coverage", 11, "rules[0].coverage is a whole number of at least 0 and below 11; got 11"),
        ("rules.0.coverage", True, "rules[0].coverage is a whole number"),
        ("rules.1.prediction", "perhaps", 'rules[1].prediction is one of the classes; got "perhaps"'),
        ("rules.1.prediction", ["no"], "rules[1].prediction is a text, a finite number, true or false"),
        ("rules.1.distribution", [1.0], "rules[1].distribution is a list of 2 shares, one per class"),
        ("rules.1.distribution", [0.5, 0.4], "rules[1].distribution must sum to 1; it sums to 0.9"),
        ("rules.1.distribution", [1.5, -0.5], "rules[1].distribution[0] is between 0 and 1"),
        ("rules.1.distribution", None, "rules[1].distribution is a list; got null"),
        ("rules.1.distribution", GONE, "rules[1].distribution is missing"),
        ("rules.1.spread", -1, "rules[1].spread is at least 0"),
        ("rules.1.tree", -2, "rules[1].tree is a whole number of at least -1"),
        ("rules.1.comment", "x", "rules[1].comment is not known here; known are text, conditions,"),
        ("rules.1.text", 3, "rules[1].text is a text; got 3"),
        (
            "rules.1.text",
            "if a > 3 then yes (100 %)",
            'rules[1].text differs from the rule, which is "if a',
        ),
        ("rules.1.prediction", "yes", "rules[1].text differs"),
        ("rules.1.conditions.0.lower", 3.5, "rules[1].text differs"),
        ("default.text", "otherwise no (55 %)", "default.text differs from the rule, which is"),
        ("rules.0.coverage", 7, "The rules cover 11 samples in total, but n_samples is 10"),
        ("rules.0.share", 0.7, "The shares of the rules must sum to 1; they sum to 1.1"),
        ("rules.0.coverage", 0, "rules[0].share is 0.6, but coverage is 0"),
        ("n_samples", 0, "The rules cover 10 samples in total, but n_samples is 0"),
        ("n_samples", 11, "The rules cover 10 samples in total, but n_samples is 11"),
        ("n_samples", 5, "rules[0].coverage is a whole number of at least 0 and below 6; got 6"),
        ("solution.status", "optimal", "solution.status is not optimal, as the bound is above the objective"),
        ("solution.chosen", [0], "solution.chosen has 1 rules, but the list has 2"),
        (
            "rules.1.conditions.1.feature",
            2,
            "rules[1].conditions[1].feature is a whole number of at least 0 and below 2",
        ),
        ("rules.1.conditions.1.feature", -1, "rules[1].conditions[1].feature is a whole number of at least 0"),
        ("rules.1.conditions.1.feature", 0, 'conditions[1].name is the name of the feature, "a"; got "b"'),
        ("rules.1.conditions.1.lower", "nan", "rules[1].conditions[1].lower is a number that is not NaN"),
        ("rules.1.conditions.1.lower", "3", "rules[1].conditions[1].lower is a number that is not NaN"),
        ("rules.1.conditions.1.lower", 10**400, "rules[1].conditions[1].lower is a number that is not NaN"),
        ("rules.1.conditions.1.upper", -1, "rules[1].conditions[1].lower is above upper: 0.0 > -1.0"),
        ("rules.1.conditions.1.uper", 1, "rules[1].conditions[1].uper is not known here"),
        ("rules.1.conditions.1.missing", 1, "rules[1].conditions[1].missing is true or false; got 1"),
        ("rules.1.conditions.1.categories", [0], "categories is for features with categories; this one has none"),
        ("default.prediction", GONE, "default.prediction is missing"),
        ("default.distribution", [2, -1], "default.distribution[0] is between 0 and 1"),
        ("n_samples", 2.5, "n_samples is a whole number of at least 0; got 2.5"),
        ("classes", ["no", "no"], "classes is a list of labels, each once"),
        ("classes", "no", 'classes is a list; got "no"'),
        ("classes", [1, 2], "classes[0] is a text; got 1"),
        ("classes", None, "rules[0].prediction is a number that is not NaN"),
        ("class_dtype", "complex64", "class_dtype is one of str, bool, object, int8"),
        ("class_dtype", GONE, "class_dtype is missing"),
        ("class_dtype", "bool", "classes[0] is true or false"),
        ("solution.status", "good", "solution.status is one of optimal, time_limit, interrupted"),
        ("solution.gap", 0.5, "solution.gap is 0.25, by objective and bound; got 0.5"),
        ("solution.chosen", [-1], "solution.chosen[0] is a whole number of at least 0"),
        ("solution.seconds", -1, "solution.seconds is at least 0"),
        ("inputs", GONE, "inputs is missing"),
        ("inputs.dtype", "int8", "inputs.dtype is one of float32, float64"),
        ("inputs.allows_missing", "no", "inputs.allows_missing is true or false"),
        ("inputs.complete", [2], "inputs.complete[0] is a whole number of at least 0 and below 2"),
        ("inputs.features.1", None, "inputs.features[1] is an object; got null"),
        ("inputs.features.1.kind", "Row", "inputs.features[1].kind is one of Column,"),
        ("inputs.features.1.index", 5, "inputs.features[1] is 'b', of column 5, which does not exist"),
        ("inputs.features.1.index", "1", "inputs.features[1].index is a whole number"),
        ("inputs.features.1.name", GONE, "inputs.features[1].name is missing"),
        ("inputs.features.1.unit", "kg", "inputs.features[1].unit is not known here"),
        ("inputs.columns", [1, 2], "inputs.columns[0] is a text; got 1"),
        ("inputs.series", {"length": 3}, "inputs.series.n_dimensions is missing"),
        ("inputs.delicate", [[1]], "inputs.delicate[0] is the index of a column and kinds of dtype"),
        ("inputs.delicate", [[9, "f"]], "inputs.delicate has column 9, of 2"),
        ("fallback", {}, "fallback: This is no forest"),
        ("fallback", {"format": "hedgerow.forest", "version": 1}, "fallback: The forest is not complete"),
        ("comment", "x", "comment is not known here"),
    ],
)
def test_a_field_that_is_wrong_is_named(path, value, message):
    document = changed(json.loads(LIST.to_json()), path, value)
    with pytest.raises(InvalidDataError, match=re.escape(message)):
        RuleList.from_json(json.dumps(document))
    if "fallback" not in path and "is missing" in message:
        assert not SCHEMA.is_valid(document)


def test_a_bound_below_the_objective_is_refused():
    document = json.loads(LIST.to_json())
    document["solution"] |= {"objective": 2.0, "bound": 1.5, "gap": -0.25}
    with pytest.raises(InvalidDataError, match=r"solution.bound is at least the objective, 2\.0; got 1\.5"):
        RuleList.from_json(json.dumps(document))


def test_a_rule_changed_by_hand_is_taken_without_its_text():
    document = changed(json.loads(LIST.to_json()), "rules.0.conditions.0.upper", 7.5)
    del document["rules"][0]["text"]
    SCHEMA.validate(document)
    rules = RuleList.from_json(json.dumps(document))
    assert rules.predict([[7.0, 1.0]]).tolist() == ["yes"]
    assert json.loads(rules.to_json())["rules"][0]["text"] == "if a <= 7.5 then yes (75 %)"


def test_the_wording_of_version_1_stays():
    """Texts are compared when a file is read: who words a rule otherwise makes a new version."""
    color, day = Category(0, "color", ("blue", "dark, red", "green"), other=True), Column(1, "day\n2", has_missing=True)
    rules = (
        Rule((Condition(color, categories=frozenset([1])), Condition(day, upper=1e-7)), 12.345678, 4, 0.4, spread=1.5),
        Rule((Condition(color, categories=frozenset([0, 2])), Condition(day, lower=1 / 3, upper=120.36)), -0.0, 3, 0.3),
        Rule((Condition(color, categories=frozenset([0, 1, 3]), missing=True),), 1e6, 2, 0.2, kind="median"),
        Rule((Condition(day, lower=2.9999997615814209, missing=True),), 0.5, 1, 0.1, kind="90 % quantile"),
    )
    inputs = Inputs((color, day), np.float64, allows_missing=True)
    document = json.loads(RuleList(rules, Rule((), 1.0, spread=0.0), inputs, n_samples=10).to_json())
    assert [rule["text"] for rule in (*document["rules"], document["default"])] == [
        "if color is 'dark, red' and day\\n2 <= 1e-07 then 12.35 ± 1.5",
        "if color in {blue, green} and 0.3333 < day\\n2 < 120.4 then 0",
        "if color is not green then median 1000000",
        "if (day\\n2 >= 3 or missing) then 90 % quantile 0.5",
        "otherwise 1 ± 0",
    ]
    document = json.loads(LIST.to_json())
    assert [rule["text"] for rule in (*document["rules"], document["default"])] == [
        "if a <= 5 then yes (75 %)",
        "if a > 3 and b > 0 then no (100 %)",
        "otherwise yes (55 %)",
    ]


def test_samples_of_no_weight_do_not_count():
    X, y = numbers()
    weight = np.where(np.arange(len(y)) % 3, 0.5, 0.0)
    rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y, weight).rule_list_
    assert RuleList.from_json(rules.to_json()).n_samples == np.count_nonzero(weight)


def test_letters_that_only_newer_releases_of_python_print_do_no_harm():
    odd = Column(0, "a \U0001fae9")
    rule = Rule((Condition(odd, upper=5),), "yes", 1, 1.0, (0.25, 0.75))
    written = RuleList((rule,), LIST.default, Inputs((odd,)), LIST.classes, n_samples=1).to_json()
    document = json.loads(written)
    for name in ("a \U0001fae9", r"a \U0001fae9"):
        document["rules"][0]["text"] = f"if {name} <= 5 then yes (75 %)"
        assert RuleList.from_json(json.dumps(document)).to_json() == written


def test_categories_that_do_not_fit_are_named():
    def listed(feature):
        rule = Rule((Condition(feature, categories=frozenset([0])),), 1.0, 1, 1.0)
        return json.loads(RuleList((rule,), Rule((), 0.0), Inputs((feature,))).to_json())

    whole, hashed = listed(WholeCategory(0, "store", (3, 7))), listed(HashedCategory.of(0, "color", [5, 6]))
    place = "inputs.features[0]"
    for document, path, value, message in (
        (whole, "inputs.features.0.categories", [3, 3], f"{place}.categories contains a category twice"),
        (whole, "inputs.features.0.categories", [7, 3], f"{place}.categories must be a list of integers in increasing"),
        (whole, "inputs.features.0.categories", [], f"{place}.categories must be a list of integers in increasing"),
        (whole, "inputs.features.0.categories", [None, 3], f"{place}.categories[0] is a text, a finite number"),
        (whole, "rules.0.conditions.0.categories", [2], "rules[0].conditions[0].categories[0] is a whole number"),
        (hashed, "inputs.features.0.hashes", [5], f"{place} has 1 hashes for 2 categories"),
        (hashed, "rules.0.distribution", [1.0], "rules[0].distribution is for classes; this list has none"),
    ):
        with pytest.raises(InvalidDataError, match=re.escape(message)):
            RuleList.from_json(json.dumps(changed(document, path, value)))


def test_labels_beyond_their_type_are_refused():
    document = json.loads(make("random forest", False)[0].to_json())
    with pytest.raises(InvalidDataError, match="classes is a list of labels of type int8"):
        RuleList.from_json(json.dumps(document | {"classes": [0, 300], "class_dtype": "int8"}))


def names(document):
    return [feature["name"] for feature in document["inputs"]["features"]]


def test_columns_that_are_not_those_of_the_features_are_refused():
    document = json.loads(make("random forest", False)[0].to_json())
    first, second, *others = names(document)
    for columns, message in (
        ([second, first, *others], f"features[0] is {first!r}, of column 0, which is {second!r}"),
        ([first, second, *others, first], "inputs.columns contains a name twice"),
    ):
        with pytest.raises(InvalidDataError, match=re.escape(message)):
            RuleList.from_json(json.dumps(document | {"inputs": document["inputs"] | {"columns": columns}}))


@pytest.mark.parametrize("categories", [["a", True], ["a", 1], [True, 0], [1.5, "a"]])
def test_categories_of_several_types_are_refused(categories):
    color = Category(0, "color", ("a", "b"))
    rules = RuleList((Rule((Condition(color, categories=frozenset({0})),), 1.0),), Rule((), 0.0), Inputs((color,)))
    document = json.loads(rules.to_json())
    document["inputs"]["features"][0]["categories"] = categories
    del document["rules"][0]["text"]
    with pytest.raises(InvalidDataError, match=r"categories must be all strings, all numbers or all booleans"):
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
