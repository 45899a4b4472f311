"""Weighted rules combine, print and convert as their docstrings say."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from hedgerow import Condition, Rule
from hedgerow.baselines import LinearTerm, WeightedRules
from hedgerow.features import Column, Inputs

AGE, INCOME = Column(0, "age"), Column(1, "income")
YOUNG = Rule((Condition(AGE, upper=30.0),), 2.0, 6, 0.6, spread=0.5)
RICH = Rule((Condition(INCOME, lower=50.0),), 7.0, 4, 0.4, spread=1.0)
#                     young and rich, young, rich, neither
PEOPLE = np.array([[20.0, 60.0], [20.0, 10.0], [40.0, 60.0], [40.0, 10.0]])


def numbers(weights, inside, outside, **how):
    column = [np.array(part, dtype=float)[:, None] for part in (weights, inside, outside)]
    return WeightedRules((YOUNG, RICH), *column, np.array([1.0]), Inputs((AGE, INCOME)), n_samples=10, **how)


def test_a_sum_adds_the_output_of_each_rule_inside_or_outside():
    rules = numbers([2, 3], [1, 10], [0, -1])
    assert rules.predict(PEOPLE).tolist() == [1 + 2 + 30, 1 + 2 - 3, 1 + 30, 1 - 3]


def test_a_mean_is_over_the_matching_rules():
    rules = numbers([1, 3], [4, 8], [0, 0], combination="mean")
    assert rules.predict(PEOPLE).tolist() == [(4 + 24) / 4, 4, 8, 1]


def test_a_linear_term_is_clipped_and_leaves_missing_values_out():
    term = LinearTerm(INCOME, np.array([0.5]), low=20.0, high=50.0, center=30.0, spread=12.0)
    rules = replace(numbers([0, 0], [1, 1], [0, 0]), linear=(term,), inputs=Inputs((AGE, INCOME), allows_missing=True))
    predicted = rules.predict(np.array([[40.0, 60.0], [40.0, 10.0], [40.0, 34.0], [40.0, np.nan]]))
    assert predicted.tolist() == [1 + 10, 1 - 5, 1 + 2, 1]


def test_two_classes_have_one_output_and_the_logistic_link():
    rules = numbers([2, 3], [1, -1], [0, 0], classes=np.array(["no", "yes"]), link="logistic")
    np.testing.assert_allclose(rules.predict_proba(PEOPLE)[:, 1], expit([0, 3, -2, 1]))
    assert rules.predict(PEOPLE).tolist() == ["no", "yes", "no", "yes"]


def test_shares_of_three_classes_add_up_to_one_and_are_equal_without_any_output():
    inside = np.array([[0.5, 0.25, 0.0], [0.0, 0.0, 2.0]])
    rules = WeightedRules(
        (YOUNG, RICH), np.ones((2, 3)), inside, np.zeros((2, 3)), np.zeros(3), Inputs((AGE, INCOME)), np.arange(3)
    )
    expected = [[0.5 / 1.75, 0.25 / 1.75, 1 / 1.75], [2 / 3, 1 / 3, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(rules.predict_proba(PEOPLE), expected)


def test_a_regression_has_no_class_probabilities():
    with pytest.raises(AttributeError, match="use predict"):
        numbers([1, 1], [1, 1], [0, 0]).predict_proba(PEOPLE)


def test_matches_are_those_of_the_conditions_even_of_no_rules():
    rules = numbers([1, 1], [1, 1], [0, 0])
    assert rules.matches(PEOPLE).tolist() == [[True, True], [True, False], [False, True], [False, False]]
    none = WeightedRules((), *[np.empty((0, 1))] * 3, np.array([3.0]), Inputs((AGE, INCOME)))
    assert none.predict(PEOPLE).tolist() == [3.0] * 4


def test_text_has_weight_conditions_prediction_and_coverage_in_columns():
    text = numbers([2, -0.25], [1, 10], [0, -1]).to_text()
    assert text.splitlines() == [
        "1.      2  if age <= 30    then 2 ± 0.5  else 0   6 samples  60.0 %",
        "2.  -0.25  if income > 50  then 7 ± 1    else -1  4 samples  40.0 %",
        "        1  intercept",
    ]
    assert "else" not in numbers([2, -0.25], [1, 10], [0, 0]).to_text()


def test_the_frame_has_one_row_per_rule_and_the_intercept_last():
    frame = numbers([2, 3], [1, 10], [0, 0]).to_frame()
    assert frame["weight"].tolist() == [2, 3, 1]
    assert frame["conditions"].tolist() == ["age <= 30", "income > 50", "intercept"]


def test_a_feature_matters_in_a_sum_by_the_deviation_of_what_is_added():
    term = LinearTerm(INCOME, np.array([0.5]), low=0.0, high=100.0, center=35.0, spread=12.0)
    rules = replace(numbers([2, 3], [1, 10], [0, -1]), linear=(term,))
    added = np.array([2.0] * 6 + [0.0] * 4), np.array([30.0] * 4 + [-3.0] * 6)
    expected = {AGE: added[0].std(), INCOME: added[1].std() + 0.5 * 12}
    assert rules.feature_importances() == pytest.approx(expected)


def test_a_feature_matters_in_a_mean_by_the_part_of_its_rules_in_the_predictions():
    both = Rule((Condition(AGE, upper=30.0), Condition(INCOME, lower=50.0), Condition(AGE, lower=10.0)), 1.0, 2, 0.2)
    rules = replace(numbers([1, 3], [4, 8], [0, 0], combination="mean"), rules=(YOUNG, both))
    assert rules.feature_importances() == pytest.approx({AGE: 0.6 * 1 + 0.2 * 3, INCOME: 0.2 * 3})


def test_a_notebook_shows_the_cells_of_the_text_with_names_escaped():
    rules = numbers([2, -0.25], [1, 10], [0, -1])
    shown = rules._repr_html_()
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall("<tr>(.*?)</tr>", shown, re.DOTALL)]
    assert rows == [
        ["", "weight", "if", "then", "else", "samples", "share"],
        ["1", "2", "age &lt;= 30", "2 ± 0.5", "0", "6", "60.0 %"],
        ["2", "-0.25", "income &gt; 50", "7 ± 1", "-1", "4", "40.0 %"],
        ["", "1", "intercept", "", "", "", ""],
    ]
    odd = Rule((Condition(Column(0, "<b>age</b>"), upper=30.0),), 2.0, 6, 0.6)
    plain = replace(numbers([2, 3], [1, 1], [0, 0], combination="mean"), rules=(odd, RICH))._repr_html_()
    assert "&lt;b&gt;age" in plain
    assert "<b>" not in plain
    assert "else" not in plain
    assert "where no rule matches" in plain


def test_an_intercept_that_only_rounding_keeps_from_zero_reads_as_zero():
    rules = numbers([2.0, -1.0], [1, 1], [0, 0])
    assert re.search(r" 1 +intercept$", rules.to_text())
    assert re.search(r" 0 +intercept$", replace(rules, intercept=np.array([-1.18e-16])).to_text())
    assert re.search(r" 1e-10 +intercept$", replace(rules, intercept=np.array([1e-10])).to_text())


def test_one_evaluation_has_all_that_the_methods_return_one_by_one():
    rules = numbers([2, 3], [1, -1], [0, 0], classes=np.array(["no", "yes"]), link="logistic")
    found = rules.evaluate(PEOPLE)
    assert found.matches.tolist() == rules.matches(PEOPLE).tolist()
    assert found.outputs[:, 0].tolist() == rules.decision_function(PEOPLE)[:, 0].tolist() == [0, 3, -2, 1]
    assert found.predictions.tolist() == rules.predict(PEOPLE).tolist() == ["no", "yes", "no", "yes"]


def test_classes_are_compared_before_rounding_makes_their_probabilities_equal():
    outputs = np.array([[40.0, 41.0]])  # both have probability 1 in double precision
    rules = WeightedRules((), *[np.empty((0, 2))] * 3, outputs[0], Inputs((AGE,)), np.arange(2), link="logistic")
    assert rules.predict_proba(PEOPLE[:1, :1]).tolist() == [[0.5, 0.5]]
    assert rules.predict(PEOPLE[:1, :1]).tolist() == [1]


def test_weights_samples_and_shares_end_where_those_above_end():
    few = replace(RICH, coverage=1, share=0.05)
    for text in (
        replace(numbers([2, -0.25], [1, 10], [0, -1]), rules=(YOUNG, few)).to_text(),
        replace(numbers([2, -0.25], [1, 10], [0, 0]), rules=(replace(YOUNG, coverage=12), few)).to_text(),
    ):
        one, other = text.splitlines()[:2]
        assert " 1 sample " in other
        for word in ("if", "then", "sample", "%"):
            assert one.index(word) == other.index(word), text
        assert len(one) == len(other)


def test_it_is_a_sequence_of_rules_and_has_as_many_terms_as_are_added_up():
    term = LinearTerm(INCOME, np.array([0.5]), low=20.0, high=50.0, center=30.0, spread=12.0)
    rules = replace(numbers([2, 3], [1, 10], [0, 0]), linear=(term, term, term))
    assert (len(rules), list(rules), rules[1], rules.n_terms) == (2, [YOUNG, RICH], RICH, 5)
    assert repr(rules) == "WeightedRules(2 rules, 3 linear terms, 10 training samples)"
    assert repr(replace(rules, linear=())) == "WeightedRules(2 rules, 10 training samples)"


def three_classes(outside=0.0):
    """Rules of which one speaks for all classes alike, and one for the last and against the first."""
    weights = np.array([[0.5, 0.5, 0.5], [-1.0, 0.0, 2.0]])
    rules = tuple(
        replace(rule, prediction=label, spread=None, class_share=0.75)
        for rule, label in ((YOUNG, "low"), (RICH, "high"))
    )
    classes, inside = np.array(["low", "mid", "high"]), np.ones((2, 3))
    others = np.array([[0.2, 0.7, 0.1]] * 2) * outside
    return WeightedRules(rules, weights, inside, others, np.array([0.1, 0, 0]), Inputs((AGE, INCOME)), classes, 10)


def test_several_outputs_have_a_weight_each_and_one_if_all_are_equal():
    rules = three_classes()
    assert rules.to_text().splitlines() == [
        "1.             0.5  if age <= 30    then low (75 %)   6 samples  60.0 %",
        "2.  low -1, high 2  if income > 50  then high (75 %)  4 samples  40.0 %",
        "           low 0.1  intercept",
    ]
    first, second, last = rules.to_records()
    assert first == {
        "rule": 1,
        "weight of low": 0.5,
        "weight of mid": 0.5,
        "weight of high": 0.5,
        "conditions": "age <= 30",
        "prediction": "low",
        "samples": 6,
        "share": 0.6,
        "class_share": 0.75,
    }
    assert [second[f"weight of {name}"] for name in ("low", "mid", "high")] == [-1, 0, 2]
    assert last["weight of low"] == 0.1


def test_what_a_rule_says_otherwise_is_its_likeliest_class_or_its_number():
    assert [row[4] for row in three_classes(outside=1.0).cells()[1]] == ["mid (70 %)", "mid (70 %)", ""]
    assert three_classes(outside=1.0).to_records()[0]["otherwise"] == (0.2, 0.7, 0.1)
    two = numbers([2, 3], [1, 1], [0.25, 0.75], classes=np.array(["no", "yes"]))
    assert [row[4] for row in two.cells()[1]] == ["no (75 %)", "yes (75 %)", ""]
    assert [record.get("otherwise") for record in two.to_records()] == [0.25, 0.75, None]
    assert [record.get("spread") for record in two.to_records()] == [0.5, 1.0, None]


def test_the_label_of_two_is_the_one_with_more_than_half():
    classes, nobody = np.array(["no", "yes"]), numbers([0, 0], [0, 0], [0, 0])
    for output, label in [(0.5, "no"), (0.51, "yes"), (-3.0, "no"), (7.0, "yes")]:
        rules = replace(nobody, intercept=np.array([output]), classes=classes)
        assert rules.predict(PEOPLE).tolist() == [label] * 4
        shares = rules.predict_proba(PEOPLE)
        assert shares[:, 1].tolist() == [min(max(output, 0), 1)] * 4
        assert shares.sum(axis=1).tolist() == [1.0] * 4
    for output, label in [(0.0, "no"), (0.01, "yes")]:
        rules = replace(nobody, intercept=np.array([output]), classes=classes, link="logistic")
        assert rules.predict(PEOPLE).tolist() == [label] * 4


def test_outputs_beyond_a_probability_count_as_its_ends():
    rules = replace(three_classes(), weights=np.zeros((2, 3)), intercept=np.array([1.5, 7.0, -1.0]))
    assert rules.predict(PEOPLE).tolist() == ["low"] * 4  # both are 1, and the first comes first
    assert rules.predict_proba(PEOPLE)[0].tolist() == [0.5, 0.5, 0.0]


def test_the_number_of_samples_need_not_be_known():
    none = WeightedRules((), *[np.empty((0, 1))] * 3, np.array([3.0]), Inputs((AGE, INCOME)))
    assert repr(none) == "WeightedRules(0 rules, 0 training samples)"
