"""A rule list is an if / else if / else, for a program and for a person."""

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow import Condition, Forest, InvalidDataError, Rule, RuleList, Solution
from hedgerow.features import Column, Inputs, IntervalStatistic, Notation, SeriesInputs

A, B = Column(0, "a"), Column(1, "b")
LIST = RuleList(
    rules=(
        Rule((Condition(A, upper=5),), "yes", 6, 0.6, (0.25, 0.75)),
        Rule((Condition(A, lower=3), Condition(B, lower=0)), "no", 4, 0.4, (1.0, 0.0)),
    ),
    default=Rule((), "yes", distribution=(0.45, 0.55)),
    inputs=Inputs((A, B)),
    classes=np.array(["no", "yes"]),
    n_samples=10,
    solution=Solution(np.array([0, 1]), 1.5, 1.5, "optimal", 0.1),
)
X = np.array([[1.0, 1.0], [4.0, 1.0], [6.0, 1.0], [6.0, -1.0]])


def test_the_first_match_wins_and_the_default_is_last():
    assert_array_equal(LIST.apply(X), [0, 0, 1, -1])
    assert_array_equal(LIST.predict(X), ["yes", "yes", "no", "yes"])
    assert_allclose(LIST.predict_proba(X), [[0.25, 0.75], [0.25, 0.75], [1, 0], [0.45, 0.55]])
    assert_array_equal(LIST.matches(X), [[1, 0], [1, 1], [0, 1], [0, 0]])


def test_it_reads_cells_as_they_are_written_if_it_knows_how():
    written = LIST.with_notations({"b": Notation(decimal=",", affixes=("%",)), "other": Notation("text")})
    assert written.inputs.notations == ((1, Notation(decimal=",", affixes=("%",))),)
    assert LIST.inputs.notations == ()
    cells = np.array([[4.0, "1,5 %"], [6.0, "1,5 %"], [6.0, "-0,5"]], dtype=object)
    assert_array_equal(written.apply(cells), [0, 1, -1])


def test_it_is_a_sequence_of_rules():
    assert len(LIST) == 2
    assert [rule.prediction for rule in LIST] == ["yes", "no"]
    assert LIST[1].coverage == 4
    assert repr(LIST) == "RuleList(2 rules, 10 training samples)"


def test_it_explains_in_sentences():
    assert LIST.explain(X) == [
        "Rule 1 predicts yes (75 %) because a <= 5 (6 training samples, 60.0 %).",
        "Rule 1 predicts yes (75 %) because a <= 5 (6 training samples, 60.0 %); "
        "it comes before rule 2, which also matches.",
        "Rule 2 predicts no (100 %) because a > 3 and b > 0 (4 training samples, 40.0 %).",
        "No rule matches, so the default applies: yes (55 %).",
    ]


def test_print_shows_a_rule_a_line_then_the_default_and_the_proof():
    assert str(LIST).splitlines() == [
        "1.  if a <= 5           then yes (75 %)  6 samples  60.0 %",
        "2.  if a > 3 and b > 0  then no (100 %)  4 samples  40.0 %",
        "    otherwise           then yes (55 %)",
        "objective 1.5, bound 1.5: proven optimal",
    ]


def test_a_list_without_proof_shows_its_gap():
    open_list = RuleList(
        LIST.rules, LIST.default, LIST.inputs, solution=Solution(np.array([0]), 1.5, 2.0, "time_limit", 0.1)
    )
    assert str(open_list).splitlines()[-1] == "objective 1.5, bound 2: gap 25 %, not proven optimal"


def test_a_notebook_shows_the_same_with_every_name_escaped():
    nasty = Column(0, "<script>alert(1)</script>")
    rule = Rule((Condition(nasty, upper=5),), "<b>&", 1, 1.0, (1.0,))
    html = RuleList((rule,), rule, Inputs((nasty,)), np.array(["<b>&"]), solution=LIST.solution)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &lt;= 5" in html
    assert "&lt;b&gt;&amp; (100 %)" in html
    assert "proven optimal" in html


def test_a_data_frame_has_a_rule_a_row():
    frame = LIST.to_frame()
    assert frame["conditions"].tolist() == ["a <= 5", "a > 3 and b > 0", "otherwise"]
    assert frame["prediction"].tolist() == ["yes", "no", "yes"]
    assert frame["samples"].tolist() == [6, 4, 0]


def test_a_regression_list_predicts_numbers():
    rules = (Rule((Condition(A, upper=5),), 2.5, 3, 1.0, spread=0.5),)
    numbers = RuleList(rules, Rule((), 1.0, spread=2.0), Inputs((A, B)))
    assert_array_equal(numbers.predict(X), [2.5, 2.5, 1.0, 1.0])
    assert "then 2.5 ± 0.5" in str(numbers)
    with pytest.raises(AttributeError, match="use predict"):
        numbers.predict_proba(X)


def test_thresholds_that_differ_are_shown_differently():
    near = tuple(1 + k * 1e-6 for k in (0, 1, 2))
    pairs = [(near[0], near[1]), (near[1], near[2])]
    rules = [Rule((Condition(A, lower=low, upper=high),), "yes", 1, 0.5, (0, 1)) for low, high in pairs]
    shown = str(RuleList(tuple(rules), rules[0], Inputs((A, B)))).splitlines()
    assert "1 < a <= 1.000001" in shown[0]
    assert "1.000001 < a <= 1.000002" in shown[1]


def test_a_missing_value_is_part_of_the_explanation():
    rule = Rule((Condition(A, upper=5, missing=True),), "yes", 6, 0.6, (0.25, 0.75))
    listed = RuleList((rule,), LIST.default, Inputs((A, B), allows_missing=True), LIST.classes)
    shown = listed.explain(np.array([[1.0, 0.0], [np.nan, 0.0]]))
    assert "because a <= 5 (" in shown[0]
    assert "because (a <= 5 or missing) (" in shown[1]


def test_a_line_break_in_a_name_does_not_break_the_line():
    odd = Column(0, "a\nb")
    text = str(RuleList((Rule((Condition(odd, upper=1),), "x\ty", 1, 1.0),), Rule((), "z"), Inputs((odd,))))
    assert "a\\nb <= 1" in text
    assert "x\\ty" in text


FRAME = pd.DataFrame(X, columns=["a", "b"])
NAMED = replace(LIST, inputs=Inputs((A, B, Column(2, "never used")), has_names=True))
TABLES = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "arrow": pa.Table.from_pandas,
}


@pytest.mark.parametrize("table", TABLES)
def test_columns_of_a_data_frame_are_found_by_name(table):
    shuffled = TABLES[table](FRAME.assign(more="?", other=[None] * 4)[["more", "b", "other", "a"]])
    for rule_list in (NAMED, RuleList.from_json(NAMED.to_json())):
        assert_array_equal(rule_list.predict(shuffled), LIST.predict(X))
        assert_array_equal(rule_list.apply(shuffled), LIST.apply(X))
        assert_array_equal(rule_list.predict_proba(shuffled), LIST.predict_proba(X))
        assert rule_list.explain(shuffled) == LIST.explain(X)


def test_columns_that_rules_use_must_be_there():
    with pytest.raises(InvalidDataError, match=r"X lacks the column 'a'\. Is 'a' called 'A' there\?"):
        NAMED.predict(FRAME.rename(columns={"a": "A"}))
    with pytest.raises(InvalidDataError, match="X has 2 columns, but the ensemble was trained on 3: a, b, never used"):
        NAMED.predict(X)


def test_an_ensemble_that_decides_needs_all_columns():
    trees = [{"left": [-1], "right": [-1], "feature": [0], "threshold": [0.0], "value": [[1.0, 0.0]]}]
    forest = Forest.from_arrays(trees, ["a", "b", "c"], classes=["no", "yes"])
    forest = replace(forest, inputs=replace(forest.inputs, has_names=True))
    asking = replace(LIST, inputs=forest.inputs, fallback=forest)
    assert asking.predict(FRAME.assign(c=0.0)[["c", "b", "a"]]).tolist() == ["yes", "yes", "no", "no"]
    with pytest.raises(InvalidDataError, match="X lacks the column 'c'"):
        asking.predict(FRAME)


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([1.0, 2.0], r"one dimension, of length 2, .* X.reshape\(1, -1\) if it is one sample"),
        ({"a": 1.0, "b": 2.0}, r"X is a dictionary. Pass pandas.DataFrame\(X\)"),
        ([{"a": 1.0}], r"X is a list of dictionaries. Pass pandas.DataFrame\(X\)\."),
        (None, r"X is None\. Pass"),
        (3.0, r"X is 3\.0\. Pass an array or a data frame\."),
        ("table.csv", r"Pass the table itself, for example pandas.read_csv\('table.csv'\)"),
    ],
)
def test_what_is_not_a_table_is_refused(samples, message):
    with pytest.raises(InvalidDataError, match=message):
        LIST.predict(samples)


def test_a_list_of_series_refuses_what_holds_none():
    mean = IntervalStatistic(0, 0, 3, "mean")
    inputs = SeriesInputs((mean,), np.float64, n_dimensions=1, length=3)
    listed = RuleList((Rule((Condition(mean, upper=1.0),), 2.0),), Rule((), 3.0), inputs)
    assert listed.predict([[0.0, 0.0, 0.0], [3.0, 3.0, 3.0]]).tolist() == [2.0, 3.0]
    for samples in (3.0, None, "series.ts"):
        with pytest.raises(InvalidDataError, match="Pass"):
            listed.predict(samples)


def test_a_feature_matters_by_the_share_of_the_samples_in_its_rules():
    assert LIST.feature_importances() == pytest.approx({A: 1.0, B: 0.4})
    assert repr(RuleList((), Rule((), 1.0), Inputs((A,)))) == "RuleList(0 rules, 0 training samples)"


def test_a_regression_has_no_class_shares():
    with pytest.raises(AttributeError, match="use predict"):
        RuleList((), Rule((), 1.0), Inputs((A, B))).predict_proba(X)


def test_data_about_a_list_have_what_there_is_to_say_of_each_rule():
    first, _, last = LIST.to_records()
    assert first == {
        "rule": 1,
        "conditions": "a <= 5",
        "prediction": "yes",
        "samples": 6,
        "share": 0.6,
        "class_share": 0.75,
    }
    assert (last["rule"], last["conditions"], last["prediction"], last["class_share"]) == (
        "default",
        "otherwise",
        "yes",
        0.55,
    )
    middle = Rule((Condition(A, upper=5),), 2.0, 3, 0.3, spread=0.5, kind="median", of_model=0.25)
    (record, _) = RuleList((middle,), Rule((), 1.0), Inputs((A, B))).to_records()
    assert [record[name] for name in ("spread", "kind", "of_model")] == [0.5, "median", 0.25]
    assert "class_share" not in record
