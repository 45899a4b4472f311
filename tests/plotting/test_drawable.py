"""A list is drawn as it is, an estimator by its list, and nothing else."""

import pytest

from hedgerow import InvalidParameterError, RuleListClassifier
from hedgerow.plotting.drawable import rule_list_of


def test_a_list_is_itself_and_a_fitted_estimator_has_one(tree):
    fitted = RuleListClassifier()
    fitted.rule_list_ = tree
    assert rule_list_of(tree) is tree
    assert rule_list_of(fitted) is tree


@pytest.mark.parametrize("given", [RuleListClassifier(), [1, 2], None])
def test_what_has_no_list_is_refused_with_the_way_out(given):
    with pytest.raises(InvalidParameterError, match=f"this {type(given).__name__} has none. Fit a RuleListClassifier"):
        rule_list_of(given)
