"""Features, combinations of features and rules that a list does without."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import NAMES, Small, a_forbid, features_of, smalls

from hedgerow import InvalidParameterError
from hedgerow.constraints import Forbid


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_the_best_list_without_it_is_found(data, small):
    small.check(a_forbid(small, data.draw))


@pytest.mark.parametrize("name", ["age", 0, -0])
def test_a_column_is_meant_by_its_name_or_its_position(name):
    small = Small(0, max_rules=4)
    rules = small.fit([Forbid(feature=name)])
    assert not any("age" in features_of(rule) for rule in rules.rule_list_)
    feature = small.free.pool.forest.features[NAMES.index("age")]
    again = small.fit([Forbid(feature=feature)])
    assert again.solution_.objective == rules.solution_.objective


@pytest.mark.parametrize(
    ("name", "hint"),
    [("agee", "Did you mean 'age'"), (7, "There are: age, income, debt"), (-1, "There are"), (True, "There are")],
)
def test_an_unknown_feature_is_refused_and_the_known_ones_are_named(name, hint):
    with pytest.raises(InvalidParameterError, match=f"Forbid names the feature {name!r}, which there is not. {hint}"):
        Small(0, max_rules=4).fit([Forbid(feature=name)])


@pytest.mark.parametrize("given", [{}, {"feature": "age", "features": ["age", "debt"]}])
def test_exactly_one_of_its_parameters_is_given(given):
    with pytest.raises(InvalidParameterError, match=r"Forbid takes one of feature=..., features=..., rule=...; got"):
        Forbid(**given)


@pytest.mark.parametrize("features", ["age", ["age"], 3, []])
def test_together_takes_at_least_two(features):
    with pytest.raises(InvalidParameterError, match=r"takes at least two features.*take Forbid\(feature=...\)"):
        Forbid(features=features)


def test_a_rule_must_be_one():
    with pytest.raises(InvalidParameterError, match=r"Forbid\(rule=...\) takes a Rule, such as one of rule_list_"):
        Forbid(rule="age > 3")


def test_it_is_said_in_words():
    assert str(Forbid(feature=2)) == "no rule uses column 2"
    assert str(Forbid(features=("age", "debt"))) == "no rule uses age and debt together"
    assert repr(Forbid(features=["age", "debt"])) == "Forbid(features=('age', 'debt'))"
    assert "is not chosen" in str(Forbid(rule=Small(0).rules[0]))
