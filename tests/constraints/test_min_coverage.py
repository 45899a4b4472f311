"""Every rule rests on enough samples, by number or by share of their weight."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wishes import Small, a_min_coverage, smalls

from hedgerow import InvalidParameterError
from hedgerow.constraints import MinCoverage


@settings(max_examples=40, deadline=None)
@given(data=st.data(), small=smalls())
def test_the_best_list_of_rules_that_cover_enough_is_found(data, small):
    small.check(a_min_coverage(small, data.draw))


def test_scores_stay_as_they_are_unlike_with_the_parameter_of_the_estimator():
    small = Small(1, max_rules=4)
    scores = small.free.scores.total
    known = {tuple(rule.conditions): score for rule, score in zip(small.rules, scores, strict=True)}
    posed = small.fit([MinCoverage(3)]).posed_
    assert len(posed.pool) < len(small.rules)
    for j in range(len(posed.pool)):
        assert posed.scores.total[j] == known[tuple(posed.pool.rule(j).conditions)]


@pytest.mark.parametrize("value", [2.5, -1, 1.0, True, float("nan"), "few", None])
def test_what_is_neither_a_number_of_samples_nor_a_share_is_refused(value):
    with pytest.raises(InvalidParameterError, match="a number of samples, at least 1, or a share below 1"):
        MinCoverage(value)
