"""What several lists share, in numbers and in words."""

import numpy as np
import pytest

from hedgerow import Condition, Rule, RuleList, Solution
from hedgerow.features import Column, Inputs
from hedgerow.rules.alternatives import Alternatives

AGE, INCOME = Column(0, "age"), Column(1, "income")


def listed(thresholds, objective, place):
    """A list of two rules on age, or three on age and income."""
    young = Rule((Condition(AGE, upper=thresholds[0]),), "no", 4, 0.4, (1.0, 0.0))
    if len(thresholds) == 1:
        rules = (Rule((Condition(AGE, lower=thresholds[0]),), "yes", 6, 0.6, (0.0, 1.0)), young)
    else:
        old = Condition(AGE, lower=thresholds[0])
        rich, poor = Condition(INCOME, lower=thresholds[1]), Condition(INCOME, upper=thresholds[1])
        rules = (
            young,
            Rule((old, rich), "yes", 3, 0.3, (0.0, 1.0)),
            Rule((old, poor), "no", 3, 0.3, (1.0, 0.0)),
        )
    status = "optimal" if place == 0 else "alternative"
    solution = Solution(np.arange(len(rules)), objective, 2.0, status, 0.0)
    default = Rule((), "no", distribution=(0.7, 0.3))
    return RuleList(rules, default, Inputs((AGE, INCOME)), np.array(["no", "yes"]), 10, solution)


def three(**changed):
    lists = (listed([40.0], 2.0, 0), listed([40.0, 7.0], 1.9, 1), listed([41.0], 1.5, 2))
    told = {
        "rule_lists": lists,
        "scores": (0.9, 0.8, 0.85),
        "score_name": "accuracy",
        "asked": 3,
        "within": None,
        "differ_by": None,
        "more": None,
        "ended_early": False,
        "bound": 1.4,
        "n_alike": 0,
        "reliance_of": ({AGE: 0.4}, {AGE: 0.3, INCOME: 0.1}, {AGE: 0.35}),
    }
    return Alternatives(**told | changed)


def test_it_is_a_sequence_of_lists():
    found = three()
    assert len(found) == 3
    assert list(found) == [found[0], found[1], found[-1]]
    assert repr(found) == "Alternatives(3 lists)"


def test_objectives_and_what_lists_lack_to_the_best():
    assert three().objectives == (2.0, 1.9, 1.5)
    assert three().shares == pytest.approx((0.0, 0.05, 0.25))


def test_how_often_features_conditions_and_rules_occur():
    found = three()
    assert [(one.text, one.n_lists, one.lists) for one in found.features] == [
        ("age", 3, (0, 1, 2)),
        ("income", 1, (1,)),
    ]
    assert [(one.text, one.lists) for one in found.conditions][:2] == [("age > 40", (0, 1)), ("age <= 40", (0, 1))]
    assert found.rules[0].text == "if age <= 40 then no (100 %)"
    assert found.rules[0].lists == (0, 1)
    assert len(found.rules) == 6


def test_the_reliance_is_an_interval_over_the_lists():
    age, income = three().reliances
    assert (age.name, age.lowest, age.highest, age.of) == ("age", 0.3, 0.4, (0.4, 0.3, 0.35))
    assert (income.lowest, income.highest) == (0.0, 0.1)
    assert three(reliance_of=None).reliances == ()


def test_columns_of_the_same_name_are_told_apart():
    again = Column(2, "age")
    one = listed([40.0], 2.0, 0)
    rules = (Rule((Condition(again, upper=1.0),), "no", 10, 1.0, (1.0, 0.0)),)
    other = RuleList(rules, one.default, Inputs((AGE, INCOME, again)), one.classes, 10, one.solution)
    found = three(rule_lists=(one, other), scores=(1.0, 1.0), reliance_of=({AGE: 0.2}, {again: 0.1}))
    assert [(one.text, one.n_lists) for one in found.features] == [("age (1)", 1), ("age (2)", 1)]
    assert [(one.name, one.of) for one in found.reliances] == [("age (1)", (0.2, 0.0)), ("age (2)", (0.0, 0.1))]


def test_as_a_data_frame():
    frame = three().to_frame()
    assert frame.index.tolist() == [1, 2, 3]
    assert frame["n_rules"].tolist() == [2, 3, 2]
    assert frame["n_conditions"].tolist() == [2, 5, 2]
    assert frame["features"].tolist() == ["age", "age, income", "age"]
    of = three().occurrences_to_frame().set_index(["kind", "what"])
    assert of.loc[("feature", "income"), "share"] == pytest.approx(1 / 3)
    assert of.loc[("feature", "income"), "highest_reliance"] == 0.1
    assert of.loc[("condition", "age > 40"), "n_lists"] == 2
    assert np.isnan(of.loc[("condition", "age > 40"), "highest_reliance"])


def test_as_text():
    assert str(three()) == "\n".join(
        [
            "The 3 best lists, in order, proven.",
            "",
            "    objective  below best  training accuracy  rules  features",
            "1.          2                         0.9000      2  age",
            "2.        1.9         5 %             0.8000      3  age, income",
            "3.        1.5        25 %             0.8500      2  age",
            "",
            "feature   lists  loss of accuracy if shuffled",
            "age      3 of 3  0.3 to 0.4",
            "income   1 of 3  0 to 0.1",
            "",
            "rules in several lists",
            "  2 of 3: if age <= 40 then no (100 %)",
        ]
    )


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({}, "The 3 best lists, in order, proven."),
        ({"more": False}, "All 3 lists of the candidates, in order, proven."),
        ({"more": False, "within": 0.3}, "All 3 lists within 30 % of the best objective, in order, proven."),
        ({"more": False, "within": 0.0}, "All 3 lists that are as good as the best one, in order, proven."),
        (
            {"more": True, "within": 0.3, "asked": 3},
            "The 3 best lists, in order, proven. There are more within 30 % of the best objective: raise k.",
        ),
        (
            {"ended_early": True, "asked": 5},
            "The 3 best lists, in order, proven. The search ended before it had found all 5: raise time_limit.",
        ),
        (
            {"ended_early": True, "within": 0.3},
            "The 3 best lists, in order, proven. The search ended before it had found all within 30 % of the best "
            "objective: raise time_limit.",
        ),
        (
            {"differ_by": 0.05},
            "The 3 best lists that differ by at least 5 % of the training samples, in order, proven.",
        ),
    ],
)
def test_it_says_what_is_proven(told, words):
    assert three(**told).describe() == words


def test_one_or_two_lists_are_said_to_be_so():
    lists = three().rule_lists
    assert three(rule_lists=lists[:1], more=False).describe() == "The only list of the candidates, proven."
    assert three(rule_lists=lists[:2], more=False).describe() == "Both lists of the candidates, in order, proven."
    assert three(rule_lists=lists[:1]).describe() == "The best list, proven."
    assert three(rule_lists=lists[:1], differ_by=0.5).describe() == "The best list, proven."


def test_without_reliance_the_text_is_shorter():
    assert "shuffled" in str(three())
    assert "shuffled" not in str(three(reliance_of=None))


def test_names_of_many_features_are_cut():
    features = [Column(i, f"a long name {i}") for i in range(9)]
    rules = (Rule(tuple(Condition(feature, upper=1.0) for feature in features), "no", 10, 1.0, (1.0, 0.0)),)
    one = listed([40.0], 2.0, 0)
    long = RuleList(rules, one.default, Inputs(tuple(features)), one.classes, 10, one.solution)
    line = str(three(rule_lists=(long,), scores=(1.0,), reliance_of=({},))).splitlines()[3]
    assert line.endswith("a long name 0, a long name 1, a long name 2, a long name 3, … (9)")
