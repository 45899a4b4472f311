"""The value that a change suggests is the nearest that does: in the precision of the list, as an integer, as a date."""

import datetime
import math

import numpy as np
import pandas as pd
import pytest
from date_lists import date_list
from people_lists import AGE, REFERENCE, person, shown, small_list

from hedgerow import Condition, Rule, RuleList
from hedgerow.evidence import reasons
from hedgerow.features import CodedCategory, ColumnWithBlank, Inputs, Notation


def test_without_a_spread_the_thresholds_on_the_way_are_counted_and_it_is_said():
    bands = [([Condition(AGE, low, low + 1)], said) for low, said in ((0.0, "no"), (1.0, "perhaps"), (2.0, "yes"))]
    rules = small_list(bands, "perhaps")
    found = reasons(rules, person(age=0.5))
    assert shown(found) == [({"age": 2.01}, 2.0)]
    assert "(across 2 thresholds)" in str(found)
    assert "Without reference rows, the spreads of the columns are not known" in found.notes[0]
    constant = REFERENCE.assign(age=1.0)
    assert reasons(rules, person(age=0.5), reference=constant).notes == (
        "The spread of age is not known: a change counts the thresholds that it crosses.",
    )
    assert reasons(rules, person(age=0.5), reference=REFERENCE).notes == ()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("threshold", [0.1, 2.4500000477, 16777217.0, 1e-40, -3.3])
def test_the_new_value_is_on_the_other_side_in_the_precision_of_the_list(dtype, threshold):
    rules = small_list([([Condition(AGE, upper=threshold)], "no"), ([Condition(AGE)], "yes")], dtype=dtype)
    for own, answer in ((threshold - abs(threshold), "yes"), (threshold + 2 * abs(threshold), "no")):
        (other,) = reasons(rules, person(age=own)).others
        assert other.answer == answer
        ((change,),) = [one.columns for one in other.changes]
        assert rules.predict(person(age=change.value))[0] == answer
        assert abs(change.value - threshold) <= 0.02 * abs(own - threshold) + 1e-6 * abs(threshold)


@pytest.mark.parametrize(
    ("own", "written"), [(1.06164569756102, "1.06165"), (0.50500004, "0.50500004"), (0.505 + 1e-13, "0.5050000000001")]
)
def test_the_own_value_has_few_digits_but_stays_on_its_side_of_the_threshold(own, written):
    rules = small_list([([Condition(AGE, upper=0.505)], "no"), ([Condition(AGE)], "yes")])
    found = reasons(rules, person(age=own))
    assert f"age from {written} to 0.5" in str(found)
    assert found.others[0].fails[0].value == written


def test_integers_stay_integers_and_booleans_booleans():
    rules = small_list(
        [([Condition(AGE, upper=2.2)], "no"), ([Condition(AGE, lower=2.8, upper=2.9)], "perhaps")], "yes"
    )
    found = reasons(rules, person(age=np.int64(1)))
    assert shown(found) == [({"age": 3}, 3.0)]
    assert isinstance(found.others[-1].changes[0].columns[0].value, int)
    assert [other.answer for other in found.others if other.changes] == ["yes"]  # no integer lies between 2.8 and 2.9
    assert shown(reasons(rules, person(age=1.0), reference=REFERENCE.round()), "perhaps") == []
    assert shown(reasons(rules, person(age=1.0)), "perhaps")
    flag = small_list([([Condition(AGE, upper=0.5)], "no")], "yes")
    assert shown(reasons(flag, person(age=False))) == [({"age": True}, 1.0)]
    assert shown(reasons(flag, np.array([[False, True, False]]))) == [({"age": 1}, 1.0)]


def test_a_missing_value_can_be_filled_in_and_nothing_is_made_missing():
    blank = ColumnWithBlank(0, "age", blank=3.0)
    inputs = Inputs((blank,), np.float64, allows_missing=True)
    rules = (Rule((Condition(blank, upper=2.0),), "no", 1, 0.1), Rule((Condition(blank, lower=4.0),), "no", 1, 0.1))
    missing = Rule((Condition(blank, upper=-math.inf, missing=True),), "yes", 1, 0.1)
    rule_list = RuleList((*rules, missing), Rule((), "perhaps"), inputs, np.array(["no", "perhaps", "yes"]), 10)
    found = reasons(rule_list, [[1.0]])
    assert shown(found, "yes") == []  # only a missing value, or 3, would do
    assert shown(found, "perhaps")[0][0] == {"age": pytest.approx(2.01, abs=0.01)}
    for cell in (math.nan, 3.0):
        found = reasons(rule_list, [[cell]], reference=[[5.0], [9.0], [7.0]])
        assert found.prediction == "yes"
        (change,) = found.others[0].changes
        assert (change.values, change.distance, change.columns[0].measure) == ({"age": 7.0}, 1.0, "any")


def test_a_date_is_moved_by_days_to_the_nearest_that_does():
    rules = date_list("%d/%m/%Y")  # Saturday or Sunday; January or February; 1991 to 2020; days after ...; before 2000
    row = pd.DataFrame({"day": ["05/05/2010"]})  # a Wednesday
    assert reasons(rules, row).rule == 2
    found = reasons(rules, row, reference=pd.DataFrame({"day": ["01/01/2010", "31/12/2010"]}), answer="lower")
    (change,) = found.others[0].changes
    assert change.values == {"day": datetime.date(2010, 5, 2)}  # a Sunday; the next Saturday is as near, but later
    assert change.distance == pytest.approx(3 / (0.9 * 364))
    dates = pd.DataFrame({"day": pd.to_datetime(["2010-05-05"])})
    later = reasons(rules, dates, changeable={"day": 1}, answer="higher").others[0].changes
    assert [rules.predict(pd.DataFrame({"day": [change.values["day"]]}))[0] for change in later] == [3.0]
    first = datetime.date(2021, 11, 29)
    assert later[0].values == {"day": first}  # the first day after 8000 days that is not in a weekend
    before = rules.predict(pd.DataFrame({"day": [first - datetime.timedelta(k) for k in range(1, 4000)]}))
    assert (before <= 2.0).all()


def test_cells_of_a_text_file_and_codes_of_an_array_are_understood():
    rules = small_list([([Condition(AGE, upper=4.0)], "no")], "yes").with_notations({"age": Notation(decimal=",")})
    assert shown(reasons(rules, person(age="3,1"), reference=REFERENCE)) == [({"age": 4.001}, 0.1)]
    job = CodedCategory(0, "job", ("chef", "clerk"))
    rule = Rule((Condition(job, categories=frozenset({0})),), "no", 1, 0.1)
    coded = RuleList((rule,), Rule((), "yes"), Inputs((job,), np.float64), np.array(["no", "yes"]), 10)
    assert shown(reasons(coded, np.array([[0.0]]))) == [({"job": 1}, 1.0)]
    assert "job from chef to clerk" in str(reasons(coded, np.array([[0.0]])))
    assert shown(reasons(coded, pd.DataFrame({"job": ["chef"]}))) == [({"job": "clerk"}, 1.0)]
    assert shown(reasons(coded, pd.DataFrame({"job": pd.Categorical(["chef"])}))) == [({"job": "clerk"}, 1.0)]
