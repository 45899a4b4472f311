"""A rule list saved to JSON predicts as before, without the libraries; what JSON cannot hold is refused."""

import copy
import json
import pickle
import subprocess
import sys
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from json_documents import LIST, SCHEMA, A, check_round_trip, shapelet_list, strictly
from numpy.testing import assert_array_equal
from rule_lists import KINDS, UNKNOWN_VALUES, drawn_lists, make, numbers
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

from hedgerow import (
    Condition,
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
    Inputs,
    ShapeletDistance,
)
from hedgerow.features.shapelet_metrics import METRICS
from hedgerow.losses import cost_matrix


@pytest.mark.parametrize("fallback", [False, True], ids=["default", "ensemble"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_every_library_comes_back(kind, fallback):
    rules, X = make(kind, fallback)
    again = check_round_trip(rules, X)
    assert (again.fallback is not None) == fallback
    assert_array_equal(again.solution.chosen, rules.solution.chosen)
    assert (again.solution.objective, again.solution.bound) == (rules.solution.objective, rules.solution.bound)
    assert (again.solution.status, again.solution.seconds) == (rules.solution.status, rules.solution.seconds)


def test_what_a_rule_predicts_other_than_majority_and_mean_comes_back():
    X, y = numbers()
    costs = RuleListClassifier(max_rules=3, loss=cost_matrix([[0, 1], [50, 0]]), random_state=0).fit(X, y).rule_list_
    assert "least cost" in check_round_trip(costs, X).to_text()
    median = RuleListRegressor(max_rules=3, candidates="nodes", loss="mae", random_state=0).fit(X, X[:, 0]).rule_list_
    assert "median" in check_round_trip(median, X).to_text()


@pytest.mark.filterwarnings(UNKNOWN_VALUES)
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


def test_samples_of_no_weight_do_not_count():
    X, y = numbers()
    weight = np.where(np.arange(len(y)) % 3, 0.5, 0.0)
    rules = RuleListClassifier(max_rules=3, random_state=0).fit(X, y, weight).rule_list_
    assert RuleList.from_json(rules.to_json()).n_samples == np.count_nonzero(weight)


# The layout


def test_an_indented_document_has_short_objects_and_lists_of_scalars_on_one_line():
    lines = LIST.to_json(indent=2).split("\n")
    assert (lines[0], lines[-1]) == ("{", "}")
    assert '  "n_samples": 10,' in lines
    assert '      "distribution": [0.25, 0.75],' in lines
    assert '      "conditions": [{"feature": 0, "name": "a", "upper": 5.0}],' in lines
    assert max(len(line.partition(": ")[2] or line) for line in lines) <= 121  # a comma may follow
    assert "\n" not in LIST.to_json()


def test_an_indent_is_a_number_of_spaces():
    for indent in (-1, "  ", True):
        with pytest.raises(InvalidParameterError, match="indent must be a number of spaces"):
            LIST.to_json(indent=indent)


def test_the_wording_of_version_1_stays():
    """Texts are compared when a file is read, so that another wording of a rule needs a new version."""
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
    if kind in ("xgboost", "lightgbm") and "color" in X:  # older releases of XGBoost get numbers only
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


# Features


def test_of_all_features_of_series_only_those_of_the_rules_are_written():
    rules, _ = make("sktime", False)
    used = {condition.feature for rule in rules for condition in rule.conditions}
    again = RuleList.from_json(rules.to_json())
    assert set(again.inputs.features) == used
    assert len(rules.inputs.features) > len(used)


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


def test_copies_and_equal_features_are_found_among_the_inputs():
    rules, _ = make("aeon", False)
    for copied in (copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))):
        assert copied.to_json() == rules.to_json()
    other = RuleList(LIST.rules, LIST.default, Inputs((Column(0, "a"), Column(1, "b"))), LIST.classes)
    check_round_trip(other, np.zeros((1, 2)))


# What cannot be written


def test_labels_without_a_form_in_json_are_refused():
    for labels in (np.array([b"no", b"yes"]), np.array(["2020-01-01", "2021-01-01"], dtype="M8[D]")):
        with pytest.raises(InvalidDataError, match="JSON"):
            RuleList(LIST.rules, LIST.default, LIST.inputs, labels).to_json()


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
        with pytest.raises(InvalidDataError, match=computed.name):
            bad.to_json()
    check_round_trip(listed(plain), X)


def test_a_list_made_by_hand_that_does_not_fit_together_is_not_written():
    for rule, message in (
        (Rule(LIST[0].conditions, "perhaps", 1, 0.1, (0.5, 0.5)), r"rules\[0\].prediction .* one of the classes"),
        (Rule(LIST[0].conditions, "yes", 1, 0.1, (0.5, 0.4)), r"rules\[0\].distribution must sum to 1"),
        (Rule((Condition(A, lower=np.nan),), "yes", 1, 0.1, (0.5, 0.5)), r"conditions\[0\].lower .* a number"),
        (Rule((Condition(Column(1, "z")),), "yes", 1, 0.1, (0.5, 0.5)), "A rule uses z, which is not among"),
        (Rule(LIST[0].conditions, "yes", 1, np.nan, (0.5, 0.5)), "share"),
        (Rule(LIST[0].conditions, "yes", 1, 0.1, (np.nan, 0.5)), "distribution"),
    ):
        with pytest.raises(InvalidDataError, match=message):
            RuleList((rule,), LIST.default, LIST.inputs, LIST.classes).to_json()


def test_a_category_without_a_form_in_json_is_refused():
    for odd in (pd.Timestamp("2020-01-01"), np.inf):
        feature = Category(0, "day", (odd,))
        rule = Rule((Condition(feature, categories=frozenset([0])),), 1.0, 1, 1.0)
        with pytest.raises(InvalidDataError, match="JSON"):
            RuleList((rule,), Rule((), 0.0), Inputs((feature,))).to_json()
