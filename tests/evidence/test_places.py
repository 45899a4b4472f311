"""A column is one place for all features that look at it, and says what it holds."""

import pytest
from people_lists import AGE, JOB

from hedgerow import Condition
from hedgerow.evidence.places import Place, number_feature_of
from hedgerow.features import DatePart, WholeCategory


def place(*features):
    return Place("a", 0, features, tuple(Condition(feature) for feature in features))


@pytest.mark.parametrize(
    ("features", "kind"),
    [
        ((AGE,), "number"),
        ((JOB,), "category"),
        ((DatePart.of(0, "a", "year"), DatePart.of(0, "a", "month")), "date"),
        ((WholeCategory(0, "a", (1, 2)),), "category"),
        ((WholeCategory(0, "a", (1, 2)), AGE), "number"),
    ],
)
def test_a_place_says_what_it_holds(features, kind):
    assert place(*features).kind == kind


def test_numbers_are_read_by_the_feature_that_takes_them_as_numbers():
    assert number_feature_of(place(WholeCategory(0, "a", (1, 2)), AGE)) == AGE
